import * as ffi from 'ffi';
import { get_request } from 'resty.core.base';
import { upstreamOf } from './native-request.ts';

/**
 * Where a header filter gives an answer up (`ngx.exit`) and another one takes its place, nginx ends the visitor's connection behind that
 * without having said so: it marks the request, and ends the given-up exchange as one that has failed. The next request on the
 * connection, of which a client may not send some again, would meet its end.
 */

/** `filter_finalize` of `ngx_http_request_t`. */
const MARK_BYTE = 1306;
const MARK = 64;
/** `count`, 16 bits: who else has to do with the request before it may end. */
const COUNT_WORD = 648;

const bytesType = ffi.typeof<NativeBytes>('unsigned char *');
const countsType = ffi.typeof<NativeBytes>('unsigned short *');

/** Takes the mark away; false: there is none. */
function unmark(request: NativeRequest): boolean {
  const bytes = ffi.cast(bytesType, request);
  const flags = bytes[MARK_BYTE] as number;
  if (Math.floor(flags / MARK) % 2 === 0) return false;
  bytes[MARK_BYTE] = flags - MARK;
  return true;
}

/** To be called before an answer that another exchange brings, which ends the given-up one itself. */
export function keepConnection(): void {
  const request = ngx.is_subrequest ? undefined : get_request();
  if (request !== undefined) unmark(request);
}

/** To be called before an answer of the runner's own: ends the given-up exchange, as a further exchange would (`ngx_http_upstream_create`). */
export function endGivenUp(): void {
  const request = ngx.is_subrequest ? undefined : get_request();
  if (request === undefined || !unmark(request)) return;
  const upstream = upstreamOf(request);
  const cleanup = upstream === undefined ? undefined : upstream.cleanup;
  // A null pointer is undefined in comparisons only.
  if (cleanup === undefined) return;
  const counts = ffi.cast(countsType, request);
  counts[COUNT_WORD] = (counts[COUNT_WORD] as number) + 1;
  (cleanup[0] as NativeCleanup)(request);
}
