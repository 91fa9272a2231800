import { placeOfRequest } from './request-state.ts';

/**
 * If-Modified-Since of requests that the cache answers: nginx compares it with Last-Modified alone. Of what is stored without one, Date takes
 * its place (RFC 9111 4.3.2).
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
  ngx.status = 304;
  for (const name of BODY_FIELDS) ngx.header[name] = undefined;
}
