import * as ffi from 'ffi';
import { get_request } from 'resty.core.base';
import { isRangeRefused } from './byte-ranges.ts';
import { CACHEABLE, CONNECTION_ERROR, HEADER_SENT, hasBit, upstreamOf } from './native-request.ts';
import { dropObjectFields } from './object-fields.ts';

/**
 * nginx stores an answer while it passes it on, and stores none whose head it cannot send: of a visitor who has left, or whose range it
 * refuses. Others wait for that very answer (cache-collapse.ts): here nginx is led to store it all the same.
 */

/** `header_only` of `ngx_http_request_t`. */
const HEADER_ONLY = { byte: 1305, bit: 64 };

const bytesType = ffi.typeof<NativeBytes>('unsigned char *');
const headType = ffi.typeof<NativeRequestHead>('cordon_request_t *');

function setBit(request: NativeRequest, { byte, bit }: { byte: number; bit: number }): void {
  const bytes = ffi.cast(bytesType, request);
  const flags = bytes[byte] as number;
  if (!hasBit(flags, bit)) bytes[byte] = flags + bit;
}

/** RFC 9110 13.1.5, as nginx compares: without it, or where it holds, the range counts. */
function isRangeMeant(): boolean {
  const condition = ngx.var.http_if_range;
  if (condition === undefined) return true;
  if (condition.length >= 2 && condition.endsWith('"')) return condition === ngx.header.ETag;
  const modified = ngx.header['Last-Modified'];
  const modifiedAt = typeof modified === 'string' ? ngx.parse_http_time(modified) : undefined;
  return modifiedAt !== undefined && modifiedAt === ngx.parse_http_time(condition);
}

/** Without a body: what nginx has of one is the object's, and goes where it is stored alone. */
function refuseRange(request: NativeRequest, length: number): void {
  dropObjectFields();
  ngx.status = 416;
  ngx.header['Content-Range'] = `bytes */${length}`;
  ngx.header['Content-Length'] = '0';
  // Before what the object says (cached.conf).
  ngx.header['Cache-Control'] = 'no-store';
  setBit(request, HEADER_ONLY);
}

/** To be called last in the header filter of an answer that nginx has fetched. */
export function storeUnsent(): void {
  const request = get_request();
  // A null pointer is undefined in comparisons only.
  const upstream = request === undefined ? undefined : upstreamOf(request);
  if (request === undefined || upstream === undefined || !hasBit(upstream.flags, CACHEABLE)) return;
  const range = ngx.var.http_range;
  if (hasBit(ffi.cast(headType, request).connection.flags, CONNECTION_ERROR)) {
    setBit(request, HEADER_SENT);
    // nginx would look at it all the same, and might refuse it.
    if (range !== undefined) ngx.req.clear_header('Range');
    return;
  }
  // Of a file in slices, the length is that of one.
  if (range === undefined || ngx.status !== 200 || (ngx.var.slice_range ?? '') !== '') return;
  const length = tonumber(ngx.var.upstream_http_content_length);
  if (length !== undefined && isRangeRefused(range, length) && isRangeMeant()) refuseRange(request, length);
}
