import type { PreparedRoute } from './prepared-route.ts';

/**
 * Passive health of addresses that a route can choose between, shared by the workers. Counted per route: one
 * customer's short timeouts must not take down an origin for another. `f:` counts failures, `d:` marks an address as
 * left out; both expire after `fail_timeout_ms`.
 */
const health = ngx.shared.cordon_health as SharedDict;

export function isDown(routeId: string, address: string): boolean {
  return health.get(`d:${routeId} ${address}`) !== undefined;
}

/** One failure of an address (`host:port`); the `max_fails`-th within `fail_timeout` takes it out. */
export function countFailure(route: PreparedRoute, address: string): void {
  const upstream = route.upstream;
  if (upstream === undefined || upstream.isSingle) return;
  const key = `f:${route.id} ${address}`;
  const count = health.incr(key, 1, 0, upstream.failTimeoutSeconds);
  if (count !== undefined && count >= upstream.maxFails) {
    // Left out again soon after it was let in once more: it has been down all the time.
    const began = (health.get(`b:${route.id} ${address}`) ?? ngx.now()) as number;
    health.set(`b:${route.id} ${address}`, began, upstream.failTimeoutSeconds * 3);
    health.set(`d:${route.id} ${address}`, began, upstream.failTimeoutSeconds);
    health.delete(key);
  }
}

export interface DownTarget {
  readonly route_id: string;
  readonly target: string;
  readonly since: number;
}

/** What is left out now, at most `max`. */
export function downTargets(max: number): DownTarget[] {
  const down: DownTarget[] = [];
  for (const key of health.get_keys(max * 4)) {
    if (string.sub(key, 1, 2) === 'd:' && down.length < max) {
      const since = health.get(key) as number | undefined;
      if (since !== undefined) {
        down.push({ route_id: string.sub(key, 3, 38), target: string.sub(key, 40), since });
      }
    }
  }
  return down;
}
