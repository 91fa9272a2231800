import type { Task } from '@cordon/contract';
import { useTranslations } from 'use-intl';
import { StatusBadge } from '../../ui/badge';
import { Button } from '../../ui/button';
import { findFocusAfter } from '../../ui/lost-focus';
import { useDisclosure } from '../../ui/use-disclosure';
import { BatchProgress } from '../batches/batch-progress';
import { dismissResults, useDismissedResults } from './dismissed-results';
import { TaskLine } from './task-line';
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

/** How many there are, and how many of them failed. */
export function ResultCount({ results }: { results: readonly Pick<Task, 'state'>[] }) {
  const t = useTranslations('domain.tasks.results');
  const failed = results.filter(({ state }) => state === 'failed').length;
  return (
    <StatusBadge tone={failed > 0 ? 'danger' : 'success'}>{t('count', { count: results.length, failed })}</StatusBadge>
  );
}

/** One result; what became of each domain is shown below it where that is asked for. */
function TaskResult({ task }: { task: Task }) {
  const t = useTranslations('domain.tasks.results');
  const what = useTaskWhat()(task);
  const { isOpen, button } = useDisclosure((isShown) => ({
    text: t(isShown ? 'hide' : 'details'),
    of: t(isShown ? 'hideOf' : 'detailsOf', { what }),
  }));
  return (
    <TaskLine
      task={task}
      what={what}
      actions={
        <>
          <TaskOutcome task={task} />
          {button}
        </>
      }
    >
      {isOpen && task.batch_id !== null && <BatchProgress isBare batchId={task.batch_id} />}
    </TaskLine>
  );
}

/** What became of tasks that were scheduled, the last first, until they are dismissed. */
export function TaskResults({ tasks }: { tasks: readonly Task[] }) {
  const t = useTranslations('domain.tasks.results');
  return (
    <section aria-label={t('title')}>
      <div className="flex min-h-10 items-center justify-between gap-3 px-4 pt-2">
        <h2 className="text-sm font-medium">{t('title')}</h2>
        <Button
          size="sm"
          variant="ghost"
          onClick={() => {
            dismissResults(tasks.flatMap(({ batch_id: batchId }) => batchId ?? []));
            // The button goes with them.
            findFocusAfter(false);
          }}
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
