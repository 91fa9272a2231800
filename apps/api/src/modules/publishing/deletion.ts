import type { Actor } from '@cordon/contract';
import type { Executor } from '../../platform/database.ts';
import * as routes from '../routes/service.ts';
import { insertOperations, supersedeOperations } from './operation-repository.ts';
import { firstLook } from './operations.ts';
import type { Publication } from './publication.ts';
import * as repository from './repository.ts';

/** Deletes routes: at once, or once the nodes have let go of them. Everything happens in the caller's transaction. */
export interface Deletion {
  /** Begins to delete locked routes of one account; answers the operation of each by route. */
  remove(executor: Executor, actor: Actor, removed: readonly routes.RouteRow[]): Promise<ReadonlyMap<string, string>>;
  /** Frees what a deleted route held. Its nodes no longer serve it. */
  finish(executor: Executor, route: routes.RouteRow): Promise<void>;
}

/** Why domains are no longer there: deleted, or another account proved by TXT that the name, or a wildcard over it, is its own. */
export type LeaveCause = 'domains_deleted' | 'name_proved' | 'wildcard_proved';

/** Has routes that go leave what is scheduled for them. In the caller's transaction. */
export type LeaveTasks = (
  executor: Executor,
  actor: Actor,
  routeIds: readonly string[],
  cause: LeaveCause,
) => Promise<void>;

export interface DeletionParts {
  readonly publication: Publication;
  /** Frees every name of a route; the account's quota gets them back. */
  readonly freeNames: (executor: Executor, route: routes.RouteRow) => Promise<void>;
  readonly leaveTasks: LeaveTasks;
}

export function createDeletion({ publication, freeNames, leaveTasks }: DeletionParts): Deletion {
  async function finish(executor: Executor, route: routes.RouteRow): Promise<void> {
    await freeNames(executor, route);
    await routes.updateRoute(executor, route.id, { status: 'deleted', ...routes.NOT_PAUSED }, { deleted: true });
  }

  /** What no node has ever served is deleted now. */
  async function removeNow(executor: Executor, route: routes.RouteRow): Promise<string> {
    await supersedeOperations(executor, [route.id]);
    const operation = { route, action: 'delete', version: null, revision: null, state: 'successful' } as const;
    const [inserted] = await insertOperations(executor, 'operation_id', [operation], firstLook());
    await finish(executor, route);
    await publication.announce(executor, [{ routeId: route.id }]);
    return inserted?.id ?? '';
  }

  return {
    finish,
    async remove(executor, actor, removed) {
      await routes.auditRoutes(executor, actor, 'route.delete', removed);
      const ids = removed.map(({ id }) => id);
      await leaveTasks(executor, actor, ids, 'domains_deleted');
      const onEdge = await repository.onEdge(executor, ids);
      const operations = new Map<string, string>();
      for (const route of removed)
        if (!onEdge.has(route.id)) operations.set(route.id, await removeNow(executor, route));
      if (onEdge.size === 0) return operations;
      const leaving = await repository.takeOffEdge(executor, [...onEdge], 'deleting');
      for (const [routeId, { id }] of await publication.publish(executor, leaving, 'delete'))
        operations.set(routeId, id);
      return operations;
    },
  };
}
