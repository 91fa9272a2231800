import type { SubscriptionConfig } from '@cordon/contract';
import { insertAudit } from '../../platform/audit.ts';
import type { UserPrincipal } from '../../platform/auth.ts';
import type { Db } from '../../platform/database.ts';
import { AppError, fieldErrors } from '../../platform/errors.ts';
import * as repository from '../accounts/repository.ts';
import type { AccountService } from '../accounts/service.ts';

/** Settings of a subscription (spec section 7); the first one unless a cname says which. */
export interface SubscriptionConfigService {
  /** Throws SUBSCRIPTION_NOT_FOUND for another account's and unknown ones alike. */
  get(accountId: string, cname: string | undefined): Promise<SubscriptionConfig>;
  /** Throws PLAN_REQUIRED unless the plan has IPv6, and IPV6_CANNOT_DISABLE at `ipv6` once it is on. */
  configure(
    principal: Pick<UserPrincipal, 'account_id' | 'kind' | 'label'>,
    cname: string | undefined,
    ipv6: boolean,
  ): Promise<SubscriptionConfig>;
}

export function createSubscriptionConfigService(db: Db, accounts: AccountService): SubscriptionConfigService {
  async function find(accountId: string, cname: string | undefined): Promise<repository.SubscriptionRow> {
    if (cname !== undefined) return accounts.getSubscription(accountId, { cname });
    const [first] = await repository.listSubscriptions(db, accountId, { limit: 1, offset: 0 });
    if (!first) throw new AppError('SUBSCRIPTION_NOT_FOUND');
    return first;
  }

  async function toConfig(row: repository.SubscriptionRow): Promise<SubscriptionConfig> {
    const addresses = (await accounts.nodeAddresses())[row.czone] ?? [];
    return {
      cname: row.cname,
      ipv6: row.ipv6,
      can_enable_ipv6: row.features.ipv6,
      ipv6_addresses: addresses.filter((address) => address.includes(':')),
    };
  }

  return {
    get: async (accountId, cname) => toConfig(await find(accountId, cname)),
    async configure(principal, cname, ipv6) {
      const subscription = await find(principal.account_id, cname);
      if (!subscription.features.ipv6 || subscription.status !== 'active') throw new AppError('PLAN_REQUIRED');
      if (!ipv6 && subscription.ipv6) throw fieldErrors({ ipv6: 'IPV6_CANNOT_DISABLE' });
      if (ipv6)
        await db.transaction().execute(async (trx) => {
          if (!(await repository.enableIpv6(trx, principal.account_id, subscription.id))) return;
          await insertAudit(trx, {
            accountId: principal.account_id,
            actorKind: principal.kind,
            actor: principal.label,
            action: 'subscription.ipv6_enable',
            subject: `subscription ${subscription.id}`,
            details: { cname: subscription.cname },
          });
        });
      return toConfig(await find(principal.account_id, subscription.cname));
    },
  };
}
