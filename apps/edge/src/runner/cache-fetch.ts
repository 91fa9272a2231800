import type { CacheAnswer, CacheRequest, StorageDecision } from '@cordon/plugin-kit/shared-cache';
import {
  cacheControlOf,
  DIGEST_FIELDS,
  isCompressible,
  judgeReuse,
  judgeStorage,
  keyedQuery,
  requestDirectives,
} from '@cordon/plugin-kit/shared-cache';
import { add_header } from 'ngx.resp';
import { clearsSoFar, forgetFetch, invalidateUrl, noteFetch, urlOf } from './cache-clears.ts';
import { endLead, takeTurn, tellArriving, tellUnshared } from './cache-collapse.ts';
import { leaveOnce, leaveValidation } from './cache-exchange.ts';
import { classOfPrefix, variantOfPrefix } from './cache-key.ts';
import { LARGE_BYTES_MIN } from './cache-large.ts';
import { ANEW, fetchWhole, keyOf, REFRESH, SERVE_STALE, sliceKeyOf } from './cache-lookup.ts';
import {
  fieldOf,
  isStored,
  readBody,
  readObject,
  type StoredFacts,
  type StoredField,
  type StoredObject,
  setFacts,
  statusOf,
  storedFields,
  voidObject,
} from './cache-object.ts';
import { hasRoomForObjects } from './cache-space.ts';
import { RAW_NAMES, restoreRawFields } from './cache-vary.ts';
import { waitForPlace } from './concurrency-limit.ts';
import { beginExchange, type Exchange, forgetConditions, passBody, setAnswerFields } from './direct-exchange.ts';
import { ENCODINGS } from './encoding-class.ts';
import { currentGeneration } from './generation.ts';
import { usesTls } from './hand-over.ts';
import { isHintingRoute, rememberHints } from './hinting-routes.ts';
import { leaveOutRow } from './logged-rows.ts';
import { isEqualSecret } from './native.ts';
import { withholdFields } from './origin-fields.ts';
import { aimAtOrigin, setOriginFields } from './origin-request.ts';
import { noteTlsFailure } from './origin-tls.ts';
import type { PreparedCache, PreparedRoute } from './prepared-route.ts';
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
import { noteChanged } from './shield-state.ts';
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
  readonly url: string;
  /** What nginx has and may not use as it is; undefined where it has nothing. */
  readonly stored: StoredObject | undefined;
  /** What is stored is still fresh, and the visitor wants it validated: nginx knows nothing of that, and takes a whole answer only. */
  readonly isRefresh: boolean;
  /** There is something stored for the URL, for requests with other fields. */
  readonly isVariant: boolean;
  /** What is stored goes out by way of the fetching server, because it is the request that takes it though its origin fails. */
  isServedStale: boolean;
  /** What the origin answered with, where nginx did not ask it, and its address. */
  originStatus: string;
  originAddress: string | undefined;
  readonly isLeader: boolean;
  /** What besides the URL makes another object: each has versions of its own. */
  readonly variant: string;
  /** Only a slice of a large file is asked for. */
  readonly isSlice: boolean;
  readonly clears: number;
  /** How it goes through shields; undefined: to the origin. */
  readonly shielded: ShieldedFetch | undefined;
  readonly requestedAt: number;
  /** What is stored goes out with the fields of an answer to a validation. */
  body: string | undefined;
  /** The answer is the fetching server's own. */
  isOwn: boolean;
  /** The answer is for others too. */
  isStored: boolean;
}

/** By the ids of requests, until they end. */
const fetches = new LuaTable<string, Fetch>();

const requestId = (): string => ngx.var.cordon_request_id ?? '';
const INTERNAL_FIELDS = [
  ...['Cordon-Cache-Prefix', 'Cordon-Cache-Target', 'Cordon-Cache-State', 'Cordon-Cache-Round', 'Cordon-Cache-Refresh'],
  'Cordon-Cache-Shield',
  RAW_NAMES,
];

/** How often a request may look again: nginx ends one that is led round ten times. */
const ROUNDS_MAX = 5;
/** nginx puts an answer in its place just after the fetching server has sent the last of it. */
const STORING_SECONDS = 0.005;

/** Has nginx look for the request once more, where the answer to another one is by now. */
function lookAgain(): void {
  const fetch = fetches.get(requestId()) as Fetch | undefined;
  if (fetch !== undefined) fetch.isOwn = true;
  ngx.header['X-Accel-Expires'] = '0';
  ngx.header['Cordon-Again'] = '1';
  ngx.header['Content-Length'] = 0;
  ngx.send_headers();
  ngx.exit(200);
}

/** Content of the location where an exchange with an origin is over, and its answer is not for the visitor. */
export function fetchAgain(this: void): void {
  const fetch = fetches.get(requestId()) as Fetch | undefined;
  if (fetch?.stored !== undefined && fetch.isServedStale) {
    fetch.isOwn = true;
    if (sendStored(fetch.stored)) return;
  }
  lookAgain();
}

/** A field without a value would be none. */
export const UNNAMED = '-';

function fail(status: number, reason: string): void {
  const fetch = fetches.get(requestId()) as Fetch | undefined;
  if (fetch !== undefined) fetch.isOwn = true;
  ngx.status = status;
  ngx.header['X-Accel-Expires'] = '0';
  ngx.header['Cordon-Failed'] = reason;
  ngx.header['Cordon-Origin'] = lastExchange(ngx.var.upstream_addr);
  ngx.header['Cordon-Origin-Status'] = lastExchange(ngx.var.upstream_status);
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
  const slice = variables.http_range ?? '';
  const key = sliceKeyOf(keyOf(prefix, scheme, variables.host ?? '', target), slice);
  if (refresh === SERVE_STALE && sendStored(readObject(cache.zone, key))) return;
  const name = ngx.md5(key);
  const isAlone = round >= ROUNDS_MAX || refresh !== undefined || slice !== '';
  const turn = isAlone ? 'each' : takeTurn(name, state !== 'MISS');
  if (turn === 'again') {
    // The one before has ended, and what it brought is not there: it is about to be.
    ngx.sleep(STORING_SECONDS * (round + 1));
    lookAgain();
    return;
  }
  const query = variables.args ?? '';
  const url = urlOf(variables.host ?? '', variables.uri ?? '/', query === '' ? '' : keyedQuery(cache.key, query));
  noteFetch(route.id, url, requestId());
  const isRefresh = refresh === REFRESH || refresh === ANEW;
  const isStale = state === 'EXPIRED' || state === 'STALE';
  // After it was noted that the fetch is under way: a clear from now on finds it, or is counted here.
  const clears = clearsSoFar();
  // What each fetches for itself is stored nowhere, and a slice is for all.
  const mayBeShielded = !isOfShield && refresh === undefined && (turn !== 'each' || slice !== '');
  const before: Fetch = {
    route,
    cache,
    isTls,
    key: name,
    url,
    stored: storedBefore(cache, key, refresh, isStale),
    isRefresh,
    isVariant: state === 'MISS' && isStored(cache.zone, key),
    isServedStale: false,
    originStatus: '',
    originAddress: undefined,
    isLeader: turn === 'lead',
    variant: string.match(prefix, '[^.]*%.[^.]*$')[0] ?? '',
    isSlice: slice !== '',
    clears,
    shielded: mayBeShielded ? planShielding(route, cache, url, scheme, generation) : undefined,
    requestedAt: ngx.now(),
    body: undefined,
    isOwn: false,
    isStored: false,
  };
  fetches.set(requestId(), before);
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
  if (refresh === REFRESH) return validatable(cache, key);
  return refresh === undefined && isStale ? readObject(cache.zone, key) : undefined;
}

/** What a validation can go on with: undefined for what is not there, or too large to be sent from here. */
function validatable(cache: PreparedCache, key: string): StoredObject | undefined {
  const stored = readObject(cache.zone, key);
  return stored === undefined || readBody(stored) === undefined ? undefined : stored;
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

/** Answers with what is stored, stale as it is, where the request takes it; false: it is not there any more. */
function sendStored(stored: StoredObject | undefined): boolean {
  const body = stored === undefined ? undefined : readBody(stored);
  if (stored === undefined || body === undefined) return false;
  for (const { name, value } of storedFields(stored))
    if (name !== 'connection' && name !== 'transfer-encoding' && name !== 'content-length') add_header(name, value);
  ngx.status = statusOf(stored);
  ngx.header['X-Accel-Expires'] = '0';
  ngx.header['Cordon-Served'] = '1';
  ngx.header['Content-Length'] = body.length;
  ngx.print(body);
  ngx.exit(ngx.status);
  return true;
}

/** Content of the location where a shield has not answered: the next one is asked, or the origin. */
export function fetchUnshielded(this: void): void {
  const fetch = fetches.get(requestId()) as Fetch | undefined;
  if (fetch === undefined) ngx.exit(502);
  else send(fetch, currentGeneration());
}

/**
 * Fetches at a time of a route that has no limit of its own: what may be stored is fetched to its end though its visitors have left, and must
 * not take all of the node's connections from others.
 */
const fetchesMax = (): number => Math.max(FETCHES_MIN, Math.floor(options.limits.connections / 16));
const FETCHES_MIN = 100;

function send({ route, isTls, shielded }: Fetch, generation: number): void {
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
    requestId(),
    isLimited ? `request ${route.id}` : `fetch ${route.id}`,
    isLimited ? () => upstream.connectionLimit : fetchesMax,
    options.limits.origin_queue_seconds,
  );
  if (place !== 'taken') {
    fail(503, 'origin_limit');
    return;
  }
  setOriginFields(route);
  aimAtOrigin(route, isTls);
  if (isHintingRoute(route.id, generation)) ngx.exec(upstream.directLocation);
  if (location !== undefined) ngx.exec(location);
}

/** All values of a field of the answer that is being sent. */
function answerField(name: string): readonly string[] {
  const value = ngx.header[name] as string | number | string[] | undefined;
  if (value === undefined) return [];
  if (typeof value === 'string' || typeof value === 'number') return [`${value}`];
  return value;
}

/** The fields of an answer to a validation, and where it has none of a name, those that are stored (RFC 9111 3.2). */
function mergedField(stored: StoredObject, name: string): readonly string[] {
  const values = answerField(name);
  if (values.length > 0) return values;
  const known = fieldOf(stored, storedName(name));
  return known === undefined ? [] : [known];
}

function requestOf(cache: PreparedCache): CacheRequest {
  const cacheControl = ngx.var.http_cache_control;
  return {
    method: ngx.req.get_method(),
    path: ngx.var.uri ?? '/',
    query: ngx.var.args ?? '',
    hasAuthorization: ngx.var.http_authorization !== undefined,
    cacheControl: cache.policy.obeysRequests && cacheControl !== undefined ? [cacheControl] : [],
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

/** For how long what is stored serves while the origin fails: what a request says of that is before the rest, where it is obeyed. */
function staleIfErrorSeconds({ policy }: PreparedCache, stored: StoredObject, now: number): number {
  const cacheControl = ngx.var.http_cache_control;
  if (!policy.obeysRequests || cacheControl === undefined) return stored.staleIfErrorSeconds;
  return judgeReuse(requestDirectives([cacheControl], []), stored, now).staleIfErrorSeconds;
}

/** Who serves what is stored where the origin fails: nginx, as the object says, or the fetching server, as the request does; undefined: nobody. */
function staleServer({ cache, stored, isRefresh }: Fetch, now: number): 'nginx' | 'fetching' | undefined {
  if (stored === undefined || isRefresh) return undefined;
  const seconds = staleIfErrorSeconds(cache, stored, now);
  if (now >= stored.freshUntil + seconds) return undefined;
  return now < stored.freshUntil + stored.staleIfErrorSeconds ? 'nginx' : 'fetching';
}

/** `header_filter_by_lua` of the fetching server. */
export function filterFetched(this: void): void {
  const fetch = fetches.get(requestId()) as Fetch | undefined;
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
    if (outcome === 'failed' && staleServer(fetch, ngx.now()) === undefined) {
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
  const server = isFailure(ngx.status) ? staleServer(fetch, ngx.now()) : undefined;
  if (server !== undefined) {
    fetch.isServedStale = server === 'fetching';
    return fetch.isServedStale ? 'again' : 'broken';
  }
  if (fetch.isSlice && isWholeFile(fetch)) return 'again';
  const { stored } = fetch;
  if (ngx.status === 304 && stored !== undefined) return finishValidation(fetch, stored);
  finish(fetch, judge(fetch, undefined), false);
  return 'passed';
}

/** Content of the locations for routes whose origins send interim answers. */
export function fetchDirectly(this: void): void {
  const fetch = fetches.get(requestId()) as Fetch | undefined;
  const exchange = fetch === undefined ? undefined : beginExchange(fetch.route, fetch.isTls);
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
function passFailureOn(fetch: Fetch, { origin, originStatus }: ShieldedFetch): void {
  const reason = shieldedReason();
  withholdInternal();
  if (fetch.isLeader) tellUnshared(fetch.key);
  fetch.isOwn = true;
  ngx.header['X-Accel-Expires'] = '0';
  ngx.header['Cordon-Failed'] = reason;
  ngx.header['Cordon-Origin'] = origin;
  ngx.header['Cordon-Origin-Status'] = originStatus;
}

/** Entity tags by URL, while its slices are fetched: slices of two versions do not make a file. */
const tags = ngx.shared.cordon_fetches as SharedDict;
const TAG_SECONDS = 86_400;

function noteTag({ route, url, variant }: Fetch, tag: string): void {
  const key = `tag ${route.id} ${variant} ${ngx.md5(url)}`;
  const known = tags.get(key);
  if (known !== undefined && known !== tag) {
    invalidateUrl(route.id, url);
    // A shield may have slices of the older one.
    noteChanged(route.id, route.czone, url);
  }
  if (known !== tag) tags.set(key, tag, TAG_SECONDS);
}

/**
 * Whether the file comes as a whole from now on: its origin sends no parts, or some that cannot be told to belong together. True: the
 * request goes another way.
 */
function isWholeFile(fetch: Fetch): boolean {
  const status = ngx.status;
  if (status !== 200 && status !== 206) return false;
  const tag = answerField('etag')[0] ?? answerField('last-modified')[0];
  const [, , length] = string.find(answerField('content-range')[0] ?? '', '^bytes %d+%-%d+/(%d+)$');
  if (status === 206 && tag !== undefined && length !== undefined) {
    noteTag(fetch, tag);
    return false;
  }
  fetchWhole(fetch.route.id, ngx.var.host ?? '', ngx.var.uri ?? '/');
  // A whole answer serves the request as it is; a part does not.
  return status !== 200;
}

/** Between a proxy and who asks it: never stored (RFC 9111 3.1). */
const PROXY_FIELDS = ['proxy-authenticate', 'proxy-authentication-info', 'proxy-authorization'];

/** What only the fetching server may say, and what is for this hop only. */
function withholdInternal(): void {
  for (const [name] of ngx.resp.get_headers(0)) {
    const lower = string.lower(name);
    if (string.sub(lower, 1, 7) === 'cordon-' || PROXY_FIELDS.includes(lower)) ngx.header[name] = undefined;
  }
}

/** Fields that belong to the exchange, or that nginx and the runner write themselves. */
const EXCHANGE_FIELDS = new LuaSet<string>();
for (const name of [
  ...[
    'connection',
    'keep-alive',
    'transfer-encoding',
    'content-length',
    'content-range',
    'date',
    'age',
    'server',
    'expires',
  ],
  ...['x-accel-expires', 'x-accel-redirect', 'cache-status'],
])
  EXCHANGE_FIELDS.add(name);

const isExchangeField = (name: string): boolean => EXCHANGE_FIELDS.has(name) || string.sub(name, 1, 7) === 'cordon-';

/** Stored fields that stand under another name. */
const storedName = (name: string): string =>
  name === 'cache-control' ? 'cordon-cache-control' : name === 'vary' ? 'cordon-vary' : name;

const opaqueOf = (tag: string): string => (tag.startsWith('W/') ? string.sub(tag, 3) : tag);

/** What is compressed has a weak entity tag, where its origin has a strong one (RFC 9110 8.8.3.2). */
function isSame(name: string, known: string | undefined, value: string): boolean {
  return known === value || (name === 'etag' && known !== undefined && opaqueOf(known) === opaqueOf(value));
}

function hasNewFields(stored: StoredObject): boolean {
  for (const [name, value] of ngx.resp.get_headers(0)) {
    const text = typeof value === 'string' ? value : (value as string[]).join(', ');
    if (!isExchangeField(name) && !isSame(name, fieldOf(stored, storedName(name)), text)) return true;
  }
  const expires = answerField('expires')[0];
  return expires !== undefined && fieldOf(stored, 'expires')?.length !== expires.length;
}

/** Of the stored body, which a 304 does not have (RFC 9111 3.2). */
const BODY_FIELDS = ['Content-Encoding', 'Content-MD5', 'Content-Range'];

/** Whether an answer to a validation names another strong entity tag: it is not of what is stored (RFC 9111 4.3.4). */
function isOfAnother(stored: StoredObject): boolean {
  const [tag] = answerField('etag');
  const known = fieldOf(stored, 'etag');
  return tag !== undefined && known !== undefined && !tag.startsWith('W/') && tag !== opaqueOf(known);
}

/** What is stored goes on; where the origin says anything new of it, as a whole answer with the fields of both (RFC 9111 3.2, 4.3.4). */
function finishValidation(fetch: Fetch, stored: StoredObject): Course {
  if (isOfAnother(stored)) {
    voidObject(stored);
    return 'again';
  }
  for (const name of BODY_FIELDS) ngx.header[name] = undefined;
  const body = fetch.isRefresh || hasNewFields(stored) ? readBody(stored) : undefined;
  if (body === undefined) {
    finish(fetch, judge(fetch, stored), true);
    return 'passed';
  }
  restoreFields(stored);
  ngx.status = statusOf(stored);
  ngx.header['Content-Length'] = body.length;
  fetch.body = body;
  finish(fetch, judge(fetch, undefined), false);
  return 'passed';
}

function restoreFields(stored: StoredObject): void {
  const answered = ngx.resp.get_headers(0);
  for (const { name, value } of storedFields(stored)) {
    const visible = name === 'cordon-cache-control' ? 'cache-control' : name === 'cordon-vary' ? 'vary' : name;
    const isOwn = name === 'cache-control' || name === 'vary' || (visible === name && isExchangeField(name));
    if (!isOwn && answered.get(visible) === undefined) add_header(visible, value);
    // That of the very form that is stored.
    if (name === 'etag') ngx.header.ETag = value;
  }
}

/** `body_filter_by_lua` of the fetching server: a validation has no body of its own. */
export function filterFetchedBody(this: void): void {
  const fetch = fetches.get(requestId()) as Fetch | undefined;
  if (fetch === undefined || fetch.body === undefined) return;
  ngx.arg[1] = fetch.body;
  ngx.arg[2] = true;
  fetch.body = '';
}

function finish(fetch: Fetch, decision: StorageDecision, isValidated: boolean): void {
  const isUnsliced = fetch.isSlice && ngx.status === 200;
  const unstored = decision.unstored ?? (isUnsliced ? 'no_parts' : hasRoomForObjects() ? undefined : 'no_room');
  const isShared = unstored === undefined && decision.freshUntil > ngx.now();
  fetch.isStored = isShared;
  if (fetch.isLeader && !isShared) tellUnshared(fetch.key);
  ngx.header['X-Accel-Redirect'] = undefined;
  const { shielded } = fetch;
  const isShielded = shielded?.facts !== undefined;
  ngx.header['Cordon-Origin'] = isShielded
    ? shielded.origin
    : (fetch.originAddress ?? lastExchange(ngx.var.upstream_addr));
  ngx.header['Cordon-Origin-Status'] = isShielded
    ? shielded.originStatus
    : (lastExchange(ngx.var.upstream_status) ?? fetch.originStatus);
  withhold(decision.withheldFields);
  setVary(decision, isValidated);
  setCacheControl(fetch, decision, isValidated);
  if (unstored !== undefined) ngx.header['Cordon-Unstored'] = unstored;
  if (fetch.isVariant) ngx.header['Cordon-Variant'] = '1';
  // nginx takes what is valid until now for fresh.
  ngx.header['X-Accel-Expires'] = unstored === undefined ? `@${Math.floor(decision.freshUntil) - 1}` : '0';
  const facts: StoredFacts = {
    clears: fetch.clears,
    madeAt: Math.floor(decision.madeAt),
    freshUntil: Math.floor(decision.freshUntil),
    staleWhileRevalidateSeconds: decision.staleWhileRevalidateSeconds,
    staleIfErrorSeconds: decision.staleIfErrorSeconds,
    mustRevalidate: decision.mustRevalidate,
    isLarge: isValidated
      ? fetch.stored?.isLarge === true
      : (tonumber(answerField('content-length')[0]) ?? 0) > LARGE_BYTES_MIN,
  };
  setFacts(facts);
  if (isValidated) leaveValidation(requestId(), { facts, fields: datesOf() });
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
  ngx.header['Cache-Control'] =
    `stale-while-revalidate=${decision.staleWhileRevalidateSeconds}, stale-if-error=${decision.staleIfErrorSeconds}`;
}

/** Whether nginx compresses the answer on its way to who takes that. Has it left as it is where it must be (RFC 9110 7.7). */
function isCompressed(): boolean {
  const [noTransform] = string.find(string.lower(answerField('cache-control').join(',')), 'no-transform', 1, true);
  const mustStay = noTransform !== undefined || DIGEST_FIELDS.some((name) => answerField(name).length > 0);
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

/** Towards nginx, the field names what is not part of the key already. */
function setVary(decision: StorageDecision, isValidated: boolean): void {
  const sent = answerField('vary').join(', ');
  const addsEncoding = !isValidated && !namesEncoding(sent) && isCompressed();
  const shown = addsEncoding ? (sent === '' ? 'Accept-Encoding' : `${sent}, Accept-Encoding`) : sent;
  if (shown !== '' && !isValidated) ngx.header['Cordon-Vary'] = shown;
  ngx.header.Vary = decision.vary.length === 0 ? undefined : decision.vary.join(', ');
}

/** `log_by_lua` of the fetching server. */
export function endFetch(this: void): void {
  const id = requestId();
  const fetch = fetches.get(id) as Fetch | undefined;
  if (fetch === undefined) return;
  fetches.delete(id);
  if (fetch.shielded !== undefined) endShielding();
  if (fetch.isStored) tellArriving(fetch.key, fetch.clears);
  if (fetch.isLeader) endLead(fetch.key);
  forgetFetch(fetch.route.id, fetch.url, id);
}

/** Last of the addresses that nginx tried, as `host:port`. */
function lastAddress(addresses: string): string {
  const all = addresses.split(', ');
  return all[all.length - 1] as string;
}

/** Content of the location for exchanges with an origin that failed. */
export function failFetch(this: void): void {
  const fetch = fetches.get(requestId()) as Fetch | undefined;
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
  if (fetch?.isLeader === true) tellUnshared(fetch.key);
  const server = fetch === undefined ? undefined : staleServer(fetch, ngx.now());
  if (server === 'nginx') ngx.exit(ngx.ERROR);
  if (server === 'fetching' && fetch !== undefined) {
    fetch.isOwn = true;
    if (sendStored(fetch.stored)) return;
  }
  const [, , reason = ''] = (ngx.var.cordon_verdict ?? '').split('\t');
  fail(status, reason === '' ? UNNAMED : reason);
}
