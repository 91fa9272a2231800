import type { RunContext } from '@cordon/plugin-kit/edge';
import { isSlicedFile, keyedQuery } from '@cordon/plugin-kit/shared-cache';
import { clearsOf, numberOfUrl, urlOf } from './cache-clears.ts';
import { prefixOf, variantOfPrefix } from './cache-key.ts';
import {
  FIRST_SLICE,
  isMeant,
  keyOf,
  mayBeSliced,
  sliceKeyOf,
  softTimesOf,
  targetOf,
  variantOf,
} from './cache-lookup.ts';
import {
  fieldOf,
  readAnyVariant,
  readObject,
  readTimes,
  type ServingTimes,
  type StoredObject,
  type StoredTimes,
  statusOf,
} from './cache-object.ts';
import { normaliseFields, variedFields } from './cache-vary.ts';
import type { EncodingClass } from './encoding-class.ts';
import type { RunnerLook, RunnerLookResult, RunnerStored } from './payload.ts';
import type { PreparedCache } from './prepared-route.ts';
import { readHeader, readHeaderValues } from './request-headers.ts';
import { loadRoute } from './route-lookup.ts';

/**
 * What is stored of a URL, for a request that nobody makes: the agent's own takes its fields, and the functions by which visitors' requests
 * are looked for find what they would. Nothing is changed by it.
 */

/** Untouched; stale, by a soft clear; or it has to be validated, because requests may have changed it. */
type Standing = 'untouched' | 'stale' | 'doubtful';

/** By what was cleared, and changed; undefined: it serves nobody. */
function standingOf({ clears }: PreparedCache, object: StoredObject, url: string): Standing | undefined {
  if (object.clears < clears.floor) return undefined;
  let standing: Standing = 'untouched';
  for (const clear of clears.list) {
    if (clear.number > object.clears && isMeant(clear, url, object.tags)) {
      if (!clear.soft) return undefined;
      standing = 'stale';
    }
  }
  return object.clears < clears.changed ? 'doubtful' : standing;
}

/** Cleared softly, or in doubt, it has these in place of its own once the first request for it comes. */
function timesOf(
  cache: PreparedCache,
  object: StoredObject,
  times: StoredTimes,
  standing: Standing,
  now: number,
): ServingTimes {
  if (standing === 'untouched') return times;
  if (standing === 'stale') return softTimesOf(cache, object, now) ?? times;
  return { freshUntil: Math.min(times.freshUntil, now), staleWhileRevalidateSeconds: 0, staleIfErrorSeconds: 0 };
}

/** A slice is a part of an answer whose status is 200. */
const shownStatus = (object: StoredObject, isSliced: boolean): number => {
  const status = statusOf(object);
  return isSliced && status === 206 ? 200 : status;
};

function describe(object: StoredObject, times: ServingTimes, bytes: number, isSliced: boolean): RunnerStored {
  const { freshUntil } = times;
  return {
    status: shownStatus(object, isSliced),
    content_type: fieldOf(object, 'content-type') ?? '',
    content_encoding: fieldOf(object, 'content-encoding') ?? '',
    made_at: object.madeAt,
    fresh_until: freshUntil,
    stale_while_revalidate_until: freshUntil + times.staleWhileRevalidateSeconds,
    stale_if_error_until: freshUntil + times.staleIfErrorSeconds,
    bytes,
    is_sliced: isSliced,
    // An empty table would be written as an object.
    ...(object.tags.length > 0 ? { tags: object.tags } : {}),
    etag: fieldOf(object, 'etag') ?? '',
    last_modified: fieldOf(object, 'last-modified') ?? '',
    vary: fieldOf(object, 'cordon-vary') ?? '',
  };
}

function findStored(cache: PreparedCache, key: string, url: string, isSliced: boolean): RunnerStored | undefined {
  const object = readObject(cache.zone, key);
  const standing = object === undefined ? undefined : standingOf(cache, object, url);
  const times = object === undefined || standing === undefined ? undefined : readTimes(object);
  // Of slices, any clear that means the first makes all of them void.
  if (object === undefined || standing === undefined || times === undefined) return undefined;
  if (isSliced && standing === 'stale') return undefined;
  // Its key says whether it was changed.
  const serving = isSliced ? times : timesOf(cache, object, times, standing, ngx.time());
  return describe(object, serving, times.bytes, isSliced);
}

/** By which fields of requests the objects of a key differ; undefined: nothing is stored for requests with others. */
function variedBy(cache: PreparedCache, key: string, url: string): string | undefined {
  const object = readAnyVariant(cache.zone, key);
  return object === undefined || standingOf(cache, object, url) === undefined ? undefined : fieldOf(object, 'vary');
}

/** The request that nobody makes, as far as keys depend on one. */
function contextOf({ host, path }: RunnerLook): RunContext {
  const context = {
    request: { host, path },
    header: (name: string) => readHeader(name),
    headerValues: (name: string) => readHeaderValues(name),
  };
  return context as unknown as RunContext;
}

const NOTHING: RunnerLookResult = { is_cached: false, query: '', device: '', language: '' };

/** Answers `POST /look`, whose own fields become those of the request. */
export function lookInto(look: RunnerLook): RunnerLookResult {
  const { scheme, host, path, target } = look;
  const id = look.route_id;
  const prepared = loadRoute(id)?.cache;
  if (prepared === undefined) return NOTHING;
  const cache: PreparedCache = { ...prepared, clears: clearsOf(id) };
  for (const { name, value } of look.headers) ngx.req.set_header(name, value);
  const varied = variedFields(id);
  if (varied.length > 0) normaliseFields(varied, false);
  const [at] = string.find(target, '?', 1, true);
  const query = at === undefined ? '' : string.sub(target, at + 1);
  const kept = keyedQuery(cache.key, query);
  const url = urlOf(host, path, kept);
  const isFile = isSlicedFile(path);
  const number = numberOfUrl(id, url, isFile);
  const context = contextOf(look);
  const variant = cache.hasVariants ? variantOf(cache, context) : '';
  const isSliced = isFile && mayBeSliced(cache, context);
  let variesBy: string | undefined;
  const find = (encoding: EncodingClass): RunnerStored | undefined => {
    const whole = keyOf(prefixOf(cache, number, variant, encoding), scheme, host, targetOf(cache, target, query));
    const key = isSliced ? sliceKeyOf(whole, FIRST_SLICE) : whole;
    const stored = findStored(cache, key, url, isSliced);
    if (stored === undefined) variesBy = variesBy ?? variedBy(cache, key, url);
    return stored;
  };
  const objects = { br: find('b'), gzip: find('g'), identity: find('-') };
  return {
    is_cached: true,
    query: kept,
    ...variantOfPrefix(prefixOf(cache, number, variant, '-')),
    ...objects,
    varies_by: variesBy,
  };
}
