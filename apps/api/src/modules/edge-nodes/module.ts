import { edgeNodeOperations } from '@cordon/contract';
import type { ApiModule, Platform } from '../../platform/module.ts';
import { forgetEndedEntries } from './feed-service.ts';
import { createEdgeNodeHandlers, type EdgeNodeHandlerParts } from './handlers.ts';
import { createNodeStreams } from './node-streams.ts';
import { watchNodes } from './node-watch.ts';
import * as repository from './repository.ts';

export interface EdgeNodesModuleOptions
  extends Pick<
    EdgeNodeHandlerParts,
    | 'nodes'
    | 'recordReceipts'
    | 'recordBans'
    | 'openClears'
    | 'recordClearReceipts'
    | 'prefetches'
    | 'czonesOf'
    | 'storeAccessLog'
  > {
  readonly platform: Platform;
  /** What waits for nodes of these czones is looked at again: some of them went silent. */
  readonly judgeWaiting: (czones: readonly string[]) => Promise<void>;
}

export function createEdgeNodesModule({ platform, judgeWaiting, ...parts }: EdgeNodesModuleOptions): ApiModule {
  const { db, pool, hub, authenticator, log } = platform;
  const watched = {
    async markSilent(silentSeconds: number) {
      const silent = await repository.markSilent(db, silentSeconds);
      const czones = [...new Set(silent.flatMap((node) => node.czones))];
      // Not waited for, nor needed: each operation is looked at later in any case.
      if (czones.length > 0)
        judgeWaiting(czones).catch((err) => log.warn({ err }, 'operations could not be judged without a silent node'));
      return silent.map(({ name }) => name);
    },
    ping: () => repository.ping(db),
  };
  const watch = watchNodes(watched, log);
  const streams = createNodeStreams(log);
  const handlers = createEdgeNodeHandlers({ db, pool, hub, authenticator, log, streams, ...parts });
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
          const { all, live } = await repository.countNodes(db);
          if (all > 0 && live === 0) throw new Error('no node is live');
          return `${live} of ${all} nodes live`;
        },
      },
    ],
  };
}
