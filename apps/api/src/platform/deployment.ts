import type { Executor } from './database.ts';

/** What is kept under a name for the deployment as a whole; undefined while nothing is. */
export const readDeployment = async (db: Executor, name: string): Promise<Buffer | undefined> =>
  (await db.selectFrom('deployment').select('value').where('name', '=', name).executeTakeFirst())?.value;

/** Keeps the first value that is given, of processes that start together too; answers the one that is kept. */
export async function keepDeployment(db: Executor, name: string, value: Buffer): Promise<Buffer> {
  await db
    .insertInto('deployment')
    .values({ name, value })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return (await readDeployment(db, name)) as Buffer;
}

/** Replaces what is kept under a name. */
export async function replaceDeployment(db: Executor, name: string, value: Buffer): Promise<void> {
  await db
    .insertInto('deployment')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
}
