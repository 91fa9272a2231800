import { isDeepStrictEqual } from 'node:util';
import { type Db, type Executor, runInTransaction } from '../../platform/database.ts';
import { notFound } from '../../platform/errors.ts';
import { addJob } from '../../platform/queue.ts';
import type { EdgeNodeService } from '../edge-nodes/service.ts';
import type { Publication } from '../publishing/service.ts';
import * as routes from '../routes/service.ts';
import { needsTxtProof, type OwnershipFinding, type OwnershipProof } from './ownership-proof.ts';
import { markVerified } from './verification.ts';

export interface OwnershipService {
  /** Looks at DNS and, when the name is proved, lets the edge serve it, without a new version. */
  check(accountId: string, routeId: string): Promise<void>;
  /** Starts to watch a name until it is proved. */
  watch(executor: Executor, routeId: string): Promise<void>;
  /** Job: a look of the watcher, which plans the next one. */
  watchOnce(routeId: string): Promise<void>;
}

/** How long to wait for the next look, by the time since the name was added: people wait at the beginning. */
export function nextLookSeconds(pendingSeconds: number): number {
  if (pendingSeconds < 15 * 60) return 15;
  if (pendingSeconds < 3 * 3600) return 60;
  if (pendingSeconds < 48 * 3600) return 600;
  return 6 * 3600;
}

type Seen = OwnershipFinding['seen'];

/** Servers answer with several addresses in any order. */
const isSame = (one: Seen, other: Seen): boolean =>
  isDeepStrictEqual(one && [...one].sort(), other && [...other].sort());

export interface OwnershipParts {
  readonly db: Db;
  readonly addressesByCzone: EdgeNodeService['addressesByCzone'];
  readonly proof: OwnershipProof;
  readonly publication: Publication;
}

export function createOwnershipService({ db, addressesByCzone, proof, publication }: OwnershipParts): OwnershipService {
  async function look(route: routes.RouteRow): Promise<boolean> {
    const addresses = (await addressesByCzone())[route.czone] ?? [];
    const finding = await proof.look(route, addresses, needsTxtProof(route));
    return runInTransaction(db, async (trx) => {
      const current = await routes.lockRoute(trx, route.account_id, route.id);
      if (!current) return true;
      // Another name was promoted meanwhile: what was found is not about the main name any more.
      if (current.domain_name !== route.domain_name) return current.ownership_state === 'verified';
      // Proved meanwhile by a look that may have begun after this one: what that saw stays.
      if (current.ownership_state !== route.ownership_state) return current.ownership_state === 'verified';
      await routes.updateRoute(trx, route.id, { ownership_seen: finding.seen }, { checked: true });
      // A proof once given stays: that a name points elsewhere for now takes nothing from its owner.
      const isSettled = current.ownership_state === 'verified' || current.status === 'deleting';
      if (isSettled || finding.method === null) {
        // The judgement of a name that waits is made of what was seen.
        if (!isSame(current.ownership_seen, finding.seen)) await publication.announce(trx, [{ routeId: route.id }]);
        return isSettled;
      }
      await markVerified(publication, trx, current, finding.method);
      return true;
    });
  }

  const plan = (executor: Executor, routeId: string, seconds: number) =>
    addJob(
      executor,
      'watch-ownership',
      { route_id: routeId },
      { key: `watch-ownership/${routeId}`, runAt: new Date(Date.now() + seconds * 1000) },
    );

  return {
    async check(accountId, routeId) {
      const route = await routes.findRoute(db, accountId, routeId);
      if (!route) throw notFound();
      await look(route);
    },
    // At once: until then nothing is known of the name.
    watch: (executor, routeId) => plan(executor, routeId, 0),
    async watchOnce(routeId) {
      const route = await routes.findAnyRoute(db, routeId);
      if (!route || route.status === 'deleted' || route.status === 'deleting' || route.ownership_state === 'verified')
        return;
      if (await look(route)) return;
      await plan(db, routeId, nextLookSeconds((Date.now() - Date.parse(route.ownership_pending_since)) / 1000));
    },
  };
}
