import type { Task } from '@cordon/contract';
import { useTranslations } from 'use-intl';

/** What a task does, to which domains: the first by name, the others counted. */
export function useTaskWhat(): (task: Pick<Task, 'soft' | 'domains' | 'first_domain'>) => string {
  const t = useTranslations('domain.tasks');
  return ({ soft, domains, first_domain: first }) => {
    const what =
      first === null ? t('clearCount', { count: domains }) : t('clear', { name: first, others: domains - 1 });
    return soft ? t('softly', { what }) : what;
  };
}
