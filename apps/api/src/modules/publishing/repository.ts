import type { Actor } from '@cordon/contract';
import { sql } from 'kysely';
import type { Executor } from '../../platform/database.ts';
import { NOT_PAUSED, type RouteRow } from '../routes/service.ts';
import type {} from './tables.ts';
import { VERSIONS_KEPT } from './version-repository.ts';

/** What is live of many routes, in one statement each. Lock the routes first. */

/** What a draft changes of what is live: how many settings, and which where that is known. */
interface Pending {
  readonly changes: number;
  readonly changed: readonly string[] | null;
}

/** What the drafts change of what is live, by route; null where nothing was live yet. */
export async function pendingChangesOf(
  db: Executor,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Pending | null>> {
  const rows = await db
    .selectFrom('routes')
    .select(['id', 'version_live', 'pending_changes as changes', 'pending_settings as changed'])
    .where('id', 'in', [...ids])
    .execute();
  return new Map(
    rows.map(({ id, version_live, changes, changed }) => [id, version_live === null ? null : { changes, changed }]),
  );
}

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
      pending_settings: [],
      last_deployed: sql<string>`now()`,
      updated_at: sql<string>`now()`,
    })
    .where('id', 'in', [...ids])
    .returningAll()
    .execute();
}

/**
 * Writes down the versions that the routes' rows now say are live, and lets the oldest of each go. `pending`: what each
 * changed of the version before it, by route.
 */
export async function insertLiveVersions(
  db: Executor,
  pending: ReadonlyMap<string, Pending | null>,
  actor: Actor,
  /** `rolledBackTo`: the earlier version that this one brings back. */
  how: { readonly note: string; readonly rolledBackTo?: number | undefined },
): Promise<void> {
  const ids = [...pending.keys()];
  const counted = JSON.stringify([...pending].map(([id, one]) => ({ id, ...one })));
  await sql`INSERT INTO route_versions (route_id, version, account_id, config, note, created_by, created_by_kind, rolled_back_to, changes, changed, certificate_id, names)
    SELECT id, version_live, account_id, live, ${how.note}, ${actor.label}, ${actor.kind}, ${how.rolledBackTo ?? null}, changes, changed, certificate_id,
      ARRAY(SELECT n.name FROM names n WHERE n.route_id = routes.id ORDER BY n.kind, n.name)
    FROM routes JOIN jsonb_to_recordset(${counted}::jsonb) AS counted(id uuid, changes int, changed text[]) USING (id)`.execute(
    db,
  );
  await dropOldVersions(db, ids);
}

/** Lets versions go that are neither live nor among the newest of their route. */
export async function dropOldVersions(db: Executor, ids: readonly string[]): Promise<void> {
  await sql`DELETE FROM route_versions v USING routes r
    WHERE r.id = ANY(${[...ids]}::uuid[]) AND r.version_last > ${VERSIONS_KEPT} AND v.route_id = r.id
      AND v.version <= r.version_last - ${VERSIONS_KEPT} AND v.version IS DISTINCT FROM r.version_live`.execute(db);
}

/** Takes routes off the edge; answers the rows as they are now. */
export async function takeOffEdge(
  db: Executor,
  ids: readonly string[],
  status: 'deactivated' | 'deleting',
  also: { readonly ownership_state?: 'pending' } = {},
): Promise<RouteRow[]> {
  return db
    .updateTable('routes')
    .set({
      status,
      updated_at: sql<string>`now()`,
      ...NOT_PAUSED,
      ...also,
    })
    .where('id', 'in', [...ids])
    .returningAll()
    .execute();
}

/** Puts deactivated routes back on the edge with the version that was live; answers the rows as they are now. */
export async function putOnEdge(db: Executor, ids: readonly string[]): Promise<RouteRow[]> {
  return db
    .updateTable('routes')
    .set({ status: 'running', updated_at: sql<string>`now()`, last_deployed: sql<string>`now()` })
    .where('id', 'in', [...ids])
    .returningAll()
    .execute();
}

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

/** Whether a node may serve or has served the route. */
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
    .where(sql<string>`payload ->> 'off'`, 'is', null)
    .executeTakeFirst();
  return row !== undefined;
}

/** SHA-256 of the CA certificates of their own that the drafts verify origins by; drafts without such are left out. */
export async function draftTlsCas(
  db: Executor,
  ids: readonly string[],
): Promise<{ id: string; account_id: string; subscription_id: string; hash: string }[]> {
  const { rows } = await sql<{ id: string; account_id: string; subscription_id: string; hash: string }>`
    SELECT id, account_id, subscription_id,
      encode(sha256(convert_to(draft #>> '{upstreams,tls_ca}', 'UTF8')), 'hex') AS hash
    FROM routes WHERE id = ANY(${[...ids]}::uuid[]) AND draft #>> '{upstreams,tls_verification}' = 'custom'
      AND draft #>> '{upstreams,tls_ca}' IS NOT NULL ORDER BY subscription_id, id`.execute(db);
  return rows;
}

/**
 * SHA-256 of the CA certificates of their own that the subscription's live domains verify origins by, by route. Others
 * that ask for the same subscription wait until the transaction ends.
 */
export async function lockLiveTlsCas(db: Executor, subscriptionId: string): Promise<Map<string, string>> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`tls-ca/${subscriptionId}`}, 0))`.execute(db);
  const { rows } = await sql<{ id: string; hash: string }>`
    SELECT id, encode(sha256(convert_to(live #>> '{upstreams,tls_ca}', 'UTF8')), 'hex') AS hash FROM routes
    WHERE subscription_id = ${subscriptionId} AND live #>> '{upstreams,tls_verification}' = 'custom'
      AND live #>> '{upstreams,tls_ca}' IS NOT NULL AND status <> 'deleted'`.execute(db);
  return new Map(rows.map(({ id, hash }) => [id, hash]));
}
