import { beginGeneration } from './generation.ts';

/** Routes whose origins send interim answers (early-hints.ts), for as long as they do. */
const health = ngx.shared.cordon_health as SharedDict;
const REMEMBERED_SECONDS = 86400;
/** Set once any route has sent hints, so that workers of nodes without such routes ask no dictionary. */
let generationOfLook = -1;
let hasHintingRoutes = false;

export function isHintingRoute(routeId: string, generation: number): boolean {
  if (generation !== generationOfLook) {
    generationOfLook = generation;
    hasHintingRoutes = health.get('hints') !== undefined;
  }
  return hasHintingRoutes && health.get(`e:${routeId}`) !== undefined;
}

export function rememberHints(routeId: string): void {
  health.set(`e:${routeId}`, 1, REMEMBERED_SECONDS);
  if (health.get('hints') !== undefined) return;
  health.set('hints', 1);
  // All workers look again.
  beginGeneration();
}
