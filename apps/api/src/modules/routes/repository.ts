import type { DomainAction, ImmediateAction, OperationError, RouteConfig, RunningOperation } from '@cordon/contract';
import { type Selectable, sql } from 'kysely';
import type { Database, Executor } from '../../platform/database.ts';
import { insertNames } from '../names/repository.ts';

export type RouteRow = Selectable<Database['routes']>;
export type OperationRow = Selectable<Database['operations']>;

const notDeleted = 'deleted' as const;

/** A route of the account, deleted ones left out. */
export const findRoute = (db: Executor, accountId: string, id: string): Promise<RouteRow | undefined> =>
  db
    .selectFrom('routes')
    .selectAll()
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .where('status', '<>', notDeleted)
    .executeTakeFirst();

/** The same, locked until the transaction ends. */
export const lockRoute = (db: Executor, accountId: string, id: string): Promise<RouteRow | undefined> =>
  db
    .selectFrom('routes')
    .selectAll()
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .where('status', '<>', notDeleted)
    .forUpdate()
    .executeTakeFirst();

/** A route of whatever account, for jobs and the operator. */
export const findAnyRoute = (db: Executor, id: string): Promise<RouteRow | undefined> =>
  db.selectFrom('routes').selectAll().where('id', '=', id).executeTakeFirst();

/** The same, locked until the transaction ends. */
export const lockAnyRoute = (db: Executor, id: string): Promise<RouteRow | undefined> =>
  db.selectFrom('routes').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();

export const findOperation = (db: Executor, id: string): Promise<OperationRow | undefined> =>
  db.selectFrom('operations').selectAll().where('id', '=', id).executeTakeFirst();

/** Keeps a label for ever; false when it was given out before. */
export async function claimLabel(db: Executor, label: string): Promise<boolean> {
  const result = await sql`INSERT INTO exclusive_labels (label) VALUES (${label}) ON CONFLICT DO NOTHING`.execute(db);
  return result.numAffectedRows === 1n;
}

export interface NewRoute {
  readonly accountId: string;
  readonly subscriptionId: string;
  readonly czone: string;
  readonly domainName: string;
  readonly domainNameUnicode: string;
  readonly cname: string;
  readonly draft: RouteConfig;
  readonly by: string;
  readonly pendingChanges: number;
  readonly upstreamSummary: string;
  readonly remarks: string;
  readonly ownershipMethod: 'demo' | null;
  readonly proofNeededUntil: string | undefined;
}

/** Throws a unique violation of `names_pkey` when the name is in use. */
export async function insertRoute(db: Executor, route: NewRoute): Promise<string> {
  const draft = JSON.stringify(route.draft);
  const { id } = await db
    .insertInto('routes')
    .values({
      account_id: route.accountId,
      subscription_id: route.subscriptionId,
      czone: route.czone,
      domain_name: route.domainName,
      domain_name_unicode: route.domainNameUnicode,
      cname: route.cname,
      status: 'deactivated',
      draft,
      draft_revision: 1,
      draft_updated_by: route.by,
      pending_changes: route.pendingChanges,
      upstream_summary: route.upstreamSummary,
      remarks: route.remarks,
      ownership_state: route.ownershipMethod === null ? 'pending' : 'verified',
      ownership_method: route.ownershipMethod,
      proof_needed_until: route.proofNeededUntil ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await insertNames(db, { id, account_id: route.accountId, subscription_id: route.subscriptionId }, 'main', [
    { name: route.domainName, method: route.ownershipMethod, proofNeededUntil: route.proofNeededUntil },
  ]);
  await insertDraft(db, id, 1, route.draft, route.by);
  return id;
}

const DRAFTS_KEPT = 50;

/** Keeps what a revision of the draft was, so that a stale edit can be told what changed. */
export async function insertDraft(
  db: Executor,
  routeId: string,
  revision: number,
  config: RouteConfig,
  by: string,
): Promise<void> {
  await db
    .insertInto('route_drafts')
    .values({ route_id: routeId, revision, config: JSON.stringify(config), created_by: by })
    .execute();
  await db
    .deleteFrom('route_drafts')
    .where('route_id', '=', routeId)
    .where('revision', '<=', revision - DRAFTS_KEPT)
    .execute();
}

/** Drafts from a revision on, oldest first. */
export const draftsSince = (db: Executor, routeId: string, revision: number) =>
  db
    .selectFrom('route_drafts')
    .select(['revision', 'config', 'created_by'])
    .where('route_id', '=', routeId)
    .where('revision', '>=', revision)
    .orderBy('revision')
    .execute();

/** What a route is that leaves the edge: with nothing to protect there is nothing to pause. */
export const NOT_PAUSED = { paused_at: null, paused_until: null, paused_by: null } as const;

export async function updateRoute(
  db: Executor,
  id: string,
  change: Partial<{
    status: RouteRow['status'];
    draft: RouteConfig;
    draft_revision: number;
    draft_updated_by: string;
    version_last: number;
    version_live: number;
    live: RouteConfig;
    pending_changes: number;
    upstream_summary: string;
    remarks: string;
    operation_id: string;
    immediate_operation_id: string;
    paused_at: Date | null;
    paused_until: Date | null;
    paused_by: string | null;
    ownership_state: 'pending' | 'verified';
    ownership_method: RouteRow['ownership_method'];
    ownership_seen: string[];
  }>,
  stamps: { draft?: boolean; deployed?: boolean; checked?: boolean; deleted?: boolean } = {},
): Promise<void> {
  const { draft, live, ...plain } = change;
  await db
    .updateTable('routes')
    .set({
      ...plain,
      ...(draft ? { draft: JSON.stringify(draft) } : {}),
      ...(live ? { live: JSON.stringify(live) } : {}),
      updated_at: sql<string>`now()`,
      ...(stamps.draft ? { draft_updated_at: sql<string>`now()` } : {}),
      ...(stamps.deployed ? { last_deployed: sql<string>`now()` } : {}),
      ...(stamps.checked ? { ownership_checked_at: sql<string>`now()` } : {}),
      ...(stamps.deleted ? { deleted_at: sql<string>`now()` } : {}),
    })
    .where('id', '=', id)
    .execute();
}

export async function insertOperation(
  db: Executor,
  row: {
    accountId: string;
    routeId: string;
    action: DomainAction | ImmediateAction;
    version: number | null;
    revision: number | null;
    state?: RunningOperation['state'];
  },
): Promise<OperationRow> {
  return db
    .insertInto('operations')
    .values({
      account_id: row.accountId,
      route_id: row.routeId,
      action: row.action,
      state: row.state ?? 'running',
      version: row.version,
      revision: row.revision,
      finished_at: row.state === undefined || row.state === 'running' ? null : new Date(),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Ends operations of a route that a newer one replaces: all, or only those (not) among the actions. */
export async function supersedeOperations(
  db: Executor,
  routeId: string,
  which: { only?: readonly string[]; except?: readonly string[] } = {},
): Promise<void> {
  await sql`UPDATE operations SET state = 'failed', error = 'SUPERSEDED', finished_at = clock_timestamp()
    WHERE route_id = ${routeId} AND state = 'running'
      AND (${which.only ?? null}::text[] IS NULL OR action = ANY(${which.only ?? null}::text[]))
      AND (${which.except ?? null}::text[] IS NULL OR action <> ALL(${which.except ?? null}::text[]))`.execute(db);
}

export async function finishOperation(
  db: Executor,
  id: string,
  state: 'successful' | 'failed',
  error: OperationError | null,
): Promise<OperationRow> {
  return db
    .updateTable('operations')
    .set({ state, error, finished_at: sql<string>`clock_timestamp()` })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Puts the newest state of a route before its nodes; answers the revision that its trigger gave. */
export async function putEdgeRoute(
  db: Executor,
  route: { id: string; account_id: string; czone: string },
  payload: object | null,
): Promise<number> {
  const json = payload === null ? null : JSON.stringify(payload);
  const { revision } = await db
    .insertInto('edge_routes')
    .values({ route_id: route.id, account_id: route.account_id, czone: route.czone, payload: json })
    .onConflict((conflict) => conflict.column('route_id').doUpdateSet({ payload: json, czone: route.czone }))
    .returning('revision')
    .executeTakeFirstOrThrow();
  return revision;
}

export async function isOnEdge(db: Executor, routeId: string): Promise<boolean> {
  return (
    (await db.selectFrom('edge_routes').select('route_id').where('route_id', '=', routeId).executeTakeFirst()) !==
    undefined
  );
}

/** Whether its nodes are to serve the route. */
export async function isServed(db: Executor, routeId: string): Promise<boolean> {
  const row = await db
    .selectFrom('edge_routes')
    .select('route_id')
    .where('route_id', '=', routeId)
    .where('payload', 'is not', null)
    .executeTakeFirst();
  return row !== undefined;
}

export interface NodeReceiptRow {
  readonly node_id: string;
  readonly node: string;
  readonly is_live: boolean;
  readonly state: 'live' | 'failed' | null;
  readonly version: number | null;
  readonly live_ms: number | null;
  readonly probe_status: number | null;
  readonly at: string | null;
}

/** Every node of the czone with what it reported about an operation. */
export async function nodeReceipts(
  db: Executor,
  operationId: string,
  czone: string,
  livenessSeconds: number,
): Promise<NodeReceiptRow[]> {
  const { rows } = await sql<NodeReceiptRow>`
    SELECT n.id AS node_id, n.name AS node, coalesce(n.last_seen_at > clock_timestamp() - make_interval(secs => ${livenessSeconds}), false) AS is_live,
      d.state, d.version, d.live_ms, d.probe_status, d.at
    FROM edge_nodes n LEFT JOIN deploy_receipts d ON d.node_id = n.id AND d.operation_id = ${operationId}
    WHERE ${czone} = ANY(n.czones) AND n.revoked_at IS NULL ORDER BY n.name`.execute(db);
  return rows;
}

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
