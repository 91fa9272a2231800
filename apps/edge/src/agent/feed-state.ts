import { parseRange } from '@cordon/contract/address';
import type { EdgeFeedEntry } from '@cordon/contract/edge-config';

/** A feed of one scope. */
export interface FeedScope {
  readonly feed: string;
  readonly scope: string;
}

const keyOf = ({ feed, scope }: FeedScope) => `${feed} ${scope}`;
const nowSeconds = () => Date.now() / 1000;

/** What the control plane has told this node of feeds. Entries that have ended are forgotten when they are met. */
export class FeedState {
  /** Where the control plane's stream goes on. */
  cursor = '';
  readonly #scopes = new Map<string, FeedScope & { readonly entries: Map<string, number | null> }>();

  get size(): number {
    let size = 0;
    for (const { entries } of this.#scopes.values()) size += entries.size;
    return size;
  }

  apply({ feed, scope, network, until }: EdgeFeedEntry): void {
    const key = keyOf({ feed, scope });
    const known = this.#scopes.get(key);
    if (until !== null && until <= nowSeconds()) {
      known?.entries.delete(network);
      if (known?.entries.size === 0) this.#scopes.delete(key);
      return;
    }
    if (known) known.entries.set(network, until);
    else this.#scopes.set(key, { feed, scope, entries: new Map([[network, until]]) });
  }

  /** Replaces everything; answers the entries that are gone, as ended ones. */
  replace(entries: Iterable<EdgeFeedEntry>): EdgeFeedEntry[] {
    const former = [...this.entries()];
    this.#scopes.clear();
    for (const entry of entries) this.apply(entry);
    return former
      .filter(({ network, ...scope }) => !this.#scopes.get(keyOf(scope))?.entries.has(network))
      .map((entry) => ({ ...entry, until: 0 }));
  }

  *entries(): Generator<EdgeFeedEntry> {
    const now = nowSeconds();
    for (const { feed, scope, entries } of this.#scopes.values()) {
      for (const [network, until] of entries) if (until === null || until > now) yield { feed, scope, network, until };
    }
  }

  /** Forgets what has ended, and the feeds of routes that are gone. Answers entries of feeds that are empty now, as ended. */
  forgetEnded(isKnown: (scope: string) => boolean): EdgeFeedEntry[] {
    const now = nowSeconds();
    const emptied: EdgeFeedEntry[] = [];
    for (const [key, { feed, scope, entries }] of this.#scopes) {
      const isGone = !isKnown(scope);
      const ended = [...entries].filter(([, until]) => isGone || (until !== null && until <= now));
      for (const [network] of ended) entries.delete(network);
      if (entries.size > 0) continue;
      this.#scopes.delete(key);
      emptied.push(...ended.map(([network]) => ({ feed, scope, network, until: 0 })));
    }
    return emptied;
  }

  /** Which prefix lengths occur, narrowest first, as `32,24;64`; undefined: there is no entry. */
  prefixesOf(scope: FeedScope): string | undefined {
    const entries = this.#scopes.get(keyOf(scope))?.entries;
    if (!entries) return undefined;
    const lengths = { 4: new Set<number>(), 6: new Set<number>() };
    for (const network of entries.keys()) {
      const range = parseRange(network);
      if (range) lengths[range.family].add(range.prefix);
    }
    const listed = (family: 4 | 6) => [...lengths[family]].sort((left, right) => right - left).join(',');
    return `${listed(4)};${listed(6)}`;
  }
}
