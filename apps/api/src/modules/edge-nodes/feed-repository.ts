import type { EdgeFeedEntry } from '@cordon/contract';
import { sql } from 'kysely';
import type pg from 'pg';
import type { Db, Executor } from '../../platform/database.ts';
import type {} from './tables.ts';

/**
 * Adds entries, or changes when they end. What has ended ended a second ago at the earliest: nodes hear of it as long as of
 * what ends by its time (`forgetEnded`).
 */
export async function putEntries(db: Executor, entries: readonly EdgeFeedEntry[]): Promise<void> {
  if (entries.length === 0) return;
  await sql`
    INSERT INTO feed_entries (feed, scope, network, ends_at)
    SELECT DISTINCT ON (feed, scope, network) feed, scope, network, CASE WHEN until IS NULL THEN NULL
      ELSE greatest(to_timestamp(until), clock_timestamp() - interval '1 second') END
    FROM unnest(${entries.map(({ feed }) => feed)}::text[], ${entries.map(({ scope }) => scope)}::uuid[],
      ${entries.map(({ network }) => network)}::text[], ${entries.map(({ until }) => until)}::float8[])
      WITH ORDINALITY AS given (feed, scope, network, until, place)
    ORDER BY feed, scope, network, place DESC
    ON CONFLICT (feed, scope, network) DO UPDATE SET ends_at = excluded.ends_at`.execute(db);
}

/** Entries that hold the address now, the narrowest first. */
export async function findEntries(
  db: Executor,
  scopes: readonly string[],
  address: string,
): Promise<(Omit<EdgeFeedEntry, 'until'> & { until: number | null })[]> {
  const { rows } = await sql<EdgeFeedEntry>`
    SELECT feed, scope, network, ceil(extract(epoch FROM ends_at))::bigint AS until FROM feed_entries
    WHERE range >>= ${address}::inet AND scope = ANY(${[...scopes]}::uuid[])
      AND (ends_at IS NULL OR ends_at > clock_timestamp())
    ORDER BY masklen(range) DESC LIMIT 1000`.execute(db);
  return rows;
}

/**
 * Entries of a feed that hold one of the addresses now, with it; those of the first scope come first, the narrowest first. As in
 * `countInside`, the addresses meet the entries by their length, not each with each.
 */
export async function findEntriesOfAll(
  db: Executor,
  scopes: readonly string[],
  feed: string,
  addresses: readonly string[],
): Promise<{ address: string; network: string; until: number | null }[]> {
  const { rows } = await sql<{ address: string; network: string; until: number | null }>`
    WITH entries AS MATERIALIZED (
      SELECT scope, network, range, ends_at FROM feed_entries
      WHERE feed = ${feed} AND scope = ANY(${[...scopes]}::uuid[]) AND (ends_at IS NULL OR ends_at > clock_timestamp())),
    lengths AS MATERIALIZED (SELECT DISTINCT family(range) AS family, masklen(range) AS length FROM entries)
    SELECT address, network, ceil(extract(epoch FROM ends_at))::bigint AS until
    FROM unnest(${[...addresses]}::text[]) AS address
      JOIN lengths ON lengths.family = family(address::inet)
      JOIN entries ON entries.range = network(set_masklen(address::inet, lengths.length))::inet
    ORDER BY array_position(${[...scopes]}::uuid[], scope), length DESC`.execute(db);
  return rows;
}

/** Holding entries of `feed` inside one of `within`, where this transaction has written those of the feed `written`. */
export async function countInside(
  db: Executor,
  accountId: string,
  { feed, within, written }: { readonly feed: string; readonly within: string; readonly written: string },
): Promise<number> {
  const holding = (entry: string, of: string) =>
    sql`${sql.ref(`${entry}.feed`)} = ${of} AND (${sql.ref(`${entry}.ends_at`)} IS NULL OR ${sql.ref(`${entry}.ends_at`)} > clock_timestamp())
      ${of === written ? sql`AND ${sql.ref(`${entry}.txid`)} = pg_current_xact_id()::text::bigint` : sql``}`;
  const { rows } = await sql<{ count: number }>`
    WITH wider AS MATERIALIZED (
      SELECT range, family(range) AS family, masklen(range) AS length FROM feed_entries outside
      WHERE ${holding('outside', within)} AND scope = ${accountId}::uuid),
    lengths AS MATERIALIZED (SELECT DISTINCT family, length FROM wider),
    entries AS MATERIALIZED (
      SELECT range, feed, scope, network FROM feed_entries inside
      WHERE ${holding('inside', feed)}
        AND (scope = ${accountId}::uuid OR scope IN (SELECT id FROM routes WHERE account_id = ${accountId}::uuid)))
    SELECT count(DISTINCT (entries.scope, entries.network))::int AS count FROM entries
      JOIN lengths ON lengths.family = family(entries.range) AND lengths.length <= masklen(entries.range)
      JOIN wider ON wider.range = network(set_masklen(entries.range, lengths.length))::inet`.execute(db);
  return rows[0]?.count ?? 0;
}

/** Between two readings of changes. */
export interface FeedPosition {
  /** Of the transaction to go on with: a node that comes back begins with it, and may meet some of it twice. */
  readonly cursor: number;
  /** Last number of that transaction that was read; 0: none. */
  readonly number: number;
}

export interface FeedChanges {
  readonly entries: EdgeFeedEntry[];
  readonly next: FeedPosition;
  /** Whether committed changes exist that cannot be read yet, because an older transaction still runs. */
  readonly isPending: boolean;
  readonly isPartial: boolean;
  /** Whether changes since the position are forgotten (`forgetEnded`): those that have ended can no longer be sent. */
  readonly isForgotten: boolean;
}

const ENTRIES_AT_ONCE = 5_000;

/** What has ended is sent as ended, whatever the node's clock says. */
const UNTIL =
  'CASE WHEN ends_at <= clock_timestamp() THEN 0 ELSE ceil(extract(epoch FROM ends_at))::bigint END AS until';

/**
 * Changes with `cursor <= txid < xmin`, for the reasons of `readChanges`, of routes that nodes of the czones serve now and
 * of their accounts.
 */
export async function readFeedChanges(
  pool: pg.Pool,
  czones: readonly string[],
  from: FeedPosition,
): Promise<FeedChanges> {
  const { rows } = await pool.query<
    { xmin: number; is_pending: boolean; is_forgotten: boolean } & (
      | (EdgeFeedEntry & { txid: number; number: number })
      | { feed: null; txid: null; number: null }
    )
  >({
    name: 'feed-changes',
    // Not one EXISTS with both conditions: PostgreSQL would compare each entry with each route.
    text: `WITH bound AS MATERIALIZED (
      SELECT oldest.xmin, EXISTS (SELECT 1 FROM feed_entries WHERE txid >= oldest.xmin) AS is_pending,
        (SELECT convert_from(value, 'UTF8')::bigint >= $1::bigint FROM deployment WHERE name = 'feeds_forgotten') AS is_forgotten
      FROM (SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint AS xmin) oldest)
    SELECT bound.*, read.* FROM bound LEFT JOIN LATERAL (
      SELECT feed, scope, network, ${UNTIL}, txid, number FROM feed_entries
      WHERE (txid, number) > ($1::bigint, $2::bigint) AND txid < bound.xmin
        AND (EXISTS (SELECT 1 FROM edge_routes WHERE route_id = scope AND payload IS NOT NULL AND czone = ANY($3::text[]))
          OR EXISTS (SELECT 1 FROM edge_routes WHERE account_id = scope AND payload IS NOT NULL AND czone = ANY($3::text[])))
      ORDER BY txid, number LIMIT ${ENTRIES_AT_ONCE}) read ON true`,
    values: [from.cursor, from.number, czones],
  });
  const first = rows[0];
  if (!first) throw new Error('no answer from the database');
  const found = rows.flatMap((row) => (row.feed === null ? [] : [row]));
  const last = found.at(-1);
  const isPartial = last !== undefined && found.length === ENTRIES_AT_ONCE;
  return {
    entries: found.map(({ feed, scope, network, until }) => ({ feed, scope, network, until })),
    next: isPartial
      ? { cursor: last.txid, number: last.number }
      : first.xmin > from.cursor
        ? { cursor: first.xmin, number: 0 }
        : from,
    isPending: first.is_pending,
    isPartial,
    isForgotten: first.is_forgotten,
  };
}

/**
 * Of the routes those that have entered a czone since the transaction, and their accounts but those of which nodes of the
 * czones have served another route since before it: scopes of which these nodes may know nothing.
 */
export async function readEnteredScopes(
  pool: pg.Pool,
  czones: readonly string[],
  routeIds: readonly string[],
  since: number,
): Promise<string[]> {
  const { rows } = await pool.query<{ scope: string }>({
    name: 'entered-scopes',
    text: `WITH entered AS (
        SELECT route_id, account_id FROM edge_routes WHERE route_id = ANY($1::uuid[]) AND entered_txid >= $2::bigint)
      SELECT route_id AS scope FROM entered UNION
      SELECT account_id FROM entered WHERE NOT EXISTS (SELECT 1 FROM edge_routes served
        WHERE served.account_id = entered.account_id AND served.payload IS NOT NULL AND served.czone = ANY($3::text[])
          AND served.entered_txid < $2::bigint)`,
    values: [routeIds, since, czones],
  });
  return rows.map(({ scope }) => scope);
}

/**
 * All entries of scopes, in parts. Of those that have ended only what has since the transaction: a node may have missed
 * that, when its route left and came back between two readings.
 */
export async function* readEntriesOfScopes(
  pool: pg.Pool,
  scopes: readonly string[],
  since: number,
): AsyncGenerator<EdgeFeedEntry[]> {
  let last: EdgeFeedEntry | undefined;
  while (scopes.length > 0) {
    const { rows } = await pool.query<EdgeFeedEntry>({
      name: 'entries-of-scopes',
      text: `SELECT feed, scope, network, ${UNTIL} FROM feed_entries
        WHERE scope = ANY($1::uuid[]) AND (ends_at IS NULL OR ends_at > clock_timestamp() OR txid >= $5::bigint)
          AND ($2::uuid IS NULL OR (scope, feed, network) > ($2::uuid, $3::text, $4::text))
        ORDER BY scope, feed, network LIMIT ${ENTRIES_AT_ONCE}`,
      values: [scopes, last?.scope ?? null, last?.feed ?? null, last?.network ?? null, since],
    });
    if (rows.length > 0) yield rows;
    if (rows.length < ENTRIES_AT_ONCE) return;
    last = rows.at(-1);
  }
}

/** Lines of a snapshot: entries that have not ended, of routes that nodes of the czones (`$1`) serve and of their accounts. */
export const SNAPSHOT_QUERY = `
  SELECT json_build_object('feed', feed, 'scope', scope, 'network', network,
    'until', ceil(extract(epoch FROM ends_at))::bigint)::text AS line
  FROM feed_entries WHERE (ends_at IS NULL OR ends_at > clock_timestamp()) AND scope IN (
    SELECT route_id FROM edge_routes WHERE payload IS NOT NULL AND czone = ANY($1) UNION ALL
    SELECT account_id FROM edge_routes WHERE payload IS NOT NULL AND czone = ANY($1))`;

/**
 * Forgets entries that ended so long ago; nodes that have not heard of it take a snapshot. What no node can have heard of
 * yet, since an older transaction still runs, is kept: their snapshots would not get past it.
 */
export async function forgetEnded(db: Db, seconds: number): Promise<void> {
  await sql`
    WITH gone AS (
      DELETE FROM feed_entries WHERE ends_at < now() - make_interval(secs => ${seconds})
        AND txid < pg_snapshot_xmin(pg_current_snapshot())::text::bigint RETURNING txid)
    UPDATE deployment SET value = convert_to(
      greatest(convert_from(value, 'UTF8')::bigint, (SELECT coalesce(max(txid), 0) FROM gone))::text, 'UTF8')
    WHERE name = 'feeds_forgotten'`.execute(db);
}
