import type { DomainAction, ImmediateAction, OperationError, RunningOperation } from '@cordon/contract';
import { type Selectable, sql } from 'kysely';
import type { Database, Executor } from '../../platform/database.ts';
import { groupBy } from '../../platform/group-by.ts';
import { isNodeLive } from '../edge-nodes/service.ts';

export type OperationRow = Selectable<Database['operations']>;

export const findOperation = (db: Executor, id: string): Promise<OperationRow | undefined> =>
  db.selectFrom('operations').selectAll().where('id', '=', id).executeTakeFirst();

/** Ends what runs on the routes because something newer replaces it: all, or only those (not) among the actions. */
export async function supersedeOperations(
  db: Executor,
  routeIds: readonly string[],
  which: { only?: readonly string[]; except?: readonly string[] } = {},
): Promise<void> {
  await sql`UPDATE operations SET state = 'failed', error = 'SUPERSEDED', finished_at = clock_timestamp()
    WHERE route_id = ANY(${[...routeIds]}::uuid[]) AND state = 'running'
      AND (${which.only ?? null}::text[] IS NULL OR action = ANY(${which.only ?? null}::text[]))
      AND (${which.except ?? null}::text[] IS NULL OR action <> ALL(${which.except ?? null}::text[]))`.execute(db);
}

export interface NewOperation {
  readonly route: { readonly id: string; readonly account_id: string };
  readonly action: DomainAction | ImmediateAction;
  readonly version: number | null;
  readonly revision: number | null;
  readonly state: Exclude<RunningOperation['state'], 'failed'>;
}

/**
 * Starts an operation of each route and makes it the route's own, as the column says. Those that run are looked at
 * later, by a job of each.
 */
export async function insertOperations(
  db: Executor,
  column: 'operation_id' | 'immediate_operation_id',
  rows: readonly NewOperation[],
  firstLook: Date,
): Promise<OperationRow[]> {
  const operations = await db
    .insertInto('operations')
    .values(
      rows.map(({ route, action, version, revision, state }) => ({
        account_id: route.account_id,
        route_id: route.id,
        action,
        state,
        version,
        revision,
        finished_at: state === 'running' ? null : new Date(),
      })),
    )
    .returningAll()
    .execute();
  const ids = operations.map((operation) => operation.id);
  await sql`UPDATE routes SET ${sql.ref(column)} = o.id FROM operations o
    WHERE o.id = ANY(${ids}::uuid[]) AND routes.id = o.route_id`.execute(db);
  const running = operations.filter(({ state }) => state === 'running').map(({ id }) => id);
  if (running.length > 0)
    await sql`SELECT graphile_worker.add_job('look-at-operation', json_build_object('operation_id', id, 'look', 0),
      run_at => ${firstLook.toISOString()}::timestamptz) FROM unnest(${running}::uuid[]) AS id`.execute(db);
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

export interface NodeReceiptRow {
  readonly node_id: string;
  readonly node: string;
  readonly is_live: boolean;
  readonly state: 'live' | 'failed' | null;
  readonly version: number | null;
  readonly live_ms: number | null;
  readonly probe_status: number | null;
  readonly refusal: string | null;
  readonly at: string | null;
}

/** Of each operation every node of its route's czone, with what it reported. */
export async function nodeReceipts(
  db: Executor,
  operationIds: readonly string[],
): Promise<ReadonlyMap<string, NodeReceiptRow[]>> {
  const { rows } = await sql<NodeReceiptRow & { operation_id: string }>`
    SELECT o.id AS operation_id, n.id AS node_id, n.name AS node,
      ${isNodeLive('n')} AS is_live,
      d.state, d.version, d.live_ms, d.probe_status, d.refusal, d.at
    FROM operations o JOIN routes r ON r.id = o.route_id
      JOIN edge_nodes n ON r.czone = ANY(n.czones) AND n.revoked_at IS NULL
      LEFT JOIN deploy_receipts d ON d.node_id = n.id AND d.operation_id = o.id
    WHERE o.id = ANY(${[...operationIds]}::uuid[]) ORDER BY n.name`.execute(db);
  return groupBy(rows, (row) => row.operation_id);
}

/** Ends operations well. */
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
  readonly refusal: string | null;
}

/** A node's reports about operations; the time is from the commit, on the database's clock. The first success stays. */
export async function putReceipts(db: Executor, nodeId: string, reports: readonly NodeReport[]): Promise<void> {
  if (reports.length === 0) return;
  await sql`INSERT INTO deploy_receipts (operation_id, node_id, state, version, live_ms, probe_status, refusal)
    SELECT o.id, ${nodeId}, g.state, g.version, CASE WHEN g.state = 'live'
        THEN round((extract(epoch FROM clock_timestamp() - o.started_at) * 1000)::numeric, 1) END, g.probe_status, g.refusal
    FROM unnest(${reports.map((one) => one.operationId)}::uuid[], ${reports.map((one) => one.state)}::text[],
      ${reports.map((one) => one.version)}::int[], ${reports.map((one) => one.probeStatus)}::int[],
      ${reports.map((one) => one.refusal)}::text[])
      AS g(operation_id, state, version, probe_status, refusal) JOIN operations o ON o.id = g.operation_id
    ORDER BY o.id
    ON CONFLICT (operation_id, node_id) DO UPDATE SET state = excluded.state, version = excluded.version,
      live_ms = excluded.live_ms, probe_status = excluded.probe_status,
      refusal = excluded.refusal, at = clock_timestamp()
    WHERE deploy_receipts.state = 'failed'`.execute(db);
}

/** Operations that run on routes of the czones. */
export const runningIn = (db: Executor, czones: readonly string[]): Promise<OperationRow[]> =>
  db
    .selectFrom('operations')
    .innerJoin('routes', 'routes.id', 'operations.route_id')
    .selectAll('operations')
    .where('operations.state', '=', 'running')
    .where('routes.czone', 'in', czones)
    .execute();

/** Newest operations of routes, as far as the routes are of these czones. */
export const operationsOfRoutes = (db: Executor, routeIds: readonly string[], czones: readonly string[]) =>
  db
    .selectFrom('routes')
    .innerJoin('operations', (join) =>
      join.on((on) =>
        on.or([
          on('operations.id', '=', on.ref('routes.operation_id')),
          on('operations.id', '=', on.ref('routes.immediate_operation_id')),
        ]),
      ),
    )
    .selectAll('operations')
    .select('routes.czone')
    .where('routes.id', 'in', routeIds)
    .where('routes.czone', 'in', czones)
    .execute();

/** Ends an operation that the nodes did not bring about. */
export async function failOperation(db: Executor, id: string, error: OperationError): Promise<void> {
  await db
    .updateTable('operations')
    .set({ state: 'failed', error, finished_at: sql<string>`clock_timestamp()` })
    .where('id', '=', id)
    .execute();
}
