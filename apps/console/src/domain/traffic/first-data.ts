import type { TrafficOverview } from '@cordon/contract';
import type { Buckets } from '../../ui/charts/chart-types';
import { isPartialShown } from '../../ui/charts/last-bucket';

/** A chart has at least so many points, however young its data are. */
const POINTS_MIN = 4;
const HOUR_MS = 3_600_000;

type Point = Pick<TrafficOverview['series'][number], 'time' | 'requests'>;

/** Numbers of a range with a point for each bucket, whatever else they count. */
interface CountedRange<One extends Point> extends Pick<TrafficOverview, 'bucket_seconds' | 'to'> {
  readonly series: One[];
  readonly previous: Pick<TrafficOverview['previous'], 'requests'>;
}

/** Where the newest point begins, as unix seconds. */
const newestOf = (series: readonly Point[]): number => Date.parse(series.at(-1)?.time ?? '') / 1000;

/** Where the first request came, in a range that had none before it; else undefined. */
const firstIndex = ({ series, previous }: CountedRange<Point>): number | undefined => {
  const first = previous.requests > 0 ? -1 : series.findIndex(({ requests }) => requests > 0);
  return first < 0 ? undefined : first;
};

interface CountedPoints<One extends Point> {
  points: One[];
  /** Of how many of them, the first, nothing is counted: they only give a young chart its width. */
  before: number;
}

/**
 * The points of a range from its first request on, where nothing came in the range before either: a new domain has no
 * hours of silence to show. At least four; all of them where there were requests from the start, none where there were none
 * at all.
 */
export function pointsSinceFirst<One extends Point>(overview: CountedRange<One>): CountedPoints<One> {
  const { series, previous } = overview;
  const first = firstIndex(overview);
  if (first === undefined) return { points: previous.requests > 0 ? series : [], before: 0 };
  const start = Math.max(0, Math.min(first, series.length - POINTS_MIN));
  return { points: series.slice(start), before: first - start };
}

/** What the points count, and whether the last of them is still being counted. */
export function bucketsOf({ series, bucket_seconds: seconds, to }: CountedRange<Point>): Buckets & { until: number } {
  const until = Date.parse(to) / 1000;
  return { seconds, until, isLastPartial: newestOf(series) + seconds > until };
}

/**
 * The course of a number, by the rule of the large charts: on into the point that is still being counted, which is then
 * `isLastPartial`, or up to it. It begins where theirs does, behind the `before` points that only give them their width.
 */
export function courseOf<One extends Point>(
  overview: CountedRange<One>,
  valueIn: (point: One) => number,
): { values: number[]; before: number; isLastPartial: boolean } {
  const { points, before } = pointsSinceFirst(overview);
  const values = points.slice(before).map(valueIn);
  const buckets = bucketsOf(overview);
  if (!buckets.isLastPartial || values.length === 0) return { values, before, isLastPartial: false };
  const isLastPartial = isPartialShown(values, newestOf(points), buckets);
  return { values: isLastPartial ? values : values.slice(0, -1), before, isLastPartial };
}

/** Since when there is something, where a range begins before: the chart does then not show all of it. */
export function beginningOf(overview: CountedRange<Point>): string | undefined {
  const first = firstIndex(overview) ?? 0;
  return first > 0 ? overview.series[first]?.time : undefined;
}

/** The numbers of a range with the finer points of its last hour. */
export const withPointsOf = (overview: TrafficOverview, { series, bucket_seconds, to, cache }: TrafficOverview) => ({
  ...overview,
  cache: { ...overview.cache, series: cache.series },
  series,
  bucket_seconds,
  to,
});

/** Whether all that a range counts came in its last hour, which has finer points. */
export function isWithinHour(overview: TrafficOverview): boolean {
  const first = overview.series[firstIndex(overview) ?? -1];
  return first !== undefined && Date.parse(overview.to) - Date.parse(first.time) <= HOUR_MS;
}
