import { randomBytes } from 'node:crypto';
import type { Page, PlanTier, Subscription } from '@cordon/contract';
import type { Db, Executor } from '../../platform/database.ts';
import { AppError } from '../../platform/errors.ts';
import type { Environment } from '../../settings/env.ts';
import * as repository from './repository.ts';

export type { SubscriptionRow } from './repository.ts';
export type { PlanFeatures } from './tables.ts';

/** What an account has booked: a plan in a czone, and a quota of names. Another account's are SUBSCRIPTION_NOT_FOUND. */
export interface SubscriptionService {
  /** Adds a subscription; the czone is the less filled one of the plan's tier. Throws SUBSCRIPTION_NOT_FOUND for an unknown plan. */
  add(accountId: string, plan: string, executor?: Executor): Promise<string>;
  list(accountId: string, page: Page): Promise<{ results: Subscription[]; count: number }>;
  /** Throws SUBSCRIPTION_NOT_FOUND for another account's and unknown ones alike. */
  get(
    accountId: string,
    by: { cname: string } | { id: string },
    executor?: Executor,
  ): Promise<repository.SubscriptionRow>;
  /** The best tier that the account has booked and that is active; `free` without one. */
  tierOf(accountId: string, executor?: Executor): Promise<PlanTier>;
  /** Czones of the account's subscriptions; of one of them, throws as `get` does. */
  czonesOf(accountId: string, cname: string | undefined): Promise<readonly string[]>;
  /** Takes names of the quota inside a transaction; throws QUOTA_REACHED with how many are left. Main names and shadow domains count. */
  takeNames(executor: Executor, subscriptionId: string, count: number): Promise<void>;
  returnNames(executor: Executor, subscriptionId: string, count: number): Promise<void>;
}

const LABEL_LETTERS = 'abcdefghijklmnopqrstuvwxyz234567';

/** A DNS label of `length` random letters and digits, five bits each; always begins with a letter. */
export function randomLabel(length: number): string {
  const letters = [...randomBytes(length)].map((byte) => LABEL_LETTERS[byte % 32]);
  letters[0] = LABEL_LETTERS[randomBytes(1).readUInt8() % 26];
  return letters.join('');
}

const SUBSCRIPTION_LABEL_CHARACTERS = 10;

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

export function createSubscriptionService(env: Pick<Environment, 'edgeDomain'>, db: Db): SubscriptionService {
  return {
    async czonesOf(accountId, cname) {
      if (cname === undefined) return repository.czonesOf(db, accountId);
      const row = await repository.findSubscription(db, accountId, { cname });
      if (!row) throw new AppError('SUBSCRIPTION_NOT_FOUND');
      return [row.czone];
    },
    async add(accountId: string, planName: string, executor: Executor = db): Promise<string> {
      const plan = await repository.findPlan(executor, planName);
      if (!plan) throw new AppError('SUBSCRIPTION_NOT_FOUND');
      const czone = await repository.leastFilledCzone(executor, plan.tier);
      const cname = `${randomLabel(SUBSCRIPTION_LABEL_CHARACTERS)}.${czone}.${env.edgeDomain}`;
      return repository.insertSubscription(executor, { accountId, plan: plan.name, czone, cname, expiry: null });
    },
    async list(accountId, page) {
      const rows = await repository.listSubscriptions(db, accountId, page);
      return { results: rows.map(toSubscription), count: await repository.countSubscriptions(db, accountId) };
    },
    async get(accountId, by, executor = db) {
      const row = await repository.findSubscription(executor, accountId, by);
      if (!row) throw new AppError('SUBSCRIPTION_NOT_FOUND');
      return row;
    },
    tierOf: async (accountId, executor = db) => (await repository.findTier(executor, accountId)) ?? 'free',
    async takeNames(executor, subscriptionId, count) {
      if (await repository.takeNames(executor, subscriptionId, count)) return;
      const available = await repository.namesLeft(executor, subscriptionId);
      throw new AppError('QUOTA_REACHED', { params: { QUOTA_REACHED: { available } } });
    },
    returnNames: repository.returnNames,
  };
}
