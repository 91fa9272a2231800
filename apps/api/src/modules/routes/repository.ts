import type { EdgeRoute, Hsts, RouteConfig, Suspension } from '@cordon/contract';
import { type Selectable, sql } from 'kysely';
import type { Database, Executor } from '../../platform/database.ts';
import type {} from './tables.ts';

export type RouteRow = Selectable<Database['routes']>;

const notDeleted = 'deleted' as const;

/** All columns but the configurations. */
const headColumns = [
  'id',
  'account_id',
  'subscription_id',
  'czone',
  'domain_name',
  'domain_name_unicode',
  'cname',
  'status',
  'draft_revision',
  'draft_updated_at',
  'draft_updated_by',
  'version_last',
  'version_live',
  'last_deployed',
  'pending_changes',
  'pending_settings',
  'upstream_summary',
  'ownership_state',
  'ownership_method',
  'ownership_checked_at',
  'ownership_seen',
  'ownership_pending_since',
  'proof_needed_until',
  'remarks',
  'group_id',
  'force_https',
  'hsts',
  'certificate_id',
  'auto_generate_cert',
  'operation_id',
  'immediate_operation_id',
  'paused_at',
  'paused_until',
  'paused_by',
  'suspended_at',
  'suspended_reason',
  'created_at',
  'updated_at',
  'deleted_at',
] as const satisfies (keyof RouteRow)[];

const ofAccount = (db: Executor, accountId: string, id: string) =>
  db.selectFrom('routes').where('id', '=', id).where('account_id', '=', accountId).where('status', '<>', notDeleted);

/** A route of the account, deleted ones left out. */
export const findRoute = (db: Executor, accountId: string, id: string): Promise<RouteRow | undefined> =>
  ofAccount(db, accountId, id).selectAll().executeTakeFirst();

/** The same, locked until the transaction ends. */
export const lockRoute = (db: Executor, accountId: string, id: string): Promise<RouteRow | undefined> =>
  ofAccount(db, accountId, id).selectAll().forUpdate().executeTakeFirst();

/** Configurations of a route that are at hand: a draft of one revision, and a live one of one version, is never another. */
export type KnownConfigs = Pick<RouteRow, 'draft' | 'draft_revision' | 'live' | 'version_live'>;

/**
 * A route of the account that reads of its configurations, which may have lists of thousands, only what is another than
 * those that are known.
 */
export async function findRouteAgain(
  db: Executor,
  accountId: string,
  id: string,
  known: KnownConfigs,
  how: { readonly isLocked?: boolean } = {},
): Promise<RouteRow | undefined> {
  const found = ofAccount(db, accountId, id)
    .select(headColumns)
    .select([
      sql<RouteConfig | null>`CASE WHEN draft_revision <> ${known.draft_revision} THEN draft END`.as('draft'),
      sql<RouteConfig | null>`CASE WHEN version_live IS DISTINCT FROM ${known.version_live}::int THEN live END`.as(
        'live',
      ),
    ]);
  const row = await (how.isLocked ? found.forUpdate() : found).executeTakeFirst();
  if (!row) return undefined;
  const { draft, live, ...head } = row;
  return {
    ...head,
    draft: draft ?? known.draft,
    live: head.version_live === known.version_live ? known.live : live,
  };
}

/** A route of any account, for jobs and the operator. */
export const findAnyRoute = (db: Executor, id: string): Promise<RouteRow | undefined> =>
  db.selectFrom('routes').selectAll().where('id', '=', id).executeTakeFirst();

/** The same, locked until the transaction ends. */
export const lockAnyRoute = (db: Executor, id: string): Promise<RouteRow | undefined> =>
  db.selectFrom('routes').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();

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
    pending_settings: string[];
    upstream_summary: string;
    remarks: string;
    operation_id: string;
    immediate_operation_id: string;
    paused_at: Date | null;
    paused_until: Date | null;
    paused_by: string | null;
    ownership_state: 'pending' | 'verified';
    ownership_method: RouteRow['ownership_method'];
    ownership_seen: string[] | null;
    force_https: boolean;
    hsts: Hsts | null;
  }>,
  stamps: { draft?: boolean; deployed?: boolean; checked?: boolean; deleted?: boolean } = {},
): Promise<void> {
  const { draft, live, hsts, ...plain } = change;
  await db
    .updateTable('routes')
    .set({
      ...plain,
      ...(draft ? { draft: JSON.stringify(draft) } : {}),
      ...(live ? { live: JSON.stringify(live) } : {}),
      ...(hsts === undefined ? {} : { hsts: hsts && JSON.stringify(hsts) }),
      updated_at: sql<string>`now()`,
      ...(stamps.draft ? { draft_updated_at: sql<string>`now()` } : {}),
      ...(stamps.deployed ? { last_deployed: sql<string>`now()` } : {}),
      ...(stamps.checked ? { ownership_checked_at: sql<string>`now()` } : {}),
      ...(stamps.deleted ? { deleted_at: sql<string>`now()` } : {}),
    })
    .where('id', '=', id)
    .execute();
}

/** For a group that has no domain any more and goes. */
export async function forgetGroupCounts(db: Executor, accountId: string, groupId: string): Promise<void> {
  await sql`DELETE FROM route_counts WHERE account_id = ${accountId} AND group_id = ${groupId}`.execute(db);
}

/** Columns of an account's, or of a route's, suspension. */
export type SuspensionColumns = Pick<RouteRow, 'suspended_at' | 'suspended_reason'>;

/** What is suspended of a route: itself before its account; null: nothing is. */
export function suspensionOf(route: SuspensionColumns, account: SuspensionColumns | undefined): Suspension | null {
  const since = route.suspended_at ?? account?.suspended_at ?? null;
  if (since === null) return null;
  const scope = route.suspended_at === null ? 'account' : 'domain';
  return { scope, since, reason: (scope === 'domain' ? route : account)?.suspended_reason ?? '' };
}

/** Why the nodes tell visitors of a live route that it is off, its account's suspension apart. */
export function offOf(route: Pick<RouteRow, 'status' | 'suspended_at' | 'version_live'>): EdgeRoute['off'] {
  if (route.version_live === null) return undefined;
  if (route.suspended_at !== null) return 'suspended';
  return route.status === 'deactivated' ? 'deactivated' : undefined;
}

/** Suspends a route, or ends its suspension where there is no reason (null). Publish it again. */
export async function setRouteSuspended(db: Executor, id: string, reason: string | null): Promise<void> {
  const suspended_at = reason === null ? null : sql<string>`now()`;
  await db.updateTable('routes').set({ suspended_at, suspended_reason: reason }).where('id', '=', id).execute();
}

/** Routes of the account, deleted ones left out, locked in one order everywhere so that no deadlock comes of it. */
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

/** Routes of the account in the order of the ids; deleted ones and others' are left out. */
export async function findRoutesByIds(db: Executor, accountId: string, ids: readonly string[]): Promise<RouteRow[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('routes')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', 'in', [...ids])
    .where('status', '<>', 'deleted')
    .execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** What tells whether a route is still as something has left it; its configurations are not read for it. */
export type RouteStanding = Pick<
  RouteRow,
  'id' | 'status' | 'operation_id' | 'group_id' | 'draft_revision' | 'version_live'
>;

/** Of the account; deleted ones are left out. */
export const findStandings = (db: Executor, accountId: string, ids: readonly string[]): Promise<RouteStanding[]> =>
  ids.length === 0
    ? Promise.resolve([])
    : db
        .selectFrom('routes')
        .select(['id', 'status', 'operation_id', 'group_id', 'draft_revision', 'version_live'])
        .where('account_id', '=', accountId)
        .where('id', 'in', [...ids])
        .where('status', '<>', 'deleted')
        .execute();

/** Routes of any account. */
export const findRoutes = (db: Executor, ids: readonly string[]): Promise<RouteRow[]> =>
  ids.length === 0
    ? Promise.resolve([])
    : db
        .selectFrom('routes')
        .selectAll()
        .where('id', 'in', [...ids])
        .execute();

/** What of a route consoles are told; its configurations are not read for it. */
export type RouteState = Pick<
  RouteRow,
  'id' | 'account_id' | 'domain_name' | 'status' | 'ownership_state' | 'operation_id' | 'immediate_operation_id'
>;

/** Of routes of any account. */
export const findRouteStates = (db: Executor, ids: readonly string[]): Promise<RouteState[]> =>
  ids.length === 0
    ? Promise.resolve([])
    : db
        .selectFrom('routes')
        .select([
          'id',
          'account_id',
          'domain_name',
          'status',
          'ownership_state',
          'operation_id',
          'immediate_operation_id',
        ])
        .where('id', 'in', [...ids])
        .execute();

export interface NameOfRoute {
  readonly name: string;
  readonly kind: 'main' | 'shadow';
  readonly ownership_state: 'pending' | 'verified';
}

/** The main name first, then the shadow domains by name. */
export const namesOfRoute = (db: Executor, routeId: string): Promise<NameOfRoute[]> =>
  db
    .selectFrom('name_ownership')
    .select(['name', 'kind', 'ownership_state'])
    .where('route_id', '=', routeId)
    .orderBy('kind')
    .orderBy('name')
    .execute();

/** The same of many. */
export const namesOfRoutes = (db: Executor, ids: readonly string[]): Promise<(NameOfRoute & { route_id: string })[]> =>
  db
    .selectFrom('name_ownership')
    .select(['route_id', 'name', 'kind', 'ownership_state'])
    .where('route_id', 'in', [...ids])
    .orderBy('kind')
    .orderBy('name')
    .execute();
