// biome-ignore-all lint/a11y/noRedundantRoles: lines are grids, and a changed `display` takes the table's own roles away in some browsers
import clsx from 'clsx';
import { ArrowDown, ArrowUp, ArrowUpDown } from 'lucide-react';
import { type CSSProperties, type KeyboardEvent, useCallback, useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from './button';
import { Checkbox } from './choice';
import { DataTableRow, hideClasses, lineClass } from './data-table-row';
import { DataTableToolbar } from './data-table-toolbar';
import type { DataTableColumn, DataTableProps, DataTableSort } from './data-table-types';
import { Pagination } from './pagination';
import { EmptyState, ErrorState, Skeleton } from './states';

const SKELETON_ROWS_MAX = 10;
const LONG_ROWS_MIN = 50;

/** Tracks of the lines by the room there is: those of columns that are hidden are left out. */
function tableTracks<Row>({
  columns,
  selected,
  rowActions,
  actionsWidth = '60px',
}: DataTableProps<Row>): CSSProperties {
  const without = (...hidden: readonly DataTableColumn<Row>['hideBelow'][]) =>
    [
      ...(selected ? ['40px'] : []),
      ...columns
        .filter(({ hideBelow }) => hideBelow === undefined || !hidden.includes(hideBelow))
        .map(({ width = 'minmax(0, 1fr)' }) => width),
      ...(rowActions ? [actionsWidth] : []),
    ].join(' ');
  return {
    '--tracks-sm': without('md', 'lg'),
    '--tracks-md': without('lg'),
    '--tracks-lg': without(),
  } as CSSProperties;
}

function HeaderCell<Row>({
  column,
  sort,
  onSortChange,
}: {
  column: DataTableColumn<Row>;
  sort: DataTableSort | undefined;
  onSortChange: ((sort: DataTableSort) => void) | undefined;
}) {
  const isSorted = sort?.id === column.id;
  const Icon = !isSorted ? ArrowUpDown : sort.direction === 'ascending' ? ArrowUp : ArrowDown;
  const direction = isSorted && sort.direction === 'ascending' ? 'descending' : 'ascending';
  return (
    <th
      role="columnheader"
      scope="col"
      aria-sort={isSorted ? sort.direction : undefined}
      className={clsx(
        'min-w-0 px-3 py-2.5 text-left font-medium whitespace-nowrap first:pl-4 last:pr-4 phone:hidden',
        column.align === 'end' && 'text-right!',
        column.hideBelow && hideClasses[column.hideBelow],
      )}
    >
      {column.sortable && onSortChange ? (
        <button
          type="button"
          onClick={() => onSortChange({ id: column.id, direction })}
          className={clsx(
            'group inline-flex items-center gap-1.5 rounded-[4px] hover:text-ink',
            isSorted && 'text-ink',
          )}
        >
          {column.header}
          <Icon size={13} aria-hidden className={isSorted ? '' : 'opacity-40 group-hover:opacity-100'} />
        </button>
      ) : (
        column.header
      )}
    </th>
  );
}

// biome-ignore-start lint/suspicious/noArrayIndexKey: placeholders have no identity
function SkeletonRows({
  rows,
  columns,
  hasSelection,
  hasActions,
}: {
  rows: number;
  columns: readonly Pick<DataTableColumn<never>, 'id' | 'align' | 'hideBelow'>[];
  hasSelection: boolean;
  hasActions: boolean;
}) {
  return Array.from({ length: rows }, (_, row) => (
    <tr
      key={row}
      role="row"
      aria-hidden
      className={clsx(lineClass, 'border-b border-line last:border-b-0 phone:block phone:px-4 phone:py-3')}
    >
      {hasSelection && (
        <td role="cell" className="self-center pl-4 phone:hidden">
          <Skeleton className="size-[18px]" />
        </td>
      )}
      {columns.map((column, index) => (
        <td
          key={column.id}
          role="cell"
          className={clsx(
            'px-3 py-4 first:pl-4 phone:block phone:!px-0 phone:!py-1.5',
            index > 2 && 'phone:hidden',
            column.hideBelow && hideClasses[column.hideBelow],
          )}
        >
          <Skeleton className={clsx('h-5', index === 0 ? 'w-44' : 'w-20', column.align === 'end' && 'sm:ml-auto')} />
        </td>
      ))}
      {hasActions && (
        <td role="cell" className="self-center pr-4 phone:hidden">
          <Skeleton className="ml-auto h-5 w-6" />
        </td>
      )}
    </tr>
  ));
}

// biome-ignore-end lint/suspicious/noArrayIndexKey: placeholders have no identity

/**
 * A server-side list. Arrow keys, j and k walk the rows, Enter opens, Space and x select; under 760 px each row is a card (the same
 * DOM by CSS, so nothing is mounted twice).
 */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const {
    label,
    columns,
    rows,
    rowKey,
    isFetching,
    error,
    onRetry,
    selected,
    onSelectedChange,
    onRowOpen,
    rowActions,
  } = props;
  const t = useTranslations('ui');
  const body = useRef<HTMLTableSectionElement>(null);
  const [focusId, setFocusId] = useState<string>();
  const current = useRef({ selected, onSelectedChange, onRowOpen });
  current.current = { selected, onSelectedChange, onRowOpen };

  // Stable, so that memoized rows stay as they are.
  const toggle = useCallback((id: string) => {
    const next = new Set(current.current.selected);
    if (!next.delete(id)) next.add(id);
    current.current.onSelectedChange?.(next);
  }, []);
  const open = useCallback((row: Row) => current.current.onRowOpen?.(row), []);

  const ids = rows?.map(rowKey) ?? [];
  const stop = focusId !== undefined && ids.includes(focusId) ? focusId : ids[0];
  const selectedHere = ids.filter((id) => selected?.has(id)).length;

  const focusRow = useCallback((id: string) => {
    setFocusId(id);
    body.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(id)}"]`)?.focus();
  }, []);
  // From anywhere that has no use for keys, j and k begin to walk the rows.
  useEffect(() => {
    function begin(event: globalThis.KeyboardEvent) {
      const isFree = event.target === document.body && !event.ctrlKey && !event.metaKey && !event.altKey;
      if (!isFree || stop === undefined || !['j', 'k', 'ArrowDown', 'ArrowUp'].includes(event.key)) return;
      event.preventDefault();
      focusRow(stop);
    }
    document.addEventListener('keydown', begin);
    return () => document.removeEventListener('keydown', begin);
  }, [stop, focusRow]);

  function walk(event: KeyboardEvent) {
    const element = event.target as HTMLElement;
    if (element.dataset.row === undefined || !rows) return;
    const index = ids.indexOf(element.dataset.row);
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const steps: Record<string, number> = {
      ArrowDown: index + 1,
      j: index + 1,
      ArrowUp: index - 1,
      k: index - 1,
      Home: 0,
      End: ids.length - 1,
    };
    const row = rows[index];
    const target = ids[steps[event.key] ?? -1];
    if (target !== undefined) {
      event.preventDefault();
      focusRow(target);
    } else if (event.key === 'Enter' && row !== undefined && onRowOpen) {
      event.preventDefault();
      onRowOpen(row);
    } else if ((event.key === ' ' || event.key === 'x') && selected && row !== undefined) {
      event.preventDefault();
      toggle(ids[index] ?? '');
    }
  }
  function toggleAll() {
    const next = new Set(selected);
    for (const id of ids) selectedHere === ids.length ? next.delete(id) : next.add(id);
    onSelectedChange?.(next);
  }

  const isEmpty = rows?.length === 0 && !error;
  return (
    <div className="min-w-0 rounded-card border border-line bg-card">
      <DataTableToolbar {...props} />
      {error && !rows ? (
        <ErrorState reasons={error.reasons} requestId={error.requestId} onRetry={onRetry} isRetrying={isFetching} />
      ) : isEmpty ? (
        props.isFiltered ? (
          <EmptyState
            title={t('table.noMatches')}
            description={props.noMatchesHint ?? t('table.noMatchesHint')}
            action={props.onClearFilters && <Button onClick={props.onClearFilters}>{t('table.clearFilters')}</Button>}
          />
        ) : (
          props.empty
        )
      ) : (
        <div className="overflow-x-auto phone:overflow-visible">
          <table
            role="table"
            aria-label={label}
            aria-busy={isFetching || rows === undefined}
            // CSS through the DOM property, which a strict content security policy allows.
            style={tableTracks(props)}
            className="block w-full sm:min-w-min"
          >
            <thead
              role="rowgroup"
              className={clsx(
                'block border-b border-line bg-sunken/60 text-sm text-muted',
                !(selected && onSelectedChange) && 'phone:hidden',
              )}
            >
              <tr role="row" className={clsx(lineClass, 'items-center phone:block')}>
                {selected && (
                  <th role="columnheader" scope="col" className="pl-4 text-left font-medium">
                    {/* biome-ignore lint/a11y/noLabelWithoutControl: only a larger target around the named check box */}
                    <label className="flex items-center gap-2.5 phone:min-h-11">
                      <Checkbox
                        aria-label={t('table.selectAll')}
                        checked={ids.length > 0 && selectedHere === ids.length}
                        indeterminate={selectedHere > 0 && selectedHere < ids.length}
                        onChange={toggleAll}
                      />
                      {/* Cards have no heads: here it says what it is. */}
                      <span aria-hidden className="sm:hidden">
                        {t('table.selectAll')}
                      </span>
                    </label>
                  </th>
                )}
                {columns.map((column) => (
                  <HeaderCell key={column.id} column={column} sort={props.sort} onSortChange={props.onSortChange} />
                ))}
                {rowActions && (
                  <th role="columnheader" scope="col" className="phone:hidden">
                    <span className="sr-only">{t('table.actions')}</span>
                  </th>
                )}
              </tr>
            </thead>
            <tbody
              ref={body}
              role="rowgroup"
              onKeyDown={walk}
              onFocus={(event) => event.target.dataset.row !== undefined && setFocusId(event.target.dataset.row)}
              className={clsx(
                'block transition-opacity',
                isFetching && rows && 'opacity-60',
                // Lines out of sight cost neither style nor layout, and are still there to be found.
                ids.length > LONG_ROWS_MIN &&
                  '[&>*]:[content-visibility:auto] [&>*]:[contain-intrinsic-block-size:auto_60px] phone:[&>*]:[contain-intrinsic-block-size:auto_200px]',
              )}
            >
              {rows === undefined ? (
                <SkeletonRows
                  rows={Math.min(props.perPage, SKELETON_ROWS_MAX)}
                  columns={columns}
                  hasSelection={selected !== undefined}
                  hasActions={rowActions !== undefined}
                />
              ) : (
                rows.map((row, index) => (
                  <DataTableRow
                    key={ids[index]}
                    row={row}
                    id={ids[index] ?? ''}
                    columns={columns}
                    isSelected={selected?.has(ids[index] ?? '')}
                    isFocusStop={ids[index] === stop}
                    selectLabel={selected && t('table.selectRow', { name: props.rowLabel?.(row) ?? '' })}
                    onToggle={toggle}
                    onOpen={onRowOpen && open}
                    actions={rowActions}
                  />
                ))
              )}
            </tbody>
          </table>
        </div>
      )}
      {!isEmpty && props.count !== undefined && (
        <div className="border-t border-line">
          <Pagination
            page={props.page}
            perPage={props.perPage}
            count={props.count}
            onPageChange={props.onPageChange}
            onPerPageChange={props.onPerPageChange}
          />
        </div>
      )}
    </div>
  );
}
