import { add_header } from 'ngx.resp';
import { AGAIN_STATUS, failureOf, finishStored, keepRefreshed, renewSlice, statusText } from './cache-answer.ts';
import { UNNAMED, VALIDATED } from './cache-fetch.ts';
import { ANEW, CACHE_LOCATIONS, keyOf, lookFor, NEWER } from './cache-lookup.ts';
import { readObject } from './cache-object.ts';
import { createContext } from './edge-context.ts';
import { currentGeneration } from './generation.ts';
import { leaveUnlogged } from './logged-rows.ts';
import type { RunnerShields } from './payload.ts';
import type { CacheZone } from './prepared-route.ts';
import { readHeader, removeUnwanted } from './request-headers.ts';
import { learnParts, readTarget } from './request-parts.ts';
import { notePassed, passedRoute } from './request-state.ts';
import { findRoute, type RouteMatch } from './route-lookup.ts';
import { settingsAt } from './settings.ts';
import { areCarriedOut } from './shield-clears.ts';
import { madeAtOf } from './shield-fetch.ts';
import { readNote, type ShieldNote } from './shield-note.ts';
import { hasLease } from './shield-state.ts';
import { storeUnsent } from './unsent-answer.ts';

/**
 * What a shield answers other nodes of its czone, in a server of its own whose name no domain has: from its cache, by the same rules as
 * visitors, but without deciding about the request, which the node has done, and without a row of the log, which the node writes.
 */

/** `error_page` does not lead these anywhere: no page is made for another node. */
function answerEmpty(status: number, said: string | undefined): void {
  ngx.status = status;
  if (said !== undefined) ngx.header['Cordon-Shielded'] = said;
  ngx.header['Content-Length'] = 0;
  ngx.send_headers();
  ngx.exit(status);
}

const MISDIRECTED = 421;
/** The node asks another shield, or the origin. */
const refuse = (why: 'lease' | 'route'): void => answerEmpty(MISDIRECTED, `refused ${why}`);

/** Before the name's first dot is the czone. */
const czoneOf = (name: string): string => name.split('.')[0] as string;

/** Undefined: this node is no shield of it. */
function ownShields(generation: number, name: string): RunnerShields | undefined {
  const shields = settingsAt(generation)?.shields?.[czoneOf(name)];
  return shields?.certificate === undefined ? undefined : shields;
}

/** The route that a node means, as it has it too; undefined: this node has another version of it, or none. */
function routeMeant({ host, routeId, version }: ShieldNote, czone: string, generation: number): RouteMatch | undefined {
  const match = findRoute(host, generation);
  if (match === undefined) return undefined;
  const { route } = match;
  const isSame = route.id === routeId && route.version === version && route.czone === czone;
  return isSame && route.off === undefined && route.upstream !== undefined ? match : undefined;
}

/** Whether nginx would answer with what the node has already, or with what is older. */
function isNoNews(zone: CacheZone, ageSeconds: number): boolean {
  const variables = ngx.var;
  const key = keyOf(
    variables.cordon_cache_prefix ?? '',
    variables.cordon_scheme ?? '',
    variables.host ?? '',
    variables.cordon_cache_target ?? '',
  );
  const stored = readObject(zone, key);
  const now = ngx.now();
  if (stored === undefined || now >= stored.freshUntil + stored.staleWhileRevalidateSeconds) return false;
  return stored.madeAt <= madeAtOf(ageSeconds, now);
}

/** `access_by_lua` of the shields' server. */
export function admitShielded(this: void): void {
  const variables = ngx.var;
  const name = variables.host ?? '';
  const shields = ownShields(currentGeneration(), name);
  const field = variables.http_cordon_shield ?? '';
  const method = ngx.req.get_method();
  const isAsking = shields !== undefined && (method === 'GET' || method === 'HEAD');
  const note = isAsking ? readNote(field, shields.key, method, variables.request_uri ?? '') : undefined;
  if (note === undefined) {
    answerEmpty(MISDIRECTED, undefined);
    return;
  }
  leaveUnlogged();
  const isCleared = areCarriedOut(note.routeId, note.clears);
  // Of what was carried out before, workers know from this generation on.
  const generation = currentGeneration();
  const match = routeMeant(note, czoneOf(name), generation);
  const cache = match === undefined ? undefined : match.route.cache;
  if (!hasLease()) refuse('lease');
  else if (match === undefined || cache === undefined) refuse('route');
  else {
    takeOver(note);
    const query = variables.args ?? '';
    const isTls = note.scheme === 'https';
    const encoding = readHeader('accept-encoding') ?? '';
    const context = createContext(match.route);
    const look = lookFor(match.route, cache, context, isTls, generation, readTarget(), query, encoding);
    if (look === 'refused' || look === 'passed') {
      refuse('route');
      return;
    }
    // What is stored may be from before a clear that the node has carried out, and this one has not.
    if (!isCleared) variables.cordon_cache_refresh = ANEW;
    else if (look !== 'sliced' && note.ageSeconds !== undefined && isNoNews(cache.zone, note.ageSeconds))
      variables.cordon_cache_refresh = NEWER;
    // A whole answer tells the node that there are no slices.
    if (look !== 'sliced') ngx.req.clear_header('Range');
    notePassed(match.route, generation);
    ngx.exec(CACHE_LOCATIONS[cache.zone][look]);
  }
}

/** The request is from now on what the visitor has asked the node. */
function takeOver({ scheme, host, client, requestId }: ShieldNote): void {
  const variables = ngx.var;
  // The node has looked for its own name in it, and added it.
  variables.cordon_cdn_loop = variables.http_cdn_loop;
  variables.cordon_scheme = scheme;
  variables.cordon_client = client;
  variables.cordon_request_id = requestId;
  const country = variables.http_cordon_country;
  if (country !== undefined) variables.cordon_country = country;
  removeUnwanted();
  ngx.req.set_header('Host', host);
  learnParts();
}

/** `header_filter_by_lua` of what the cache answers other nodes. */
export function filterShielded(this: void): void {
  const variables = ngx.var;
  const cacheStatus = variables.upstream_cache_status ?? '';
  const scheme = variables.cordon_scheme ?? '';
  if (ngx.is_subrequest) {
    renewSlice(cacheStatus, scheme);
    return;
  }
  const isStored = cacheStatus === 'HIT' || cacheStatus === 'STALE' || cacheStatus === 'UPDATING';
  if (!isStored && variables.upstream_http_cordon_again !== undefined) {
    if (variables.cordon_cache_refresh === NEWER) keepRefreshed(variables.upstream_http_cordon_again);
    const cache = passedRoute()?.cache;
    ngx.exit(AGAIN_STATUS[cache === undefined ? 'paid' : cache.zone]);
    return;
  }
  // For the row that the node writes: the request came to one to the origin.
  const failure = failureOf(cacheStatus);
  // What was no newer than what the node has was as good as stale.
  const isValidated = cacheStatus === 'HIT' && variables.cordon_refreshed === VALIDATED;
  const become = isValidated ? 'REVALIDATED' : variables.cordon_cache_refresh === NEWER ? 'EXPIRED' : cacheStatus;
  if (failure !== undefined) ngx.header['Cordon-Origin'] = failure;
  else if (isValidated)
    ngx.header['Cordon-Origin'] = `${variables.cordon_fetched_status ?? ''} ${variables.cordon_fetched_address ?? ''}`;
  else if (!isStored && cacheStatus !== 'REVALIDATED')
    ngx.header['Cordon-Origin'] = variables.upstream_http_cordon_origin;
  if (!isStored && variables.upstream_http_cordon_failed !== undefined) {
    const failed = variables.upstream_http_cordon_failed;
    ngx.header['Cordon-Shielded'] = `failed ${failed === '' ? UNNAMED : failed}`;
    return;
  }
  const now = ngx.time();
  const facts = finishStored(cacheStatus, variables.upstream_http_cordon_stored, scheme);
  // Of a node that has left; nodes ask for no ranges but those of slices.
  storeUnsent();
  if (facts === undefined) return;
  ngx.header.Age = Math.max(now - facts.madeAt, 0);
  const text = statusText(become, facts, now, failure);
  add_header('Cache-Status', string.gsub(text, '^Cordon;', 'Cordon-Shield;')[0]);
  ngx.header['Cordon-Shielded'] = string.format(
    '%s %.3f %.3f %d %d %d',
    isStored && !isValidated ? 'stored' : 'answer',
    Math.max(ngx.now() - facts.madeAt, 0),
    facts.freshUntil - ngx.now(),
    facts.staleWhileRevalidateSeconds,
    facts.staleIfErrorSeconds,
    facts.mustRevalidate ? 1 : 0,
  );
}
