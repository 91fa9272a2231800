import clsx from 'clsx';
import { useFormat } from '../format';
import { Skeleton } from '../states';

export interface StackedBarPart {
  id: string;
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

/** Shares of a whole in one bar, each named with its value and share. */
export function StackedBar({
  label,
  parts,
  formatValue,
}: {
  label: string;
  parts: readonly StackedBarPart[] | undefined;
  formatValue: (value: number) => string;
}) {
  const format = useFormat();
  if (parts === undefined) return <Skeleton className="h-16" />;
  const total = parts.reduce((sum, part) => sum + part.value, 0);
  const toneOf = (part: StackedBarPart, index: number) => fills[part.tone ?? (((index % 6) + 1) as 1)];
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
      <dl aria-label={label} className="mt-3 flex flex-col gap-1.5 text-sm">
        {parts.map((part, index) => (
          <div key={part.id} className="flex items-center gap-2">
            <span aria-hidden className={clsx('size-2.5 shrink-0 rounded-[3px]', toneOf(part, index))} />
            <dt className="min-w-0 flex-1 truncate" title={part.label}>
              {part.label}
            </dt>
            <dd className="tabular font-medium whitespace-nowrap">{formatValue(part.value)}</dd>
            <dd className="tabular w-12 text-right whitespace-nowrap text-muted">
              {format.percent(total > 0 ? part.value / total : 0)}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
