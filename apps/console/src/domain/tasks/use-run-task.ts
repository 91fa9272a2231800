import type { CallInput, Operations, Task } from '@cordon/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { api } from '../../app/api-client';
import { missingReason } from '../../app/failure';
import { leavesOpen } from '../data/use-saves';
import { notifyScheduled } from './notify-scheduled';
import { taskKeys } from './queries';

export type TaskBody = CallInput<Operations['runTask']>['body'];

interface RunTaskOptions {
  /** What asks shows the errors itself. */
  readonly isSilent?: boolean;
  readonly onDone?: (task: Task) => void;
}

/** What was asked for last: with the same key it happens once. */
interface Asked {
  readonly request: string;
  readonly idempotencyKey: string;
  /** Undefined: whether it was done is not known. */
  readonly task?: Task;
}

/**
 * Runs a task, or schedules it, and says so. Where only the answer was lost, the same again is answered by what was made,
 * however late; where the same is still scheduled, a further press makes no second one.
 */
export function useRunTask({ isSilent = false, onDone }: RunTaskOptions = {}) {
  const client = useQueryClient();
  const last = useRef<Asked>(undefined);
  const isScheduled = ({ id }: Task) =>
    client
      .getQueriesData<readonly Task[]>({ queryKey: taskKeys.all })
      .some(([, tasks]) => tasks?.some((one) => one.id === id && one.state === 'task_scheduled'));
  return useMutation({
    mutationFn: async (body: TaskBody) => {
      const request = JSON.stringify(body);
      const before = last.current?.request === request ? last.current : undefined;
      if (before?.task && isScheduled(before.task)) return before.task;
      const idempotencyKey = before && !before.task ? before.idempotencyKey : crypto.randomUUID();
      last.current = { request, idempotencyKey };
      try {
        const task = (await api.runTask({ body, idempotencyKey })).result;
        last.current = { request, idempotencyKey, task };
        return task;
      } catch (error) {
        if (missingReason(error) === undefined && !leavesOpen(error)) last.current = undefined;
        throw error;
      }
    },
    onSuccess: (task) => {
      onDone?.(task);
      if (task.state !== 'task_scheduled') return;
      void notifyScheduled(task);
      return client.invalidateQueries({ queryKey: taskKeys.all });
    },
    meta: { isSilent },
  });
}
