import { sql } from 'kysely';
import type { Executor } from '../../platform/database.ts';

const DRAFTS_KEPT = 50;

/**
 * Keeps what the route's draft is now, and by whom, so that a stale edit can be answered with what changed. PostgreSQL copies the
 * stored bytes: sent again, a list of thousands would be parsed and compressed a second time.
 */
export async function keepDraft(db: Executor, routeId: string, by: string): Promise<void> {
  const { revision } = await db
    .insertInto('route_drafts')
    .columns(['route_id', 'revision', 'config', 'created_by'])
    .expression((select) =>
      select
        .selectFrom('routes')
        .select(['id', 'draft_revision', 'draft', sql<string>`${by}`.as('by')])
        .where('id', '=', routeId),
    )
    .returning('revision')
    .executeTakeFirstOrThrow();
  await db
    .deleteFrom('route_drafts')
    .where('route_id', '=', routeId)
    .where('revision', '<=', revision - DRAFTS_KEPT)
    .execute();
}

/** The draft that had a revision, while it is kept. */
export const findDraft = (db: Executor, routeId: string, revision: number) =>
  db
    .selectFrom('route_drafts')
    .select('config')
    .where('route_id', '=', routeId)
    .where('revision', '=', revision)
    .executeTakeFirst();

/** Drafts from a revision on, oldest first. */
export const draftsSince = (db: Executor, routeId: string, revision: number) =>
  db
    .selectFrom('route_drafts')
    .select(['revision', 'config', 'created_by'])
    .where('route_id', '=', routeId)
    .where('revision', '>=', revision)
    .orderBy('revision')
    .execute();
