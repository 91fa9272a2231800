export { type CacheForward, type CacheReport, formatCacheStatus } from './cache-status.ts';
export { COMPRESSED_BYTES_MIN, COMPRESSED_TYPES, DIGEST_FIELDS, isCompressible } from './compression.ts';
export { type RequestDirectives, requestDirectives } from './directives.ts';
export { keyedQuery } from './query-key.ts';
export { type ForwardReason, judgeReuse, type ReuseAction, type ReuseDecision, type StoredAnswer } from './reuse.ts';
export { isSlicedFile, SLICE_BYTES } from './sliced-files.ts';
export { cacheControlOf, judgeStorage } from './storage.ts';
export * from './types.ts';
export { DEVICES, type Device, deviceOf, languageOf } from './variant.ts';
