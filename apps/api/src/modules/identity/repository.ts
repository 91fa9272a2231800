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
  readonly locale: Locale;
  readonly roles: readonly string[];
  readonly password_hash: string | null;
  readonly is_email_verified: boolean;
  readonly is_disabled: boolean;
  readonly is_suspended: boolean;
}

/** What sign-in reads and writes of users, and its counts of attempts. */
export interface IdentityRepository {
  findByEmail(email: string): Promise<Person | undefined>;
  findBySubject(subject: string): Promise<Person | undefined>;
  setPasswordHash(userId: string, hash: string): Promise<void>;
  setRoles(userId: string, roles: readonly string[]): Promise<void>;
  /** Gives a user the `sub` of an external issuer. */
  setSubject(userId: string, subject: string): Promise<void>;
  setEmail(userId: string, email: string): Promise<void>;
  /** Counts one attempt and tells how many there were in the window, this one included, and when that ends. */
  countAttempt(key: Buffer, windowSeconds: number): Promise<{ attempts: number; secondsLeft: number }>;
  /** Takes an attempt back. */
  uncountAttempt(key: Buffer): Promise<void>;
  forgetAttempts(key: Buffer): Promise<void>;
  isKnownAddress(key: Buffer): Promise<boolean>;
  rememberAddress(key: Buffer, days: number): Promise<void>;
  purgeAttempts(): Promise<void>;
}

export function createIdentityRepository(db: Db): IdentityRepository {
  const people = () =>
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
  const personOf = (row: Row): Person | undefined => {
    if (row === undefined) return undefined;
    const { email_verified_at, disabled_at, suspended_at, ...rest } = row;
    return {
      ...rest,
      is_email_verified: email_verified_at !== null,
      is_disabled: disabled_at !== null,
      is_suspended: suspended_at !== null,
    };
  };
  const update = (userId: string) => db.updateTable('users').where('id', '=', userId);

  return {
    findByEmail: async (email) =>
      personOf(await people().where(sql`lower(users.email)`, '=', email).executeTakeFirst()),
    findBySubject: async (subject) => personOf(await people().where('users.subject', '=', subject).executeTakeFirst()),
    setPasswordHash: async (userId, hash) => void (await update(userId).set({ password_hash: hash }).execute()),
    setRoles: async (userId, roles) =>
      void (await update(userId)
        .set({ roles: [...roles] })
        .execute()),
    setSubject: async (userId, subject) => void (await update(userId).set({ subject }).execute()),
    setEmail: async (userId, email) => void (await update(userId).set({ email }).execute()),

    async countAttempt(key, windowSeconds) {
      const { rows } = await sql<{ attempts: number; seconds_left: number }>`
        INSERT INTO sign_in_attempts AS kept (key, attempts, ends_at)
        VALUES (${key}, 1, now() + make_interval(secs => ${windowSeconds}))
        ON CONFLICT (key) DO UPDATE SET
          attempts = CASE WHEN kept.ends_at <= now() THEN 1 ELSE kept.attempts + 1 END,
          ends_at = CASE WHEN kept.ends_at <= now() THEN excluded.ends_at ELSE kept.ends_at END
        RETURNING attempts, ceil(extract(epoch FROM ends_at - now()))::int AS seconds_left`.execute(db);
      return { attempts: rows[0]?.attempts ?? 1, secondsLeft: rows[0]?.seconds_left ?? windowSeconds };
    },

    async uncountAttempt(key) {
      const fewer = sql<number>`greatest(attempts - 1, 0)`;
      await db.updateTable('sign_in_attempts').set({ attempts: fewer }).where('key', '=', key).execute();
    },

    forgetAttempts: async (key) => void (await db.deleteFrom('sign_in_attempts').where('key', '=', key).execute()),

    async isKnownAddress(key) {
      const query = db.selectFrom('sign_in_addresses').select('key').where('key', '=', key);
      return (await query.where('expires_at', '>', sql<string>`now()`).executeTakeFirst()) !== undefined;
    },

    async rememberAddress(key, days) {
      const expires_at = new Date(Date.now() + days * 86_400_000);
      await db
        .insertInto('sign_in_addresses')
        .values({ key, expires_at })
        .onConflict((conflict) => conflict.column('key').doUpdateSet({ expires_at }))
        .execute();
    },

    async purgeAttempts() {
      await db.deleteFrom('sign_in_attempts').where('ends_at', '<', sql<string>`now()`).execute();
      await db.deleteFrom('sign_in_addresses').where('expires_at', '<', sql<string>`now()`).execute();
    },
  };
}
