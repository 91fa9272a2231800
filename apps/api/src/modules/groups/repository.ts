import { sql } from 'kysely';
import type { Executor } from '../../platform/database.ts';
import { forgetGroupCounts } from '../routes/service.ts';
import type {} from './tables.ts';

export interface GroupRow {
  readonly id: string;
  readonly name: string;
  readonly is_default: boolean;
  readonly domains: number;
}

/** Groups of an account with how many domains are in each, the default one first; or one of them. */
export async function listGroups(db: Executor, accountId: string, id?: string): Promise<GroupRow[]> {
  const { rows } = await sql<GroupRow>`
    SELECT g.id, g.name, g.is_default, coalesce(c.domains, 0)::int AS domains
    FROM groups g LEFT JOIN (SELECT group_id, sum(routes) AS domains FROM route_counts
      WHERE account_id = ${accountId} GROUP BY group_id) c ON c.group_id = g.id
    WHERE g.account_id = ${accountId} AND (${id ?? null}::uuid IS NULL OR g.id = ${id ?? null}::uuid)
    ORDER BY g.is_default DESC, lower(g.name), g.id`.execute(db);
  return rows;
}

/** Groups by how they are named, in any case as `groups_name` (migration 0006) tells names apart. */
export async function findGroupsByName(
  db: Executor,
  accountId: string,
  names: readonly string[],
): Promise<{ name: string; id: string }[]> {
  const { rows } = await sql<{ name: string; id: string }>`
    SELECT given.name, g.id FROM unnest(${[...names]}::text[]) AS given (name)
    JOIN groups g ON g.account_id = ${accountId} AND lower(g.name) = lower(given.name)`.execute(db);
  return rows;
}

/** The group, kept from being deleted until the transaction ends. */
export const holdGroup = (db: Executor, accountId: string, id: string) =>
  db
    .selectFrom('groups')
    .select(['id', 'name', 'is_default'])
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .forKeyShare()
    .executeTakeFirst();

/** The group, locked until the transaction ends. */
export const lockGroup = (db: Executor, accountId: string, id: string) =>
  db
    .selectFrom('groups')
    .select(['id', 'name', 'is_default'])
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .forUpdate()
    .executeTakeFirst();

/** Throws the unique violation of `groups_name`. */
export const insertGroup = async (db: Executor, accountId: string, name: string): Promise<string> =>
  (await db.insertInto('groups').values({ account_id: accountId, name }).returning('id').executeTakeFirstOrThrow()).id;

/** Throws the unique violation of `groups_name`. */
export async function renameGroup(db: Executor, accountId: string, id: string, name: string): Promise<void> {
  await db.updateTable('groups').set({ name }).where('id', '=', id).where('account_id', '=', accountId).execute();
}

/** Moves the domains of a locked group to the default one, and deletes the group. */
export async function deleteGroup(db: Executor, accountId: string, id: string): Promise<void> {
  await sql`UPDATE routes SET group_id = (SELECT id FROM groups WHERE account_id = ${accountId} AND is_default)
    WHERE account_id = ${accountId} AND group_id = ${id} AND status <> 'deleted'`.execute(db);
  await forgetGroupCounts(db, accountId, id);
  await db.deleteFrom('groups').where('id', '=', id).where('account_id', '=', accountId).execute();
}

export const countGroups = async (db: Executor, accountId: string): Promise<number> =>
  (
    await db
      .selectFrom('groups')
      .select((select) => select.fn.countAll<number>().as('count'))
      .where('account_id', '=', accountId)
      .executeTakeFirstOrThrow()
  ).count;

/** Moves domains to a group that is held. */
export async function setGroup(db: Executor, ids: readonly string[], groupId: string): Promise<void> {
  await sql`UPDATE routes SET group_id = ${groupId}, updated_at = now() WHERE id = ANY(${[...ids]}::uuid[])`.execute(
    db,
  );
}
