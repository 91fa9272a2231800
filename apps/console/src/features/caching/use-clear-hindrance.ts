import type { RouteSummary } from '@cordon/contract';
import { useIsFree } from './use-is-free';

/** Why nothing can be cleared now; undefined: it can. */
export function useClearHindrance(route: RouteSummary): 'plan' | 'never' | 'suspended' | undefined {
  const isFree = useIsFree(route);
  if (isFree) return 'plan';
  if (route.suspension !== null) return 'suspended';
  return route.version_live === null ? 'never' : undefined;
}
