import { randomBytes } from 'node:crypto';
import type { Locale, Me, Role, Subscription } from '@cordon/contract';
import { role as roleSchema } from '@cordon/contract';
import type { Db, Executor } from '../../platform/database.ts';
import type { Environment } from '../../platform/env.ts';
import { AppError, fieldErrors, notFound } from '../../platform/errors.ts';
import * as repository from './repository.ts';

export interface NewCustomer {
  readonly email: string;
  readonly name?: string;
  readonly locale?: Locale;
  /** IANA name; UTC unless given. Dates in the console are shown in it. */
  readonly timeZone?: string;
  /** argon2id; without it nobody can sign in with a password. */
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
  /** Adds a subscription; the czone is the less filled one of the plan's tier. Throws SUBSCRIPTION_NOT_FOUND for an unknown plan. */
  addSubscription(accountId: string, plan: string, executor?: Executor): Promise<string>;
  getMe(accountId: string, userId: string): Promise<Me>;
  updateMe(
    accountId: string,
    userId: string,
    change: { name?: string | undefined; locale?: Locale | undefined; time_zone?: string | undefined },
  ): Promise<Me>;
  listSubscriptions(
    accountId: string,
    page: number,
    perpage: number,
  ): Promise<{ results: Subscription[]; count: number }>;
  /** The account as it is until the executor's transaction ends: a suspension waits for it, or it for the suspension. */
  holdAccount(
    accountId: string,
    executor: Executor,
  ): Promise<{ id: string; brand: string; suspended_at: string | null } | undefined>;
  /** Throws SUBSCRIPTION_NOT_FOUND for another account's and unknown ones alike. */
  getSubscription(
    accountId: string,
    by: { cname: string } | { id: string },
    executor?: Executor,
  ): Promise<repository.SubscriptionRow>;
  /** Takes names of the quota inside a transaction; throws QUOTA_REACHED with how many are left. Main and alias names count. */
  takeNames(executor: Executor, subscriptionId: string, count: number): Promise<void>;
  returnNames(executor: Executor, subscriptionId: string, count: number): Promise<void>;
  /** Addresses of the live deployment's nodes by czone. */
  nodeAddresses(executor?: Executor): Promise<Record<string, string[]>>;
}

const LABEL_LETTERS = 'abcdefghijklmnopqrstuvwxyz234567';

/** A DNS label of `length` random letters and digits, five bits each; always begins with a letter. */
export function randomLabel(length: number): string {
  const letters = [...randomBytes(length)].map((byte) => LABEL_LETTERS[byte % 32]);
  letters[0] = LABEL_LETTERS[randomBytes(1).readUInt8() % 26];
  return letters.join('');
}

const SUBSCRIPTION_LABEL_CHARACTERS = 10;
const REGISTRATION_ROLES: readonly Role[] = ['user', 'view-attack'];

/** Whether the runtime knows an IANA time zone by this name. */
export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
}

const toSubscription = (row: repository.SubscriptionRow): Subscription => ({
  id: row.id,
  cname: row.cname,
  czone: row.czone,
  plan_name: row.plan_name,
  plan: row.plan,
  tier: row.tier,
  status: row.status,
  expiry: row.expiry,
  additional_domain_number: row.additional_domain_number,
  additional_traffic: row.additional_traffic,
  features: row.features,
  ipv6: row.ipv6,
  usage: { domains: row.names_used },
});

export function createAccountService(env: Pick<Environment, 'edgeDomain'>, db: Db): AccountService {
  async function addSubscription(accountId: string, planName: string, executor: Executor = db): Promise<string> {
    const plan = await repository.findPlan(executor, planName);
    if (!plan) throw new AppError('SUBSCRIPTION_NOT_FOUND');
    const czone = await repository.leastFilledCzone(executor, plan.tier);
    const cname = `${randomLabel(SUBSCRIPTION_LABEL_CHARACTERS)}.${czone}.${env.edgeDomain}`;
    return repository.insertSubscription(executor, { accountId, plan: plan.name, czone, cname, expiry: null });
  }

  async function insertCustomer(executor: Executor, customer: NewCustomer) {
    const { accountId, userId } = await repository.insertAccount(executor, {
      name: customer.name ?? '',
      brand: customer.brand ?? 'cordon',
      email: customer.email,
      subject: customer.subject,
      userName: customer.name ?? '',
      locale: customer.locale ?? 'en',
      timeZone: customer.timeZone ?? 'UTC',
      roles: customer.roles ?? REGISTRATION_ROLES,
      passwordHash: customer.passwordHash ?? null,
      emailVerifiedAt: customer.isEmailVerified ? new Date() : null,
      termsVersion: customer.termsVersion ?? null,
    });
    const subscriptionId = await addSubscription(accountId, customer.plan ?? 'free', executor);
    return { accountId, userId, subscriptionId };
  }

  const service: AccountService = {
    addSubscription,
    createAccount: (customer, executor) =>
      executor ? insertCustomer(executor, customer) : db.transaction().execute((trx) => insertCustomer(trx, customer)),
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
        },
      };
    },
    async updateMe(accountId, userId, change) {
      if (change.time_zone !== undefined && !isTimeZone(change.time_zone))
        throw fieldErrors({ time_zone: 'NOT_ALLOWED' });
      await db.transaction().execute(async (trx) => {
        const { name, locale, time_zone } = change;
        await repository.updateUser(trx, accountId, userId, {
          ...(name === undefined ? {} : { name: name.trim() }),
          ...(locale === undefined ? {} : { locale }),
        });
        await repository.updateAccount(trx, accountId, time_zone === undefined ? {} : { time_zone });
      });
      return service.getMe(accountId, userId);
    },
    async listSubscriptions(accountId, page, perpage) {
      const rows = await repository.listSubscriptions(db, accountId, { limit: perpage, offset: (page - 1) * perpage });
      return { results: rows.map(toSubscription), count: await repository.countSubscriptions(db, accountId) };
    },
    holdAccount: (accountId, executor) => repository.holdAccount(executor, accountId),
    async getSubscription(accountId, by, executor = db) {
      const row = await repository.findSubscription(executor, accountId, by);
      if (!row) throw new AppError('SUBSCRIPTION_NOT_FOUND');
      return row;
    },
    async takeNames(executor, subscriptionId, count) {
      if (await repository.takeNames(executor, subscriptionId, count)) return;
      const available = await repository.namesLeft(executor, subscriptionId);
      throw new AppError('QUOTA_REACHED', { params: { QUOTA_REACHED: { available } } });
    },
    returnNames: repository.returnNames,
    nodeAddresses: (executor = db) => repository.nodeAddresses(executor),
  };
  return service;
}
