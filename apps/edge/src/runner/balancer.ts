import { set_current_peer, set_more_tries, set_timeouts } from 'ngx.balancer';
import type { PreparedRoute, PreparedTarget, PreparedUpstream } from './prepared-route.ts';
import { passedRoute, type RequestState } from './request-state.ts';
import { refuseUnseenBody } from './uploads.ts';
import { countFailure, isDown } from './upstream-health.ts';
import { websocketSilence } from './websockets.ts';

function portOf(target: PreparedTarget, upstream: PreparedUpstream, isTls: boolean): number {
  if (target.port !== undefined) return target.port;
  const usesTls = upstream.protocol === 'https' || (upstream.protocol === 'http_https' && isTls);
  return usesTls ? 443 : 80;
}

/** Next address of a target in turn that may be used; undefined when none may. */
function pickAddress(
  route: PreparedRoute,
  target: PreparedTarget,
  port: number,
  tried: LuaTable<string, boolean> | undefined,
  needsHealth: boolean,
): string | undefined {
  const count = target.addresses.length;
  for (let step = 0; step < count; step++) {
    const address = target.addresses[(target.nextAddress + step) % count] as string;
    const key = `${address}:${port}`;
    const isTried = tried !== undefined && tried.get(key) === true;
    if (!isTried && !(needsHealth && isDown(route.id, key))) return address;
  }
  return undefined;
}

/**
 * Smooth weighted round robin (as nginx's own): every target gains its weight, the richest is taken and pays the sum.
 * State is each worker's own.
 */
function pickTarget(
  state: RequestState,
  route: PreparedRoute,
  targets: readonly PreparedTarget[],
  isTls: boolean,
  needsHealth: boolean,
): boolean {
  const upstream = route.upstream as PreparedUpstream;
  let best: PreparedTarget | undefined;
  let bestAddress = '';
  let total = 0;
  for (const target of targets) {
    const address = pickAddress(route, target, portOf(target, upstream, isTls), state.tried, needsHealth);
    if (address !== undefined) {
      total += target.weight;
      target.currentWeight += target.weight;
      if (best === undefined || target.currentWeight > best.currentWeight) {
        best = target;
        bestAddress = address;
      }
    }
  }
  if (best === undefined) return false;
  best.currentWeight -= total;
  best.nextAddress = (best.nextAddress + 1) % best.addresses.length;
  state.target = best;
  state.address = bestAddress;
  return true;
}

function pick(state: RequestState, route: PreparedRoute, upstream: PreparedUpstream, isTls: boolean): void {
  if (upstream.isSingle) {
    const only = (upstream.primaries[0] ?? upstream.backups[0]) as PreparedTarget;
    state.target = only;
    state.address = only.addresses[0];
    return;
  }
  if (pickTarget(state, route, upstream.primaries, isTls, true)) return;
  if (pickTarget(state, route, upstream.backups, isTls, true)) return;
  // Everything is down: better to try than to refuse.
  if (pickTarget(state, route, upstream.primaries, isTls, false)) return;
  if (pickTarget(state, route, upstream.backups, isTls, false)) return;
  // Everything has been tried by this request: nginx asks again after a kept connection turned out closed.
  state.tried = undefined;
  pickTarget(state, route, upstream.primaries.length > 0 ? upstream.primaries : upstream.backups, isTls, false);
}

function noteFailedTry(state: RequestState, route: PreparedRoute, upstream: PreparedUpstream, isTls: boolean): void {
  if (state.target === undefined) return;
  const key = `${state.address}:${portOf(state.target, upstream, isTls)}`;
  countFailure(route, key);
  state.tried = state.tried ?? new LuaTable<string, boolean>();
  state.tried.set(key, true);
}

/** Chooses target and address as the balancer does; answers the port, or undefined when there is nothing to choose. */
export function chooseTarget(
  state: RequestState,
  route: PreparedRoute,
  upstream: PreparedUpstream,
  isTls: boolean,
): number | undefined {
  if (upstream.primaries.length === 0 && upstream.backups.length === 0) return undefined;
  pick(state, route, upstream, isTls);
  return state.target === undefined ? undefined : portOf(state.target, upstream, isTls);
}

/** What no choice has to be made for needs no state either: a table in `ngx.ctx` would cost as much as all the rest here. */
const NO_CHOICE: RequestState = {};

/** NGX_BUSY: nginx answers 502. */
const NO_PEER = -3;

/** `balancer_by_lua`: chooses where the request goes, for the first time or after a failure. */
export function balance(this: void): void {
  const route = passedRoute();
  // Taken away since the request was let pass. Without a peer nginx would connect to what stands in its configuration.
  if (route === undefined || route.upstream === undefined || refuseUnseenBody()) {
    ngx.exit(NO_PEER);
    return;
  }
  const upstream = route.upstream;
  const isTls = upstream.protocol === 'http_https' && ngx.var.cordon_scheme === 'https';
  const state = upstream.isSingle ? NO_CHOICE : ngx.ctx;
  if (!upstream.isSingle) {
    if (state.target !== undefined) noteFailedTry(state, route, upstream, isTls);
    else if (upstream.tries > 1) set_more_tries(upstream.tries - 1);
  }
  pick(state, route, upstream, isTls);
  const target = state.target as PreparedTarget | undefined;
  if (target === undefined || state.address === undefined) {
    ngx.exit(NO_PEER);
    return;
  }
  const silence = websocketSilence();
  if (upstream.hasOwnTimeouts || silence !== undefined)
    set_timeouts(upstream.connectTimeoutSeconds, upstream.sendTimeoutSeconds, silence ?? upstream.readTimeoutSeconds);
  const [isSet, error] = set_current_peer(state.address, portOf(target, upstream, isTls));
  if (isSet !== true) ngx.log(ngx.ERR, 'target ', target.name, ': ', error);
}
