import type { EdgeFeedEntry } from '@cordon/contract/edge-config';
import { type KnownEntry, OwnBans } from './own-bans.ts';

/** A feed of one scope. */
export interface FeedScope {
  readonly feed: string;
  readonly scope: string;
}

export const feedScopeKey = ({ feed, scope }: FeedScope) => `${feed} ${scope}`;
/** A list has thousands of entries of one scope in a row, for which it is looked up once. */
export const isOfScope = (of: FeedScope | undefined, { feed, scope }: FeedScope): boolean =>
  of !== undefined && of.scope === scope && of.feed === feed;
const nowSeconds = () => Date.now() / 1000;

/** How many entries have each prefix length. */
class PrefixLengths {
  readonly #counts = { 4: new Map<number, number>(), 6: new Map<number, number>() };
  #text: string | undefined;

  /** The control plane has checked the network: reading its text is enough. */
  count(network: string, change: 1 | -1): void {
    const family = network.includes(':') ? 6 : 4;
    const slash = network.indexOf('/');
    const prefix = slash >= 0 ? Number(network.slice(slash + 1)) : family === 4 ? 32 : 128;
    const counts = this.#counts[family];
    const count = (counts.get(prefix) ?? 0) + change;
    if (count > 0) counts.set(prefix, count);
    else counts.delete(prefix);
    if (count <= 1) this.#text = undefined;
  }

  /** Narrowest first, as `32,24;64`. */
  get text(): string {
    const listed = (family: 4 | 6) => [...this.#counts[family].keys()].sort((left, right) => right - left).join(',');
    this.#text ??= `${listed(4)};${listed(6)}`;
    return this.#text;
  }
}

interface KnownScope extends FeedScope {
  readonly entries: Map<string, number | null>;
  readonly lengths: PrefixLengths;
}

/**
 * Entries of feeds that the control plane has sent: of scopes that the node serves, and of those that it is about to
 * serve, whose entries come before their routes. Beside them, the node's own bans, until the control plane sends an
 * entry of the same network. Entries that have ended are forgotten when they are met.
 */
export class FeedState {
  /** Where the control plane's stream goes on. */
  cursor = '';
  readonly own = new OwnBans();
  readonly #scopes = new Map<string, KnownScope>();
  /** The one that was looked up last. */
  #last: KnownScope | undefined;

  get size(): number {
    let size = 0;
    for (const { entries } of this.#scopes.values()) size += entries.size;
    return size;
  }

  apply(entry: KnownEntry): void {
    const { feed, scope, network, until, account_id } = entry;
    const known = isOfScope(this.#last, entry) ? this.#last : this.#scopes.get(feedScopeKey(entry));
    if (until !== null && until <= nowSeconds()) {
      if (known) this.#remove(known, network);
      return;
    }
    if (account_id === undefined) this.own.delete(entry);
    else this.own.add({ ...entry, account_id });
    const added = known ?? { feed, scope, entries: new Map<string, number | null>(), lengths: new PrefixLengths() };
    if (!known) this.#scopes.set(feedScopeKey(entry), added);
    this.#last = added;
    const { entries, lengths } = added;
    const before = entries.size;
    entries.set(network, until);
    if (entries.size > before) lengths.count(network, 1);
  }

  #remove({ feed, scope, entries, lengths }: KnownScope, network: string): void {
    if (!entries.delete(network)) return;
    this.own.delete({ feed, scope, network, until: 0 });
    lengths.count(network, -1);
    if (entries.size > 0) return;
    this.#scopes.delete(feedScopeKey({ feed, scope }));
    this.#last = undefined;
  }

  /** Of bans that this node gives, those that are new or last longer; for the others, what holds in their place. */
  weigh(given: readonly KnownEntry[]): { taken: KnownEntry[]; held: EdgeFeedEntry[] } {
    const taken: KnownEntry[] = [];
    const held: EdgeFeedEntry[] = [];
    for (const entry of given) {
      const until = this.#scopes.get(feedScopeKey(entry))?.entries.get(entry.network);
      if (until === null || (until !== undefined && entry.until !== null && until >= entry.until))
        held.push({ ...entry, until });
      else taken.push(entry);
    }
    return { taken, held };
  }

  /** Replaces everything but the node's own bans; answers the entries that are gone, as ended ones. */
  replace(entries: Iterable<KnownEntry>): EdgeFeedEntry[] {
    const former = [...this.#scopes.values()];
    const own = this.own.takeAll();
    this.#scopes.clear();
    this.#last = undefined;
    for (const entry of entries) this.apply(entry);
    for (const ban of own) if (!this.#scopes.get(feedScopeKey(ban))?.entries.has(ban.network)) this.apply(ban);
    const gone: EdgeFeedEntry[] = [];
    for (const { feed, scope, entries: formerEntries } of former) {
      const known = this.#scopes.get(feedScopeKey({ feed, scope }))?.entries;
      for (const network of formerEntries.keys())
        if (!known?.has(network)) gone.push({ feed, scope, network, until: 0 });
    }
    return gone;
  }

  *entries(): Generator<KnownEntry> {
    for (const known of this.#scopes.values()) yield* this.#entriesOf(known);
  }

  /** Routes and accounts with entries. */
  scopes(): Set<string> {
    return new Set([...this.#scopes.values()].map(({ scope }) => scope));
  }

  /** Entries of all feeds of these routes and accounts. */
  *entriesOfScopes(scopes: ReadonlySet<string>): Generator<KnownEntry> {
    for (const known of this.#scopes.values()) if (scopes.has(known.scope)) yield* this.#entriesOf(known);
  }

  *#entriesOf({ feed, scope, entries }: KnownScope): Generator<KnownEntry> {
    const now = nowSeconds();
    for (const [network, until] of entries) {
      if (until !== null && until <= now) continue;
      const entry = { feed, scope, network, until };
      yield this.own.find(entry) ?? entry;
    }
  }

  /** Forgets what has ended. Answers entries of feeds that are empty now, as ended. */
  forgetEnded(): EdgeFeedEntry[] {
    const now = nowSeconds();
    const emptied: EdgeFeedEntry[] = [];
    for (const known of this.#scopes.values()) {
      let last = '';
      for (const [network, until] of known.entries) {
        if (until === null || until > now) continue;
        this.#remove(known, network);
        last = network;
      }
      // One ended entry is enough for nginx to see that the scope has none.
      if (known.entries.size === 0) emptied.push({ feed: known.feed, scope: known.scope, network: last, until: 0 });
    }
    return emptied;
  }

  /** Which prefix lengths occur, narrowest first, as `32,24;64`; undefined: there is no entry. */
  prefixesOf(scope: FeedScope): string | undefined {
    return this.#scopes.get(feedScopeKey(scope))?.lengths.text;
  }
}
