import type { Task } from '@cordon/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { useFormat } from '../../ui/format';
import { tasksOptions } from './queries';
import { useTaskWhat } from './task-words';

/** More are counted. */
const SHOWN_MAX = 3;

interface WaitingTasksProps {
  routeId: string;
  /** Of the domain. */
  name: string;
}

/** What is scheduled for a domain that may be deleted, and what then becomes of it; nothing where nothing is. */
export function WaitingTasks({ routeId, name }: WaitingTasksProps) {
  const t = useTranslations('domain.tasks');
  const format = useFormat();
  const whatOf = useTaskWhat(name);
  const { data: tasks = [] } = useQuery({ ...tasksOptions(routeId), staleTime: 0 });
  if (tasks.length === 0) return null;
  const lineOf = (task: Task) =>
    t('leaving.line', { what: whatOf(task), time: format.dateTime(task.at), others: task.domains - 1 });
  const rest = tasks.length - SHOWN_MAX;
  return (
    <>
      <p className="mt-2 font-medium text-ink">{t('leaving.title', { count: tasks.length })}</p>
      <ul aria-label={t('title')} className="mt-1 list-disc pl-5 text-ink wrap-anywhere">
        {tasks.slice(0, SHOWN_MAX).map((task) => (
          <li key={task.id}>{lineOf(task)}</li>
        ))}
        {rest > 0 && <li>{t('others', { count: rest })}</li>}
      </ul>
    </>
  );
}
