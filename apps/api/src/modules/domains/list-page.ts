import type { RouteSort } from '@cordon/contract';
import type { Figure } from '../traffic/service.ts';
import { type Conditions, FIRST_PARAMETER } from './list-conditions.ts';

/** Names in the order of what people read (migration 0006). */
export const ORDER_OF_NAMES = 'domain_name_unicode COLLATE "und-x-icu"';

/** Of which traffic the number is that an order goes by. */
export function figureOf(sort: RouteSort): Figure | undefined {
  const column = sort.replace('-', '');
  return column === 'requests' || column === 'blocked' || column === 'hit_ratio' ? column : undefined;
}

/** The place of a domain by its number, 0 where it has none; what has no ratio, which may be 0 too, comes last in both directions. */
function placeOf(sort: RouteSort): string {
  const figure = sort.startsWith('-') ? '-figure' : 'figure';
  return figureOf(sort) === 'hit_ratio' ? figure : `coalesce(${figure}, 0)`;
}

/** Column, direction and place of nulls of the list's order; by health or a number, of what has the same. */
function sortOf(sort: RouteSort) {
  const isByName = sort === 'health' || figureOf(sort) !== undefined;
  const column = isByName ? 'domain_name' : sort.replace('-', '');
  const isDescending = sort.startsWith('-') && !isByName;
  // Never deployed counts as oldest in both directions.
  const nulls = column === 'last_deployed' ? (isDescending ? ' NULLS LAST' : ' NULLS FIRST') : '';
  return {
    column: column === 'domain_name' ? ORDER_OF_NAMES : column,
    direction: isDescending ? 'DESC' : 'ASC',
    nulls,
  };
}

/** The order of the list, of the columns of a table. */
export function orderOf(sort: RouteSort, table: string): string {
  const { column, direction, nulls } = sortOf(sort);
  return `${table}.${column} ${direction}${nulls}, ${table}.id ${direction}`;
}

/** A search sorts what it found if that is fewer; else it reads the page in the order of an index, and counts apart. */
export const FEW = 20_000;
/** Knowing that a page is deep, the planner would sort everything, which costs more than the index from its start. */
const UNKNOWN_OFFSET = '(SELECT $3::bigint)';
export const TOTAL = '(SELECT coalesce(sum(routes), 0)::int FROM route_counts WHERE account_id = $1)';

/** Whether so many are unwell that to sort them by name costs more than to number all names. */
export const areWorstMany = ({ worstCountMax }: Conditions, few: number) => worstCountMax > few / 2;

const LIVE = "account_id = $1 AND status <> 'deleted'";
const pageOf = (from: string, offset = '$3') => `SELECT id FROM ${from} LIMIT $2 OFFSET ${offset}`;

/** Those that come before all others in the order by health. */
const worstOf = ({ worst }: Conditions) =>
  `worst AS MATERIALIZED (${worst.map((ids, place) => `SELECT id AS route_id, ${place} AS place FROM (${ids}) AS ids`).join(' UNION ALL ')})`;
/** Of a table in that order: the unwell ones are sorted, all others come by the index of names. */
const unwellOf = (table: string, where: string) =>
  `unwell AS MATERIALIZED (SELECT id, place FROM worst JOIN ${table} ON id = route_id WHERE ${where} ORDER BY place, ${orderOf('health', table)})`;
const othersOf = (table: string, where: string, { worst }: Conditions) =>
  `(SELECT id, ${worst.length} FROM ${table} WHERE ${where} AND id NOT IN (SELECT route_id FROM worst) ORDER BY ${orderOf('health', table)})`;
const placedOf = (from: string, offset = '$3') =>
  `SELECT id, place FROM (SELECT id, place FROM unwell${from && ` UNION ALL ${from}`}) AS placed LIMIT $2 OFFSET ${offset}`;
/** The same where many are unwell: numbered in the order of the index, so that names are not compared; `found` narrows them down. */
const rankedOf = (where: string, found: string, { worst }: Conditions, offset = '$3') =>
  `SELECT named.id, coalesce(place, ${worst.length}) AS place
    FROM (SELECT id, row_number() OVER (ORDER BY ${orderOf('health', 'routes')}) AS rank FROM routes WHERE ${where}) AS named
      ${found} LEFT JOIN worst ON route_id = named.id
    ORDER BY coalesce(place, ${worst.length}), rank LIMIT $2 OFFSET ${offset}`;
/** Of a small table, which is sorted whole. */
const sortedOf = (table: string, where: string, { worst }: Conditions) =>
  `SELECT id, coalesce(place, ${worst.length}) AS place FROM ${table} LEFT JOIN worst ON route_id = id ${where}
    ORDER BY place, ${orderOf('health', table)} LIMIT $2 OFFSET $3`;

/**
 * The ids of a page and the count, by health or a number with the place of each. Where counters know the count, the page
 * comes by its index alone, so that a deep one reads no wide rows that it skips. A search by name or health reads texts only.
 */
export function pageAndCount(conditions: Conditions, sort: RouteSort, reads: Reads, few: number): string {
  const where = `${LIVE}${conditions.sql}`;
  const ofCounters = `counted AS (SELECT coalesce(sum(routes), 0)::int AS count FROM route_counts WHERE account_id = $1${conditions.sql})`;
  const ofRows = `counted AS (SELECT count(*)::int AS count FROM routes WHERE ${where})`;
  const counted = conditions.areCounted && !conditions.isSearch ? ofCounters : ofRows;
  const { column, direction, nulls } = sortOf(sort);
  switch (reads) {
    case 'counters':
      return `page AS MATERIALIZED (${pageOf(`routes WHERE ${where} ORDER BY ${orderOf(sort, 'routes')}`)}), ${ofCounters}`;
    case 'rows':
      return `matched AS MATERIALIZED (SELECT id, ${column} AS place FROM routes WHERE ${where}),
        page AS MATERIALIZED (${pageOf(`matched ORDER BY place ${direction}${nulls}, id ${direction}`)}),
        counted AS (SELECT count(*)::int AS count FROM matched)`;
    case 'figures':
      // Numbered in the order of names, which comes by an index: all that are sorted have less in them, and names are not compared.
      return `page AS MATERIALIZED (SELECT id, ${placeOf(sort)} AS place
          FROM (SELECT id, row_number() OVER (ORDER BY ${orderOf(sort, 'routes')}) AS rank FROM routes WHERE ${where}) AS named
            LEFT JOIN ${conditions.figures} ON route_id = id ORDER BY place, rank LIMIT $2 OFFSET $3), ${counted}`;
    case 'worst':
      return `${worstOf(conditions)}, ${unwellOf('routes', where)}, page AS MATERIALIZED (${placedOf('')}),
        counted AS (SELECT count(*)::int AS count FROM unwell)`;
    case 'health':
      if (areWorstMany(conditions, few))
        return `${worstOf(conditions)}, page AS MATERIALIZED (${rankedOf(where, '', conditions)}), ${counted}`;
      return `${worstOf(conditions)}, ${unwellOf('routes', where)},
        page AS MATERIALIZED (${placedOf(othersOf('routes', where, conditions))}), ${counted}`;
    case 'subscriptions':
      return ofSubscriptions(conditions, sort);
    case 'texts':
      return ofTexts(conditions, sort, few);
  }
}

/**
 * Where the CNAME of a subscription has the text, its domains come by its index and are counted by counters; only others
 * are searched.
 */
function ofSubscriptions(conditions: Conditions, sort: RouteSort): string {
  const isByHealth = sort === 'health';
  const ofOwn = `${LIVE}${conditions.besides}`;
  return `${isByHealth ? `${worstOf(conditions)}, ` : ''}
    others AS MATERIALIZED (SELECT id, domain_name_unicode FROM route_texts WHERE account_id = $1${conditions.ofOthers}),
    found AS MATERIALIZED (SELECT own.* FROM unnest(${conditions.subscriptions}) AS wanted (id) CROSS JOIN LATERAL (
        SELECT id, domain_name_unicode FROM routes
        WHERE ${ofOwn} AND subscription_id = wanted.id${isByHealth ? ' AND routes.id NOT IN (SELECT route_id FROM worst)' : ''}
        ORDER BY ${orderOf(sort, 'routes')} LIMIT $2::bigint + $3::bigint) AS own
      ${isByHealth ? `UNION ALL SELECT id, domain_name_unicode FROM worst JOIN routes ON id = route_id WHERE ${ofOwn} AND subscription_id = ANY(${conditions.subscriptions})` : ''}
      UNION ALL SELECT id, domain_name_unicode FROM others),
    page AS MATERIALIZED (${isByHealth ? sortedOf('found', '', conditions) : pageOf(`found ORDER BY ${orderOf(sort, 'found')}`)}),
    counted AS (SELECT (SELECT count(*)::int FROM others) + (SELECT coalesce(sum(routes), 0)::int FROM route_counts
      WHERE account_id = $1 AND subscription_id = ANY(${conditions.subscriptions})${conditions.besides}) AS count)`;
}

/**
 * What few texts have is sorted. Many matches are counted once: the count holds while no text was changed by a
 * transaction that it has not seen; that none was deleted is known by the total.
 */
function ofTexts(conditions: Conditions, sort: RouteSort, few: number): string {
  const isByHealth = sort === 'health';
  const isRanked = isByHealth && areWorstMany(conditions, few);
  const found = `route_texts WHERE account_id = $1${conditions.ofTexts}`;
  const many = `account_id = $1${conditions.ofManyTexts}`;
  const next = FIRST_PARAMETER + conditions.values.length;
  const [count, total, snapshot] = [`$${next}::int`, `$${next + 1}::int`, `$${next + 2}::pg_snapshot`];
  const isFew = `(SELECT count < ${few} FROM at_least)`;
  const ofMany = `${many} AND NOT ${isFew}`;
  const [ofFew, ofMost] = isByHealth
    ? [
        sortedOf('few', `WHERE ${isFew}`, conditions),
        isRanked
          ? rankedOf(
              LIVE,
              `JOIN (SELECT id AS found_id FROM route_texts WHERE ${ofMany}) AS found ON found_id = named.id`,
              conditions,
              UNKNOWN_OFFSET,
            )
          : placedOf(othersOf('route_texts', ofMany, conditions), UNKNOWN_OFFSET),
      ]
    : [
        pageOf(`few WHERE ${isFew} ORDER BY ${orderOf(sort, 'few')}`),
        pageOf(`route_texts WHERE ${ofMany} ORDER BY ${orderOf(sort, 'route_texts')}`, UNKNOWN_OFFSET),
      ];
  return `known AS MATERIALIZED (SELECT ${count} AS count WHERE ${total} = ${TOTAL} AND NOT EXISTS (
        SELECT FROM route_texts WHERE account_id = $1 AND NOT pg_visible_in_snapshot(changed_by, ${snapshot})
          AND changed_by BETWEEN pg_snapshot_xmin(${snapshot}) AND pg_snapshot_xmax(pg_current_snapshot()))),
      few AS MATERIALIZED (
        SELECT id, domain_name_unicode FROM ${found} AND NOT EXISTS (SELECT FROM known) LIMIT ${few}),
      at_least AS MATERIALIZED (SELECT coalesce((SELECT count FROM known), (SELECT count(*)::int FROM few)) AS count),
      counted AS (SELECT CASE WHEN ${isFew} OR EXISTS (SELECT FROM known) THEN count
        ELSE (SELECT count(*)::int FROM route_texts WHERE ${many}) END AS count FROM at_least),
      ${isByHealth ? `${worstOf(conditions)},` : ''} ${isByHealth && !isRanked ? `${unwellOf('route_texts', ofMany)},` : ''}
      page AS MATERIALIZED ((${ofFew}) UNION ALL (${ofMost}))`;
}

/** Where a page's rows and their count are read. */
export type Reads = 'counters' | 'subscriptions' | 'texts' | 'rows' | 'worst' | 'health' | 'figures';

export function readsOf({ isSearch, isOnlyWorst, areCounted, subscriptions }: Conditions, sort: RouteSort): Reads {
  if (figureOf(sort) !== undefined) return 'figures';
  if (sort === 'health' && isOnlyWorst) return 'worst';
  if (!isSearch) return sort === 'health' ? 'health' : areCounted ? 'counters' : 'rows';
  if (sort !== 'health' && !sort.endsWith('domain_name')) return 'rows';
  return areCounted && subscriptions !== undefined ? 'subscriptions' : 'texts';
}
