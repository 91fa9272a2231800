import { once } from 'node:events';
import { edgeNodeOperations, parseRange } from '@cordon/contract';
import type { FastifyReply } from 'fastify';
import type { z } from 'zod';
import { bearerOf } from '../../platform/auth.ts';
import { AppError } from '../../platform/errors.ts';
import type { ApiModule, Platform } from '../../platform/module.ts';
import type { Handlers } from '../../platform/mount.ts';
import { streamChanges } from './change-stream.ts';
import { forgetEndedEntries } from './feeds.ts';
import type { NodePrincipal } from './node-principal.ts';
import { watchNodes } from './node-watch.ts';
import * as repository from './repository.ts';
import { type EdgeNodeService, NODE_LIVENESS_SECONDS, type RecordBans } from './service.ts';

/** Stores a batch of access log rows exactly once; answers how many rows it has. */
export type StoreAccessLog = (
  node: NodePrincipal,
  batch: string,
  body: NodeJS.ReadableStream,
) => Promise<{ rows: number }>;

/** What a node reports about the routes that it was given. */
export type RecordReceipts = (
  node: NodePrincipal,
  receipts: z.output<typeof edgeNodeOperations.postEdgeReceipts.body>['receipts'],
) => Promise<void>;

export interface EdgeNodesModuleOptions {
  readonly platform: Platform;
  readonly nodes: EdgeNodeService;
  readonly recordReceipts: RecordReceipts;
  readonly recordBans: RecordBans;
  /** Of the traffic module; undefined where no ClickHouse is configured. */
  readonly storeAccessLog: StoreAccessLog | undefined;
}

/** Takes the response out of the framework's hands, with the headers that hooks have set. */
function beginStream(reply: FastifyReply, type: string): AbortSignal {
  const end = new AbortController();
  reply.hijack();
  reply.raw.on('close', () => end.abort());
  const headers = Object.fromEntries(Object.entries(reply.getHeaders()).filter(([, value]) => value !== undefined));
  reply.raw.writeHead(200, {
    ...(headers as Record<string, string>),
    'content-type': type,
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  });
  reply.raw.flushHeaders();
  return end.signal;
}

export function createEdgeNodesModule({
  platform,
  nodes,
  recordReceipts,
  recordBans,
  storeAccessLog,
}: EdgeNodesModuleOptions): ApiModule {
  const { db, pool, hub, authenticator, log } = platform;
  const open = new Set<FastifyReply>();
  const watch = watchNodes(repository.watchedNodes(db), log);
  let isStopping = false;

  async function run(reply: FastifyReply, node: NodePrincipal, work: () => Promise<void>): Promise<void> {
    open.add(reply);
    try {
      await work();
    } catch (err) {
      // The answer has begun: breaking the connection is the only way to say that it is not whole.
      if (!reply.raw.destroyed && !isStopping) log.warn({ err, node: node.name }, 'a stream to a node ended early');
      reply.raw.destroy();
    } finally {
      open.delete(reply);
      reply.raw.end();
    }
  }

  const handlers: Handlers<typeof edgeNodeOperations> = {
    getEdgeSnapshot: async ({ principal, reply }) => {
      const epoch = await nodes.epoch();
      const signal = beginStream(reply, 'application/x-ndjson');
      const write = async (text: string) => {
        if (!reply.raw.write(text)) await once(reply.raw, 'drain', { signal });
      };
      await run(reply, principal, async () => {
        let count = 0;
        await repository.readSnapshot(
          pool,
          principal.czones,
          (cursor) => write(`${JSON.stringify({ cursor: String(cursor), epoch })}\n`),
          async (lines, rows) => {
            count += rows;
            await write(lines);
          },
        );
        await write(`${JSON.stringify({ end: true, count })}\n`);
      });
    },
    streamEdgeChanges: async ({ principal, query, req, reply }) => {
      const bearer = bearerOf(req.headers.authorization);
      const cursor = req.headers['last-event-id'];
      const signal = beginStream(reply, 'text/event-stream');
      const parts = { db, pool, hub, nodes, recheck: () => authenticator.authenticateMachine(bearer) };
      await run(reply, principal, () =>
        streamChanges(
          parts,
          principal,
          { epoch: query.epoch, cursor: typeof cursor === 'string' ? cursor : undefined, feeds: query.feeds },
          reply.raw,
          signal,
        ),
      );
    },
    postEdgeBans: async ({ principal, body }) => {
      const ids = [...new Set(body.bans.map(({ route_id }) => route_id))];
      // A node has a say about the domains that it serves.
      const served = await repository.routesOfCzones(db, ids, principal.czones);
      const accounts = new Map(served.map(({ route_id, account_id }) => [route_id, account_id]));
      await recordBans(
        body.bans.flatMap((ban) => {
          const accountId = accounts.get(ban.route_id);
          return accountId === undefined || !parseRange(ban.network)
            ? []
            : [{ ...ban, accountId, node: principal.name }];
        }),
      );
    },
    postEdgeReceipts: async ({ principal, body }) => {
      await recordReceipts(principal, body.receipts);
    },
    postEdgeLogs: async ({ principal, query, body }) => {
      if (!storeAccessLog) throw new AppError('UNAVAILABLE');
      const { rows } = await storeAccessLog(principal, query.batch, body);
      return { rows };
    },
    postEdgeHeartbeat: async ({ principal, body }) => {
      await repository.recordHeartbeat(db, principal.id, body);
    },
  };

  return {
    mount: (app, mount) => {
      mount(edgeNodeOperations, handlers);
      // Streams never end until they are closed, and closing waits for them.
      app.addHook('preClose', async () => {
        isStopping = true;
        for (const reply of open) reply.raw.destroy();
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
