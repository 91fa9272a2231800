import { useQuery } from '@tanstack/react-query';
import clsx from 'clsx';
import { ChevronDown } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { accountHealthOptions } from '../../../domain/data/queries';
import { Button } from '../../../ui/button';
import { useFormat } from '../../../ui/format';
import { Menu } from '../../../ui/menu';
import type { MenuItem } from '../../../ui/menu-types';
import type { DomainListSearch } from './list-search';

export const STATUSES = ['running', 'deactivated', 'deleting'] as const;

export interface FilterProps {
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

function StatusMenu({ search, onFilter }: FilterProps) {
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

/** What needs fixing, and by status. */
export default function StatusFilter(props: FilterProps) {
  return (
    <>
      <AttentionFilter {...props} />
      <StatusMenu {...props} />
    </>
  );
}
