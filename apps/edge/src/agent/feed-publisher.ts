import { setTimeout as delay } from 'node:timers/promises';
import type { EdgeFeedEntry } from '@cordon/contract/edge-config';
import type { RunnerFeedEntries, RunnerFeedPrefixes, RunnerFeedsCursor } from '../runner/payload.ts';
import { type AdminClient, isNotListening } from './admin-client.ts';
import { type FeedScope, type FeedState, feedScopeKey, isOfScope } from './feed-state.ts';
import { log } from './log.ts';

/** Entries of one call: it blocks its nginx worker meanwhile. */
const ENTRIES_AT_ONCE = 1000;
/** Entries of an account in its turn, so that others do not wait for all of it. */
const ENTRIES_OF_TURN = 100;
const RETRY_FIRST_MS = 10;
const RETRY_LAST_MS = 1000;

/** Those of a scope that end at the same time are one line: of a list of thousands, nginx reads little more than the addresses. */
function toLines(entries: readonly EdgeFeedEntry[]): RunnerFeedEntries[] {
  const lists = new Map<string, EdgeFeedEntry & { networks: string[] }>();
  let last: (EdgeFeedEntry & { networks: string[] }) | undefined;
  for (const entry of entries) {
    if (!isOfScope(last, entry) || last?.until !== entry.until) {
      const key = `${feedScopeKey(entry)} ${entry.until}`;
      last = lists.get(key) ?? { ...entry, networks: [] };
      lists.set(key, last);
    }
    last?.networks.push(entry.network);
  }
  return [...lists.values()].map(({ feed, scope, networks, until }) => ({
    feed,
    scope,
    networks,
    ...(until === null ? {} : { until }),
  }));
}

/** Entries of a scope that are not yet sent to nginx: ends by network, the newest of each. */
interface Queue extends FeedScope {
  readonly ends: Map<string, number | null>;
  /** Goes on where the last turn ended, as what it has met is taken out. Looking from the start passes over all of that again. */
  readonly next: MapIterator<[string, number | null]>;
}

/** Until the batch has so many entries, or there are no more. */
function takeEntries({ feed, scope, ends, next }: Queue, batch: EdgeFeedEntry[], size: number): void {
  while (batch.length < size) {
    const { value, done } = next.next();
    if (done) return;
    const [network, until] = value;
    ends.delete(network);
    batch.push({ feed, scope, network, until });
  }
}

/** Keeps the feeds that nginx knows equal to the agent's state, of the scopes that the node serves. */
export class FeedPublisher {
  readonly #state: FeedState;
  readonly #admin: Pick<AdminClient, 'postFeeds'>;
  readonly #accountOf: (scope: string) => string | undefined;
  readonly #queues = new Map<string, Queue>();
  /** The queues of each account, in the order of their turns. */
  readonly #queuesByAccount = new Map<string, Queue[]>();
  #turns = this.#queuesByAccount.entries();
  /** Accounts whose number of bans of this node is not yet sent to nginx. */
  #unsentCounts = new Set<string>();
  /** The cursor of the feeds that nginx was sent last; empty: it has to be sent again. */
  #sentCursor = '';
  #running: Promise<void> | undefined;
  #isStopped = false;
  /** Since everything was published last. */
  #hasFailed = false;
  /** Entries that found no place in nginx's memory since the start. */
  failed = 0;

  /** @param accountOf The account of a scope that the node serves: a route's, or the account itself. */
  constructor(
    state: FeedState,
    admin: Pick<AdminClient, 'postFeeds'>,
    accountOf: (scope: string) => string | undefined,
  ) {
    this.#state = state;
    this.#admin = admin;
    this.#accountOf = accountOf;
  }

  #isServed(scope: string): boolean {
    return this.#accountOf(scope) !== undefined;
  }

  publish(entries: Iterable<EdgeFeedEntry>): void {
    let last: FeedScope | undefined;
    let isServed = false;
    let queue: Queue | undefined;
    for (const entry of entries) {
      const { network, until } = entry;
      if (!isOfScope(last, entry)) {
        last = entry;
        isServed = this.#isServed(entry.scope);
        queue = undefined;
      }
      // What ends goes to nginx in any case: it may have the entry from an earlier agent.
      if ((until === null || until > Date.now() / 1000) && !isServed) continue;
      queue ??= this.#queueOf(entry);
      queue.ends.set(network, until);
    }
    this.#run();
  }

  /** An empty one where nothing of the scope waits: the caller adds to it. */
  #queueOf({ feed, scope }: FeedScope): Queue {
    const key = feedScopeKey({ feed, scope });
    const queue = this.#queues.get(key);
    if (queue) return queue;
    const ends = new Map<string, number | null>();
    const account = this.#accountOf(scope) ?? scope;
    const added = { feed, scope, ends, next: ends.entries() };
    this.#queues.set(key, added);
    const queues = this.#queuesByAccount.get(account);
    if (queues) queues.push(added);
    else this.#queuesByAccount.set(account, [added]);
    return added;
  }

  /** Everything again: nginx was started anew. */
  publishAll(): void {
    this.#hasFailed = false;
    this.#sentCursor = '';
    this.publish(this.#state.entries());
    this.publishOwnCounts();
  }

  /** Sends how many bans of this node each account has: nginx forgets a count that is not sent again. */
  publishOwnCounts(): void {
    for (const account of this.#state.own.accounts()) this.#unsentCounts.add(account);
    this.#run();
  }

  /** What found no place may find one now. */
  publishFailed(): void {
    if (this.#hasFailed) this.publishAll();
  }

  /** The entries of scopes that the node did not serve before. Answers whether there are any. */
  publishScopes(scopes: ReadonlySet<string>): boolean {
    if (scopes.size === 0) return false;
    const entries = [...this.#state.entriesOfScopes(scopes)];
    this.publish(entries);
    return entries.length > 0;
  }

  /** Resolves once nginx knows all that it has been given so far. */
  async settle(): Promise<void> {
    while (this.#running && !this.#isStopped) await this.#running;
  }

  stop(): void {
    this.#isStopped = true;
  }

  #run(): void {
    for (const account of this.#state.own.takeChanged()) this.#unsentCounts.add(account);
    if (!this.#hasMore) return;
    this.#running ??= this.#drain().finally(() => {
      this.#running = undefined;
      // What came after the last look at what is left.
      if (!this.#isStopped) this.#run();
    });
  }

  get #hasMore(): boolean {
    return this.#queues.size > 0 || this.#unsentCounts.size > 0 || this.#sentCursor !== this.#state.cursor;
  }

  async #drain(): Promise<void> {
    let waitMs = RETRY_FIRST_MS;
    while (this.#hasMore && !this.#isStopped) {
      const batch = this.#takeBatch();
      const accounts = this.#unsentCounts;
      this.#unsentCounts = new Set();
      const counts = [...accounts].map((account) => ({ account, own_bans: this.#state.own.countOf(account) }));
      const lines = [...counts, ...this.#linesOf(batch), ...this.#takeCursor()];
      try {
        const { failed, error } = await this.#admin.postFeeds(lines);
        if (failed > 0) {
          log.error('nginx cannot keep addresses of a feed', { failed, reason: error });
          this.#hasFailed = true;
        }
        this.failed += failed;
        waitMs = RETRY_FIRST_MS;
      } catch (error) {
        this.#putBack(batch);
        this.#sentCursor = '';
        for (const account of accounts) this.#unsentCounts.add(account);
        if (waitMs >= RETRY_LAST_MS && !isNotListening(error)) log.warn('nginx does not take the feeds', { error });
        await delay(waitMs);
        waitMs = Math.min(waitMs * 2, RETRY_LAST_MS);
      }
    }
  }

  /** Behind the last entry only: bans go by it, and what has been lifted until then must have been heard. */
  #takeCursor(): RunnerFeedsCursor[] {
    const { cursor } = this.#state;
    if (this.#queues.size > 0 || cursor === this.#sentCursor) return [];
    this.#sentCursor = cursor;
    return [{ cursor }];
  }

  #takeBatch(): EdgeFeedEntry[] {
    const batch: EdgeFeedEntry[] = [];
    while (batch.length < ENTRIES_AT_ONCE) {
      const turn = this.#nextTurn();
      if (!turn) break;
      const [account, queues] = turn;
      this.#takeTurn(queues, batch);
      this.#queuesByAccount.delete(account);
      if (queues.length > 0) this.#queuesByAccount.set(account, queues);
    }
    return batch;
  }

  #nextTurn(): [string, Queue[]] | undefined {
    const turn = this.#turns.next();
    if (!turn.done) return turn.value;
    this.#turns = this.#queuesByAccount.entries();
    return this.#turns.next().value;
  }

  #takeTurn(queues: Queue[], batch: EdgeFeedEntry[]): void {
    const size = Math.min(batch.length + ENTRIES_OF_TURN, ENTRIES_AT_ONCE);
    while (batch.length < size) {
      const queue = queues.shift();
      if (!queue) return;
      takeEntries(queue, batch, size);
      if (queue.ends.size > 0) queues.push(queue);
      else this.#queues.delete(feedScopeKey(queue));
    }
  }

  #putBack(batch: readonly EdgeFeedEntry[]): void {
    for (const { network, until, ...scope } of batch) {
      // What came meanwhile is newer.
      if (!this.#queues.get(feedScopeKey(scope))?.ends.has(network)) this.#queueOf(scope).ends.set(network, until);
    }
  }

  /** The prefix lengths that make entries findable come before them, and those that are gone do no harm until then. */
  #linesOf(entries: readonly EdgeFeedEntry[]): (RunnerFeedEntries | RunnerFeedPrefixes)[] {
    const scopes = new Map<string, FeedScope>();
    let last: FeedScope | undefined;
    for (const { feed, scope } of entries) {
      if (isOfScope(last, { feed, scope })) continue;
      last = { feed, scope };
      scopes.set(feedScopeKey(last), last);
    }
    const prefixes = [...scopes.values()].map((scope): RunnerFeedPrefixes => {
      const lengths = this.#isServed(scope.scope) ? this.#state.prefixesOf(scope) : undefined;
      return lengths === undefined ? scope : { ...scope, prefixes: lengths };
    });
    return [...prefixes, ...toLines(entries)];
  }
}
