import { currentGeneration } from './generation.ts';
import { endGivenUp } from './given-up-answer.ts';
import { dropObjectFields } from './object-fields.ts';
import { noteTlsFailure } from './origin-tls.ts';
import type { PageKind } from './page-texts.ts';
import { noteVerdict, sendPage } from './refusal.ts';
import { findRoute, type RouteMatch } from './route-lookup.ts';
import { findBrand, settingsAt } from './settings.ts';
import { reasonOfEnd } from './uploads.ts';
import { countFailure } from './upstream-health.ts';
import { isUnanswered } from './websockets.ts';

function kindOf(status: number): PageKind {
  if (status === 502) return 'bad_gateway';
  if (status === 504) return 'gateway_timeout';
  if (status === 413 || status === 414 || status === 431) return 'too_large';
  return status < 500 || status === 501 ? 'bad_request' : 'server_error';
}

/** Statuses of requests that nginx cannot read, or does not take from anyone. */
const isMalformed = (status: number): boolean =>
  status === 400 || status === 405 || status === 411 || status === 414 || status === 431 || status === 501;

/** Last of the addresses that nginx tried, as `host:port`. */
function lastAddress(addresses: string): string {
  const all = addresses.split(', ');
  return all[all.length - 1] as string;
}

/**
 * The route of a request, and that its row of the log says so: what nginx gives up by itself, the runner has not seen before. Of one
 * whose Host nginx has not read, the first line being none that it takes, TLS still says which name it was for.
 */
function findFailed(generation: number): RouteMatch | undefined {
  let host = ngx.var.host ?? '';
  if (host === '') {
    host = (ngx.var.ssl_server_name ?? '').toLowerCase();
    ngx.var.cordon_host = host;
  }
  const match = host === '' ? undefined : findRoute(host, generation);
  if (match !== undefined && ngx.var.cordon_log === '') ngx.var.cordon_log = match.route.logText;
  return match;
}

const BEYOND_END = 416;
/**
 * Of a range that lies behind the end of what is stored, nginx finds out last: the head of that answer has been through its filters, has
 * this cache's member of Cache-Status (RFC 9211 2), and goes out with the page (RFC 9110 15.5.17).
 */
function takeOverHead(): void {
  dropObjectFields();
  ngx.var.cordon_bypass_status = '';
}

/** Content of the location for errors that nginx itself found; an origin's own error pages do not come here. */
export function sendErrorPage(this: void): void {
  endGivenUp();
  const end = reasonOfEnd();
  if (end === 'too_slow') {
    ngx.exec('@too_slow');
    return;
  }
  // What the balancer refuses, or the runner has ended, is 502 to nginx.
  const status = end === 'no_length' ? 411 : isUnanswered() ? 504 : ngx.status;
  const generation = currentGeneration();
  const settings = settingsAt(generation);
  const match = findFailed(generation);
  const addresses = ngx.var.upstream_addr;
  // Failures that were followed by another try have been counted by the balancer.
  if (match !== undefined && addresses !== undefined && (status === 502 || status === 504)) {
    const address = lastAddress(addresses);
    countFailure(match.route, address);
    if (status === 502) noteTlsFailure(match.route, ngx.var.scheme === 'https', address);
  }
  if (isMalformed(status)) noteVerdict('', 'block', 'bad_request', '');
  if (status === BEYOND_END) takeOverHead();
  const kind = kindOf(status);
  const route = match === undefined ? undefined : match.route;
  sendPage(kind, status, kind, findBrand(settings, route === undefined ? undefined : route.brand), route);
}

/** Content of @too_slow, where nothing is kept open: what is left of the body must not be waited for. */
export function sendTooSlowPage(this: void): void {
  const generation = currentGeneration();
  const match = findRoute(ngx.var.host ?? '', generation);
  const route = match === undefined ? undefined : match.route;
  noteVerdict('', 'block', 'body_too_slow', '');
  const brand = findBrand(settingsAt(generation), route === undefined ? undefined : route.brand);
  sendPage('body_too_slow', 408, 'body_too_slow', brand, route);
}
