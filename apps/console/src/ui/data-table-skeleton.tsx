// biome-ignore-all lint/a11y/noRedundantRoles: lines are grids, and a changed `display` takes the table's own roles away in some browsers
import clsx from 'clsx';
import { cardClass, hideClasses, lineClass } from './data-table-row';
import type { DataTableColumn } from './data-table-types';
import { Skeleton } from './states';

// biome-ignore-start lint/suspicious/noArrayIndexKey: placeholders have no identity
/** Lines of a table whose rows are not known yet, as high as these will be. */
export function SkeletonRows({
  rows,
  columns,
  hasSelection,
  hasActions,
  hasButtons,
}: {
  rows: number;
  columns: readonly Pick<DataTableColumn<never>, 'id' | 'align' | 'hideBelow' | 'card' | 'cardClass'>[];
  hasSelection: boolean;
  hasActions: boolean;
  hasButtons: boolean | undefined;
}) {
  return Array.from({ length: rows }, (_, row) => (
    <tr
      key={row}
      role="row"
      aria-hidden
      className={clsx(lineClass, 'min-h-11 items-center border-b border-line last:border-b-0', cardClass)}
    >
      {hasSelection && (
        <td role="cell" className="pl-4 phone:order-first phone:!p-0">
          <Skeleton className="size-[18px]" />
        </td>
      )}
      {columns.map(({ id, align, hideBelow, card = 'line', cardClass: ownClass }) => (
        <td
          key={id}
          role="cell"
          className={clsx(
            'min-w-0 px-2 first:pl-4 phone:!p-0',
            hideBelow && hideClasses[hideBelow],
            card === 'hidden' && 'phone:hidden',
            card === 'title' && 'phone:order-first phone:flex-1',
            card === 'line' && 'phone:order-last phone:basis-full',
            ownClass,
          )}
        >
          <Skeleton
            className={clsx(
              'h-5 max-w-full',
              card === 'title' ? 'w-44 phone:h-4' : 'w-16',
              align === 'end' && 'sm:ml-auto',
            )}
          />
        </td>
      ))}
      {hasActions && (
        <td role="cell" className={clsx('pr-2 phone:order-first', !hasButtons && 'phone:-my-2.75')}>
          <Skeleton className={clsx('ml-auto', hasButtons ? 'h-8 w-16 touch:h-10' : 'h-5 w-6')} />
        </td>
      )}
    </tr>
  ));
}
// biome-ignore-end lint/suspicious/noArrayIndexKey: placeholders have no identity
