import { AppError } from '../../platform/errors.ts';
import { stateForbids } from '../routes/service.ts';
import type { CachedRoute } from './cached-route-repository.ts';

/** Throws where nothing may be done to what is stored of the domain, with this code in a free subscription. */
export function requireCacheable(
  route: Pick<CachedRoute, 'status' | 'is_suspended' | 'tier'>,
  needsPlan: 'CACHE_CLEAR_NEEDS_PLAN' | 'PREFETCH_NEEDS_PLAN',
): void {
  if (route.tier === 'free') throw new AppError(needsPlan);
  if (route.status === 'deleting') throw stateForbids(route.status);
  if (route.is_suspended) throw stateForbids('suspended', 'The domain is suspended.');
}
