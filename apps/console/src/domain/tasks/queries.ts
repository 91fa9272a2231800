import type { Task } from '@cordon/contract';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api } from '../../app/api-client';
import { useLiveEvents } from '../../app/live-events';
import { batchKeys } from '../batches/queries';
import { createPacer } from '../data/live-domains';

export const taskKeys = {
  all: ['tasks'] as const,
  /** Undefined: of all domains. */
  list: (routeId: string | undefined) => [...taskKeys.all, routeId ?? null] as const,
};

/** What begins at its time is asked for a moment later; else now and then, as others schedule and cancel, too. Ends are told (`useLiveTasks`). */
const ASK_AFTER_MS = 2_000;
const ASK_EVERY_MS = 15_000;
const untilNext = (tasks: readonly Task[] | undefined): number => {
  const next = tasks?.find(({ state }) => state === 'task_scheduled')?.at;
  if (next === undefined) return ASK_EVERY_MS;
  return Math.min(ASK_EVERY_MS, Math.max(0, Date.parse(next) - Date.now()) + ASK_AFTER_MS);
};

/** Tasks that wait for their time, the next one first: of one domain, or of all; of all also those that run, and results. */
export const tasksOptions = (routeId?: string) =>
  queryOptions({
    queryKey: taskKeys.list(routeId),
    queryFn: async ({ signal }) => (await api.listTasks({ query: { route_id: routeId }, signal })).results,
    refetchInterval: ({ state }) => untilNext(state.data),
  });

/** Domains are deleted by the thousand, each with an event of its own. */
const ASK_PAUSE_MS_MAX = 5000;

/** Asks anew once a batch has ended, which may be that of a task, and once a domain is deleted, which leaves its tasks. */
export function useLiveTasks(): void {
  const client = useQueryClient();
  const [pacer] = useState(() =>
    createPacer(() => {
      void client.invalidateQueries({ queryKey: taskKeys.all });
      return false;
    }, ASK_PAUSE_MS_MAX),
  );
  useEffect(() => pacer.stop, [pacer]);
  useLiveEvents('domain', ({ batch, status }) => {
    if (batch ? batch.state !== 'running' : status === 'deleting' || status === 'deleted') pacer.ask();
  });
}

/** Cancels a task; one that has begun meanwhile is gone from the list, and runs as a batch. */
export function useCancelTask() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => api.cancelTask({ params: { id } }),
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: taskKeys.all }),
        client.invalidateQueries({ queryKey: batchKeys.running() }),
      ]),
  });
}
