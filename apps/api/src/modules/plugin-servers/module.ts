import { type Operation, type OperationCall, pluginServerOperations } from '@cordon/contract';
import type { PluginHandlers, PluginServer, PluginServerTools } from '@cordon/plugin-kit/server';
import { servers } from '@cordon/plugins/servers';
import type { ApiModule } from '../../platform/module.ts';
import type { Handlers } from '../../platform/mount.ts';
import type { RecordBans } from '../edge-nodes/service.ts';
import { createPluginServersHandlers } from './handlers.ts';
import { createPluginServerTools, type PluginServersParts } from './tools.ts';

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
export function createPluginServersModule(parts: PluginServersParts): PluginServersModule {
  const created = servers.map(({ plugin, operations, createServer }) => ({
    plugin,
    operations,
    server: createServer(createPluginServerTools(parts, plugin) as PluginServerTools<never>),
  }));
  const all: readonly PluginServer<Record<string, Operation>>[] = created.map(({ server }) => server);
  return {
    mount(_app, mount) {
      mount(pluginServerOperations, createPluginServersHandlers(parts.platform.db));
      for (const { operations, server } of created) mount(operations, toHandlers(server.handlers));
    },
    async recordBans(bans) {
      for (const server of all) await server.recordBans?.(bans);
    },
    jobs: {
      'forget-plugin-records': async () => {
        for (const server of all) await server.forgetEnded?.();
      },
      'watch-traffic': async () => {
        // Never tried again: the next minute looks anew.
        for (const server of all)
          await server.watch?.().catch((err: unknown) => parts.platform.log.warn({ err }, 'traffic was not looked at'));
      },
    },
    recurring: [
      { name: 'forget-plugin-records', pattern: '*/10 * * * *' },
      { name: 'watch-traffic', pattern: '* * * * *' },
    ],
  };
}
