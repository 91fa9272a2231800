import { type ClickHouseClient, selectRows } from '../../platform/clickhouse.ts';

/** How requests of one node to one address of an origin went. Times are Unix seconds; 0: none. */
export interface OriginTraffic {
  readonly node_id: string;
  /** `address:port`, IPv6 in brackets. */
  readonly address: string;
  readonly requests: number;
  readonly answered_at: number;
  readonly response_ms: number;
  readonly failed_at: number;
  readonly failing_since: number;
  readonly failed_status: number;
  readonly failed_reason: string;
}

/** Newest rows that are looked at: enough to judge an origin, however busy it is. */
const ROWS_MAX = 20_000;

/**
 * nginx logs its own 502 or 504 as the state of a try that got no answer, and the origin's state otherwise: where both
 * are the same the row is taken for a failure, as an origin that answers 502 or 504 is one to its visitors, too.
 */
const ORIGINS_QUERY = `
  SELECT toString(node) AS node_id, address, count() AS requests,
    toUnixTimestamp64Milli(maxIf(time, NOT is_failed)) / 1000 AS answered_at,
    argMaxIf(ms, time, NOT is_failed) AS response_ms,
    toUnixTimestamp64Milli(maxIf(time, is_failed)) / 1000 AS failed_at,
    toUnixTimestamp64Milli(minIf(time, is_failed AND time > last_answer)) / 1000 AS failing_since,
    argMaxIf(status, time, is_failed) AS failed_status,
    argMaxIf(reason, time, is_failed) AS failed_reason
  FROM (
    SELECT node, address, time, ms, status, reason, is_failed,
      maxIf(time, NOT is_failed) OVER (PARTITION BY node, address) AS last_answer
    FROM (
      SELECT node_id AS node, upstream_address AS address, time, upstream_ms AS ms, upstream_status AS status, reason,
        upstream_status IN (502, 504) AS is_failed
      FROM requests
      WHERE account_id = {account:UUID} AND route_id = {route:UUID} AND time >= toDateTime({since:UInt32}, 'UTC')
        AND upstream_address != '' AND upstream_status != 0
      ORDER BY time DESC LIMIT ${ROWS_MAX}
    )
  )
  GROUP BY node, address ORDER BY address, node_id`;

/** How the newest requests to each address of a route's origins went since a moment in Unix seconds, by node. */
export const readOriginTraffic = (
  clickhouse: ClickHouseClient,
  accountId: string,
  routeId: string,
  since: number,
): Promise<OriginTraffic[]> => selectRows(clickhouse, ORIGINS_QUERY, { account: accountId, route: routeId, since });
