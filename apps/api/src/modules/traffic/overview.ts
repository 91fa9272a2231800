import type { TrafficOverview, TrafficRange } from '@cordon/contract';

interface Buckets {
  readonly count: number;
  readonly seconds: number;
  /** Start of the stored unit that a row counts in: raw rows, or the minute or quarter of an hour of a roll-up. */
  readonly unit: string;
}

/** Enough points for a chart, and a unit that a roll-up holds; only 15 minutes are read from the rows themselves. */
const BUCKETS: Readonly<Record<TrafficRange, Buckets>> = {
  '15m': { count: 60, seconds: 15, unit: 'time' },
  '1h': { count: 60, seconds: 60, unit: 'toStartOfMinute(time)' },
  '24h': { count: 96, seconds: 900, unit: 'toStartOfFifteenMinutes(time)' },
  '7d': { count: 168, seconds: 3600, unit: 'toStartOfFifteenMinutes(time)' },
};

export const TOP_DOMAINS_MAX = 10;
const COUNTRIES_MAX = 250;
const REASONS_MAX = 100;

export interface Window {
  readonly range: TrafficRange;
  readonly bucketSeconds: number;
  /** Unix seconds: start of the range before, of the range, and the end of both its last bucket. */
  readonly previousFrom: number;
  readonly from: number;
  readonly end: number;
  /** Unix milliseconds of the reading. */
  readonly to: number;
}

/** Buckets lie on multiples of their length, so that a point keeps its place between two readings; the last one is still filling. */
export function windowOf(range: TrafficRange, now: number): Window {
  const { count, seconds } = BUCKETS[range];
  const end = (Math.floor(now / 1000 / seconds) + 1) * seconds;
  return {
    range,
    bucketSeconds: seconds,
    previousFrom: end - 2 * count * seconds,
    from: end - count * seconds,
    end,
    to: now,
  };
}

/** One row of any part of the reading. */
export interface OverviewRow {
  readonly part: 'series' | 'domain' | 'country' | 'reason';
  /** Unix seconds; of `series` only. */
  readonly bucket: number;
  readonly label: string;
  readonly reason: string;
  readonly requests: number;
  readonly bytes: number;
  readonly blocked: number;
  readonly status_2xx: number;
  readonly status_3xx: number;
  readonly status_4xx: number;
  readonly status_5xx: number;
}

const BLOCKED = `countIf(action = 'block')`;
const STATUSES = `
  countIf(status >= 200 AND status < 300) AS status_2xx, countIf(status >= 300 AND status < 400) AS status_3xx,
  countIf(status >= 400 AND status < 500) AS status_4xx, countIf(status >= 500) AS status_5xx`;
const COLUMNS = 'part, bucket, label, reason, requests, bytes, blocked, status_2xx, status_3xx, status_4xx, status_5xx';

/**
 * The whole reading as one statement, so that its parts see the same rows. The expressions are those of the
 * projections in apps/api/clickhouse, letter by letter: that is how ClickHouse finds them.
 */
export function overviewQuery(window: Window, hasRoute: boolean): string {
  const { unit } = BUCKETS[window.range];
  const scope = `account_id = {account:UUID}${hasRoute ? ' AND route_id = {route:UUID}' : ''}`;
  const since = (start: string) =>
    `${scope} AND ${unit} >= toDateTime({${start}:UInt32}, 'UTC') AND ${unit} < toDateTime({end:UInt32}, 'UTC')`;
  const bucket = `toUnixTimestamp(toStartOfInterval(${unit}, toIntervalSecond({bucket:UInt32})))`;
  return `
    SELECT ${COLUMNS} FROM (
      SELECT 'series' AS part, ${bucket} AS bucket, '' AS label, '' AS reason, count() AS requests,
        sum(bytes_sent) AS bytes, ${BLOCKED} AS blocked, ${STATUSES}
      FROM requests WHERE ${since('previous_from')} GROUP BY bucket
      UNION ALL
      SELECT 'domain', 0, toString(route_id), '', count() AS requests, sum(bytes_sent), ${BLOCKED}, 0, 0, 0, 0
      FROM requests WHERE ${since('from')} GROUP BY route_id
      ORDER BY requests DESC, toString(route_id) LIMIT ${TOP_DOMAINS_MAX}
      UNION ALL
      SELECT 'country', 0, country, '', count() AS requests, 0, ${BLOCKED}, 0, 0, 0, 0
      FROM requests WHERE ${since('from')} GROUP BY country ORDER BY requests DESC, country LIMIT ${COUNTRIES_MAX}
      UNION ALL
      SELECT 'reason', 0, plugin, reason, 0, 0, ${BLOCKED} AS blocked, 0, 0, 0, 0
      FROM requests WHERE ${since('from')} GROUP BY plugin, reason HAVING blocked > 0
      ORDER BY blocked DESC, plugin, reason LIMIT ${REASONS_MAX}
    )`;
}

type Totals = TrafficOverview['totals'];

const emptyTotals = (): Totals => ({
  requests: 0,
  bytes: 0,
  blocked: 0,
  status_2xx: 0,
  status_3xx: 0,
  status_4xx: 0,
  status_5xx: 0,
});

function totalsOf(points: readonly Totals[]): Totals {
  const totals = emptyTotals();
  for (const point of points) for (const key of Object.keys(totals) as (keyof Totals)[]) totals[key] += point[key];
  return totals;
}

const isoOf = (unixSeconds: number): string => new Date(unixSeconds * 1000).toISOString();

/** Puts the parts together: a point for every bucket, totals that are the sums of the points. */
export function overviewOf(
  window: Window,
  rows: readonly OverviewRow[],
  names: ReadonlyMap<string, string>,
): TrafficOverview {
  const byBucket = new Map(rows.filter((row) => row.part === 'series').map((row) => [row.bucket, row]));
  const points = (from: number, until: number) => {
    const found = [];
    for (let time = from; time < until; time += window.bucketSeconds) {
      const { requests, bytes, blocked, status_2xx, status_3xx, status_4xx, status_5xx } =
        byBucket.get(time) ?? emptyTotals();
      found.push({ time: isoOf(time), requests, bytes, blocked, status_2xx, status_3xx, status_4xx, status_5xx });
    }
    return found;
  };
  const part = (name: OverviewRow['part'], order: 'requests' | 'blocked') =>
    rows.filter((row) => row.part === name).sort((a, b) => b[order] - a[order] || (a.label < b.label ? -1 : 1));
  const series = points(window.from, window.end);
  return {
    range: window.range,
    from: isoOf(window.from),
    to: new Date(window.to).toISOString(),
    bucket_seconds: window.bucketSeconds,
    totals: totalsOf(series),
    previous: totalsOf(points(window.previousFrom, window.from)),
    series,
    blocked_by_reason: part('reason', 'blocked').map(({ label, reason, blocked }) => ({
      plugin: label,
      reason,
      requests: blocked,
    })),
    countries: part('country', 'requests').map(({ label, requests, blocked }) => ({
      country: label,
      requests,
      blocked,
    })),
    top_domains: part('domain', 'requests').map(({ label, requests, bytes, blocked }) => ({
      route_id: label,
      domain_name: names.get(label) ?? '',
      requests,
      bytes,
      blocked,
    })),
  };
}
