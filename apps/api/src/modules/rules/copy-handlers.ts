import type { copyOperations } from '@cordon/contract';
import type { UserPrincipal } from '../../platform/auth.ts';
import { AppError } from '../../platform/errors.ts';
import type { Handlers } from '../../platform/mount.ts';
import { createRateLimit } from '../../platform/rate-limit.ts';
import type { Actor } from '../publishing/deploy-service.ts';
import type { CloneService } from './clone-service.ts';
import type { CopyService } from './copy-service.ts';

const WRITES = { burst: 300, perMinute: 120 };
/** Each asks DNS for the targets of up to a hundred domains. */
const PREVIEWS = { burst: 60, perMinute: 60 };

const actorOf = (principal: UserPrincipal): Actor => ({
  accountId: principal.account_id,
  kind: principal.kind,
  label: principal.label,
});

export function createCopyHandlers(copies: CopyService, clones: CloneService): Handlers<typeof copyOperations> {
  const writes = createRateLimit(WRITES);
  const previews = createRateLimit(PREVIEWS);
  const require = (limit: typeof writes, principal: UserPrincipal) => {
    if (!limit.take(principal.account_id)) throw new AppError('TOO_MANY_REQUESTS');
  };
  return {
    previewCopy: async ({ principal, params, query, body }) => {
      require(previews, principal);
      const { page, perpage } = query;
      const shown = { limit: perpage, offset: (page - 1) * perpage };
      const found = await copies.preview(principal.account_id, params.id, body, shown);
      return { success: true, ...found, page, perpage };
    },
    copyPlugins: async ({ principal, params, body, ifMatch }) => {
      require(writes, principal);
      return { success: true, result: await copies.start(actorOf(principal), params.id, ifMatch, body) };
    },
    cloneRoute: async ({ principal, params, body }) => {
      require(writes, principal);
      return { success: true, result: await clones.start(actorOf(principal), params.id, body) };
    },
  };
}
