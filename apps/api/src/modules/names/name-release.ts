import type { Executor } from '../../platform/database.ts';
import type { RouteRow } from '../routes/service.ts';
import type { SubscriptionService } from '../subscriptions/service.ts';
import { deleteNames, insertReleasedNames } from './repository.ts';

/** Frees names of a route, all unless given; proved ones stay their owner's for a while. */
export type ReleaseNames = (
  executor: Executor,
  route: Pick<RouteRow, 'id' | 'account_id' | 'subscription_id'>,
  which?: {
    readonly names?: readonly string[];
    /** A proved name that is its owner's no longer. */
    readonly except?: string;
  },
) => Promise<string[]>;

/** Answers the names that were freed; the quota of the subscription gets them back. */
export function createNameRelease(subscriptions: SubscriptionService): ReleaseNames {
  return async (executor, route, { names, except } = {}) => {
    const freed = await deleteNames(executor, route.id, names);
    await subscriptions.returnNames(executor, route.subscription_id, freed.length);
    const kept = freed.filter(({ name, isProved }) => isProved && name !== except);
    await insertReleasedNames(
      executor,
      route.account_id,
      kept.map(({ name }) => name),
    );
    return freed.map(({ name }) => name);
  };
}
