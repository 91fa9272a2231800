import type { DomainAction, OperationError, RouteConfig, RunningOperation } from '@cordon/contract';
import { type Selectable, sql } from 'kysely';
import type { Database, Executor } from '../../platform/database.ts';

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

/** Serialises everything that adds or moves names below one registrable name. */
export async function lockNamesBelow(db: Executor, registrable: string): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtext('names'), hashtext(${registrable}))`.execute(db);
}

export interface NameHolder {
  readonly name: string;
  readonly account_id: string;
  readonly route_id: string;
  readonly kind: 'main' | 'shadow';
}

export const findName = (db: Executor, name: string): Promise<NameHolder | undefined> =>
  db.selectFrom('names').select(['name', 'account_id', 'route_id', 'kind']).where('name', '=', name).executeTakeFirst();

/**
 * Whether another account has a name that the given one would cover (`*.example.com` over `www.example.com`), or a
 * wildcard that covers the given one.
 */
export async function spansOthers(db: Executor, accountId: string, name: string): Promise<boolean> {
  const labels = name.replace(/^\*\./, '').split('.');
  const wildcards = labels
    .slice(name.startsWith('*.') ? 0 : 1)
    .map((_, index) => `*.${labels.slice(index + (name.startsWith('*.') ? 0 : 1)).join('.')}`);
  const below = name.startsWith('*.') ? [...`.${name.slice(2)}`].reverse().join('') : undefined;
  const { rows } = await sql<{ found: boolean }>`
    SELECT EXISTS (SELECT 1 FROM names WHERE name = ANY(${wildcards}::text[]) AND account_id <> ${accountId} AND name <> ${name})
      OR (${below ?? null}::text IS NOT NULL AND EXISTS (
        SELECT 1 FROM names WHERE reverse(name) LIKE ${`${below ?? ''}%`} AND account_id <> ${accountId} AND name <> ${name})) AS found`.execute(
    db,
  );
  return rows[0]?.found ?? false;
}

/** Names below a wildcard that other accounts hold without having proved them; none for an exact name. */
export async function unprovedBelow(
  db: Executor,
  accountId: string,
  wildcard: string,
): Promise<{ name: string; route_id: string }[]> {
  if (!wildcard.startsWith('*.')) return [];
  const { rows } = await sql<{ name: string; route_id: string }>`
    SELECT n.name, n.route_id FROM names n JOIN routes r ON r.id = n.route_id
    WHERE reverse(n.name) LIKE ${`${[...wildcard.slice(1)].reverse().join('')}%`} AND n.account_id <> ${accountId}
      AND r.ownership_state = 'pending' ORDER BY n.route_id`.execute(db);
  return rows;
}

/** When another account last gave the name up, if within the days. */
export async function releasedByOthers(
  db: Executor,
  accountId: string,
  name: string,
  days: number,
): Promise<string | undefined> {
  const { rows } = await sql<{ until: string | null }>`
    SELECT max(released_at) + make_interval(days => ${days}) AS until FROM released_names
    WHERE name = ${name} AND account_id <> ${accountId} AND released_at > now() - make_interval(days => ${days})`.execute(
    db,
  );
  return rows[0]?.until ?? undefined;
}

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
  await db
    .insertInto('names')
    .values({
      name: route.domainName,
      account_id: route.accountId,
      route_id: id,
      subscription_id: route.subscriptionId,
      kind: 'main',
    })
    .execute();
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

export const namesOfRoute = (db: Executor, routeId: string): Promise<{ name: string; kind: 'main' | 'shadow' }[]> =>
  db
    .selectFrom('names')
    .select(['name', 'kind'])
    .where('route_id', '=', routeId)
    .orderBy('kind')
    .orderBy('name')
    .execute();

/** Frees the names of a route; answers them. */
export const deleteNames = (db: Executor, routeId: string): Promise<{ name: string }[]> =>
  db.deleteFrom('names').where('route_id', '=', routeId).returning('name').execute();

/** Remembers that an account gave a proved name up. */
export async function insertReleasedNames(db: Executor, accountId: string, names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  await db
    .insertInto('released_names')
    .values(names.map((name) => ({ name, account_id: accountId })))
    .onConflict((conflict) => conflict.columns(['name', 'account_id']).doUpdateSet({ released_at: sql<string>`now()` }))
    .execute();
}

/** Versions that a route keeps to look at and to go back to; what is live is kept besides. */
export const VERSIONS_KEPT = 1_000;

/** Adds a version, and lets the oldest go that are neither live nor among the newest. */
export async function insertVersion(
  db: Executor,
  row: { routeId: string; version: number; accountId: string; config: RouteConfig; note: string; by: string },
): Promise<void> {
  await db
    .insertInto('route_versions')
    .values({
      route_id: row.routeId,
      version: row.version,
      account_id: row.accountId,
      config: JSON.stringify(row.config),
      note: row.note,
      created_by: row.by,
    })
    .execute();
  await sql`DELETE FROM route_versions WHERE route_id = ${row.routeId} AND version <= ${row.version - VERSIONS_KEPT}
    AND version IS DISTINCT FROM (SELECT version_live FROM routes WHERE id = ${row.routeId})`.execute(db);
}

export const countVersions = async (db: Executor, accountId: string, routeId: string): Promise<number> =>
  (
    await db
      .selectFrom('route_versions')
      .select((select) => select.fn.countAll<number>().as('count'))
      .where('route_id', '=', routeId)
      .where('account_id', '=', accountId)
      .executeTakeFirstOrThrow()
  ).count;

export const listVersions = (
  db: Executor,
  accountId: string,
  routeId: string,
  page: { limit: number; offset: number },
) =>
  db
    .selectFrom('route_versions')
    .select(['version', 'created_at', 'created_by', 'note'])
    .where('route_id', '=', routeId)
    .where('account_id', '=', accountId)
    .orderBy('version', 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .execute();

export const findVersion = (db: Executor, accountId: string, routeId: string, version: number) =>
  db
    .selectFrom('route_versions')
    .select(['version', 'created_at', 'created_by', 'note', 'config'])
    .where('route_id', '=', routeId)
    .where('account_id', '=', accountId)
    .where('version', '=', version)
    .executeTakeFirst();

export async function insertOperation(
  db: Executor,
  row: {
    accountId: string;
    routeId: string;
    action: DomainAction;
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

/** Ends operations of a route that a newer one replaces. */
export async function supersedeOperations(db: Executor, routeId: string): Promise<void> {
  await sql`UPDATE operations SET state = 'failed', error = 'SUPERSEDED', finished_at = clock_timestamp()
    WHERE route_id = ${routeId} AND state = 'running'`.execute(db);
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

/** A node's report about an operation; the time is from the commit, on the database's clock. The first success stays. */
export async function putReceipt(
  db: Executor,
  row: {
    operationId: string;
    nodeId: string;
    state: 'live' | 'failed';
    version: number | null;
    probeStatus: number | null;
  },
): Promise<void> {
  await sql`
    INSERT INTO deploy_receipts (operation_id, node_id, state, version, live_ms, probe_status)
    SELECT o.id, ${row.nodeId}, ${row.state}, ${row.version}::int,
      CASE WHEN ${row.state} = 'live' THEN round((extract(epoch FROM clock_timestamp() - o.started_at) * 1000)::numeric, 1) END, ${row.probeStatus}::int
    FROM operations o WHERE o.id = ${row.operationId}
    ON CONFLICT (operation_id, node_id) DO UPDATE SET state = excluded.state, version = excluded.version,
      live_ms = excluded.live_ms, probe_status = excluded.probe_status, at = clock_timestamp()
    WHERE deploy_receipts.state = 'failed'`.execute(db);
}

/** The newest operation of a route, locked. */
export const lockOperation = (db: Executor, id: string): Promise<OperationRow | undefined> =>
  db.selectFrom('operations').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();

/** Newest operations of routes, as far as the routes are of these czones. */
export const operationsOfRoutes = (db: Executor, routeIds: readonly string[], czones: readonly string[]) =>
  db
    .selectFrom('routes')
    .innerJoin('operations', 'operations.id', 'routes.operation_id')
    .selectAll('operations')
    .select('routes.czone')
    .where('routes.id', 'in', routeIds)
    .where('routes.czone', 'in', czones)
    .execute();
