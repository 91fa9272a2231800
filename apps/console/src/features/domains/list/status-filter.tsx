import { ChevronDown } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { Button } from '../../../ui/button';
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

export default function StatusFilter({ search, onFilter }: FilterProps) {
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
