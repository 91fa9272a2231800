import { leaveAsItIs, negotiateCoding, negotiateUnmodified } from './answer-coding.ts';
import { invalidateByAnswer } from './cache-invalidation.ts';
import { sendDirectly } from './direct-exchange.ts';
import { currentGeneration } from './generation.ts';
import { endGivenUp } from './given-up-answer.ts';
import { rememberHints } from './hinting-routes.ts';
import { setHsts } from './hsts.ts';
import { withholdFields } from './origin-fields.ts';
import { sendPage, sendRedirect } from './refusal.ts';
import { notePassed, passedRoute } from './request-state.ts';
import { responseChanges } from './response-changes.ts';
import { findRoute } from './route-lookup.ts';
import { findBrand, settingsAt } from './settings.ts';
import { filterAnswer, filterPlainAnswer } from './visitor-response.ts';
import { acceptUpgrade } from './websockets.ts';

/**
 * Stock nginx takes an origin's interim answer (103 Early Hints, RFC 8297) for the final one, so that the visitor gets
 * an answer without an end. It is given up before a byte of it is sent: a visitor whose request can be repeated is sent
 * here once more (nothing that waits can be done at that place), another one gets an error. All later requests of the
 * route go over a socket of our own that reads interim answers, for as long as the origin sends any.
 */
/** Internal only: `error_page` leads it to the location @interim. */
const INTERIM_STATUS = 515;
const BODY_BYTES_MAX = 8 * 1024 * 1024;
const NOT_MODIFIED = 304;
/** Of the answer that is being filtered. */
const final = { isNotModified: false };

/** Whether the answer is a final one. Gives up on an interim answer, and on an upgrade that is none. */
function isFinal(): boolean {
  const status = ngx.status;
  final.isNotModified = status === NOT_MODIFIED;
  if (status >= 200 || (status === 101 && acceptUpgrade())) return true;
  giveUp(status);
  return false;
}

function giveUp(status: number): void {
  // In a header filter, `exit` returns.
  if (status === 101) {
    ngx.exit(502);
    return;
  }
  const route = passedRoute();
  if (route !== undefined) rememberHints(route.id);
  ngx.exit(INTERIM_STATUS);
}

/** Once all else of an answer is set; `mayBeCompressed` is false of what plainly is not. */
function finishCoding(mayBeCompressed: boolean): void {
  if (final.isNotModified) negotiateUnmodified();
  else if (mayBeCompressed || responseChanges.ofType) negotiateProxied();
}

function negotiateProxied(): void {
  // The runner's own pages.
  if (ngx.var.upstream_addr === undefined) leaveAsItIs();
  else negotiateCoding();
}

/** `header_filter_by_lua` of what the proxy answers in a location of its own. */
export function filterHeader(this: void): void {
  if (!isFinal()) return;
  const mayBeCompressed = withholdFields();
  invalidateByAnswer();
  if (filterAnswer()) finishCoding(mayBeCompressed);
}

/** The same of `location /`, which has no filter of bodies. */
export function filterPlainHeader(this: void, isTls: boolean): void {
  if (!isFinal()) return;
  const mayBeCompressed = withholdFields();
  invalidateByAnswer();
  if (filterPlainAnswer(isTls)) finishCoding(mayBeCompressed);
}

/** The same of @step, which also gives answers of its own. */
export function filterStepHeader(this: void): void {
  if (ngx.var.upstream_addr !== undefined) filterHeader();
  else leaveAsItIs();
}

/** Whether the body of the request, if there is one, can be read into memory first. */
export function canSendDirectly(): boolean {
  if (ngx.var.http_transfer_encoding !== undefined || ngx.var.http_upgrade !== undefined) return false;
  const length = ngx.var.http_content_length;
  return length === undefined || (tonumber(length) ?? BODY_BYTES_MAX + 1) <= BODY_BYTES_MAX;
}

/** The visited name, with the port that the visitor wrote: the Host field may name another host than the request does. */
function visitedAuthority(): string {
  const host = ngx.var.host ?? '';
  const [, , name, port] = string.find(ngx.var.http_host ?? '', '^(.-)(:%d%d?%d?%d?%d?)$');
  return name !== undefined && string.lower(name as string) === host ? `${host}${port}` : host;
}

/** Content of @interim, where the given-up answers lead. Must not wait for anything. */
export function answerInterim(this: void): void {
  endGivenUp();
  const method = ngx.req.get_method();
  if ((method === 'GET' || method === 'HEAD') && canSendDirectly()) {
    ngx.header['Cache-Control'] = 'no-store';
    setHsts(passedRoute());
    // Absolute: a path that begins with two slashes would name another host.
    sendRedirect(307, `${ngx.var.scheme}://${visitedAuthority()}${ngx.var.request_uri}`, undefined);
    return;
  }
  sendGatewayPage();
}

/** Content of @direct, where requests of such routes go. */
export function answerDirectly(this: void, isTls: boolean): void {
  const generation = currentGeneration();
  const match = findRoute(ngx.var.host ?? '', generation);
  if (match === undefined) {
    sendGatewayPage();
    return;
  }
  notePassed(match.route, generation);
  const result = sendDirectly(match.route, isTls);
  if (result === 'failed') sendGatewayPage();
  else if (result === 'hinted') rememberHints(match.route.id);
}

function sendGatewayPage(): void {
  leaveAsItIs();
  const generation = currentGeneration();
  const match = findRoute(ngx.var.host ?? '', generation);
  const route = match === undefined ? undefined : match.route;
  const brand = findBrand(settingsAt(generation), route === undefined ? undefined : route.brand);
  sendPage('bad_gateway', 502, 'bad_gateway', brand, route);
}
