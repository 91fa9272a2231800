import {
  type CacheOutcome,
  COSTLY_PATHS_MAX,
  type CostlyPath,
  type CostlySort,
  type CountedOutcome,
} from '@cordon/contract';
import { type ClickHouseClient, selectRows } from '../../platform/clickhouse.ts';
import { shownHours } from './answers-repository.ts';
import type { Window } from './overview.ts';
import { settingsOf, withinOf } from './overview-repository.ts';

const ACCOUNT = 'account_id = {account:UUID}';
const SCOPE = `${ACCOUNT} AND route_id = {route:UUID}`;
/** As the projection has them, letter by letter: requests that an origin was asked for. */
const ASKED = `countIf(upstream_address != '')`;
const ASKED_BYTES = `sumIf(bytes_sent, upstream_address != '')`;

/** What was sent from the cache, though an origin may have been asked whether it still holds. */
export const SERVED: readonly CountedOutcome[] = ['hit', 'stale', 'revalidated'];

/** What became of requests of a bucket. */
export interface CacheRow {
  /** Unix seconds. */
  readonly bucket: number;
  readonly cache: CacheOutcome;
  readonly requests: number;
  readonly bytes: number;
  /** Those of them that an origin was asked for. */
  readonly asked: number;
  readonly asked_bytes: number;
}

/** The statement of `readCacheRows`. Its expressions are those of the projections in apps/api/clickhouse. */
export const cacheQuery = (window: Window, hasRoute: boolean): string => `
  SELECT toUnixTimestamp(toStartOfInterval(${window.unit}, toIntervalSecond({bucket:UInt32}))) AS bucket, cache,
    count() AS requests, sum(bytes_sent) AS bytes, ${ASKED} AS asked, ${ASKED_BYTES} AS asked_bytes
  FROM requests WHERE ${hasRoute ? SCOPE : ACCOUNT} AND ${withinOf(window, 'previous_from')} GROUP BY bucket, cache`;

const parametersOf = (accountId: string, routeId: string | undefined, window: Window) => ({
  account: accountId,
  route: routeId,
  previous_from: window.previousFrom,
  from: window.from,
  end: window.end,
  bucket: window.bucketSeconds,
});

/** Of an account, or of one of its routes, in the range and in the one before. */
export const readCacheRows = (
  clickhouse: ClickHouseClient,
  accountId: string,
  routeId: string | undefined,
  window: Window,
): Promise<CacheRow[]> =>
  selectRows(
    clickhouse,
    cacheQuery(window, routeId !== undefined),
    parametersOf(accountId, routeId, window),
    settingsOf(window),
  );

const IS_SERVED = `cache IN (${SERVED.map((outcome) => `'${outcome}'`).join()})`;
const SHOWN_HOURS = `quarter_hour >= toDateTime({from:UInt32}, 'UTC') AND quarter_hour < toDateTime({end:UInt32}, 'UTC')`;

/** Hits of some domains, of the hours that a list shows. */
const HITS = `
  SELECT toString(route_id) AS id, sumIf(number, ${IS_SERVED}) / sum(counted) AS ratio, max(cache != '') AS is_cached
  FROM (
    SELECT route_id, cache, count() AS number, if(cache = '', ${ASKED}, count()) AS counted FROM requests
    WHERE ${ACCOUNT} AND route_id IN {routes:Array(UUID)} AND ${SHOWN_HOURS} GROUP BY route_id, cache)
  GROUP BY route_id HAVING sum(counted) > 0`;

/**
 * The same ratio of all domains of an account. Outcomes are chosen, not grouped by: of 100,000 domains, groups of both domain and outcome
 * take half as long again.
 */
export const ACCOUNT_HIT_RATIOS = `
  SELECT route_id, sum(served) / sum(counted) AS ratio
  FROM (
    SELECT route_id, count() AS served, count() AS counted FROM requests
      WHERE ${ACCOUNT} AND ${SHOWN_HOURS} AND ${IS_SERVED} GROUP BY route_id
    UNION ALL SELECT route_id, 0, count() FROM requests
      WHERE ${ACCOUNT} AND ${SHOWN_HOURS} AND cache != '' AND NOT ${IS_SERVED} GROUP BY route_id
    UNION ALL SELECT route_id, 0, ${ASKED} FROM requests
      WHERE ${ACCOUNT} AND ${SHOWN_HOURS} AND cache = '' GROUP BY route_id)
  GROUP BY route_id HAVING sum(counted) > 0`;

export interface DomainHits {
  readonly ratio: number;
  /** Whether a cache was on for any of the requests. */
  readonly isCached: boolean;
}

/** Hits of domains of an account, as `cacheOverviewOf` counts them; those with no request to a cache or an origin are left out. */
export async function readDomainHits(
  clickhouse: ClickHouseClient,
  accountId: string,
  routeIds: readonly string[],
  nowSeconds: number,
): Promise<ReadonlyMap<string, DomainHits>> {
  const rows = await selectRows<{ id: string; ratio: number; is_cached: number }>(clickhouse, HITS, {
    account: accountId,
    routes: [...routeIds],
    ...shownHours(nowSeconds),
  });
  return new Map(rows.map(({ id, ratio, is_cached: isCached }) => [id, { ratio, isCached: isCached === 1 }]));
}

/** Rows of requests to origins that paths are counted from: they take a fifth of a second of a processor, a million of them a whole one. */
export const COSTLY_ROWS_MAX = 200_000;

/**
 * The minute, in Unix seconds, where the newest rows begin of which there are so many, from the roll-up; no row where the range has
 * fewer.
 */
export const costlyStartQuery = `
  SELECT toUnixTimestamp(minute) AS start FROM (
    SELECT minute, ${ASKED} AS asked FROM requests
    WHERE ${SCOPE} AND quarter_hour >= toStartOfFifteenMinutes(toDateTime({from:UInt32}, 'UTC')) GROUP BY minute)
  QUALIFY sum(asked) OVER (ORDER BY minute DESC) >= {most:UInt32} ORDER BY minute DESC LIMIT 1`;

const COSTLY = `${SCOPE} AND upstream_address != '' AND cache NOT IN ('hit', 'stale') AND path != ''
  AND quarter_hour >= toStartOfFifteenMinutes(toDateTime({start:UInt32}, 'UTC'))
  AND time >= toDateTime64({start:UInt32}, 3, 'UTC') AND time < toDateTime64({end:UInt32}, 3, 'UTC')`;
const COSTLY_BYTES = `sumIf(bytes_sent, cache != 'revalidated')`;

/**
 * Paths with what most of their requests came to: found first, by the path alone, and then looked at closely. A row of a test attack has asked
 * no origin. What was passed by in development mode says nothing of a path that anything else is known of. What was stale, and served all the same, is no cost: visitors had not waited for it.
 */
export function costlyQuery(sort: CostlySort): string {
  const order = sort === 'bytes' ? 'bytes DESC, requests DESC, path' : 'requests DESC, bytes DESC, path';
  const found = `
    SELECT path FROM (SELECT path, count() AS requests, ${COSTLY_BYTES} AS bytes FROM requests WHERE ${COSTLY} GROUP BY path)
    ORDER BY ${order} LIMIT ${COSTLY_PATHS_MAX}`;
  return `
  SELECT path, sum(count) AS requests, sum(sent) AS bytes, sum(waited) AS origin_ms,
    argMax((outcome, why, answered), (why != 'development', count, outcome, why)) AS most,
    most.1 AS cache, most.2 AS cache_reason, most.3 AS status
  FROM (
    SELECT path, outcome, why, sum(number) AS count, sum(sent) AS sent, sum(waited) AS waited,
      argMax(answered, (number, answered)) AS answered
    FROM (
      SELECT path, cache AS outcome, cache_reason AS why, upstream_status AS answered, count() AS number,
        ${COSTLY_BYTES} AS sent, sum(upstream_ms) AS waited
      FROM requests WHERE ${COSTLY} AND path IN (${found})
      GROUP BY path, outcome, why, answered)
    GROUP BY path, outcome, why)
  GROUP BY path ORDER BY ${order}`;
}

/** The paths of a route for which origins are asked most, most first, and the Unix second from which they are counted. */
export async function readCostlyPaths(
  clickhouse: ClickHouseClient,
  accountId: string,
  routeId: string,
  window: Window,
  sort: CostlySort,
  rowsMax: number,
): Promise<{ start: number; paths: CostlyPath[] }> {
  const parameters = parametersOf(accountId, routeId, window);
  const [first] = await selectRows<{ start: number }>(clickhouse, costlyStartQuery, { ...parameters, most: rowsMax });
  const start = Math.max(window.from, first?.start ?? 0);
  const rows = await selectRows<CostlyPath & { most: unknown }>(
    clickhouse,
    costlyQuery(sort),
    { ...parameters, start },
    { optimize_use_projections: 0 },
  );
  return { start, paths: rows.map(({ most: _, ...path }) => path) };
}
