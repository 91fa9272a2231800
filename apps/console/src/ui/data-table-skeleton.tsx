// biome-ignore-all lint/a11y/noRedundantRoles: lines are grids, and a changed `display` takes the table's own roles away in some browsers
import clsx from 'clsx';
import { hideClasses, lineClass } from './data-table-row';
import type { DataTableColumn } from './data-table-types';
import { Skeleton } from './states';

// biome-ignore-start lint/suspicious/noArrayIndexKey: placeholders have no identity
/** Lines of a table whose rows are not known yet. */
export function SkeletonRows({
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
            'min-w-0 px-3 py-4 first:pl-4 phone:block phone:!px-0 phone:!py-1.5',
            index > 2 && 'phone:hidden',
            column.hideBelow && hideClasses[column.hideBelow],
          )}
        >
          <Skeleton
            className={clsx('h-5 max-w-full', index === 0 ? 'w-44' : 'w-20', column.align === 'end' && 'sm:ml-auto')}
          />
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
