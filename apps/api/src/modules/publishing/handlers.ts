import type { versionOperations } from '@cordon/contract';
import type { Handlers } from '../../platform/mount.ts';
import { actorOf, type RequireRate } from '../domains/handlers.ts';
import type { DomainService } from '../domains/service.ts';
import type { VersionService } from './version-service.ts';

export interface VersionHandlerParts {
  readonly domains: DomainService;
  readonly versions: VersionService;
  readonly requireRate: RequireRate;
}

export function createVersionHandlers({
  domains,
  versions,
  requireRate,
}: VersionHandlerParts): Handlers<typeof versionOperations> {
  return {
    listVersions: async ({ principal, params, query }) => {
      const { page, perpage } = query;
      const part = { limit: perpage, offset: (page - 1) * perpage };
      const { results, count } = await versions.list(principal.account_id, params.id, part);
      return { success: true, results, count, page, perpage };
    },
    getVersion: async ({ principal, params }) => ({
      success: true,
      result: await versions.get(principal.account_id, params.id, params.version),
    }),
    checkRollback: async ({ principal, params }) => ({
      success: true,
      result: await versions.checkRollback(principal.account_id, params.id, params.version),
    }),
    rollBack: async ({ principal, params, body, ifMatch }) => {
      requireRate(principal);
      await versions.rollBack(actorOf(principal), params.id, params.version, ifMatch, body);
      return { success: true, result: await domains.get(principal.account_id, params.id) };
    },
  };
}
