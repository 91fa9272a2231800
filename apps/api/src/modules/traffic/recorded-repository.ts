import { type ClickHouseClient, streamRows } from '../../platform/clickhouse.ts';

/** What the log has of a request that plugins may ask for, and what was decided then. */
export interface RecordedRequest {
  /** Unix milliseconds, when it ended. */
  readonly at: number;
  readonly request_id: string;
  readonly host: string;
  readonly method: string;
  /** As nginx made it: decoded, without dot segments. */
  readonly path: string;
  /** As it was sent, where origins may read another path in it; else empty. */
  readonly raw_path: string;
  /** As it was sent, but for values that are kept out of the log. */
  readonly query: string;
  readonly scheme: string;
  readonly client_address: string;
  readonly country: string;
  readonly user_agent: string;
  readonly referer: string;
  readonly plugin: string;
  readonly action: string;
}

const COLUMNS = `request_id, host, method, path, raw_path, query, scheme, client_address, country, user_agent, referer, plugin, action`;

/** Without requests that nginx could read no path of, which reach no plugin, and without test attacks, which no visitor has sent. */
const QUERY = `
  SELECT toUnixTimestamp64Milli(time) AS at, ${COLUMNS} FROM (
    SELECT time, ${COLUMNS} FROM requests
    WHERE account_id = {account:UUID} AND route_id = {route:UUID} AND path != '' AND NOT is_test
      AND quarter_hour >= toStartOfFifteenMinutes(toDateTime({since:UInt32}, 'UTC'))
      AND time >= toDateTime64({since:UInt32}, 3, 'UTC')
    ORDER BY time DESC LIMIT {limit:UInt32})
  ORDER BY time, request_id`;

/** The newest requests to a route since a moment in Unix seconds, the oldest of them first. */
export const readRecorded = (
  clickhouse: ClickHouseClient,
  accountId: string,
  routeId: string,
  { since, limit }: { readonly since: number; readonly limit: number },
  signal: AbortSignal,
): Promise<AsyncIterable<RecordedRequest[]>> =>
  streamRows(clickhouse, QUERY, { account: accountId, route: routeId, since, limit }, signal);
