import { type EdgeBan, type edgeNodeOperations, formatRange, parseRange, specialRangeKind } from '@cordon/contract';
import { clientNetworkOf } from '@cordon/plugin-kit/client-network';
import { findDefinition } from '@cordon/plugins/definitions';
import type { z } from 'zod';
import { bearerOf } from '../../platform/auth.ts';
import type { Platform } from '../../platform/module.ts';
import type { Handlers } from '../../platform/mount.ts';
import { streamChanges } from './change-stream.ts';
import type { OpenClears, RecordClearReceipts } from './clear-stream.ts';
import { putLookResult } from './look-repository.ts';
import type { NodePrincipal } from './node-principal.ts';
import type { NodeStreams } from './node-streams.ts';
import type { PrefetchParts } from './prefetch-parts.ts';
import * as repository from './repository.ts';
import type { EdgeNodeService, RecordBans } from './service.ts';
import { createSnapshotWriter } from './snapshot-writer.ts';
import { putResults } from './test-repository.ts';

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

/** What the calls of nodes work with. */
export interface EdgeNodeHandlerParts extends Pick<Platform, 'db' | 'pool' | 'hub' | 'authenticator' | 'log'> {
  readonly nodes: EdgeNodeService;
  readonly streams: NodeStreams;
  readonly recordReceipts: RecordReceipts;
  readonly recordBans: RecordBans;
  readonly openClears: OpenClears;
  readonly recordClearReceipts: RecordClearReceipts;
  readonly prefetches: PrefetchParts;
  /** Czones of the account's subscriptions, or of one of them. */
  readonly czonesOf: (accountId: string, cname: string | undefined) => Promise<readonly string[]>;
  /** Of the traffic module. */
  readonly storeAccessLog: StoreAccessLog;
}

/** Whether a node may give it: of one client that visitors come from, by a plugin that bans. More would let one broken node shut domains on all others. */
function isOfClient({ network, plugin }: EdgeBan): boolean {
  const range = parseRange(network);
  if (range === undefined || specialRangeKind(range) !== undefined || findDefinition(plugin)?.isBanning !== true)
    return false;
  return formatRange(clientNetworkOf({ family: range.family, words: range.first })) === network;
}

export function createEdgeNodeHandlers(parts: EdgeNodeHandlerParts): Handlers<typeof edgeNodeOperations> {
  const { db, pool, hub, authenticator, log, nodes, streams, recordReceipts, recordBans, czonesOf, storeAccessLog } =
    parts;
  const { openClears, recordClearReceipts, prefetches } = parts;
  const snapshots = createSnapshotWriter(pool);
  return {
    listEdgeAddresses: async ({ actor, query }) => {
      const czones = await czonesOf(actor.accountId, query.cname);
      const byCzone = await nodes.addressesByCzone();
      return { addresses: [...new Set(czones.flatMap((czone) => byCzone[czone] ?? []))].sort() };
    },
    getEdgeSnapshot: async ({ principal, reply }) => {
      const epoch = await nodes.epoch();
      const signal = streams.begin(reply, 'application/x-ndjson');
      await streams.run(reply, principal, () => snapshots.write(principal, epoch, reply.raw, signal));
    },
    streamEdgeChanges: async ({ principal, query, req, reply }) => {
      const bearer = bearerOf(req.headers.authorization);
      const cursor = req.headers['last-event-id'];
      const signal = streams.begin(reply, 'text/event-stream');
      await streams.run(reply, principal, () =>
        streamChanges(
          { db, pool, hub, nodes, openClears, prefetches, recheck: () => authenticator.authenticateMachine(bearer) },
          principal,
          {
            epoch: query.epoch,
            cursor: typeof cursor === 'string' ? cursor : undefined,
            feeds: query.feeds,
            clears: query.clears,
          },
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
      const bans = body.bans.filter(isOfClient);
      const refused = body.bans.length - bans.length;
      if (refused > 0) log.warn({ node: principal.name, refused }, 'bans of a node are of no client and left out');
      await recordBans(
        bans.flatMap((ban) => {
          const accountId = accounts.get(ban.route_id);
          return accountId === undefined ? [] : [{ ...ban, accountId, node: principal.name }];
        }),
      );
    },
    postEdgeTestResults: async ({ principal, body }) => {
      await putResults(db, principal.id, body.id, body.results);
    },
    postEdgePrefetchResults: async ({ principal, body }) => {
      await prefetches.record(principal.id, body.results);
    },
    postEdgeLookResults: async ({ principal, body }) => {
      await putLookResult(db, principal.id, body.id, body.result);
    },
    postEdgeClearReceipts: async ({ principal, body }) => {
      await recordClearReceipts(principal, body.receipts);
    },
    postEdgeReceipts: async ({ principal, body }) => {
      await recordReceipts(principal, body.receipts);
    },
    postEdgeLogs: async ({ principal, query, body }) => {
      const { rows } = await storeAccessLog(principal, query.batch, body);
      return { rows };
    },
    postEdgeHeartbeat: async ({ principal, body }) => {
      await repository.recordHeartbeat(db, principal.id, body);
    },
  };
}
