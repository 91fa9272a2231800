import { get_request } from 'resty.core.base';
import { currentGeneration } from './generation.ts';
import type { PreparedRoute, PreparedTarget } from './prepared-route.ts';
import { findRoute } from './route-lookup.ts';

/** What one try to reach an origin leaves for the next. */
export interface RequestState {
  /** What the balancer chose last. */
  target?: PreparedTarget;
  address?: string;
  /** `address:port` of what has failed for this request. */
  tried?: LuaTable<string, boolean>;
  /** A page that the visitor gets in place of the origin's body, and whether it is on its way. */
  page?: string;
  isPageSent?: boolean;
}

/**
 * The request that was let pass last, and its route: mostly the balancer's next question. Nothing has to be let go with
 * the request, because another one in its place in memory has been let pass itself before its route is asked for.
 */
const passed: { request: NativeRequest | undefined; route: PreparedRoute | undefined } = {
  request: undefined,
  route: undefined,
};

/** To be called for each request on its way to the proxy. */
export function notePassed(route: PreparedRoute): void {
  passed.request = get_request();
  passed.route = route;
}

/** Route of a request that was let pass; undefined when it has been taken away since. */
export function passedRoute(): PreparedRoute | undefined {
  if (passed.request === get_request()) return passed.route;
  const match = findRoute(ngx.var.host ?? '', currentGeneration());
  return match === undefined ? undefined : match.route;
}
