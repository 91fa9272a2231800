import { type ClickHouseClient, selectRows } from '../../platform/clickhouse.ts';
import type { OverviewRow, Window } from './overview.ts';

const TOP_DOMAINS_MAX = 10;
const COUNTRIES_MAX = 250;
const BLOCKED = `countIf(action = 'block')`;
const STATUSES = `
  countIf(status >= 200 AND status < 300) AS status_2xx, countIf(status >= 300 AND status < 400) AS status_3xx,
  countIf(status >= 400 AND status < 500) AS status_4xx, countIf(status >= 500) AS status_5xx`;
const COLUMNS = 'part, bucket, label, reason, requests, bytes, blocked, status_2xx, status_3xx, status_4xx, status_5xx';

/**
 * The whole reading as one statement, so that its parts see the same rows. The expressions are those of the
 * projections in apps/api/clickhouse, letter by letter: that is how ClickHouse finds them. Each part costs some
 * milliseconds of planning, so there are as few as can be: the reasons come along with the series.
 */
export function overviewQuery(window: Window, hasRoute: boolean): string {
  const { unit } = window;
  const scope = `account_id = {account:UUID}${hasRoute ? ' AND route_id = {route:UUID}' : ''}`;
  // In milliseconds where the unit has them: below a DateTime means, by the index, up to the second before it.
  const moment = (name: string) =>
    unit === 'time' ? `toDateTime64({${name}:UInt32}, 3, 'UTC')` : `toDateTime({${name}:UInt32}, 'UTC')`;
  // Partitions are chosen by quarter_hour alone.
  const since = (start: string) =>
    `${scope} AND quarter_hour >= toStartOfFifteenMinutes(toDateTime({${start}:UInt32}, 'UTC'))
      AND ${unit} >= ${moment(start)} AND ${unit} < ${moment('end')}`;
  const bucket = `toUnixTimestamp(toStartOfInterval(${unit}, toIntervalSecond({bucket:UInt32})))`;
  const series = `
    SELECT 'series' AS part, ${bucket} AS bucket, plugin AS label, reason, count() AS requests, sum(bytes_sent) AS bytes,
      ${BLOCKED} AS blocked, ${STATUSES}
    FROM requests WHERE ${since('previous_from')} GROUP BY bucket, plugin, reason`;
  const domains = `
    SELECT 'domain', 0, toString(route_id), '', count() AS requests, sum(bytes_sent), ${BLOCKED}, 0, 0, 0, 0
    FROM requests WHERE ${since('from')} GROUP BY route_id
    ORDER BY requests DESC, toString(route_id) LIMIT ${TOP_DOMAINS_MAX}`;
  const countries = `
    SELECT 'country', 0, country, '', count() AS requests, 0, ${BLOCKED}, 0, 0, 0, 0
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
    // The search for a projection is left out where none can match.
    { optimize_use_projections: window.unit === 'time' ? 0 : 1 },
  );
