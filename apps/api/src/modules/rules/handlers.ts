import type { ruleOperations } from '@cordon/contract';
import type { UserPrincipal } from '../../platform/auth.ts';
import { AppError } from '../../platform/errors.ts';
import type { Handlers } from '../../platform/mount.ts';
import { createRateLimit } from '../../platform/rate-limit.ts';
import type { Actor } from '../domains/service.ts';
import type { RuleService } from './service.ts';

const WRITES = { burst: 300, perMinute: 120 };
/** Each asks DNS for the targets of up to a hundred domains. */
const PREVIEWS = { burst: 60, perMinute: 60 };

const actorOf = (principal: UserPrincipal): Actor => ({
  accountId: principal.account_id,
  kind: principal.kind,
  label: principal.label,
});

const pageOf = ({ page, perpage }: { page: number; perpage: number }) => ({
  limit: perpage,
  offset: (page - 1) * perpage,
});

export function createRuleHandlers(rules: RuleService): Handlers<typeof ruleOperations> {
  const writes = createRateLimit(WRITES);
  const previews = createRateLimit(PREVIEWS);
  const require = (limit: typeof writes, principal: UserPrincipal) => {
    if (!limit.take(principal.account_id)) throw new AppError('TOO_MANY_REQUESTS');
  };
  return {
    listRules: async ({ principal, query }) => {
      const { page, perpage, q, cname } = query;
      const { results, count } = await rules.list(principal.account_id, { q, cname }, pageOf(query));
      return { success: true, results, count, page, perpage };
    },
    createRule: async ({ principal, body }) => {
      require(writes, principal);
      return { success: true, result: await rules.create(actorOf(principal), body) };
    },
    getRule: async ({ principal, params }) => ({
      success: true,
      result: await rules.get(principal.account_id, params.id),
    }),
    updateRule: async ({ principal, params, body, ifMatch }) => {
      require(writes, principal);
      return { success: true, result: await rules.update(actorOf(principal), params.id, ifMatch, body) };
    },
    deleteRule: async ({ principal, params, body }) => {
      await rules.remove(actorOf(principal), params.id, body.cname);
      return { success: true };
    },
    listRuleDomains: async ({ principal, params, query }) => {
      const { page, perpage, q } = query;
      const { results, count } = await rules.listDomains(principal.account_id, params.id, q, pageOf(query));
      return { success: true, results, count, page, perpage };
    },
    previewRule: async ({ principal, params, query, body }) => {
      require(previews, principal);
      const { page, perpage } = query;
      const found = await rules.preview(principal.account_id, params.id, body.selection, pageOf(query));
      return { success: true, ...found, page, perpage };
    },
    applyRule: async ({ principal, params, body, ifMatch }) => {
      require(writes, principal);
      return { success: true, result: await rules.apply(actorOf(principal), params.id, ifMatch, body) };
    },
  };
}
