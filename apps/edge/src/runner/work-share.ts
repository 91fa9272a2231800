import { STEPS_MAX } from '@cordon/plugin-kit/request-work';
import type { PreparedRoute } from './prepared-route.ts';

/**
 * What the plugins of one domain may cost a worker, which all domains share: a few dozen requests a second that are made to cost
 * as much as a request may would take all of it. Ordinary ones cost a hundredth of that and are not counted.
 */

/** Some 3 ms: 500 patterns in 580 bytes. */
const ORDINARY_STEPS = 300_000;
/** A tenth of a worker, on a slow machine a third. */
const COSTLY_STEPS_PER_SECOND = 10_000_000;

/** How many steps the next request of a domain has. What there are none left for is in doubt (`RequestWork`). */
export function stepsOfNext(route: PreparedRoute): number {
  if (route.costlySteps === 0) return STEPS_MAX;
  if (Math.floor(ngx.now()) !== route.costlySecond) {
    route.costlySteps = 0;
    return STEPS_MAX;
  }
  return Math.max(ORDINARY_STEPS, Math.min(STEPS_MAX, COSTLY_STEPS_PER_SECOND - route.costlySteps));
}

/** To be called with what a request has cost. */
export function noteSteps(route: PreparedRoute, steps: number): void {
  if (steps < ORDINARY_STEPS) return;
  const second = Math.floor(ngx.now());
  if (second !== route.costlySecond) {
    route.costlySecond = second;
    route.costlySteps = 0;
  }
  route.costlySteps += steps;
}
