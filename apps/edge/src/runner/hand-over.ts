import { waitForPlace } from './concurrency-limit.ts';
import { currentGeneration } from './generation.ts';
import type { PageKind } from './page-texts.ts';
import type { PreparedRoute, PreparedUpstream } from './prepared-route.ts';
import { noteVerdict, sendPage } from './refusal.ts';
import { findRoute } from './route-lookup.ts';
import { options } from './runner-options.ts';
import { findBrand, settingsAt } from './settings.ts';
import { takeInBody, type UploadRefusal } from './uploads.ts';
import { isWebsocketRequest, openWebsocket } from './websockets.ts';

/** Whether this request's origin is spoken to over TLS. */
export function usesTls(upstream: PreparedUpstream, isTls: boolean): boolean {
  return upstream.protocol === 'https' || (isTls && upstream.protocol === 'http_https');
}

function refuse(route: PreparedRoute, kind: PageKind, status: number, action: string, reason: string): void {
  noteVerdict('', action, reason, '');
  sendPage(kind, status, kind, findBrand(settingsAt(currentGeneration()), route.brand), route);
}

function refuseUpload(route: PreparedRoute, refusal: UploadRefusal): void {
  if (refusal === 'too_slow') {
    ngx.exec('@too_slow');
    return;
  }
  ngx.header['Retry-After'] = 5;
  refuse(route, 'upload_limit', refusal === 'too_many_of_client' ? 429 : 503, 'block', 'upload_limit');
}

/**
 * Hands a request over to the location that can do what the ordinary one cannot: see the end of what is counted, verify
 * an origin otherwise than by public CAs.
 */
export function handOver(known: PreparedRoute, isTls: boolean): void {
  const refusal = takeInBody(known.id);
  if (refusal !== undefined) {
    refuseUpload(known, refusal);
    return;
  }
  // A body may have taken its time.
  const match = findRoute(ngx.var.host ?? '', currentGeneration());
  const route = match === undefined || match.route.id !== known.id ? known : match.route;
  const upstream = route.upstream;
  if (upstream === undefined) ngx.exit(502);
  else handOverTo(route, upstream, isTls);
}

/** What holds for the route now; one that is removed has no limit. */
function limitNow(id: string): number {
  const match = findRoute(ngx.var.host ?? '', currentGeneration());
  const upstream = match === undefined || match.route.id !== id ? undefined : match.route.upstream;
  return upstream === undefined ? 0 : upstream.connectionLimit;
}

function takePlaceAtOrigin(route: PreparedRoute, upstream: PreparedUpstream): 'taken' | 'refused' | 'left' {
  if (upstream.connectionLimit === 0) return 'taken';
  const requestId = ngx.var.cordon_request_id ?? '';
  const seconds = options.limits.origin_queue_seconds;
  return waitForPlace(requestId, `request ${route.id}`, () => limitNow(route.id), seconds);
}

function handOverTo(route: PreparedRoute, upstream: PreparedUpstream, isTls: boolean): void {
  const location = usesTls(upstream, isTls) ? upstream.tlsLocation : undefined;
  if (location !== undefined && upstream.isTlsRefused) {
    refuse(route, 'bad_gateway', 502, '', 'origin_tls_failed');
    return;
  }
  const place = takePlaceAtOrigin(route, upstream);
  // As nginx logs a visitor who leaves.
  if (place === 'left') ngx.exit(499);
  if (place === 'refused') {
    ngx.header['Retry-After'] = 5;
    refuse(route, 'origin_limit', 503, 'block', 'origin_limit');
    return;
  }
  if (isWebsocketRequest() && !openWebsocket(route, upstream)) {
    refuse(route, 'websocket_limit', 503, 'block', 'websocket_limit');
    return;
  }
  ngx.exec(location ?? '@accounted');
}
