import type { Task } from '@cordon/contract';
import { useTranslations } from 'use-intl';

/** What a task does, to which domains: one by name, the others counted. @param own Of the domain that it is shown at, one of them; else the first. */
export function useTaskWhat(own?: string): (task: Pick<Task, 'soft' | 'domains' | 'first_domain'>) => string {
  const t = useTranslations('domain.tasks');
  return ({ soft, domains, first_domain: first }) => {
    const name = own ?? first;
    const what = name === null ? t('clearCount', { count: domains }) : t('clear', { name, others: domains - 1 });
    return soft ? t('softly', { what }) : what;
  };
}
