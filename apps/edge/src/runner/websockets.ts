import { FREE_WEBSOCKETS_PER_DOMAIN } from '@cordon/contract/constants';
import { get_request } from 'resty.core.base';
import { takePlace } from './concurrency-limit.ts';
import { shutdownDescriptor, visitorDescriptor } from './native.ts';
import type { PreparedRoute, PreparedUpstream } from './prepared-route.ts';
import { recur, TICKS_PER_SECOND } from './recurring.ts';
import { originDescriptor } from './request-body.ts';
import { options } from './runner-options.ts';

/**
 * Websockets. nginx has one time-out for the answer to an upgrade and for the silence after it, and makes a tunnel of any
 * 101: what differs, and what must not be a tunnel, is found here.
 */
interface Websocket {
  readonly isFree: boolean;
  readonly request: NativeRequest | undefined;
  readonly descriptor: number | undefined;
  /** The origin has agreed to it. */
  isOpen: boolean;
  /** Unix seconds. */
  endsAt: number;
}

/** Those of this worker that end at a time, by request id; what ends a request takes it out before its descriptor is closed. */
const ending = new LuaTable<string, Websocket>();
let endingCount = 0;
/** Requests whose origin kept silent, by id, until their page is made. */
const unanswered = new LuaTable<string, boolean>();

/** Whether this request asks for a websocket. Only HTTP/1.1 has `Upgrade` (RFC 9110 7.8, RFC 9113 8.2.2). */
export const isWebsocketRequest = (): boolean =>
  (ngx.var.http_upgrade ?? '').toLowerCase() === 'websocket' && ngx.var.server_protocol === 'HTTP/1.1';

/** Takes in a request for a websocket, which must go on where `endWebsocket` sees its end; false when there is no room. */
export function openWebsocket(route: PreparedRoute, upstream: PreparedUpstream): boolean {
  const requestId = ngx.var.cordon_request_id ?? '';
  if (route.isFree && !takePlace(requestId, `websocket ${route.id}`, FREE_WEBSOCKETS_PER_DOMAIN)) return false;
  const request = get_request() as NativeRequest | undefined;
  const seconds = upstream.tries * (upstream.connectTimeoutSeconds + upstream.readTimeoutSeconds);
  ending.set(requestId, {
    isFree: route.isFree,
    request,
    isOpen: false,
    descriptor: request === undefined ? undefined : visitorDescriptor(request),
    endsAt: ngx.now() + seconds,
  });
  endingCount++;
  return true;
}

/** The silence that this request's origin may keep, where it is a websocket's; most workers have none to look for. */
export function websocketSilence(): number | undefined {
  return endingCount > 0 && isWebsocketRequest() ? options.limits.websocket_silence_seconds : undefined;
}

/** Notes the upgrade of this request; false when it has asked for none, or the answer 101 is none to it (RFC 6455 4.1). */
export function acceptUpgrade(): boolean {
  const requestId = ngx.var.cordon_request_id ?? '';
  const websocket = ending.get(requestId) as Websocket | undefined;
  if (websocket === undefined) return false;
  const upgrade = ngx.var.upstream_http_upgrade ?? '';
  if (upgrade.toLowerCase() !== 'websocket') return false;
  // nginx.conf withholds it from all other answers.
  ngx.header.Upgrade = upgrade;
  websocket.isOpen = true;
  if (websocket.isFree) websocket.endsAt = ngx.now() + options.limits.free_websocket_seconds;
  else endWebsocket(requestId);
  return true;
}

/** In `log_by_lua` of every place where such a request can end. */
export function endWebsocket(requestId: string): void {
  unanswered.delete(requestId);
  if (ending.get(requestId) === undefined) return;
  ending.delete(requestId);
  endingCount--;
}

/** Whether this request was ended because its origin has not answered it in time. */
export const isUnanswered = (): boolean => unanswered.get(ngx.var.cordon_request_id ?? '') === true;

function sweep(this: void): void {
  if (endingCount === 0) return;
  const now = ngx.now();
  for (const [requestId, { endsAt, descriptor, isOpen, request }] of ending) {
    if (now < endsAt) continue;
    // By its connection to the origin, so that the visitor gets a page.
    const origin = isOpen || request === undefined ? undefined : originDescriptor(request);
    if (origin !== undefined) unanswered.set(requestId, true);
    const ended = origin ?? descriptor;
    if (ended !== undefined) shutdownDescriptor(ended);
  }
}

/** `init_worker_by_lua`: one look for all, since each of a flood of short ones would leave its own timer behind. */
export function sweepWebsockets(): void {
  recur(TICKS_PER_SECOND, sweep);
}
