import type { EdgeClear } from '@cordon/contract';
import type pg from 'pg';
import type { NotificationHub } from '../../platform/stream.ts';
import type { ClearStream, OpenClears } from '../edge-nodes/service.ts';
import {
  type ClearPosition,
  type ClearsRead,
  clearPositionAt,
  currentPosition,
  readClears,
} from './clear-repository.ts';

const POLL_MS = 1_000;
/** Events that a node has not read; one that is further behind reads them from the database again, at its own pace. */
const QUEUED_MAX = 100;

interface Queued {
  readonly text: string | undefined;
  /** What has been read once it is written. */
  readonly position: ClearPosition;
}

/** The event for a node of the czones; undefined: nothing of it is theirs. */
function eventOf({ clears, next, isForgotten }: ClearsRead, czones: readonly string[]): string | undefined {
  if (isForgotten) return `event: clears\ndata: {"cursor":"${next.cursor}","all":true}\n\n`;
  const own = czones.flatMap((czone) => clears[czone] ?? []);
  return own.length === 0
    ? undefined
    : `event: clears\ndata: ${JSON.stringify({ cursor: String(next.cursor), clears: own })}\n\n`;
}

/**
 * Hands a clear to the nodes of the czone that are connected here while it is still being stored: should that fail, too much was cleared,
 * which is harmless. They get it once more, with the cursor.
 */
export type HandEarly = (czone: string, clear: EdgeClear) => void;

/** Each stream by itself: what it has missed, then what is handed to it. */
class NodeClears {
  readonly czones: readonly string[];
  readonly #pool: pg.Pool;
  readonly #write: (text: string) => Promise<void>;
  readonly #queue: Queued[] = [];
  #position: ClearPosition;
  #isBehind = true;
  #isRunning = false;
  #isClosed = false;
  failure: unknown;

  get isCurrent(): boolean {
    return !this.#isBehind && !this.#isRunning && this.#queue.length === 0 && this.failure === undefined;
  }

  constructor(pool: pg.Pool, czones: readonly string[], cursor: string, write: (text: string) => Promise<void>) {
    this.#pool = pool;
    this.czones = czones;
    this.#write = write;
    this.#position = clearPositionAt(/^\d{1,15}$/.test(cursor) ? Number(cursor) : 0);
  }

  hand(text: string | undefined, position: ClearPosition): void {
    // It reads this, too, before it takes what is handed to it.
    if (this.#isBehind) return;
    if (this.#queue.length >= QUEUED_MAX) this.#isBehind = true;
    else this.#queue.push({ text, position });
    this.run();
  }

  /** Before it is stored, where nothing else is being written: it comes again with its place among all. */
  handEarly(text: string): void {
    if (this.#isBehind || this.#isRunning || this.#isClosed) return;
    this.#write(text).catch(() => undefined);
  }

  /** What comes next is to be read from where it is. */
  fallBehind(): void {
    this.#isBehind = true;
    this.run();
  }

  run(): void {
    if (this.#isRunning || this.#isClosed) return;
    this.#isRunning = true;
    void this.#work()
      .catch((error) => {
        this.failure ??= error;
      })
      .finally(() => {
        this.#isRunning = false;
      });
  }

  async #work(): Promise<void> {
    while (!this.#isClosed) {
      if (this.#isBehind) await this.#catchUp();
      const queued = this.#queue.shift();
      if (!queued) {
        if (this.#isBehind) continue;
        return;
      }
      if (queued.text !== undefined) await this.#write(queued.text);
      this.#position = queued.position;
    }
  }

  async #catchUp(): Promise<void> {
    this.#queue.length = 0;
    // From here on all that is committed later is handed to it.
    this.#isBehind = false;
    for (let isPartial = true; isPartial && !this.#isClosed && !this.#isBehind; ) {
      const read = await readClears(this.#pool, this.czones, this.#position);
      const text = eventOf(read, this.czones);
      if (text !== undefined) await this.#write(text);
      this.#position = read.next;
      isPartial = read.isPartial;
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#queue.length = 0;
  }
}

/**
 * The clears in the streams of nodes: read once for all of them as soon as they are committed, and written whatever else a stream is at.
 * No order binds them to routes and feeds.
 */
export function createClearStreams({ pool, hub }: { readonly pool: pg.Pool; readonly hub: NotificationHub }): {
  readonly open: OpenClears;
  readonly handEarly: HandEarly;
  close(): void;
} {
  const streams = new Set<NodeClears>();
  let position: ClearPosition | undefined;
  let isDue = false;
  let isReading = false;
  let readAt = 0;

  async function readNew(): Promise<void> {
    while (isDue && streams.size > 0) {
      isDue = false;
      readAt = Date.now();
      position ??= await currentPosition(pool);
      const read = await readClears(pool, null, position);
      position = read.next;
      isDue ||= read.isPartial;
      for (const stream of streams) stream.hand(eventOf(read, stream.czones), read.next);
    }
  }

  function run(): void {
    isDue = true;
    if (isReading) return;
    isReading = true;
    void readNew()
      .catch(() => {
        // Each finds out by itself what keeps it from the database.
        position = undefined;
        for (const stream of streams) stream.fallBehind();
      })
      .finally(() => {
        isReading = false;
      });
  }

  const unsubscribe = hub.subscribe('cache_clears', run);
  return {
    open(czones, cursor, write): ClearStream {
      const stream = new NodeClears(pool, czones, cursor, write);
      streams.add(stream);
      // Before it reads what it has missed, so that nothing lies between the two.
      const first = position === undefined ? currentPosition(pool) : Promise.resolve(position);
      first.then(
        (now) => {
          position ??= now;
          stream.run();
        },
        (error) => {
          stream.failure ??= error;
        },
      );
      return {
        look() {
          if (stream.failure !== undefined) throw stream.failure;
          if (Date.now() - readAt >= POLL_MS) run();
        },
        get isCurrent() {
          return stream.isCurrent;
        },
        close() {
          stream.close();
          streams.delete(stream);
          if (streams.size === 0) position = undefined;
        },
      };
    },
    handEarly(czone, clear) {
      const text = `event: clears\ndata: ${JSON.stringify({ clears: [clear] })}\n\n`;
      for (const stream of streams) if (stream.czones.includes(czone)) stream.handEarly(text);
    },
    close: unsubscribe,
  };
}
