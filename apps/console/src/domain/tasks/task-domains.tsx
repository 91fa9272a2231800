import type { Task } from '@cordon/contract';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { useDisclosure } from '../../ui/use-disclosure';

type NamedTask = Pick<Task, 'domains' | 'domain_names'>;

/** The domains of a task, by name as far as they are told, the others counted. */
export function TaskDomains({ task: { domains, domain_names: names } }: { task: NamedTask }) {
  const t = useTranslations('domain.tasks');
  const rest = domains - names.length;
  return (
    <ul aria-label={t('domains')} className="mt-1 max-h-60 list-disc overflow-y-auto pl-5 text-ink wrap-anywhere">
      {names.map((name) => (
        <li key={name}>{name}</li>
      ))}
      {rest > 0 && <li>{t('others', { count: rest })}</li>}
    </ul>
  );
}

/**
 * The domains of a task that its line only counts, for below it, and the button that shows them; neither where it names all.
 * @param what What the line says.
 */
export function useTaskDomains(
  what: string,
  task: NamedTask,
): { readonly button: ReactNode; readonly list: ReactNode } {
  const t = useTranslations('domain.tasks');
  const { isOpen, button } = useDisclosure((isShown) => ({
    text: t(isShown ? 'hideDomains' : 'showDomains'),
    of: t(isShown ? 'hideDomainsOf' : 'showDomainsOf', { what }),
  }));
  if (task.domains < 2) return { button: undefined, list: undefined };
  return { button, list: isOpen && <TaskDomains task={task} /> };
}
