import { type Brand, operations, subscriptionConfigOperations } from '@cordon/contract';
import type { UserPrincipal } from '../../platform/auth.ts';
import { AppError } from '../../platform/errors.ts';
import type { ApiModule, Platform } from '../../platform/module.ts';
import type { Handlers } from '../../platform/mount.ts';
import { createSubscriptionConfigService } from '../subscriptions/service.ts';
import type { AccountService } from './service.ts';

const { getBrand, getMe, updateMe, getDeploymentConfig, listSubscriptions } = operations;
const accountOperations = { getBrand, getMe, updateMe, getDeploymentConfig, listSubscriptions };

export interface AccountModuleOptions {
  readonly platform: Platform;
  readonly accounts: AccountService;
  /** Brand of a hostname with where to sign in under it. */
  readonly brandOf: (hostname: string) => Brand;
}

/** Tokens of the operator belong to no user. */
function userIdOf(principal: UserPrincipal): string {
  if (principal.user_id === null) throw new AppError('FORBIDDEN', { message: 'This token does not belong to a user.' });
  return principal.user_id;
}

export function createAccountsModule({ platform, accounts, brandOf }: AccountModuleOptions): ApiModule {
  const { env } = platform;
  const handlers: Handlers<typeof accountOperations> = {
    getBrand: async ({ req }) => ({ success: true, result: brandOf(req.hostname) }),
    getMe: async ({ principal }) => ({
      success: true,
      result: await accounts.getMe(principal.account_id, userIdOf(principal)),
    }),
    updateMe: async ({ principal, body }) => ({
      success: true,
      result: await accounts.updateMe(principal.account_id, userIdOf(principal), body),
    }),
    getDeploymentConfig: async () => ({
      success: true,
      result: {
        edge: { http_port: env.edgeHttpPort, https_port: env.edgeHttpsPort, addresses: await accounts.nodeAddresses() },
        demo: env.isDemo,
        absent_parts: [...env.absentParts],
      },
    }),
    listSubscriptions: async ({ principal, query }) => ({
      success: true,
      ...(await accounts.listSubscriptions(principal.account_id, query.page, query.perpage)),
      page: query.page,
      perpage: query.perpage,
    }),
  };
  const configs = createSubscriptionConfigService(platform.db, accounts);
  const configHandlers: Handlers<typeof subscriptionConfigOperations> = {
    getSubscriptionConfig: async ({ principal, query }) => ({
      success: true,
      result: await configs.get(principal.account_id, query.cname),
    }),
    configureSubscription: async ({ principal, body }) => ({
      success: true,
      result: await configs.configure(principal, body.cname, body.ipv6),
    }),
  };
  return {
    mount: (_app, mount) => {
      mount(accountOperations, handlers);
      mount(subscriptionConfigOperations, configHandlers);
    },
  };
}
