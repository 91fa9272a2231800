import { sql } from 'kysely';
import type { Executor } from '../../platform/database.ts';
import type {} from './tables.ts';

/** Whose tokens: those of a user, within the account. */
export interface TokenOwner {
  readonly accountId: string;
  readonly userId: string;
}

const tokensOf = (db: Executor, { accountId, userId }: TokenOwner) =>
  db
    .selectFrom('api_tokens')
    .select(['id', 'name', 'last_four', 'scopes', 'created_at', 'expires_at', 'last_used_at', 'last_used_from'])
    .where('account_id', '=', accountId)
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null);
export type TokenRow = Awaited<ReturnType<typeof listTokens>>[number];

export const listTokens = (db: Executor, owner: TokenOwner) =>
  tokensOf(db, owner).orderBy('created_at', 'desc').orderBy('id').execute();

/** Read under the lock of the user's tokens: two calls together come neither past the bound nor to one name. */
export async function lockTokens(db: Executor, owner: TokenOwner): Promise<TokenRow[]> {
  await sql`SELECT pg_advisory_xact_lock(hashtext('api_tokens'), hashtext(${owner.userId}))`.execute(db);
  return listTokens(db, owner);
}

export const insertToken = (
  db: Executor,
  { accountId, userId }: TokenOwner,
  token: { name: string; hash: Buffer; lastFour: string; scopes: readonly string[]; expiresAt: Date },
): Promise<TokenRow> =>
  db
    .insertInto('api_tokens')
    .values({
      account_id: accountId,
      user_id: userId,
      name: token.name,
      token_hash: token.hash,
      last_four: token.lastFour,
      scopes: [...token.scopes],
      expires_at: token.expiresAt,
      issued_by: 'user',
    })
    .returning(['id', 'name', 'last_four', 'scopes', 'created_at', 'expires_at', 'last_used_at', 'last_used_from'])
    .executeTakeFirstOrThrow();

export async function renameToken(db: Executor, { accountId, userId }: TokenOwner, id: string, name: string) {
  await db
    .updateTable('api_tokens')
    .set({ name })
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .where('user_id', '=', userId)
    .execute();
}

/** Takes it out, which all processes are told of as it is committed; undefined where there is none. */
export const deleteToken = (db: Executor, { accountId, userId }: TokenOwner, id: string) =>
  db
    .deleteFrom('api_tokens')
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .returning(['name', 'scopes'])
    .executeTakeFirst();

/** Writes down that a token was used, unless that was done within the last minute. */
export async function noteTokenUse(db: Executor, id: string, address: string): Promise<void> {
  await db
    .updateTable('api_tokens')
    .set({ last_used_at: sql<string>`now()`, last_used_from: address })
    .where('id', '=', id)
    .where((at) =>
      at.or([at('last_used_at', 'is', null), at('last_used_at', '<', sql<string>`now() - interval '1 minute'`)]),
    )
    .execute();
}

/** Forgets tokens that ended so many days ago. */
export async function forgetEndedTokens(db: Executor, days: number): Promise<void> {
  await db
    .deleteFrom('api_tokens')
    .where('expires_at', '<', sql<string>`now() - make_interval(days => ${days})`)
    .execute();
}
