import * as ffi from 'ffi';

/** Words of nginx's structures, 64 bits each. */
const UPSTREAM_WORD = 9;

const wordsType = ffi.typeof<NativeWords>('int64_t *');
const upstreamsType = ffi.typeof<NativePointers<NativeUpstream>>('cordon_upstream_t **');

export const wordsOf = (structure: NativeRequest | NativeUpstream): NativeWords => ffi.cast(wordsType, structure);
export const numberAt = (words: NativeWords, at: number): number => tonumber(words[at] as never) ?? 0;

/** What nginx keeps of the exchange with an origin; undefined when there is none. */
export const upstreamOf = (request: NativeRequest): NativeUpstream | undefined =>
  ffi.cast(upstreamsType, request)[UPSTREAM_WORD];
