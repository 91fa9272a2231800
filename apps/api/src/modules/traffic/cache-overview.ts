import {
  type CacheOverview,
  type CacheSummary,
  type CacheTotals,
  COUNTED_OUTCOMES,
  type CountedOutcome,
} from '@cordon/contract';
import { type CacheRow, SERVED } from './cache-repository.ts';
import { bucketsOf, isoOf, type Window } from './overview.ts';

type Counts = CacheTotals['outcomes'];

const noCounts = (): Counts =>
  Object.fromEntries(COUNTED_OUTCOMES.map((outcome) => [outcome, { requests: 0, bytes: 0 }])) as Counts;

/** Without outcome, only those count that an origin was asked for: blocks and redirects of Cordon could not be hits. */
function addTo(counts: Counts, { cache, requests, bytes, asked, asked_bytes }: CacheRow): void {
  const count = counts[cache === '' ? 'uncached' : cache];
  count.requests += cache === '' ? asked : requests;
  count.bytes += cache === '' ? asked_bytes : bytes;
}

function totalsOf(outcomes: Counts): CacheTotals {
  const sum = (of: readonly CountedOutcome[], what: 'requests' | 'bytes') =>
    of.reduce((all, outcome) => all + outcomes[outcome][what], 0);
  const requests = sum(COUNTED_OUTCOMES, 'requests');
  return {
    requests,
    bytes: sum(COUNTED_OUTCOMES, 'bytes'),
    hit_ratio: requests === 0 ? null : sum(SERVED, 'requests') / requests,
    saved_bytes: sum(SERVED, 'bytes'),
    outcomes,
  };
}

/** Puts the rows together: a point for every bucket, and totals that are the sums of the points. */
export function cacheOverviewOf(window: Window, rows: readonly CacheRow[]): CacheOverview {
  const points = new Map(bucketsOf(window).map((time) => [time, noCounts()]));
  const [totals, previous] = [noCounts(), noCounts()];
  for (const row of rows) {
    const point = points.get(row.bucket);
    if (point === undefined) continue;
    addTo(point, row);
    addTo(row.bucket < window.from ? previous : totals, row);
  }
  return {
    range: window.range,
    from: isoOf(window.from),
    to: new Date(window.to).toISOString(),
    bucket_seconds: window.bucketSeconds,
    totals: totalsOf(totals),
    previous: totalsOf(previous),
    series: [...points]
      .filter(([time]) => time >= window.from)
      .map(([time, counts]) => ({ time: isoOf(time), ...totalsOf(counts) })),
  };
}

/** The same beside other numbers of the window: of its points only what charts of it draw. */
export function cacheSummaryOf(window: Window, rows: readonly CacheRow[]): CacheSummary {
  const { totals, previous, series } = cacheOverviewOf(window, rows);
  return { totals, previous, series: series.map(({ outcomes: _, ...point }) => point) };
}
