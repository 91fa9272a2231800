import { type domainOperations, parseDomainName } from '@cordon/contract';
import type { UserPrincipal } from '../../platform/auth.ts';
import type { Db } from '../../platform/database.ts';
import type { Egress } from '../../platform/egress.ts';
import { AppError, notFound } from '../../platform/errors.ts';
import type { Handlers } from '../../platform/mount.ts';
import { createRateLimit } from '../../platform/rate-limit.ts';
import type { CreateService } from './create-service.ts';
import type { Actor, DeployService } from './deploy-service.ts';
import type { OwnershipService } from './ownership-service.ts';
import * as repository from './repository.ts';
import type { DomainService } from './service.ts';
import { verifyUpstreams } from './upstream-verification.ts';

export interface DomainHandlerParts {
  readonly db: Db;
  readonly egress: Egress;
  readonly domains: DomainService;
  readonly creates: CreateService;
  readonly deploys: DeployService;
  readonly ownership: OwnershipService;
}

/** Far beyond what people do, and enough for a script that sets up hundreds of domains. */
const WRITES = { burst: 600, perMinute: 300 };

/** Looks at DNS on demand; the watcher looks by itself besides. */
const LOOKS = { burst: 60, perMinute: 30 };

const actorOf = (principal: UserPrincipal): Actor => ({
  accountId: principal.account_id,
  kind: principal.kind,
  label: principal.label,
});

export function createDomainHandlers(parts: DomainHandlerParts): Handlers<typeof domainOperations> {
  const { domains, deploys } = parts;
  const writes = createRateLimit(WRITES);
  const looks = createRateLimit(LOOKS);
  /** Each change is kept as a draft, a version or an operation, and told to nodes: an account has a rate of them. */
  const requireRate = (principal: UserPrincipal) => {
    const isOperators = principal.kind === 'token' && principal.user_id === null;
    if (!isOperators && !writes.take(principal.account_id)) throw new AppError('TOO_MANY_REQUESTS');
  };
  const answerRoute = async (principal: UserPrincipal, id: string) => ({
    success: true as const,
    result: await domains.get(principal.account_id, id),
  });

  return {
    listRoutes: async ({ principal, query }) => {
      const { page, perpage } = query;
      const name = query.domain_name === undefined ? undefined : parseDomainName(query.domain_name);
      const { results, count } = await domains.list({
        accountId: principal.account_id,
        q: query.q === undefined || query.q.trim() === '' ? undefined : query.q.trim(),
        domainName: name?.ok ? name.name : query.domain_name,
        status: query.status,
        subscriptionCname: query.cname,
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
    listVersions: async ({ principal, params, query }) => {
      const route = await repository.findRoute(parts.db, principal.account_id, params.id);
      if (!route) throw notFound();
      const { page, perpage } = query;
      const versions = await repository.listVersions(parts.db, principal.account_id, params.id, {
        limit: perpage,
        offset: (page - 1) * perpage,
      });
      const count = await repository.countVersions(parts.db, principal.account_id, params.id);
      const results = versions.map((version) => ({ ...version, live: version.version === route.version_live }));
      return { success: true, results, count, page, perpage };
    },
    getVersion: async ({ principal, params }) => {
      const route = await repository.findRoute(parts.db, principal.account_id, params.id);
      const version = await repository.findVersion(parts.db, principal.account_id, params.id, params.version);
      if (!route || !version) throw notFound();
      return { success: true, result: { ...version, live: version.version === route.version_live } };
    },
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
      result: await verifyUpstreams(parts.egress, principal.account_id, query.upstreams),
    }),
  };
}
