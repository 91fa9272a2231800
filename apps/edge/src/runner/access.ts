import { matchAddressSet } from '@cordon/contract/address-set';
import { OFF_STATUS } from '@cordon/contract/constants';
import { isHostName } from '@cordon/contract/host-name';
import { namesCdn } from '@cordon/plugin-kit/cdn-loop';
import { PASS_SECONDS } from '@cordon/plugin-kit/challenge';
import type { BlockVerdict } from '@cordon/plugin-kit/edge';
import { isAcmeChallenge } from '@cordon/plugin-kit/force-https';
import {
  type PipelinePosition,
  type PreparedPlugin,
  pipelineStart,
  restartPipeline,
  runPipeline,
  type VerdictObserver,
} from '@cordon/plugin-kit/pipeline';
import { get_request } from 'resty.core.base';
import { banClient } from './bans.ts';
import { CACHE_LOCATIONS, type Look, lookUp, REFRESH } from './cache-lookup.ts';
import { CHALLENGE_PATH } from './challenge-page.ts';
import { addressOf, canonicalPeer, forwardedClient } from './client-address.ts';
import { canSendDirectly } from './early-hints.ts';
import { createContext, endContext, reuseContext, reusedContext } from './edge-context.ts';
import { hasFeedEntries } from './feeds.ts';
import { hasComeByTls, leadToHttps } from './force-https.ts';
import { currentGeneration } from './generation.ts';
import { usesTls } from './hand-over.ts';
import { awaitHints } from './hint-relay.ts';
import { isHintingRoute } from './hinting-routes.ts';
import { noteModifiedSince } from './modified-since.ts';
import { isEqualSecret, setRequestId } from './native.ts';
import { aimAtOrigin, setOriginFields } from './origin-request.ts';
import { admitVisit, type OwnVisit } from './own-visit.ts';
import type { PageKind } from './page-texts.ts';
import type { RunnerSettings } from './payload.ts';
import { readPosition, writePosition } from './pipeline-position.ts';
import type { PreparedCache, PreparedRoute } from './prepared-route.ts';
import { isValidPreview } from './preview-token.ts';
import { noteVerdict, setBlockedPage } from './refusal.ts';
import {
  HEAD_LINE_BYTES_MAX,
  type HeaderScan,
  readHeader,
  readScannedEncoding,
  removeConnectionOptions,
  removeUnwanted,
  scanHeaders,
} from './request-headers.ts';
import { learnParts, readHost, readPath, readTarget } from './request-parts.ts';
import { notePassed } from './request-state.ts';
import { findRoute, type RouteMatch } from './route-lookup.ts';
import { options } from './runner-options.ts';
import { redactQuery } from './secret-query.ts';
import { findBrand, settingsAt } from './settings.ts';
import {
  BLOCKED_STEP,
  CACHED_STEP,
  CHALLENGE_STEP,
  challengeStep,
  DIRECT_STEP,
  HAND_OVER_STEP,
  LOCATED_STEP,
  NEXT,
  PLUGINS_STEP,
  PROBE_STEP,
  PROOF_STEP,
  pageStep,
  redirectStep,
  START_STEP,
  TEST_REFUSED_STEP,
  TEST_STEP,
} from './step.ts';
import { admitTest, isTest } from './test-request.ts';
import { canHaveUnsaidBody } from './uploads.ts';
import { awaitPages } from './visitor-response.ts';
import { isWebsocketRequest } from './websockets.ts';

/** The step that refuses for a reason of the edge's own; an empty brand is the default one. */
function refuse(kind: PageKind, status: number, reason: string, brand: string): string {
  noteVerdict('', 'block', reason, '');
  return pageStep(kind, status, reason, brand);
}

/** The step for a head that HTTP/1 has no room for, as nginx answers it there. */
function refuseTooLarge(status: number, brand: string): string {
  noteVerdict('', 'block', 'bad_request', '');
  return pageStep('too_large', status, 'too_large', brand);
}

/** The step for what is taken from nobody, whatever it is for; `NEXT` for all else. */
function refuseMalformed(scan: HeaderScan, target: string, brand: string): string {
  if (target.length > HEAD_LINE_BYTES_MAX) return refuseTooLarge(414, brand);
  if (scan.hasLongField) return refuseTooLarge(431, brand);
  if (scan.isTooLong || hasFragment(target)) return refuse('bad_request', 400, 'bad_request', brand);
  return NEXT;
}

/** The page of what the visitor is not to blame for: a domain that is off, or that has no upstream. It counts as no block. */
function fail(kind: PageKind, status: number, reason: string, brand: string): string {
  noteVerdict('', '', reason, '');
  return pageStep(kind, status, reason, brand);
}

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
      const asn = ngx.var.http_cordon_demo_asn;
      if (asn !== undefined) ngx.var.cordon_asn = asn;
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

/** Refuses a connection whose TLS name belongs to another account than its Host, or to none. */
function isMisdirected(host: string, route: PreparedRoute, generation: number): boolean {
  const name = ngx.var.ssl_server_name;
  if (name === undefined || name === '' || name === host) return false;
  const match = findRoute(name.toLowerCase(), generation);
  return match === undefined || match.route.accountId !== route.accountId;
}

function isLoop(id: string): boolean {
  const text = readHeader('cdn-loop') ?? '';
  if (namesCdn(text, id)) return true;
  ngx.var.cordon_cdn_loop = text === '' ? id : `${text}, ${id}`;
  return false;
}

/** Of the decision that `set_by_lua` makes, for the step that goes on after a wait. Nothing yields there, so one is enough. */
const position = pipelineStart();
let running: readonly PreparedPlugin[] = [];

/** What does not end the pipeline and is logged all the same; of several the last. */
const notePassing: VerdictObserver = (plugin, verdict) => {
  if (verdict.kind === 'allow' || verdict.kind === 'log')
    noteVerdict(plugin.name, verdict.kind, verdict.reason, verdict.rule);
};

/** Whether nginx has the page for it. Not of a test, whose answer says more. */
function hasBlockedPage(route: PreparedRoute, kind: PageKind, { status, reason, retrySeconds }: BlockVerdict): boolean {
  if (ngx.var.http_cordon_test !== undefined) return false;
  const settings = settingsAt(currentGeneration());
  const brand = findBrand(settings, route.brand === '' ? undefined : route.brand);
  return setBlockedPage(kind, status, reason, brand, route, retrySeconds);
}

/** The context that is used again is this request's. */
let hasContext = false;

/** Runs these plugins of the route from `from` on, which nothing else may use: outside of `set_by_lua` a plugin may wait. */
function runPlugins(route: PreparedRoute, deciders: readonly PreparedPlugin[], from: PipelinePosition): string {
  const context =
    from === position ? reuseContext(route, admitted.target, admitted.query, admitted.isPeer) : createContext(route);
  hasContext = from === position;
  const end = runPipeline(deciders, context, from, notePassing);
  if (from !== position) endContext(context);
  if (end === undefined) return NEXT;
  const { plugin, verdict } = end;
  // What asks for a proof, or for a signed link, must not keep out who shows one: such a request goes no further than the edge.
  if (plugin.phase === 'challenge' && isShowingProof()) return PROOF_STEP;
  noteVerdict(plugin.name, verdict.kind, verdict.reason, verdict.rule);
  if (verdict.kind === 'block' && verdict.banSeconds !== undefined) {
    // Where no room is left for bans, the count is all that keeps the client out. A test leaves neither behind.
    if (isTest() || banClient(route, plugin.name, verdict, verdict.banSeconds)) context.forgetCounts();
  }
  if (verdict.kind === 'challenge') {
    const { way, passSeconds = PASS_SECONDS, waitSeconds = 0, since = 0 } = verdict;
    return challengeStep(way, passSeconds, waitSeconds, since);
  }
  if (verdict.kind === 'redirect') return redirectStep(verdict.status, verdict.location);
  const kind = verdict.status === 508 ? 'loop' : (verdict.page ?? 'blocked');
  if (from === position && hasBlockedPage(route, kind, verdict)) return BLOCKED_STEP;
  return pageStep(kind, verdict.status, verdict.reason, route.brand, verdict.retrySeconds ?? verdict.banSeconds);
}

/**
 * nginx reads a request target up to its fragment and sends on all of it, so that what is behind `#` would be hidden from every
 * plugin. No client has one to send (RFC 9112 3.2).
 */
function hasFragment(target: string): boolean {
  const [at] = string.find(target, '#', 1, true);
  return at !== undefined;
}

function isPreview(match: RouteMatch, settings: RunnerSettings | undefined): boolean {
  const token = ngx.var.http_cordon_preview;
  return (
    token !== undefined &&
    settings !== undefined &&
    isValidPreview(token, match.route.id, settings.preview_key, ngx.now())
  );
}

const isShowingProof = (): boolean => ngx.var.http_cordon_proof !== undefined && ngx.var.uri === CHALLENGE_PATH;

/** A client that shows a proof is not asked for one; whatever else stands in its way still does. */
function afterProof(step: string): string {
  const isStopped = step !== NEXT && !step.startsWith(CHALLENGE_STEP);
  return !isStopped && isShowingProof() ? PROOF_STEP : step;
}

/** A proof belongs to the page that asked for it, which can send it nowhere else. */
const needsHttps = (hasInternal: boolean): boolean =>
  !(hasInternal && isShowingProof()) && !isAcmeChallenge(readPath()) && !hasComeByTls();

const isProbeLike = (): boolean => ngx.var.http_cordon_probe !== undefined && ngx.var.uri === PROBE_PATH;

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

/**
 * `set_by_lua` of the visitors' servers: everything that decides whether and where a request goes on. What goes on is
 * ready for the proxy afterwards; for anything else the step to take is returned (step.ts). Here is no coroutine, which
 * costs as much as all the rest, so nothing may wait, answer or lead elsewhere.
 */
export function decide(this: void, isTls: boolean): string {
  const step = decideFromStart(isTls, position);
  return step;
}

/** The same where a plugin may wait. */
export function decideWaiting(isTls: boolean): string {
  return decideFromStart(isTls, pipelineStart());
}

function decideFromStart(isTls: boolean, from: PipelinePosition): string {
  // LuaJIT compiles neither what calls a loop nor what returns through a protected call: only calls here, no tail call.
  const scan = scanHeaders();
  const facts = factsOf(scan);
  let step = admit(isTls, scan);
  const { route, generation } = admitted;
  if (step !== NEXT || route === undefined) return step;
  const deciders = hasFeedEntries(route, generation) ? route.deciders : route.feedlessDeciders;
  hasContext = false;
  if (deciders.length > 0 && admitted.visit === undefined) {
    running = deciders;
    restartPipeline(from);
    step = runPlugins(route, deciders, from);
  }
  if (scan.hasInternal) step = afterProof(step);
  if (step === NEXT) step = sendOn(route, isTls, generation, facts, from === position);
  return step;
}

/** What `admit` has found, to be read at once: what runs after it may wait. */
const admitted: {
  route: PreparedRoute | undefined;
  generation: number;
  target: string;
  query: string;
  /** The visitor is who has connected. */
  isPeer: boolean;
  /** It is a visit of the node's own: no plugin has a say about it. */
  visit: OwnVisit | undefined;
} = { route: undefined, generation: 0, target: '', query: '', isPeer: false, visit: undefined };

/** Finds the request's route; the step for what is not for it, whatever the route's plugins say. */
function admit(isTls: boolean, scan: HeaderScan): string {
  const variables = ngx.var;
  const generation = currentGeneration();
  const settings = settingsAt(generation);
  const { hasInternal, hasCdnLoop } = scan;
  admitted.route = undefined;
  admitted.generation = generation;
  setRequestId(get_request() as NativeRequest);
  learnParts();

  if (options.needsClientSearch) findClient();
  const target = readTarget();
  const [queryAt] = string.find(target, '?', 1, true);
  const query = queryAt === undefined ? '' : (variables.args ?? '');
  if (query !== '' && target.length <= HEAD_LINE_BYTES_MAX) variables.cordon_query = redactQuery(query);
  // nginx only ever makes a path shorter.
  if (readPath().length !== (queryAt ?? target.length + 1) - 1)
    variables.cordon_raw_path = variables.cordon_raw_path_read ?? '';

  const host = readHost();
  const match = findRoute(host, generation);
  const malformed = refuseMalformed(scan, target, match === undefined ? '' : match.route.brand);
  if (match === undefined && malformed !== NEXT) return malformed;
  if (match === undefined && !isHostName(host)) return refuse('bad_request', 400, 'bad_request', '');
  // Settings come after the routes: without them this node does not know yet what it serves.
  if (match === undefined && settings === undefined) return START_STEP;
  if (match === undefined) return refuse('unknown_host', 421, 'unknown_host', '');
  const route = match.route;
  variables.cordon_log = route.logText;

  const isTestLike = hasInternal && variables.http_cordon_test !== undefined;
  const isVisitLike = hasInternal && variables.http_cordon_visit !== undefined;
  // Whose key it shows is not known yet, and no origin is to answer in the node's place.
  if (hasInternal && settings === undefined && (isTestLike || isVisitLike || isProbeLike())) return START_STEP;
  // Before anything answers for the route: what the agent sends is never counted as a visitor's.
  const kind = isTestLike ? admitTest(route) : isVisitLike ? admitVisit(route) : 'visitor';
  if (kind === 'refused') return TEST_REFUSED_STEP;
  if (malformed !== NEXT) return malformed;
  if (isTls && isMisdirected(host, route, generation)) return refuse('misdirected', 421, 'misdirected', route.brand);
  if (hasInternal && isProbe(settings)) return PROBE_STEP;
  if (route.off !== undefined && match.isVerified)
    return fail(route.off, OFF_STATUS[route.off], route.off, route.brand);
  if (!match.isVerified && kind === 'visitor' && !(hasInternal && isPreview(match, settings)))
    return refuse('not_pointed', 421, 'not_verified', route.brand);
  const loopId = settings === undefined ? options.cdnLoopId : settings.cdn_loop_id;
  if (!hasCdnLoop) {
    if (loopId !== options.cdnLoopId) variables.cordon_cdn_loop = loopId;
  } else if (isLoop(loopId)) {
    return refuse('loop', 508, 'loop', route.brand);
  }
  // A preview is of a name that leads elsewhere still.
  if (route.forcesHttps && !isTls && kind === 'visitor' && match.isVerified && needsHttps(hasInternal))
    return leadToHttps(host);
  admitted.route = route;
  admitted.target = target;
  admitted.query = query;
  admitted.isPeer = kind === 'visitor' && !options.needsClientSearch;
  admitted.visit = kind === 'visit' || kind === 'refresh' ? kind : undefined;
  return NEXT;
}

/** No other methods are looked for (RFC 9110 9.2.3). */
function lookInCache(
  route: PreparedRoute,
  cache: PreparedCache,
  isTls: boolean,
  generation: number,
  isAtOnce: boolean,
  /** It has a body, asks for another method, a websocket or an origin's own judgement: its answer may depend on more than a key says. */
  isUnkeyed: boolean,
): Look {
  const method = ngx.req.get_method();
  if (method !== 'GET' && method !== 'HEAD') {
    ngx.var.cordon_bypass = 'method';
    return 'passed';
  }
  if (isUnkeyed) {
    ngx.var.cordon_bypass = 'request';
    return 'passed';
  }
  if (isAtOnce) {
    const { target, query, isPeer } = admitted;
    // No plugin has had a say.
    if (!hasContext) reuseContext(route, target, query, isPeer);
    return lookUp(route, cache, reusedContext(), isTls, generation, target, query, readScannedEncoding());
  }
  const encoding = readHeader('accept-encoding') ?? '';
  const query = ngx.var.args ?? '';
  return lookUp(route, cache, createContext(route), isTls, generation, readTarget(), query, encoding);
}

/** A range is for GET (RFC 9110 14.2), and a weak entity tag is never the same (13.1.5): nginx knows neither. */
function dropWrongRange(): void {
  const isMeant = ngx.req.get_method() === 'GET' && !(ngx.var.http_if_range ?? '').startsWith('W/');
  if (!isMeant) ngx.req.clear_header('Range');
}

/** What of a look over the fields is kept while plugins may wait: there is one object for all requests. */
const UNWANTED = 1;
const CONNECTION_OPTIONS = 2;
const UPGRADE = 4;
const BODY = 8;
const DOUBLY_CONDITIONAL = 16;
const METHOD_OVERRIDE = 32;
const ORIGIN_CONDITION = 64;
const RANGE = 128;
const MODIFIED_SINCE = 256;

function factsOf(scan: HeaderScan): number {
  let facts = 0;
  if (scan.hasUnwanted) facts += UNWANTED;
  if (scan.hasConnectionOptions) facts += CONNECTION_OPTIONS;
  if (scan.hasUpgrade) facts += UPGRADE;
  if (scan.hasBody) facts += BODY;
  if (scan.hasModifiedSince) facts += scan.hasNoneMatch ? DOUBLY_CONDITIONAL : MODIFIED_SINCE;
  if (scan.hasMethodOverride) facts += METHOD_OVERRIDE;
  if (scan.hasOriginCondition) facts += ORIGIN_CONDITION;
  if (scan.hasRange) facts += RANGE;
  return facts;
}

const hasFact = (facts: number, fact: number): boolean => facts % (2 * fact) >= fact;

/** What is left to do with a request that nothing refused. */
function sendOn(
  route: PreparedRoute,
  isTls: boolean,
  generation: number,
  facts: number,
  /** Nothing has waited since the fields were looked over. */
  isAtOnce: boolean,
): string {
  const hasUnwanted = hasFact(facts, UNWANTED);
  const hasUpgrade = hasFact(facts, UPGRADE);
  const hasBody = hasFact(facts, BODY);
  if (hasUnwanted && isTest()) return TEST_STEP;
  const upstream = route.upstream;
  if (upstream === undefined || (upstream.primaries.length === 0 && upstream.backups.length === 0))
    return fail('no_upstream', 502, 'no_upstream', route.brand);
  if (hasUnwanted) removeUnwanted();
  if (hasFact(facts, CONNECTION_OPTIONS)) removeConnectionOptions();
  const asksForWebsocket = hasUpgrade && isWebsocketRequest();
  // nginx makes a tunnel of any 101 to a request that has the field.
  if (hasUpgrade && !asksForWebsocket) ngx.req.clear_header('Upgrade');
  const { cache } = route;
  if (cache !== undefined) {
    const isOfOrigin = hasFact(facts, METHOD_OVERRIDE) || hasFact(facts, ORIGIN_CONDITION);
    const isUnkeyed = hasBody || asksForWebsocket || isOfOrigin;
    const look = lookInCache(route, cache, isTls, generation, isAtOnce, isUnkeyed);
    if (look === 'refused') return fail('gateway_timeout', 504, 'only_if_cached', route.brand);
    if (look !== 'passed') {
      // RFC 9110 13.1.3: nginx would ask for both to hold.
      if (hasFact(facts, DOUBLY_CONDITIONAL)) ngx.req.clear_header('If-Modified-Since');
      if (hasFact(facts, MODIFIED_SINCE)) noteModifiedSince();
      if (hasFact(facts, RANGE)) dropWrongRange();
      notePassed(route, generation);
      if (isTls && isHintingRoute(route.id, generation)) awaitHints();
      if (admitted.visit === 'refresh') ngx.var.cordon_cache_refresh = REFRESH;
      if (look === 'cached' && cache.zone === 'paid') return CACHED_STEP;
      ngx.var.cordon_cached = CACHE_LOCATIONS[cache.zone][look];
      return LOCATED_STEP;
    }
  }
  if (route.originKey !== undefined || route.originFields.length > 0) setOriginFields(route);
  if (upstream.connectionLimit > 0 || (upstream.tlsLocation !== undefined && usesTls(upstream, isTls)))
    return HAND_OVER_STEP;
  if (asksForWebsocket || hasBody || (isTls && canHaveUnsaidBody())) return HAND_OVER_STEP;
  if (isHintingRoute(route.id, generation) && canSendDirectly()) return DIRECT_STEP;
  proceed(route, isTls, generation);
  return NEXT;
}

/** The step for a node that does not know in time what it serves. */
export function refuseBeforeStart(): string {
  return refuse('server_error', 503, 'unknown_host', '');
}

/** The step for a plugin that has to wait for something: it and those behind it run where that is possible. */
export function waitStep(this: void): string {
  return `${PLUGINS_STEP}\t${running.length}\t${writePosition(position)}`;
}

/** Goes on after `waitStep`. The next step. */
export function decideFrom(route: PreparedRoute, isTls: boolean, from: readonly string[]): string {
  const [count, ...fields] = from;
  const position = readPosition(fields);
  // Positions are those of the list that the decision began with; where that is gone, it begins anew.
  const isAll = tonumber(count) === route.deciders.length;
  const deciders = isAll ? route.deciders : route.feedlessDeciders;
  if (tonumber(count) !== deciders.length) restartPipeline(position);
  let step = runPlugins(route, deciders, position);
  const scan = scanHeaders();
  if (scan.hasInternal) step = afterProof(step);
  if (step !== NEXT) return step;
  // What is there is another request's.
  admitted.visit = undefined;
  return sendOn(route, isTls, currentGeneration(), factsOf(scan), false);
}

/** Prepares a request for the proxy, with its route. */
export function proceed(route: PreparedRoute, isTls: boolean, generation: number): void {
  if (route.upstream === undefined) return;
  aimAtOrigin(route, isTls);
  if (route.errorPages !== undefined) awaitPages(isTls);
  notePassed(route, generation);
}
