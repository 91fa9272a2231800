import { type Db, type Executor, runInTransaction } from '../../platform/database.ts';
import { addJob } from '../../platform/queue.ts';
import type { EdgeNodeService } from '../edge-nodes/service.ts';
import type { Publication } from '../publishing/service.ts';
import * as routes from '../routes/service.ts';
import { needsTxtProof, type OwnershipProof } from './ownership-proof.ts';
import { nextLookSeconds } from './ownership-service.ts';
import { countShadows, findAnyShadow, type NameRow, noteShadowLook } from './repository.ts';
import { markVerified } from './verification.ts';

/** Above this many that wait, each shadow domain of a domain is looked at less often. */
const PENDING_AT_FULL_RATE = 20;

export interface ShadowDomainWatch {
  /** Looks at DNS and, when the shadow domain is proved, lets the edge serve it. Answers whether there is nothing left to watch. */
  look(route: routes.RouteRow, shadowDomain: NameRow): Promise<boolean>;
  /** Starts to watch shadow domains until they are proved. */
  watch(executor: Executor, routeId: string, names: readonly string[]): Promise<void>;
  /** Job: a look of the watcher, which plans the next one. */
  watchOnce(routeId: string, name: string): Promise<void>;
}

export interface ShadowDomainWatchParts {
  readonly db: Db;
  readonly addressesByCzone: EdgeNodeService['addressesByCzone'];
  readonly proof: OwnershipProof;
  readonly publication: Publication;
}

export function createShadowDomainWatch({
  db,
  addressesByCzone,
  proof,
  publication,
}: ShadowDomainWatchParts): ShadowDomainWatch {
  const plan = (executor: Executor, routeId: string, name: string, seconds: number) =>
    addJob(
      executor,
      'watch-shadow',
      { route_id: routeId, name },
      { key: `watch-shadow/${routeId}/${name}`, runAt: new Date(Date.now() + seconds * 1000) },
    );

  async function look(route: routes.RouteRow, shadowDomain: NameRow): Promise<boolean> {
    const addresses = (await addressesByCzone())[route.czone] ?? [];
    const finding = await proof.look(
      { account_id: route.account_id, domain_name: shadowDomain.name, cname: route.cname },
      addresses,
      needsTxtProof(shadowDomain),
    );
    return runInTransaction(db, async (trx) => {
      const current = await routes.lockRoute(trx, route.account_id, route.id);
      const row = current && (await findAnyShadow(trx, route.id, shadowDomain.name));
      if (!row || current.status === 'deleting') return true;
      // Proved meanwhile by a look that may have begun after this one: what that saw stays.
      if (row.ownership_state !== shadowDomain.ownership_state) return true;
      await noteShadowLook(trx, route.id, shadowDomain.name, finding.seen);
      // A proof once given stays: that a name points elsewhere for now takes nothing from its owner.
      if (row.ownership_state === 'verified') return true;
      if (finding.method === null) return false;
      await markVerified(publication, trx, current, finding.method, shadowDomain.name);
      return true;
    });
  }

  return {
    look,
    async watch(executor, routeId, names) {
      for (const name of names) await plan(executor, routeId, name, nextLookSeconds(0));
    },
    async watchOnce(routeId, name) {
      const route = await routes.findAnyRoute(db, routeId);
      const shadowDomain = await findAnyShadow(db, routeId, name);
      if (!route || !shadowDomain || route.status === 'deleting' || shadowDomain.ownership_state === 'verified') return;
      if (await look(route, shadowDomain)) return;
      const pending = await countShadows(db, route.account_id, routeId, { state: 'pending' });
      const seconds = nextLookSeconds((Date.now() - Date.parse(shadowDomain.ownership_pending_since)) / 1000);
      await plan(db, routeId, name, seconds * Math.max(1, Math.ceil(pending / PENDING_AT_FULL_RATE)));
    },
  };
}
