import type { ruleOperations } from '@cordon/contract';
import type { Handlers } from '../../platform/mount.ts';
import type { CloneService } from './clone-service.ts';
import type { CopyService } from './copy-service.ts';
import type { RuleService } from './service.ts';

export interface RuleHandlerParts {
  readonly rules: RuleService;
  readonly copies: CopyService;
  readonly clones: CloneService;
}

export const createRuleHandlers = ({ rules, copies, clones }: RuleHandlerParts): Handlers<typeof ruleOperations> => ({
  listRules: ({ actor, query, page }) => rules.list(actor.accountId, { q: query.q, cname: query.cname }, page),
  createRule: ({ actor, body }) => rules.create(actor, body),
  getRule: ({ actor, params }) => rules.get(actor.accountId, params.id),
  updateRule: ({ actor, params, body, ifMatch }) => rules.update(actor, params.id, ifMatch, body),
  deleteRule: ({ actor, params, body }) => rules.remove(actor, params.id, body.cname),
  listRuleDomains: ({ actor, params, query, page }) => rules.listDomains(actor.accountId, params.id, query.q, page),
  previewRule: ({ actor, params, body, page }) => rules.preview(actor.accountId, params.id, body.selection, page),
  applyRule: ({ actor, params, body, ifMatch }) => rules.apply(actor, params.id, ifMatch, body),
  previewCopy: ({ actor, params, body, page }) => copies.preview(actor.accountId, params.id, body, page),
  copyPlugins: ({ actor, params, body, ifMatch }) => copies.start(actor, params.id, ifMatch, body),
  cloneRoute: ({ actor, params, body }) => clones.start(actor, params.id, body),
});
