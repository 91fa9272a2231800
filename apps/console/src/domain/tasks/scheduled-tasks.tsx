import type { Route, Task } from '@cordon/contract';
import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query';
import clsx from 'clsx';
import { CalendarClock, ChevronDown } from 'lucide-react';
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { describeFailure } from '../../app/failure';
import { Button } from '../../ui/button';
import { ConfirmDialog } from '../../ui/confirm-dialog';
import { useFormat } from '../../ui/format';
import { rememberSize } from '../../ui/list-sizes';
import { ErrorState } from '../../ui/states';
import { batchKeys } from '../batches/queries';
import { useClearedValues } from '../clears/cleared-values';
import { tasksOptions, useCancelTask, useLiveTasks } from './queries';
import { TaskDomains, useTaskDomains } from './task-domains';
import { TaskLine } from './task-line';
import { ResultCount, TaskOutcome, TaskResults, useTaskResults } from './task-results';
import { useOwnTaskWhat, useTaskWhat } from './task-words';

interface CancelQuestionProps {
  task: Task;
  own: string | undefined;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  focusAfter: () => HTMLElement | undefined;
}

/** Asks once more, and cancels. */
function CancelQuestion({ task, own, open, onOpenChange, focusAfter }: CancelQuestionProps) {
  const t = useTranslations('domain.tasks');
  const format = useFormat();
  const whatOf = useTaskWhat(own);
  const cancel = useCancelTask();
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={t('cancel.title')}
      confirmLabel={t('cancel.confirm')}
      cancelLabel={t('cancel.keep')}
      tone="danger"
      onConfirm={() => cancel.mutateAsync(task.id)}
      focusAfter={focusAfter}
    >
      {t('cancel.body', { what: whatOf(task), time: format.dateTime(task.at) })}
      {task.domains > 1 && (
        <>
          <p className="mt-2">{t('cancel.all', { count: task.domains })}</p>
          <TaskDomains task={task} />
        </>
      )}
    </ConfirmDialog>
  );
}

interface TaskEntryProps {
  task: Task;
  own: string | undefined;
  onCancel: (button: HTMLElement) => void;
}

/** One task; domains and values that its line only counts are shown below it where that is asked for. */
function TaskEntry({ task, own, onCancel }: TaskEntryProps) {
  const t = useTranslations('domain.tasks.cancel');
  const what = useTaskWhat(own)(task);
  const ownWhat = useOwnTaskWhat()(task);
  const domains = useTaskDomains(what, task);
  const values = useClearedValues(what, task.values, task.entries);
  return (
    <TaskLine
      task={task}
      what={own === undefined ? what : ownWhat}
      // As the lines around it: of a card, or of a list in one.
      padding={own === undefined ? 'px-4' : 'px-3'}
      actions={
        <>
          {domains.button}
          {values.button}
          <Button
            size="sm"
            data-cancel
            aria-label={t('of', { what })}
            onClick={({ currentTarget: button }) => onCancel(button)}
          >
            {t('button')}
          </Button>
        </>
      }
    >
      {domains.list}
      {values.text}
    </TaskLine>
  );
}

interface TaskListProps {
  tasks: readonly Task[];
  /** Name of the domain whose tasks they are. */
  own?: string;
}

/** Tasks that wait: what, of how many domains, when and by whom; each can be cancelled. */
function TaskList({ tasks, own }: TaskListProps) {
  const t = useTranslations('domain.tasks');
  const [doomed, setDoomed] = useState<{ task: Task; button: HTMLElement }>();
  const [isAsking, setAsking] = useState(false);
  const list = useRef<HTMLUListElement>(null);
  return (
    <>
      <ul ref={list} aria-label={t('title')}>
        {tasks.map((task) => (
          <TaskEntry
            key={task.id}
            task={task}
            own={own}
            onCancel={(button) => {
              setDoomed({ task, button });
              setAsking(true);
            }}
          />
        ))}
      </ul>
      {doomed && (
        <CancelQuestion
          task={doomed.task}
          own={own}
          open={isAsking}
          onOpenChange={setAsking}
          // The button goes with its task.
          focusAfter={() =>
            (doomed.button.isConnected ? doomed.button : list.current?.querySelector<HTMLElement>('[data-cancel]')) ??
            undefined
          }
        />
      )}
    </>
  );
}

/** Leads the focus that goes with the last of them to the heading of what the place is in. */
function useHeadingAfterLast(place: RefObject<HTMLElement | null>, count: number): void {
  const before = useRef(count);
  useEffect(() => {
    const isGone = before.current > 0 && count === 0;
    before.current = count;
    const heading = place.current?.parentElement?.closest('section')?.querySelector('h2');
    if (!isGone || !heading) return;
    // The question goes with them, and with it what it gives back.
    requestAnimationFrame(() => {
      if (document.activeElement !== document.body) return;
      heading.tabIndex = -1;
      heading.focus({ preventScroll: true });
    });
  }, [count, place]);
}

/** Of one domain, below what schedules them; nothing where none waits. */
export function DomainTasks({ route }: { route: Pick<Route, 'id' | 'domain_name_unicode'> }) {
  const t = useTranslations('domain.tasks');
  const query = useQuery(tasksOptions(route.id));
  const { data: tasks } = query;
  const place = useRef<HTMLDivElement>(null);
  const count = tasks?.length ?? 0;
  useHeadingAfterLast(place, count);
  return (
    <div ref={place} className="empty:hidden">
      {query.isLoadingError && (
        <section aria-label={t('title')}>
          <h3 className="mb-2 font-medium">{t('title')}</h3>
          <div className="rounded-control border border-line">
            <TasksUnread query={query} />
          </div>
        </section>
      )}
      {tasks && count > 0 && (
        <section aria-label={t('title')}>
          <h3 className="mb-2 font-medium">{t('title')}</h3>
          <div className="overflow-hidden rounded-control border border-line">
            <TaskList tasks={tasks} own={route.domain_name_unicode} />
          </div>
        </section>
      )}
    </div>
  );
}

/** Whether any wait is not known: who sees nothing would schedule them once more. */
function TasksUnread({ query }: { query: UseQueryResult<Task[]> }) {
  const t = useTranslations('domain.tasks');
  return (
    <ErrorState
      {...describeFailure(query.error)}
      title={t('unread')}
      onRetry={() => void query.refetch()}
      isRetrying={query.isFetching}
      isLine
    />
  );
}

/** Under which the height of the card is remembered, 0 where there is none: for its place (domain-list-parts.tsx, page-outline.ts). */
const TASK_CARD = 'taskCard';
const BAR = 'mb-4 min-h-14 rounded-card border border-line bg-card';

/** How high the card is while it is closed, as which it comes back. */
function rememberCard(head: HTMLElement) {
  const card = head.parentElement as HTMLElement;
  const observer = new ResizeObserver(() =>
    rememberSize(TASK_CARD, card.offsetHeight - card.clientHeight + head.offsetHeight),
  );
  observer.observe(head);
  return () => observer.disconnect();
}

interface AllTasksProps {
  /** Batches that are shown beside it, whose results need not be told twice. */
  shownBatches?: readonly string[];
  /** Stands where it will, until tasks are known. */
  place?: ReactNode;
}

/** Of all domains, over their list: one line that opens. Its place of last time is kept until they are known. */
export function AllTasks({ shownBatches = [], place = null }: AllTasksProps) {
  const t = useTranslations('domain.tasks');
  const format = useFormat();
  const whatOf = useTaskWhat();
  const client = useQueryClient();
  useLiveTasks();
  const query = useQuery(tasksOptions());
  const { data } = query;
  const tasks = data?.filter(({ state }) => state === 'task_scheduled');
  const results = useTaskResults(data, shownBatches);
  const count = tasks?.length;
  const before = useRef(count);
  useEffect(() => {
    // One that waited runs now, perhaps.
    if (count !== undefined && count < (before.current ?? 0))
      void client.invalidateQueries({ queryKey: batchKeys.running() });
    before.current = count;
  }, [count, client]);
  const next = tasks?.[0];
  const [told] = results;
  const isNone = data !== undefined && !(next ?? told);
  useEffect(() => {
    if (isNone) rememberSize(TASK_CARD, 0);
  }, [isNone]);
  const toldWhat = told && results.length === 1 ? whatOf(told) : undefined;
  if (query.isLoadingError)
    return (
      <section aria-label={t('title')} className={BAR}>
        <TasksUnread query={query} />
      </section>
    );
  if (!tasks) return place;
  if (isNone) return null;
  return (
    <details className={`${BAR} group`}>
      <summary
        ref={rememberCard}
        className="flex min-h-14 cursor-pointer list-none items-center gap-2.5 px-4 py-2 text-sm"
      >
        <CalendarClock size={16} aria-hidden className="shrink-0 text-muted" />
        <span className="flex min-w-0 flex-1 flex-wrap items-center gap-x-2.5 gap-y-1">
          <span
            className={clsx('min-w-0 flex-1 tabular', next ? 'basis-40' : 'truncate')}
            title={next ? undefined : toldWhat}
          >
            {next ? (
              <>
                <span className="font-medium">{t('count', { count: tasks.length })}</span>{' '}
                <span className="text-muted">· {t('next', { time: format.dateTime(next.at) })}</span>
              </>
            ) : results.length > 1 ? (
              <span className="font-medium">{t('results.title')}</span>
            ) : (
              told && (
                <>
                  <span className="font-medium">{toldWhat}</span>{' '}
                  <span className="text-muted">· {format.dateTime(told.at)}</span>
                </>
              )
            )}
          </span>
          {/* Those that wait have none yet; on a phone a line of its own. */}
          <span className={clsx('flex items-center gap-2.5 empty:hidden', next && 'phone:basis-full')}>
            {results.length > 1 ? (
              <ResultCount results={results} />
            ) : (
              told && (
                <>
                  {next && <span className="text-muted">{t('results.title')}</span>}
                  <TaskOutcome task={told} />
                </>
              )
            )}
          </span>
        </span>
        <ChevronDown size={16} aria-hidden className="shrink-0 text-muted transition-transform group-open:rotate-180" />
      </summary>
      <div className="divide-y divide-line border-t border-line">
        {tasks.length > 0 && <TaskList tasks={tasks} />}
        {results.length > 0 && <TaskResults tasks={results} />}
      </div>
    </details>
  );
}
