import { add_header } from 'ngx.resp';
import { takeOnce, takeValidation, type Validation } from './cache-exchange.ts';
import { UNNAMED } from './cache-fetch.ts';
import { noteLarge } from './cache-large.ts';
import { keyOf, sliceKeyOf } from './cache-lookup.ts';
import {
  freshUntilIn,
  isLargeIn,
  madeAtIn,
  readFacts,
  readObject,
  renewObject,
  type StoredFacts,
} from './cache-object.ts';
import { learnVaried, normaliseFields } from './cache-vary.ts';
import { noteVerdict } from './refusal.ts';
import { readPath } from './request-parts.ts';
import { passedRoute } from './request-state.ts';
import { filterPlainAnswer } from './visitor-response.ts';

/** Answers of nginx's cache on their way to visitors: their age, and how the cache came by them (RFC 9211). */

/** `error_page` leads them to the locations where a request is looked for once more. */
export const AGAIN_STATUS = { paid: 516, free: 517 };

/** Beside those of other caches. */
const CACHE_STATUS = 'Cache-Status';
const HIT = 'Cordon; hit';
const TEXTS_MAX = 10_000;
/** By seconds: the texts of most hits are the same ones. */
let hits = new LuaTable<number, string>();
let hitCount = 0;

function hitText(seconds: number): string {
  const known = hits.get(seconds) as string | undefined;
  if (known !== undefined) return known;
  if (hitCount >= TEXTS_MAX) {
    hits = new LuaTable();
    hitCount = 0;
  }
  const text = `${HIT}; ttl=${seconds}`;
  hits.set(seconds, text);
  hitCount++;
  return text;
}

function forwardReason(cacheStatus: string): string {
  if (cacheStatus === 'BYPASS') return 'request';
  if (cacheStatus === 'EXPIRED' || cacheStatus === 'REVALIDATED') return 'stale';
  return ngx.var.upstream_http_cordon_variant === undefined ? 'uri-miss' : 'vary-miss';
}

/** For the log: nginx forgets the path when it looks for the request once more. */
function keepPath(): void {
  if (ngx.var.cordon_cache_round === '') ngx.var.cordon_uri = ngx.var.uri;
}

/** What became of a request that was not answered from the cache alone. */
function forwardText(cacheStatus: string, facts: StoredFacts | undefined, now: number): string {
  const variables = ngx.var;
  const forwarded = `Cordon; fwd=${forwardReason(cacheStatus)}; fwd-status=${cacheStatus === 'REVALIDATED' ? '304' : (variables.upstream_http_cordon_origin_status ?? ngx.status)}`;
  const unstored = variables.upstream_http_cordon_unstored;
  if (unstored !== undefined) return `${forwarded}; detail=${unstored}`;
  if (facts === undefined) return forwarded;
  return `${forwarded}; stored; ttl=${facts.freshUntil - now}`;
}

/** What a validation found is written to the object, too. */
function renew({ facts, fields }: Validation, scheme: string): void {
  const variables = ngx.var;
  const route = passedRoute();
  if (route === undefined || route.cache === undefined) return;
  const key = keyOf(
    variables.cordon_cache_prefix ?? '',
    scheme,
    variables.host ?? '',
    variables.cordon_cache_target ?? '',
  );
  const slice = variables.slice_range ?? '';
  const object = readObject(route.cache.zone, sliceKeyOf(key, slice));
  if (object !== undefined) renewObject(object, facts, fields);
}

/** Of the slices of a file, the first one's head is the answer's; the others have nothing to say. */
export function renewSlice(cacheStatus: string, scheme: string): void {
  const validated = cacheStatus === 'REVALIDATED' ? takeValidation(ngx.var.cordon_request_id ?? '') : undefined;
  if (validated !== undefined) renew(validated, scheme);
}

function setAge(age: number): void {
  ngx.header.Age = Math.max(age, 0);
}

/** Of `Cordon-Stored`. */
const LENGTH_OF_FACTS = 58;

/** Of an answer that is fresh in the cache, which most are. */
function finishHit(text: string, isTls: boolean): void {
  const now = ngx.time();
  ngx.header.Age = Math.max(now - madeAtIn(text), 0);
  add_header(CACHE_STATUS, hitText(freshUntilIn(text) - now));
  if (isLargeIn(text)) noteLarge(readPath());
  filterPlainAnswer(isTls);
}

/** `header_filter_by_lua` of what the cache answers. */
export function filterCached(this: void, isTls: boolean): void {
  const variables = ngx.var;
  const cacheStatus = variables.upstream_cache_status ?? '';
  if (ngx.is_subrequest) {
    renewSlice(cacheStatus, variables.scheme ?? '');
    return;
  }
  const text = variables.upstream_http_cordon_stored;
  if (cacheStatus === 'HIT' && text !== undefined && text.length === LENGTH_OF_FACTS) finishHit(text, isTls);
  else finishOther(cacheStatus, text, isTls);
}

function finishOther(cacheStatus: string, text: string | undefined, isTls: boolean): void {
  const variables = ngx.var;
  const now = ngx.time();
  const passed = passedRoute();
  if (cacheStatus !== 'STALE' && cacheStatus !== 'UPDATING' && cacheStatus !== 'REVALIDATED') {
    if (variables.upstream_http_cordon_again !== undefined) {
      const cache = passed?.cache;
      keepPath();
      // In a header filter, `exit` returns.
      ngx.exit(AGAIN_STATUS[cache === undefined ? 'paid' : cache.zone]);
      return;
    }
    const failed = variables.upstream_http_cordon_failed;
    if (failed !== undefined) {
      if (failed !== UNNAMED) noteVerdict('', '', failed, '');
      ngx.exit(ngx.status);
      return;
    }
  }
  const facts = finishStored(cacheStatus, text, variables.scheme ?? '');
  if (facts !== undefined && (facts.madeAt < now || cacheStatus !== 'MISS')) setAge(now - facts.madeAt);
  add_header(CACHE_STATUS, statusText(cacheStatus, facts, now));
  filterPlainAnswer(isTls);
}

/** What became of the request (RFC 9211). */
export function statusText(cacheStatus: string, facts: StoredFacts | undefined, now: number): string {
  const isStored = cacheStatus === 'HIT' || cacheStatus === 'STALE' || cacheStatus === 'UPDATING';
  if (!isStored && ngx.var.upstream_http_cordon_served === undefined) return forwardText(cacheStatus, facts, now);
  return hitText(facts === undefined ? 0 : facts.freshUntil - now);
}

/** Gives an answer of nginx what belongs to it, and learns from it; its facts, where it has any. */
export function finishStored(cacheStatus: string, text: string | undefined, scheme: string): StoredFacts | undefined {
  const variables = ngx.var;
  const passed = passedRoute();
  let facts = text === undefined ? undefined : readFacts(text);
  const vary = variables.upstream_http_vary;
  // nginx reads the request's fields once more when it stores the answer, after this.
  if (vary !== undefined && passed !== undefined) normaliseFields(learnVaried(passed.id, vary), false);
  if (cacheStatus === 'REVALIDATED') {
    const validated = takeValidation(variables.cordon_request_id ?? '');
    if (validated !== undefined) {
      renew(validated, scheme);
      facts = validated.facts;
      for (const { name, value } of validated.fields) ngx.header[name] = value;
    }
  }
  if (variables.upstream_http_cordon_once !== undefined)
    for (const { name, value } of takeOnce(variables.cordon_request_id ?? '')) add_header(name, value);
  return facts;
}

/** `access_by_lua` of the location where a request is looked for once more. */
export function countRound(this: void): void {
  ngx.var.cordon_cache_round = `${(tonumber(ngx.var.cordon_cache_round ?? '0') ?? 0) + 1}`;
}
