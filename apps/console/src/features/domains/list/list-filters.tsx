import { useQuery } from '@tanstack/react-query';
import clsx from 'clsx';
import { ChevronDown, X } from 'lucide-react';
import { type ComponentType, Suspense } from 'react';
import { useTranslations } from 'use-intl';
import { useSubscriptions } from '../../../app/subscriptions';
import { accountHealthOptions } from '../../../domain/data/queries';
import { Button } from '../../../ui/button';
import { useFormat } from '../../../ui/format';
import { lazyPart } from '../../../ui/lazy-part';
import { Menu } from '../../../ui/menu';
import type { MenuItem } from '../../../ui/menu-types';
import { ColumnsMenu } from './columns-menu';
import type { DomainListSearch } from './list-search';

export interface ListFilterParts {
  GroupFilter: ComponentType<{ value: string | undefined; onValueChange: (id: string | undefined) => void }>;
}

const SubscriptionFilter = lazyPart(() => import('./subscription-filter'));
export const STATUSES = ['running', 'deactivated', 'deleting'] as const;

interface FilterProps {
  search: DomainListSearch;
  onFilter: (change: Partial<DomainListSearch>) => void;
}

/** Only what has changes that are not live, in a menu. */
export const pendingItem = (label: string, { search, onFilter }: FilterProps): MenuItem => ({
  id: 'pending',
  label,
  isSwitch: true,
  checked: search.changes !== undefined,
  onSelect: () => onFilter({ changes: search.changes ? undefined : 'pending' }),
});

/** Only what needs fixing, with how many that are. */
function AttentionFilter({ search, onFilter }: FilterProps) {
  const t = useTranslations('domain.list');
  const format = useFormat();
  const counts = useQuery(accountHealthOptions).data?.counts;
  const isOn = search.health === 'attention';
  return (
    <Button
      size="sm"
      aria-pressed={isOn}
      className={isOn ? 'bg-soft! text-primary-ink!' : undefined}
      onClick={() => onFilter({ health: isOn ? undefined : 'attention' })}
    >
      {t('filter.attention')}
      {counts && (
        <span
          className={clsx(
            'tabular',
            counts.error > 0 ? 'font-semibold text-danger' : counts.warning > 0 && 'font-semibold text-warning',
          )}
        >
          {format.number(counts.error + counts.warning)}
        </span>
      )}
    </Button>
  );
}

function StatusFilter({ search, onFilter }: FilterProps) {
  const t = useTranslations('domain.list');
  const chosen = search.status ?? 'all';
  const chosenWords = [
    search.status && t('filter.status', { status: t(`filter.${search.status}`) }),
    search.changes && t('filter.pending'),
  ]
    .filter(Boolean)
    .join(' · ');
  return (
    <Menu
      align="start"
      trigger={
        <Button size="sm" className={(search.status ?? search.changes) && 'bg-soft! text-primary-ink!'}>
          {chosenWords || t('filter.anyStatus')}
          <ChevronDown size={14} aria-hidden className="opacity-60" />
        </Button>
      }
      groups={() => [
        (['all', ...STATUSES] as const).map((status) => ({
          id: status,
          label: t(`filter.${status}`),
          checked: status === chosen,
          onSelect: () => onFilter({ status: status === 'all' ? undefined : status }),
        })),
        [pendingItem(t('filter.pending'), { search, onFilter })],
      ]}
    />
  );
}

/**
 * What narrows the list down: what needs fixing, exactly one name, status, group and subscription, the last two only where there
 * is a choice. One line whose height never changes; what comes late stands at its end.
 */
export function ListFilters({ search, onFilter, parts }: FilterProps & { parts: ListFilterParts }) {
  const t = useTranslations('domain.list');
  const { subscriptions } = useSubscriptions();
  const hasChoice = (subscriptions?.length ?? 0) > 1 || search.cname !== undefined;
  return (
    <div
      className={clsx(
        '-m-1 flex min-w-0 flex-1 items-center gap-2 overflow-x-auto p-1 [scrollbar-width:none]',
        search.domain_name === undefined && search.health !== 'off' && 'phone:hidden',
      )}
    >
      {search.domain_name && (
        <Button
          size="sm"
          icon={<X size={14} aria-hidden />}
          onClick={() => onFilter({ domain_name: undefined })}
          title={t('removeExact')}
        >
          {t('exactly', { name: search.domain_name })}
        </Button>
      )}
      {search.health === 'off' && (
        <Button
          size="sm"
          className="bg-soft! text-primary-ink!"
          icon={<X size={14} aria-hidden />}
          onClick={() => onFilter({ health: undefined })}
          title={t('removeExact')}
        >
          {t('filter.off')}
        </Button>
      )}
      {/* A phone has these behind one button. */}
      <span className="flex min-w-0 flex-1 items-center gap-2 phone:hidden">
        <AttentionFilter search={search} onFilter={onFilter} />
        <StatusFilter search={search} onFilter={onFilter} />
        <Suspense fallback={null}>
          <parts.GroupFilter value={search.group} onValueChange={(group) => onFilter({ group })} />
        </Suspense>
        {hasChoice && (
          <Suspense fallback={null}>
            <SubscriptionFilter
              subscriptions={subscriptions ?? []}
              value={search.cname}
              onValueChange={(cname) => onFilter({ cname })}
            />
          </Suspense>
        )}
        <span className="ml-auto flex items-center gap-2">
          <span className="text-sm whitespace-nowrap text-muted max-lg:hidden">{t('lastDay')}</span>
          <ColumnsMenu />
        </span>
      </span>
    </div>
  );
}
