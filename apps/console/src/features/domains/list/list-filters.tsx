import { X } from 'lucide-react';
import { type ComponentType, Suspense } from 'react';
import { useTranslations } from 'use-intl';
import { useSubscriptions } from '../../../app/subscriptions';
import { Button } from '../../../ui/button';
import { SegmentedControl } from '../../../ui/choice';
import { lazyPart } from '../../../ui/lazy-part';
import type { DomainListSearch } from './list-search';

export interface ListFilterParts {
  GroupFilter: ComponentType<{ value: string | undefined; onValueChange: (id: string | undefined) => void }>;
}

const SubscriptionFilter = lazyPart(() => import('./subscription-filter'));
const STATUSES = ['all', 'running', 'deactivated', 'deleting'] as const;

/** Exactly one name, status, group and subscription; the last two only where there is a choice. */
export function ListFilters({
  search,
  onFilter,
  parts,
}: {
  search: DomainListSearch;
  onFilter: (change: Partial<DomainListSearch>) => void;
  parts: ListFilterParts;
}) {
  const t = useTranslations('domain.list');
  const { subscriptions } = useSubscriptions();
  const hasChoice = (subscriptions?.length ?? 0) > 1 || search.cname !== undefined;
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-2 phone:w-full">
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
      <SegmentedControl
        label={t('columns.status')}
        options={STATUSES.map((value) => ({ value, label: t(`filter.${value}`) }))}
        value={search.status ?? 'all'}
        onValueChange={(value) => onFilter({ status: value === 'all' ? undefined : value })}
      />
    </div>
  );
}
