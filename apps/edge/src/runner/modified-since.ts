import { listMembers } from '@cordon/plugin-kit/shared-cache';
import { opaqueOf } from './fetched-fields.ts';
import { placeOfRequest } from './request-state.ts';

/**
 * Conditions of requests that the cache answers, where nginx does not judge them as RFC 9111 4.3.2 has it: it compares If-Modified-Since with
 * Last-Modified alone, where Date takes its place of what is stored without one, and judges none of what is not stored.
 */
interface Condition {
  readonly requestId: string | undefined;
  /** Unix seconds. */
  readonly since: number;
}

/** By the places of requests in memory, until they are answered. */
let conditions = new LuaTable<number, Condition>();
let conditionCount = 0;
/** Those that never were, because their visitors had left, are forgotten with all others: they get whole answers. */
const CONDITIONS_MAX = 10_000;

/** To be called for a request that is looked for, with this field and without If-None-Match. */
export function noteModifiedSince(): void {
  const since = ngx.parse_http_time(ngx.var.http_if_modified_since ?? '');
  if (since === undefined) return;
  if (conditionCount >= CONDITIONS_MAX) {
    conditions = new LuaTable();
    conditionCount = 0;
  }
  const place = placeOfRequest();
  if (conditions.get(place) === undefined) conditionCount++;
  conditions.set(place, { requestId: ngx.var.cordon_request_id, since });
}

/** What describes a body that is not sent (RFC 9110 15.4.5). */
const BODY_FIELDS = ['Content-Type', 'Content-Length', 'Content-Encoding', 'Accept-Ranges'];

/** In the header filter of an answer of which something stored serves: makes it 304 where the visitor has it already. */
export function answerUnmodified(): void {
  // Of most answers, for less than a look at the request costs.
  if (conditionCount === 0) return;
  const place = placeOfRequest();
  const condition = conditions.get(place) as Condition | undefined;
  if (condition === undefined) return;
  conditions.delete(place);
  conditionCount--;
  // Another request was in its place before.
  if (condition.requestId !== ngx.var.cordon_request_id) return;
  if (ngx.status !== 200 || ngx.header['Last-Modified'] !== undefined) return;
  const date = ngx.header.Date;
  const madeAt = typeof date === 'string' ? ngx.parse_http_time(date) : undefined;
  if (madeAt === undefined || madeAt > condition.since) return;
  setUnmodified();
}

function setUnmodified(): void {
  ngx.status = 304;
  for (const name of BODY_FIELDS) ngx.header[name] = undefined;
}

function isNamed(list: string, tag: string): boolean {
  for (const member of listMembers([list])) if (member === '*' || opaqueOf(member) === opaqueOf(tag)) return true;
  return false;
}

/** Whether the visitor has the answer already, by what the request says (RFC 9110 13.2.2). */
function isUnmodified(): boolean {
  const wanted = ngx.var.http_if_none_match;
  const tag = ngx.header.ETag;
  if (wanted !== undefined) return typeof tag === 'string' && isNamed(wanted, tag);
  const since = ngx.parse_http_time(ngx.var.http_if_modified_since ?? '');
  const modified = ngx.header['Last-Modified'];
  const modifiedAt = typeof modified === 'string' ? ngx.parse_http_time(modified) : undefined;
  return since !== undefined && modifiedAt !== undefined && modifiedAt <= since;
}

/** In the header filter of an answer that is not stored, whose origin was asked without the visitor's condition: makes it 304 where it holds. */
export function answerUnstored(): void {
  if (ngx.status === 200 && isUnmodified()) setUnmodified();
}
