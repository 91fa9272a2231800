import type { Executor } from '../../platform/database.ts';
import type {} from './tables.ts';

/** A secret as it is stored. */
export interface SealedSecret {
  readonly handle: string;
  readonly sealed: Buffer;
}

export const findSecrets = (
  db: Executor,
  accountId: string,
  handles: readonly string[],
): Promise<readonly SealedSecret[]> =>
  db
    .selectFrom('plugin_secrets')
    .select(['handle', 'sealed'])
    .where('account_id', '=', accountId)
    .where('handle', 'in', [...handles])
    .execute();

/** Those that the account has already stay. Answers how many were added. */
export async function insertSecrets(
  db: Executor,
  accountId: string,
  secrets: readonly SealedSecret[],
): Promise<number> {
  const added = await db
    .insertInto('plugin_secrets')
    .values(secrets.map(({ handle, sealed }) => ({ account_id: accountId, handle, sealed })))
    .onConflict((conflict) => conflict.doNothing())
    .returning('handle')
    .execute();
  return added.length;
}

export async function countSecrets(db: Executor, accountId: string): Promise<number> {
  const { count } = await db
    .selectFrom('plugin_secrets')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return Number(count);
}
