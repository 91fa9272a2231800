import { type domainOperations, parseDomainName, type RouteFilter as RouteFilterQuery } from '@cordon/contract';
import type { UserPrincipal } from '../../platform/auth.ts';
import type { Egress } from '../../platform/egress.ts';
import { AppError } from '../../platform/errors.ts';
import type { Handlers } from '../../platform/mount.ts';
import { createRateLimit } from '../../platform/rate-limit.ts';
import type { OwnershipService } from '../names/ownership-service.ts';
import { verifyUpstreams } from '../origins/upstream-verification.ts';
import type { Actor, DeployService } from '../publishing/deploy-service.ts';
import type { CreateService } from './create-service.ts';
import type { RouteFilter } from './list-repository.ts';
import type { DomainService } from './service.ts';

export interface DomainHandlerParts {
  readonly egress: Egress;
  readonly domains: DomainService;
  readonly creates: CreateService;
  readonly deploys: DeployService;
  readonly ownership: OwnershipService;
  readonly requireRate: RequireRate;
}

/** What a query or a selection asks for, as the list reads it. */
export function filterOf(principal: UserPrincipal, query: RouteFilterQuery): RouteFilter {
  const name = query.domain_name === undefined ? undefined : parseDomainName(query.domain_name);
  const q = query.q?.trim();
  return {
    accountId: principal.account_id,
    q: q === '' ? undefined : q,
    domainName: name?.ok ? name.name : query.domain_name,
    status: query.status,
    subscriptionCname: query.cname,
    groupId: query.group,
  };
}

/** Far beyond what people do, and enough for a script that sets up hundreds of domains. */
const WRITES = { burst: 600, perMinute: 300 };

/** Looks at DNS on demand; the watcher looks by itself besides. */
const LOOKS = { burst: 60, perMinute: 30 };

const isOperators = (principal: UserPrincipal) => principal.kind === 'token' && principal.user_id === null;

/** Who does it. A token that belongs to no user is the provider's staff. */
export const actorOf = (principal: UserPrincipal): Actor => ({
  accountId: principal.account_id,
  kind: isOperators(principal) ? 'operator' : principal.kind,
  label: principal.label,
});

/** Throws TOO_MANY_REQUESTS: each change is kept as a draft, a version or an operation, and told to nodes. */
export type RequireRate = (principal: UserPrincipal) => void;

/** One for all handlers that change domains: an account has a rate of them. */
export function createWriteRate(): RequireRate {
  const writes = createRateLimit(WRITES);
  return (principal) => {
    if (!isOperators(principal) && !writes.take(principal.account_id)) throw new AppError('TOO_MANY_REQUESTS');
  };
}

/** A certificate for a wildcard's name holds for any name below it. */
const serverNameOf = (name: string | undefined): string | undefined => {
  const read = name === undefined ? undefined : parseDomainName(name);
  return read?.ok ? read.name.replace(/^\*\./, 'www.') : undefined;
};

export function createDomainHandlers(parts: DomainHandlerParts): Handlers<typeof domainOperations> {
  const { domains, deploys } = parts;
  const { requireRate } = parts;
  const looks = createRateLimit(LOOKS);
  const answerRoute = async (principal: UserPrincipal, id: string) => ({
    success: true as const,
    result: await domains.get(principal.account_id, id),
  });

  return {
    listRoutes: async ({ principal, query }) => {
      const { page, perpage } = query;
      const { results, count } = await domains.list({
        ...filterOf(principal, query),
        sort: query.sort,
        limit: perpage,
        offset: (page - 1) * perpage,
      });
      return { success: true, results, count, page, perpage };
    },
    createRoute: async ({ principal, body }) => {
      requireRate(principal);
      return answerRoute(principal, await parts.creates.create(actorOf(principal), body));
    },
    getRoute: ({ principal, params }) => answerRoute(principal, params.id),
    updateRoute: async ({ principal, params, body, ifMatch }) => {
      requireRate(principal);
      await domains.update(actorOf(principal), params.id, ifMatch, body);
      return answerRoute(principal, params.id);
    },
    deleteRoute: async ({ principal, params, body }) => {
      await deploys.remove(actorOf(principal), params.id, { cname: body.cname, confirm: body.confirm });
      return { success: true, result: await domains.getSummary(principal.account_id, params.id) };
    },
    deployRoute: async ({ principal, params, body, ifMatch }) => {
      requireRate(principal);
      await domains.deploy(actorOf(principal), params.id, ifMatch, body.note);
      return answerRoute(principal, params.id);
    },
    deactivateRoute: async ({ principal, params }) => {
      requireRate(principal);
      await deploys.deactivate(actorOf(principal), params.id);
      return answerRoute(principal, params.id);
    },
    resumeRoute: async ({ principal, params }) => {
      requireRate(principal);
      await deploys.resume(actorOf(principal), params.id);
      return answerRoute(principal, params.id);
    },
    getReceipt: async ({ principal, params }) => ({
      success: true,
      result: await deploys.getReceipt(principal.account_id, params.id),
    }),
    verifyOwnership: async ({ principal, params }) => {
      if (!looks.take(principal.account_id)) throw new AppError('TOO_MANY_REQUESTS');
      await parts.ownership.check(principal.account_id, params.id);
      return answerRoute(principal, params.id);
    },
    createPreview: async ({ principal, params }) => ({
      success: true,
      result: await domains.createPreview(principal.account_id, params.id),
    }),
    verifyUpstreamProtocol: async ({ principal, query }) => ({
      success: true,
      result: await verifyUpstreams(
        parts.egress,
        principal.account_id,
        query.upstreams,
        serverNameOf(query.server_name),
      ),
    }),
  };
}
