import { setTimeout as delay } from 'node:timers/promises';
import type { EdgeFeedEntry } from '@cordon/contract/edge-config';
import type { RunnerFeedEntry, RunnerFeedPrefixes } from '../runner/payload.ts';
import type { AdminClient } from './admin-client.ts';
import type { FeedScope, FeedState } from './feed-state.ts';
import { log } from './log.ts';

/** Lines of one call: it blocks its nginx worker meanwhile. */
const LINES_AT_ONCE = 1000;
const RETRY_FIRST_MS = 10;
const RETRY_LAST_MS = 1000;

const toLine = ({ feed, scope, network, until }: EdgeFeedEntry): RunnerFeedEntry => ({
  feed,
  scope,
  network,
  ...(until === null ? {} : { until }),
});

/** Keeps the feeds that nginx knows equal to the agent's state. */
export class FeedPublisher {
  readonly #state: FeedState;
  readonly #admin: Pick<AdminClient, 'postFeeds'>;
  /** The newest of each entry, in the order in which they came. */
  #waiting = new Map<string, EdgeFeedEntry>();
  #running: Promise<void> | undefined;
  #isStopped = false;
  /** Lines that found no place in nginx's memory since the start. */
  failed = 0;

  constructor(state: FeedState, admin: Pick<AdminClient, 'postFeeds'>) {
    this.#state = state;
    this.#admin = admin;
  }

  publish(entries: Iterable<EdgeFeedEntry>): void {
    for (const entry of entries) {
      const key = `${entry.feed} ${entry.scope} ${entry.network}`;
      this.#waiting.delete(key);
      this.#waiting.set(key, entry);
    }
    this.#run();
  }

  /** Everything again: nginx was started anew. */
  publishAll(): void {
    this.publish(this.#state.entries());
  }

  /** Resolves once nginx knows all that it has been given so far. */
  async settle(): Promise<void> {
    while (this.#running && !this.#isStopped) await this.#running;
  }

  stop(): void {
    this.#isStopped = true;
  }

  #run(): void {
    if (this.#waiting.size === 0) return;
    this.#running ??= this.#drain().finally(() => {
      this.#running = undefined;
    });
  }

  async #drain(): Promise<void> {
    let waitMs = RETRY_FIRST_MS;
    while (this.#waiting.size > 0 && !this.#isStopped) {
      const batch = [...this.#waiting].slice(0, LINES_AT_ONCE);
      try {
        const { failed, error } = await this.#admin.postFeeds(this.#linesOf(batch.map(([, entry]) => entry)));
        // What came meanwhile is newer.
        for (const [key, entry] of batch) if (this.#waiting.get(key) === entry) this.#waiting.delete(key);
        if (failed > 0) log.error('nginx cannot keep addresses of a feed', { failed, reason: error });
        this.failed += failed;
        waitMs = RETRY_FIRST_MS;
      } catch (error) {
        if (waitMs >= RETRY_LAST_MS) log.warn('nginx does not take the feeds', { error });
        await delay(waitMs);
        waitMs = Math.min(waitMs * 2, RETRY_LAST_MS);
      }
    }
  }

  /** The prefix lengths that make entries findable come before them, and those that are gone do no harm until then. */
  #linesOf(entries: readonly EdgeFeedEntry[]): (RunnerFeedEntry | RunnerFeedPrefixes)[] {
    const scopes = new Map<string, FeedScope>();
    for (const { feed, scope } of entries) scopes.set(`${feed} ${scope}`, { feed, scope });
    const prefixes = [...scopes.values()].map((scope): RunnerFeedPrefixes => {
      const lengths = this.#state.prefixesOf(scope);
      return lengths === undefined ? scope : { ...scope, prefixes: lengths };
    });
    return [...prefixes, ...entries.map(toLine)];
  }
}
