import type { Operation, OperationCall } from '@cordon/contract';
import type { PluginHandlers, PluginServer, PluginServerTools } from '@cordon/plugin-kit/server';
import { servers } from '@cordon/plugins/servers';
import type { ApiModule, Platform } from '../../platform/module.ts';
import type { Handlers } from '../../platform/mount.ts';
import type { FeedService, RecordBans } from '../edge-nodes/service.ts';
import type { SubscriptionService } from '../subscriptions/service.ts';
import { createPluginServerTools } from './tools.ts';

export interface PluginServersModuleOptions {
  readonly platform: Platform;
  readonly feeds: FeedService;
  readonly subscriptions: Pick<SubscriptionService, 'tierOf'>;
}

export interface PluginServersModule extends ApiModule {
  readonly recordBans: RecordBans;
}

/** A plugin's handlers know less of a call than the API's own. */
const toHandlers = (handlers: PluginHandlers<Record<string, Operation>>): Handlers<Record<string, Operation>> =>
  Object.fromEntries(
    Object.entries(handlers).map(([name, handle]) => [
      name,
      ({ params, query, body, actor, page }) =>
        handle({ params, query, body, actor, page } as OperationCall<Operation>),
    ]),
  ) as Handlers<Record<string, Operation>>;

/** The parts of plugins that run in the control plane. */
export function createPluginServersModule({
  platform,
  feeds,
  subscriptions,
}: PluginServersModuleOptions): PluginServersModule {
  const created = servers.map(({ plugin, operations, createServer }) => ({
    plugin,
    operations,
    server: createServer(createPluginServerTools(platform, feeds, subscriptions, plugin) as PluginServerTools<never>),
  }));
  const all: readonly PluginServer<Record<string, Operation>>[] = created.map(({ server }) => server);
  return {
    mount(_app, mount) {
      for (const { operations, server } of created) mount(operations, toHandlers(server.handlers));
    },
    async recordBans(bans) {
      for (const server of all) await server.recordBans?.(bans);
    },
    jobs: {
      'forget-plugin-records': async () => {
        for (const server of all) await server.forgetEnded?.();
      },
    },
    recurring: [{ name: 'forget-plugin-records', pattern: '*/10 * * * *' }],
  };
}
