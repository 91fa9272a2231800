import type { PreparedRoute, PreparedTarget } from './prepared-route.ts';

/** What the phases of one request hand on to each other in `ngx.ctx`. An internal redirect empties it. */
export interface RequestState {
  route?: PreparedRoute;
  isTls?: boolean;
  /** What the balancer chose last. */
  target?: PreparedTarget;
  address?: string;
  /** `address:port` of what has failed for this request. */
  tried?: LuaTable<string, boolean>;
}
