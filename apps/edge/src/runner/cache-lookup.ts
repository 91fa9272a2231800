import type { CacheBypass, RunContext } from '@cordon/plugin-kit/edge';
import {
  allowsSlices,
  deviceOf,
  isSlicedFile,
  judgeReuse,
  keyedQuery,
  languageOf,
  requestDirectives,
  SLICE_BYTES,
  staleBeforeTime,
} from '@cordon/plugin-kit/shared-cache';
import { clearsOf, invalidateUrl, isJudged, type ListedClear, noteJudged, numberOfUrl, urlOf } from './cache-clears.ts';
import { prefixOf } from './cache-key.ts';
import { isLarge } from './cache-large.ts';
import {
  demandValidation,
  readObject,
  type ServingTimes,
  type StoredObject,
  setTimes,
  storedAnswer,
  voidObject,
} from './cache-object.ts';
import { isBeingFetched } from './cache-under-way.ts';
import { normaliseFields, variedFields } from './cache-vary.ts';
import { isInDevelopment, mayBeInDevelopment } from './development-mode.ts';
import { type EncodingClass, encodingClass } from './encoding-class.ts';
import { isPageLocationKnown } from './page-location.ts';
import type { PreparedCache, PreparedRoute } from './prepared-route.ts';
import { readHost, readPath } from './request-parts.ts';

/**
 * The cache's part of a decision: whether a request is looked for, and under which key. What is found, and what is not, nginx says
 * afterwards; it asks the fetching server for what it does not have (cache-fetch.ts).
 */

/** Reads what was cleared of the route since the last look, and whether it is in development mode; the same for all requests of one generation. */
export function refresh(cache: PreparedCache, routeId: string, generation: number): void {
  cache.mayBeInDevelopment = mayBeInDevelopment(cache.development);
  cache.clears = clearsOf(routeId);
  cache.varied = variedFields(routeId);
  cache.generation = generation;
  cache.plainPrefixes = { b: undefined, g: undefined, '-': undefined };
}

/** Whether a clear of the list holds for an object that was fetched before it. */
export function isMeant({ kind, value }: ListedClear, url: string, tags: readonly string[]): boolean {
  if (kind === 'all') return true;
  if (kind === 'url') return value === ngx.md5(url);
  if (kind === 'tag') return tags.includes(value);
  const [slash] = string.find(url, '/', 1, true);
  return slash !== undefined && string.sub(url, slash).startsWith(value);
}

/** For how long what was cleared softly serves while it is validated, and while its origin fails, where it may at all. */
const SOFT_SECONDS = 86_400;

/** What a soft clear makes of the times of an object; undefined: it is stale already, and serves as it would without one. */
export function softTimesOf({ policy }: PreparedCache, object: StoredObject, now: number): ServingTimes | undefined {
  if (object.freshUntil <= now) return undefined;
  const { staleWhileRevalidateSeconds, staleIfErrorSeconds } = object.mustRevalidate
    ? object
    : staleBeforeTime(policy, storedAnswer(object), object, SOFT_SECONDS);
  return { freshUntil: now, staleWhileRevalidateSeconds, staleIfErrorSeconds };
}

function clearSoftly(cache: PreparedCache, object: StoredObject): void {
  const times = softTimesOf(cache, object, ngx.time());
  if (times !== undefined) setTimes(object, times);
}

/** Takes out of the way what was stored before a clear that means it. */
function judge(cache: PreparedCache, object: StoredObject, url: string): void {
  const { list, floor, changed } = cache.clears;
  let isStale = false;
  for (const clear of list) {
    if (clear.number > object.clears && isMeant(clear, url, object.tags)) {
      if (!clear.soft) {
        voidObject(object);
        return;
      }
      isStale = true;
    }
  }
  if (object.clears < floor) voidObject(object);
  else if (object.clears < changed) demandValidation(object, ngx.time());
  else if (isStale) clearSoftly(cache, object);
}

/** The key as nginx composes it. */
export const keyOf = (prefix: string, scheme: string, host: string, target: string): string =>
  `${prefix}${scheme}://${host}${target}`;

/** That of a slice, whose range no target can end with: none has a fragment (access.ts). */
export const sliceKeyOf = (key: string, range: string): string => (range === '' ? key : `${key}#${range}`);

/** Of what holds for a route now: nothing that was stored after it has to be judged. */
export const newestOf = ({ clears }: PreparedCache): number => Math.max(clears.newest, clears.floor, clears.changed);

/** Takes out of the way what is stored under a key, where a clear means it. */
export function judgeStored(cache: PreparedCache, routeId: string, key: string, url: string): void {
  const last = newestOf(cache);
  if (isJudged(key, last)) return;
  // What is under way may have been fetched before the clear, and be put in the place of what is judged here. To be asked before that is read.
  const mayBeReplaced = isBeingFetched(routeId, url);
  const object = readObject(cache.zone, key);
  if (object === undefined) return;
  judge(cache, object, url);
  // Others of its key have to be judged each.
  if (!object.isVaried && !mayBeReplaced) noteJudged(key, last);
}

/** Whether what a fetch brings was cleared since it began, when there had been so many clears. */
export function isOutdated(cache: PreparedCache, clears: number, url: string, tags: readonly string[]): boolean {
  const { list, newest, floor, changed } = cache.clears;
  if (clears < Math.max(floor, changed)) return true;
  if (clears < newest) for (const clear of list) if (clear.number > clears && isMeant(clear, url, tags)) return true;
  return false;
}

/** The first slice of a file, as its key names it. */
export const FIRST_SLICE = `bytes=0-${SLICE_BYTES - 1}`;

/**
 * Of a file in slices, which can be many: where its first one does not say that all of them are as they should be, all of them are made
 * void. The number that its key has then.
 */
function judgeSlices(
  cache: PreparedCache,
  route: PreparedRoute,
  number: number,
  encoding: EncodingClass,
  target: string,
  url: string,
  isTls: boolean,
  context: RunContext,
): number {
  const prefix = prefixOf(cache, number, cache.hasVariants ? variantOf(cache, context) : '', encoding);
  const key = keyOf(prefix, isTls ? 'https' : 'http', readHost(), target);
  const last = Math.max(cache.clears.newest, cache.clears.floor);
  if (isJudged(key, last)) return number;
  const mayBeReplaced = isBeingFetched(route.id, url);
  const first = readObject(cache.zone, sliceKeyOf(key, FIRST_SLICE));
  if (first !== undefined && first.clears >= cache.clears.floor && !isCleared(cache, first, url)) {
    if (!first.isVaried && !mayBeReplaced) noteJudged(key, last);
    return number;
  }
  invalidateUrl(route.id, url, true);
  return numberOfUrl(route.id, url, true);
}

function isCleared(cache: PreparedCache, object: StoredObject, url: string): boolean {
  for (const clear of cache.clears.list)
    if (clear.number > object.clears && isMeant(clear, url, object.tags)) return true;
  return false;
}

/** Files whose origin answers with no parts of them, or with parts that cannot be told to belong together. */
const wholes = ngx.shared.cordon_learned as SharedDict;
const WHOLE_SECONDS = 86_400;
const wholeKey = (routeId: string, host: string, path: string): string =>
  `whole ${routeId} ${ngx.md5(`${host}${path}`)}`;

export function fetchWhole(routeId: string, host: string, path: string): void {
  wholes.set(wholeKey(routeId, host, path), 1, WHOLE_SECONDS);
}

/** Whether a file that is mostly large is fetched slice by slice. */
export function mayBeSliced(cache: PreparedCache, context: RunContext): boolean {
  return (
    allowsSlices(cache.policy) &&
    wholes.get(wholeKey(cache.base, context.request.host, context.request.path)) === undefined
  );
}

/** The target that the key has in place of the request's: with the part of the query that makes another object. */
export function targetOf(cache: PreparedCache, target: string, query: string): string {
  if (!cache.hasQueryRules || query === '') return target;
  const kept = keyedQuery(cache.key, query);
  const path = string.sub(target, 1, target.length - query.length - 1);
  return kept === '' ? path : `${path}?${kept}`;
}

/** `$cordon_cache_refresh`: the request is not answered from what is stored; what the origin answers is. */
export const REFRESH = 'refresh';
/** So, and what is stored is not even validated: another node has cleared it. */
export const ANEW = 'anew';
/** What is stored is no newer than what the node has that asks: it is validated, by one request for all that ask. */
export const NEWER = 'newer';
/** So, but by the fetching server: the request takes it though it is stale, for which nginx has no way. */
export const SERVE_STALE = 'stale';

/** RFC 9111 5.2.1.6. */
const asksForOriginal = (context: RunContext): boolean =>
  requestDirectives(context.headerValues('cache-control'), []).hasNoTransform;

/** What directives of a request make of the look (RFC 9111 5.2.1); false: it is refused. */
function obey(cache: PreparedCache, context: RunContext, prefix: string, target: string, isTls: boolean): boolean {
  const cacheControl = context.headerValues('cache-control');
  const pragma = context.headerValues('pragma');
  if (cacheControl.length === 0 && pragma.length === 0) return true;
  // With its milliseconds: what was just stored is older than max-age=0 takes.
  const now = ngx.now();
  const stored = readObject(cache.zone, keyOf(prefix, isTls ? 'https' : 'http', readHost(), target));
  const { action } = judgeReuse(requestDirectives(cacheControl, pragma), stored, now);
  if (action === 'refuse') return false;
  const isStale = stored !== undefined && stored.freshUntil <= now;
  if (action === 'serve' && isStale) ngx.var.cordon_cache_refresh = SERVE_STALE;
  // nginx itself validates what may not serve stale.
  if (action === 'forward' && stored !== undefined && now < stored.freshUntil + stored.staleWhileRevalidateSeconds) {
    ngx.var.cordon_cache_refresh = REFRESH;
    ngx.var.cordon_bypass = 'request';
  }
  return true;
}

/** What makes another object besides the URL and the encoding: the kind of device by its first letter, and the language. */
export function variantOf({ key }: PreparedCache, context: RunContext): string {
  const device = key.byDevice ? string.sub(deviceOf(context.headerValues('user-agent')[0] ?? ''), 1, 1) : '';
  if (key.languages.length === 0) return device;
  return `${device}-${languageOf(context.header('accept-language') ?? '', key.languages)}`;
}

/** `cached`: nginx looks for it, `large`: as for what is mostly large, `sliced`: slice by slice; `passed`: it goes to the origin as any other; `refused`: it may only be answered from what is stored (504). */
export type Look = 'cached' | 'large' | 'sliced' | 'passed' | 'refused';

/** Of cached-locations.conf. */
export const CACHE_LOCATIONS = {
  paid: { cached: '@cached_paid', large: '@large_paid', sliced: '@sliced_paid' },
  free: { cached: '@cached_free', large: '@large_free', sliced: '@sliced_free' },
} as const;

/** Has the request looked for in the cache of its route, when it may be: the variables of `@cached` are set then. */
export function lookUp(
  route: PreparedRoute,
  cache: PreparedCache,
  context: RunContext,
  isTls: boolean,
  generation: number,
  target: string,
  query: string,
  acceptEncoding: string,
): Look {
  if (cache.generation !== generation) refresh(cache, route.id, generation);
  if (cache.mayBeInDevelopment && isInDevelopment(cache.development)) {
    ngx.var.cordon_bypass = 'development' satisfies CacheBypass;
    return 'passed';
  }
  const { bypassesCache, prepared } = cache.plugin;
  const bypass = bypassesCache === undefined ? undefined : bypassesCache(context, prepared);
  if (bypass !== undefined) {
    ngx.var.cordon_bypass = bypass;
    return 'passed';
  }
  // Answers with a page of the domain's own are led where only requests that went there have shown the way.
  if (route.errorPages !== undefined && !isPageLocationKnown(isTls)) return 'passed';
  const look = lookFor(route, cache, context, isTls, generation, target, query, acceptEncoding);
  return look;
}

/** The same where nothing keeps the request from being looked for. */
export function lookFor(
  route: PreparedRoute,
  cache: PreparedCache,
  context: RunContext,
  isTls: boolean,
  generation: number,
  target: string,
  query: string,
  acceptEncoding: string,
): Look {
  // A shield begins here.
  if (cache.generation !== generation) refresh(cache, route.id, generation);
  const encoding = encodingClass(cache.policy.obeysRequests && asksForOriginal(context) ? '' : acceptEncoding);
  if (cache.varied.length > 0) normaliseFields(cache.varied, true);
  const isFile = isSlicedFile(readPath());
  const isSliced = isFile && mayBeSliced(cache, context);
  const { hasUrls, newest, floor, changed } = cache.clears;
  let prefix = cache.plainPrefixes[encoding];
  let keyed = target;
  if (prefix === undefined || hasUrls || newest > 0 || floor > 0 || changed > 0 || cache.hasRules) {
    keyed = targetOf(cache, target, query);
    const url = urlOf(readHost(), readPath(), query === '' ? '' : keyedQuery(cache.key, query));
    let number = hasUrls ? numberOfUrl(route.id, url, isFile) : 0;
    if (isSliced && Math.max(newest, floor) > number)
      number = judgeSlices(cache, route, number, encoding, keyed, url, isTls, context);
    prefix = prefixOf(cache, number, cache.hasVariants ? variantOf(cache, context) : '', encoding);
    if (number === 0 && !cache.hasVariants) cache.plainPrefixes[encoding] = prefix;
    if (!isSliced && (newest > 0 || floor > 0 || changed > 0))
      judgeStored(cache, route.id, keyOf(prefix, isTls ? 'https' : 'http', readHost(), keyed), url);
    if (keyed !== target) ngx.var.cordon_cache_target = keyed;
  }
  ngx.var.cordon_cache_prefix = prefix;
  if (cache.policy.obeysRequests && !obey(cache, context, prefix, keyed, isTls)) return 'refused';
  if (isSliced) return 'sliced';
  return isLarge(readPath()) ? 'large' : 'cached';
}
