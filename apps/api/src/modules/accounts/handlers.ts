import type { accountOperations } from '@cordon/contract';
import type { UserPrincipal } from '../../platform/auth.ts';
import { AppError } from '../../platform/errors.ts';
import type { Handlers } from '../../platform/mount.ts';
import { type Environment, featuresOf } from '../../settings/env.ts';
import type { EdgeNodeService } from '../edge-nodes/service.ts';
import type { AccountService } from './service.ts';
import type { TokenService } from './token-service.ts';

export interface AccountHandlerParts {
  readonly env: Environment;
  readonly accounts: AccountService;
  readonly tokens: TokenService;
  readonly addressesByCzone: EdgeNodeService['addressesByCzone'];
}

/** Tokens of the operator belong to no user. */
function userIdOf(principal: UserPrincipal): string {
  if (principal.user_id === null) throw new AppError('FORBIDDEN', { message: 'This token does not belong to a user.' });
  return principal.user_id;
}

export function createAccountHandlers(parts: AccountHandlerParts): Handlers<typeof accountOperations> {
  const { env, accounts, tokens, addressesByCzone } = parts;
  return {
    getMe: async ({ principal }) => accounts.getMe(principal.account_id, userIdOf(principal)),
    updateMe: async ({ actor, principal, body }) => accounts.updateMe(actor, userIdOf(principal), body),
    listTokens: async ({ principal }) => ({
      results: await tokens.list(principal.account_id, userIdOf(principal)),
    }),
    createToken: ({ actor, principal, body }) => tokens.create(actor, userIdOf(principal), body),
    renameToken: ({ actor, principal, params, body }) =>
      tokens.rename(actor, userIdOf(principal), params.id, body.name),
    revokeToken: ({ actor, principal, params }) => tokens.revoke(actor, userIdOf(principal), params.id),
    getDeploymentConfig: async ({ req }) => ({
      edge: { http_port: env.edgeHttpPort, https_port: env.edgeHttpsPort, addresses: await addressesByCzone() },
      client_address: req.ip,
      demo: env.isDemo,
      features: [...featuresOf(env)],
      absent_parts: [...env.absentParts],
    }),
  };
}
