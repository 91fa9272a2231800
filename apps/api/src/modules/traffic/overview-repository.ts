import { TOP_DOMAINS_MAX } from '@cordon/contract';
import { type ClickHouseClient, selectRows } from '../../platform/clickhouse.ts';
import type { OverviewRow, Window } from './overview.ts';
import { matchOf, type RequestMatch, STATUS_CONDITIONS } from './request-repository.ts';
import { IS_OF_WAITING } from './waits.ts';

const OVERVIEW_DOMAINS_MAX = 10;
const COUNTRIES_MAX = 250;
const BLOCKED = `countIf(action = 'block')`;
const CHALLENGED = `countIf(action = 'challenge')`;
/** Beside blocked requests: those that were challenged, and proofs that were accepted. */
const CHALLENGES = `${CHALLENGED} AS challenged, countIf(plugin = '' AND reason = 'challenge_met') AS passed`;
const STATUSES = `
  countIf(${STATUS_CONDITIONS['2xx']}) AS status_2xx, countIf(${STATUS_CONDITIONS['3xx']}) AS status_3xx,
  countIf(${STATUS_CONDITIONS['4xx']}) AS status_4xx, countIf(${STATUS_CONDITIONS['5xx']}) AS status_5xx`;
const COLUMNS =
  'part, bucket, label, reason, requests, bytes, blocked, challenged, passed, status_2xx, status_3xx, status_4xx, status_5xx';

/** What lies between a start and the end of the window, both given as parameters. */
export function withinOf({ unit }: Window, start: 'previous_from' | 'from'): string {
  // In milliseconds where the unit has them: below a DateTime means, by the index, up to the second before it.
  const moment = (name: string) =>
    unit === 'time' ? `toDateTime64({${name}:UInt32}, 3, 'UTC')` : `toDateTime({${name}:UInt32}, 'UTC')`;
  // Partitions are chosen by quarter_hour alone.
  return `quarter_hour >= toStartOfFifteenMinutes(toDateTime({${start}:UInt32}, 'UTC'))
      AND ${unit} >= ${moment(start)} AND ${unit} < ${moment('end')}`;
}

// The search for a projection is left out where none can match.
export const settingsOf = ({ unit }: Window) => ({ optimize_use_projections: unit === 'time' ? 0 : 1 }) as const;

/**
 * The whole reading as one statement, so that its parts see the same rows. The expressions are those of the
 * projections in apps/api/clickhouse, letter by letter: that is how ClickHouse finds them. Each part costs some
 * milliseconds of planning, so there are as few as can be: the reasons come along with the series.
 */
export function overviewQuery(window: Window, hasRoute: boolean): string {
  const { unit } = window;
  const scope = `account_id = {account:UUID}${hasRoute ? ' AND route_id = {route:UUID}' : ''}`;
  const since = (start: 'previous_from' | 'from') => `${scope} AND ${withinOf(window, start)}`;
  const bucket = `toUnixTimestamp(toStartOfInterval(${unit}, toIntervalSecond({bucket:UInt32})))`;
  const series = `
    SELECT 'series' AS part, ${bucket} AS bucket, plugin AS label, reason, count() AS requests, sum(bytes_sent) AS bytes,
      ${BLOCKED} AS blocked, ${CHALLENGES}, ${STATUSES}
    FROM requests WHERE ${since('previous_from')} GROUP BY bucket, plugin, reason`;
  const domains = `
    SELECT 'domain', 0, toString(route_id), '', sum(requests) AS requests, sum(bytes), sum(blocked),
      sumIf(challenged, NOT ${IS_OF_WAITING}), sum(passed), 0, 0, 0, 0
    FROM (
      SELECT route_id, plugin, count() AS requests, sum(bytes_sent) AS bytes, ${BLOCKED} AS blocked, ${CHALLENGES}
      FROM requests WHERE ${since('from')} GROUP BY route_id, plugin)
    GROUP BY route_id ORDER BY requests DESC, toString(route_id) LIMIT ${OVERVIEW_DOMAINS_MAX}`;
  const countries = `
    SELECT 'country', 0, country, '', count() AS requests, 0, ${BLOCKED}, 0, 0, 0, 0, 0, 0
    FROM requests WHERE ${since('from')} GROUP BY country ORDER BY requests DESC, country LIMIT ${COUNTRIES_MAX}`;
  return `SELECT ${COLUMNS} FROM (${[series, countries, ...(hasRoute ? [] : [domains])].join('\nUNION ALL\n')})`;
}

/** All parts of the reading of an account, or of one of its routes. */
export const readOverview = (
  clickhouse: ClickHouseClient,
  accountId: string,
  routeId: string | undefined,
  window: Window,
): Promise<OverviewRow[]> =>
  selectRows(
    clickhouse,
    overviewQuery(window, routeId !== undefined),
    {
      account: accountId,
      route: routeId,
      previous_from: window.previousFrom,
      from: window.from,
      end: window.end,
      bucket: window.bucketSeconds,
    },
    settingsOf(window),
  );

export interface TopDomainRow {
  readonly route_id: string;
  readonly requests: number;
  readonly blocked: number;
  /** What the domains are ordered by. */
  readonly value: number;
  /** Domains in all. */
  readonly domains: number;
}

/** A match, or the number that the domains are ordered by. */
export interface TopDomainsMatch extends RequestMatch {
  readonly by?: 'requests' | 'bytes' | 'challenged' | undefined;
}

const measureOf = ({ country, status, by }: TopDomainsMatch): string => {
  if (status !== undefined) return `countIf(${STATUS_CONDITIONS[status]})`;
  if (by === 'bytes') return 'sum(bytes_sent)';
  if (by === 'challenged') return CHALLENGED;
  return country === undefined && by === undefined ? BLOCKED : 'count()';
};

/** From the same projections as the overview, so that the sums agree: waits count where a plugin's own are asked for. */
export function topDomainsQuery(window: Window, match: TopDomainsMatch): string {
  const countedBy = (keys: string) => `
    SELECT ${keys}, count() AS requests, ${BLOCKED} AS blocked, ${measureOf(match)} AS value
    FROM requests WHERE ${matchOf(match)} AND ${withinOf(window, 'from')} GROUP BY ${keys}`;
  const isWithoutWaits = match.by === 'challenged' && match.plugin === undefined;
  const counted = isWithoutWaits
    ? `SELECT route_id, sum(requests) AS requests, sum(blocked) AS blocked, sumIf(value, NOT ${IS_OF_WAITING}) AS value
       FROM (${countedBy('route_id, plugin')}) GROUP BY route_id`
    : countedBy('route_id');
  return `
  SELECT toString(route_id) AS route_id, requests, blocked, value, count() OVER () AS domains FROM (
    ${counted} HAVING value > 0
  ) ORDER BY value DESC, requests DESC, blocked DESC, route_id LIMIT ${TOP_DOMAINS_MAX}`;
}

/** Domains with most of what is asked for, most first; without a match, of blocked requests. */
export const readTopDomains = (
  clickhouse: ClickHouseClient,
  accountId: string,
  window: Window,
  match: TopDomainsMatch,
): Promise<TopDomainRow[]> => {
  const { country, plugin, reason } = match;
  return selectRows(
    clickhouse,
    topDomainsQuery(window, match),
    { account: accountId, country, plugin, reason, from: window.from, end: window.end },
    settingsOf(window),
  );
};
