import { sendDirectly } from './direct-exchange.ts';
import { sendPage } from './refusal.ts';
import { currentGeneration, findRoute } from './route-lookup.ts';
import { findBrand, settingsAt } from './settings.ts';

/**
 * Stock nginx takes an origin's interim answer (103 Early Hints, RFC 8297) for the final one: the visitor would get an
 * answer without an end. So it is given up before a byte of it is sent, the request goes to the origin a second time
 * over a connection of our own that reads interim answers, and so do, for a while, all later requests of the route.
 */
const health = ngx.shared.cordon_health as SharedDict;
const REMEMBERED_SECONDS = 3600;
/** Internal only: `error_page` leads it to the location @hints. */
const INTERIM_STATUS = 515;
const BODY_BYTES_MAX = 8 * 1024 * 1024;
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

/** `header_filter_by_lua`: gives up on an interim answer. */
export function filterHeader(this: void): void {
  const status = ngx.status;
  if (status >= 200 || status === 101) return;
  const route = ngx.ctx.route;
  if (route !== undefined) {
    health.set(`e:${route.id}`, 1, REMEMBERED_SECONDS);
    health.set('hints', 1);
    // All workers look again.
    (ngx.shared.cordon_meta as SharedDict).incr('generation', 1, 0);
  }
  ngx.exit(INTERIM_STATUS);
}

/** Whether the body of the request, if there is one, can be read into memory first. */
export function canSendDirectly(): boolean {
  if (ngx.var.http_transfer_encoding !== undefined || ngx.var.http_upgrade !== undefined) return false;
  const length = ngx.var.http_content_length;
  return length === undefined || (tonumber(length) ?? BODY_BYTES_MAX + 1) <= BODY_BYTES_MAX;
}

/** Content of @hints. */
export function answerInstead(this: void, isTls: boolean): void {
  const generation = currentGeneration();
  const match = findRoute(ngx.var.host ?? '', generation);
  const method = ngx.req.get_method();
  const wasSent = ngx.var.upstream_status !== undefined;
  const isRepeatable = method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
  const isAnswered =
    match !== undefined && (!wasSent || (isRepeatable && canSendDirectly())) && sendDirectly(match.route, isTls);
  if (!isAnswered) {
    const brand = findBrand(settingsAt(generation), match === undefined ? undefined : match.route.brand);
    sendPage('bad_gateway', 502, 'bad_gateway', brand);
  }
}
