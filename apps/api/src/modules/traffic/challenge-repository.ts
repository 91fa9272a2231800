import { type ClickHouseClient, selectRows } from '../../platform/clickhouse.ts';
import { IS_OF_WAITING } from './waits.ts';

/** Challenges of a domain that were shown, and of these how many were met. */
export interface Challenges {
  readonly challenged: number;
  readonly passed: number;
  /** The minute of the last one that was shown, in Unix seconds; 0 without one. */
  readonly challenged_at: number;
  /** Challenges that were met in the hour before. */
  readonly passed_before: number;
}

/** By the projection of minutes, letter by letter. Who only waits is not challenged. */
const challengesOf = (scope: string) => `
  SELECT account_id, route_id, sumIf(shown, minute >= begin) AS challenged, sumIf(met, minute >= begin) AS passed,
    toUnixTimestamp(maxIf(minute, shown > 0 AND minute >= begin)) AS challenged_at, sumIf(met, minute < begin) AS passed_before,
    toDateTime({since:UInt32}, 'UTC') AS begin
  FROM (
    SELECT account_id, route_id, minute, countIf(action = 'challenge') AS shown,
      countIf(plugin = '' AND reason = 'challenge_met') AS met
    FROM requests
    WHERE ${scope} AND NOT ${IS_OF_WAITING} AND quarter_hour >= toStartOfFifteenMinutes(toDateTime({since:UInt32} - 3600, 'UTC'))
      AND minute >= toDateTime({since:UInt32} - 3600, 'UTC')
    GROUP BY account_id, route_id, minute)
  GROUP BY account_id, route_id`;

/** Of one domain since a moment in Unix seconds, the start of a minute. */
export async function readChallenges(
  clickhouse: ClickHouseClient,
  accountId: string,
  routeId: string,
  since: number,
): Promise<Challenges> {
  const [row] = await selectRows<Challenges>(
    clickhouse,
    `SELECT challenged, passed, challenged_at, passed_before FROM (${challengesOf('account_id = {account:UUID} AND route_id = {route:UUID}')})`,
    { account: accountId, route: routeId, since },
  );
  return row ?? { challenged: 0, passed: 0, challenged_at: 0, passed_before: 0 };
}

/** A domain with many challenges of which none was met. */
export interface UnmetChallenges extends Challenges {
  readonly route_id: string;
  readonly account_id: string;
}

const ROUTES_MAX = 10_000;
const IS_OF_ACCOUNT = `account_id != toUUID('00000000-0000-0000-0000-000000000000')`;

/** Of all accounts, domains with so many challenges of which none was met, most first. */
export const listUnmetChallenges = (
  clickhouse: ClickHouseClient,
  since: number,
  challengedMin: number,
): Promise<UnmetChallenges[]> =>
  selectRows(
    clickhouse,
    `SELECT toString(account_id) AS account_id, toString(route_id) AS route_id, challenged, passed, challenged_at, passed_before FROM (
       ${challengesOf(IS_OF_ACCOUNT)} HAVING challenged >= {least:UInt32} AND passed = 0)
     ORDER BY challenged DESC LIMIT ${ROUTES_MAX}`,
    { since, least: challengedMin },
  );
