import type { DomainAction, RunningOperation } from '@cordon/contract';
import type { Executor } from '../../platform/database.ts';
import { publishEvent } from '../../platform/events.ts';
import { addJob } from '../../platform/queue.ts';
import type { AccountService } from '../accounts/service.ts';
import { toEdgeRoute } from './edge-payload.ts';
import * as repository from './repository.ts';

/** When an operation that still runs is looked at again, in seconds after its start. The last look decides. */
export const OPERATION_LOOKS_SECONDS = [5, 17, 35, 60] as const;

export const toRunningOperation = (row: repository.OperationRow): RunningOperation => ({
  id: row.id,
  action: row.action,
  state: row.state,
  started_at: row.started_at,
  finished_at: row.finished_at,
  error: row.error,
});

export interface Publication {
  /** Takes a route's names as proved: the edge serves them from now on, without a new version. */
  markVerified(
    executor: Executor,
    route: repository.RouteRow,
    method: repository.RouteRow['ownership_method'],
  ): Promise<void>;
  /** Writes what the nodes must serve now; nothing for routes that are not live or are suspended. Answers the revision. */
  republish(executor: Executor, routeId: string): Promise<number>;
  /** Starts an operation that ends when the nodes have reported the revision; tells open consoles. Call it last. */
  beginOperation(
    executor: Executor,
    route: repository.RouteRow,
    action: DomainAction,
    version: number | null,
    revision: number,
  ): Promise<repository.OperationRow>;
  /** Tells open consoles what a route is now. Call it last in the transaction. */
  announce(executor: Executor, routeId: string): Promise<void>;
}

export function createPublication(accounts: AccountService): Publication {
  async function announce(executor: Executor, routeId: string): Promise<void> {
    const route = await repository.findAnyRoute(executor, routeId);
    if (!route) return;
    const operation =
      route.operation_id === null ? undefined : await repository.findOperation(executor, route.operation_id);
    await publishEvent(executor, route.account_id, {
      slot: 'domain',
      id: route.id,
      status: route.status,
      domain_name: route.domain_name,
      operation: operation ? toRunningOperation(operation) : null,
      ownership_state: route.ownership_state,
    });
  }

  const publication: Publication = {
    announce,
    async markVerified(executor, route, method) {
      const verified = { ownership_state: 'verified', ownership_method: method } as const;
      await repository.updateRoute(executor, route.id, verified, { checked: true });
      if (route.status === 'running') await publication.republish(executor, route.id);
      await announce(executor, route.id);
    },
    async republish(executor, routeId) {
      const route = await repository.findAnyRoute(executor, routeId);
      if (!route) throw new Error(`route ${routeId} is gone`);
      // Held: what commits after a suspension has told the edge would bring the route back.
      const account = await accounts.holdAccount(route.account_id, executor);
      const isServed =
        route.status === 'running' &&
        route.version_live !== null &&
        route.live !== null &&
        route.suspended_at === null &&
        account?.suspended_at === null;
      if (!isServed || !account) return repository.putEdgeRoute(executor, route, null);
      const subscription = await accounts.getSubscription(route.account_id, { id: route.subscription_id }, executor);
      const names = await repository.namesOfRoute(executor, routeId);
      if (names.length === 0) return repository.putEdgeRoute(executor, route, null);
      const payload = toEdgeRoute({
        id: route.id,
        account_id: route.account_id,
        czone: route.czone,
        version: route.version_live as number,
        names: names.map(({ name }) => name),
        isVerified: route.ownership_state === 'verified',
        tier: subscription.tier,
        brand: account.brand,
        config: route.live as NonNullable<typeof route.live>,
      });
      return repository.putEdgeRoute(executor, route, payload);
    },
    async beginOperation(executor, route, action, version, revision) {
      await repository.supersedeOperations(executor, route.id);
      const operation = await repository.insertOperation(executor, {
        accountId: route.account_id,
        routeId: route.id,
        action,
        version,
        revision,
      });
      await repository.updateRoute(executor, route.id, { operation_id: operation.id });
      await addJob(
        executor,
        'look-at-operation',
        { operation_id: operation.id, look: 0 },
        { runAt: new Date(Date.now() + OPERATION_LOOKS_SECONDS[0] * 1000) },
      );
      await announce(executor, route.id);
      return operation;
    },
  };
  return publication;
}
