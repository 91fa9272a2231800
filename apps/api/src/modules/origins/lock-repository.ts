import { type Selectable, sql } from 'kysely';
import type { Database, Executor } from '../../platform/database.ts';
import type {} from './tables.ts';

export type OriginLockRow = Selectable<Database['origin_locks']>;

export const findLock = (db: Executor, accountId: string, routeId: string): Promise<OriginLockRow | undefined> =>
  db
    .selectFrom('origin_locks')
    .selectAll()
    .where('route_id', '=', routeId)
    .where('account_id', '=', accountId)
    .executeTakeFirst();

/** The seeds of many routes of an account, by route. */
export const findSeeds = async (
  db: Executor,
  accountId: string,
  routeIds: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  const rows = await db
    .selectFrom('origin_locks')
    .select(['route_id', 'seed'])
    .where('route_id', 'in', [...routeIds])
    .where('account_id', '=', accountId)
    .execute();
  return new Map(rows.map((row) => [row.route_id, row.seed]));
};

export async function putLock(
  db: Executor,
  row: { routeId: string; accountId: string; seed: string; nextSeed: string | null },
): Promise<OriginLockRow> {
  const seeds = { seed: row.seed, next_seed: row.nextSeed, changed_at: sql<string>`now()` };
  return db
    .insertInto('origin_locks')
    .values({ route_id: row.routeId, account_id: row.accountId, ...seeds })
    .onConflict((conflict) => conflict.column('route_id').doUpdateSet(seeds))
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function deleteLock(db: Executor, accountId: string, routeId: string): Promise<void> {
  await db.deleteFrom('origin_locks').where('route_id', '=', routeId).where('account_id', '=', accountId).execute();
}
