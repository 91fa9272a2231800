import type { RouteSelection, Task } from '@cordon/contract';
import { TASK_CLEARS_MAX } from '@cordon/contract/cache-targets';
import { useState } from 'react';
import { useTimeZone, useTranslations } from 'use-intl';
import { fieldTexts } from '../../../app/failure';
import { EVERYTHING, useClearValues } from '../../../domain/clears/use-clear-values';
import { readSchedule, type Schedule, startSchedule } from '../../../domain/tasks/schedule';
import { useRunTask } from '../../../domain/tasks/use-run-task';
import { useCodeWords } from '../../../domain/words/error-words';

interface BulkClearParts {
  /** How many domains it is of; undefined: not known yet. */
  readonly domains: number | undefined;
  readonly onDone: (task: Task) => void;
  /** Of anything but the time and the values. */
  readonly onError: (error: Error) => void;
}

/** What is cleared of the caches of a selection, and when; as a task where it is not everything, now. */
export function useBulkClear(selection: RouteSelection, { domains, onDone, onError }: BulkClearParts) {
  const t = useTranslations('bulk.confirm.clear_cache');
  const codeWords = useCodeWords();
  const timeZone = useTimeZone() ?? 'UTC';
  const [when, setWhen] = useState(() => startSchedule(timeZone));
  const [choice, setChoice] = useState(EVERYTHING);
  const task = useRunTask({ onDone });
  const { at, faults } = readSchedule(when, timeZone);
  const isTask = when.isLater || choice.kind !== 'all';
  const values = useClearValues({
    choice,
    // Of one its names are not known here.
    own: domains === 1 ? undefined : 'several',
    ...(domains === undefined ? {} : { domains }),
    error: task.error,
    asked: task.variables && { kind: task.variables.clear_kind, values: task.variables.values },
    words: (code, params) =>
      domains !== 1 && (code === 'CACHE_URL_FOREIGN' || code === 'CACHE_URL_INVALID')
        ? t('path')
        : codeWords(code, params),
  });
  const isTooMany = choice.kind !== 'all' && domains !== undefined && domains > TASK_CLEARS_MAX;
  return {
    choice,
    isLater: when.isLater,
    isTask,
    isRight: faults === undefined && values.isRight && !isTooMany,
    /** What `ClearSettings` takes. */
    settings: {
      choice,
      onChoiceChange: setChoice,
      values,
      isTooMany,
      schedule: {
        value: when,
        refused: task.error ? fieldTexts(task.error).at : undefined,
        onValueChange(next: Schedule) {
          setWhen(next);
          if (task.error) task.reset();
        },
      },
    },
    /** @param digest Of what was shown. */
    run: (digest: string | undefined) =>
      task.mutateAsync(
        {
          ...{ kind: 'clear cache', selection, at, digest },
          ...{ clear_kind: choice.kind, values: values.values, soft: choice.soft },
        },
        {
          onError(error) {
            values.setTried(true);
            const isPlaced = Object.keys(fieldTexts(error)).some((path) => /^(at|values(\.\d+)?)$/.test(path));
            if (!isPlaced) onError(error);
          },
        },
      ),
  };
}
