import type { Task } from '@cordon/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { CalendarClock, ChevronDown } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useWho } from '../../app/who';
import { Button } from '../../ui/button';
import { ConfirmDialog } from '../../ui/confirm-dialog';
import { useFormat } from '../../ui/format';
import { Skeleton, useLastSize } from '../../ui/states';
import { batchKeys } from '../batches/queries';
import { scheduledTasksOptions, useCancelTask } from './queries';
import { useTaskWhat } from './task-words';

/** Asks once more, and cancels. */
function CancelQuestion({
  task,
  open,
  onOpenChange,
}: {
  task: Task;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  const t = useTranslations('domain.tasks');
  const format = useFormat();
  const whatOf = useTaskWhat();
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
    >
      {t('cancel.body', { what: whatOf(task), time: format.dateTime(task.at) })}
    </ConfirmDialog>
  );
}

/** Tasks that wait: what, of how many domains, when and by whom; each can be cancelled. */
function TaskList({ tasks }: { tasks: readonly Task[] }) {
  const t = useTranslations('domain.tasks');
  const format = useFormat();
  const whoOf = useWho();
  const whatOf = useTaskWhat();
  const [doomed, setDoomed] = useState<Task>();
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <ul aria-label={t('title')}>
        {tasks.map((task) => (
          <li
            key={task.id}
            className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-b border-line px-3 py-2 text-sm last:border-b-0"
          >
            <span className="min-w-0 flex-1 basis-56">
              <span className="block font-medium wrap-anywhere">{whatOf(task)}</span>
              <span className="block text-muted tabular wrap-anywhere">
                {t('when', { time: format.dateTime(task.at), who: whoOf(task.created_by) })}
              </span>
            </span>
            <Button
              size="sm"
              aria-label={t('cancel.of', { what: whatOf(task) })}
              onClick={() => {
                setDoomed(task);
                setAsking(true);
              }}
            >
              {t('cancel.button')}
            </Button>
          </li>
        ))}
      </ul>
      {doomed && <CancelQuestion task={doomed} open={isAsking} onOpenChange={setAsking} />}
    </>
  );
}

/** Of one domain, below what schedules them; nothing where none waits. */
export function DomainTasks({ routeId }: { routeId: string }) {
  const t = useTranslations('domain.tasks');
  const { data: tasks } = useQuery(scheduledTasksOptions(routeId));
  if (!tasks || tasks.length === 0) return null;
  return (
    <section aria-label={t('title')}>
      <h3 className="mb-2 text-sm font-medium">{t('title')}</h3>
      <div className="overflow-hidden rounded-control border border-line">
        <TaskList tasks={tasks} />
      </div>
    </section>
  );
}

const BAR = 'mb-4 min-h-14 rounded-card border border-line bg-card';

/** Of all domains, over their list: one line that opens. Where some waited last time, its place is kept until they are known. */
export function AllTasks() {
  const t = useTranslations('domain.tasks');
  const format = useFormat();
  const client = useQueryClient();
  const { data: tasks, isError } = useQuery(scheduledTasksOptions());
  const count = tasks?.length;
  const known = useLastSize('tasks', count);
  const before = useRef(count);
  useEffect(() => {
    // One that waited runs now, perhaps.
    if (count !== undefined && count < (before.current ?? 0))
      void client.invalidateQueries({ queryKey: batchKeys.running() });
    before.current = count;
  }, [count, client]);
  const next = tasks?.[0];
  if (!tasks || !next) return known && !isError && tasks === undefined ? <Skeleton className={BAR} /> : null;
  return (
    <details className={`${BAR} group`}>
      <summary className="flex min-h-14 cursor-pointer list-none items-center gap-2.5 px-4 py-2 text-sm">
        <CalendarClock size={16} aria-hidden className="shrink-0 text-muted" />
        <span className="min-w-0 flex-1 tabular">
          <span className="font-medium">{t('count', { count: tasks.length })}</span>{' '}
          <span className="text-muted">· {t('next', { time: format.dateTime(next.at) })}</span>
        </span>
        <ChevronDown size={16} aria-hidden className="shrink-0 text-muted transition-transform group-open:rotate-180" />
      </summary>
      <div className="border-t border-line px-1">
        <TaskList tasks={tasks} />
      </div>
    </details>
  );
}
