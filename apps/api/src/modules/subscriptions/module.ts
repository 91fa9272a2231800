import { subscriptionOperations } from '@cordon/contract';
import type { ApiModule, Platform } from '../../platform/module.ts';
import type { EdgeNodeService } from '../edge-nodes/service.ts';
import { createSubscriptionHandlers } from './handlers.ts';
import type { SubscriptionService } from './service.ts';
import { createSubscriptionConfigService } from './subscription-config-service.ts';

export interface SubscriptionsModuleOptions {
  readonly platform: Platform;
  readonly subscriptions: SubscriptionService;
  readonly addressesByCzone: EdgeNodeService['addressesByCzone'];
}

export function createSubscriptionsModule(options: SubscriptionsModuleOptions): ApiModule {
  const { platform, subscriptions, addressesByCzone } = options;
  const configs = createSubscriptionConfigService({ db: platform.db, subscriptions, addressesByCzone });
  return {
    mount: (_app, mount) => mount(subscriptionOperations, createSubscriptionHandlers(subscriptions, configs)),
  };
}
