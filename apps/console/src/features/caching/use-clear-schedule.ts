import { useState } from 'react';
import { useTimeZone } from 'use-intl';
import { fieldTexts } from '../../app/failure';
import { readSchedule, type Schedule, startSchedule } from '../../domain/tasks/schedule';
import { type TaskBody, useRunTask } from '../../domain/tasks/use-run-task';

type ClearParts = Pick<TaskBody, 'clear_kind' | 'values' | 'soft'>;

/** When a domain's cache is to be cleared: now, or as a task. */
export function useClearSchedule(routeId: string) {
  const timeZone = useTimeZone() ?? 'UTC';
  const [value, setValue] = useState(() => startSchedule(timeZone));
  const task = useRunTask({ isSilent: true });
  const refused = task.error ? fieldTexts(task.error).at : undefined;
  const { at, faults } = readSchedule(value, timeZone);
  const bodyOf = (clear: ClearParts): TaskBody => ({ kind: 'clear cache', route_ids: [routeId], at, ...clear });
  return {
    isLater: value.isLater,
    /** What `ScheduleFields` takes. */
    fields: {
      value,
      refused,
      disabled: task.isPending,
      onValueChange(next: Schedule) {
        setValue(next);
        // It was about what has been changed since.
        if (task.error) task.reset();
      },
    },
    isPending: task.isPending,
    isRight: faults === undefined,
    /** Why it was refused, but for the time, which its fields show. */
    error: refused === undefined ? task.error : null,
    asked: task.variables && { kind: task.variables.clear_kind, values: task.variables.values },
    /** The time that is chosen; undefined where it is wrong, and for now. */
    at,
    bodyOf,
    /** The time stays: what is pressed next, and the command that is shown, must not become one that clears now. */
    schedule: (clear: ClearParts) => task.mutateAsync(bodyOf(clear)),
  };
}
