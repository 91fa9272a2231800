import type { RouteSelection } from '@cordon/contract';
import { useState } from 'react';
import { useTimeZone } from 'use-intl';
import { fieldTexts } from '../../../app/failure';
import { useScheduleTask } from '../../../domain/tasks/queries';
import { readSchedule, type Schedule, startSchedule } from '../../../domain/tasks/schedule';

interface ClearLaterParts {
  readonly onScheduled: (() => void) | undefined;
  /** Of anything but the time. */
  readonly onError: (error: Error) => void;
}

/** Clearing the caches of a selection at a time to come, as a task. */
export function useClearLater(selection: RouteSelection, { onScheduled, onError }: ClearLaterParts) {
  const timeZone = useTimeZone() ?? 'UTC';
  const [value, setValue] = useState(() => startSchedule(timeZone));
  const task = useScheduleTask();
  const { at, fault } = readSchedule(value, timeZone);
  return {
    isLater: value.isLater,
    isWrong: fault !== undefined,
    /** What `ScheduleFields` takes. */
    fields: {
      value,
      refused: task.error ? fieldTexts(task.error).at : undefined,
      onValueChange(next: Schedule) {
        setValue(next);
        if (task.error) task.reset();
      },
    },
    /** @param digest Of what was shown. */
    async schedule(soft: boolean, digest: string | undefined) {
      const body = { kind: 'clear cache', selection, at, soft, digest } as const;
      await task.mutateAsync(body, {
        onError: (error) => void (fieldTexts(error).at === undefined && onError(error)),
      });
      onScheduled?.();
    },
  };
}
