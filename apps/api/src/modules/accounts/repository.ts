import type { Locale } from '@cordon/contract';
import { sql } from 'kysely';
import type { Executor } from '../../platform/database.ts';
import type {} from './tables.ts';

export interface NewAccount {
  readonly name: string;
  readonly brand: string;
  readonly email: string;
  readonly subject: string | undefined;
  readonly userName: string;
  /** Null: none was chosen. */
  readonly locale: Locale | null;
  readonly timeZone: string;
  readonly roles: readonly string[];
  readonly passwordHash: string | null;
  readonly emailVerifiedAt: Date | null;
  readonly termsVersion: string | null;
}

export interface SignInChange {
  readonly email?: string;
  /** `sub` of the tokens. */
  readonly subject?: string;
  readonly passwordHash?: string;
  readonly roles?: readonly string[];
}

/** Throws a unique violation of `users_email` when the address has a user already. */
export async function insertAccount(db: Executor, account: NewAccount): Promise<{ accountId: string; userId: string }> {
  const { id: accountId } = await db
    .insertInto('accounts')
    .values({ name: account.name, brand: account.brand, time_zone: account.timeZone })
    .returning('id')
    .executeTakeFirstOrThrow();
  const userId = (await sql<{ id: string }>`SELECT gen_random_uuid() AS id`.execute(db)).rows[0]?.id as string;
  await db
    .insertInto('users')
    .values({
      id: userId,
      account_id: accountId,
      subject: account.subject ?? userId,
      email: account.email,
      name: account.userName,
      locale: account.locale,
      roles: [...account.roles],
      password_hash: account.passwordHash,
      email_verified_at: account.emailVerifiedAt,
      terms_version: account.termsVersion,
      terms_accepted_at: account.termsVersion === null ? null : new Date(),
    })
    .execute();
  return { accountId, userId };
}

export const findMe = (db: Executor, accountId: string, userId: string) =>
  db
    .selectFrom('users')
    .innerJoin('accounts', 'accounts.id', 'users.account_id')
    .select(['users.id', 'users.email', 'users.name', 'users.locale', 'users.roles'])
    .select([
      'accounts.id as account_id',
      'accounts.name as account_name',
      'accounts.time_zone',
      'accounts.suspended_at',
      'accounts.created_at as account_created_at',
    ])
    .where('users.id', '=', userId)
    .where('users.account_id', '=', accountId)
    .executeTakeFirst();

export interface AccountSuspension {
  readonly suspended_at: string | null;
  readonly suspended_reason: string | null;
}

export const findSuspension = (db: Executor, accountId: string): Promise<AccountSuspension | undefined> =>
  db.selectFrom('accounts').select(['suspended_at', 'suspended_reason']).where('id', '=', accountId).executeTakeFirst();

export const holdAccount = (db: Executor, accountId: string) =>
  db.selectFrom('accounts').selectAll().where('id', '=', accountId).forShare().executeTakeFirst();

export async function updateUser(
  db: Executor,
  accountId: string,
  userId: string,
  change: { name?: string; locale?: Locale },
): Promise<void> {
  if (Object.keys(change).length === 0) return;
  await db.updateTable('users').set(change).where('id', '=', userId).where('account_id', '=', accountId).execute();
}

/** What a user signs in as. Throws a unique violation where another user has the subject or the e-mail address. */
export async function updateSignIn(
  db: Executor,
  userId: string,
  { passwordHash, roles, ...change }: SignInChange,
): Promise<void> {
  await db
    .updateTable('users')
    .set({
      ...change,
      ...(passwordHash === undefined ? {} : { password_hash: passwordHash }),
      ...(roles === undefined ? {} : { roles: [...roles] }),
    })
    .where('id', '=', userId)
    .execute();
}

/** Whether it was changed: not where it is another one by now than `before`. */
export async function changePasswordHash(
  db: Executor,
  userId: string,
  before: string,
  after: string,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('users')
    .set({ password_hash: after })
    .where('id', '=', userId)
    .where('password_hash', '=', before)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function updateAccount(db: Executor, accountId: string, change: { time_zone?: string }): Promise<void> {
  if (Object.keys(change).length === 0) return;
  await db.updateTable('accounts').set(change).where('id', '=', accountId).execute();
}

/** @param reason Null: it is suspended no longer. */
export async function setSuspended(db: Executor, accountId: string, reason: string | null): Promise<void> {
  const suspended_at = reason === null ? null : sql<string>`now()`;
  await db
    .updateTable('accounts')
    .set({ suspended_at, suspended_reason: reason })
    .where('id', '=', accountId)
    .execute();
}

export async function insertOperatorToken(
  db: Executor,
  token: {
    accountId: string;
    name: string;
    hash: Buffer;
    lastFour: string;
    scopes: readonly string[];
    expiresAt: Date;
  },
): Promise<void> {
  await db
    .insertInto('api_tokens')
    .values({
      account_id: token.accountId,
      user_id: null,
      name: token.name,
      token_hash: token.hash,
      last_four: token.lastFour,
      scopes: [...token.scopes],
      expires_at: token.expiresAt,
      issued_by: 'operator',
    })
    .execute();
}
