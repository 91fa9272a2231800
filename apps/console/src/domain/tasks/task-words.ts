import type { Task } from '@cordon/contract';
import { useTranslations } from 'use-intl';
import { useCleared } from '../clears/use-cleared';

type ShownTask = Pick<Task, 'clear_kind' | 'values' | 'entries' | 'soft' | 'domains' | 'first_domain'>;

/** What a task clears, in the list of a domain's own, which needs no name; other domains are counted. */
export function useOwnTaskWhat(): (task: ShownTask) => string {
  const t = useTranslations('domain.tasks');
  const cleared = useCleared();
  return ({ clear_kind: kind, values, entries, soft, domains }) => {
    const what = cleared({ kind, values, entries, soft });
    return domains > 1 ? t('withOthers', { what, others: domains - 1 }) : what;
  };
}

/** What a task does, to which domains: one by name, the others counted. @param own Of the domain that it is shown at, one of them; else the first. */
export function useTaskWhat(own?: string): (task: ShownTask) => string {
  const t = useTranslations('domain');
  const cleared = useCleared();
  return ({ clear_kind: kind, values, entries, soft, domains, first_domain: first }) => {
    const name = own ?? first;
    const what =
      name === null ? t('tasks.clearCount', { count: domains }) : t('tasks.clear', { name, others: domains - 1 });
    if (kind !== 'all') return t('tasks.clearPart', { what, part: cleared({ kind, values, entries, soft }) });
    return soft ? t('clears.softly', { what }) : what;
  };
}
