import * as ffi from 'ffi';
import { shutdownDescriptor } from './native.ts';
import { CONNECTION_ERROR, HEADER_SENT, hasBit } from './native-request.ts';
import { bytesUntaken } from './socket.ts';

/**
 * Interim answers (RFC 9110 15.2) to visitors over HTTP/2, which nginx 1.22 cannot send: a frame of one is written to the connection while
 * nothing else of it is on its way. All is found anew from what outlives requests, a connection and the id of a stream, so that a visitor
 * who has left meanwhile is noticed.
 */
export interface Http2Stream {
  readonly connection: NativeConnection;
  /** Which connection was in that place of memory. */
  readonly number: number;
  readonly descriptor: number;
  readonly id: number;
}

/** A word of `ngx_http_request_t`, of 64 bits. */
const STREAM_WORD = 159;

const streamsType = ffi.typeof<NativePointers<NativeHttp2Stream>>('cordon_http2_stream_t **');
const http2Type = ffi.typeof<NativeHttp2>('cordon_http2_t *');
const bytesType = ffi.typeof<NativeBytes>('unsigned char *');
const anyType = ffi.typeof<object>('void *');

/** The stream of a visitor's request; undefined where it is not HTTP/2, or nginx's structures are not as known. */
export function streamOf(request: NativeRequest): Http2Stream | undefined {
  const stream = ffi.cast(streamsType, request)[STREAM_WORD];
  if (stream === undefined || stream.request !== ffi.cast(anyType, request)) return undefined;
  const http2 = stream.connection;
  const { node } = stream;
  if (node.stream !== stream) return undefined;
  const connection = http2.connection;
  if (connection.data !== ffi.cast(anyType, http2)) return undefined;
  return { connection, number: connection.number, descriptor: connection.fd, id: node.id };
}

/** `http2_streams_index_size` of nginx, which nobody sets. */
const NODE_LISTS = 32;

/** What nginx has of the stream by now; undefined: its request is over, or its answer has begun. */
function openStream({ connection, number, descriptor, id }: Http2Stream): NativeHttp2Stream | undefined {
  if (connection.fd !== descriptor || connection.number !== number || hasBit(connection.flags, CONNECTION_ERROR))
    return undefined;
  const { nodes } = ffi.cast(http2Type, connection.data);
  let node = nodes[Math.floor(id / 2) % NODE_LISTS];
  while (node !== undefined && node.id !== id) node = node.next;
  const stream = node === undefined ? undefined : node.stream;
  if (stream === undefined) return undefined;
  const flags = ffi.cast(bytesType, stream.request)[HEADER_SENT.byte] as number;
  return hasBit(flags, HEADER_SENT.bit) ? undefined : stream;
}

export const isAwaitingAnswer = (stream: Http2Stream): boolean => openStream(stream) !== undefined;

/** HPACK (RFC 7541): the table of fields is given up, as nginx does; `:status` by the name of entry 8, kept in no table. */
const STATUS_103 = `${string.char(0x20, 0x08, 3)}103`;
/** `link` by the name of entry 45, likewise. */
const LINK = string.char(0x0f, 45 - 15);
const LENGTH_MAX = 127;

/** RFC 7541 5.1, with a prefix of 7 bits, and 5.2. */
function hpackText(text: string): string {
  if (text.length < LENGTH_MAX) return string.char(text.length) + text;
  let rest = text.length - LENGTH_MAX;
  let length = string.char(LENGTH_MAX);
  while (rest >= 128) {
    length += string.char(128 + (rest % 128));
    rest = Math.floor(rest / 128);
  }
  return length + string.char(rest) + text;
}

/** A frame of HEADERS (RFC 9113 6.2) with END_HEADERS, after which others come. */
function frameOf(id: number, links: readonly string[]): string {
  let block = STATUS_103;
  for (const link of links) block += LINK + hpackText(link);
  const bytes = block.length;
  return (
    string.char(Math.floor(bytes / 65536), Math.floor(bytes / 256) % 256, bytes % 256, 1, 4) +
    string.char(Math.floor(id / 16777216), Math.floor(id / 65536) % 256, Math.floor(id / 256) % 256, id % 256) +
    block
  );
}

/** With a frame of 8 kB, that is less than Linux has room for on any connection. */
const UNTAKEN_BYTES_MAX = 8192;

/** A frame is written at once and as a whole: nothing waits before it. */
const isFree = ({ connection, last_out }: NativeHttp2): boolean =>
  last_out === undefined && connection.buffered === 0 && bytesUntaken(connection.fd) <= UNTAKEN_BYTES_MAX;

/** Of a frame, head and all: any peer takes one with 16,384 bytes of fields (RFC 9113 4.2). */
const FRAME_BYTES_MAX = 9000;

/** Sends 103 Early Hints (RFC 8297) of some 8 kB at most, unless the answer has begun or the connection is busy. */
export function sendEarlyHints(stream: Http2Stream, links: readonly string[]): void {
  const open = openStream(stream);
  if (open === undefined || !isFree(open.connection)) return;
  const { connection } = stream;
  const frame = frameOf(stream.id, links);
  if (frame.length > FRAME_BYTES_MAX) return;
  const sent = tonumber(connection.send(connection, frame, frame.length) as never);
  // Part of a frame cannot be taken back.
  if (sent !== frame.length) shutdownDescriptor(connection.fd);
}
