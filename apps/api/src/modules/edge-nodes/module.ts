import { edgeNodeOperations } from '@cordon/contract';
import type { ApiModule, Platform } from '../../platform/module.ts';
import { forgetEndedEntries } from './feed-service.ts';
import { createEdgeNodeHandlers, type EdgeNodeHandlerParts } from './handlers.ts';
import { createNodeStreams } from './node-streams.ts';
import { watchNodes } from './node-watch.ts';
import * as repository from './repository.ts';
import { NODE_LIVENESS_SECONDS } from './service.ts';

export interface EdgeNodesModuleOptions
  extends Pick<EdgeNodeHandlerParts, 'nodes' | 'recordReceipts' | 'recordBans' | 'storeAccessLog'> {
  readonly platform: Platform;
}

export function createEdgeNodesModule({ platform, ...parts }: EdgeNodesModuleOptions): ApiModule {
  const { db, pool, hub, authenticator, log } = platform;
  const watched = {
    markSilent: (silentSeconds: number) => repository.markSilent(db, silentSeconds),
    ping: () => repository.ping(db),
  };
  const watch = watchNodes(watched, log);
  const streams = createNodeStreams(log);
  const handlers = createEdgeNodeHandlers({ db, pool, hub, authenticator, streams, ...parts });
  return {
    mount: (app, mount) => {
      mount(edgeNodeOperations, handlers);
      // Streams never end until they are closed, and closing waits for them.
      app.addHook('preClose', async () => {
        streams.stop();
      });
    },
    jobs: { 'forget-feed-entries': () => forgetEndedEntries(db) },
    recurring: [{ name: 'forget-feed-entries', pattern: '*/10 * * * *' }],
    start: async () => watch.start(),
    stop: async () => watch.stop(),
    health: [
      {
        name: 'edge',
        isEssential: false,
        check: async () => {
          const { all, live } = await repository.countNodes(db, NODE_LIVENESS_SECONDS);
          if (all > 0 && live === 0) throw new Error('no node is live');
          return `${live} of ${all} nodes live`;
        },
      },
    ],
  };
}
