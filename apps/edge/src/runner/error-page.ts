import { currentGeneration } from './generation.ts';
import { noteTlsFailure } from './origin-tls.ts';
import type { PageKind } from './page-texts.ts';
import { sendPage } from './refusal.ts';
import { findRoute } from './route-lookup.ts';
import { findBrand, settingsAt } from './settings.ts';
import { countFailure } from './upstream-health.ts';

function kindOf(status: number): PageKind {
  if (status === 502) return 'bad_gateway';
  if (status === 504) return 'gateway_timeout';
  if (status === 413 || status === 414 || status === 431) return 'too_large';
  return status < 500 ? 'bad_request' : 'server_error';
}

/** Last of the addresses that nginx tried, as `host:port`. */
function lastAddress(addresses: string): string {
  const all = addresses.split(', ');
  return all[all.length - 1] as string;
}

/** Content of the location for errors that nginx itself found; an origin's own error pages do not come here. */
export function sendErrorPage(this: void): void {
  const status = ngx.status;
  const generation = currentGeneration();
  const settings = settingsAt(generation);
  const host = ngx.var.host ?? '';
  const match = host === '' ? undefined : findRoute(host, generation);
  const addresses = ngx.var.upstream_addr;
  // Failures that were followed by another try have been counted by the balancer.
  if (match !== undefined && addresses !== undefined && (status === 502 || status === 504)) {
    const address = lastAddress(addresses);
    countFailure(match.route, address);
    if (status === 502) noteTlsFailure(match.route, ngx.var.scheme === 'https', address);
  }
  const kind = kindOf(status);
  const route = match === undefined ? undefined : match.route;
  sendPage(kind, status, kind, findBrand(settings, route === undefined ? undefined : route.brand), route);
}
