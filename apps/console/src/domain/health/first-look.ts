import type { RouteSummary } from '@cordon/contract';
import { isServed } from '../model/domain-state';

/** Whether a domain is served that has not been looked at yet: nothing is known to be wrong, and nothing to be well. */
export const isFirstLook = (route: RouteSummary): boolean =>
  route.health.state === 'ok' && route.health.looked_at === null && route.version_live !== null && isServed(route);
