import * as ffi from 'ffi';
import { get_request } from 'resty.core.base';
import { numberAt, wordsOf } from './native-request.ts';

/** Words of `ngx_http_request_t` and `ngx_http_cache_t`, 64 bits each. */
const CACHE_WORD = 8;
const BODY_START_WORD = 53;
const LENGTH_WORD = 54;

const cachesType = ffi.typeof<NativePointers<NativeRequest>>('void **');

/**
 * The length of what is sent from the cache, where its origin did not state one: nginx knows it from the file, and answers no range, and no
 * HEAD as it should (RFC 9110 9.3.2, 14.2), without the field. Most requests ask for neither.
 */
export function setStoredLength(): void {
  if (ngx.var.http_range === undefined && ngx.req.get_method() !== 'HEAD') return;
  if (ngx.status !== 200 || ngx.header['Content-Length'] !== undefined) return;
  const request = get_request();
  const cache = request === undefined ? undefined : ffi.cast(cachesType, request)[CACHE_WORD];
  // A null pointer is undefined in comparisons only.
  if (cache === undefined) return;
  const words = wordsOf(cache);
  const length = numberAt(words, LENGTH_WORD) - numberAt(words, BODY_START_WORD);
  if (length > 0) ngx.header['Content-Length'] = length;
}
