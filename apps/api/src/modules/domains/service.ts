import type { Actor, Route, RouteSummary } from '@cordon/contract';
import type pg from 'pg';
import { type Db, runInTransaction } from '../../platform/database.ts';
import { AppError, notFound } from '../../platform/errors.ts';
import type { EdgeNodeService } from '../edge-nodes/service.ts';
import type { OwnershipProof } from '../names/ownership-proof.ts';
import { toOwnership } from '../names/service.ts';
import type { DeployService } from '../publishing/deploy-service.ts';
import type { Publication } from '../publishing/publication.ts';
import {
  findOperations,
  findVersionSummary,
  pauseOf,
  requireRevision,
  saveDraft,
  toImmediateOperation,
  toRunningOperation,
  toVersionSummary,
} from '../publishing/service.ts';
import * as routes from '../routes/service.ts';
import type { SubscriptionService } from '../subscriptions/service.ts';
import type { ConfigCheck } from './config-check.ts';
import { duplicatePlugins } from './create-service.ts';
import { createRouteList, type ListFilter } from './list-repository.ts';

export { findMatching } from './list-repository.ts';

export interface RouteChange extends routes.DraftChange {
  readonly remarks?: string | undefined;
  readonly deploy: boolean;
  readonly note: string;
}

/** Reading and changing the domains of an account. Another account's are NOT_FOUND everywhere. */
export interface DomainService {
  list(filter: ListFilter): Promise<{ results: RouteSummary[]; count: number }>;
  get(accountId: string, routeId: string): Promise<Route>;
  getSummary(accountId: string, routeId: string): Promise<RouteSummary>;
  /** Changes the draft that has this revision, and deploys it if asked. Throws STALE_REVISION with what changed since. */
  update(actor: Actor, routeId: string, revision: number, change: RouteChange): Promise<void>;
}

export interface DomainParts {
  readonly db: Db;
  readonly pool: pg.Pool;
  readonly subscriptions: SubscriptionService;
  readonly addressesByCzone: EdgeNodeService['addressesByCzone'];
  readonly configCheck: ConfigCheck;
  readonly deploys: DeployService;
  readonly publication: Publication;
  readonly proof: OwnershipProof;
}

export function createDomainService(parts: DomainParts): DomainService {
  const { db, subscriptions } = parts;

  async function find(accountId: string, routeId: string): Promise<routes.RouteRow> {
    const route = await routes.findRoute(db, accountId, routeId);
    if (!route) throw notFound();
    return route;
  }

  const findOperation = async (id: string | null) => (id === null ? undefined : (await findOperations(db, [id]))[0]);

  async function toSummary(route: routes.RouteRow): Promise<RouteSummary> {
    const operation = await findOperation(route.operation_id);
    const subscription = await subscriptions.get(route.account_id, { id: route.subscription_id });
    return {
      id: route.id,
      domain_name: route.domain_name,
      domain_name_unicode: route.domain_name_unicode,
      cname: route.cname,
      subscription_cname: subscription.cname,
      status: route.status,
      last_deployed: route.last_deployed,
      version_live: route.version_live,
      pending_changes: route.pending_changes,
      traffic_action: route.draft.traffic_action,
      upstream_summary: route.upstream_summary,
      ownership_state: route.ownership_state,
      group_id: route.group_id,
      remarks: route.remarks,
      operation: operation ? toRunningOperation(operation) : null,
      is_paused: pauseOf(route) !== null,
      created_at: route.created_at,
      updated_at: route.updated_at,
    };
  }

  async function get(accountId: string, routeId: string): Promise<Route> {
    const route = await find(accountId, routeId);
    const names = await routes.namesOfRoute(db, route.id);
    const subscription = await subscriptions.get(accountId, { id: route.subscription_id });
    const immediate = await findOperation(route.immediate_operation_id);
    const czoneAddresses = (await parts.addressesByCzone())[route.czone] ?? [];
    const live =
      route.version_live === null ? undefined : await findVersionSummary(db, accountId, route.id, route.version_live);
    return {
      ...(await toSummary(route)),
      immediate_operation: immediate ? toImmediateOperation(immediate) : null,
      paused: pauseOf(route),
      shadow_domains: names.filter(({ kind }) => kind === 'shadow').map(({ name }) => name),
      draft: route.draft,
      draft_revision: route.draft_revision,
      draft_updated_at: route.draft_updated_at,
      draft_updated_by: route.draft_updated_by,
      live: route.live,
      live_version: live ? toVersionSummary(live, route, new Set(names.map(({ name }) => name))) : null,
      ownership: toOwnership(parts.proof, route, { czoneAddresses, ipv6: subscription.ipv6 }),
      ssl_config: { certificate_id: route.certificate_id, force_https: route.force_https },
      auto_generate_cert: route.auto_generate_cert,
      ipv6: subscription.ipv6,
    };
  }

  return {
    get,
    getSummary: async (accountId, routeId) => {
      const route = await routes.findAnyRoute(db, routeId);
      // A deletion answers with what the domain has become.
      if (!route || route.account_id !== accountId) throw notFound();
      return toSummary(route);
    },
    list: createRouteList(parts.pool),
    async update(actor, routeId, revision, change) {
      const route = await find(actor.accountId, routeId);
      if (route.status === 'deleting')
        throw new AppError('DOMAIN_STATE_FORBIDS', { params: { DOMAIN_STATE_FORBIDS: { status: route.status } } });
      await requireRevision(db, route, revision);
      const positions = new Map((change.plugins ?? []).map((plugin, index) => [plugin.name, index]));
      if (positions.size < (change.plugins?.length ?? 0)) throw duplicatePlugins(change);
      const subscription = await subscriptions.get(actor.accountId, { id: route.subscription_id });
      // DNS is asked here, before the transaction; that the revision is still the same says that this is what is saved.
      const draft = await parts.configCheck.check(
        routes.applyChange(route.draft, change),
        subscription,
        { accountId: actor.accountId, name: route.domain_name, routeId },
        { positions, isDraft: !change.deploy },
      );
      await runInTransaction(db, async (trx) => {
        const locked = await routes.lockRoute(trx, actor.accountId, routeId);
        if (!locked) throw notFound();
        await requireRevision(trx, locked, revision);
        await saveDraft(parts, trx, actor, locked, draft, change);
      });
    },
  };
}
