import { z } from 'zod';
import { TEST_ATTACKS_MAX } from '../constants.ts';
import { edgeBan, edgeLookResult, edgePrefetchReport, edgeTestResult } from '../edge-config.ts';
import { defineOperations, done, resultOf } from '../operation.ts';
import { text } from '../text.ts';

/** What customers may know of nodes, and the calls of the edge agents (apps/edge/README.md, "Edge control protocol"). */
export const edgeNodeOperations = defineOperations({
  listEdgeAddresses: {
    method: 'GET',
    path: 'domain/edge-addresses/',
    summary: 'Addresses that requests to your origins come from: let them through at your firewall',
    auth: 'user',
    roles: ['user'],
    scope: 'domains:read',
    rate: 'none',
    query: z.strictObject({
      cname: text(255)
        .min(1)
        .optional()
        .describe('Of one subscription; those of all subscriptions of the account unless given.'),
    }),
    ok: resultOf(z.object({ addresses: z.array(z.string()).describe('Canonical texts, sorted.') })),
  },
  getEdgeSnapshot: {
    method: 'GET',
    path: 'edge/snapshot/',
    summary: 'All routes of the czones of the node',
    auth: 'machine',
    rate: 'none',
    streams: 'application/x-ndjson',
    ok: z.string(),
  },
  streamEdgeChanges: {
    method: 'GET',
    path: 'edge/stream/',
    summary: 'Changes since Last-Event-ID, as server-sent events',
    auth: 'machine',
    rate: 'none',
    query: z.strictObject({
      epoch: text(64).optional(),
      feeds: text(32).optional().describe('Cursor of the feeds: of the snapshot, or of the last event `feeds`.'),
      clears: text(32)
        .optional()
        .describe('Cursor of the last event `clears`; 0: none is known, and all that is stored is to be cleared.'),
    }),
    streams: 'text/event-stream',
    ok: z.string(),
  },
  postEdgeBans: {
    method: 'POST',
    path: 'edge/bans/',
    summary: 'Report clients that the node has banned, for all nodes',
    auth: 'machine',
    rate: 'none',
    body: z.strictObject({ bans: z.array(edgeBan).max(500) }),
    bodyBytesMax: 512 * 1024,
    ok: done,
  },
  postEdgeTestResults: {
    method: 'POST',
    path: 'edge/test-results/',
    summary: 'What became of a test attack that the stream has asked for',
    auth: 'machine',
    rate: 'none',
    body: z.strictObject({ id: z.uuid(), results: z.array(edgeTestResult).max(TEST_ATTACKS_MAX) }),
    bodyBytesMax: 256 * 1024,
    ok: done,
  },
  postEdgePrefetchResults: {
    method: 'POST',
    path: 'edge/prefetch-results/',
    summary: 'How far the node is with prefetches that the stream has asked for',
    auth: 'machine',
    rate: 'none',
    body: z.strictObject({ results: z.array(edgePrefetchReport).max(100) }),
    bodyBytesMax: 1024 * 1024,
    ok: done,
  },
  postEdgeLookResults: {
    method: 'POST',
    path: 'edge/look-results/',
    summary: 'What the node has stored of a URL that the stream has asked for',
    auth: 'machine',
    rate: 'none',
    body: z.strictObject({ id: z.uuid(), result: edgeLookResult }),
    bodyBytesMax: 256 * 1024,
    ok: done,
  },
  postEdgeClearReceipts: {
    method: 'POST',
    path: 'edge/clear-receipts/',
    summary: 'Clears of caches that hold on the node',
    auth: 'machine',
    rate: 'none',
    bodyBytesMax: 256 * 1024,
    body: z.strictObject({
      receipts: z
        .array(
          z.strictObject({
            clear_id: z.uuid(),
            milliseconds: z
              .number()
              .min(0)
              .describe("Since the call came: `age_ms` of the event, and from its arrival to nginx's answer."),
          }),
        )
        .max(1000),
    }),
    ok: done,
  },
  postEdgeReceipts: {
    method: 'POST',
    path: 'edge/receipts/',
    summary: 'Versions that became live on the node, with their probes',
    auth: 'machine',
    rate: 'none',
    bodyBytesMax: 512 * 1024,
    body: z.strictObject({
      receipts: z
        .array(
          z.strictObject({
            route_id: z.uuid(),
            revision: z.number().int(),
            version: z.number().int().nullable().describe('Null: the route left the node.'),
            applied_ms: z.number().describe("From the event's arrival to the configuration in nginx."),
            probe: z
              .strictObject({
                ok: z.boolean(),
                status: z.number().int(),
                version: z.number().int().nullable(),
                error: text(200).optional(),
              })
              .nullable(),
            refusal: text(200)
              .optional()
              .describe('Why the node cannot load the revision; it serves `version` on, where it had one.'),
          }),
        )
        .max(1000),
    }),
    ok: done,
  },
  postEdgeLogs: {
    method: 'POST',
    path: 'edge/logs/',
    summary: 'A batch of access log rows, stored exactly once',
    auth: 'machine',
    rate: 'none',
    query: z.strictObject({
      batch: text(200)
        .min(1)
        .regex(/^[A-Za-z0-9._-]+$/),
    }),
    consumes: 'application/x-ndjson',
    ok: z.object({ success: z.literal(true), rows: z.number().int() }),
  },
  postEdgeHeartbeat: {
    method: 'POST',
    path: 'edge/heartbeat/',
    summary: 'State of the node',
    auth: 'machine',
    rate: 'none',
    bodyBytesMax: 512 * 1024,
    body: z.strictObject({
      agent_version: text(64),
      cursor: text(64),
      nginx: z.enum(['running', 'starting', 'down']),
      routes: z.number().int(),
      targets_down: z.array(z.strictObject({ route_id: z.uuid(), target: text(300), since: z.number() })).max(1000),
      log_backlog_bytes: z.number().int(),
      log_rows_dropped: z.number().int(),
      https_port: z.number().int().min(1).max(65535).optional(),
    }),
    ok: done,
  },
});
