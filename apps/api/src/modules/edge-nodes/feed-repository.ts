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
  // As texts: of arrays, each value would be escaped.
  const listed = (values: readonly (string | number)[]) => sql`string_to_array(${values.join(' ')}, ' ', 'null')`;
  await sql`
    INSERT INTO feed_entries (feed, scope, network, ends_at)
    SELECT DISTINCT ON (feed, scope, network) feed, scope, network, CASE WHEN until IS NULL THEN NULL
      ELSE greatest(to_timestamp(until), clock_timestamp() - interval '1 second') END
    FROM unnest(${listed(entries.map(({ feed }) => feed))}, ${listed(entries.map(({ scope }) => scope))}::uuid[],
      ${listed(entries.map(({ network }) => network))}, ${listed(entries.map(({ until }) => until ?? 'null'))}::float8[])
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
  /** All of the transactions before it has been read: a node that comes back begins with it, and may meet some twice. */
  readonly cursor: number;
  /** `pg_snapshot` of which all has been read. */
  readonly heard: string;
  /** While what came after it is read in parts: the snapshot of the first of them, and the last change that was read. */
  readonly part?: { readonly snapshot: string; readonly txid: number; readonly number: number };
}

export const feedPositionAt = (cursor: number): FeedPosition => ({ cursor, heard: `${cursor}:${cursor}:` });
const oldestRunning = (snapshot: string): number => Number(snapshot.slice(0, snapshot.indexOf(':')));

export interface FeedChanges {
  /** JSON of an array of `EdgeFeedEntry`; null: there is none. */
  readonly entries: string | null;
  readonly next: FeedPosition;
  readonly isPartial: boolean;
  /** Whether changes since the position are forgotten (`forgetEnded`): those that have ended can no longer be sent. */
  readonly isForgotten: boolean;
}

const ENTRIES_AT_ONCE = 5_000;

/** What has ended is sent as ended, whatever the node's clock says. */
const UNTIL =
  'CASE WHEN ends_at <= clock_timestamp() THEN 0 ELSE ceil(extract(epoch FROM ends_at))::bigint END AS until';

/**
 * Changes that have been committed since the position, of routes that nodes of the czones serve now and of their accounts.
 * Those of routes wait for all older transactions (`readChanges`). A ban must not wait for a long list of another account to
 * be written: what was committed is known by the snapshot that saw it, however old its transaction is.
 */
export async function readFeedChanges(
  pool: pg.Pool,
  czones: readonly string[],
  from: FeedPosition,
): Promise<FeedChanges> {
  const { rows } = await pool.query<{
    snapshot: string;
    is_forgotten: boolean;
    entries: string | null;
    taken: number;
    last_txid: number;
    last_number: number;
  }>({
    name: 'feed-changes',
    text: `SELECT pg_current_snapshot()::text AS snapshot,
        (SELECT convert_from(value, 'UTF8')::bigint >= $1::bigint FROM deployment WHERE name = 'feeds_forgotten') AS is_forgotten,
        read.* FROM feed_changes($2::bigint, $3::bigint, $4::pg_snapshot, $5::text[], ${ENTRIES_AT_ONCE}) read`,
    values: [from.cursor, from.part?.txid ?? from.cursor, from.part?.number ?? 0, from.heard, czones],
  });
  const read = rows[0];
  if (!read) throw new Error('no answer from the database');
  const { entries, taken, last_txid: txid, last_number: number } = read;
  const isPartial = taken === ENTRIES_AT_ONCE;
  // What is committed between two parts may be of an older transaction than the last part: the next reading finds it.
  const snapshot = from.part?.snapshot ?? read.snapshot;
  const cursor = oldestRunning(snapshot);
  return {
    entries,
    next: isPartial
      ? { cursor: Math.min(cursor, txid), heard: from.heard, part: { snapshot, txid, number } }
      : { cursor, heard: snapshot },
    isPartial,
    isForgotten: read.is_forgotten,
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
