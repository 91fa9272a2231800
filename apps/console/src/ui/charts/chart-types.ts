export interface TimeSeries {
  id: string;
  label: string;
  /** One count (a whole number) per time; null leaves a gap. */
  values: readonly (number | null)[];
  /** Place in the ordered palette, 1 to 6; by default the series' own order. `danger` for what is blocked or failed. */
  tone?: 1 | 2 | 3 | 4 | 5 | 6 | 'danger';
  /** Fills the area under the line; by default only for the first series. */
  area?: boolean;
}

/** What a value counts: everything from its time on, for so many seconds. */
export interface Buckets {
  readonly seconds: number;
  /** The last one is still being counted: it is drawn dashed, as its number only says "so far". */
  readonly isLastPartial: boolean;
  /** Until when they were counted, as unix seconds. */
  readonly until?: number;
}

/** Moments that explain the lines: deploys, for example. */
export interface ChartMarks {
  label: string;
  /** Unix seconds. */
  times: readonly number[];
}

export interface TimeSeriesChartProps {
  /** Accessible name. */
  label: string;
  /** Unix seconds, ascending. Undefined shows a skeleton. */
  times: readonly number[] | undefined;
  series: readonly TimeSeries[];
  /** Words for a value in the tooltip and the summary: `format.bytes`, `format.compact`. */
  formatValue: (value: number, largest?: number) => string;
  /** Words for the axis; by default `formatValue`. */
  formatTick?: (value: number, largest?: number) => string;
  /** The whole that values are parts of: there the axis ends. By default it ends at the largest value. */
  whole?: number | undefined;
  /** At least so high; more where the chart's place is higher. */
  height?: number;
  /** Values that count a stretch of time are drawn as steps of its width; without it they are joined by lines. */
  buckets?: Buckets;
  /** Moments drawn as upright lines. */
  marks?: ChartMarks;
  /** The customer chose a part with the pointer (unix seconds). */
  onRangeSelect?: (from: number, to: number) => void;
  /** Names of lines that may come later: their room is kept, so that nothing moves. */
  laterLabels?: readonly string[];
  emptyText?: string;
  /** Right of the names of the lines, with what a dashed end means. */
  foot?: string;
}

/** CSS custom property that draws a series. */
export function toneVariable(series: TimeSeries, index: number): string {
  const tone = series.tone ?? (index % 6) + 1;
  return tone === 'danger' ? '--danger' : `--chart-${tone}`;
}

export interface WorldMapProps {
  label: string;
  /** Value by country, two letters. Undefined shows a skeleton. */
  values: Readonly<Record<string, number>> | undefined;
  formatValue: (value: number) => string;
  onSelect?: (country: string) => void;
}
