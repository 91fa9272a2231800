import * as ffi from 'ffi';
import { get_request } from 'resty.core.base';
import { visitorDescriptor } from './native.ts';
import { numberAt, upstreamOf, wordsOf } from './native-request.ts';

/**
 * How far nginx is with the body of a request, which its Lua API does not say: from nginx's own structures, whose places are
 * found by what is known of a request. Where that fails, bodies that are passed on as they come are not looked at.
 */
const FIRST_WORD = 13;
const LAST_WORD = 200;

const bodiesType = ffi.typeof<NativePointers<NativeBody>>('cordon_body_t **');

/** Which word of a request points to its body; undefined until looked for, -1 when not found. */
let bodyWord: number | undefined;

/** `ngx_http_request_t`: … request_body, lingering_time, start_sec, start_msec, method, http_version … */
function findBodyWord(request: NativeRequest): number {
  if (visitorDescriptor(request) === undefined) return -1;
  const words = wordsOf(request);
  const start = Math.floor(ngx.req.start_time() * 1000 + 0.5);
  // 1001 for HTTP/1.1.
  const version = ngx.req.http_version();
  const number = Math.floor(version) * 1000 + Math.floor(((version * 10) % 10) + 0.5);
  for (let at = FIRST_WORD; at < LAST_WORD; at++) {
    const isStart = numberAt(words, at) === Math.floor(start / 1000) && numberAt(words, at + 1) === start % 1000;
    if (isStart && numberAt(words, at + 3) === number) return at - 2;
  }
  ngx.log(ngx.ERR, 'the rate of request bodies cannot be seen: nginx is not as known');
  return -1;
}

/** To be called in a request before bodies are looked at, whose places are found in it. */
export function learnBodies(): void {
  if (bodyWord === undefined) bodyWord = findBodyWord(get_request() as NativeRequest);
}

function bodyOf(request: NativeRequest): NativeBody | undefined {
  if (bodyWord === undefined || bodyWord < 0) return undefined;
  return ffi.cast(bodiesType, request)[bodyWord];
}

/** Whether the body has begun to be read and is not whole yet; undefined when it is not read yet, or cannot be seen. */
export function isBodyArriving(request: NativeRequest): boolean | undefined {
  const body = bodyOf(request);
  // Negative: nothing comes.
  return body === undefined ? undefined : body.rest_high > 0 || (body.rest_high === 0 && body.rest > 0);
}

/** Bytes of the body that have arrived, of a stream of HTTP/2: nginx does not count those of HTTP/1.1. */
export function bytesOfStream(request: NativeRequest): number {
  const body = bodyOf(request);
  return body === undefined ? 0 : body.received_high * 4294967296 + body.received;
}

/** Descriptor of the connection to the origin; undefined when there is none. */
export function originDescriptor(request: NativeRequest): number | undefined {
  const upstream = upstreamOf(request);
  const connection = upstream === undefined ? undefined : upstream.connection;
  if (connection === undefined) return undefined;
  return connection.data === ffi.cast('void *', request) ? connection.fd : undefined;
}
