import { isHostName } from '@cordon/contract/host-name';
import { isReadablePath, readHost } from './request-target.ts';
import type { TracedRequest } from './trace.ts';

/** Why the edge takes a request of nobody, before it looks for a domain. */
export interface RequestFault {
  readonly status: 400 | 405 | 414 | 431 | 501;
  readonly kind:
    | 'method'
    | 'method_refused'
    | 'line_too_long'
    | 'path'
    | 'fragment'
    | 'fields_too_large'
    | 'too_many_fields'
    | 'connection_too_long'
    | 'repeated_field'
    | 'host'
    | 'content_length'
    | 'transfer_encoding'
    | 'length_twice';
  /** Name of the field that comes twice; empty otherwise. */
  readonly field: string;
}

/** `client_header_buffer_size` and `large_client_header_buffers` of nginx.conf.template. */
const FIRST_BUFFER_BYTES = 2048;
const BUFFER_BYTES = 16_384;
const BUFFERS_MAX = 4;
/** Fields that the runner reads of a request, Host included. */
const FIELDS_MAX = 200;
/** Of all values of `Connection` that are more than `close` or `keep-alive`. */
const CONNECTION_BYTES_MAX = 500;
const CONTENT_LENGTH_MAX = 2n ** 63n - 1n;
/** Fields that nginx 1.22 takes once only. */
const UNIQUE_FIELDS = new Set([
  'host',
  'if-modified-since',
  'if-unmodified-since',
  'if-match',
  'if-none-match',
  'if-range',
  'content-length',
  'content-range',
  'transfer-encoding',
  'expect',
  'authorization',
]);

const fault = (status: RequestFault['status'], kind: RequestFault['kind'], field = ''): RequestFault => ({
  status,
  kind,
  field,
});
const bytesOf = (text: string) => new TextEncoder().encode(text).length;
/** nginx takes blanks off a value, and leaves tabs. */
const trimmed = (value: string) => value.replace(/^ +| +$/g, '');

/** nginx's buffers of a request's head: a line stands in one of them, whole. Answers whether the next line has room. */
function headBuffers(): (line: string) => boolean {
  let size = FIRST_BUFFER_BYTES;
  let filled = 0;
  let large = 0;
  return (line) => {
    const bytes = bytesOf(line) + 2;
    filled += bytes;
    if (filled <= size) return true;
    large += 1;
    size = BUFFER_BYTES;
    filled = bytes;
    return bytes <= size && large <= BUFFERS_MAX;
  };
}

function lengthFault(headers: TracedRequest['headers']): RequestFault | undefined {
  const find = (name: string) => headers.find((field) => field.name.toLowerCase() === name)?.value;
  const [length, encoding] = [find('content-length'), find('transfer-encoding')];
  if (length !== undefined && !/^\d+$/.test(trimmed(length))) return fault(400, 'content_length');
  if (length !== undefined && BigInt(trimmed(length)) > CONTENT_LENGTH_MAX) return fault(400, 'content_length');
  if (encoding === undefined) return undefined;
  if (trimmed(encoding).toLowerCase() !== 'chunked') return fault(501, 'transfer_encoding');
  return length === undefined ? undefined : fault(400, 'length_twice');
}

function connectionBytes(headers: TracedRequest['headers']): number {
  let bytes = 0;
  for (const { name, value } of headers) {
    const isPlain = /^(keep-alive|close)$/i.test(trimmed(value));
    if (name.toLowerCase() === 'connection' && !isPlain) bytes += bytesOf(trimmed(value));
  }
  return bytes;
}

/**
 * Why nginx, or the runner before anything else, refuses a request of HTTP/1.1; undefined where it does not. In the order in which
 * nginx reads: what it meets first, it answers.
 */
export function requestFault(request: TracedRequest): RequestFault | undefined {
  const { method, path, query, host, headers } = request;
  const hasRoom = headBuffers();
  if (!/^[A-Z_-]+$/.test(method)) return fault(400, 'method');
  if (!hasRoom(`${method} ${path}${query === '' ? '' : `?${query}`} HTTP/1.1`)) return fault(414, 'line_too_long');
  if (!isReadablePath(path)) return fault(400, 'path');
  const seen = new Set<string>();
  for (const { name, value } of [{ name: 'Host', value: host }, ...headers]) {
    const lower = name.toLowerCase();
    if (!hasRoom(`${name}: ${trimmed(value)}`)) return fault(431, 'fields_too_large');
    if (UNIQUE_FIELDS.has(lower) && seen.has(lower)) return fault(400, 'repeated_field', name);
    seen.add(lower);
  }
  const ofLength = lengthFault(headers);
  if (ofLength) return ofLength;
  if (method === 'TRACE' || method === 'CONNECT') return fault(405, 'method_refused');
  if (headers.length + 1 > FIELDS_MAX) return fault(400, 'too_many_fields');
  if (connectionBytes(headers) > CONNECTION_BYTES_MAX) return fault(400, 'connection_too_long');
  if (request.hasFragment === true) return fault(400, 'fragment');
  return isHostName(readHost(host)) ? undefined : fault(400, 'host');
}
