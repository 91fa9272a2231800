import { materialise, schemaDefaults } from '@cordon/plugin-kit/schema';
import type { PluginServerTools } from '@cordon/plugin-kit/server';
import { findDefinition } from '@cordon/plugins/definitions';
import { auditedBy, insertAudit } from '../../platform/audit.ts';
import { type Database, type Executor, runInTransaction } from '../../platform/database.ts';
import type { Platform } from '../../platform/module.ts';
import { inTurn } from '../../platform/turns.ts';
import type { AccountService } from '../accounts/service.ts';
import type { FeedService } from '../edge-nodes/service.ts';
import { findRoute, suspensionOf } from '../routes/service.ts';
import type { SubscriptionService } from '../subscriptions/service.ts';
import type { TrafficService } from '../traffic/service.ts';

/** What plugins' servers are made of. */
export interface PluginServersParts {
  readonly platform: Platform;
  readonly accounts: Pick<AccountService, 'findSuspension'>;
  readonly feeds: FeedService;
  readonly subscriptions: Pick<SubscriptionService, 'tierOf'>;
  readonly traffic: Pick<TrafficService, 'listBusyRoutes'>;
}

/**
 * What a plugin's server may use. Its tables are not among ours, so they are taken for ours here and for its own there; a
 * feed that it does not declare is refused.
 */
export function createPluginServerTools(
  { platform: { db }, accounts, feeds, subscriptions, traffic }: PluginServersParts,
  plugin: string,
): PluginServerTools<Database> {
  const definition = findDefinition(plugin);
  if (!definition) throw new Error(`there is no plugin ${plugin}`);
  return {
    db,
    transaction: (work) => runInTransaction(db, work),
    async putFeedEntries(trx, entries) {
      for (const { feed } of entries)
        if (!definition.feeds?.includes(feed)) throw new Error(`${plugin} has no feed ${feed}`);
      await feeds.put(trx as Executor, entries);
    },
    countInside: (trx, accountId, of) => feeds.countInside(trx as Executor, accountId, of),
    inTurn,
    async audit(trx, actor, { action, subject, details }) {
      const [kind, id] = subject.split(' ');
      const route = kind === 'route' && id ? await findRoute(trx as Executor, actor.accountId, id) : undefined;
      const named = route ? { domain_name: route.domain_name, ...details } : details;
      await insertAudit(trx as Executor, auditedBy(actor, { action, subject, details: named }));
    },
    tierOf: (trx, accountId) => subscriptions.tierOf(accountId, trx as Executor),
    async findRoute(accountId, id) {
      const route = await findRoute(db, accountId, id);
      if (!route) return undefined;
      const entry = route.live?.plugins.find(({ name }) => name === plugin);
      const config = entry ? materialise(definition.schema, entry.config) : schemaDefaults(definition.schema);
      const isEnabled = entry?.enabled ?? definition.isAlwaysOn ?? false;
      const suspension = suspensionOf(route, await accounts.findSuspension(accountId));
      const isLive = route.status === 'running' && route.version_live !== null;
      const isServed = isLive && suspension === null && route.paused_at === null;
      return { id, domain_name: route.domain_name, config, isEnabled, isServed };
    },
    listBusyRoutes: (least) => traffic.listBusyRoutes(least, plugin),
  };
}
