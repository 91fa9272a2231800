import type { Route, RouteSummary } from '@cordon/contract';
import type pg from 'pg';
import type { Db } from '../../platform/database.ts';
import type { Environment } from '../../platform/env.ts';
import { AppError, notFound } from '../../platform/errors.ts';
import type { AccountService } from '../accounts/service.ts';
import { applyChange, changedPaths, type DraftChange, EMPTY_CONFIG, upstreamSummary } from './config.ts';
import type { ConfigCheck } from './config-check.ts';
import { duplicatePlugins } from './create-service.ts';
import type { Actor, DeployService } from './deploy-service.ts';
import { type ListFilter, listRoutes } from './list-repository.ts';
import { type OwnershipProof, pointRecord } from './ownership.ts';
import { type Preview, signPreview } from './preview.ts';
import { type Publication, toRunningOperation } from './publication.ts';
import * as repository from './repository.ts';

export { type Actor, type DeployService, NODE_LIVENESS_SECONDS } from './deploy-service.ts';

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

  /** Throws STALE_REVISION that says which settings others changed since, and who did. */
  async function requireRevision(route: repository.RouteRow, revision: number): Promise<void> {
    if (route.draft_revision === revision) return;
    const drafts = await repository.draftsSince(db, route.id, revision);
    const base = drafts[0]?.revision === revision ? drafts[0].config : EMPTY_CONFIG;
    const by = [...new Set(drafts.filter((draft) => draft.revision > revision).map((draft) => draft.created_by ?? ''))];
    throw new AppError('STALE_REVISION', {
      params: {
        STALE_REVISION: {
          revision: route.draft_revision,
          changed: changedPaths(base, route.draft).join(', '),
          changed_by: by.join(', ').slice(0, 500),
        },
      },
    });
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
      created_at: route.created_at,
      updated_at: route.updated_at,
    };
  }

  async function get(accountId: string, routeId: string): Promise<Route> {
    const route = await find(accountId, routeId);
    const names = await repository.namesOfRoute(db, route.id);
    const addresses = (await accounts.nodeAddresses())[route.czone] ?? [];
    return {
      ...(await toSummary(route)),
      shadow_domains: names.filter(({ kind }) => kind === 'shadow').map(({ name }) => name),
      draft: route.draft,
      draft_revision: route.draft_revision,
      draft_updated_at: route.draft_updated_at,
      draft_updated_by: route.draft_updated_by,
      live: route.live,
      ownership: {
        state: route.ownership_state,
        method: route.ownership_method,
        checked_at: route.ownership_checked_at,
        seen: route.ownership_seen,
        record: pointRecord(route, addresses),
        txt: parts.proof.txtRecord(route.account_id, route.domain_name),
        taken_elsewhere: route.proof_needed_until !== null && Date.parse(route.proof_needed_until) > Date.now(),
      },
      ssl_config: { certificate_id: route.certificate_id, force_https: route.force_https },
      auto_generate_cert: route.auto_generate_cert,
      ipv6: route.ipv6,
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
    list: (filter) => listRoutes(parts.pool, filter),
    async update(actor, routeId, revision, change) {
      const route = await find(actor.accountId, routeId);
      if (route.status === 'deleting')
        throw new AppError('DOMAIN_STATE_FORBIDS', { params: { DOMAIN_STATE_FORBIDS: { status: route.status } } });
      await requireRevision(route, revision);
      const positions = new Map((change.plugins ?? []).map((plugin, index) => [plugin.name, index]));
      if (positions.size < (change.plugins?.length ?? 0)) throw duplicatePlugins(change);
      const subscription = await accounts.getSubscription(actor.accountId, { id: route.subscription_id });
      // DNS is asked here, before the transaction; that the revision is still the same says that this is what is saved.
      const draft = await parts.configCheck.check(
        applyChange(route.draft, change),
        subscription,
        { name: route.domain_name, routeId },
        positions,
      );
      await db.transaction().execute(async (trx) => {
        const locked = await repository.lockRoute(trx, actor.accountId, routeId);
        if (!locked) throw notFound();
        await requireRevision(locked, revision);
        const hasChanged = changedPaths(locked.draft, draft).length > 0;
        const nextRevision = hasChanged ? revision + 1 : revision;
        await repository.updateRoute(
          trx,
          routeId,
          {
            ...(change.remarks === undefined ? {} : { remarks: change.remarks }),
            ...(hasChanged
              ? {
                  draft,
                  draft_revision: nextRevision,
                  draft_updated_by: actor.label,
                  pending_changes: changedPaths(locked.live ?? EMPTY_CONFIG, draft).length,
                  upstream_summary: upstreamSummary(draft),
                }
              : {}),
          },
          { draft: hasChanged },
        );
        if (hasChanged) await repository.insertDraft(trx, routeId, nextRevision, draft, actor.label);
        if (change.deploy)
          await parts.deploys.deployIn(trx, { ...locked, draft, draft_revision: nextRevision }, actor, change.note);
        else await parts.publication.announce(trx, routeId);
      });
    },
    async deploy(actor, routeId, revision, note) {
      const route = await find(actor.accountId, routeId);
      await requireRevision(route, revision);
      const subscription = await accounts.getSubscription(actor.accountId, { id: route.subscription_id });
      await parts.configCheck.check(route.draft, subscription, { name: route.domain_name, routeId });
      await parts.deploys.deploy(actor, routeId, revision, note, requireRevision);
    },
    async createPreview(accountId, routeId) {
      const route = await find(accountId, routeId);
      if (route.version_live === null || route.status !== 'running') throw new AppError('DOMAIN_NOT_DEPLOYED');
      const address = (await accounts.nodeAddresses())[route.czone]?.[0] ?? '127.0.0.1';
      return signPreview(await parts.previewKey(), route, { address, httpsPort: env.edgeHttpsPort });
    },
  };
}
