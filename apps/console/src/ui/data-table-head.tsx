// biome-ignore-all lint/a11y/noRedundantRoles: lines are grids, and a changed `display` takes the table's own roles away in some browsers
import clsx from 'clsx';
import { ArrowDown, ArrowUp, ArrowUpDown } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { Checkbox } from './checkbox';
import { hideClasses, lineClass } from './data-table-row';
import type { DataTableColumn, DataTableProps, DataTableSort } from './data-table-types';

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
  const isNumber = column.sortable === 'descending';
  const Icon = !isSorted ? ArrowUpDown : sort.direction === 'ascending' ? ArrowUp : ArrowDown;
  const direction = (isSorted ? sort.direction === 'ascending' : isNumber) ? 'descending' : 'ascending';
  return (
    <th
      role="columnheader"
      scope="col"
      aria-sort={isSorted ? sort.direction : undefined}
      className={clsx(
        'min-w-0 px-2 py-2 text-left font-medium whitespace-nowrap first:pl-4 last:pr-4 phone:hidden',
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
            // Before its name, which ends where the numbers do.
            column.align === 'end' && 'flex-row-reverse align-top',
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

/** Check box for all rows of the page; a phone has it in the bar of what is selected, where it moves no row. */
function SelectAll({ count, selectedHere, onToggle }: { count: number; selectedHere: number; onToggle: () => void }) {
  const t = useTranslations('ui');
  return (
    <th role="columnheader" scope="col" className="pl-4 text-left">
      <div className="flex">
        <Checkbox
          aria-label={t('table.selectAll')}
          checked={count > 0 && selectedHere === count}
          indeterminate={selectedHere > 0 && selectedHere < count}
          onChange={onToggle}
        />
      </div>
    </th>
  );
}

/** All of a page beside what is selected, or none of it where all were. */
export function withAll(ids: readonly string[], selected: ReadonlySet<string> | undefined): ReadonlySet<string> {
  const next = new Set(selected);
  const areAll = ids.every((id) => next.has(id));
  for (const id of ids) areAll ? next.delete(id) : next.add(id);
  return next;
}

/** Heads of the columns, with the check box for all rows of the page. */
export function DataTableHead<Row>({
  ids,
  ...props
}: Pick<DataTableProps<Row>, 'columns' | 'sort' | 'onSortChange' | 'selected' | 'onSelectedChange' | 'rowActions'> & {
  ids: readonly string[];
}) {
  const { columns, selected, onSelectedChange } = props;
  const t = useTranslations('ui');
  const selectedHere = ids.filter((id) => selected?.has(id)).length;
  const toggleAll = () => onSelectedChange?.(withAll(ids, selected));
  return (
    <thead role="rowgroup" className="block border-b border-line bg-sunken/60 text-sm text-muted phone:hidden">
      <tr role="row" className={clsx(lineClass, 'items-center')}>
        {selected && <SelectAll count={ids.length} selectedHere={selectedHere} onToggle={toggleAll} />}
        {columns.map((column) => (
          <HeaderCell key={column.id} column={column} sort={props.sort} onSortChange={props.onSortChange} />
        ))}
        {props.rowActions && (
          <th role="columnheader" scope="col" className="phone:hidden">
            <span className="sr-only">{t('table.actions')}</span>
          </th>
        )}
      </tr>
    </thead>
  );
}
