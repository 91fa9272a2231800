import { accountOperations } from '@cordon/contract';
import type { ApiModule, Platform } from '../../platform/module.ts';
import type { EdgeNodeService } from '../edge-nodes/service.ts';
import { createAccountHandlers } from './handlers.ts';
import type { AccountService } from './service.ts';
import { createTokenService } from './token-service.ts';

export interface AccountsModuleOptions {
  readonly platform: Platform;
  readonly accounts: AccountService;
  readonly addressesByCzone: EdgeNodeService['addressesByCzone'];
}

export function createAccountsModule({ platform, accounts, addressesByCzone }: AccountsModuleOptions): ApiModule {
  const tokens = createTokenService(platform.db);
  const handlers = createAccountHandlers({ env: platform.env, accounts, tokens, addressesByCzone });
  return {
    mount: (_app, mount) => mount(accountOperations, handlers),
    jobs: { 'forget-ended-tokens': () => tokens.forgetEnded() },
    recurring: [{ name: 'forget-ended-tokens', pattern: '41 3 * * *' }],
  };
}
