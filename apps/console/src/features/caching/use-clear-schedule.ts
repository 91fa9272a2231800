import { useState } from 'react';
import { useTimeZone } from 'use-intl';
import { fieldTexts } from '../../app/failure';
import { type TaskBody, useRunTask } from '../../domain/tasks/queries';
import { readSchedule, type Schedule, startSchedule } from '../../domain/tasks/schedule';

/** When a domain's cache is to be cleared: now, or as a task. */
export function useClearSchedule(routeId: string) {
  const timeZone = useTimeZone() ?? 'UTC';
  const [value, setValue] = useState(() => startSchedule(timeZone));
  const task = useRunTask({ isSilent: true });
  const refused = task.error ? fieldTexts(task.error).at : undefined;
  const { at, fault } = readSchedule(value, timeZone);
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
    isRight: fault === undefined,
    /** Why it was refused, but for the time, which its fields show. */
    error: refused === undefined ? task.error : null,
    asked: task.variables && { kind: task.variables.clear_kind, values: task.variables.values },
    async schedule(clear: Required<Pick<TaskBody, 'clear_kind' | 'values' | 'soft'>>) {
      await task.mutateAsync({ kind: 'clear cache', route_ids: [routeId], at, ...clear });
      setValue(startSchedule(timeZone));
    },
  };
}
