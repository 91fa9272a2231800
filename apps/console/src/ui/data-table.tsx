// biome-ignore-all lint/a11y/noRedundantRoles: lines are grids, and a changed `display` takes the table's own roles away in some browsers
import clsx from 'clsx';
import { type CSSProperties, useCallback, useDeferredValue, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from './button';
import { DataTableHead } from './data-table-head';
import { DataTableRow } from './data-table-row';
import { SkeletonRows } from './data-table-skeleton';
import { DataTableTools, SelectionBar } from './data-table-toolbar';
import type { DataTableColumn, DataTableProps } from './data-table-types';
import { LoadingSign } from './loading-sign';
import { Pagination } from './pagination';
import { EmptyState, ErrorState, StaleLine, useLastSize } from './states';
import { keepFocusAbove } from './sticky-bar';
import { useRowKeys } from './use-row-keys';

const SKELETON_ROWS_MAX = 10;
/** As high as what an empty list says. */
const EMPTY_ROWS = 5;
const LONG_ROWS_MIN = 50;

/** Tracks of the lines by the room there is: those of columns that are hidden are left out. */
function tableTracks<Row>({
  columns,
  rows = [],
  selected,
  rowActions,
  actionsWidth = '60px',
}: DataTableProps<Row>): CSSProperties {
  const without = (...hidden: readonly DataTableColumn<Row>['hideBelow'][]) =>
    [
      ...(selected ? ['40px'] : []),
      ...columns
        .filter(({ hideBelow }) => hideBelow === undefined || !hidden.includes(hideBelow))
        .map(({ width = 'minmax(0, 1fr)' }) => (typeof width === 'string' ? width : width(rows))),
      ...(rowActions ? [actionsWidth] : []),
    ].join(' ');
  return {
    '--tracks-sm': without('md', 'lg'),
    '--tracks-md': without('lg'),
    '--tracks-lg': without(),
  } as CSSProperties;
}

/** The lines, and what keys do on them. */
function Lines<Row>(props: DataTableProps<Row> & { skeletonRows: number; isFailed: boolean }) {
  const { columns, rows, rowKey, isFetching, selected, onSelectedChange, onRowOpen, rowActions, isFailed } = props;
  const t = useTranslations('ui');
  const body = useRef<HTMLTableSectionElement>(null);
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
  const keys = useRowKeys({
    body,
    ids,
    onOpen: onRowOpen && ((index) => rows?.[index] !== undefined && onRowOpen(rows[index])),
    onToggle: selected && toggle,
  });
  return (
    <>
      <DataTableHead {...props} ids={ids} />
      <tbody
        ref={body}
        role="rowgroup"
        onKeyDown={keys.onKeyDown}
        onFocus={keys.onFocus}
        className={clsx(
          'block transition-opacity',
          isFetching && rows && 'opacity-60',
          // Lines out of sight cost neither style nor layout, and are still there to be found.
          ids.length > LONG_ROWS_MIN &&
            '[&>*]:[content-visibility:auto] [&>*]:[contain-intrinsic-block-size:auto_44px] phone:[&>*]:[contain-intrinsic-block-size:auto_91px]',
        )}
      >
        {isFailed ? null : rows === undefined ? (
          <SkeletonRows
            rows={props.skeletonRows}
            columns={columns}
            hasSelection={selected !== undefined}
            hasActions={rowActions !== undefined}
            hasButtons={props.hasRowButtons}
          />
        ) : (
          rows.map((row, index) => (
            <DataTableRow
              key={ids[index]}
              row={row}
              id={ids[index] ?? ''}
              columns={columns}
              isSelected={selected?.has(ids[index] ?? '')}
              isFocusStop={ids[index] === keys.stop}
              selectLabel={selected && t('table.selectRow', { name: props.rowLabel?.(row) ?? '' })}
              onToggle={toggle}
              onOpen={onRowOpen && open}
              actions={rowActions}
              hasButtons={props.hasRowButtons}
              note={props.rowNote}
            />
          ))
        )}
      </tbody>
    </>
  );
}

/** In place of the lines when there are none. */
function NoRows<Row>(props: DataTableProps<Row>) {
  const t = useTranslations('ui');
  const { page, perPage, count = 0, onPageChange } = props;
  if (count > 0)
    return (
      <EmptyState
        title={t('table.pastEnd', { page })}
        description={t('table.pastEndHint')}
        action={<Button onClick={() => onPageChange(Math.ceil(count / perPage))}>{t('table.toLastPage')}</Button>}
      />
    );
  if (!props.isFiltered) return props.empty;
  return (
    <EmptyState
      title={t('table.noMatches')}
      description={props.noMatchesHint ?? t('table.noMatchesHint')}
      action={props.onClearFilters && <Button onClick={props.onClearFilters}>{t('table.clearFilters')}</Button>}
    />
  );
}

/** The first rows are drawn in turns between what else the page does, behind the skeleton: on a phone, ten of them at once would hold it for a fifth of a second. */
function useFirstRowsInTurns<Row>(props: DataTableProps<Row>): DataTableProps<Row> {
  const areDrawn = useDeferredValue(props.rows) !== undefined || props.rows?.length === 0;
  return areDrawn ? props : { ...props, rows: undefined, count: undefined };
}

/**
 * A server-side list. Arrow keys, j and k walk the rows, Enter opens, Space and x select; under 760 px each row is a card (the same
 * DOM by CSS, so nothing is mounted twice).
 */
export function DataTable<Row>(given: DataTableProps<Row>) {
  const props = useFirstRowsInTurns(given);
  const { label, rows, isFetching, error } = props;
  // An account that has just been opened has nothing in its lists, and has not been seen by this browser.
  const { emptyRows = EMPTY_ROWS } = props;
  const last = useLastSize(label, rows?.length) ?? EMPTY_ROWS;
  const skeletonRows = last === 0 ? emptyRows : last;
  const isEmpty = rows?.length === 0 && !error;
  const isFailed = Boolean(error) && !rows;
  return (
    <div className="min-w-0 rounded-card border border-line bg-card">
      <DataTableTools {...props} />
      {props.above && <div className="relative">{props.above}</div>}
      <LoadingSign isLoading={isFetching === true && rows !== undefined} />
      {isEmpty ? (
        // Another element than that of the lines: the same one would be seen to move up where the tools go with these.
        <div key="empty" aria-busy={isFetching} className={clsx('transition-opacity', isFetching && 'opacity-60')}>
          <NoRows {...props} />
        </div>
      ) : (
        <div className="relative overflow-x-auto phone:overflow-visible">
          <table
            role="table"
            aria-label={label}
            aria-busy={isFetching || (rows === undefined && !isFailed)}
            // CSS through the DOM property, which a strict content security policy allows.
            style={tableTracks(props)}
            className="block w-full sm:min-w-min"
          >
            <Lines
              {...props}
              isFailed={isFailed}
              skeletonRows={Math.min(skeletonRows, props.perPage, SKELETON_ROWS_MAX)}
            />
          </table>
        </div>
      )}
      {/* Below the heads, which lead back to another order. */}
      {isFailed && error && <ErrorState {...error} onRetry={props.onRetry} isRetrying={isFetching} />}
      {!isEmpty && props.count !== undefined && (
        <div className="border-t border-line">
          <Pagination
            of={label}
            page={props.page}
            perPage={props.perPage}
            count={props.count}
            onPageChange={props.onPageChange}
            onPerPageChange={props.onPerPageChange}
            rangeText={props.rangeText}
          />
        </div>
      )}
      <div ref={keepFocusAbove} className="sticky bottom-0 z-10">
        {props.below}
        {props.stale && <StaleLine {...props.stale} />}
        <SelectionBar {...props} />
      </div>
    </div>
  );
}
