import { ArrowUpDown, Search, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Button, IconButton } from './button';
import { withAll } from './data-table-head';
import type { DataTableProps } from './data-table-types';
import { Menu } from './menu';
import { TextInput } from './text-input';

const SEARCH_PAUSE_MS = 250;

function SearchField({ value, onChange, label }: { value: string; onChange: (text: string) => void; label: string }) {
  const t = useTranslations('ui');
  const [text, setText] = useState(value);
  const sent = useRef(value);
  useEffect(() => {
    // The URL changed, not the input (back button, "clear filters").
    if (value !== sent.current) {
      sent.current = value;
      setText(value);
    }
  }, [value]);
  useEffect(() => {
    if (text === sent.current) return;
    const timer = window.setTimeout(() => {
      sent.current = text;
      onChange(text);
    }, SEARCH_PAUSE_MS);
    return () => window.clearTimeout(timer);
  }, [text, onChange]);
  return (
    <TextInput
      type="search"
      icon={<Search size={16} aria-hidden />}
      aria-label={label}
      placeholder={label}
      value={text}
      onChange={(event) => setText(event.target.value)}
      data-search-focus
      className="min-w-0 flex-1 sm:w-68 sm:flex-none [&_input::-webkit-search-cancel-button]:hidden"
      suffix={
        text !== '' && (
          <IconButton size="sm" label={t('clearSearch')} icon={<X size={14} />} onClick={() => setText('')} />
        )
      }
    />
  );
}

/**
 * What is selected, and what is done with it. At the foot of the list, in sight while it is scrolled: no row moves away
 * from under the finger that selects it, and search and filters stay.
 */
export function SelectionBar<Row>(props: DataTableProps<Row>) {
  const { rows = [], rowKey, selected, onSelectedChange, selectedLabel, bulkActions } = props;
  const t = useTranslations('ui');
  // Without actions it would only count, and push what stands below.
  if (!selected || selected.size === 0 || !bulkActions) return null;
  const ids = rows.map(rowKey);
  const areAll = ids.every((id) => selected.has(id));
  return (
    <div className="sticky bottom-0 z-10 flex min-h-14 flex-wrap items-center gap-2 rounded-b-card border-t border-line bg-soft px-4 py-2">
      <IconButton
        size="sm"
        label={t('table.clearSelection')}
        icon={<X size={16} aria-hidden />}
        onClick={() => onSelectedChange?.(new Set())}
      />
      <strong className="mr-2 font-medium whitespace-nowrap" aria-live="polite">
        {selectedLabel ?? t('table.selected', { count: selected.size })}
      </strong>
      {!areAll && (
        <Button
          size="sm"
          aria-label={t('table.selectAll')}
          className="sm:hidden"
          onClick={() => onSelectedChange?.(withAll(ids, selected))}
        >
          {t('table.all')}
        </Button>
      )}
      {bulkActions(selected)}
    </div>
  );
}

/** Search, filters and, on phones, sorting. */
export function DataTableTools<Row>(props: DataTableProps<Row>) {
  const t = useTranslations('ui');
  const { onSearchChange, sort, onSortChange } = props;
  const sortable = onSortChange ? props.columns.filter((column) => column.sortable) : [];
  const ways = sortable.map(({ id, header, sortable: way }) => ({
    id,
    label: header,
    checked: sort?.id === id,
    onSelect: () => onSortChange?.({ id, direction: way === 'descending' ? way : 'ascending' }),
  }));
  const isDescending = sort?.direction === 'descending';
  const turn = {
    id: 'descending',
    label: t('table.descending'),
    isSwitch: true,
    checked: isDescending,
    disabled: !sort,
    onSelect: () => sort && onSortChange?.({ id: sort.id, direction: isDescending ? 'ascending' : 'descending' }),
  };
  if (!onSearchChange && !props.filters && sortable.length === 0) return null;
  return (
    <div className="flex min-h-14 flex-wrap items-center justify-between gap-2 border-b border-line px-4 py-2.5">
      <div className="flex flex-1 basis-40 items-center gap-2 empty:hidden sm:flex-none">
        {onSearchChange && (
          <SearchField value={props.search ?? ''} onChange={onSearchChange} label={props.searchLabel ?? t('search')} />
        )}
        {sortable.length > 0 && (
          <div className="sm:hidden">
            {props.phoneFilters?.([{ label: t('table.sort'), items: ways }, [turn]]) ?? (
              <Menu
                trigger={<Button icon={<ArrowUpDown size={16} aria-hidden />}>{t('table.sort')}</Button>}
                groups={[ways, [turn]]}
              />
            )}
          </div>
        )}
      </div>
      {props.filters}
    </div>
  );
}
