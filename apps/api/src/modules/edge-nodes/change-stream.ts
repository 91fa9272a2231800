import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type pg from 'pg';
import type { Db } from '../../platform/database.ts';
import { readDeployment } from '../../platform/deployment.ts';
import type { NotificationHub } from '../../platform/stream.ts';
import type { ClearStream, OpenClears } from './clear-stream.ts';
import { createFeedStream } from './feed-stream.ts';
import { takeLooks } from './look-repository.ts';
import type { NodePrincipal } from './node-principal.ts';
import type { PrefetchParts } from './prefetch-parts.ts';
import { type ChangePosition, newestTransaction, readChanges } from './repository.ts';
import type { EdgeNodeService } from './service.ts';
import { takeTests } from './test-repository.ts';

const POLL_MS = 1_000;
const COMMENT_MS = 5_000;
/** Half of the time after which a node that hears nothing is no shield any more (`LEASE_MS` of apps/edge/src/agent/shield-lease.ts). */
const ALIVE_MS = 2_000;
/** How soon to look again while a committed change waits for an older transaction to end. */
const PENDING_MS = { first: 2, last: 50 };

export interface ChangeStreamParts {
  readonly db: Db;
  readonly pool: pg.Pool;
  readonly hub: NotificationHub;
  readonly nodes: EdgeNodeService;
  readonly openClears: OpenClears;
  readonly prefetches: PrefetchParts;
  /** Throws when the credential was revoked or its czones changed. */
  readonly recheck: () => Promise<NodePrincipal>;
}

/** A signal that is kept when nothing waits for it. */
function createBell() {
  let isRung = false;
  let wake: (() => void) | undefined;
  return {
    ring() {
      isRung = true;
      wake?.();
    },
    async wait(ms: number, signal: AbortSignal): Promise<void> {
      if (!isRung && !signal.aborted) {
        await new Promise<void>((resolve) => {
          // Nothing is left of it when it ends: a bell is rung many times within `ms`.
          const end = () => {
            clearTimeout(timer);
            signal.removeEventListener('abort', end);
            resolve();
          };
          const timer = setTimeout(end, ms);
          signal.addEventListener('abort', end);
          wake = end;
        });
      }
      wake = undefined;
      isRung = false;
    },
  };
}

/** Where a node's stream goes on. */
export interface Resume {
  readonly epoch: string | undefined;
  readonly cursor: string | undefined;
  /** Cursor of the feeds. */
  readonly feeds: string | undefined;
  /** Of what is cleared; an agent of before there were clears asks for none. */
  readonly clears: string | undefined;
}

/** Sends a node its changes, in the order in which they can no longer be overtaken, until either side ends. */
export async function streamChanges(
  parts: ChangeStreamParts,
  node: NodePrincipal,
  resume: Resume,
  res: ServerResponse,
  signal: AbortSignal,
): Promise<void> {
  const bell = createBell();
  let lastWriteAt = Date.now();
  const write = async (text: string) => {
    if (!res.write(text) && !signal.aborted) await once(res, 'drain', { signal }).catch(() => undefined);
    lastWriteAt = Date.now();
  };
  const resync = () => write('event: resync\ndata: {}\n\n');
  const subscriptions = [parts.hub.subscribe('edge_routes', () => bell.ring())];
  let clears: ClearStream | undefined;
  try {
    const epoch = await parts.nodes.epoch();
    let settings = JSON.stringify(await parts.nodes.getSettings(node));
    await write(`event: settings\ndata: ${settings}\n\n`);
    const start = await readCursors(parts.db, epoch, resume);
    if (start === undefined) return await resync();
    if (resume.clears !== undefined) clears = parts.openClears(node.czones, resume.clears, write);
    const feeds = createFeedStream(parts.pool, node.czones, start.feeds, write);
    subscriptions.push(
      parts.hub.subscribe('feed_entries', () => {
        feeds.noteChange();
        bell.ring();
      }),
    );
    let hasTests = false;
    subscriptions.push(
      parts.hub.subscribe('edge_tests', (nodeId) => {
        if (nodeId !== node.id && nodeId !== undefined) return;
        hasTests = true;
        bell.ring();
      }),
    );
    // What was begun or ended while the stream was broken is there already.
    let hasPrefetches = true;
    subscriptions.push(
      parts.hub.subscribe('prefetches', (nodeId) => {
        if (nodeId !== node.id && nodeId !== undefined) return;
        hasPrefetches = true;
        bell.ring();
      }),
    );
    let hasLooks = false;
    subscriptions.push(
      parts.hub.subscribe('edge_looks', (nodeId) => {
        if (nodeId !== node.id && nodeId !== undefined) return;
        hasLooks = true;
        bell.ring();
      }),
    );
    let position: ChangePosition = { cursor: start.cursor, revision: 0 };
    let lastCheckAt = Date.now();
    let lastAliveAt = 0;
    let pendingMs = PENDING_MS.first;
    while (!signal.aborted) {
      const read = await readChanges(parts.pool, node.czones, position);
      if (read.changes.length > 0) {
        if (!(await feeds.writeEntered(read.changes, position.cursor))) return await resync();
        await write(`event: routes\nid: ${read.next.cursor}\ndata: ${JSON.stringify({ changes: read.changes })}\n\n`);
      }
      position = read.next;
      if (read.isPartial) continue;
      // Asked for apart: a deploy must not wait for them, and mostly there are none.
      const readFeeds = await feeds.writeChanges();
      // The node took so long to read what was sent that it would miss what has been forgotten meanwhile.
      if (readFeeds.isForgotten) return await resync();
      if (readFeeds.isPartial) continue;
      if (hasTests) {
        hasTests = false;
        for (const test of await takeTests(parts.db, node.id))
          await write(`event: test\ndata: ${JSON.stringify(test)}\n\n`);
      }
      if (hasPrefetches) {
        // One after the other: what else there is goes between them.
        hasPrefetches = false;
        const events = await parts.prefetches.takeEvents(node.id);
        for (const event of events) await write(event);
        if (events.length > 0) {
          hasPrefetches = true;
          bell.ring();
        }
      }
      if (clears?.isCurrent && Date.now() - lastAliveAt >= ALIVE_MS) {
        lastAliveAt = Date.now();
        await write('event: alive\ndata: {}\n\n');
      }
      if (hasLooks) {
        hasLooks = false;
        for (const look of await takeLooks(parts.db, node.id))
          await write(`event: look\ndata: ${JSON.stringify(look)}\n\n`);
      }
      if (Date.now() - lastWriteAt >= COMMENT_MS) {
        // The cursor moves on while nothing changes, so that a long silence does not make a long catch-up.
        await write(`: ${position.cursor}\n\n`);
      }
      pendingMs = read.isPending ? Math.min(pendingMs * 1.5, PENDING_MS.last) : PENDING_MS.first;
      await bell.wait(read.isPending ? pendingMs : POLL_MS, signal);
      if (Date.now() - lastCheckAt >= POLL_MS) {
        lastCheckAt = Date.now();
        clears?.look();
        const current = await parts.recheck();
        if (current.czones.join() !== node.czones.join()) {
          // Routes of a czone that came are behind the cursor, those of one that went are sent no more.
          return await resync();
        }
        const fresh = JSON.stringify(await parts.nodes.getSettings(node));
        if (fresh !== settings) await write(`event: settings\ndata: ${fresh}\n\n`);
        settings = fresh;
      }
    }
  } finally {
    clears?.close();
    for (const unsubscribe of subscriptions) unsubscribe();
  }
}

const isCursor = (text: string | undefined): text is string => text !== undefined && /^\d{1,15}$/.test(text);

/** Undefined: the agent must take a snapshot first. */
async function readCursors(
  db: Db,
  epoch: string,
  resume: Resume,
): Promise<{ cursor: number; feeds: number } | undefined> {
  if (resume.epoch !== epoch || !isCursor(resume.cursor)) return undefined;
  const cursor = Number(resume.cursor);
  // An agent of before there were feeds asks for none: it passes the events over.
  const feeds = resume.feeds === undefined ? cursor : Number(isCursor(resume.feeds) ? resume.feeds : 0);
  const newest = await newestTransaction(db);
  const forgotten = Number((await readDeployment(db, 'feeds_forgotten'))?.toString() ?? 0);
  return cursor <= newest && feeds <= newest && feeds > forgotten ? { cursor, feeds } : undefined;
}
