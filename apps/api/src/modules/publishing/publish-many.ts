import type { DomainAction } from '@cordon/contract';
import type { Executor } from '../../platform/database.ts';
import { publishEvents } from '../../platform/events.ts';
import { groupBy } from '../../platform/group-by.ts';
import type { AccountService } from '../accounts/service.ts';
import { findSeeds } from '../origins/lock-repository.ts';
import type { OperationRow, RouteRow } from '../routes/repository.ts';
import { eventOf, IMMEDIATE, isRemoval, OPERATION_LOOKS_SECONDS, servedPayload } from './publication.ts';
import * as repository from './repository.ts';

/** Tells open consoles what routes of one account are now. Call it last in the transaction. */
export async function announceMany(
  executor: Executor,
  told: readonly { routeId: string; slot: 'domain' | 'shadow' }[],
): Promise<void> {
  if (told.length === 0) return;
  const routes = await repository.findRoutes(
    executor,
    told.map(({ routeId }) => routeId),
  );
  const byId = new Map(routes.map((route) => [route.id, route]));
  const ids = routes.flatMap((route) => [route.operation_id, route.immediate_operation_id].filter((id) => id !== null));
  const operations = new Map((await repository.findOperations(executor, ids)).map((row) => [row.id, row]));
  const events = told.flatMap(({ routeId, slot }) => {
    const route = byId.get(routeId);
    return route
      ? [
          eventOf(
            route,
            operations.get(route.operation_id ?? ''),
            operations.get(route.immediate_operation_id ?? ''),
            slot,
          ),
        ]
      : [];
  });
  await publishEvents(executor, routes[0]?.account_id ?? '', events);
}

/**
 * Brings routes of one account, as their locked rows now are, to the nodes, and starts an operation of each that ends
 * when the nodes have reported it: what `Publication.republish` and `beginOperation` do for one. Call it last.
 */
export async function publishMany(
  executor: Executor,
  accounts: AccountService,
  routes: readonly RouteRow[],
  action: DomainAction,
  versionOf: (route: RouteRow) => number | null,
): Promise<ReadonlyMap<string, OperationRow>> {
  const first = routes[0];
  if (!first) return new Map();
  const ids = routes.map((route) => route.id);
  // Held: what commits after a suspension has told the edge would bring the routes back.
  const account = await accounts.holdAccount(first.account_id, executor);
  const tiers = new Map<string, 'free' | 'vip'>();
  for (const id of new Set(routes.map((route) => route.subscription_id)))
    tiers.set(id, (await accounts.getSubscription(first.account_id, { id }, executor)).tier);
  const names = groupBy(await repository.namesOfRoutes(executor, ids), (name) => name.route_id);
  const seeds = await findSeeds(executor, first.account_id, ids);
  const revisions = await repository.putEdgeRoutes(
    executor,
    routes.map((route) => ({
      route,
      payload: servedPayload(route, account, {
        brand: account?.brand ?? '',
        tier: tiers.get(route.subscription_id) ?? 'free',
        names: names.get(route.id) ?? [],
        originKeySeed: seeds.get(route.id),
      }),
    })),
  );
  await repository.supersedeAll(executor, ids, isRemoval(action) ? [] : IMMEDIATE);
  const operations = await repository.insertOperations(
    executor,
    action,
    routes.map((route) => ({ route, version: versionOf(route), revision: revisions.get(route.id) ?? 0 })),
    new Date(Date.now() + OPERATION_LOOKS_SECONDS[0] * 1000),
  );
  await announceMany(
    executor,
    ids.map((routeId) => ({ routeId, slot: 'domain' as const })),
  );
  return new Map(operations.map((operation) => [operation.route_id, operation]));
}
