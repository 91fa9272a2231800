import type { BusyRoute } from '@cordon/plugin-kit/server';
import { type ClickHouseClient, selectRows } from '../../platform/clickhouse.ts';

/** By the projection of minutes: what plugins have not blocked already. */
const NOT_BLOCKED = `count() - countIf(action = 'block')`;
const DAY_SECONDS = 86_400;
const HISTORY_DAYS = 7;
const RECENT_SECONDS = 3_600;
/** Minutes with requests that make a history, and how many of them have fewer than what counts as usual. */
const HISTORY_MINUTES_MIN = 60;
const USUAL_SHARE = 0.95;
const ROUTES_MAX = 1_000;
const IS_OF_ACCOUNT = `account_id != toUUID('00000000-0000-0000-0000-000000000000')`;

type Busy = Omit<BusyRoute, 'usual'>;

/** Domains whose busiest minute since `since`, the present one included, has so many requests, the busiest first. */
const readBusy = (clickhouse: ClickHouseClient, since: number, least: number): Promise<Busy[]> =>
  selectRows(
    clickhouse,
    `SELECT toString(account_id) AS account_id, toString(route_id) AS route_id, max(sum) AS requests FROM (
       SELECT account_id, route_id, minute, ${NOT_BLOCKED} AS sum FROM requests
       WHERE ${IS_OF_ACCOUNT} AND quarter_hour >= toStartOfFifteenMinutes(toDateTime({since:UInt32}, 'UTC'))
         AND minute >= toDateTime({since:UInt32}, 'UTC')
       GROUP BY account_id, route_id, minute HAVING sum >= {least:UInt32})
     GROUP BY account_id, route_id ORDER BY requests DESC LIMIT ${ROUTES_MAX}`,
    { since, least },
  );

/**
 * What is usual for each of the domains: in minutes with requests before `before`, those apart in which the plugin had a
 * verdict. The verdicts are looked for among what the projection groups by.
 */
async function readUsual(
  clickhouse: ClickHouseClient,
  routes: readonly Busy[],
  before: number,
  plugin: string,
): Promise<ReadonlyMap<string, number>> {
  const rows = await selectRows<{ route_id: string; usual: number }>(
    clickhouse,
    `SELECT toString(route_id) AS route_id, quantileExact(${USUAL_SHARE})(sum) AS usual FROM (
       SELECT route_id, sum(not_blocked) AS sum FROM (
         SELECT account_id, route_id, minute, plugin, ${NOT_BLOCKED} AS not_blocked FROM requests
         WHERE account_id IN {accounts:Array(UUID)} AND route_id IN {routes:Array(UUID)}
           AND quarter_hour >= toStartOfFifteenMinutes(toDateTime({since:UInt32}, 'UTC'))
           AND minute < toDateTime({before:UInt32}, 'UTC')
         GROUP BY account_id, route_id, minute, plugin)
       GROUP BY account_id, route_id, minute HAVING NOT max(plugin = {plugin:String}))
     GROUP BY route_id HAVING count() >= ${HISTORY_MINUTES_MIN}`,
    {
      accounts: [...new Set(routes.map((route) => route.account_id))],
      routes: routes.map((route) => route.route_id),
      since: before - HISTORY_DAYS * DAY_SECONDS,
      before,
      plugin,
    },
  );
  return new Map(rows.map(({ route_id, usual }) => [route_id, usual]));
}

/**
 * Domains of all accounts that have so many requests a minute now, with what is usual for them.
 * @param now Unix seconds.
 * @param plugin Its verdicts are those of an attack: minutes with one are no history.
 */
export async function readBusyRoutes(
  clickhouse: ClickHouseClient,
  now: number,
  least: number,
  plugin: string,
): Promise<BusyRoute[]> {
  const minute = Math.floor(now / 60) * 60;
  const busy = await readBusy(clickhouse, minute - 60, least);
  if (busy.length === 0) return [];
  // What goes on now, and began a while ago, is no history.
  const usual = await readUsual(clickhouse, busy, minute - RECENT_SECONDS, plugin);
  return busy.map((route) => ({ ...route, usual: usual.get(route.route_id) ?? null }));
}
