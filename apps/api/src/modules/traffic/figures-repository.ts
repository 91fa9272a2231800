import { type ClickHouseClient, selectRows } from '../../platform/clickhouse.ts';
import { shownHours } from './answers-repository.ts';
import { ACCOUNT_HIT_RATIOS } from './cache-repository.ts';

export type Figure = 'requests' | 'blocked' | 'hit_ratio';

/**
 * Domains with the number of each, as arrays in the notation of PostgreSQL: of 100,000 they go from store to store as they
 * are, since making an object of each would hold the event loop.
 */
export interface DomainFigures {
  readonly ids: string;
  readonly figures: string;
}

const countedBy = (measure: string) => `
  SELECT route_id, ${measure} AS figure FROM requests
  WHERE account_id = {account:UUID} AND quarter_hour >= toDateTime({from:UInt32}, 'UTC') AND quarter_hour < toDateTime({end:UInt32}, 'UTC')
  GROUP BY route_id HAVING figure > 0`;
/** Of a ratio, billionths: whole numbers, as the others are. */
const FIGURES: Record<Figure, string> = {
  requests: countedBy('count()'),
  blocked: countedBy(`countIf(action = 'block')`),
  hit_ratio: `SELECT route_id, toInt64(round(ratio * 1e9)) AS figure FROM (${ACCOUNT_HIT_RATIOS})`,
};
/** With those that were deleted meanwhile. */
const ROUTES_MAX = 500_000;

/** Of the hours that `readDomainHours` counts, by the roll-ups that a page of the list is read from; domains without are left out. */
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
       ${FIGURES[figure]} ORDER BY figure DESC LIMIT ${ROUTES_MAX})`,
    { account: accountId, ...shownHours(nowSeconds) },
  );
  return row ?? { ids: '{}', figures: '{}' };
}
