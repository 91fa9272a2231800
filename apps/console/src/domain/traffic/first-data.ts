import type { TrafficOverview } from '@cordon/contract';

/** A chart has at least so many points, however young its data are. */
const POINTS_MIN = 12;

/**
 * The points of a range from its first request on, where nothing came in the range before either: a new domain has no
 * hours of silence to show. At least twelve; all of them where there were requests from the start.
 */
export function pointsSinceFirst({ series, previous }: TrafficOverview): TrafficOverview['series'] {
  if (previous.requests > 0) return series;
  const first = series.findIndex(({ requests }) => requests > 0);
  return first < 0 ? series : series.slice(Math.max(0, Math.min(first, series.length - POINTS_MIN)));
}
