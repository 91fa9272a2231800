import type { TrafficOverview } from '@cordon/contract';

/** A chart has at least so many points, however young its data are. */
const POINTS_MIN = 4;
const HOUR_MS = 3_600_000;

/** Where the first request came, in a range that had none before it; else undefined. */
const firstIndex = ({ series, previous }: TrafficOverview): number | undefined => {
  const first = previous.requests > 0 ? -1 : series.findIndex(({ requests }) => requests > 0);
  return first < 0 ? undefined : first;
};

/**
 * The points of a range from its first request on, where nothing came in the range before either: a new domain has no
 * hours of silence to show. At least four; all of them where there were requests from the start.
 */
export function pointsSinceFirst(overview: TrafficOverview): TrafficOverview['series'] {
  const { series } = overview;
  const first = firstIndex(overview);
  return first === undefined ? series : series.slice(Math.max(0, Math.min(first, series.length - POINTS_MIN)));
}

/** The points of {@link pointsSinceFirst} without the last one while it is still being counted: its number only says "so far", and would look like an outage. */
export function finishedPoints(overview: TrafficOverview): TrafficOverview['series'] {
  const points = pointsSinceFirst(overview);
  const last = points.at(-1);
  const isCounting = last && Date.parse(last.time) + overview.bucket_seconds * 1000 > Date.parse(overview.to);
  return isCounting ? points.slice(0, -1) : points;
}

/**
 * The course of a number, without the point that is still being counted unless all of it came there: no flat line stands
 * under a number that is not zero. That point is then `isLastPartial`.
 */
export function courseOf(
  overview: TrafficOverview,
  valueIn: (point: TrafficOverview['series'][number]) => number,
): { values: number[]; isLastPartial: boolean } {
  const all = pointsSinceFirst(overview).map(valueIn);
  const finished = all.slice(0, finishedPoints(overview).length);
  const isLastPartial =
    finished.length < all.length && !finished.some((value) => value > 0) && all.some((value) => value > 0);
  return { values: isLastPartial ? all : finished, isLastPartial };
}

/** Whether all that a range counts came in its last hour, which has finer points. */
export function isWithinHour(overview: TrafficOverview): boolean {
  const first = overview.series[firstIndex(overview) ?? -1];
  return first !== undefined && Date.parse(overview.to) - Date.parse(first.time) <= HOUR_MS;
}
