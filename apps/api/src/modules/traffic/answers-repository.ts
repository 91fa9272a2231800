import { DOMAIN_TRAFFIC_POINTS } from '@cordon/contract';
import { type ClickHouseClient, selectRows } from '../../platform/clickhouse.ts';
import { IS_OF_WAITING } from './waits.ts';

/** What visitors of a domain got; requests that were blocked count, and are none of the failed ones. */
export interface Answers {
  readonly requests: number;
  readonly failed: number;
}
export interface RouteAnswers extends Answers {
  readonly route_id: string;
  readonly account_id: string;
}

/**
 * By the projection of minutes, letter by letter. What a plugin decides for one reason is blocked as a whole, or not at
 * all, so of each reason the blocked requests are those that fail first. What the edge answers because the domain is off has
 * not failed: its owner or the provider wants it so.
 */
const answers = (columns: string, scope: string, outer: string) => `
  SELECT ${columns} sum(requests) AS requests, sum(failed) AS failed FROM (
    SELECT account_id, route_id, plugin, reason, count() AS requests,
      if(plugin = '' AND reason IN ('deactivated', 'suspended'), 0,
        least(countIf(status >= 500), count() - countIf(action = 'block'))) AS failed
    FROM requests
    WHERE ${scope} quarter_hour >= toStartOfFifteenMinutes(toDateTime({since:UInt32}, 'UTC'))
      AND minute >= toDateTime({since:UInt32}, 'UTC')
    GROUP BY account_id, route_id, plugin, reason)
  ${outer}`;

const ROUTES_MAX = 10_000;

/** Of one domain since a moment in Unix seconds, the start of a minute. */
export async function readAnswers(
  clickhouse: ClickHouseClient,
  accountId: string,
  routeId: string,
  since: number,
): Promise<Answers> {
  const [row] = await selectRows<Answers>(
    clickhouse,
    answers('', 'account_id = {account:UUID} AND route_id = {route:UUID} AND', ''),
    { account: accountId, route: routeId, since },
  );
  return row ?? { requests: 0, failed: 0 };
}

/** Of all accounts, domains with so many requests, so many failed ones and so large a share of them, the worst first. */
export const listErrors = (
  clickhouse: ClickHouseClient,
  since: number,
  least: { readonly requestsMin: number; readonly failedMin: number; readonly shareMin: number },
): Promise<RouteAnswers[]> =>
  selectRows(
    clickhouse,
    answers(
      'toString(account_id) AS account_id, toString(route_id) AS route_id,',
      `account_id != toUUID('00000000-0000-0000-0000-000000000000') AND`,
      `GROUP BY account_id, route_id
       HAVING requests >= {requests:UInt32} AND failed >= {failed:UInt32} AND failed >= requests * {share:Float64}
       ORDER BY failed DESC LIMIT ${ROUTES_MAX}`,
    ),
    { since, requests: least.requestsMin, failed: least.failedMin, share: least.shareMin },
  );

export interface DomainHour {
  readonly id: string;
  /** 0 is the oldest. */
  readonly hour: number;
  readonly requests: number;
  readonly blocked: number;
  readonly challenged: number;
  readonly passed: number;
  readonly bytes: number;
  readonly status_5xx: number;
}

const HOUR = 3_600;

/** The hours that a list shows, the running one included, in Unix seconds. */
export function shownHours(nowSeconds: number): { from: number; end: number } {
  const end = (Math.floor(nowSeconds / HOUR) + 1) * HOUR;
  return { from: end - DOMAIN_TRAFFIC_POINTS * HOUR, end };
}

/** By hour, the last of which is the one that still runs; hours without requests are left out. */
export const readDomainHours = (
  clickhouse: ClickHouseClient,
  accountId: string,
  routeIds: readonly string[],
  nowSeconds: number,
): Promise<DomainHour[]> =>
  selectRows(
    clickhouse,
    `SELECT toString(route_id) AS id, hour, sum(all) AS requests, sum(block) AS blocked,
      sumIf(shown, NOT ${IS_OF_WAITING}) AS challenged, sum(met) AS passed, sum(sent) AS bytes, sum(failed) AS status_5xx
    FROM (
      SELECT route_id, toUInt32(intDiv(toUnixTimestamp(quarter_hour) - {from:UInt32}, ${HOUR})) AS hour, plugin,
        count() AS all, countIf(action = 'block') AS block, countIf(action = 'challenge') AS shown,
        countIf(plugin = '' AND reason = 'challenge_met') AS met, sum(bytes_sent) AS sent, countIf(status >= 500) AS failed
      FROM requests
      WHERE account_id = {account:UUID} AND route_id IN {routes:Array(UUID)}
        AND quarter_hour >= toDateTime({from:UInt32}, 'UTC') AND quarter_hour < toDateTime({end:UInt32}, 'UTC')
      GROUP BY route_id, hour, plugin)
    GROUP BY route_id, hour`,
    { account: accountId, routes: [...routeIds], ...shownHours(nowSeconds) },
  );
