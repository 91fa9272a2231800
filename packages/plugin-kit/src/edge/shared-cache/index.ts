export { type CacheForward, type CacheReport, formatCacheStatus } from './cache-status.ts';
export { type RequestDirectives, requestDirectives } from './directives.ts';
export { type ForwardReason, judgeReuse, type ReuseAction, type ReuseDecision, type StoredAnswer } from './reuse.ts';
export { cacheControlOf, judgeStorage } from './storage.ts';
export * from './types.ts';
