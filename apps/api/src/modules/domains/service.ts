import type { Actor, RouteConfig, RouteSummary } from '@cordon/contract';
import type pg from 'pg';
import { type Db, runInTransaction } from '../../platform/database.ts';
import { AppError, notFound } from '../../platform/errors.ts';
import type { HealthService } from '../health/service.ts';
import type { PluginSecrets } from '../plugin-secrets/service.ts';
import { type DeployService, type Publication, requireRevision, saveDraft } from '../publishing/service.ts';
import * as routes from '../routes/service.ts';
import type { SubscriptionService } from '../subscriptions/service.ts';
import type { ConfigCheck } from './config-check.ts';
import { duplicatePlugins } from './create-service.ts';
import type { ListFilter } from './list-conditions.ts';
import { createRouteList } from './list-repository.ts';
import type { RouteReader } from './route-reader.ts';

export type { BulkService } from './bulk-service.ts';
export { type ConfigCheck, createConfigCheck, type PlanLimits } from './config-check.ts';
export type { CreateService, PreparedDomain } from './create-service.ts';
export { findMatching } from './list-repository.ts';
export { checkPluginEntry, type FoundFaults } from './plugin-check.ts';
export { createRouteReader } from './route-reader.ts';
export { readSearch } from './search-repository.ts';
export type { SelectionReader } from './selection-reader.ts';

export interface RouteChange extends routes.DraftChange {
  readonly remarks?: string | undefined;
  readonly deploy: boolean;
  readonly note: string;
}

/** Reading and changing the domains of an account. Another account's are NOT_FOUND everywhere. */
export interface DomainService extends RouteReader {
  list(filter: ListFilter): Promise<{ results: RouteSummary[]; count: number }>;
  /**
   * Changes the draft that has this revision, and deploys it if asked; answers what was written, and the draft `before`.
   * Throws STALE_REVISION with what changed since.
   */
  update(
    actor: Actor,
    routeId: string,
    revision: number,
    change: RouteChange,
  ): Promise<routes.KnownConfigs & { readonly before: RouteConfig }>;
}

export interface DomainParts {
  readonly db: Db;
  readonly pool: pg.Pool;
  readonly subscriptions: SubscriptionService;
  readonly reader: RouteReader;
  readonly health: Pick<HealthService, 'judgeFacts'>;
  readonly configCheck: ConfigCheck;
  readonly secrets: PluginSecrets;
  readonly deploys: DeployService;
  readonly publication: Publication;
}

export function createDomainService(parts: DomainParts): DomainService {
  const { db, subscriptions } = parts;

  return {
    ...parts.reader,
    list: createRouteList(parts.pool, parts.health),
    async update(actor, routeId, revision, change) {
      const route = await routes.findRoute(db, actor.accountId, routeId);
      if (!route) throw notFound();
      if (route.status === 'deleting')
        throw new AppError('DOMAIN_STATE_FORBIDS', { params: { DOMAIN_STATE_FORBIDS: { status: route.status } } });
      await requireRevision(db, route, revision);
      const positions = new Map((change.plugins ?? []).map((plugin, index) => [plugin.name, index]));
      if (positions.size < (change.plugins?.length ?? 0)) throw duplicatePlugins(change);
      const subscription = await subscriptions.get(actor.accountId, { id: route.subscription_id });
      const taken = await parts.secrets.take(db, actor.accountId, change.plugins ?? []);
      // DNS is asked here, before the transaction; that the revision is still the same says that this is what is saved.
      const draft = await parts.configCheck.check(
        routes.applyChange(route.draft, { ...change, plugins: taken.plugins }),
        subscription,
        { accountId: actor.accountId, name: route.domain_name, routeId },
        { positions, isDraft: !change.deploy, hasKnownTargets: change.upstreams === undefined },
      );
      return runInTransaction(db, async (trx) => {
        const locked = await routes.findRouteAgain(trx, actor.accountId, routeId, route, { isLocked: true });
        if (!locked) throw notFound();
        await requireRevision(trx, locked, revision);
        await parts.secrets.keepIn(trx, actor.accountId, taken.secrets);
        const saved = await saveDraft(parts, trx, actor, locked, draft, change);
        return {
          draft,
          draft_revision: saved.revision,
          live: locked.live,
          version_live: locked.version_live,
          before: route.draft,
        };
      });
    },
  };
}
