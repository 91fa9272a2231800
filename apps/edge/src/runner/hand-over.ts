import { openConnection } from './connection-limit.ts';
import { currentGeneration } from './generation.ts';
import type { PageKind } from './page-texts.ts';
import type { PreparedRoute, PreparedUpstream } from './prepared-route.ts';
import { noteVerdict, sendPage } from './refusal.ts';
import { findBrand, settingsAt } from './settings.ts';
import { hasRoomForWebsocket, openWebsocket } from './websocket-limit.ts';

/** Whether this request's origin is spoken to over TLS. */
export function usesTls(upstream: PreparedUpstream, isTls: boolean): boolean {
  return upstream.protocol === 'https' || (isTls && upstream.protocol === 'http_https');
}

export const isWebsocket = (upgrade: string | undefined): boolean => (upgrade ?? '').toLowerCase() === 'websocket';

function refuse(route: PreparedRoute, kind: PageKind, status: number, action: string, reason: string): void {
  noteVerdict('', action, reason, '');
  sendPage(kind, status, kind, findBrand(settingsAt(currentGeneration()), route.brand), route);
}

/**
 * Hands a request over to the location that can do what the ordinary one cannot: see the end of what is counted, verify
 * an origin otherwise than by public CAs.
 */
export function handOver(route: PreparedRoute, isTls: boolean): void {
  const upstream = route.upstream as PreparedUpstream;
  const location = usesTls(upstream, isTls) ? upstream.tlsLocation : undefined;
  if (location !== undefined && upstream.isTlsRefused) {
    refuse(route, 'bad_gateway', 502, '', 'origin_tls_failed');
    return;
  }
  const isCounted = route.isFree && isWebsocket(ngx.var.http_upgrade);
  if (isCounted && !hasRoomForWebsocket(route)) {
    refuse(route, 'websocket_limit', 503, 'block', 'websocket_limit');
    return;
  }
  if (upstream.connectionLimit > 0 && !openConnection(route.id, upstream.connectionLimit)) {
    ngx.header['Retry-After'] = 5;
    refuse(route, 'origin_limit', 503, 'block', 'origin_limit');
    return;
  }
  if (isCounted) openWebsocket(route);
  ngx.exec(location ?? '@accounted');
}
