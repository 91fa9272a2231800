import type { Route, RouteSummary } from '@cordon/contract';
import type pg from 'pg';
import type { Db } from '../../platform/database.ts';
import type { Environment } from '../../platform/env.ts';
import { AppError, notFound } from '../../platform/errors.ts';
import { clientAddress, isLoopback } from '../../platform/name-servers.ts';
import type { AccountService } from '../accounts/service.ts';
import { type OwnershipProof, toOwnership } from '../names/ownership-proof.ts';
import { type Preview, signPreview } from '../names/preview.ts';
import { namesOfRoute } from '../names/repository.ts';
import type { Actor, DeployService } from '../publishing/deploy-service.ts';
import { requireRevision, saveDraft } from '../publishing/draft.ts';
import { type Publication, pauseOf, toImmediateOperation, toRunningOperation } from '../publishing/publication.ts';
import { findVersionSummary } from '../publishing/version-repository.ts';
import { toVersionSummary } from '../publishing/version-service.ts';
import { applyChange, type DraftChange } from '../routes/config.ts';
import * as repository from '../routes/repository.ts';
import type { ConfigCheck } from './config-check.ts';
import { duplicatePlugins } from './create-service.ts';
import { createRouteList, type ListFilter } from './list-repository.ts';

export { ORIGIN_KEY_PURPOSE } from '../origins/lock-service.ts';
export { type Actor, type DeployService, NODE_LIVENESS_SECONDS } from '../publishing/deploy-service.ts';
export type { PluginChanges, PreparedChange } from '../rules/plugin-changes.ts';

export interface RouteChange extends DraftChange {
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
  /** Deploys the draft that has this revision; checks it once more, as plan and DNS may have changed. */
  deploy(actor: Actor, routeId: string, revision: number, note: string): Promise<void>;
  createPreview(accountId: string, routeId: string): Promise<Preview>;
}

export interface DomainParts {
  readonly db: Db;
  readonly pool: pg.Pool;
  readonly env: Environment;
  readonly accounts: AccountService;
  readonly configCheck: ConfigCheck;
  readonly deploys: DeployService;
  readonly publication: Publication;
  readonly proof: OwnershipProof;
  readonly previewKey: () => Promise<Buffer>;
}

export function createDomainService(parts: DomainParts): DomainService {
  const { db, env, accounts } = parts;

  async function find(accountId: string, routeId: string): Promise<repository.RouteRow> {
    const route = await repository.findRoute(db, accountId, routeId);
    if (!route) throw notFound();
    return route;
  }

  async function toSummary(route: repository.RouteRow): Promise<RouteSummary> {
    const operation = route.operation_id === null ? undefined : await repository.findOperation(db, route.operation_id);
    const subscription = await accounts.getSubscription(route.account_id, { id: route.subscription_id });
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
    const names = await namesOfRoute(db, route.id);
    const subscription = await accounts.getSubscription(accountId, { id: route.subscription_id });
    const immediate =
      route.immediate_operation_id === null
        ? undefined
        : await repository.findOperation(db, route.immediate_operation_id);
    const czoneAddresses = (await accounts.nodeAddresses())[route.czone] ?? [];
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
      const route = await repository.findAnyRoute(db, routeId);
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
      const subscription = await accounts.getSubscription(actor.accountId, { id: route.subscription_id });
      // DNS is asked here, before the transaction; that the revision is still the same says that this is what is saved.
      const draft = await parts.configCheck.check(
        applyChange(route.draft, change),
        subscription,
        { accountId: actor.accountId, name: route.domain_name, routeId },
        positions,
      );
      await db.transaction().execute(async (trx) => {
        const locked = await repository.lockRoute(trx, actor.accountId, routeId);
        if (!locked) throw notFound();
        await requireRevision(trx, locked, revision);
        await saveDraft(parts, trx, actor, locked, draft, change);
      });
    },
    async deploy(actor, routeId, revision, note) {
      const route = await find(actor.accountId, routeId);
      await requireRevision(db, route, revision);
      const subscription = await accounts.getSubscription(actor.accountId, { id: route.subscription_id });
      await parts.configCheck.check(route.draft, subscription, {
        accountId: actor.accountId,
        name: route.domain_name,
        routeId,
      });
      await parts.deploys.deploy(actor, routeId, revision, note);
    },
    async createPreview(accountId, routeId) {
      const route = await find(accountId, routeId);
      if (route.version_live === null || route.status !== 'running') throw new AppError('DOMAIN_NOT_DEPLOYED');
      const address = (await accounts.nodeAddresses())[route.czone]?.[0] ?? '127.0.0.1';
      const ownServer =
        env.dnsPort === undefined || env.absentParts.includes('dns')
          ? null
          : { address: clientAddress(env.bind), port: env.dnsPort };
      return signPreview(
        await parts.previewKey(),
        route,
        { address, httpsPort: env.edgeHttpsPort },
        isLoopback(env.bind) ? ownServer : 'delegated',
      );
    },
  };
}
