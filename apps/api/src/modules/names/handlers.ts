import type { shadowDomainOperations } from '@cordon/contract';
import type { UserPrincipal } from '../../platform/auth.ts';
import { AppError } from '../../platform/errors.ts';
import type { Handlers } from '../../platform/mount.ts';
import { createRateLimit } from '../../platform/rate-limit.ts';
import { actorOf } from '../domains/handlers.ts';
import type { DomainService } from '../domains/service.ts';
import type { ShadowDomainService } from './shadow-domain-service.ts';

/** Each change may ask DNS for every name and is told to all nodes. */
const WRITES = { burst: 120, perMinute: 60 };
/** Looks at DNS on demand; the watcher looks by itself besides. */
const LOOKS = { burst: 60, perMinute: 30 };

export function createShadowDomainHandlers(
  shadows: ShadowDomainService,
  domains: Pick<DomainService, 'get'>,
): Handlers<typeof shadowDomainOperations> {
  const writes = createRateLimit(WRITES);
  const looks = createRateLimit(LOOKS);
  const requireRate = (principal: UserPrincipal) => {
    if (!writes.take(principal.account_id)) throw new AppError('TOO_MANY_REQUESTS');
  };
  const answerRoute = async (principal: UserPrincipal, id: string) => ({
    success: true as const,
    result: await domains.get(principal.account_id, id),
  });

  return {
    listShadowDomains: async ({ principal, params, query }) => {
      const { page, perpage, q, state } = query;
      const filter = { q: q?.trim() || undefined, state, limit: perpage, offset: (page - 1) * perpage };
      return { success: true, ...(await shadows.list(principal.account_id, params.id, filter)), page, perpage };
    },
    addShadowDomains: async ({ principal, params, body }) => {
      requireRate(principal);
      await shadows.add(actorOf(principal), params.id, body.names);
      return answerRoute(principal, params.id);
    },
    removeShadowDomains: async ({ principal, params, body }) => {
      requireRate(principal);
      await shadows.remove(actorOf(principal), params.id, body.names);
      return answerRoute(principal, params.id);
    },
    promoteShadowDomain: async ({ principal, params, body }) => {
      requireRate(principal);
      await shadows.promote(actorOf(principal), params.id, body.name);
      return answerRoute(principal, params.id);
    },
    verifyShadowDomains: async ({ principal, params, body }) => {
      if (!looks.take(principal.account_id)) throw new AppError('TOO_MANY_REQUESTS');
      return { success: true, result: await shadows.verify(principal.account_id, params.id, body.names) };
    },
  };
}
