import type { RouteConfig } from '@cordon/contract';
import type { Executor } from '../../platform/database.ts';

const DRAFTS_KEPT = 50;

/** Keeps what a revision of the draft was, so that a stale edit can be answered with what changed. */
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
