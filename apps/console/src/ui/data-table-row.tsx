// biome-ignore-all lint/a11y/noRedundantRoles: lines are grids, and a changed `display` takes the table's own roles away in some browsers
import clsx from 'clsx';
import { type MouseEvent, memo, type ReactNode } from 'react';
import { Checkbox } from './checkbox';
import type { DataTableColumn } from './data-table-types';

export const hideClasses = { md: 'max-md:sm:hidden', lg: 'max-lg:sm:hidden' };
/** A line of the table, the head's too; its tracks come from the table (`tableTracks`). */
export const lineClass = 'grid grid-cols-(--tracks-sm) md:grid-cols-(--tracks-md) lg:grid-cols-(--tracks-lg)';
/** A line as a card, its first line for the heading alone; the skeleton's too, so that nothing moves when the rows come. */
export const cardClass =
  'phone:flex phone:flex-wrap phone:gap-x-3 phone:gap-y-1 phone:px-4 phone:py-2 phone:before:basis-full';

interface DataTableRowProps<Row> {
  row: Row;
  id: string;
  columns: readonly DataTableColumn<Row>[];
  isSelected: boolean | undefined;
  isFocusStop: boolean;
  selectLabel: string | undefined;
  onToggle: (id: string) => void;
  onOpen: ((row: Row) => void) | undefined;
  actions: ((row: Row) => ReactNode) | undefined;
  hasButtons: boolean | undefined;
  note: ((row: Row) => ReactNode) | undefined;
}

const CONTROLS = 'a,button,input,select,textarea,label,[role=menu]';

function Line<Row>({ column, row }: { column: DataTableColumn<Row>; row: Row }) {
  const place = column.card ?? 'line';
  const isBeside = place === 'fact' || place === 'bare';
  return (
    <td
      role="cell"
      className={clsx(
        'min-w-0 px-2 py-1.5 first:pl-4 last:pr-4',
        column.align === 'end' && 'sm:text-right tabular',
        column.hideBelow && hideClasses[column.hideBelow],
        'phone:!p-0',
        place === 'hidden' && 'phone:hidden',
        place === 'title' && 'phone:order-first phone:flex-1 phone:font-medium',
        place === 'line' &&
          'phone:order-last phone:flex phone:basis-full phone:items-baseline phone:justify-between phone:gap-4',
        column.cardClass,
        isBeside && 'phone:flex phone:items-baseline',
      )}
    >
      {(place === 'line' || place === 'fact') && (
        <span className="mr-2 shrink-0 text-sm text-muted sm:hidden" aria-hidden>
          {column.header}
        </span>
      )}
      <span
        className={clsx('min-w-0 block', place === 'line' && 'phone:text-right', place === 'bare' && 'phone:flex-1')}
      >
        {column.cell(row)}
      </span>
    </td>
  );
}

function DataTableRowInner<Row>({
  row,
  id,
  columns,
  isSelected,
  isFocusStop,
  selectLabel,
  onToggle,
  onOpen,
  actions,
  hasButtons,
  note,
}: DataTableRowProps<Row>) {
  const noted = note?.(row);
  function open(event: MouseEvent) {
    if (!onOpen || (event.target as Element).closest(CONTROLS) || window.getSelection()?.toString()) return;
    onOpen(row);
  }
  return (
    <tr
      role="row"
      data-row={id}
      tabIndex={isFocusStop ? 0 : -1}
      aria-selected={isSelected}
      onClick={open}
      className={clsx(
        lineClass,
        'min-h-11 items-center border-b border-line last:border-b-0 -outline-offset-2! transition-colors',
        onOpen && 'cursor-pointer',
        isSelected ? 'bg-soft/60' : 'hover:bg-sunken/60',
        cardClass,
      )}
    >
      {isSelected !== undefined && (
        <td role="cell" className="pl-4 phone:order-first phone:!p-0">
          {/* biome-ignore lint/a11y/noLabelWithoutControl: only a larger target around the named check box */}
          <label className="relative z-10 -m-3 grid size-10 place-items-center">
            <Checkbox checked={isSelected} aria-label={selectLabel} onChange={() => onToggle(id)} tabIndex={-1} />
          </label>
        </td>
      )}
      {columns.map((column) => (
        <Line key={column.id} column={column} row={row} />
      ))}
      {actions && (
        <td
          role="cell"
          className={clsx(
            'relative pr-2 text-right whitespace-nowrap phone:order-first phone:-mr-2 phone:!p-0',
            // An icon may reach into the lines beside it.
            !hasButtons && 'phone:-my-2.75',
          )}
        >
          {actions(row)}
        </td>
      )}
      {noted !== undefined && (
        <td role="cell" className="col-span-full px-4 pb-2 phone:order-last phone:basis-full phone:!p-0">
          {noted}
        </td>
      )}
    </tr>
  );
}

/** Redraws only when its own row, selection or the columns change. */
export const DataTableRow = memo(DataTableRowInner) as typeof DataTableRowInner;
