import type { domainPauseOperations } from '@cordon/contract';
import { AppError } from '../../platform/errors.ts';
import type { Handlers } from '../../platform/mount.ts';
import { createRateLimit } from '../../platform/rate-limit.ts';
import { actorOf } from '../domains/handlers.ts';
import type { DomainService } from '../domains/service.ts';
import type { PauseService } from './pause-service.ts';

/** Each is told to all nodes. */
const WRITES = { burst: 120, perMinute: 60 };

export function createPauseHandlers(
  pauses: PauseService,
  domains: Pick<DomainService, 'get'>,
): Handlers<typeof domainPauseOperations> {
  const writes = createRateLimit(WRITES);
  return {
    pauseRoute: async ({ principal, params, body }) => {
      if (!writes.take(principal.account_id)) throw new AppError('TOO_MANY_REQUESTS');
      await pauses.pause(actorOf(principal), params.id, body.minutes);
      return { success: true, result: await domains.get(principal.account_id, params.id) };
    },
    endPause: async ({ principal, params }) => {
      await pauses.end(actorOf(principal), params.id);
      return { success: true, result: await domains.get(principal.account_id, params.id) };
    },
  };
}
