import * as ffi from 'ffi';

/** Words of nginx's structures, 64 bits each. */
const UPSTREAM_WORD = 9;

const wordsType = ffi.typeof<NativeWords>('int64_t *');
const upstreamsType = ffi.typeof<NativePointers<NativeUpstream>>('cordon_upstream_t **');

export const wordsOf = (structure: NativeRequest | NativeUpstream | NativeConnection): NativeWords =>
  ffi.cast(wordsType, structure);
export const numberAt = (words: NativeWords, at: number): number => tonumber(words[at] as never) ?? 0;

/** Address of a word: C adds to a pointer as Lua does to a number. */
export const wordAt = (structure: NativeRequest | NativeUpstream | NativeConnection, at: number): object =>
  ((wordsOf(structure) as never as number) + at) as never;

export const hasBit = (flags: number, bit: number): boolean => Math.floor(flags / bit) % 2 === 1;
/** `error` of `ngx_connection_t`, in its flags. */
export const CONNECTION_ERROR = 16;
/** `cacheable` of `ngx_http_upstream_t` and `ngx_event_pipe_t`, in their flags. */
export const CACHEABLE = 2;
/** `header_sent` of `ngx_http_request_t`. */
export const HEADER_SENT = { byte: 1307, bit: 4 };

/** What nginx keeps of the exchange with an origin; undefined when there is none. */
export const upstreamOf = (request: NativeRequest): NativeUpstream | undefined =>
  ffi.cast(upstreamsType, request)[UPSTREAM_WORD];
