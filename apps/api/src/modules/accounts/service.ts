import type { Actor, Locale, Me, Role, TokenScope } from '@cordon/contract';
import { role as roleSchema } from '@cordon/contract';
import { changesOf } from '../../platform/audit.ts';
import { type Db, type Executor, runInTransaction } from '../../platform/database.ts';
import { fieldErrors, notFound } from '../../platform/errors.ts';
import { newCredential, sha256, TOKEN_PREFIX } from '../../platform/secrets.ts';
import type { Environment } from '../../settings/env.ts';
import { createSubscriptionService } from '../subscriptions/service.ts';
import * as repository from './repository.ts';
import { auditUser } from './user-audit.ts';

export { findTokenPrincipal, findUserPrincipal } from './principal-repository.ts';
export { noteTokenUse } from './token-repository.ts';
export { auditUser } from './user-audit.ts';

export interface NewCustomer {
  readonly email: string;
  readonly name?: string;
  readonly locale?: Locale;
  /** IANA name; UTC unless given. Dates in the console are shown in it. */
  readonly timeZone?: string;
  /** argon2id; without it the user cannot sign in with a password. */
  readonly passwordHash?: string;
  /** False or absent: the address was not confirmed. */
  readonly isEmailVerified?: boolean;
  readonly termsVersion?: string;
  /** Key of the brand under which they registered. */
  readonly brand?: string;
  /** `sub` of an external issuer; our own user id otherwise. */
  readonly subject?: string;
  /** `user` and `view-attack` unless given. */
  readonly roles?: readonly string[];
  /** Plan other than free, for the operator. */
  readonly plan?: string;
}

export interface AccountService {
  /**
   * Makes an account, its user with roles `user` and `view-attack`, and a subscription in the less filled czone of
   * the plan's tier (product design, "Words"). Throws the unique violation of `users_email` when the address has a
   * user. Pass a transaction to join it.
   */
  createAccount(
    customer: NewCustomer,
    executor?: Executor,
  ): Promise<{ accountId: string; userId: string; subscriptionId: string }>;
  getMe(accountId: string, userId: string): Promise<Me>;
  updateMe(
    actor: Actor,
    userId: string,
    change: { name?: string | undefined; locale?: Locale | undefined; time_zone?: string | undefined },
  ): Promise<Me>;
  /** Changes what a user signs in as. Throws the unique violation where another user has the subject or the address. */
  updateSignIn(userId: string, change: repository.SignInChange): Promise<void>;
  /** Puts one hash of a password in the place of another. False where that is not the user's any more, and nothing was changed. */
  changePasswordHash(userId: string, before: string, after: string): Promise<boolean>;
  /** Since when and why an account is suspended: nulls while it is not. */
  findSuspension(accountId: string): Promise<repository.AccountSuspension | undefined>;
  /** The account as it is until the executor's transaction ends: a suspension waits for it, or it for the suspension. */
  holdAccount(
    accountId: string,
    executor: Executor,
  ): Promise<{ id: string; brand: string; suspended_at: string | null } | undefined>;
  /**
   * Suspends an account, or ends its suspension where there is no reason (null). What the edge serves of it changes as its
   * routes are published again.
   */
  setSuspended(executor: Executor, accountId: string, reason: string | null): Promise<void>;
  /** Makes a token of the operator for an account; answers it, which is kept only hashed, and when it ends. */
  issueOperatorToken(
    executor: Executor,
    token: { accountId: string; name: string; scopes: readonly TokenScope[]; ttlSeconds: number },
  ): Promise<{ token: string; expiresAt: Date }>;
}

const REGISTRATION_ROLES: readonly Role[] = ['user', 'view-attack'];

/** Whether the runtime knows an IANA time zone by this name. */
export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
}

export function createAccountService(env: Pick<Environment, 'edgeDomain'>, db: Db): AccountService {
  const subscriptions = createSubscriptionService(env, db);

  async function insertCustomer(executor: Executor, customer: NewCustomer) {
    const { accountId, userId } = await repository.insertAccount(executor, {
      name: customer.name ?? '',
      brand: customer.brand ?? 'cordon',
      email: customer.email,
      subject: customer.subject,
      userName: customer.name ?? '',
      locale: customer.locale ?? null,
      timeZone: customer.timeZone ?? 'UTC',
      roles: customer.roles ?? REGISTRATION_ROLES,
      passwordHash: customer.passwordHash ?? null,
      emailVerifiedAt: customer.isEmailVerified ? new Date() : null,
      termsVersion: customer.termsVersion ?? null,
    });
    const subscriptionId = await subscriptions.add(accountId, customer.plan ?? 'free', executor);
    return { accountId, userId, subscriptionId };
  }

  const service: AccountService = {
    createAccount: (customer, executor) =>
      executor ? insertCustomer(executor, customer) : runInTransaction(db, (trx) => insertCustomer(trx, customer)),
    async getMe(accountId, userId) {
      const row = await repository.findMe(db, accountId, userId);
      if (!row) throw notFound();
      const roles = row.roles.filter((name): name is Role => roleSchema.safeParse(name).success);
      return {
        user: { id: row.id, email: row.email, name: row.name, locale: row.locale, roles },
        account: {
          id: row.account_id,
          name: row.account_name,
          time_zone: row.time_zone,
          suspended: row.suspended_at !== null,
          created_at: row.account_created_at,
        },
      };
    },
    async updateMe(actor, userId, change) {
      const { accountId } = actor;
      if (change.time_zone !== undefined && !isTimeZone(change.time_zone))
        throw fieldErrors({ time_zone: 'NOT_ALLOWED' });
      await runInTransaction(db, async (trx) => {
        const { name, locale, time_zone } = change;
        const before = await repository.findMe(trx, accountId, userId);
        if (!before) throw notFound();
        await repository.updateUser(trx, accountId, userId, {
          ...(name === undefined ? {} : { name: name.trim() }),
          ...(locale === undefined ? {} : { locale }),
        });
        await repository.updateAccount(trx, accountId, time_zone === undefined ? {} : { time_zone });
        const changes = changesOf(before, { name: name?.trim(), locale, time_zone });
        if (changes.length > 0)
          await auditUser(trx, 'user.update', { accountId, id: userId, email: before.email }, { actor, changes });
      });
      return service.getMe(accountId, userId);
    },
    updateSignIn: (userId, change) => repository.updateSignIn(db, userId, change),
    changePasswordHash: (userId, before, after) => repository.changePasswordHash(db, userId, before, after),
    findSuspension: (accountId) => repository.findSuspension(db, accountId),
    holdAccount: (accountId, executor) => repository.holdAccount(executor, accountId),
    setSuspended: repository.setSuspended,
    async issueOperatorToken(executor, { accountId, name, scopes, ttlSeconds }) {
      const token = newCredential(TOKEN_PREFIX);
      const expiresAt = new Date(Date.now() + ttlSeconds * 1000);
      await repository.insertOperatorToken(executor, {
        accountId,
        name,
        scopes,
        hash: sha256(token),
        lastFour: token.slice(-4),
        expiresAt,
      });
      return { token, expiresAt };
    },
  };
  return service;
}
