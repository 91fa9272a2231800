import type { Task } from '@cordon/contract';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { useWho } from '../../app/who';
import { useFormat } from '../../ui/format';

interface TaskLineProps {
  task: Pick<Task, 'at' | 'created_by' | 'domain_names'>;
  /** What it does, as `useTaskWhat` says. */
  what: string;
  actions: ReactNode;
  padding?: 'px-3' | 'px-4';
  /** Below it. */
  children?: ReactNode;
}

/** A task of a list: what, when and by whom, and what can be done with it. */
export function TaskLine({ task, what, actions, padding = 'px-4', children }: TaskLineProps) {
  const t = useTranslations('domain.tasks');
  const format = useFormat();
  const whoOf = useWho();
  return (
    <li className={`flex flex-col gap-2 border-b border-line py-2 text-sm last:border-b-0 ${padding}`}>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <span className="min-w-0 flex-1 basis-56">
          <span className="block font-medium wrap-anywhere" title={task.domain_names.join('\n')}>
            {what}
          </span>
          <span className="block text-muted tabular wrap-anywhere">
            {t('when', { time: format.dateTime(task.at), who: whoOf(task.created_by) })}
          </span>
        </span>
        <span className="flex flex-wrap items-center gap-2">{actions}</span>
      </div>
      {children}
    </li>
  );
}
