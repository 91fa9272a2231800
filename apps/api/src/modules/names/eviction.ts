import type { Executor } from '../../platform/database.ts';
import type { AccountService } from '../accounts/service.ts';
import type { Publication } from '../publishing/publication.ts';
import { auditRoute, systemOf } from '../routes/audit.ts';
import * as repository from '../routes/repository.ts';
import { deleteNames, findName, insertReleasedNames } from './repository.ts';

const WHY = 'another account proved by TXT that the name is its own';

/**
 * Takes a name from its holder, because it was proved to be somebody else's: a main name with its whole route, an
 * alias alone. Inside the caller's transaction.
 */
export type Evict = (executor: Executor, routeId: string, name: string) => Promise<void>;

export function createEviction(accounts: AccountService, publication: Publication): Evict {
  /** Proved aliases of an evicted route keep their owner's thirty days. */
  async function evictRoute(executor: Executor, route: repository.RouteRow, name: string): Promise<void> {
    await auditRoute(executor, systemOf(route.account_id), 'route.name_moved', route, { name, why: WHY });
    const freed = await deleteNames(executor, route.id);
    await accounts.returnNames(executor, route.subscription_id, freed.length);
    const kept = freed.filter((one) => one.isProved && one.name !== name);
    await insertReleasedNames(
      executor,
      route.account_id,
      kept.map((one) => one.name),
    );
    if (!(await repository.isOnEdge(executor, route.id))) {
      await repository.updateRoute(
        executor,
        route.id,
        { status: 'deleted', ...repository.NOT_PAUSED },
        { deleted: true },
      );
      await publication.announce(executor, route.id);
      return;
    }
    await repository.updateRoute(executor, route.id, {
      status: 'deleting',
      ownership_state: 'pending',
      ...repository.NOT_PAUSED,
    });
    const revision = await publication.republish(executor, route.id);
    await publication.beginOperation(executor, route, 'delete', null, revision);
  }

  async function evictAlias(executor: Executor, route: repository.RouteRow, name: string): Promise<void> {
    await auditRoute(executor, systemOf(route.account_id), 'route.shadow_name_moved', route, { name, why: WHY });
    const freed = await deleteNames(executor, route.id, [name]);
    await accounts.returnNames(executor, route.subscription_id, freed.length);
    await publication.changeAtOnce(executor, route, 'remove_shadow');
  }

  return async (executor, routeId, name) => {
    // Locked: a deploy that has not committed yet would bring the route back after it was taken off the edge.
    const route = await repository.lockAnyRoute(executor, routeId);
    const held = route && (await findName(executor, name));
    // Gone already: a route that is evicted takes all its names along.
    if (!route || held?.route_id !== routeId) return;
    if (held.kind === 'shadow') await evictAlias(executor, route, name);
    else await evictRoute(executor, route, name);
  };
}
