import clsx from 'clsx';
import { useFormat } from '../format';
import { Skeleton } from '../states';

export interface StackedBarPart<Id extends string = string> {
  id: Id;
  label: string;
  value: number;
  tone?: 1 | 2 | 3 | 4 | 5 | 6 | 'success' | 'warning' | 'danger';
}

const fills = {
  1: 'bg-chart-1',
  2: 'bg-chart-2',
  3: 'bg-chart-3',
  4: 'bg-chart-4',
  5: 'bg-chart-5',
  6: 'bg-chart-6',
  success: 'bg-success',
  warning: 'bg-warning',
  danger: 'bg-danger',
} as const;

const lineClass = 'flex min-h-8 items-center gap-2 rounded-[6px] touch:min-h-10';

/** Shares of a whole in one bar, each named with its value and share. */
export function StackedBar<Id extends string>({
  label,
  parts,
  formatValue,
  hrefOf,
}: {
  label: string;
  parts: readonly StackedBarPart<Id>[] | undefined;
  /** `largest` is that of all parts: numbers side by side are written alike. */
  formatValue: (value: number, largest: number) => string;
  /** Where the line of a part leads that is not empty; nowhere when left out. */
  hrefOf?: (id: Id) => string;
}) {
  const format = useFormat();
  // As high as the bar with its four lines.
  if (parts === undefined)
    return (
      <div>
        <Skeleton className="h-3" />
        <div className="mt-3 flex flex-col">
          {[0, 1, 2, 3].map((line) => (
            <div key={line} className={lineClass}>
              <Skeleton className="h-5 w-full" />
            </div>
          ))}
        </div>
      </div>
    );
  const total = parts.reduce((sum, part) => sum + part.value, 0);
  const largest = Math.max(...parts.map((part) => part.value));
  const toneOf = (part: StackedBarPart<Id>, index: number) => fills[part.tone ?? (((index % 6) + 1) as 1)];
  return (
    <div>
      <div aria-hidden className="flex h-3 gap-0.5 overflow-hidden rounded-full bg-sunken">
        {total > 0 &&
          parts.map(
            (part, index) =>
              part.value > 0 && (
                <span
                  key={part.id}
                  className={clsx('min-w-1', toneOf(part, index))}
                  style={{ width: `${(part.value / total) * 100}%` }}
                />
              ),
          )}
      </div>
      <ul aria-label={label} className="mt-3 flex flex-col text-sm">
        {parts.map((part, index) => {
          const line = (
            <>
              <span aria-hidden className={clsx('size-2.5 shrink-0 rounded-[3px]', toneOf(part, index))} />
              <span className="min-w-0 flex-1 wrap-anywhere" title={part.label}>
                {part.label}
              </span>
              <span className="tabular font-medium whitespace-nowrap">{formatValue(part.value, largest)}</span>
              <span className="tabular w-12 text-right whitespace-nowrap text-muted">
                {format.share(total > 0 ? part.value / total : 0)}
              </span>
            </>
          );
          return (
            <li key={part.id}>
              {part.value > 0 && hrefOf ? (
                <a href={hrefOf(part.id)} className={`${lineClass} text-ink no-underline hover:bg-sunken`}>
                  {line}
                </a>
              ) : (
                <div className={lineClass}>{line}</div>
              )}
            </li>
          );
        })}
      </ul>
    </div>
  );
}
