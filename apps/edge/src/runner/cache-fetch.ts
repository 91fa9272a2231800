import type {
  CacheAnswer,
  CacheRequest,
  NodeUnstoredReason,
  StorageDecision,
  UnstoredReason,
} from '@cordon/plugin-kit/shared-cache';
import {
  cacheControlOf,
  isCompressible,
  isOverridden,
  isSlicedFile,
  judgeStorage,
  keyedQuery,
  mustStayAsItIs,
  UNKEYED_FIELDS,
} from '@cordon/plugin-kit/shared-cache';
import type { AnswerHead } from './answer-head.ts';
import { clearsSoFar, numberOfUrl, urlOf } from './cache-clears.ts';
import {
  endLead,
  isTooLarge,
  sharedFailure,
  shareFailure,
  tellArriving,
  tellBegun,
  tellFailed,
  tellRefreshed,
  tellUnshared,
} from './cache-collapse.ts';
import { leaveFailure, leaveOnce, leaveValidation } from './cache-exchange.ts';
import { classOfPrefix, variantOfPrefix } from './cache-key.ts';
import { LARGE_BYTES_MIN } from './cache-large.ts';
import {
  ANEW,
  fetchWhole,
  isOutdated,
  judgeStored,
  keyOf,
  NEWER,
  newestOf,
  REFRESH,
  refresh as refreshClears,
  SERVE_STALE,
  sliceKeyOf,
} from './cache-lookup.ts';
import {
  factsText,
  fieldOf,
  isStored,
  readObject,
  restate,
  type StoredFacts,
  type StoredField,
  type StoredObject,
  setFacts,
  statusOf,
  storedName,
  TAG_FIELDS,
  tagsIn,
  voidObject,
} from './cache-object.ts';
import { isStrong, noteTag } from './cache-slices.ts';
import { hasRoomForObjects } from './cache-space.ts';
import { staleServerOf, turnOf } from './cache-turn.ts';
import { forgetFetch, noteFetch } from './cache-under-way.ts';
import { RAW_NAMES, restoreRawFields } from './cache-vary.ts';
import { waitForPlace } from './concurrency-limit.ts';
import { beginExchange, type Exchange, forgetConditions, passBody, setAnswerFields } from './direct-exchange.ts';
import { ENCODINGS } from './encoding-class.ts';
import {
  answerField,
  hasNewFields,
  isOfAnother,
  isVariedAnew,
  mergedField,
  restoreFields,
  withholdInternal,
} from './fetched-fields.ts';
import { currentGeneration } from './generation.ts';
import { usesTls } from './hand-over.ts';
import { tellHints } from './hint-relay.ts';
import { isHintingRoute, rememberHints } from './hinting-routes.ts';
import { leaveOutRow } from './logged-rows.ts';
import { isEqualSecret } from './native.ts';
import { withholdFields } from './origin-fields.ts';
import { aimAtOrigin, setOriginFields } from './origin-request.ts';
import { noteTlsFailure } from './origin-tls.ts';
import type { PreparedCache, PreparedRoute } from './prepared-route.ts';
import { readHeaderValues } from './request-headers.ts';
import { notePassed } from './request-state.ts';
import { findRoute } from './route-lookup.ts';
import { options } from './runner-options.ts';
import {
  aimAtShield,
  asShielded,
  endShielding,
  lastExchange,
  noteShieldFailure,
  planShielding,
  readShielded,
  SHIELD_LOCATION,
  type ShieldedFetch,
  shieldedReason,
  UNSHIELDED_STATUS,
} from './shield-fetch.ts';
import { holdBody, isHoldingMuch, replaceByStored, sendStored } from './stored-answer.ts';
import { countFailure } from './upstream-health.ts';

/**
 * The fetching server: nginx's cache asks it, over a socket of its own, for what it does not have or has to validate. It speaks with
 * the origin as `location /` does, judges what comes by HTTP's rules (`judgeStorage`), and tells nginx, in fields that it alone knows,
 * what to keep, and until when.
 */
interface Fetch {
  readonly route: PreparedRoute;
  readonly cache: PreparedCache;
  readonly isTls: boolean;
  readonly key: string;
  /** As nginx has it. */
  readonly objectKey: string;
  /** Of those that get what it brings. */
  readonly name: string;
  readonly url: string;
  /** What nginx has and may not use as it is; undefined where it has nothing. */
  readonly stored: StoredObject | undefined;
  /** What is stored is still fresh, and the visitor wants it validated: nginx knows nothing of that, and takes a whole answer only. */
  readonly isRefresh: boolean;
  /** There is something stored for the URL, for requests with other fields. */
  readonly isVariant: boolean;
  /** What the origin answered with, where nginx did not ask it, and its address. */
  originStatus: string;
  originAddress: string | undefined;
  /** Under which name others wait for it; undefined: nobody does. */
  readonly leads: string | undefined;
  /** By which it leads: of what had been cleared of the route before it, or its own of a refresh. */
  readonly leadNumber: number;
  /** Clears know that it is under way; else what it brings must not be stored. */
  readonly isNoted: boolean;
  /** What besides the URL makes another object: each has versions of its own. */
  readonly variant: string;
  /** It has not been led round too often. */
  readonly mayLookAgain: boolean;
  /** Only a slice of a large file is asked for. */
  readonly isSlice: boolean;
  readonly clears: number;
  /** How it goes through shields; undefined: to the origin. */
  readonly shielded: ShieldedFetch | undefined;
  readonly requestedAt: number;
  /** What is stored goes out in place of the origin's answer, or with the fields of one to a validation. */
  body: string | undefined;
  /** The answer is the fetching server's own. */
  isOwn: boolean;
  /** The answer is stored. */
  isKept: boolean;
  /** It is for others too. */
  isStored: boolean;
  /** Of what is in the cache by now, or about to be. */
  facts: string;
  /** Why nginx is to look once more, `Cordon-Again`. */
  again: string;
}

/** By `fetchId`, until they end. */
const fetches = new LuaTable<string, Fetch>();

/** Of the visitor's request, for which slices may be fetched at once. */
const requestId = (): string => ngx.var.cordon_request_id ?? '';
/** nginx's cache has a connection for each fetch. */
export const fetchId = (): string => `fetch ${ngx.var.connection ?? ''}`;
const INTERNAL_FIELDS = [
  ...['Cordon-Cache-Prefix', 'Cordon-Cache-Target', 'Cordon-Cache-State', 'Cordon-Cache-Round', 'Cordon-Cache-Refresh'],
  'Cordon-Cache-Shield',
  RAW_NAMES,
];

/** How often a request may look again: nginx ends one that is led round ten times. */
const ROUNDS_MAX = 5;
/** nginx puts an answer in its place just after the fetching server has sent the last of it. */
const STORING_SECONDS = 0.005;

/** `Cordon-Again`: as what the request was; or what it asked to have validated has been, for it or for another request. */
const AS_BEFORE = '1';
export const VALIDATED = '304';
export const COLLAPSED = 'collapsed';

/** Has nginx look for the request once more, where the answer to another one is by now. */
function lookAgain(again: string): void {
  const fetch = fetches.get(fetchId()) as Fetch | undefined;
  if (fetch !== undefined) {
    fetch.isOwn = true;
    ngx.header['Cordon-Origin'] = originOf(fetch);
  }
  ngx.header['X-Accel-Expires'] = '0';
  ngx.header['Cordon-Again'] = again;
  ngx.header['Content-Length'] = 0;
  ngx.send_headers();
  ngx.exit(200);
}

/** Content of the location where an exchange with an origin is over, and its answer is not for the visitor. */
export function fetchAgain(this: void): void {
  const fetch = fetches.get(fetchId()) as Fetch | undefined;
  lookAgain(fetch === undefined ? AS_BEFORE : fetch.again);
}

/** A field without a value would be none. */
export const UNNAMED = '-';

/** For the row that the node writes: what the origin answered, and its address. */
const originText = (status = '', address = ''): string => `${status} ${address}`;

const originOf = (fetch: Fetch): string =>
  fetch.originAddress === undefined
    ? originText(lastExchange(ngx.var.upstream_status) ?? fetch.originStatus, lastExchange(ngx.var.upstream_addr))
    : originText(fetch.originStatus, fetch.originAddress);

/** Of an exchange in vain, in whose place something stale serves: its visitor is told, and those who come next do not ask so soon. */
function noteFailure(fetch: Fetch): void {
  leaveFailure(requestId(), fetch.shielded?.origin ?? originOf(fetch));
  if (fetch.leads !== undefined) tellFailed(fetch.leads);
}

function fail(status: number, reason: string): void {
  const fetch = fetches.get(fetchId()) as Fetch | undefined;
  if (fetch !== undefined) fetch.isOwn = true;
  ngx.status = status;
  ngx.header['X-Accel-Expires'] = '0';
  ngx.header['Cordon-Failed'] = reason;
  ngx.header['Cordon-Origin'] = originText(lastExchange(ngx.var.upstream_status), lastExchange(ngx.var.upstream_addr));
  ngx.header['Content-Length'] = 0;
  ngx.send_headers();
  ngx.exit(status);
}

/** `access_by_lua` of the fetching server. */
export function fetch(this: void): void {
  leaveOutRow();
  const variables = ngx.var;
  if (!isEqualSecret(variables.http_cordon_fetch_key ?? '', options.fetchKey)) ngx.exit(403);
  ngx.req.clear_header('Cordon-Fetch-Key');
  const generation = currentGeneration();
  const match = findRoute(variables.host ?? '', generation);
  const cache = match === undefined ? undefined : match.route.cache;
  // Taken away since the request was decided about.
  if (match === undefined || cache === undefined || match.route.upstream === undefined) {
    fail(502, UNNAMED);
    return;
  }
  // A GET over HTTP/2 can have a body that nothing has said: what an origin answers to it is not for others.
  if (variables.http_transfer_encoding !== undefined || (tonumber(variables.http_content_length ?? '') ?? 0) > 0) {
    fail(411, UNNAMED);
    return;
  }
  begin(match.route, cache, generation);
}

function begin(route: PreparedRoute, cache: PreparedCache, generation: number): void {
  const variables = ngx.var;
  const prefix = variables.http_cordon_cache_prefix ?? '';
  const target = variables.http_cordon_cache_target ?? '/';
  const state = variables.http_cordon_cache_state ?? '';
  const round = tonumber(variables.http_cordon_cache_round ?? '0') ?? 0;
  const scheme = variables.http_x_forwarded_proto ?? 'http';
  const isTls = scheme === 'https';
  const refresh = variables.http_cordon_cache_refresh;
  const rawNames = variables.http_cordon_cache_raw;
  const isOfShield = variables.http_cordon_cache_shield !== undefined;
  for (const name of INTERNAL_FIELDS) ngx.req.clear_header(name);
  for (const name of UNKEYED_FIELDS) ngx.req.clear_header(name);
  const slice = variables.http_range ?? '';
  const key = sliceKeyOf(keyOf(prefix, scheme, variables.host ?? '', target), slice);
  if (refresh === SERVE_STALE && sendStored(fetchId(), readObject(cache.zone, key))) return;
  const keyName = ngx.md5(key);
  const query = variables.args ?? '';
  const url = urlOf(variables.host ?? '', variables.uri ?? '/', query === '' ? '' : keyedQuery(cache.key, query));
  if (cache.generation !== generation) refreshClears(cache, route.id, generation);
  const isStale = state === 'EXPIRED' || state === 'STALE';
  const isAlone = round >= ROUNDS_MAX || slice !== '' || isTooLarge(keyName);
  const taken = isAlone ? undefined : turnOf(cache, route.id, key, keyName, refresh, isStale);
  const turn = taken === undefined ? 'each' : taken.turn;
  if (turn === 'stale') {
    serveStale(cache, key);
    return;
  }
  if (turn === 'failed') {
    const [, , status, reason = UNNAMED] = string.find(sharedFailure(taken?.name ?? '') ?? '', '^(%d+) (.*)$');
    fail(tonumber(status) ?? 504, reason as string);
    return;
  }
  if (turn === 'again') {
    const isOfRefresh = taken?.isOfRefresh === true;
    // nginx may not have noticed yet what it has put in its place.
    if (!isOfRefresh && round > 0) ngx.sleep(STORING_SECONDS * 4 ** (round - 1));
    // In its place may be what was fetched before a clear.
    if (newestOf(cache) > 0) judgeStored(cache, route.id, key, url);
    lookAgain(isOfRefresh ? COLLAPSED : AS_BEFORE);
    return;
  }
  const isNoted = noteFetch(route.id, url);
  const isRefresh = refresh === REFRESH || refresh === NEWER || refresh === ANEW;
  // After it was noted that the fetch is under way: a clear from now on finds it, or is counted here.
  const clears = clearsSoFar();
  // What each fetches for itself is stored nowhere, and a slice is for all.
  const mayBeShielded = !isOfShield && refresh === undefined && (turn !== 'each' || slice !== '');
  const stored = storedBefore(cache, key, refresh, isStale);
  const before: Fetch = {
    route,
    cache,
    isTls,
    key: keyName,
    objectKey: key,
    name: taken === undefined ? keyName : taken.name,
    url,
    stored,
    isRefresh,
    isVariant: state === 'MISS' && isStored(cache.zone, key),
    originStatus: '',
    originAddress: undefined,
    leads: turn === 'lead' ? taken?.name : undefined,
    leadNumber: taken === undefined ? 0 : taken.number,
    isNoted,
    variant: string.match(prefix, '[^.]*%.[^.]*$')[0] ?? '',
    mayLookAgain: round < ROUNDS_MAX,
    isSlice: slice !== '',
    clears,
    shielded: mayBeShielded ? planShielding(route, cache, url, scheme, stored?.madeAt, generation) : undefined,
    requestedAt: ngx.now(),
    body: undefined,
    isOwn: false,
    isKept: false,
    isStored: false,
    facts: '',
    again: AS_BEFORE,
  };
  fetches.set(fetchId(), before);
  variables.cordon_fetch_target = target;
  ngx.req.set_header('Accept-Encoding', ENCODINGS[classOfPrefix(prefix)]);
  if (rawNames !== undefined) restoreRawFields(rawNames);
  if (cache.hasVariants) setVariant(prefix);
  if (isRefresh && before.stored !== undefined) setConditions(before.stored);
  send(before, generation);
}

/** What a fetch goes on with; after another node's clear, nothing. */
function storedBefore(
  cache: PreparedCache,
  key: string,
  refresh: string | undefined,
  isStale: boolean,
): StoredObject | undefined {
  return refresh === REFRESH || refresh === NEWER || (refresh === undefined && isStale)
    ? readObject(cache.zone, key)
    : undefined;
}

/** RFC 9111 4.3.1. */
function setConditions(stored: StoredObject): void {
  const tag = fieldOf(stored, 'etag');
  const modified = fieldOf(stored, 'last-modified');
  if (tag !== undefined) ngx.req.set_header('If-None-Match', tag);
  if (modified !== undefined) ngx.req.set_header('If-Modified-Since', modified);
}

const DEVICE_OF_LETTER: Readonly<Record<string, string>> = { m: 'mobile', t: 'tablet', d: 'desktop' };

/** Origins are told of the variant what the key says of it, and no more. */
function setVariant(prefix: string): void {
  const { device, language } = variantOfPrefix(prefix);
  if (device !== '') ngx.req.set_header('Cordon-Device', DEVICE_OF_LETTER[device] ?? '');
  if (language !== '') ngx.req.set_header('Accept-Language', language);
}

/** Content of the location where a shield has not answered: the next one is asked, or the origin. */
export function fetchUnshielded(this: void): void {
  const fetch = fetches.get(fetchId()) as Fetch | undefined;
  if (fetch === undefined) ngx.exit(502);
  else send(fetch, currentGeneration());
}

/**
 * Fetches at a time of a route that has no limit of its own: what may be stored is fetched to its end though its visitors have left, and must
 * not take all of the node's connections from others.
 */
const fetchesMax = (): number => Math.max(FETCHES_MIN, Math.floor(options.limits.connections / 16));
const FETCHES_MIN = 100;

function send({ route, isTls, shielded, leads }: Fetch, generation: number): void {
  const { upstream } = route;
  if (upstream === undefined) return;
  notePassed(route, generation);
  if (aimAtShield(shielded)) ngx.exec(SHIELD_LOCATION);
  const location = usesTls(upstream, isTls) ? upstream.tlsLocation : undefined;
  if (location !== undefined && upstream.isTlsRefused) {
    fail(502, 'origin_tls_failed');
    return;
  }
  const isLimited = upstream.connectionLimit > 0;
  const place = waitForPlace(
    fetchId(),
    isLimited ? `request ${route.id}` : `fetch ${route.id}`,
    isLimited ? () => upstream.connectionLimit : fetchesMax,
    options.limits.origin_queue_seconds,
  );
  if (place !== 'taken') {
    if (leads !== undefined) shareFailure(leads, '503 origin_limit');
    fail(503, 'origin_limit');
    return;
  }
  setOriginFields(route);
  aimAtOrigin(route, isTls);
  if (isHintingRoute(route.id, generation)) ngx.exec(upstream.directLocation);
  if (location !== undefined) ngx.exec(location);
}

function requestOf(cache: PreparedCache): CacheRequest {
  return {
    method: ngx.req.get_method(),
    path: ngx.var.uri ?? '/',
    query: ngx.var.args ?? '',
    hasAuthorization: ngx.var.http_authorization !== undefined,
    cacheControl: cache.policy.obeysRequests ? readHeaderValues('cache-control') : [],
  };
}

/** With `stored`, of an answer that says that it is still valid. */
function judge({ cache, requestedAt, isSlice, shielded }: Fetch, stored: StoredObject | undefined): StorageDecision {
  const answer: CacheAnswer =
    stored !== undefined
      ? {
          status: isSlice && statusOf(stored) === 206 ? 200 : statusOf(stored),
          fieldValues: (name) => (isSlice && name === 'content-range' ? [] : mergedField(stored, name)),
        }
      : isSlice && ngx.status === 206
        ? { status: 200, fieldValues: (name) => (name === 'content-range' ? [] : answerField(name)) }
        : { status: ngx.status, fieldValues: answerField };
  const decision = judgeStorage(cache.policy, requestOf(cache), answer, requestedAt, ngx.now());
  const facts = shielded?.facts;
  return facts === undefined ? decision : asShielded(decision, facts, ngx.now());
}

/** Statuses with which an origin says that it fails (RFC 5861 4). */
const isFailure = (status: number): boolean => status === 500 || status === 502 || status === 503 || status === 504;

const staleServer = ({ cache, stored, isRefresh }: Fetch): 'nginx' | 'fetching' | undefined =>
  isRefresh ? undefined : staleServerOf(cache, stored, ngx.now());

/** Where the origin is not asked, because it has just failed another request or keeps one waiting. */
function serveStale(cache: PreparedCache, key: string): void {
  const stored = readObject(cache.zone, key);
  const server = staleServerOf(cache, stored, ngx.now());
  if (server === 'nginx') ngx.exit(CLOSED);
  // Its body is not to be had, or another is in its place.
  if (server === undefined || !sendStored(fetchId(), stored)) lookAgain(AS_BEFORE);
}

/** `header_filter_by_lua` of the fetching server. */
export function filterFetched(this: void): void {
  const fetch = fetches.get(fetchId()) as Fetch | undefined;
  if (fetch === undefined || fetch.isOwn) return;
  if (ngx.status < 200) {
    rememberHints(fetch.route.id);
    // `error_page` leads it to where nothing can wait: the route's fetches go another way from now on.
    ngx.exit(ngx.status === 101 ? 502 : 515);
    return;
  }
  const { shielded } = fetch;
  if (shielded?.node !== undefined) {
    const outcome = readShielded(shielded);
    if (outcome === 'refused') {
      ngx.exit(UNSHIELDED_STATUS);
      return;
    }
    if (outcome === 'failed' && staleServer(fetch) === undefined) {
      passFailureOn(fetch, shielded);
      return;
    }
  }
  withholdFields();
  const course = judgeAnswer(fetch);
  if (course === 'again') ngx.exit(515);
  // nginx takes a connection that is broken off for an origin that fails, and serves what it has.
  else if (course === 'broken') ngx.exit(ngx.ERROR);
}

/** What becomes of an origin's answer: it is passed on, another way is taken (`fetchAgain`), or nginx serves what it has. */
type Course = 'passed' | 'again' | 'broken';

/** Once its fields are those of this answer; where it is passed on, they say all that nginx is to know. */
function judgeAnswer(fetch: Fetch): Course {
  withholdInternal();
  // RFC 9110 6.6.1: of when it has come. By it, an answer to a validation without one counts from now on.
  if (answerField('date').length === 0) ngx.header.Date = ngx.http_time(ngx.time());
  fetch.originStatus = `${ngx.status}`;
  const server = isFailure(ngx.status) ? staleServer(fetch) : undefined;
  if (server !== undefined) noteFailure(fetch);
  if (server === 'nginx') return 'broken';
  if (server === 'fetching') {
    fetch.body = replaceByStored(fetchId(), fetch.stored);
    if (fetch.body !== undefined) return 'passed';
  }
  if (fetch.isSlice && isWholeFile(fetch)) return 'again';
  const { stored } = fetch;
  if (ngx.status === 304 && stored !== undefined) return finishValidation(fetch, stored);
  const decision = judge(fetch, undefined);
  if (isOutrun(fetch, decision)) return 'again';
  finish(fetch, decision, false);
  return 'passed';
}

/** Whether another fetch has meanwhile brought a newer answer than this one, which must not take its place. */
function isOutrun(fetch: Fetch, { unstored, madeAt }: StorageDecision): boolean {
  const { cache, objectKey, stored, isRefresh, clears } = fetch;
  const isAnew = isRefresh && stored === undefined;
  if (unstored !== undefined || isAnew || !fetch.mayLookAgain) return false;
  const current = readObject(cache.zone, objectKey);
  if (current === undefined || current.madeAt <= madeAt || current.clears < clears) return false;
  if (stored !== undefined && current.identity === stored.identity && current.madeAt === stored.madeAt) return false;
  if (isRefresh) fetch.again = COLLAPSED;
  return true;
}

const tellInterim = (head: AnswerHead): void => tellHints(requestId(), head);

/** Content of the locations for routes whose origins send interim answers. */
export function fetchDirectly(this: void): void {
  const fetch = fetches.get(fetchId()) as Fetch | undefined;
  const exchange = fetch === undefined ? undefined : beginExchange(fetch.route, fetch.isTls, tellInterim);
  if (fetch === undefined || exchange === undefined) {
    ngx.status = 502;
    failFetch();
    return;
  }
  if (exchange.head.isHinted) rememberHints(fetch.route.id);
  fetch.originAddress = exchange.address;
  setAnswerFields(exchange.head);
  const course = judgeAnswer(fetch);
  if (course === 'passed') {
    sendFetched(fetch, exchange);
    return;
  }
  exchange.socket.close();
  if (course === 'broken') ngx.exit(CLOSED);
  for (const [name] of ngx.resp.get_headers(0)) ngx.header[name] = undefined;
  ngx.status = 200;
  fetchAgain();
}

/** nginx closes the connection without an answer. */
const CLOSED = 444;

function sendFetched({ body }: Fetch, exchange: Exchange): void {
  forgetConditions();
  if (body !== undefined) ngx.print(body);
  const isWhole = body !== undefined || passBody(exchange);
  exchange.socket.close();
  // What is cut off must look cut off to nginx.
  if (!isWhole) ngx.exit(ngx.ERROR);
}

/** The origin has failed the shield, and nothing that is stored serves. */
function passFailureOn(fetch: Fetch, { origin }: ShieldedFetch): void {
  const reason = shieldedReason();
  withholdInternal();
  if (fetch.leads !== undefined && shareFailure(fetch.leads, `${ngx.status} ${reason}`)) tellUnshared(fetch.leads);
  fetch.isOwn = true;
  ngx.header['X-Accel-Expires'] = '0';
  ngx.header['Cordon-Failed'] = reason;
  ngx.header['Cordon-Origin'] = origin;
}

/**
 * Whether the file comes as a whole from now on: its origin sends no parts, or some that cannot be told to belong together. True: the
 * request goes another way.
 */
function isWholeFile(fetch: Fetch): boolean {
  const status = ngx.status;
  if (status !== 200 && status !== 206) return false;
  const tag = answerField('etag')[0];
  const [, , length] = string.find(answerField('content-range')[0] ?? '', '^bytes %d+%-%d+/(%d+)$');
  if (status === 206 && tag !== undefined && isStrong(tag) && length !== undefined) {
    const isOfShield = fetch.shielded?.facts !== undefined;
    if (!noteTag(fetch.route, fetch.variant, fetch.url, tag, isOfShield)) return false;
  }
  fetchWhole(fetch.route.id, ngx.var.host ?? '', ngx.var.uri ?? '/');
  // A whole answer serves the request as it is; a part does not.
  return status !== 200;
}

/** Of the stored body, which a 304 does not have (RFC 9111 3.2). */
const BODY_FIELDS = ['Content-Encoding', 'Content-MD5', 'Content-Range'];

/** What is stored goes on; where the origin says anything new of it, as a whole answer with the fields of both (RFC 9111 3.2, 4.3.4). */
function finishValidation(fetch: Fetch, stored: StoredObject): Course {
  if (isOfAnother(stored)) {
    voidObject(stored);
    return 'again';
  }
  for (const name of BODY_FIELDS) ngx.header[name] = undefined;
  const isNew = hasNewFields(stored);
  const isKept = !isNew || isHoldingMuch();
  if (fetch.isRefresh && isKept && !fetch.isSlice && isRenewed(fetch, stored)) return 'again';
  const body = fetch.isRefresh || isNew ? holdBody(fetchId(), stored) : undefined;
  if (body === undefined) {
    if (fetch.isRefresh || isVariedAnew(stored)) {
      // Too large to be written anew from here, or another by now: it is fetched.
      voidObject(stored);
      return 'again';
    }
    finish(fetch, judge(fetch, stored), true);
    return 'passed';
  }
  restoreFields(stored);
  ngx.status = statusOf(stored);
  ngx.header['Content-Length'] = body.length;
  fetch.body = body;
  const decision = judge(fetch, undefined);
  // It is of one visitor by now, and serves no other in place of an error.
  if (decision.unstored === 'private' || decision.unstored === 'vary_all') voidObject(stored);
  finish(fetch, decision, false);
  return 'passed';
}

/** Whether what is stored goes on as it is, for all: nginx looks for it once more then. */
function isRenewed(fetch: Fetch, stored: StoredObject): boolean {
  const decision = judge(fetch, stored);
  const isFresh = decision.unstored === undefined && decision.freshUntil > ngx.now() + FRESH_SECONDS_MIN;
  if (!isFresh || decision.withheldFields.length > 0 || !fetch.isNoted || isCleared(fetch)) return false;
  const facts = factsOf(fetch, decision, stored.isLarge);
  if (!restate(stored, facts, datesOf())) return false;
  fetch.isKept = true;
  fetch.isStored = true;
  fetch.facts = factsText(facts);
  fetch.again = VALIDATED;
  return true;
}
/** Until nginx has looked. */
const FRESH_SECONDS_MIN = 1;

/** `body_filter_by_lua` of the fetching server: a validation has no body of its own. */
export function filterFetchedBody(this: void): void {
  const fetch = fetches.get(fetchId()) as Fetch | undefined;
  if (fetch === undefined || fetch.body === undefined) return;
  ngx.arg[1] = fetch.body;
  ngx.arg[2] = true;
  fetch.body = '';
}

/** Whether the answer that is being sent was cleared since its fetch began. */
function isCleared({ route, cache, clears, url }: Fetch): boolean {
  const generation = currentGeneration();
  if (cache.generation !== generation) refreshClears(cache, route.id, generation);
  // The key that it was asked under is that of before.
  if (cache.clears.all > clears) return true;
  if (cache.clears.hasUrls && numberOfUrl(route.id, url, isSlicedFile(ngx.var.uri ?? '/')) > clears) return true;
  if (clears >= newestOf(cache)) return false;
  const tags: string[] = [];
  for (const name of TAG_FIELDS) for (const value of answerField(name)) tags.push(...tagsIn(value));
  return isOutdated(cache, clears, url, tags);
}

/** Origins refuse longer heads than this one at the least; browsers' are shorter. */
const HEAD_BYTES_ORDINARY = 4096;

/** Whether the request may have been refused for what its visitor alone has sent: a head that is too long, or with what fields may not have (RFC 9110 5.5). */
function isOdd(): boolean {
  const head = ngx.req.raw_header(true);
  return head.length > HEAD_BYTES_ORDINARY || string.find(head, '[%z\x01-\x08\x0b\x0c\x0e-\x1f\x7f]')[0] !== undefined;
}

/** Why what HTTP lets be stored is not; undefined: it is. */
function obstacleOf(fetch: Fetch): NodeUnstoredReason | UnstoredReason | undefined {
  const { cache, key, isSlice } = fetch;
  if (ngx.status === 400 && isOdd()) return 'status';
  if (isCleared(fetch)) return 'cleared';
  if (isSlice && ngx.status === 200) return 'no_parts';
  const bytes = tonumber(answerField('content-length')[0]);
  if (bytes === undefined ? isTooLarge(key) : bytes > options.cacheObjectBytes[cache.zone]) return 'too_large';
  return hasRoomForObjects() ? undefined : 'no_room';
}

function finish(fetch: Fetch, decision: StorageDecision, isValidated: boolean): void {
  const unstored = decision.unstored ?? (fetch.isNoted ? (isValidated ? undefined : obstacleOf(fetch)) : 'no_room');
  const { freshUntil, staleWhileRevalidateSeconds } = decision;
  const isShared = unstored === undefined && freshUntil + staleWhileRevalidateSeconds > ngx.now();
  fetch.isKept = unstored === undefined;
  fetch.isStored = isShared;
  // What was cleared meanwhile is asked for once more, by one for all.
  if (fetch.leads !== undefined) {
    if (isShared) tellBegun(fetch.leads, fetch.leadNumber);
    else if (unstored !== 'cleared') tellUnshared(fetch.leads);
  }
  ngx.header['X-Accel-Redirect'] = undefined;
  const { shielded } = fetch;
  const isShielded = shielded?.facts !== undefined;
  ngx.header['Cordon-Origin'] = isShielded ? shielded.origin : originOf(fetch);
  // Each field of what is stored is read with each hit; visitors get nginx's own.
  ngx.header.Server = undefined;
  withhold(decision.withheldFields);
  setVary(fetch, decision, isValidated);
  setCacheControl(fetch, decision, isValidated);
  if (unstored !== undefined) ngx.header['Cordon-Unstored'] = unstored;
  if (fetch.isVariant) ngx.header['Cordon-Variant'] = '1';
  const isLarge = isValidated
    ? fetch.stored?.isLarge === true
    : (tonumber(answerField('content-length')[0]) ?? 0) > LARGE_BYTES_MIN;
  const facts = factsOf(fetch, decision, isLarge);
  ngx.header['X-Accel-Expires'] = unstored === undefined ? `@${facts.freshUntil - 1}` : '0';
  setFacts(facts);
  fetch.facts = factsText(facts);
  if (isValidated && fetch.isNoted) leaveValidation(requestId(), { facts, fields: datesOf() });
}

function factsOf({ clears }: Fetch, decision: StorageDecision, isLarge: boolean): StoredFacts {
  const { staleWhileRevalidateSeconds, staleIfErrorSeconds, mustRevalidate } = decision;
  return {
    clears,
    madeAt: Math.max(Math.floor(decision.madeAt), 0),
    // nginx takes what is valid until now for fresh, and nothing for stored that is so until 1970 or before: of an age of 2^31 s it is.
    freshUntil: Math.max(Math.floor(decision.freshUntil), 2),
    ...{ staleWhileRevalidateSeconds, staleIfErrorSeconds, mustRevalidate, isLarge },
  };
}

/** What an answer says to be for its visitor alone is not stored, and given to him. */
function withhold(names: readonly string[]): void {
  const fields: StoredField[] = [];
  for (const name of names) {
    for (const value of answerField(name)) fields.push({ name, value });
    ngx.header[name] = undefined;
  }
  if (fields.length === 0) return;
  leaveOnce(requestId(), fields);
  ngx.header['Cordon-Once'] = '1';
}

/** Fields that are written anew in their places. */
function datesOf(): { name: string; value: string }[] {
  const dates: { name: string; value: string }[] = [];
  for (const name of ['date', 'expires']) {
    const [value] = answerField(name);
    if (value !== undefined) dates.push({ name, value });
  }
  return dates;
}

/** Towards nginx, the field says no more than for how long a stale answer may serve; what visitors get goes beside it. */
function setCacheControl({ cache }: Fetch, decision: StorageDecision, isValidated: boolean): void {
  const shown = cacheControlOf(cache.policy, { status: ngx.status, fieldValues: answerField }).join(', ');
  if (shown !== '' && !isValidated) ngx.header['Cordon-Cache-Control'] = shown;
  // CDNs before this one would go by it.
  if (isOverridden(cache.policy, ngx.status)) ngx.header['CDN-Cache-Control'] = undefined;
  ngx.header['Cache-Control'] =
    `stale-while-revalidate=${decision.staleWhileRevalidateSeconds}, stale-if-error=${decision.staleIfErrorSeconds}`;
}

/** Whether nginx compresses the answer on its way to who takes that. Has it left as it is where it must be (RFC 9110 7.7). */
function isCompressed({ policy }: PreparedCache): boolean {
  const mustStay = mustStayAsItIs(policy, { status: ngx.status, fieldValues: answerField });
  if (mustStay) ngx.req.clear_header('Accept-Encoding');
  const [length] = answerField('content-length');
  return isCompressible(
    ngx.status,
    answerField('content-type')[0] ?? '',
    answerField('content-encoding')[0] ?? '',
    tonumber(length),
    mustStay,
  );
}

const namesEncoding = (vary: string): boolean =>
  string.find(string.lower(vary), 'accept-encoding', 1, true)[0] !== undefined;

/** Whether what is stored, and goes out with other fields now, is in the coding of one encoding: its body is compressed already. */
function isOfEncoding(stored: StoredObject | undefined, body: string | undefined): boolean {
  if (stored === undefined || body === undefined) return false;
  return namesEncoding(fieldOf(stored, storedName('vary')) ?? '');
}

/** Towards nginx, the field names what is not part of the key already. */
function setVary({ cache, variant, stored, body }: Fetch, decision: StorageDecision, isValidated: boolean): void {
  const sent = answerField('vary').join(', ');
  const mayAdd = !isValidated && !namesEncoding(sent);
  const addsEncoding = mayAdd && (isCompressed(cache) || isOfEncoding(stored, body));
  const shown = addsEncoding ? (sent === '' ? 'Accept-Encoding' : `${sent}, Accept-Encoding`) : sent;
  if (shown !== '' && !isValidated) ngx.header['Cordon-Vary'] = shown;
  // The origin had the one language of the key.
  const isOfLanguage = string.find(variant, '^[^.]*%-[^.]')[0] !== undefined;
  const names = isOfLanguage ? decision.vary.filter((name) => name !== 'accept-language') : decision.vary;
  ngx.header.Vary = names.length === 0 ? undefined : names.join(', ');
}

/** `log_by_lua` of the fetching server. */
export function endFetch(this: void): void {
  const id = fetchId();
  const fetch = fetches.get(id) as Fetch | undefined;
  if (fetch === undefined) return;
  fetches.delete(id);
  if (fetch.shielded !== undefined) endShielding();
  if (fetch.isStored && !isTooLarge(fetch.key)) tellArriving(fetch.name, fetch.facts);
  if (fetch.leads !== undefined) {
    if (fetch.isRefresh && fetch.isStored && !isTooLarge(fetch.key))
      tellRefreshed(fetch.leads, fetch.requestedAt, fetch.facts);
    endLead(fetch.leads, fetch.leadNumber);
  }
  if (fetch.isNoted) forgetFetch(fetch.route.id, fetch.url, fetch.isKept);
}

/** Last of the addresses that nginx tried, as `host:port`. */
function lastAddress(addresses: string): string {
  const all = addresses.split(', ');
  return all[all.length - 1] as string;
}

/** Content of the location for exchanges with an origin that failed. */
export function failFetch(this: void): void {
  const fetch = fetches.get(fetchId()) as Fetch | undefined;
  const status = ngx.status;
  if (fetch?.shielded?.node !== undefined) {
    noteShieldFailure(fetch.shielded);
    // Whatever answers would have that of the error page.
    ngx.status = 200;
    ngx.exec('@unshielded');
    return;
  }
  const addresses = lastExchange(ngx.var.upstream_addr);
  if (fetch !== undefined && addresses !== undefined && (status === 502 || status === 504)) {
    const address = lastAddress(addresses);
    countFailure(fetch.route, address);
    if (status === 502) noteTlsFailure(fetch.route, fetch.isTls, address);
  }
  const server = fetch === undefined ? undefined : staleServer(fetch);
  const [, , said = ''] = (ngx.var.cordon_verdict ?? '').split('\t');
  const reason = said === '' ? UNNAMED : said;
  if (server === undefined && fetch?.leads !== undefined && shareFailure(fetch.leads, `${status} ${reason}`))
    tellUnshared(fetch.leads);
  if (fetch !== undefined && server !== undefined) {
    if (fetch.originStatus === '') fetch.originStatus = `${status}`;
    noteFailure(fetch);
    if (server === 'nginx') ngx.exit(ngx.ERROR);
    fetch.isOwn = true;
    if (sendStored(fetchId(), fetch.stored)) return;
  }
  fail(status, reason);
}
