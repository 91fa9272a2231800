import { type ClearKind, type EdgeClear, type Page, SHOWN_CHARACTERS_MAX, SHOWN_VALUES_MAX } from '@cordon/contract';
import { type CompiledQuery, sql } from 'kysely';
import type pg from 'pg';
import { auditRows, type NewAuditLine } from '../../platform/audit.ts';
import type { Db, Executor } from '../../platform/database.ts';
import { isNodeLive } from '../edge-nodes/service.ts';
import {
  type CachedRoute,
  cachedRouteColumns,
  cachedRoutes,
  countOfRoute,
  namesOfCached,
  wildcardLevels,
} from './cached-route-repository.ts';
import type { DomainNames } from './clear-values.ts';
import type {} from './tables.ts';

/** Both ways to the database. */
export interface Databases {
  readonly db: Db;
  readonly pool: pg.Pool;
}

/** What a clear has to know of a domain's names. */
interface NamedRoute extends CachedRoute {
  readonly wildcard_levels: 'one' | 'all' | null;
  /** Main name first; empty where they are not asked for. */
  readonly names: string[];
}

/** The names as values of a clear are read by them. */
export const namesOf = ({ names, wildcard_levels }: NamedRoute): DomainNames => ({
  names,
  wildcardLevels: wildcard_levels ?? undefined,
});

/** A domain whose cache is to be cleared. */
export interface ClearedRoute extends NamedRoute {
  readonly nodes: { readonly id: string; readonly name: string; readonly is_live: boolean }[];
}

/** What calls wait for is prepared: planning it takes longer than running it. */
const runPrepared = <Row extends pg.QueryResultRow>(
  { pool }: Databases,
  name: string,
  { sql: text, parameters }: CompiledQuery,
): Promise<pg.QueryResult<Row>> => pool.query<Row>({ name, text, values: [...parameters] });

/** The columns of `NamedRoute`, its names where they are asked for. */
const namesWhere = (withNames: boolean) =>
  sql`${wildcardLevels}, CASE WHEN ${withNames}::boolean THEN ${namesOfCached} ELSE '{}' END AS names`;

/** A domain of the account, deleted ones left out; its names where they are asked for. */
export async function findCleared(
  databases: Databases,
  accountId: string,
  routeId: string,
  withNames: boolean,
): Promise<ClearedRoute | undefined> {
  const query = sql<ClearedRoute>`
    SELECT ${cachedRouteColumns}, ${namesWhere(withNames)},
      (SELECT coalesce(json_agg(
          json_build_object('id', n.id, 'name', n.name, 'is_live', ${isNodeLive('n')}) ORDER BY n.name), '[]')
        FROM edge_nodes n WHERE n.revoked_at IS NULL AND r.czone = ANY(n.czones)) AS nodes
    FROM ${cachedRoutes} AND r.id = ${routeId}::uuid AND r.account_id = ${accountId}::uuid`;
  return (await runPrepared<ClearedRoute>(databases, 'cleared-route', query.compile(databases.db))).rows[0];
}

export interface NewClear {
  readonly id: string;
  readonly account_id: string;
  readonly route_id: string;
  readonly czone: string;
  readonly kind: ClearKind;
  readonly shown: string[];
  readonly sent: string[];
  readonly soft: boolean;
  readonly created_by: string;
}

/** How many characters the values have; those of URLs are ASCII. */
const bytesOf = (sent: readonly string[]): number => sent.reduce((sum, value) => sum + value.length + 3, 200);

const insertion = (db: Executor, clears: readonly NewClear[], lines: readonly NewAuditLine[], ageMs: number) =>
  db
    .with('audited', (query) => query.insertInto('audit_log').values(auditRows(lines)))
    .insertInto('cache_clears')
    .values(
      clears.map((clear) => ({
        ...clear,
        bytes: bytesOf(clear.sent),
        created_at: sql<string>`clock_timestamp() - make_interval(secs => ${ageMs / 1000}::float8)`,
      })),
    )
    .returning('created_at');

/**
 * Stores a clear with its line of the audit log, in one statement: nodes are told when it commits. Answers when the call came.
 * @param ageMs Since then.
 */
export async function insertClear(
  databases: Databases,
  clear: NewClear,
  line: NewAuditLine,
  ageMs: number,
): Promise<string> {
  const query = insertion(databases.db, [clear], [line], ageMs).compile();
  const { rows } = await runPrepared<{ created_at: string }>(databases, 'clear-inserted', query);
  return rows[0]?.created_at ?? '';
}

/** The same of many, with the transaction. */
export async function insertClears(
  db: Executor,
  clears: readonly NewClear[],
  lines: readonly NewAuditLine[],
): Promise<void> {
  await insertion(db, clears, lines, 0).execute();
}

export interface ClearRow {
  readonly id: string;
  readonly kind: ClearKind;
  /** The first of them, the first characters of each. */
  readonly values: string[];
  readonly entries: number;
  readonly soft: boolean;
  readonly created_at: string;
  readonly created_by: string;
  readonly nodes: { readonly name: string; readonly is_live: boolean; readonly milliseconds: number | null }[];
}

/** Nodes that were there then, or have cleared it; one that was revoked since only with a receipt. */
const clearColumns = sql`c.id, c.kind, c.soft, cardinality(c.shown) AS entries,
  ARRAY(SELECT left(value, ${sql.lit(SHOWN_CHARACTERS_MAX)}) FROM unnest(c.shown[1:${sql.lit(SHOWN_VALUES_MAX)}]) value) AS values, c.created_at, c.created_by,
  (SELECT coalesce(json_agg(json_build_object('name', n.name, 'is_live', ${isNodeLive('n')},
      'milliseconds', t.milliseconds) ORDER BY n.name), '[]')
    FROM edge_nodes n LEFT JOIN cache_clear_receipts t ON t.node_id = n.id AND t.clear_id = c.id
    WHERE t.node_id IS NOT NULL OR (n.revoked_at IS NULL AND c.czone = ANY(n.czones) AND n.created_at <= c.created_at)
  ) AS nodes`;

export async function findClear(
  db: Executor,
  accountId: string,
  routeId: string,
  id: string,
): Promise<ClearRow | undefined> {
  const { rows } = await sql<ClearRow>`SELECT ${clearColumns} FROM cache_clears c
    WHERE c.id = ${id} AND c.route_id = ${routeId} AND c.account_id = ${accountId}`.execute(db);
  return rows[0];
}

export async function listClears(
  db: Executor,
  accountId: string,
  routeId: string,
  { limit, offset }: Page,
): Promise<{ rows: ClearRow[]; count: number }> {
  const { rows } = await sql<ClearRow>`SELECT ${clearColumns} FROM cache_clears c
    WHERE c.route_id = ${routeId} AND c.account_id = ${accountId}
    ORDER BY c.created_at DESC, c.id LIMIT ${limit} OFFSET ${offset}`.execute(db);
  return { rows, count: await countOfRoute(db, 'cache_clears', accountId, routeId) };
}

/** Between two readings of clears. */
export interface ClearPosition {
  /** All of the transactions before it has been read: a node that comes back begins with it, and may meet some twice. */
  readonly cursor: number;
  /** `pg_snapshot` of which all has been read. */
  readonly heard: string;
  /** While what came after it is read in parts: the snapshot of the first of them, and the last clear that was read. */
  readonly part?: { readonly snapshot: string; readonly txid: number; readonly number: number };
}

const oldestRunning = (snapshot: string): number => Number(snapshot.slice(0, snapshot.indexOf(':')));
export function clearPositionAt(cursor: number): ClearPosition {
  // No transaction is below 1, and no snapshot either.
  const first = Math.max(1, cursor);
  return { cursor, heard: `${first}:${first}:` };
}
/** All that was committed before the snapshot has been read, or counts no more. */
const positionAfter = (snapshot: string): ClearPosition => ({ cursor: oldestRunning(snapshot), heard: snapshot });

export interface ClearsRead {
  /** By czone. */
  readonly clears: Readonly<Record<string, readonly EdgeClear[]>>;
  readonly next: ClearPosition;
  readonly isPartial: boolean;
  /** Some since the position are forgotten, or it is of another history: what is stored counts no more, and `next` is now. */
  readonly isForgotten: boolean;
}

const CLEARS_AT_ONCE = 1_000;
const BYTES_AT_ONCE = 4 * 1024 * 1024;

/** Where what is committed from now on begins. */
export async function currentPosition(pool: pg.Pool): Promise<ClearPosition> {
  const { rows } = await pool.query<{ snapshot: string }>('SELECT pg_current_snapshot()::text AS snapshot');
  return positionAfter(rows[0]?.snapshot ?? '1:1:');
}

/**
 * Clears that have been committed since the position, of routes of the czones; null: of all. As feeds they do not wait for older
 * transactions.
 */
export async function readClears(
  pool: pg.Pool,
  czones: readonly string[] | null,
  from: ClearPosition,
): Promise<ClearsRead> {
  const { rows } = await pool.query<{
    snapshot: string;
    is_forgotten: boolean;
    clears: ClearsRead['clears'] | null;
    is_partial: boolean;
    last_txid: number;
    last_number: number;
  }>({
    name: 'clear-changes',
    text: `SELECT pg_current_snapshot()::text AS snapshot,
        $1::bigint > pg_snapshot_xmax(pg_current_snapshot())::text::bigint OR
          (SELECT convert_from(value, 'UTF8')::bigint >= $1::bigint FROM deployment WHERE name = 'clears_forgotten') AS is_forgotten,
        read.* FROM clear_changes($2::bigint, $3::bigint, $4::pg_snapshot, $5::text[], ${CLEARS_AT_ONCE}, ${BYTES_AT_ONCE}) read`,
    values: [from.cursor, from.part?.txid ?? from.cursor, from.part?.number ?? 0, from.heard, czones],
  });
  const read = rows[0];
  if (!read) throw new Error('no answer from the database');
  const { clears, is_partial: isPartial, last_txid: txid, last_number: number } = read;
  if (read.is_forgotten) return { clears: {}, next: positionAfter(read.snapshot), isPartial: false, isForgotten: true };
  // What is committed between two parts may be of an older transaction than the last part: the next reading finds it.
  const snapshot = from.part?.snapshot ?? read.snapshot;
  return {
    clears: clears ?? {},
    next: isPartial
      ? { cursor: Math.min(oldestRunning(snapshot), txid), heard: from.heard, part: { snapshot, txid, number } }
      : positionAfter(snapshot),
    isPartial,
    isForgotten: false,
  };
}

/**
 * Notes that clears hold on a node, of its czones, and tells who waits for it. One that is lost with a crash is not worth the time
 * that writing it to the disk takes each.
 */
export async function insertReceipts(
  databases: Databases,
  node: { readonly id: string; readonly czones: readonly string[] },
  receipts: readonly { readonly clear_id: string; readonly milliseconds: number }[],
): Promise<void> {
  const query = sql`
    WITH unhurried AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true)),
    kept AS (
      INSERT INTO cache_clear_receipts (clear_id, node_id, milliseconds)
      SELECT c.id, ${node.id}::uuid,
        least(given.milliseconds, greatest(0, extract(epoch FROM clock_timestamp() - c.created_at) * 1000))
      FROM unnest(${receipts.map((one) => one.clear_id)}::uuid[], ${receipts.map((one) => one.milliseconds)}::float8[])
          AS given (clear_id, milliseconds)
        JOIN cache_clears c ON c.id = given.clear_id, unhurried
      WHERE c.czone = ANY(${[...node.czones]}::text[])
      ON CONFLICT DO NOTHING RETURNING clear_id, node_id, milliseconds)
    SELECT pg_notify('cache_clear_receipts', clear_id || ' ' || node_id || ' ' || milliseconds) FROM kept`;
  await runPrepared(databases, 'clear-receipts', query.compile(databases.db));
}

/** Milliseconds of the nodes on which a clear holds. */
export const findReceipts = (db: Executor, clearId: string): Promise<{ node_id: string; milliseconds: number }[]> =>
  db.selectFrom('cache_clear_receipts').select(['node_id', 'milliseconds']).where('clear_id', '=', clearId).execute();

/** Forgets clears that are so old; a node that has not heard of them clears all. What no node can have heard of yet is kept. */
export async function forgetClears(db: Db, days: number): Promise<void> {
  await sql`
    WITH gone AS (
      DELETE FROM cache_clears WHERE created_at < now() - make_interval(days => ${days})
        AND txid < pg_snapshot_xmin(pg_current_snapshot())::text::bigint RETURNING txid)
    UPDATE deployment SET value = convert_to(
      greatest(convert_from(value, 'UTF8')::bigint, (SELECT coalesce(max(txid), 0) FROM gone))::text, 'UTF8')
    WHERE name = 'clears_forgotten'`.execute(db);
}

export const hasRoute = async (db: Executor, accountId: string, routeId: string): Promise<boolean> =>
  (await db
    .selectFrom('routes')
    .select('id')
    .where('id', '=', routeId)
    .where('account_id', '=', accountId)
    .where('status', '<>', 'deleted')
    .executeTakeFirst()) !== undefined;

export type RouteOfBatch = NamedRoute & { readonly subscription_id: string };

/** What a batch needs of domains of an account; their names where they are asked for. */
export const findClearedOfBatch = async (
  db: Executor,
  accountId: string,
  routeIds: readonly string[],
  withNames: boolean,
): Promise<RouteOfBatch[]> =>
  (
    await sql<RouteOfBatch>`
      SELECT ${cachedRouteColumns}, ${namesWhere(withNames)}, r.subscription_id
      FROM ${cachedRoutes} AND r.id = ANY(${[...routeIds]}::uuid[]) AND r.account_id = ${accountId}`.execute(db)
  ).rows;
