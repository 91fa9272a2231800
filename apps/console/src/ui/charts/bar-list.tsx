import type { ReactNode } from 'react';
import { useFormat } from '../format';
import { Skeleton, useLastSize } from '../states';

export interface BarListItem {
  id: string;
  label: ReactNode;
  /** Plain text of the label, shown in full on hover. */
  title?: string;
  value: number;
  icon?: ReactNode;
  /** Where the line leads. */
  href?: string | undefined;
  /** What can be done with it, after the line. */
  actions?: ReactNode;
}

export interface BarListProps {
  label: string;
  /** Largest first. Undefined shows skeletons. */
  items: readonly BarListItem[] | undefined;
  /** `largest` stands in the same list: numbers side by side are written alike. */
  formatValue: (value: number, largest: number) => string;
  /** Whole that shares are taken of; by default the largest value fills the bar and no share is shown. */
  total?: number;
  empty?: ReactNode;
  /** Lines that skeletons stand for where none were ever shown; with `isReserved` the list is never lower than they. */
  rows?: number;
  isReserved?: boolean;
}

const lineClass = 'relative flex min-h-8 w-full items-center gap-2 rounded-[6px] px-2.5 touch:min-h-10';
const linesOf = (count: number) => Array.from({ length: Math.max(0, count) }, (_, line) => line);

/** A ranked list with a bar behind each line. */
export function BarList({ label, items, formatValue, total, empty, rows = 4, isReserved }: BarListProps) {
  const format = useFormat();
  const last = useLastSize(label, items?.length);
  if (items === undefined) {
    return (
      <div className="flex flex-col gap-1">
        {linesOf(isReserved ? Math.max(rows, last ?? 0) : last || rows).map((line) => (
          <div key={line} className={lineClass}>
            <Skeleton className="h-5 w-full" />
          </div>
        ))}
      </div>
    );
  }
  // On a phone nothing stands beside the list that would be as high.
  const reserved = linesOf(isReserved ? rows - Math.max(1, items.length) : 0).map((line) => (
    <li key={line} aria-hidden className={`${lineClass} phone:hidden`} />
  ));
  if (items.length === 0)
    return (
      <>
        {empty}
        {reserved.length > 0 && (
          <ul className="flex flex-col gap-1 pt-1 phone:hidden" aria-hidden>
            {reserved}
          </ul>
        )}
      </>
    );
  const largest = Math.max(...items.map((item) => item.value), 1);
  return (
    <ol aria-label={label} className="flex flex-col gap-1">
      {items.map((item) => {
        const content = (
          <>
            <span
              aria-hidden
              className="absolute inset-y-0 left-0 rounded-[6px] bg-soft"
              style={{ width: `${Math.max(1, (item.value / largest) * 100)}%` }}
            />
            {item.icon && <span className="relative shrink-0 text-muted">{item.icon}</span>}
            <span
              className="relative min-w-0 flex-1 py-1 text-left wrap-anywhere"
              title={item.title ?? (typeof item.label === 'string' ? item.label : undefined)}
            >
              {item.label}
            </span>
            <span className="tabular relative font-medium whitespace-nowrap">{formatValue(item.value, largest)}</span>
            {total !== undefined && (
              <span className="tabular relative w-12 text-right text-sm whitespace-nowrap text-muted">
                {format.share(total > 0 ? item.value / total : 0)}
              </span>
            )}
          </>
        );
        return (
          <li key={item.id} className={item.actions ? 'flex items-center gap-2' : undefined}>
            {item.href !== undefined ? (
              <a href={item.href} className={`${lineClass} text-ink no-underline hover:bg-sunken`}>
                {content}
              </a>
            ) : (
              <div className={lineClass}>{content}</div>
            )}
            {item.actions}
          </li>
        );
      })}
      {reserved}
    </ol>
  );
}
