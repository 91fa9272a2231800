import type { PluginEffect, TrafficOverview, TrafficRange } from '@cordon/contract';
import { groupBy } from '../../platform/group-by.ts';
import { isWaiting, WAIT_MET } from './waits.ts';

interface Buckets {
  readonly count: number;
  readonly seconds: number;
  readonly unit: Window['unit'];
}

/** Enough points for a chart, and a unit that a roll-up holds; only 15 minutes are read from the rows themselves. */
const BUCKETS: Readonly<Record<TrafficRange, Buckets>> = {
  '15m': { count: 60, seconds: 15, unit: 'time' },
  '1h': { count: 60, seconds: 60, unit: 'minute' },
  '24h': { count: 96, seconds: 900, unit: 'quarter_hour' },
  '7d': { count: 168, seconds: 3600, unit: 'quarter_hour' },
};

const REASONS_MAX = 100;

export interface Window {
  readonly range: TrafficRange;
  /** Start of the stored unit that a row counts in: raw rows, or the minute or quarter of an hour of a roll-up. */
  readonly unit: 'time' | 'minute' | 'quarter_hour';
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
  const { count, seconds, unit } = BUCKETS[range];
  const end = (Math.floor(now / 1000 / seconds) + 1) * seconds;
  return {
    range,
    unit,
    bucketSeconds: seconds,
    previousFrom: end - 2 * count * seconds,
    from: end - count * seconds,
    end,
    to: now,
  };
}

/** Starts of the buckets of the range before and of the range, in Unix seconds, oldest first. */
export const bucketsOf = ({ previousFrom, end, bucketSeconds }: Window): number[] =>
  Array.from({ length: (end - previousFrom) / bucketSeconds }, (_, index) => previousFrom + index * bucketSeconds);

/** One row of any part of the reading. */
export interface OverviewRow {
  readonly part: 'series' | 'domain' | 'country';
  /** Unix seconds; of `series` only. */
  readonly bucket: number;
  /** The plugin of a row of `series`, the route, or the country. */
  readonly label: string;
  /** Of `series` only. */
  readonly reason: string;
  readonly requests: number;
  readonly bytes: number;
  readonly blocked: number;
  readonly challenged: number;
  readonly passed: number;
  readonly status_2xx: number;
  readonly status_3xx: number;
  readonly status_4xx: number;
  readonly status_5xx: number;
}

type Totals = TrafficOverview['totals'];
type TopDomain = Omit<TrafficOverview['top_domains'][number], 'domain_name'>;
/** Without the names of the domains, which ClickHouse does not know, and without the cache, which is counted by itself. */
type UnnamedOverview = Omit<TrafficOverview, 'top_domains' | 'cache'> & { top_domains: TopDomain[] };

const emptyTotals = (): Totals => ({
  requests: 0,
  bytes: 0,
  blocked: 0,
  challenged: 0,
  passed: 0,
  status_2xx: 0,
  status_3xx: 0,
  status_4xx: 0,
  status_5xx: 0,
});
const measures = Object.keys(emptyTotals()) as (keyof Totals)[];

function add(sum: Totals, addend: Totals): void {
  for (const measure of measures) sum[measure] += addend[measure];
}

function totalsOf(points: readonly Totals[]): Totals {
  const totals = emptyTotals();
  for (const point of points) add(totals, point);
  return totals;
}

export const isoOf = (unixSeconds: number): string => new Date(unixSeconds * 1000).toISOString();
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Points of the range before and of the range, oldest first, without a gap. */
function pointsOf(window: Window, series: readonly OverviewRow[]) {
  const points = new Map<number, { time: string } & Totals>();
  for (const time of bucketsOf(window)) points.set(time, { time: isoOf(time), ...emptyTotals() });
  for (const row of series) {
    const point = points.get(row.bucket);
    if (point) add(point, isWaiting(row.label) ? { ...row, challenged: 0 } : row);
  }
  return [...points.values()];
}

type StoppedReason = TrafficOverview['stopped_by_reason'][number];

/** A reason that some rules block for and others challenge for stands there twice. */
function reasonsOf(series: readonly OverviewRow[]): StoppedReason[] {
  const sums = new Map<string, StoppedReason>();
  const addTo = (action: StoppedReason['action'], { label, reason }: OverviewRow, requests: number) => {
    if (requests === 0) return;
    const key = `${label}\n${reason}\n${action}`;
    const sum = sums.get(key);
    if (sum) sum.requests += requests;
    else sums.set(key, { plugin: label, reason, action, requests });
  };
  for (const row of series) {
    addTo('block', row, row.blocked);
    addTo('challenge', row, row.challenged);
  }
  return [...sums.values()]
    .sort(
      (a, b) =>
        b.requests - a.requests ||
        compare(a.plugin, b.plugin) ||
        compare(a.reason, b.reason) ||
        compare(a.action, b.action),
    )
    .slice(0, REASONS_MAX);
}

/** What a plugin decided; `passed` are proofs, and `waited` ends of waits, which are of no plugin: they stand in the row of the edge itself. */
interface PluginCounts {
  /** Empty: the edge itself, or none. */
  readonly plugin: string;
  readonly requests: number;
  readonly challenged: number;
  readonly passed: number;
  readonly waited: number;
}

/** A proof is not of one plugin: only where one alone challenged it is known whose. So it is with waits. */
function pluginEffectsOf(counts: readonly PluginCounts[]): PluginEffect[] {
  const sumOf = (what: 'passed' | 'waited') => counts.reduce((sum, one) => sum + one[what], 0);
  const challengers = counts.filter(({ challenged }) => challenged > 0);
  const passedOf = (plugin: string) => {
    const isWait = isWaiting(plugin);
    const isOne = challengers.filter((one) => isWaiting(one.plugin) === isWait).length === 1;
    return isOne ? sumOf(isWait ? 'waited' : 'passed') : null;
  };
  return counts
    .filter(({ plugin }) => plugin !== '')
    .map(({ plugin, requests, challenged }) => ({
      plugin,
      requests,
      challenged,
      passed: challenged > 0 ? passedOf(plugin) : null,
    }));
}

const countsOf = (series: readonly OverviewRow[]): PluginCounts[] =>
  [...groupBy(series, ({ label }) => label)]
    .map(([plugin, rows]) => {
      const { requests, challenged, passed } = totalsOf(rows);
      const waited = plugin === '' ? totalsOf(rows.filter(({ reason }) => reason === WAIT_MET)).requests : 0;
      return { plugin, requests, challenged, passed, waited };
    })
    .sort((a, b) => b.requests - a.requests || compare(a.plugin, b.plugin));

const topDomainOf = (
  routeId: string,
  { requests, bytes, blocked, challenged, passed }: Omit<TopDomain, 'route_id'>,
) => ({
  route_id: routeId,
  requests,
  bytes,
  blocked,
  challenged,
  passed,
});

/**
 * Puts the parts together: a point for every bucket, totals that are the sums of the points.
 * @param routeId The route that was asked for: it is then the only top domain.
 */
export function overviewOf(window: Window, rows: readonly OverviewRow[], routeId?: string): UnnamedOverview {
  const series = rows.filter((row) => row.part === 'series');
  const points = pointsOf(window, series);
  const split = points.length / 2;
  const current = points.slice(split);
  const totals = totalsOf(current);
  const counted = series.filter((row) => row.bucket >= window.from);
  const topDomains: TopDomain[] = rows
    .filter((row) => row.part === 'domain')
    .map(({ label, ...row }) => topDomainOf(label, row));
  if (routeId !== undefined && totals.requests > 0) {
    topDomains.push(topDomainOf(routeId, totals));
  }
  return {
    range: window.range,
    from: isoOf(window.from),
    to: new Date(window.to).toISOString(),
    bucket_seconds: window.bucketSeconds,
    totals,
    previous: totalsOf(points.slice(0, split)),
    series: current,
    stopped_by_reason: reasonsOf(counted),
    plugins: pluginEffectsOf(countsOf(counted)),
    countries: rows
      .filter((row) => row.part === 'country')
      .map(({ label, requests, blocked }) => ({ country: label, requests, blocked }))
      .sort((a, b) => b.requests - a.requests || compare(a.country, b.country)),
    top_domains: topDomains.sort((a, b) => b.requests - a.requests || compare(a.route_id, b.route_id)),
  };
}
