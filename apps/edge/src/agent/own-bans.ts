import type { EdgeBan, EdgeFeedEntry } from '@cordon/contract/edge-config';

/** An entry of a feed as a node keeps it. */
export interface KnownEntry extends EdgeFeedEntry {
  /** Account of the route. Only bans of this node have it, until they are in the feed of the control plane. */
  readonly account_id?: string;
  /** The report of such a ban to the control plane, which is sent again after a restart of the agent. */
  readonly report?: EdgeBan;
}

export type OwnBan = KnownEntry & { readonly account_id: string };

const keyOf = ({ feed, scope, network }: EdgeFeedEntry) => `${feed} ${scope} ${network}`;

/** Bans of this node that are not yet in the feed of the control plane, and how many of them each account has. */
export class OwnBans {
  readonly #bans = new Map<string, OwnBan>();
  readonly #counts = new Map<string, number>();
  readonly #changed = new Set<string>();

  get size(): number {
    return this.#bans.size;
  }

  add(ban: OwnBan): void {
    this.delete(ban);
    this.#bans.set(keyOf(ban), ban);
    this.#count(ban.account_id, 1);
  }

  delete(entry: EdgeFeedEntry): void {
    const known = this.find(entry);
    if (!known) return;
    this.#bans.delete(keyOf(entry));
    this.#count(known.account_id, -1);
  }

  #count(account: string, change: 1 | -1): void {
    const count = this.countOf(account) + change;
    if (count > 0) this.#counts.set(account, count);
    else this.#counts.delete(account);
    this.#changed.add(account);
  }

  /** The entry as a ban of this node, if it is one. */
  find(entry: EdgeFeedEntry): OwnBan | undefined {
    return this.#bans.size > 0 ? this.#bans.get(keyOf(entry)) : undefined;
  }

  reports(): EdgeBan[] {
    return [...this.#bans.values()].flatMap(({ report }) => report ?? []);
  }

  countOf(account: string): number {
    return this.#counts.get(account) ?? 0;
  }

  /** Those with bans. */
  accounts(): string[] {
    return [...this.#counts.keys()];
  }

  /** Accounts whose count has changed since this was asked last. */
  takeChanged(): string[] {
    const changed = [...this.#changed];
    this.#changed.clear();
    return changed;
  }

  /** Takes all of them out. */
  takeAll(): OwnBan[] {
    const all = [...this.#bans.values()];
    for (const ban of all) this.delete(ban);
    return all;
  }

  /** Those that have ended count no longer. */
  forgetEnded(): void {
    const now = Date.now() / 1000;
    for (const ban of this.#bans.values()) if (ban.until !== null && ban.until <= now) this.delete(ban);
  }
}
