import type { DomainAction } from '@cordon/contract';
import { sql } from 'kysely';
import type { Executor } from '../../platform/database.ts';
import { groupBy } from '../../platform/group-by.ts';
import type { NameOfRoute } from '../names/repository.ts';
import type { Actor } from '../routes/audit.ts';
import { NOT_PAUSED, type NodeReceiptRow, type OperationRow, type RouteRow } from '../routes/repository.ts';
import { VERSIONS_KEPT } from './version-repository.ts';

/** What the files beside do row by row, here for many routes in one statement each. Lock the routes first. */

/** Routes of the account, deleted ones left out, locked in one order everywhere so that nobody waits in a circle. */
export const lockRoutes = (db: Executor, accountId: string, ids: readonly string[]): Promise<RouteRow[]> =>
  ids.length === 0
    ? Promise.resolve([])
    : db
        .selectFrom('routes')
        .selectAll()
        .where('id', 'in', [...ids])
        .where('account_id', '=', accountId)
        .where('status', '<>', 'deleted')
        .orderBy('id')
        .forUpdate()
        .execute();

/** Makes each draft the next version and the live one; answers the rows as they are now. */
export async function makeDraftsLive(db: Executor, ids: readonly string[]): Promise<RouteRow[]> {
  return db
    .updateTable('routes')
    .set({
      status: 'running',
      version_last: sql<number>`version_last + 1`,
      version_live: sql<number>`version_last + 1`,
      live: sql<string>`draft`,
      pending_changes: 0,
      last_deployed: sql<string>`now()`,
      updated_at: sql<string>`now()`,
    })
    .where('id', 'in', [...ids])
    .returningAll()
    .execute();
}

/** Writes down the versions that the routes' rows now say are live, and lets the oldest of each go. */
export async function insertLiveVersions(
  db: Executor,
  ids: readonly string[],
  actor: Actor,
  note: string,
): Promise<void> {
  await sql`INSERT INTO route_versions (route_id, version, account_id, config, note, created_by, created_by_kind, certificate_id, names)
    SELECT id, version_live, account_id, live, ${note}, ${actor.label}, ${actor.kind}, certificate_id,
      ARRAY(SELECT n.name FROM names n WHERE n.route_id = routes.id ORDER BY n.kind, n.name)
    FROM routes WHERE id = ANY(${[...ids]}::uuid[])`.execute(db);
  await sql`DELETE FROM route_versions v USING routes r
    WHERE r.id = ANY(${[...ids]}::uuid[]) AND r.version_last > ${VERSIONS_KEPT} AND v.route_id = r.id
      AND v.version <= r.version_last - ${VERSIONS_KEPT} AND v.version IS DISTINCT FROM r.version_live`.execute(db);
}

export async function setStatus(
  db: Executor,
  ids: readonly string[],
  status: 'deactivated' | 'deleting',
): Promise<RouteRow[]> {
  return db
    .updateTable('routes')
    .set({
      status,
      updated_at: sql<string>`now()`,
      ...NOT_PAUSED,
    })
    .where('id', 'in', [...ids])
    .returningAll()
    .execute();
}

export async function setGroup(db: Executor, ids: readonly string[], groupId: string): Promise<void> {
  await sql`UPDATE routes SET group_id = ${groupId}, updated_at = now() WHERE id = ANY(${[...ids]}::uuid[])`.execute(
    db,
  );
}

export const namesOfRoutes = (db: Executor, ids: readonly string[]): Promise<(NameOfRoute & { route_id: string })[]> =>
  db
    .selectFrom('name_ownership')
    .select(['route_id', 'name', 'kind', 'ownership_state'])
    .where('route_id', 'in', [...ids])
    .orderBy('kind')
    .orderBy('name')
    .execute();

/** Which of the routes a node may serve or has served. */
export const onEdge = async (db: Executor, ids: readonly string[]): Promise<ReadonlySet<string>> => {
  if (ids.length === 0) return new Set();
  const rows = await db
    .selectFrom('edge_routes')
    .select('route_id')
    .where('route_id', 'in', [...ids])
    .execute();
  return new Set(rows.map((row) => row.route_id));
};

/** Puts the newest states before the nodes; answers the revisions that the trigger gave. */
export async function putEdgeRoutes(
  db: Executor,
  rows: readonly { route: RouteRow; payload: object | null }[],
): Promise<ReadonlyMap<string, number>> {
  const { rows: put } = await sql<{ route_id: string; revision: number }>`
    INSERT INTO edge_routes (route_id, account_id, czone, payload)
    SELECT route_id, account_id, czone, payload::jsonb FROM unnest(
      ${rows.map(({ route }) => route.id)}::uuid[], ${rows.map(({ route }) => route.account_id)}::uuid[],
      ${rows.map(({ route }) => route.czone)}::text[],
      ${rows.map(({ payload }) => (payload === null ? null : JSON.stringify(payload)))}::text[])
      AS given(route_id, account_id, czone, payload)
    ON CONFLICT (route_id) DO UPDATE SET payload = excluded.payload, czone = excluded.czone
    RETURNING route_id, revision`.execute(db);
  return new Map(put.map((row) => [row.route_id, Number(row.revision)]));
}

/** Ends what runs on the routes, but for the given actions. */
export async function supersedeAll(db: Executor, ids: readonly string[], except: readonly string[]): Promise<void> {
  await sql`UPDATE operations SET state = 'failed', error = 'SUPERSEDED', finished_at = clock_timestamp()
    WHERE route_id = ANY(${[...ids]}::uuid[]) AND state = 'running' AND action <> ALL(${[...except]}::text[])`.execute(
    db,
  );
}

/** Starts an operation of each route, with the job that looks at it later, and makes it the route's own. */
export async function insertOperations(
  db: Executor,
  action: DomainAction,
  rows: readonly { route: RouteRow; version: number | null; revision: number }[],
  firstLook: Date,
): Promise<OperationRow[]> {
  const operations = await db
    .insertInto('operations')
    .values(
      rows.map(({ route, version, revision }) => ({
        account_id: route.account_id,
        route_id: route.id,
        action,
        state: 'running' as const,
        version,
        revision,
      })),
    )
    .returningAll()
    .execute();
  const ids = operations.map((operation) => operation.id);
  await sql`UPDATE routes SET operation_id = o.id FROM operations o
    WHERE o.id = ANY(${ids}::uuid[]) AND routes.id = o.route_id`.execute(db);
  await sql`SELECT graphile_worker.add_job('look-at-operation', json_build_object('operation_id', id, 'look', 0),
      run_at => ${firstLook.toISOString()}::timestamptz) FROM unnest(${ids}::uuid[]) AS id`.execute(db);
  return operations;
}

const operationsOf = (db: Executor, ids: readonly string[]) =>
  db
    .selectFrom('operations')
    .selectAll()
    .where('id', 'in', [...ids]);

export const findOperations = async (db: Executor, ids: readonly string[]): Promise<OperationRow[]> =>
  ids.length === 0 ? [] : operationsOf(db, ids).execute();

/** Locked in one order; the routes before them. */
export const lockOperations = async (db: Executor, ids: readonly string[]): Promise<OperationRow[]> =>
  ids.length === 0 ? [] : operationsOf(db, ids).orderBy('id').forUpdate().execute();

/** Of each operation every node of its route's czone, with what it reported. */
export async function nodeReceipts(
  db: Executor,
  operationIds: readonly string[],
  livenessSeconds: number,
): Promise<ReadonlyMap<string, NodeReceiptRow[]>> {
  const { rows } = await sql<NodeReceiptRow & { operation_id: string }>`
    SELECT o.id AS operation_id, n.id AS node_id, n.name AS node,
      coalesce(n.last_seen_at > clock_timestamp() - make_interval(secs => ${livenessSeconds}), false) AS is_live,
      d.state, d.version, d.live_ms, d.probe_status, d.at
    FROM operations o JOIN routes r ON r.id = o.route_id
      JOIN edge_nodes n ON r.czone = ANY(n.czones) AND n.revoked_at IS NULL
      LEFT JOIN deploy_receipts d ON d.node_id = n.id AND d.operation_id = o.id
    WHERE o.id = ANY(${[...operationIds]}::uuid[])`.execute(db);
  return groupBy(rows, (row) => row.operation_id);
}

export async function finishOperations(db: Executor, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await sql`UPDATE operations SET state = 'successful', error = NULL, finished_at = clock_timestamp()
    WHERE id = ANY(${[...ids]}::uuid[])`.execute(db);
}

export interface NodeReport {
  readonly operationId: string;
  readonly state: 'live' | 'failed';
  readonly version: number | null;
  readonly probeStatus: number | null;
}

/** A node's reports about operations; the time is from the commit, on the database's clock. The first success stays. */
export async function putReceipts(db: Executor, nodeId: string, reports: readonly NodeReport[]): Promise<void> {
  if (reports.length === 0) return;
  await sql`INSERT INTO deploy_receipts (operation_id, node_id, state, version, live_ms, probe_status)
    SELECT o.id, ${nodeId}, g.state, g.version, CASE WHEN g.state = 'live'
        THEN round((extract(epoch FROM clock_timestamp() - o.started_at) * 1000)::numeric, 1) END, g.probe_status
    FROM unnest(${reports.map((one) => one.operationId)}::uuid[], ${reports.map((one) => one.state)}::text[],
      ${reports.map((one) => one.version)}::int[], ${reports.map((one) => one.probeStatus)}::int[])
      AS g(operation_id, state, version, probe_status) JOIN operations o ON o.id = g.operation_id
    ORDER BY o.id
    ON CONFLICT (operation_id, node_id) DO UPDATE SET state = excluded.state, version = excluded.version,
      live_ms = excluded.live_ms, probe_status = excluded.probe_status, at = clock_timestamp()
    WHERE deploy_receipts.state = 'failed'`.execute(db);
}

export const findRoutes = (db: Executor, ids: readonly string[]): Promise<RouteRow[]> =>
  ids.length === 0
    ? Promise.resolve([])
    : db
        .selectFrom('routes')
        .selectAll()
        .where('id', 'in', [...ids])
        .execute();
