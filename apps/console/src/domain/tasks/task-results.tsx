import type { Task } from '@cordon/contract';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useWho } from '../../app/who';
import { StatusBadge } from '../../ui/badge';
import { Button } from '../../ui/button';
import { useFormat } from '../../ui/format';
import { BatchProgress } from '../batches/batch-progress';
import { dismissResults, useDismissedResults } from './dismissed-results';
import { useTaskWhat } from './task-words';

/** What was successful is shown for a day; what was not until it is dismissed, or answered no longer. */
const SUCCESS_SHOWN_MS = 86_400_000;

/** Those that were scheduled and have ended, and are to be told of. @param shownBatches Whose results stand elsewhere. */
export function useTaskResults(tasks: readonly Task[] | undefined, shownBatches: readonly string[]): Task[] {
  const dismissed = useDismissedResults();
  return (tasks ?? []).filter(
    ({ state, at, batch_id: batchId }) =>
      batchId !== null &&
      (state === 'failed' || (state === 'successful' && Date.parse(at) > Date.now() - SUCCESS_SHOWN_MS)) &&
      !dismissed.includes(batchId) &&
      !shownBatches.includes(batchId),
  );
}

/** Whether it was successful, or on how many domains it was not. */
export function TaskOutcome({ task: { state, failed } }: { task: Pick<Task, 'state' | 'failed'> }) {
  const t = useTranslations('domain.tasks.results');
  return state === 'failed' ? (
    <StatusBadge tone="danger">{t('failed', { count: failed })}</StatusBadge>
  ) : (
    <StatusBadge tone="success">{t('successful')}</StatusBadge>
  );
}

/** One result; what became of each domain is shown below it where that is asked for. */
function TaskResult({ task }: { task: Task }) {
  const t = useTranslations('domain.tasks');
  const format = useFormat();
  const whoOf = useWho();
  const what = useTaskWhat()(task);
  const [isOpen, setOpen] = useState(false);
  return (
    <li className="flex flex-col gap-2 border-b border-line px-3 py-2 text-sm last:border-b-0">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <span className="min-w-0 flex-1 basis-56">
          <span className="block font-medium wrap-anywhere" title={task.domain_names.join('\n')}>
            {what}
          </span>
          <span className="block text-muted tabular wrap-anywhere">
            {t('when', { time: format.dateTime(task.at), who: whoOf(task.created_by) })}
          </span>
        </span>
        <span className="flex shrink-0 items-center gap-2">
          <TaskOutcome task={task} />
          <Button
            size="sm"
            variant="ghost"
            aria-expanded={isOpen}
            aria-label={t(isOpen ? 'results.hideOf' : 'results.detailsOf', { what })}
            onClick={() => setOpen(!isOpen)}
          >
            {t(isOpen ? 'results.hide' : 'results.details')}
          </Button>
        </span>
      </div>
      {isOpen && task.batch_id !== null && <BatchProgress batchId={task.batch_id} />}
    </li>
  );
}

/** What became of tasks that were scheduled, the last first, until they are dismissed. */
export function TaskResults({ tasks }: { tasks: readonly Task[] }) {
  const t = useTranslations('domain.tasks.results');
  return (
    <section aria-label={t('title')}>
      <div className="flex min-h-10 items-center justify-between gap-3 px-3 pt-2">
        <h3 className="text-sm font-medium">{t('title')}</h3>
        <Button
          size="sm"
          variant="ghost"
          onClick={() => dismissResults(tasks.flatMap(({ batch_id: batchId }) => batchId ?? []))}
        >
          {t('dismiss')}
        </Button>
      </div>
      <ul aria-label={t('title')}>
        {tasks.map((task) => (
          <TaskResult key={task.id} task={task} />
        ))}
      </ul>
    </section>
  );
}
