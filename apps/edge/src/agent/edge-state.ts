import type { EdgeChange, EdgeRoute, EdgeSettings } from '@cordon/contract/edge-config';
import { FeedState } from './feed-state.ts';
import { isRefused, type ReceivedChange } from './received.ts';

/** A route of the node with the revision that it came with (0: from a snapshot without revisions). */
export interface KnownRoute {
  readonly revision: number;
  readonly route: EdgeRoute;
}

/** Everything the control plane has sent to this node. */
export class EdgeState {
  /** Empty: a snapshot is needed. */
  epoch = '';
  cursor = '';
  settings: EdgeSettings | undefined;
  readonly feeds = new FeedState();
  readonly routes = new Map<string, KnownRoute>();
  /** Newest revision of removed routes, so that a repeated old change does not bring one back. */
  readonly removed = new Map<string, number>();
  /** Of routes that nginx has not judged yet as they are, those that it serves meanwhile. */
  readonly #served = new Map<string, KnownRoute>();
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
      this.#served.delete(id);
      this.removed.set(id, revision);
    } else {
      this.#keepServed(id);
      this.#set(id, { revision, route });
      this.removed.delete(id);
    }
    return true;
  }

  #keepServed(id: string): void {
    const known = this.routes.get(id);
    if (known && !this.#served.has(id)) this.#served.set(id, known);
  }

  /** nginx serves a route as it was when it was told so. */
  accept(id: string, known: KnownRoute): void {
    if (this.routes.get(id) === known) this.#served.delete(id);
    else if (this.routes.has(id)) this.#served.set(id, known);
  }

  /**
   * nginx does not take a route as it is now, and serves the one before on: that is the node's again, under the revision of the
   * refused one. Answers it as a change; undefined when nothing was served before, or the route is another one by now.
   */
  refuse(id: string, known: KnownRoute): (EdgeChange & { readonly route: EdgeRoute }) | undefined {
    const served = this.#served.get(id);
    if (this.routes.get(id) !== known || !served) return undefined;
    this.#served.delete(id);
    this.#set(id, { revision: known.revision, route: served.route });
    return { route_id: id, revision: known.revision, route: served.route };
  }

  /** The changes that the node can take; in place of one that it refuses, what it has of the route under the refused revision. */
  readable(received: readonly ReceivedChange[]): EdgeChange[] {
    return received.flatMap((change) => {
      if (!isRefused(change)) return [change];
      const route = this.routes.get(change.route_id)?.route;
      return route ? [{ route_id: change.route_id, revision: change.revision, route }] : [];
    });
  }

  /** What came from disk is all that is known of what nginx serves. */
  forgetServed(): void {
    this.#served.clear();
  }

  /** Replaces everything by a snapshot. Answers the ids whose state may have changed. */
  replace(epoch: string, cursor: string, routes: readonly EdgeChange[]): Set<string> {
    const touched = new Set(this.routes.keys());
    for (const id of touched) this.#keepServed(id);
    this.epoch = epoch;
    this.cursor = cursor;
    this.routes.clear();
    this.#accounts.clear();
    this.removed.clear();
    for (const { route_id: id, revision, route } of routes) {
      touched.add(id);
      if (route !== null) this.#set(id, { revision, route });
    }
    for (const id of this.#served.keys()) if (!this.routes.has(id)) this.#served.delete(id);
    return touched;
  }
}
