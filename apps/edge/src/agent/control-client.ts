import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import type { EdgeFeedEntry, EdgeLook, EdgeSettings, EdgeTest } from '@cordon/contract/edge-config';
import type { EventSourceMessage } from 'eventsource-parser';
import { Agent, fetch, type RequestInit, type Response } from 'undici';
import { boundedText } from './bounded-text.ts';
import { EVENT_CHARACTERS_MAX, EventStreamReader } from './event-stream.ts';
import { log } from './log.ts';
import {
  isCursor,
  type ReceivedChange,
  type ReceivedClears,
  type ReceivedPrefetch,
  readChanges,
  readClears,
  readEntries,
  readFeeds,
  readLook,
  readPrefetch,
  readRoutes,
  readSettings,
  readSnapshotHead,
  readTest,
} from './received.ts';
import { SystemNames } from './system-names.ts';
import { textLines } from './text-lines.ts';

/** What the control plane says, in the order in which it says it. */
export interface ControlListener {
  /** Where the stream is to go on; undefined when a snapshot is needed. */
  position(): { epoch: string; cursor: string; feeds: string; clears: string } | undefined;
  onSnapshot(epoch: string, cursor: string, routes: ReceivedChange[], feeds: EdgeFeedEntry[]): void;
  onChanges(cursor: string | undefined, changes: ReceivedChange[]): void;
  /** @param cursor Undefined: more entries follow before the stream could go on behind them. */
  onFeeds(cursor: string | undefined, entries: EdgeFeedEntry[]): void;
  /** What is stored is to be cleared. */
  onClears(clears: ReceivedClears): void;
  onSettings(settings: EdgeSettings): void;
  /** All that the control plane knew to be cleared has come before this. */
  onAlive(): void;
  /** The requests of a test attack are to be sent and reported on. */
  onTest(test: EdgeTest): void;
  /** URLs are to be fetched into the cache, or no more. */
  onPrefetch(prefetch: ReceivedPrefetch): void;
  /** What is stored of a URL is to be reported. */
  onLook(look: EdgeLook): void;
  /** The position counts no more: the stream cannot go on from it, and what is missing comes with a snapshot only. */
  onResync(): void;
}

/** The stream carries a comment every 5 s, and a snapshot comes without a pause: after this long without a byte they are dead. */
const SILENCE_MS = 15_000;
const RETRY_FIRST_MS = 100;
const RETRY_LAST_MS = 5000;
const CALL_MS = 30_000;
/** Several times as long as a refusal that names a fault in each of 1,000 receipts. */
const ANSWER_BYTES_MAX = 1024 * 1024;
/** Entries of feeds that are handled in a turn, about as long as nginx takes for as many: it goes on with them meanwhile. */
const ENTRIES_OF_TURN = 1000;

type SnapshotLine =
  | { readonly epoch: unknown }
  | { readonly end: true; readonly count: number }
  | { readonly feed: unknown }
  | { readonly route_id: unknown };

/** Whether the control plane did what it was asked, as its answers say; undefined: something else has answered in its place. */
function successOf(text: string): boolean | undefined {
  try {
    const { success } = JSON.parse(text) as { success?: unknown };
    return typeof success === 'boolean' ? success : undefined;
  } catch {
    return undefined;
  }
}

const strangeAnswer = (status: number, text: string) =>
  new Error(`something else than the control plane answered ${status}: ${text.slice(0, 300)}`);

/** The control plane refuses what it was asked. */
export class ControlError extends Error {
  readonly status: number;
  constructor(status: number, text: string) {
    super(`the control plane answered ${status}: ${text.slice(0, 300)}`);
    this.status = status;
  }
}

/** An event of the stream that could not be handled; the next stream may begin with the same one. */
class EventError extends Error {
  constructor(event: string | undefined, cause: unknown) {
    super(event === undefined ? 'the stream cannot be read' : `the event ${event} failed`, { cause });
  }
}

/** The node's side of the edge control protocol (apps/edge/README.md). */
export class ControlClient {
  readonly #base: string;
  readonly #credential: string;
  readonly #abort = new AbortController();
  readonly #connections: Agent;
  #isConnected = false;

  constructor(controlUrl: string, credential: string, silenceMs = SILENCE_MS) {
    this.#connections = new Agent({
      connect: { lookup: new SystemNames().lookup },
      headersTimeout: CALL_MS,
      bodyTimeout: silenceMs,
    });
    this.#base = `${controlUrl.replace(/\/+$/, '')}/api/v1/edge/`;
    this.#credential = credential;
  }

  get isConnected(): boolean {
    return this.#isConnected;
  }

  stop(): void {
    this.#abort.abort();
  }

  async #fetch(path: string, init: RequestInit & { headers?: Record<string, string> }): Promise<Response> {
    const response = await fetch(new URL(path, this.#base), {
      ...init,
      dispatcher: this.#connections,
      redirect: 'error',
      headers: { ...init.headers, authorization: `Bearer ${this.#credential}` },
    });
    if (response.status === 200) return response;
    const text = await boundedText(response.body, ANSWER_BYTES_MAX);
    throw successOf(text) === false ? new ControlError(response.status, text) : strangeAnswer(response.status, text);
  }

  /**
   * POST of JSON or NDJSON; resolves when the control plane itself has answered that it is done. Throws a ControlError where it
   * refuses it, and another error for whatever may answer in its place (a load balancer, a captive portal).
   */
  async post(path: string, body: string | Uint8Array<ArrayBuffer>, contentType = 'application/json'): Promise<void> {
    const response = await this.#fetch(path, {
      method: 'POST',
      body,
      headers: { 'content-type': contentType },
      signal: AbortSignal.timeout(CALL_MS),
    });
    const text = await boundedText(response.body, ANSWER_BYTES_MAX);
    if (successOf(text) !== true) throw strangeAnswer(response.status, text);
  }

  /** Follows the stream until `stop`, taking snapshots as needed. */
  async run(listener: ControlListener): Promise<void> {
    let waitMs = RETRY_FIRST_MS;
    while (!this.#abort.signal.aborted) {
      let isOpen = false;
      try {
        if (listener.position() === undefined) await this.#takeSnapshot(listener);
        const isResync = await this.#follow(listener, () => {
          isOpen = true;
        });
        if (isResync) {
          listener.onResync();
          await this.#takeSnapshot(listener);
        }
        if (isOpen) waitMs = RETRY_FIRST_MS;
      } catch (error) {
        if (this.#abort.signal.aborted) break;
        if (isOpen && !(error instanceof EventError)) waitMs = RETRY_FIRST_MS;
        // It cannot read the position, and would never.
        if (error instanceof ControlError && error.status === 422) listener.onResync();
        log.warn('no connection to the control plane', { reason: describe(error), retry_ms: waitMs });
      }
      this.#isConnected = false;
      // Spread out, so that a restarted control plane does not get all nodes at once.
      await delay(waitMs * (0.5 + Math.random()), undefined, { signal: this.#abort.signal }).catch(() => {});
      waitMs = Math.min(waitMs * 2, RETRY_LAST_MS);
    }
    this.#isConnected = false;
  }

  async #takeSnapshot(listener: ControlListener): Promise<void> {
    const response = await this.#fetch('snapshot/', { signal: this.#abort.signal });
    let head: { cursor: string; epoch: string } | undefined;
    let end: { count: number } | undefined;
    const routes: ReceivedChange[] = [];
    const entries: unknown[] = [];
    let changes = 0;
    for await (const line of textLines(response.body ?? [], EVENT_CHARACTERS_MAX)) {
      if (line === '') continue;
      const value = JSON.parse(line) as SnapshotLine | null;
      if (value instanceof Object && 'end' in value) {
        end = value;
      } else if (value instanceof Object && 'epoch' in value) {
        head = readSnapshotHead(value);
      } else if (value instanceof Object && 'feed' in value) {
        entries.push(value);
      } else {
        changes++;
        routes.push(...readChanges([value]));
      }
    }
    if (!head || end?.count !== changes + entries.length)
      throw new Error(`the snapshot is cut off after ${changes} routes and ${entries.length} entries of feeds`);
    listener.onSnapshot(head.epoch, head.cursor, routes, readEntries(entries));
  }

  async #handFeeds(listener: ControlListener, cursor: string, entries: EdgeFeedEntry[]): Promise<void> {
    let at = 0;
    for (; at + ENTRIES_OF_TURN < entries.length; at += ENTRIES_OF_TURN) {
      listener.onFeeds(undefined, entries.slice(at, at + ENTRIES_OF_TURN));
      await nextTurn();
      if (this.#abort.signal.aborted) return;
    }
    listener.onFeeds(cursor, entries.slice(at));
    // The next event may be here already, and would be read without a turn for anything else.
    await nextTurn();
  }

  async #handle(listener: ControlListener, { event, id, data }: EventSourceMessage): Promise<void> {
    if (event === 'settings') {
      const settings = readSettings(data);
      if (settings) listener.onSettings(settings);
    } else if (event === 'alive') {
      listener.onAlive();
    } else if (event === 'clears') {
      const clears = readClears(data);
      if (clears) listener.onClears(clears);
    } else if (event === 'test') {
      const test = readTest(data);
      if (test) listener.onTest(test);
    } else if (event === 'prefetch') {
      const prefetch = readPrefetch(data);
      if (prefetch) listener.onPrefetch(prefetch);
    } else if (event === 'look') {
      const look = readLook(data);
      if (look) listener.onLook(look);
    } else if (event === 'feeds') {
      const feeds = readFeeds(data);
      if (feeds) await this.#handFeeds(listener, feeds.cursor, feeds.entries);
    } else if (event === 'routes') {
      const changes = readRoutes(data);
      if (changes) listener.onChanges(isCursor(id) ? id : undefined, changes);
    }
  }

  /** Resolves with true when the control plane asks for a new snapshot, false when the stream ends. */
  async #follow(listener: ControlListener, onOpen: () => void): Promise<boolean> {
    const position = listener.position();
    if (!position) return true;
    const query = new URLSearchParams({ epoch: position.epoch, feeds: position.feeds, clears: position.clears });
    const response = await this.#fetch(`stream/?${query}`, {
      headers: { accept: 'text/event-stream', 'last-event-id': position.cursor },
      signal: this.#abort.signal,
    });
    const type = response.headers.get('content-type') ?? '';
    if (!type.startsWith('text/event-stream')) {
      await response.body?.cancel();
      throw strangeAnswer(response.status, type);
    }
    this.#isConnected = true;
    const reader = new EventStreamReader();
    for await (const piece of response.body ?? []) {
      onOpen();
      let event: string | undefined;
      try {
        for (const message of reader.read(piece)) {
          if (message.event === 'resync') return true;
          event = message.event;
          await this.#handle(listener, message);
          if (this.#abort.signal.aborted) return false;
        }
      } catch (error) {
        throw new EventError(event, error);
      }
    }
    return false;
  }
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}
