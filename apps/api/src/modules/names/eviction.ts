import { systemActor } from '../../platform/actor.ts';
import type { Executor } from '../../platform/database.ts';
import { groupBy } from '../../platform/group-by.ts';
import { isOnEdge, type LeaveCause, type LeaveTasks, type Publication, takeOffEdge } from '../publishing/service.ts';
import * as routes from '../routes/service.ts';
import type { ReleaseNames } from './name-release.ts';
import { findName } from './repository.ts';

/** A name that is taken from its holder. */
export interface TakenName {
  readonly routeId: string;
  readonly name: string;
  /** Another account proved by TXT that the name, or a wildcard over it, is its own. */
  readonly cause: Exclude<LeaveCause, 'domains_deleted'>;
}

interface Taken extends Pick<TakenName, 'name' | 'cause'> {
  readonly route: routes.RouteRow;
}

/**
 * Takes names from their holders, because they were proved to be another account's: main names with their whole
 * routes, shadow domains alone. Inside the caller's transaction.
 */
export type Evict = (executor: Executor, names: readonly TakenName[]) => Promise<void>;

export function createEviction(releaseNames: ReleaseNames, publication: Publication, leaveTasks: LeaveTasks): Evict {
  /** Proved shadow domains of an evicted route keep their owner's thirty days. */
  async function freeRoute(executor: Executor, { route, name, cause }: Taken): Promise<void> {
    await routes.auditRoute(executor, systemActor(route.account_id), 'route.name_moved', route, { name, cause });
    await releaseNames(executor, route, { except: name });
  }

  async function freeShadowDomain(executor: Executor, { route, name, cause }: Taken): Promise<void> {
    const actor = systemActor(route.account_id);
    await routes.auditRoute(executor, actor, 'route.shadow_name_moved', route, { name, cause });
    await releaseNames(executor, route, { names: [name], except: name });
  }

  async function removeRoute(executor: Executor, route: routes.RouteRow): Promise<void> {
    if (await isOnEdge(executor, route.id)) {
      const leaving = await takeOffEdge(executor, [route.id], 'deleting', { ownership_state: 'pending' });
      await publication.publish(executor, leaving, 'delete');
      return;
    }
    await routes.updateRoute(executor, route.id, { status: 'deleted', ...routes.NOT_PAUSED }, { deleted: true });
    await publication.announce(executor, [{ routeId: route.id }]);
  }

  return async (executor, names) => {
    const evicted: Taken[] = [];
    const withoutShadow = new Map<string, routes.RouteRow>();
    for (const { routeId, name, cause } of names) {
      // Locked: a deploy that has not committed yet would bring the route back after it was taken off the edge.
      const route = await routes.lockAnyRoute(executor, routeId);
      const held = route && (await findName(executor, name));
      // Gone already: a route that is evicted takes all its names along.
      if (!route || held?.route_id !== routeId) continue;
      if (held.kind === 'shadow') {
        await freeShadowDomain(executor, { route, name, cause });
        withoutShadow.set(routeId, route);
      } else {
        await freeRoute(executor, { route, name, cause });
        evicted.push({ route, name, cause });
      }
    }
    // Together: a wildcard may take thousands of domains out of the same tasks.
    for (const [accountId, ofAccount] of groupBy(evicted, ({ route }) => route.account_id))
      for (const [cause, left] of groupBy(ofAccount, (one) => one.cause))
        await leaveTasks(
          executor,
          systemActor(accountId),
          left.map(({ route }) => route.id),
          cause,
        );
    for (const route of withoutShadow.values()) await publication.changeAtOnce(executor, route, 'remove_shadow');
    for (const { route } of evicted) await removeRoute(executor, route);
  };
}
