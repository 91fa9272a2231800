import { type ClickHouseClient, selectRows } from '../../platform/clickhouse.ts';
import { shownHours } from './answers-repository.ts';

export type Figure = 'requests' | 'blocked';

/**
 * Domains with the number of each, as arrays in the notation of PostgreSQL: of 100,000 they go from store to store as they
 * are, since making an object of each would hold the event loop.
 */
export interface DomainFigures {
  readonly ids: string;
  readonly figures: string;
}

const MEASURES: Record<Figure, string> = { requests: 'count()', blocked: `countIf(action = 'block')` };
/** With those that were deleted meanwhile. */
const ROUTES_MAX = 500_000;

/** Of the hours that `readDomainHours` counts, by the same roll-up; domains without are left out. */
export async function readDomainFigures(
  clickhouse: ClickHouseClient,
  accountId: string,
  figure: Figure,
  nowSeconds: number,
): Promise<DomainFigures> {
  const arrayOf = (column: string) => `concat('{', arrayStringConcat(groupArray(toString(${column})), ','), '}')`;
  const [row] = await selectRows<DomainFigures>(
    clickhouse,
    `SELECT ${arrayOf('route_id')} AS ids, ${arrayOf('figure')} AS figures FROM (
       SELECT route_id, ${MEASURES[figure]} AS figure FROM requests
       WHERE account_id = {account:UUID}
         AND quarter_hour >= toDateTime({from:UInt32}, 'UTC') AND quarter_hour < toDateTime({end:UInt32}, 'UTC')
       GROUP BY route_id HAVING figure > 0 ORDER BY figure DESC LIMIT ${ROUTES_MAX})`,
    { account: accountId, ...shownHours(nowSeconds) },
  );
  return row ?? { ids: '{}', figures: '{}' };
}
