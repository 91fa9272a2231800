import * as ffi from 'ffi';
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
}

/**
 * Routes of the requests that were let pass, by their places in memory. Nothing has to be let go with a request, because another
 * one in its place has been let pass itself before its route is asked for. Emptied when it has grown, and with each change.
 */
let passed = new LuaTable<number, PreparedRoute>();
let passedCount = 0;
let passedGeneration = -1;
const PASSED_MAX = 20_000;

const placeType = ffi.typeof<number>('uintptr_t');
const placeOf = (request: NativeRequest): number => tonumber(ffi.cast(placeType, request) as never) as number;

/** Where the request is in memory: no other one is there as long as it has not ended. */
export const placeOfRequest = (): number => placeOf(get_request() as NativeRequest);

/** To be called for each request on its way to the proxy. */
export function notePassed(route: PreparedRoute, generation: number): void {
  if (generation !== passedGeneration || passedCount >= PASSED_MAX) {
    passed = new LuaTable();
    passedCount = 0;
    passedGeneration = generation;
  }
  const place = placeOfRequest();
  const before = passed.get(place) as PreparedRoute | undefined;
  if (before === route) return;
  if (before === undefined) passedCount++;
  passed.set(place, route);
}

/** Route of a request that was let pass; undefined when it has been taken away since. */
export function passedRoute(): PreparedRoute | undefined {
  const route = passed.get(placeOfRequest()) as PreparedRoute | undefined;
  if (route !== undefined) return route;
  const match = findRoute(ngx.var.host ?? '', currentGeneration());
  return match === undefined ? undefined : match.route;
}
