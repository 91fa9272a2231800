import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import uPlot from 'uplot';
import { useTimeZone, useTranslations } from 'use-intl';
import 'uplot/dist/uPlot.min.css';
import { useFormat } from '../format';
import { type TimeSeriesChartProps, toneVariable } from './chart-types';
import { hasPartial, plotData } from './plot-data';
import { plotOptions } from './plot-options';
import { SummaryTable } from './summary-table';
import { useThemeVersion } from './use-theme-version';

type PlotProps = TimeSeriesChartProps & { times: readonly number[]; height: number };

/** The point under the cursor, and its place from the left edge. */
interface Cursor {
  index: number;
  left: number;
}

const dataOf = ({ times, series, buckets }: TimeSeriesChartProps): uPlot.AlignedData =>
  plotData(times ?? [], series, buckets);

/** A uPlot in `host`, made again only where new data alone do not do. */
function usePlot(props: PlotProps, onCursor: (cursor: Cursor | null) => void) {
  const { times, series, height, onRangeSelect } = props;
  const format = useFormat();
  const timeZone = useTimeZone();
  const host = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(null);
  const themeVersion = useThemeVersion();
  const latest = useRef(props);
  latest.current = props;
  const shape = [
    ...series.map((one, index) => `${one.id}${toneVariable(one, index)}${one.area}`),
    props.buckets?.seconds,
    hasPartial(props.buckets),
  ].join();

  // biome-ignore lint/correctness/useExhaustiveDependencies: the canvas is made again only when its shape, theme or language changes; data come by setData
  useEffect(() => {
    const element = host.current;
    if (!element) return;
    const options = plotOptions({
      series: latest.current.series,
      buckets: latest.current.buckets,
      element,
      height: element.clientHeight || height,
      format,
      timeZone,
      formatTick: (...values) => (latest.current.formatTick ?? latest.current.formatValue)(...values),
      onCursor: (index, left) => onCursor(index === null ? null : { index, left }),
      marksNow: () => latest.current.marks?.times ?? [],
      wholeNow: () => latest.current.whole,
      onRangeSelect: onRangeSelect && ((from, to) => latest.current.onRangeSelect?.(from, to)),
    });
    const made = new uPlot(options, dataOf(latest.current), element);
    plot.current = made;
    const observer = new ResizeObserver(([entry]) => {
      if (!entry) return;
      const { width, height: room } = entry.contentRect;
      made.setSize({ width: Math.floor(width), height: Math.floor(room) || height });
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
      made.destroy();
      plot.current = null;
    };
  }, [shape, height, format, timeZone, themeVersion, onRangeSelect !== undefined]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: times and series are what dataOf reads, marks are drawn with them
  useEffect(() => plot.current?.setData(dataOf(latest.current)), [times, series, props.marks]);
  return { host, plot };
}

/** How many points a key goes on. */
const STEPS: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowRight: 1,
  PageUp: -10,
  PageDown: 10,
  Home: -Infinity,
  End: Infinity,
};

interface TooltipProps {
  props: PlotProps;
  cursor: Cursor;
  /** Of the plot. */
  width: number;
}

/** The values under the cursor, on the side of it that has room. */
function Tooltip({ props: { times, series, buckets, formatValue }, cursor, width }: TooltipProps) {
  const t = useTranslations('ui');
  const format = useFormat();
  const { index: at, left } = cursor;
  const largest = Math.max(...series.map((one) => one.values[at] ?? 0));
  return (
    <div
      aria-live="polite"
      className="pointer-events-none absolute top-1 z-10 min-w-36 rounded-control border border-line bg-card px-3 py-2 text-sm shadow-float"
      style={left > width / 2 ? { right: width - left + 12 } : { left: left + 12 }}
    >
      <p className="mb-1 whitespace-nowrap text-muted">
        {format.dateTime((times[at] ?? 0) * 1000)}
        {hasPartial(buckets) && at === times.length - 1 && <span className="block">{t('chart.partial')}</span>}
      </p>
      {series.map((one, index) => {
        const value = one.values[at];
        return (
          <p key={one.id} className="flex items-center gap-2 whitespace-nowrap">
            <span
              aria-hidden
              className="size-2 rounded-full"
              style={{ background: `var(${toneVariable(one, index)})` }}
            />
            <span className="mr-4">{one.label}</span>
            <strong className="tabular ml-auto font-semibold">
              {value === null || value === undefined ? '–' : formatValue(value, largest)}
            </strong>
          </p>
        );
      })}
    </div>
  );
}

/** The uPlot canvas with its tooltip, keyboard cursor and table for screen readers. */
export default function TimeSeriesPlot(props: PlotProps) {
  const { label, times, series, formatValue, height } = props;
  const t = useTranslations('ui');
  const [cursor, setCursor] = useState<Cursor | null>(null);
  const { host, plot } = usePlot(props, setCursor);

  function onKeyDown(event: KeyboardEvent) {
    const step = STEPS[event.key];
    if (event.key === 'Escape') setCursor(null);
    if (step === undefined || !plot.current) return;
    event.preventDefault();
    const start = cursor?.index ?? (step > 0 ? -1 : times.length);
    const index = Math.min(times.length - 1, Math.max(0, start + step));
    // In the middle of a bucket, so that it is this one that is read.
    const within = (props.buckets?.seconds ?? 0) / 2;
    plot.current.setCursor({ left: plot.current.valToPos((times[index] ?? 0) + within, 'x'), top: 0 });
  }
  return (
    <figure className="relative m-0 flex-1" style={{ minHeight: height }} aria-label={label}>
      {/* biome-ignore lint/a11y/useSemanticElements: a canvas that the keyboard can walk, named for screen readers */}
      <div
        ref={host}
        role="group"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: arrows walk the points
        tabIndex={0}
        aria-label={t('chart.keyboard', { label })}
        onKeyDown={onKeyDown}
        onBlur={() => setCursor(null)}
        // Out of the flow: the canvas fills the place and never holds it open.
        className="absolute inset-0 rounded-[6px]"
      />
      {cursor && times[cursor.index] !== undefined && (
        <Tooltip props={props} cursor={cursor} width={host.current?.clientWidth ?? Infinity} />
      )}
      <SummaryTable label={label} times={times} series={series} formatValue={formatValue} />
    </figure>
  );
}
