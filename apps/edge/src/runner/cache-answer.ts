import {
  type CacheForward,
  failedStatus,
  forwardedStatus,
  hitStatus,
  SECONDS_MAX,
  type UnstoredReason,
} from '@cordon/plugin-kit/shared-cache';
import { add_header } from 'ngx.resp';
import { takeFailure, takeOnce, takeValidation, type Validation } from './cache-exchange.ts';
import { COLLAPSED, UNNAMED, VALIDATED } from './cache-fetch.ts';
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
import { learnVaried, normaliseFields, variedFields } from './cache-vary.ts';
import { noteWriting } from './cache-writing.ts';
import { keepConnection } from './given-up-answer.ts';
import { answerUnmodified, answerUnstored } from './modified-since.ts';
import { noteVerdict } from './refusal.ts';
import { readPath } from './request-parts.ts';
import { passedRoute } from './request-state.ts';
import { setStoredLength } from './stored-length.ts';
import { storeUnsent } from './unsent-answer.ts';
import { filterPlainAnswer } from './visitor-response.ts';
import { newMemory, remember } from './worker-memory.ts';

/** Answers of nginx's cache on their way to visitors: their age, and how the cache came by them (RFC 9211). */

/** `error_page` leads them to the locations where a request is looked for once more. */
export const AGAIN_STATUS = { paid: 516, free: 517 };

/** Beside those of other caches. */
const CACHE_STATUS = 'Cache-Status';
/** By seconds: the texts of most hits are the same ones. */
const hits = newMemory<number, string>(10_000);

const hitText = (seconds: number): string => hits.entries.get(seconds) ?? remember(hits, seconds, hitStatus(seconds));

function forwardReason(cacheStatus: string): CacheForward {
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
  const fetched = variables.cordon_fetched_status ?? '';
  const status = fetched === '' ? ngx.status : fetched;
  // The fetching server writes it.
  const unstored = variables.upstream_http_cordon_unstored as UnstoredReason | undefined;
  return forwardedStatus(
    forwardReason(cacheStatus),
    status,
    unstored,
    facts === undefined ? undefined : facts.freshUntil - now,
  );
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
  // Another may be in its place.
  if (object !== undefined && object.madeAt <= facts.madeAt) renewObject(object, facts, fields);
}

/** Of the slices of a file, the first one's head is the answer's; the others have nothing to say. */
export function renewSlice(cacheStatus: string, scheme: string): void {
  noteWriting(cacheStatus, scheme);
  // Variables are the file's: where any slice of it is fetched, so is it. What is fetched in the background has no slice.
  if (cacheStatus === 'MISS' && (ngx.var.slice_range ?? '') !== '') ngx.var.cordon_cache_outcome = cacheStatus;
  const validated = cacheStatus === 'REVALIDATED' ? takeValidation(ngx.var.cordon_request_id ?? '') : undefined;
  if (validated !== undefined) renew(validated, scheme);
}

/** Facts have no time before 1970: of an age of 2^31 s, or more, they have 0 (RFC 9111 1.2.2). */
function setAge(madeAt: number, now: number): void {
  ngx.header.Age = madeAt === 0 ? SECONDS_MAX : Math.max(now - madeAt, 0);
}

/** Of `Cordon-Stored`. */
const LENGTH_OF_FACTS = 58;

/** Of an answer that is fresh in the cache, which most are. */
function finishHit(text: string, isTls: boolean): void {
  const now = ngx.time();
  ngx.header.Age = Math.max(now - madeAtIn(text), 0);
  add_header(CACHE_STATUS, hitText(freshUntilIn(text) - now));
  if (isLargeIn(text)) noteLarge(readPath());
  setStoredLength();
  answerUnmodified();
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

/** What the request asked for is done: it is looked for as any other, and the row of the log says what the origin has answered to it. */
export function keepRefreshed(again: string): void {
  const variables = ngx.var;
  variables.cordon_refreshed = again;
  variables.cordon_cache_refresh = '';
  noteOrigin(variables.upstream_http_cordon_origin ?? '');
}

/** For the row of the log, an `originText`; empty: no origin was asked. */
function noteOrigin(text: string): void {
  const [, , status = '', address = ''] = string.find(text, '^(%S*) (.*)$');
  ngx.var.cordon_fetched_status = status as string;
  ngx.var.cordon_fetched_address = address as string;
}

/** `header_filter_by_lua` of what was looked for once more. */
export function filterFoundAgain(this: void, isTls: boolean): void {
  const variables = ngx.var;
  const text = variables.upstream_http_cordon_stored;
  const refreshed = variables.cordon_refreshed ?? '';
  const facts = text === undefined ? undefined : readFacts(text);
  if (refreshed === '' || variables.upstream_cache_status !== 'HIT' || facts === undefined) {
    filterCached(isTls);
    return;
  }
  const now = ngx.time();
  setAge(facts.madeAt, now);
  const how = refreshed === COLLAPSED ? COLLAPSED : 'fwd-status=304';
  add_header(CACHE_STATUS, `Cordon; fwd=request; ${how}; stored; ttl=${facts.freshUntil - now}`);
  setStoredLength();
  answerUnmodified();
  filterPlainAnswer(isTls);
}

function finishOther(cacheStatus: string, text: string | undefined, isTls: boolean): void {
  const variables = ngx.var;
  const now = ngx.time();
  const passed = passedRoute();
  if (cacheStatus !== 'STALE' && cacheStatus !== 'UPDATING' && cacheStatus !== 'REVALIDATED') {
    const again = variables.upstream_http_cordon_again;
    if (again !== undefined) {
      if (again === VALIDATED || again === COLLAPSED) keepRefreshed(again);
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
  const isUnstored = variables.upstream_http_cordon_unstored !== undefined;
  // RFC 9111 5.1: what is passed on only has the Age of its origin, or none; what is no number is ignored.
  const isAged = isUnstored
    ? string.find(variables.upstream_http_age ?? '', '^%d')[0] !== undefined
    : cacheStatus !== 'MISS';
  if (facts !== undefined && (isAged || (!isUnstored && facts.madeAt < now))) setAge(facts.madeAt, now);
  const failure = failureOf(cacheStatus);
  if (isStale(cacheStatus)) {
    variables.cordon_cache_outcome = 'STALE';
    // The field that it is read from is stored, and about another request.
    noteOrigin(failure ?? '');
  }
  // Another head is fetched as a new answer; its body was stored.
  else if (cacheStatus === 'EXPIRED' && variables.cordon_fetched_status === '304')
    variables.cordon_cache_outcome = 'REVALIDATED';
  add_header(CACHE_STATUS, statusText(cacheStatus, facts, now, failure));
  if (cacheStatus === 'HIT' || cacheStatus === 'REVALIDATED' || isStale(cacheStatus)) {
    setStoredLength();
    answerUnmodified();
  } else if (isUnstored) answerUnstored();
  filterPlainAnswer(isTls);
  storeUnsent();
}

/** Whether something stale serves, sent by nginx or by the fetching server. */
const isStale = (cacheStatus: string): boolean =>
  cacheStatus === 'STALE' || cacheStatus === 'UPDATING' || ngx.var.upstream_http_cordon_served !== undefined;

/** What the origin has failed with in whose place something stale serves, as `originText` has it; undefined: it has not, or was not asked. */
export const failureOf = (cacheStatus: string): string | undefined =>
  isStale(cacheStatus) ? takeFailure(ngx.var.cordon_request_id ?? '') : undefined;

/** What became of the request (RFC 9211). */
export function statusText(
  cacheStatus: string,
  facts: StoredFacts | undefined,
  now: number,
  failure: string | undefined,
): string {
  const seconds = facts === undefined ? 0 : facts.freshUntil - now;
  if (failure !== undefined) return failedStatus(string.match(failure, '^%d*')[0] ?? '', seconds);
  return cacheStatus === 'HIT' || isStale(cacheStatus) ? hitText(seconds) : forwardText(cacheStatus, facts, now);
}

/** Gives an answer of nginx what belongs to it, and learns from it; its facts, where it has any. */
export function finishStored(cacheStatus: string, text: string | undefined, scheme: string): StoredFacts | undefined {
  noteWriting(cacheStatus, scheme);
  const variables = ngx.var;
  const passed = passedRoute();
  let facts = text === undefined ? undefined : readFacts(text);
  const vary = variables.upstream_http_vary;
  // nginx reads the request's fields once more when it stores the answer, after this.
  if (vary !== undefined && passed !== undefined) normaliseFields(learnVaried(passed.id, vary), false);
  if (cacheStatus === 'REVALIDATED') {
    // The field that it is read from is stored, and of the answer before.
    variables.cordon_fetched_status = '304';
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

/** `access_by_lua` of the location where a request is looked for once more: by what has been learned since. */
export function countRound(this: void): void {
  keepConnection();
  const passed = passedRoute();
  if (passed !== undefined) normaliseFields(variedFields(passed.id), true);
  ngx.var.cordon_cache_round = `${(tonumber(ngx.var.cordon_cache_round ?? '0') ?? 0) + 1}`;
}
