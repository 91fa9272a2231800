import type { EdgeChange, EdgeRoute } from '@cordon/contract';
import { sql } from 'kysely';
import type pg from 'pg';
import type { Db, Executor } from '../../platform/database.ts';
import { SNAPSHOT_QUERY } from './feed-repository.ts';
import { isNodeLive } from './liveness-repository.ts';
import type { NodePrincipal } from './node-principal.ts';
import type {} from './tables.ts';

/** Between two readings of changes. */
export interface ChangePosition {
  /** Of the transaction to go on with: a node that comes back begins with it, and may meet some of it twice. */
  readonly cursor: number;
  /** Last revision of that transaction that was read; 0: none. */
  readonly revision: number;
}

export interface ChangesRead {
  readonly changes: EdgeChange[];
  /** Where the next read begins. */
  readonly next: ChangePosition;
  /** Whether committed changes exist that cannot be read yet, because an older transaction still runs. */
  readonly isPending: boolean;
  readonly isPartial: boolean;
}

const CHANGES_AT_ONCE = 2_000;
/** The row that passes the bound is part of the reading. */
const CHANGES_BYTES_AT_ONCE = 8 * 1024 * 1024;

/**
 * Changes of czones with `cursor <= txid < xmin`. Transactions below xmin have all ended, so none can appear later
 * behind the cursor; going by the sequence would lose the one that commits after a later number was read.
 */
export async function readChanges(
  pool: pg.Pool,
  czones: readonly string[],
  from: ChangePosition,
): Promise<ChangesRead> {
  const { rows } = await pool.query<{
    xmin: number;
    is_pending: boolean;
    route_id: string | null;
    revision: number;
    txid: number;
    payload: EdgeRoute | null;
    is_full: boolean;
  }>({
    name: 'edge-changes',
    text: `WITH bound AS MATERIALIZED (
      SELECT oldest.xmin, EXISTS (SELECT 1 FROM edge_routes WHERE txid >= oldest.xmin) AS is_pending
      FROM (SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint AS xmin) oldest)
    SELECT bound.xmin, bound.is_pending, read.* FROM bound LEFT JOIN LATERAL
      read_edge_changes($1, $2, $3, bound.xmin, ${CHANGES_AT_ONCE}, ${CHANGES_BYTES_AT_ONCE}) read ON true`,
    values: [czones, from.cursor, from.revision],
  });
  const first = rows[0];
  if (!first) throw new Error('no answer from the database');
  const found = rows.flatMap(({ route_id, ...row }) => (route_id === null ? [] : [{ route_id, ...row }]));
  const last = found.at(-1);
  const isPartial = last?.is_full === true;
  return {
    changes: found.map(({ route_id, revision, payload }) => ({ route_id, revision, route: payload })),
    next: isPartial
      ? { cursor: last.txid, revision: last.revision }
      : first.xmin > from.cursor
        ? { cursor: first.xmin, revision: 0 }
        : from,
    isPending: first.is_pending,
    isPartial,
  };
}

/** Of the routes, those that nodes of the czones serve, with their accounts. */
export const routesOfCzones = (
  db: Executor,
  ids: readonly string[],
  czones: readonly string[],
): Promise<{ route_id: string; account_id: string }[]> =>
  db
    .selectFrom('edge_routes')
    .select(['route_id', 'account_id'])
    .where('route_id', '=', sql<string>`ANY(${[...ids]}::uuid[])`)
    .where('czone', '=', sql<string>`ANY(${[...czones]}::text[])`)
    .where('payload', 'is not', null)
    .execute();

/** Upper bound of transaction ids given out so far: a cursor beyond it is of another history. */
export async function newestTransaction(db: Db): Promise<number> {
  const { rows } = await sql<{
    xmax: number;
  }>`SELECT pg_snapshot_xmax(pg_current_snapshot())::text::bigint AS xmax`.execute(db);
  return rows[0]?.xmax ?? 0;
}

const SNAPSHOT_ROWS_AT_ONCE = 2_000;
const SNAPSHOT_BYTES_AT_ONCE = 4 * 1024 * 1024;

/**
 * All routes of czones and all entries of their feeds in one consistent reading, in parts of text lines; `begin` gets the cursor that belongs to it.
 * Lines come from PostgreSQL as text: nothing is parsed here.
 */
export async function readSnapshot(
  pool: pg.Pool,
  czones: readonly string[],
  begin: (cursor: number) => Promise<void>,
  write: (lines: string, count: number) => Promise<void>,
): Promise<void> {
  const client = await pool.connect();
  let isBroken = false;
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const { rows } = await client.query<{ xmin: number }>(
      'SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint AS xmin',
    );
    await begin(rows[0]?.xmin ?? 0);
    await client.query(
      `DECLARE snapshot NO SCROLL CURSOR FOR
       SELECT '{"route_id":"' || route_id || '","revision":' || revision || ',"route":' || payload::text || '}' AS line
       FROM edge_routes WHERE payload IS NOT NULL AND czone = ANY($1) UNION ALL ${SNAPSHOT_QUERY}`,
      [czones],
    );
    for (;;) {
      const part = await client.query<{ line: string }>({
        name: 'edge-snapshot-part',
        text: `SELECT fetch_lines('snapshot', ${SNAPSHOT_ROWS_AT_ONCE}, ${SNAPSHOT_BYTES_AT_ONCE}) AS line`,
      });
      if (part.rows.length === 0) break;
      await write(`${part.rows.map((row) => row.line).join('\n')}\n`, part.rows.length);
    }
    await client.query('COMMIT');
  } catch (error) {
    isBroken = true;
    throw error;
  } finally {
    // A reader that went away leaves the transaction open; the connection is not worth saving.
    client.release(isBroken);
  }
}

/** A node whose nginx does not run is out of DNS from now on, and back with the first beat that says otherwise. */
export async function recordHeartbeat(
  db: Executor,
  nodeId: string,
  state: { readonly nginx: 'running' | 'starting' | 'down' },
): Promise<void> {
  await db
    .updateTable('edge_nodes')
    .set({
      last_seen_at: sql<string>`clock_timestamp()`,
      down_since: state.nginx === 'running' ? null : sql<string>`coalesce(down_since, clock_timestamp())`,
      state: JSON.stringify(state),
    })
    .where('id', '=', nodeId)
    .execute();
}

/** Takes nodes out of DNS that were not heard of for so long; answers them. */
export const markSilent = (db: Db, silentSeconds: number): Promise<{ name: string; czones: string[] }[]> =>
  db
    .updateTable('edge_nodes')
    .set({ down_since: sql<string>`clock_timestamp()` })
    .where('revoked_at', 'is', null)
    .where('down_since', 'is', null)
    .where('last_seen_at', '<', sql<string>`clock_timestamp() - make_interval(secs => ${silentSeconds})`)
    .returning(['name', 'czones'])
    .execute();

/** Resolves when the database answers. */
export async function ping(db: Db): Promise<void> {
  await sql`SELECT 1`.execute(db);
}

export async function insertNode(
  db: Executor,
  node: { name: string; czones: string[]; addresses: string[]; credentialHash: Buffer },
): Promise<string> {
  const { id } = await db
    .insertInto('edge_nodes')
    .values({
      name: node.name,
      czones: node.czones,
      addresses: node.addresses,
      credential_hash: node.credentialHash,
      state: '{}',
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Cuts a node off; false when there is none of that name. */
export async function revokeNode(db: Executor, name: string): Promise<boolean> {
  const result = await db
    .updateTable('edge_nodes')
    .set({ revoked_at: sql<string>`now()` })
    .where('name', '=', name)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** False when there is none of that name. */
export async function setAddresses(db: Executor, name: string, addresses: string[]): Promise<boolean> {
  const result = await db
    .updateTable('edge_nodes')
    .set({ addresses })
    .where('name', '=', name)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

export const listNodes = (db: Executor) =>
  db
    .selectFrom('edge_nodes')
    .select(['name', 'czones', 'addresses', 'last_seen_at', 'revoked_at', 'state', 'created_at'])
    .orderBy('created_at')
    .execute();

/** Addresses of all nodes that are not revoked, sorted, so that the order is stable. */
export async function listAddresses(db: Executor): Promise<string[]> {
  const { rows } = await sql<{ address: string }>`
    SELECT DISTINCT address FROM edge_nodes, unnest(addresses) AS address
    WHERE revoked_at IS NULL ORDER BY 1 LIMIT 10000`.execute(db);
  return rows.map(({ address }) => address);
}

export const listCzones = async (db: Executor): Promise<string[]> =>
  (await db.selectFrom('czones').select('name').orderBy('position').execute()).map((row) => row.name);

/** How many nodes there are, and how many were heard of lately. */
export async function countNodes(db: Executor): Promise<{ all: number; live: number }> {
  const { rows } = await sql<{ all: number; live: number }>`
    SELECT count(*)::int AS all, (count(*) FILTER (WHERE ${isNodeLive('n')}))::int AS live
    FROM edge_nodes n WHERE revoked_at IS NULL`.execute(db);
  return rows[0] ?? { all: 0, live: 0 };
}

/** Whether the czone has nodes and none of them is live. */
export async function isUnreachable(db: Executor, czone: string): Promise<boolean> {
  const { rows } = await sql<{ is_unreachable: boolean }>`
    SELECT count(*) > 0 AND NOT bool_or(${isNodeLive('n')}) AS is_unreachable
    FROM edge_nodes n WHERE ${czone} = ANY(czones) AND revoked_at IS NULL`.execute(db);
  return rows[0]?.is_unreachable === true;
}

/** Addresses of the nodes by czone. */
export async function addressesByCzone(db: Executor): Promise<Record<string, string[]>> {
  const nodes = await db
    .selectFrom('edge_nodes')
    .select(['czones', 'addresses'])
    .where('revoked_at', 'is', null)
    .execute();
  const byCzone: Record<string, string[]> = {};
  for (const node of nodes) {
    for (const czone of node.czones) byCzone[czone] = [...new Set([...(byCzone[czone] ?? []), ...node.addresses])];
  }
  return byCzone;
}

/** The node of a credential's hash; undefined for one that is unknown or cut off. */
export async function findNodePrincipal(db: Executor, hash: Buffer): Promise<NodePrincipal | undefined> {
  const row = await db
    .selectFrom('edge_nodes')
    .select(['id', 'name', 'czones'])
    .where('credential_hash', '=', hash)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  if (!row) return undefined;
  return { kind: 'machine', id: row.id, name: row.name, czones: row.czones };
}
