import type { RouteSelection } from '@cordon/contract';
import { useState } from 'react';
import { useTimeZone } from 'use-intl';
import { fieldTexts } from '../../../app/failure';
import { useScheduleTask } from '../../../domain/tasks/queries';
import { readSchedule, type Schedule, startSchedule } from '../../../domain/tasks/schedule';

/** Clearing the caches of a selection at a time to come, as a task. */
export function useClearLater(selection: RouteSelection, onScheduled: (() => void) | undefined) {
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
    async schedule(soft: boolean) {
      await task.mutateAsync({ kind: 'clear cache', selection, at, soft });
      onScheduled?.();
    },
  };
}
