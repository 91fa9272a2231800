import { matchAddressSet } from '@cordon/contract/address-set';
import { addressOf, canonicalPeer, forwardedClient } from './client-address.ts';
import { canSendDirectly, isHintingRoute } from './early-hints.ts';
import { createContext } from './edge-context.ts';
import { isHostName } from './host-name.ts';
import { isEqualSecret } from './native.ts';
import type { RunnerSettings } from './payload.ts';
import type { PreparedRoute } from './prepared-route.ts';
import { isValidPreview } from './preview-token.ts';
import { sendProbe } from './probe.ts';
import { noteVerdict, refuse, sendPage, sendRedirect } from './refusal.ts';
import { removeConnectionOptions, removeUnwanted, scanHeaders } from './request-headers.ts';
import { currentGeneration, findRoute, type RouteMatch } from './route-lookup.ts';
import { options } from './runner-options.ts';
import { redactQuery } from './secret-query.ts';
import { findBrand, settingsAt } from './settings.ts';
import { handOverWebsocket } from './websocket-limit.ts';

const PROBE_PATH = '/.well-known/cordon/probe';

/** Who the visitor is, where `$remote_addr` does not say it. */
function findClient(): void {
  const peer = ngx.var.remote_addr ?? '';
  let client = canonicalPeer(peer);
  if (options.demoSecret !== '') {
    const shown = ngx.var.http_cordon_demo_secret;
    const isLoopback = client === '::1' || string.sub(client, 1, 4) === '127.';
    if (isLoopback && shown !== undefined && isEqualSecret(shown, options.demoSecret)) {
      const country = ngx.var.http_cordon_demo_country;
      if (country !== undefined) ngx.var.cordon_country = country;
      const forwarded = ngx.var.http_x_forwarded_for;
      if (forwarded !== undefined) client = forwardedClient(client, forwarded, options.trusted);
    }
  }
  if (options.trusted.size > 0 && matchAddressSet(options.trusted, addressOf(client)) !== undefined) {
    const forwarded = ngx.var.http_x_forwarded_for;
    if (forwarded !== undefined) client = forwardedClient(client, forwarded, options.trusted);
  }
  if (client !== peer) ngx.var.cordon_client = client;
}

/** Refuses a connection whose TLS name belongs to another account than its Host (or to nobody). */
function isMisdirected(host: string, route: PreparedRoute, generation: number): boolean {
  const name = ngx.var.ssl_server_name;
  if (name === undefined || name === '' || name === host) return false;
  const match = findRoute(name.toLowerCase(), generation);
  return match === undefined || match.route.accountId !== route.accountId;
}

function isLoop(id: string): boolean {
  const values = ngx.req.get_headers(0)['cdn-loop' as never] as string | string[] | undefined;
  const text = typeof values === 'string' ? values : (values ?? []).join(',');
  for (const entry of text.split(',')) {
    if ((entry.split(';')[0] as string).trim().toLowerCase() === id.toLowerCase()) return true;
  }
  ngx.var.cordon_cdn_loop = text === '' ? id : `${text}, ${id}`;
  return false;
}

/** Runs the route's plugins. Answers whether the request goes on. */
function runPlugins(route: PreparedRoute, settings: RunnerSettings | undefined): boolean {
  const context = createContext();
  let isAllowed = false;
  for (const plugin of route.plugins) {
    const isSkipped = isAllowed && plugin.isProtection;
    const verdict = isSkipped ? undefined : plugin.access(context, plugin.prepared);
    if (verdict !== undefined) {
      noteVerdict(plugin.name, verdict.kind, verdict.reason, verdict.rule);
      if (verdict.kind === 'allow') {
        isAllowed = true;
        continue;
      }
      if (verdict.kind === 'redirect') sendRedirect(verdict.status, verdict.location);
      else
        sendPage(
          verdict.status === 508 ? 'loop' : 'blocked',
          verdict.status,
          verdict.reason,
          findBrand(settings, route.brand),
        );
      return false;
    }
  }
  return true;
}

function isPreview(match: RouteMatch, settings: RunnerSettings | undefined): boolean {
  const token = ngx.var.http_cordon_preview;
  return (
    token !== undefined &&
    settings !== undefined &&
    isValidPreview(token, match.route.id, settings.preview_key, ngx.now())
  );
}

function isProbe(settings: RunnerSettings | undefined): boolean {
  const key = ngx.var.http_cordon_probe;
  return (
    key !== undefined &&
    settings !== undefined &&
    settings.probe_key !== '' &&
    ngx.var.uri === PROBE_PATH &&
    isEqualSecret(key, settings.probe_key)
  );
}

/** `access_by_lua` of the visitors' servers: everything that decides whether and where a request goes on. */
export function access(this: void, isTls: boolean): void {
  const variables = ngx.var;
  const generation = currentGeneration();
  const settings = settingsAt(generation);
  const scan = scanHeaders();
  const { hasInternal, hasUnwanted, hasCdnLoop, hasUpgrade, hasConnectionOptions } = scan;

  const query = variables.args;
  if (query !== undefined && query !== '') variables.cordon_query = redactQuery(query);
  if (options.needsClientSearch) findClient();

  const host = variables.host ?? '';
  const match = findRoute(host, generation);
  if (scan.isTooLong || (match === undefined && !isHostName(host))) {
    refuse('bad_request', 400, 'bad_request', findBrand(settings, undefined));
    return;
  }
  if (match === undefined && settings === undefined) {
    // Settings come after the routes: this node does not know yet what it serves.
    refuse('server_error', 503, 'unknown_host', undefined);
    return;
  }
  if (match === undefined) {
    refuse('unknown_host', 421, 'unknown_host', findBrand(settings, undefined));
    return;
  }
  const route = match.route;
  variables.cordon_log = route.logText;

  if (isTls && isMisdirected(host, route, generation)) {
    refuse('misdirected', 421, 'misdirected', findBrand(settings, route.brand));
    return;
  }
  if (hasInternal && isProbe(settings)) {
    sendProbe(route);
    return;
  }
  if (!match.isVerified && !(hasInternal && isPreview(match, settings))) {
    refuse('not_pointed', 421, 'not_verified', findBrand(settings, route.brand));
    return;
  }
  const loopId = settings === undefined ? options.cdnLoopId : settings.cdn_loop_id;
  if (!hasCdnLoop) {
    if (loopId !== options.cdnLoopId) variables.cordon_cdn_loop = loopId;
  } else if (isLoop(loopId)) {
    refuse('loop', 508, 'loop', findBrand(settings, route.brand));
    return;
  }
  if (route.plugins.length > 0 && !runPlugins(route, settings)) return;

  const upstream = route.upstream;
  if (upstream === undefined || (upstream.primaries.length === 0 && upstream.backups.length === 0)) {
    refuse('no_upstream', 502, 'no_upstream', findBrand(settings, route.brand));
    return;
  }
  if (hasUnwanted) removeUnwanted();
  if (hasConnectionOptions) removeConnectionOptions(variables.http_connection ?? '');
  if (hasUpgrade && route.isFree && (variables.http_upgrade ?? '').toLowerCase() === 'websocket') {
    handOverWebsocket(route, findBrand(settings, route.brand));
    return;
  }
  proceed(route, isTls, generation);
}

/** Leaves the request to the proxy, with its route. */
export function proceed(route: PreparedRoute, isTls: boolean, generation: number): void {
  const upstream = route.upstream;
  if (upstream === undefined) return;
  if (isHintingRoute(route.id, generation) && canSendDirectly()) {
    ngx.exec('@direct');
    return;
  }
  if (upstream.originHost !== undefined) ngx.var.cordon_origin_host = upstream.originHost;
  if (upstream.protocol === 'https' || (isTls && upstream.protocol === 'http_https')) {
    ngx.var.cordon_upstream = upstream.tlsKeepalive ? 'https://origin_tls' : 'https://origin_tls_once';
  }
  ngx.ctx = { route, isTls };
}
