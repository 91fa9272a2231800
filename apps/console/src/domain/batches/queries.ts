import type { Batch, BatchProgress } from '@cordon/contract';
import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { api } from '../../app/api-client';
import { useLiveEvents } from '../../app/live-events';

export const batchKeys = {
  all: ['batches'] as const,
  latest: () => [...batchKeys.all, 'latest'] as const,
  running: () => [...batchKeys.all, 'running'] as const,
  batch: (id: string) => [...batchKeys.all, 'batch', id] as const,
  successes: (id: string, succeeded: number) => [...batchKeys.batch(id), 'successes', succeeded] as const,
  failures: (id: string, failed: number) => [...batchKeys.batch(id), 'failures', failed] as const,
};

/** The websocket reports at once; polling besides makes up for a lost event. */
export const ASK_EVERY_MS = 2000;
/** Failures shown on the screen; all of them are in the CSV file. */
export const FAILURES_SHOWN = 50;
export const SUCCESSES_SHOWN = 10;

export const batchOptions = (id: string) =>
  queryOptions({
    queryKey: batchKeys.batch(id),
    queryFn: async ({ signal }) => (await api.getBatch({ params: { id }, signal })).result,
    refetchInterval: ({ state }) => (state.data?.state === 'running' ? ASK_EVERY_MS : false),
  });

export const runningBatchesOptions = queryOptions({
  queryKey: batchKeys.running(),
  queryFn: async ({ signal }) => (await api.listBatches({ query: { state: 'running', perpage: 20 }, signal })).results,
});

/** `failed` is part of the key: each further failure is a new question. */
export const failuresOptions = (id: string, failed: number) =>
  queryOptions({
    queryKey: batchKeys.failures(id, failed),
    queryFn: async ({ signal }) =>
      (await api.listBatchItems({ params: { id }, query: { state: 'failed', perpage: FAILURES_SHOWN }, signal }))
        .results,
    enabled: failed > 0,
    placeholderData: (before) => before,
  });

/** `succeeded` is part of the key: what was resumed has more of them. */
export const successesOptions = (id: string, succeeded: number, shown = SUCCESSES_SHOWN) =>
  queryOptions({
    queryKey: [...batchKeys.successes(id, succeeded), shown],
    queryFn: async ({ signal }) =>
      (await api.listBatchItems({ params: { id }, query: { state: 'successful', perpage: shown }, signal })).results,
  });

/** Changes of many domains come as one event each: what they make of a batch is asked for together. */
const CHANGES_MS = 1000;

/** Asks anew whether batches that have ended can be undone, which changes of their domains put an end to. */
export function useLiveUndo(ids: readonly (string | null | undefined)[]): void {
  const client = useQueryClient();
  const timer = useRef<number>(undefined);
  const latest = useRef(ids);
  latest.current = ids;
  useEffect(() => () => window.clearTimeout(timer.current), []);
  useLiveEvents('domain', ({ batch }) => {
    if (batch) return;
    timer.current ??= window.setTimeout(() => {
      timer.current = undefined;
      for (const id of latest.current)
        if (id) void client.invalidateQueries({ queryKey: batchKeys.batch(id), exact: true });
    }, CHANGES_MS);
  });
}

/** Keeps a batch fresh by the websocket's events. */
export function useLiveBatches(onProgress?: (progress: BatchProgress) => void): void {
  const client = useQueryClient();
  useLiveEvents('domain', ({ batch }) => {
    if (!batch) return;
    client.setQueryData<Batch>(batchKeys.batch(batch.id), (before) => before && { ...before, ...batch });
    onProgress?.(batch);
  });
}
