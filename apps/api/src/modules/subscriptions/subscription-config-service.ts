import type { Actor, SubscriptionConfig } from '@cordon/contract';
import { auditedBy, changesOf, insertAudit } from '../../platform/audit.ts';
import { type Db, runInTransaction } from '../../platform/database.ts';
import { AppError, fieldErrors } from '../../platform/errors.ts';
import * as repository from './repository.ts';
import type { SubscriptionService } from './service.ts';

/** Settings of a subscription (spec section 7); the first one unless a cname says which. */
export interface SubscriptionConfigService {
  /** Throws SUBSCRIPTION_NOT_FOUND for another account's and unknown ones alike. */
  get(accountId: string, cname: string | undefined): Promise<SubscriptionConfig>;
  /** Throws PLAN_REQUIRED unless the plan has IPv6, and IPV6_CANNOT_DISABLE at `ipv6` once it is on. */
  configure(actor: Actor, cname: string | undefined, ipv6: boolean): Promise<SubscriptionConfig>;
}

export interface SubscriptionConfigParts {
  readonly db: Db;
  readonly subscriptions: SubscriptionService;
  /** Addresses of the live deployment's nodes. */
  readonly addressesByCzone: () => Promise<Record<string, string[]>>;
}

export function createSubscriptionConfigService({
  db,
  subscriptions,
  addressesByCzone,
}: SubscriptionConfigParts): SubscriptionConfigService {
  async function findOrFirst(accountId: string, cname: string | undefined): Promise<repository.SubscriptionRow> {
    if (cname !== undefined) return subscriptions.get(accountId, { cname });
    const [first] = await repository.listSubscriptions(db, accountId, { limit: 1, offset: 0 });
    if (!first) throw new AppError('SUBSCRIPTION_NOT_FOUND');
    return first;
  }

  async function toConfig(row: repository.SubscriptionRow): Promise<SubscriptionConfig> {
    const addresses = (await addressesByCzone())[row.czone] ?? [];
    return {
      cname: row.cname,
      ipv6: row.ipv6,
      can_enable_ipv6: row.features.ipv6,
      ipv6_addresses: addresses.filter((address) => address.includes(':')),
    };
  }

  return {
    get: async (accountId, cname) => toConfig(await findOrFirst(accountId, cname)),
    async configure(actor, cname, ipv6) {
      const subscription = await findOrFirst(actor.accountId, cname);
      if (!subscription.features.ipv6 || subscription.status !== 'active') throw new AppError('PLAN_REQUIRED');
      if (!ipv6 && subscription.ipv6) throw fieldErrors({ ipv6: 'IPV6_CANNOT_DISABLE' });
      if (ipv6)
        await runInTransaction(db, async (trx) => {
          if (!(await repository.enableIpv6(trx, actor.accountId, subscription.id))) return;
          const subject = `subscription ${subscription.id}`;
          await insertAudit(
            trx,
            auditedBy(actor, {
              action: 'subscription.ipv6_enable',
              subject,
              details: { name: subscription.cname },
              changes: changesOf({ ipv6: false }, { ipv6: true }),
            }),
          );
        });
      return toConfig(await findOrFirst(actor.accountId, subscription.cname));
    },
  };
}
