import * as ffi from 'ffi';
import { get_request } from 'resty.core.base';
import { CACHEABLE, CONNECTION_ERROR, HEADER_SENT, hasBit, upstreamOf } from './native-request.ts';
import { dropObjectFields } from './object-fields.ts';

/**
 * nginx stores an answer while it passes it on, and stores none whose head it cannot send: of a visitor who has left, or who asks for a range
 * behind its end. Others wait for that very answer (cache-collapse.ts): here nginx is led to store it all the same.
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

/** First and last byte that a part of Range names, or a suffix; what is none of these lies nowhere, as nginx has it. */
function isPartWithin(part: string, length: number): boolean {
  const [suffix] = string.match(part, '^ *%- *(%d+) *$');
  if (suffix !== undefined) return tonumber(suffix) !== 0 && length > 0;
  const [first, last] = string.match(part, '^ *(%d+) *%- *(%d*) *$');
  if (first === undefined || last === undefined) return false;
  const start = tonumber(first) ?? 0;
  return start < length && (last === '' || (tonumber(last) ?? 0) >= start);
}

/** Whether no part of `Range` lies within so many bytes (RFC 9110 14.1.2). Another unit is none that nginx knows. */
export function isBehindEnd(range: string, length: number): boolean {
  if (string.lower(string.sub(range, 1, 6)) !== 'bytes=') return false;
  for (const part of string.sub(range, 7).split(',')) if (isPartWithin(part, length)) return false;
  return true;
}

/** Without a body: what nginx has of one is the object's, and goes where it is stored alone. */
function answerBehindEnd(request: NativeRequest, length: number): void {
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
  if (hasBit(ffi.cast(headType, request).connection.flags, CONNECTION_ERROR)) {
    setBit(request, HEADER_SENT);
    return;
  }
  const range = ngx.var.http_range;
  // Of a file in slices, the length is that of one.
  if (range === undefined || ngx.status !== 200 || (ngx.var.slice_range ?? '') !== '') return;
  const length = tonumber(ngx.var.upstream_http_content_length);
  if (length !== undefined && isBehindEnd(range, length)) answerBehindEnd(request, length);
}
