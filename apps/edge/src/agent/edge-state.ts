import type { EdgeChange, EdgeRoute, EdgeSettings } from '@cordon/contract/edge-config';
import { FeedState } from './feed-state.ts';
import { isRefused, type ReceivedChange } from './received.ts';

/** A route of the node with the revision that it came with (0: from a snapshot without revisions). */
export interface KnownRoute {
  readonly revision: number;
  readonly route: EdgeRoute;
}

/** How much of what the control plane has cleared nginx has carried out. */
export class ClearState {
  /** Where the stream goes on; empty: nothing is known of what is stored, and all of it is to be cleared. */
  cursor = '';
  /** Of the history that the cursor is of. */
  epoch = '';
  /** Clears whose receipts the control plane does not have, with their milliseconds. */
  readonly owed = new Map<string, number>();

  /** The control plane's history is this one from now on: in another one the cursor means nothing. */
  follow(epoch: string): void {
    if (this.epoch !== epoch) this.cursor = '';
    this.epoch = epoch;
  }
}

/** Everything the control plane has sent to this node. */
export class EdgeState {
  /** Empty: a snapshot is needed. */
  epoch = '';
  cursor = '';
  settings: EdgeSettings | undefined;
  /** Routes were refused since the last snapshot: an agent of another release may take them, and asks for a snapshot when it starts. */
  hasRefused = false;
  readonly feeds = new FeedState();
  readonly routes = new Map<string, KnownRoute>();
  /** Routes of which the control plane does not have the receipt of what it has sent last. */
  readonly owed = new Set<string>();
  readonly clears = new ClearState();
  /** Newest revision of removed routes, so that a repeated old change does not bring one back. */
  readonly removed = new Map<string, number>();
  /** Of routes that nginx has not judged yet as they are, what it serves of them meanwhile; null: nothing. */
  readonly #servedMeanwhile = new Map<string, KnownRoute | null>();
  /** How many routes of each account there are. */
  readonly #accounts = new Map<string, number>();

  /** Whether the node serves the route, or a route of the account. */
  serves(scope: string): boolean {
    return this.accountOf(scope) !== undefined;
  }

  /** The account of a route that the node serves, or the account itself where the node serves a route of it. */
  accountOf(scope: string): string | undefined {
    return this.routes.get(scope)?.route.account_id ?? (this.#accounts.has(scope) ? scope : undefined);
  }

  #set(id: string, known: KnownRoute | undefined): void {
    const former = this.routes.get(id)?.route.account_id;
    if (former !== undefined) this.#countRoute(former, -1);
    if (known === undefined) {
      this.routes.delete(id);
    } else {
      this.routes.set(id, known);
      this.#countRoute(known.route.account_id, 1);
    }
  }

  #countRoute(accountId: string, change: 1 | -1): void {
    const count = (this.#accounts.get(accountId) ?? 0) + change;
    if (count > 0) this.#accounts.set(accountId, count);
    else this.#accounts.delete(accountId);
  }

  /** Takes over a change; false when it is older than what is known. */
  apply({ route_id: id, revision, route }: EdgeChange): boolean {
    const known = this.routes.get(id)?.revision ?? this.removed.get(id) ?? -1;
    if (revision < known) return false;
    if (route === null) {
      this.#set(id, undefined);
      this.#servedMeanwhile.delete(id);
      this.removed.set(id, revision);
    } else {
      this.#keepServed(id);
      this.#set(id, { revision, route });
      this.removed.delete(id);
    }
    return true;
  }

  #keepServed(id: string): void {
    if (!this.#servedMeanwhile.has(id)) this.#servedMeanwhile.set(id, this.routes.get(id) ?? null);
  }

  /** nginx serves a route as it was when it was told so. Answers whether that is the verdict that was awaited: it is as it was then. */
  accept(id: string, known: KnownRoute): boolean {
    if (this.routes.get(id) === known) return this.#servedMeanwhile.delete(id);
    if (this.routes.has(id)) this.#servedMeanwhile.set(id, known);
    return false;
  }

  /** What nginx serves of a route that it has not judged yet as it is; null: nothing; undefined: it has judged it. */
  servedMeanwhile(id: string): KnownRoute | null | undefined {
    return this.#servedMeanwhile.get(id);
  }

  /** Of routes from disk, what was served of those that nginx had not judged: all others it had accepted. */
  restoreServed(served: Iterable<readonly [string, KnownRoute | null]>): void {
    this.#servedMeanwhile.clear();
    for (const [id, known] of served) this.#servedMeanwhile.set(id, known);
  }

  /** nginx had judged the routes as they are, says the disk. */
  noteJudged(ids: readonly string[]): void {
    for (const id of ids) this.#servedMeanwhile.delete(id);
  }

  /**
   * nginx does not take a route as it is now, and serves the one before on: that is the node's again, under the revision of the
   * refused one. Answers it as a change; undefined when nothing was served before, or the route is another one by now.
   */
  refuse(id: string, known: KnownRoute): (EdgeChange & { readonly route: EdgeRoute }) | undefined {
    const served = this.#servedMeanwhile.get(id);
    if (this.routes.get(id) !== known || !served) return undefined;
    this.#servedMeanwhile.delete(id);
    this.#set(id, { revision: known.revision, route: served.route });
    return { route_id: id, revision: known.revision, route: served.route };
  }

  /** A change that the node can take: in place of one that it refuses, what it has of the route under the refused revision, if anything. */
  readable(received: ReceivedChange): EdgeChange | undefined {
    if (!isRefused(received)) return received;
    const { route_id, revision } = received;
    const route = this.routes.get(route_id)?.route;
    return route && { route_id, revision, route };
  }

  /** Replaces everything by a snapshot. Answers the ids whose state may have changed. */
  replace(epoch: string, cursor: string, routes: readonly EdgeChange[]): Set<string> {
    const touched = new Set(this.routes.keys());
    for (const id of touched) this.#keepServed(id);
    this.epoch = epoch;
    this.cursor = cursor;
    this.hasRefused = false;
    this.routes.clear();
    this.#accounts.clear();
    this.removed.clear();
    for (const { route_id: id, revision, route } of routes) {
      touched.add(id);
      if (route === null) continue;
      this.#keepServed(id);
      this.#set(id, { revision, route });
    }
    for (const id of this.#servedMeanwhile.keys()) if (!this.routes.has(id)) this.#servedMeanwhile.delete(id);
    return touched;
  }
}
