import type { Task } from '@cordon/contract';
import clsx from 'clsx';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { useWho } from '../../app/who';
import { useFormat } from '../../ui/format';
import { useIsPhone } from '../../ui/use-media';

interface TaskLineProps {
  task: Pick<Task, 'at' | 'created_by' | 'domain_names'>;
  /** What it does, as `useTaskWhat` says. */
  what: string;
  actions: ReactNode;
  padding?: 'px-3' | 'px-4';
  /** Below it. */
  children?: ReactNode;
}

/** A task of a list: what, when and by whom, and what can be done with it; on a phone what it is has its whole line. */
export function TaskLine({ task, what, actions, padding = 'px-4', children }: TaskLineProps) {
  const t = useTranslations('domain.tasks');
  const format = useFormat();
  const whoOf = useWho();
  const isPhone = useIsPhone();
  const whatLine = (
    <span className="block basis-full font-medium wrap-anywhere" title={task.domain_names.join('\n')}>
      {what}
    </span>
  );
  return (
    <li className={`flex flex-col gap-2 border-b border-line py-2 text-sm last:border-b-0 ${padding}`}>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        {isPhone && whatLine}
        <span className={clsx('min-w-0 flex-1', isPhone ? 'basis-40' : 'basis-56')}>
          {!isPhone && whatLine}
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
