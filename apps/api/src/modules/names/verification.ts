import type { Executor } from '../../platform/database.ts';
import type { Publication } from '../publishing/service.ts';
import { type RouteRow, updateRoute } from '../routes/service.ts';
import { verifyShadow } from './repository.ts';

/** Takes a name of a locked route as proved, the main one unless given: the edge serves it, without a new version. */
export async function markVerified(
  publication: Publication,
  executor: Executor,
  route: RouteRow,
  method: RouteRow['ownership_method'],
  shadowDomain?: string,
): Promise<void> {
  const verified = { ownership_state: 'verified', ownership_method: method } as const;
  if (shadowDomain === undefined) await updateRoute(executor, route.id, verified, { checked: true });
  else await verifyShadow(executor, route.id, shadowDomain, method);
  await publication.republish(executor, route.id);
  await publication.announce(executor, [{ routeId: route.id, slot: shadowDomain === undefined ? 'domain' : 'shadow' }]);
}
