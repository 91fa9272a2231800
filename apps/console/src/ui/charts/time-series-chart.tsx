import clsx from 'clsx';
import { Suspense } from 'react';
import { useTranslations } from 'use-intl';
import { lazyPart } from '../lazy-part';
import { EmptyState, Skeleton } from '../states';
import { type TimeSeriesChartProps, toneVariable } from './chart-types';
import { isPartialShown } from './last-bucket';

const TimeSeriesPlot = lazyPart(() => import('./time-series-plot'));

const dotClasses: Record<string, string> = {
  '--chart-1': 'bg-chart-1',
  '--chart-2': 'bg-chart-2',
  '--chart-3': 'bg-chart-3',
  '--chart-4': 'bg-chart-4',
  '--chart-5': 'bg-chart-5',
  '--chart-6': 'bg-chart-6',
  '--danger': 'bg-danger',
};

/** Lines over time; uPlot is loaded when the first chart is shown. */
export function TimeSeriesChart(props: TimeSeriesChartProps) {
  const { times, series, buckets, height = 220, emptyText, marks } = props;
  const t = useTranslations('ui');
  const hasMarks = !!marks?.times.length;
  const isPartial =
    buckets?.isLastPartial &&
    series.some(({ values }) => (values.at(-1) ?? 0) > 0 && isPartialShown(values, times?.at(-1) ?? 0, buckets));
  const hasData =
    times !== undefined && times.length > 1 && series.some((one) => one.values.some((value) => value !== null));
  // The height is a property of the element, set through the DOM.
  const box = { minHeight: height };
  return (
    <div className="flex min-w-0 flex-1 flex-col">
      {times === undefined ? (
        <div style={box} className="grid flex-1">
          <Skeleton className="size-full" />
        </div>
      ) : hasData ? (
        <Suspense
          fallback={
            <div style={box} className="grid flex-1">
              <Skeleton className="size-full" />
            </div>
          }
        >
          <TimeSeriesPlot {...props} times={times} height={height} />
        </Suspense>
      ) : (
        <div style={box} className="grid flex-1 place-items-center">
          <EmptyState title={emptyText ?? t('chart.empty')} className="py-4!" />
        </div>
      )}
      {/* What comes with the data has its room before: it would wrap the line, and move what is below. */}
      <div className="mt-2 flex flex-wrap justify-between gap-x-4 text-sm text-muted">
        <ul className="flex flex-wrap gap-x-4 gap-y-1" aria-hidden>
          {series.map((one, index) => (
            <li key={one.id} className="flex items-center gap-1.5">
              <span className={clsx('h-0.5 w-3 rounded-full', dotClasses[toneVariable(one, index)])} />
              {one.label}
            </li>
          ))}
          {marks && (
            <li className={clsx('flex items-center gap-1.5', !hasMarks && 'invisible')}>
              <span>┆</span>
              {marks.label}
            </li>
          )}
          {/* Last, so that what is seen stands together. */}
          {props.laterLabels?.map((label) => (
            <li key={label} className="invisible flex items-center gap-1.5">
              <span className="h-0.5 w-3" />
              {label}
            </li>
          ))}
        </ul>
        {props.foot && (
          <p className={times === undefined ? 'invisible' : undefined}>
            {props.foot}
            <span className={hasData && isPartial ? undefined : 'invisible'}> · {t('chart.partialHint')}</span>
          </p>
        )}
      </div>
    </div>
  );
}
