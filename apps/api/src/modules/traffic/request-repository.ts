import type { operations, StatusClass } from '@cordon/contract';
import type { z } from 'zod';
import { type ClickHouseClient, selectRows } from '../../platform/clickhouse.ts';
import { IS_OF_WAITING } from './waits.ts';

export type LoggedRequest = z.input<typeof operations.listRecentRequests.ok>['result'][number];

/** Requests from a country, what a plugin (with a reason; '' is the edge itself) decided, or what was answered with a class of status. */
export interface RequestMatch {
  readonly country?: string | undefined;
  readonly plugin?: string | undefined;
  readonly reason?: string | undefined;
  readonly status?: StatusClass | undefined;
}

/** As the projections have them, letter by letter. */
export const STATUS_CONDITIONS: Readonly<Record<StatusClass, string>> = {
  '2xx': 'status >= 200 AND status < 300',
  '3xx': 'status >= 300 AND status < 400',
  '4xx': 'status >= 400 AND status < 500',
  '5xx': 'status >= 500',
};

export interface RequestFilter extends RequestMatch {
  readonly routeId?: string | undefined;
  readonly requestId?: string | undefined;
  readonly action: 'block' | 'challenge' | 'all';
  readonly limit: number;
}

/** The conditions of a match within an account, but for the status, which roll-ups hold as counts; their values go by the names of its fields. */
export const matchOf = ({ country, plugin, reason }: RequestMatch): string =>
  [
    'account_id = {account:UUID}',
    ...(country === undefined ? [] : ['country = {country:String}']),
    ...(plugin === undefined ? [] : ['plugin = {plugin:String}']),
    ...(reason === undefined ? [] : ['reason = {reason:String}']),
  ].join(' AND ');

/** Challenges are those that are counted as such, unless a plugin's own are asked for. */
const scopeOf = (filter: RequestFilter) =>
  [
    matchOf(filter),
    ...(filter.routeId ? ['route_id = {route:UUID}'] : []),
    ...(filter.action === 'challenge' && filter.plugin === undefined ? [`NOT ${IS_OF_WAITING}`] : []),
  ].join(' AND ');

/**
 * Unix seconds of the quarter of an hour where the last `limit` rows begin, from a roll-up: the rows themselves are then
 * read from there on and no further back, however rare they are.
 */
export function startQuery(filter: RequestFilter): string {
  const counted = filter.status
    ? `countIf(${STATUS_CONDITIONS[filter.status]})`
    : filter.action === 'all'
      ? 'count()'
      : `countIf(action = '${filter.action}')`;
  return `
    SELECT toUnixTimestamp(quarter) AS start, sum(requests) OVER (ORDER BY quarter DESC) AS newer FROM (
      SELECT quarter_hour AS quarter, ${counted} AS requests FROM requests
      WHERE ${scopeOf(filter)} GROUP BY quarter_hour HAVING requests > 0
    ) QUALIFY newer - requests < {limit:UInt32} ORDER BY quarter LIMIT 1`;
}

const COLUMNS = `
  formatDateTimeInJodaSyntax(time, 'yyyy-MM-dd\\'T\\'HH:mm:ss.SSS\\'Z\\'') AS at, request_id, route_id, host AS domain_name, method,
  path,
  query, scheme, status, bytes_sent, duration_ms, client_address, country, user_agent, referer, plugin, action, reason, rule,
  upstream_status, version, is_test, raw_path`;

export function requestsQuery(filter: RequestFilter): string {
  const conditions = [
    scopeOf(filter),
    ...(filter.requestId === undefined
      ? [`quarter_hour >= toDateTime({start:UInt32}, 'UTC')`]
      : ['request_id = {request:String}']),
    ...(filter.action === 'all' ? [] : [`action = '${filter.action}'`]),
    ...(filter.status ? [STATUS_CONDITIONS[filter.status]] : []),
  ];
  return `SELECT ${COLUMNS} FROM requests WHERE ${conditions.join(' AND ')}
    ORDER BY time DESC, request_id LIMIT {limit:UInt32}`;
}

/** The last requests of an account that fit the filter, newest first. */
export async function listRequests(
  clickhouse: ClickHouseClient,
  accountId: string,
  filter: RequestFilter,
): Promise<LoggedRequest[]> {
  const { routeId, requestId, country, plugin, reason, limit } = filter;
  const parameters = { account: accountId, route: routeId, request: requestId, country, plugin, reason, limit };
  const [first] =
    requestId === undefined
      ? await selectRows<{ start: number }>(clickhouse, startQuery(filter), parameters)
      : [{ start: 0 }];
  if (!first) return [];
  const rows = await selectRows<LoggedRequest & { at: string }>(clickhouse, requestsQuery(filter), {
    ...parameters,
    start: first.start,
  });
  return rows.map(({ at, ...row }) => ({ ...row, time: at }));
}
