import type { groupOperations } from '@cordon/contract';
import { AppError } from '../../platform/errors.ts';
import type { Handlers } from '../../platform/mount.ts';
import { createRateLimit } from '../../platform/rate-limit.ts';
import { actorOf } from '../domains/handlers.ts';
import type { GroupService } from './service.ts';

const WRITES = { burst: 200, perMinute: 60 };

export function createGroupHandlers(groups: GroupService): Handlers<typeof groupOperations> {
  const writes = createRateLimit(WRITES);
  const requireRate = (accountId: string) => {
    if (!writes.take(accountId)) throw new AppError('TOO_MANY_REQUESTS');
  };
  return {
    listGroups: async ({ principal }) => ({ success: true, results: await groups.list(principal.account_id) }),
    getGroup: async ({ principal, params }) => ({
      success: true,
      result: await groups.get(principal.account_id, params.id),
    }),
    createGroup: async ({ principal, body }) => {
      requireRate(principal.account_id);
      return { success: true, result: await groups.create(actorOf(principal), body.name) };
    },
    renameGroup: async ({ principal, params, body }) => {
      requireRate(principal.account_id);
      return { success: true, result: await groups.rename(actorOf(principal), params.id, body.name) };
    },
    deleteGroup: async ({ principal, params }) => {
      requireRate(principal.account_id);
      await groups.remove(actorOf(principal), params.id);
      return { success: true };
    },
  };
}
