import type { Locale } from '@cordon/contract';
import { sql } from 'kysely';
import type { Db } from '../../platform/database.ts';
import type {} from './tables.ts';

/** A person as sign-in sees them. */
export interface Person {
  readonly id: string;
  readonly account_id: string;
  /** `sub` of the tokens. */
  readonly subject: string;
  readonly email: string;
  readonly name: string;
  readonly locale: Locale | null;
  readonly roles: readonly string[];
  readonly password_hash: string | null;
  readonly is_email_verified: boolean;
  readonly is_disabled: boolean;
  readonly is_suspended: boolean;
}

const people = (db: Db) =>
  db
    .selectFrom('users')
    .innerJoin('accounts', 'accounts.id', 'users.account_id')
    .select([
      'users.id',
      'users.account_id',
      'users.subject',
      'users.email',
      'users.name',
      'users.locale',
      'users.roles',
    ])
    .select(['users.password_hash', 'users.email_verified_at', 'users.disabled_at', 'accounts.suspended_at']);

type Row = Awaited<ReturnType<ReturnType<typeof people>['executeTakeFirst']>>;

function personOf(row: Row): Person | undefined {
  if (row === undefined) return undefined;
  const { email_verified_at, disabled_at, suspended_at, ...rest } = row;
  return {
    ...rest,
    is_email_verified: email_verified_at !== null,
    is_disabled: disabled_at !== null,
    is_suspended: suspended_at !== null,
  };
}

export const findByEmail = async (db: Db, email: string): Promise<Person | undefined> =>
  personOf(await people(db).where(sql`lower(users.email)`, '=', email).executeTakeFirst());

export const findBySubject = async (db: Db, subject: string): Promise<Person | undefined> =>
  personOf(await people(db).where('users.subject', '=', subject).executeTakeFirst());

/** Counts one attempt; returns how many there were in the window, this one included, and when it ends. */
export async function countAttempt(
  db: Db,
  key: Buffer,
  windowSeconds: number,
): Promise<{ attempts: number; secondsLeft: number }> {
  const { rows } = await sql<{ attempts: number; seconds_left: number }>`
    INSERT INTO sign_in_attempts AS kept (key, attempts, ends_at)
    VALUES (${key}, 1, now() + make_interval(secs => ${windowSeconds}))
    ON CONFLICT (key) DO UPDATE SET
      attempts = CASE WHEN kept.ends_at <= now() THEN 1 ELSE kept.attempts + 1 END,
      ends_at = CASE WHEN kept.ends_at <= now() THEN excluded.ends_at ELSE kept.ends_at END
    RETURNING attempts, ceil(extract(epoch FROM ends_at - now()))::int AS seconds_left`.execute(db);
  return { attempts: rows[0]?.attempts ?? 1, secondsLeft: rows[0]?.seconds_left ?? windowSeconds };
}

/** How long a key that has no attempt left stays so; 0 when it has. */
export async function secondsLocked(db: Db, key: Buffer, attemptsMax: number): Promise<number> {
  const { rows } = await sql<{ seconds_left: number }>`
    SELECT ceil(extract(epoch FROM ends_at - now()))::int AS seconds_left FROM sign_in_attempts
    WHERE key = ${key} AND attempts >= ${attemptsMax} AND ends_at > now()`.execute(db);
  return rows[0]?.seconds_left ?? 0;
}

/** Takes an attempt back. */
export async function uncountAttempt(db: Db, key: Buffer): Promise<void> {
  const fewer = sql<number>`greatest(attempts - 1, 0)`;
  await db.updateTable('sign_in_attempts').set({ attempts: fewer }).where('key', '=', key).execute();
}

export async function forgetAttempts(db: Db, key: Buffer): Promise<void> {
  await db.deleteFrom('sign_in_attempts').where('key', '=', key).execute();
}

export async function isKnownAddress(db: Db, key: Buffer): Promise<boolean> {
  const query = db.selectFrom('sign_in_addresses').select('key').where('key', '=', key);
  return (await query.where('expires_at', '>', sql<string>`now()`).executeTakeFirst()) !== undefined;
}

export async function rememberAddress(db: Db, key: Buffer, days: number): Promise<void> {
  const expires_at = new Date(Date.now() + days * 86_400_000);
  await db
    .insertInto('sign_in_addresses')
    .values({ key, expires_at })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ expires_at }))
    .execute();
}

export async function purgeAttempts(db: Db): Promise<void> {
  await db.deleteFrom('sign_in_attempts').where('ends_at', '<', sql<string>`now()`).execute();
  await db.deleteFrom('sign_in_addresses').where('expires_at', '<', sql<string>`now()`).execute();
}
