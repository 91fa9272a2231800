import { add_header } from 'ngx.resp';
import { AGAIN_STATUS, finishStored, renewSlice, statusText } from './cache-answer.ts';
import { UNNAMED } from './cache-fetch.ts';
import { ANEW, CACHE_LOCATIONS, lookFor } from './cache-lookup.ts';
import { createContext } from './edge-context.ts';
import { currentGeneration } from './generation.ts';
import { leaveUnlogged } from './logged-rows.ts';
import type { RunnerShields } from './payload.ts';
import { readHeader, removeUnwanted } from './request-headers.ts';
import { learnParts, readTarget } from './request-parts.ts';
import { notePassed, passedRoute } from './request-state.ts';
import { findRoute, type RouteMatch } from './route-lookup.ts';
import { settingsAt } from './settings.ts';
import { areCarriedOut } from './shield-clears.ts';
import { readNote, type ShieldNote } from './shield-note.ts';
import { hasLease } from './shield-state.ts';

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
    const cache = passedRoute()?.cache;
    ngx.exit(AGAIN_STATUS[cache === undefined ? 'paid' : cache.zone]);
    return;
  }
  if (!isStored && cacheStatus !== 'REVALIDATED') sayOrigin();
  if (!isStored && variables.upstream_http_cordon_failed !== undefined) {
    const failed = variables.upstream_http_cordon_failed;
    ngx.header['Cordon-Shielded'] = `failed ${failed === '' ? UNNAMED : failed}`;
    return;
  }
  const now = ngx.time();
  const facts = finishStored(cacheStatus, variables.upstream_http_cordon_stored, scheme);
  if (facts === undefined) return;
  const age = Math.max(now - facts.madeAt, 0);
  ngx.header.Age = age;
  const text = statusText(cacheStatus, facts, now);
  add_header('Cache-Status', string.gsub(text, '^Cordon;', 'Cordon-Shield;')[0]);
  const { staleWhileRevalidateSeconds, staleIfErrorSeconds, mustRevalidate } = facts;
  ngx.header['Cordon-Shielded'] =
    `answer ${age} ${facts.freshUntil - now} ${staleWhileRevalidateSeconds} ${staleIfErrorSeconds} ${mustRevalidate ? 1 : 0}`;
}

/** For the row that the node writes: the request came to one to the origin. */
function sayOrigin(): void {
  ngx.header['Cordon-Origin'] = ngx.var.upstream_http_cordon_origin;
  ngx.header['Cordon-Origin-Status'] = ngx.var.upstream_http_cordon_origin_status;
}
