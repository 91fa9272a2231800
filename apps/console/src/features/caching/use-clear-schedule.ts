import { useState } from 'react';
import { useTimeZone } from 'use-intl';
import { failureTexts, fieldTexts } from '../../app/failure';
import { useScheduleTask } from '../../domain/tasks/queries';
import { readSchedule, type Schedule, startSchedule } from '../../domain/tasks/schedule';
import { focusFirst, INVALID_FIELD } from '../../ui/lead-to-error';

/** When everything of a domain is to be cleared: now, or as a task. */
export function useClearSchedule(routeId: string) {
  const timeZone = useTimeZone() ?? 'UTC';
  const [value, setValue] = useState(() => startSchedule(timeZone));
  const task = useScheduleTask({ isSilent: true });
  const refused = task.error ? fieldTexts(task.error).at : undefined;
  return {
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
    /** Why it failed, where its fields do not say so. */
    failed: task.error && refused === undefined ? failureTexts(task.error) : [],
    /** Schedules it; a wrong time gets the focus instead. */
    submit(form: HTMLFormElement, soft: boolean) {
      const { at, fault } = readSchedule(value, timeZone);
      if (fault) return focusFirst(form, [INVALID_FIELD]);
      task.mutate(
        { kind: 'clear cache', route_ids: [routeId], at, soft },
        { onSuccess: () => setValue(startSchedule(timeZone)) },
      );
    },
  };
}
