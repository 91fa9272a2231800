import type { subscriptionOperations } from '@cordon/contract';
import type { Handlers } from '../../platform/mount.ts';
import type { SubscriptionService } from './service.ts';
import type { SubscriptionConfigService } from './subscription-config-service.ts';

export const createSubscriptionHandlers = (
  subscriptions: SubscriptionService,
  configs: SubscriptionConfigService,
): Handlers<typeof subscriptionOperations> => ({
  listSubscriptions: ({ actor, page }) => subscriptions.list(actor.accountId, page),
  getSubscriptionConfig: ({ actor, query }) => configs.get(actor.accountId, query.cname),
  configureSubscription: ({ actor, body }) => configs.configure(actor, body.cname, body.ipv6),
});
