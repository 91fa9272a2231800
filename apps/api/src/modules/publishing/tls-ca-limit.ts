import { TLS_CA_SETS_MAX } from '@cordon/contract';
import type { Executor } from '../../platform/database.ts';
import { type AppError, fieldErrors } from '../../platform/errors.ts';
import { groupBy } from '../../platform/group-by.ts';
import type { SubscriptionService } from '../subscriptions/service.ts';
import { draftTlsCas, lockLiveTlsCas } from './repository.ts';

/**
 * Which of the locked routes may not go live with their drafts, and why: TLS_CA_LIMIT where the domains of the
 * subscription would have more different sets of CA certificates than its plan allows. A set that another live domain
 * has is always allowed.
 */
export async function refusedByTlsCaLimit(
  executor: Executor,
  subscriptions: Pick<SubscriptionService, 'get'>,
  routeIds: readonly string[],
): Promise<ReadonlyMap<string, AppError>> {
  const refused = new Map<string, AppError>();
  for (const [id, drafts] of groupBy(await draftTlsCas(executor, routeIds), (draft) => draft.subscription_id)) {
    const live = await lockLiveTlsCas(executor, id);
    const { tier } = await subscriptions.get(drafts[0]?.account_id ?? '', { id }, executor);
    const limit = TLS_CA_SETS_MAX[tier];
    for (const { id: routeId, hash } of drafts) {
      const isLive = [...live.values()].includes(hash);
      const after = new Set(new Map(live).set(routeId, hash).values());
      if (isLive || after.size <= limit) live.set(routeId, hash);
      else refused.set(routeId, fieldErrors({ 'upstreams.tls_ca': 'TLS_CA_LIMIT' }, { 'upstreams.tls_ca': { limit } }));
    }
  }
  return refused;
}
