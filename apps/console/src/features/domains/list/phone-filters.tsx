import { useQuery } from '@tanstack/react-query';
import { SlidersHorizontal } from 'lucide-react';
import { useContext } from 'react';
import { useTranslations } from 'use-intl';
import { useSubscriptions } from '../../../app/subscriptions';
import { useGroupName, useGroups } from '../../../domain/data/group-queries';
import { accountHealthOptions } from '../../../domain/data/queries';
import { Button } from '../../../ui/button';
import { useFormat } from '../../../ui/format';
import { Menu } from '../../../ui/menu';
import type { MenuGroup } from '../../../ui/menu-types';
import { CHOOSABLE_COLUMNS, ShownColumns, toggleColumn } from './column-choice';
import type { DomainListSearch } from './list-search';
import { pendingItem, STATUSES } from './status-filter';

/** Filters, order and columns behind one button: on a phone the first domain stands where six buttons would. */
export default function PhoneFilters({
  search,
  onFilter,
  sort,
}: {
  search: DomainListSearch;
  onFilter: (change: Partial<DomainListSearch>) => void;
  sort: readonly MenuGroup[];
}) {
  const t = useTranslations('domain.list');
  const format = useFormat();
  const counts = useQuery(accountHealthOptions).data?.counts;
  const groups = useGroups() ?? [];
  const nameOf = useGroupName();
  const subscriptions = useSubscriptions().subscriptions ?? [];
  const shown = useContext(ShownColumns);
  const isOn = Boolean(
    search.status ?? search.changes ?? search.group ?? search.cname ?? (search.health === 'attention' || undefined),
  );
  const choice = <Value extends string>(
    label: string,
    chosen: Value | undefined,
    options: readonly { value: Value; label: string }[],
    onChoose: (value: Value | undefined) => void,
  ): MenuGroup => ({
    label,
    items: [{ value: undefined, label: t('filter.all') }, ...options].map((option) => ({
      id: `${label}-${option.value ?? 'all'}`,
      label: option.label,
      checked: option.value === chosen,
      onSelect: () => onChoose(option.value),
    })),
  });
  return (
    <Menu
      trigger={
        <Button
          icon={<SlidersHorizontal size={16} aria-hidden />}
          className={isOn ? 'bg-soft! text-primary-ink!' : undefined}
        >
          {t('filter.open')}
        </Button>
      }
      groups={() => [
        [
          {
            id: 'attention',
            label: [t('filter.attention'), counts && format.number(counts.error + counts.warning)].join(' '),
            isSwitch: true,
            checked: search.health === 'attention',
            onSelect: () => onFilter({ health: search.health === 'attention' ? undefined : 'attention' }),
          },
          pendingItem(t('filter.pending'), { search, onFilter }),
        ],
        ...sort,
        choice(
          t('filter.anyStatus'),
          search.status,
          STATUSES.map((value) => ({ value, label: t(`filter.${value}`) })),
          (status) => onFilter({ status }),
        ),
        ...(groups.length > 1 || search.group !== undefined
          ? [
              choice(
                t('columns.group'),
                search.group,
                groups.map((group) => ({ value: group.id, label: nameOf(group) })),
                (group) => onFilter({ group }),
              ),
            ]
          : []),
        ...(subscriptions.length > 1 || search.cname !== undefined
          ? [
              choice(
                t('filter.subscription'),
                search.cname,
                subscriptions.map(({ cname, plan_name: label }) => ({ value: cname, label })),
                (cname) => onFilter({ cname }),
              ),
            ]
          : []),
        {
          label: t('chooseColumns'),
          items: CHOOSABLE_COLUMNS.map((column) => ({
            id: column,
            label: t(`columns.${column}`),
            isSwitch: true,
            checked: shown.includes(column),
            onSelect: () => toggleColumn(column, shown),
          })),
        },
      ]}
    />
  );
}
