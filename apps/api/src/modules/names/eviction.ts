import { systemActor } from '../../platform/actor.ts';
import type { Executor } from '../../platform/database.ts';
import { isOnEdge, type LeaveTasks, type Publication, takeOffEdge } from '../publishing/service.ts';
import * as routes from '../routes/service.ts';
import type { ReleaseNames } from './name-release.ts';
import { findName } from './repository.ts';

const WHY = 'another account proved by TXT that the name is its own';

/**
 * Takes a name from its holder, because it was proved to be another account's: a main name with its whole
 * route, a shadow domain alone. Inside the caller's transaction.
 */
export type Evict = (executor: Executor, routeId: string, name: string) => Promise<void>;

export function createEviction(releaseNames: ReleaseNames, publication: Publication, leaveTasks: LeaveTasks): Evict {
  /** Proved shadow domains of an evicted route keep their owner's thirty days. */
  async function evictRoute(executor: Executor, route: routes.RouteRow, name: string): Promise<void> {
    const actor = systemActor(route.account_id);
    await routes.auditRoute(executor, actor, 'route.name_moved', route, { name, why: WHY });
    await releaseNames(executor, route, { except: name });
    await leaveTasks(executor, actor, [route.id]);
    if (await isOnEdge(executor, route.id)) {
      const leaving = await takeOffEdge(executor, [route.id], 'deleting', { ownership_state: 'pending' });
      await publication.publish(executor, leaving, 'delete');
      return;
    }
    await routes.updateRoute(executor, route.id, { status: 'deleted', ...routes.NOT_PAUSED }, { deleted: true });
    await publication.announce(executor, [{ routeId: route.id }]);
  }

  async function evictShadowDomain(executor: Executor, route: routes.RouteRow, name: string): Promise<void> {
    const actor = systemActor(route.account_id);
    await routes.auditRoute(executor, actor, 'route.shadow_name_moved', route, { name, why: WHY });
    await releaseNames(executor, route, { names: [name], except: name });
    await publication.changeAtOnce(executor, route, 'remove_shadow');
  }

  return async (executor, routeId, name) => {
    // Locked: a deploy that has not committed yet would bring the route back after it was taken off the edge.
    const route = await routes.lockAnyRoute(executor, routeId);
    const held = route && (await findName(executor, name));
    // Gone already: a route that is evicted takes all its names along.
    if (!route || held?.route_id !== routeId) return;
    if (held.kind === 'shadow') await evictShadowDomain(executor, route, name);
    else await evictRoute(executor, route, name);
  };
}
