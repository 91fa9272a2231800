import type { nameOperations } from '@cordon/contract';
import type { Handlers } from '../../platform/mount.ts';
import type { ReadRoute } from '../routes/service.ts';
import type { SubscriptionService } from '../subscriptions/service.ts';
import type { FindDomains } from './find-domains.ts';
import type { OwnershipService } from './ownership-service.ts';
import type { PreviewService } from './preview-service.ts';
import type { ShadowDomainService } from './shadow-domain-service.ts';

export interface NameHandlerParts {
  readonly ownership: OwnershipService;
  readonly previews: PreviewService;
  readonly shadowDomains: ShadowDomainService;
  readonly findDomains: FindDomains;
  readonly subscriptions: Pick<SubscriptionService, 'get'>;
  readonly readRoute: ReadRoute;
}

export function createNameHandlers(parts: NameHandlerParts): Handlers<typeof nameOperations> {
  const { ownership, previews, shadowDomains, readRoute } = parts;
  return {
    verifyOwnership: async ({ actor, params }) => {
      await ownership.check(actor.accountId, params.id);
      return readRoute(actor.accountId, params.id);
    },
    createPreview: ({ actor, params }) => previews.createPreview(actor.accountId, params.id),
    findDomains: async ({ actor, query, body }) => {
      if (query.cname !== undefined) await parts.subscriptions.get(actor.accountId, { cname: query.cname });
      return parts.findDomains(actor.accountId, body.names, query);
    },
    listShadowDomains: ({ actor, params, query, page }) =>
      shadowDomains.list(actor.accountId, params.id, { q: query.q?.trim() || undefined, state: query.state, ...page }),
    addShadowDomains: async ({ actor, params, body }) => {
      await shadowDomains.add(actor, params.id, body.names);
      return readRoute(actor.accountId, params.id);
    },
    removeShadowDomains: async ({ actor, params, body }) => {
      await shadowDomains.remove(actor, params.id, body.names);
      return readRoute(actor.accountId, params.id);
    },
    promoteShadowDomain: async ({ actor, params, body }) => {
      await shadowDomains.promote(actor, params.id, body.name);
      return readRoute(actor.accountId, params.id);
    },
    verifyShadowDomains: ({ actor, params, body }) => shadowDomains.verify(actor.accountId, params.id, body.names),
  };
}
