import { AUDIT_ACTOR_KINDS } from '@cordon/contract';
import clsx from 'clsx';
import { SlidersHorizontal } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '../../ui/button';
import { lazyPart } from '../../ui/lazy-part';
import { Select } from '../../ui/select';
import { SelectGroups } from '../../ui/select-groups';
import { type ActorKind, type AuditSearch, type AuditTabProps, PERIOD_NAMES, type Period } from './audit-search';
import { useActionGroups } from './audit-words';

const AuditDays = lazyPart(() => import('./audit-days'));

/** Choosing this lifts the filter. */
const ALL = 'all';
const chosen = <Value extends string>(value: Value | typeof ALL): Value | undefined =>
  value === ALL ? undefined : (value as Value);

/** Action, kind of actor and period; on a phone behind one button, so that the list is not pushed away. */
export function AuditFilters({ search, onSearchChange }: AuditTabProps) {
  const t = useTranslations('audit');
  const [isOpen, setOpen] = useState(false);
  const groups = [{ options: [{ value: ALL, label: t('filter.allActions') }] }, ...useActionGroups()];
  const change = (part: Partial<AuditSearch>) => onSearchChange({ ...part, page: undefined });
  const count = [search.action, search.actor, search.period].filter((value) => value !== undefined).length;
  return (
    <>
      <Button
        className="w-full sm:hidden"
        icon={<SlidersHorizontal size={16} aria-hidden />}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {t('filter.open', { count })}
      </Button>
      <div className={clsx('flex flex-wrap items-center gap-2 phone:w-full', !isOpen && 'phone:hidden')}>
        <Select<string>
          label={t('filter.action')}
          value={search.action ?? ALL}
          onValueChange={(action) => change({ action: chosen(action) })}
          options={groups.flatMap(({ options }) => options)}
          list={<SelectGroups groups={groups} />}
          className="w-52 phone:w-full"
        />
        <Select<ActorKind | typeof ALL>
          label={t('filter.actor')}
          value={search.actor ?? ALL}
          onValueChange={(actor) => change({ actor: chosen(actor) })}
          options={[
            { value: ALL, label: t('filter.allActors') },
            ...AUDIT_ACTOR_KINDS.map((value) => ({ value, label: t(`kind.${value}`) })),
          ]}
          className="w-36 phone:w-full"
        />
        <Select<Period | typeof ALL>
          label={t('filter.period')}
          value={search.period ?? ALL}
          onValueChange={(period) => change({ period: chosen(period), from: undefined, to: undefined })}
          options={[
            { value: ALL, label: t('filter.periods.all') },
            ...PERIOD_NAMES.map((value) => ({ value, label: t(`filter.periods.${value}`) })),
          ]}
          className="w-40 phone:w-full"
        />
      </div>
      {search.period === 'custom' && (
        <div className={clsx('w-full', !isOpen && 'phone:hidden')}>
          <Suspense fallback={null}>
            <AuditDays search={search} onSearchChange={onSearchChange} />
          </Suspense>
        </div>
      )}
    </>
  );
}
