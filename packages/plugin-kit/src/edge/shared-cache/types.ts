/**
 * What a shared cache (RFC 9111) knows of requests and answers, and what it decides about them. Types only: plugins say what is to
 * be kept (`CachePolicy`), the functions beside this file what HTTP makes of that.
 */

/** How a plugin wants the answers to a request kept. Made once per configuration. */
export interface CachePolicy {
  /** Statuses (RFC 9110 15) of answers that are kept for `defaultSeconds` where their origin says nothing of it. */
  readonly defaultStatuses: readonly number[];
  /** Seconds; 0: what says nothing of its lifetime is kept only where heuristics (RFC 9111 4.2.2) allow it. */
  readonly defaultSeconds: number;
  /** Media types (`text/css`) and families (`image`) that the default holds for; empty: all. */
  readonly defaultTypes: readonly string[];
  /** The default takes the place of a lifetime that the origin states. It never takes the place of `private`, `no-store` and their kin. */
  readonly isDefaultForced: boolean;
  /** Directives of Cache-Control (RFC 9111 5.2.2) for answers that have none, but for errors (400 and above) outside `defaultStatuses`; empty: none. */
  readonly cacheControl: string;
  /** They take the place of those that the origin sends, towards visitors too. */
  readonly overridesCacheControl: boolean;
  /** For how many seconds a stale answer serves while its origin cannot be reached or answers with 500, 502, 503 or 504, without being asked for (RFC 5861 4). */
  readonly staleIfErrorSeconds: number;
  /** For how many seconds a stale answer serves while a newer one is fetched, without being asked for (RFC 5861 3). */
  readonly staleWhileRevalidateSeconds: number;
  /** Directives of Cache-Control in requests are obeyed (RFC 9111 5.2.1). */
  readonly obeysRequests: boolean;
}

/** A request as far as storing its answer depends on it. */
export interface CacheRequest {
  readonly method: string;
  /** Path without query, as the origin gets it, decoded (`EdgeRequest.path`). */
  readonly path: string;
  readonly query: string;
  /** It has a field Authorization (RFC 9111 3.5). */
  readonly hasAuthorization: boolean;
  /** Values of its field Cache-Control, where these are obeyed; else empty. */
  readonly cacheControl: readonly string[];
}

/** An answer of an origin. */
export interface CacheAnswer {
  readonly status: number;
  /** Values of all fields of a name in lower case, one for each field line, in their order; empty when there is none. */
  fieldValues(name: string): readonly string[];
}

/** Why an answer is not stored; of several the first that holds in this order. */
export const UNSTORED_REASONS = [
  'method',
  'status',
  'partial',
  'request_no_store',
  'no_store',
  'private',
  'authorization',
  'set_cookie',
  'vary_all',
  'vary_long',
  'type_mismatch',
  'no_lifetime',
] as const;
export type UnstoredReason = (typeof UNSTORED_REASONS)[number];

/** Why a node does not store what HTTP lets be stored. */
export const NODE_UNSTORED_REASONS = ['no_parts', 'too_large', 'no_room', 'cleared'] as const;
export type NodeUnstoredReason = (typeof NODE_UNSTORED_REASONS)[number];

/** What a stored answer's lifetime comes from. */
export const LIFETIME_SOURCES = [
  'cdn_cache_control',
  'surrogate_control',
  's_maxage',
  'max_age',
  'expires',
  'policy',
  'heuristic',
  'none',
] as const;
export type LifetimeSource = (typeof LIFETIME_SOURCES)[number];

/** What becomes of an answer. Times are Unix seconds. */
export interface StorageDecision {
  /** Undefined: it is stored. */
  readonly unstored: UnstoredReason | undefined;
  readonly lifetimeSource: LifetimeSource;
  /** From then on it is stale; in the past: it is stored, and validated before each use. */
  readonly freshUntil: number;
  /** Once stale, it serves nobody before it has been validated (RFC 9111 4.2.4), not even where a request would take it. */
  readonly mustRevalidate: boolean;
  /** For how many seconds after that it may serve while a newer one is fetched, and while its origin fails; 0: not at all. */
  readonly staleWhileRevalidateSeconds: number;
  readonly staleIfErrorSeconds: number;
  /** When it was made: its Age (RFC 9111 4.2.3) at a time is that time less this one. */
  readonly madeAt: number;
  /** Names in lower case of fields that are not stored (`no-cache="…"`, `private="…"`, RFC 9111 5.2.2.4 and 5.2.2.7). */
  readonly withheldFields: readonly string[];
  /** Names of its Vary fields in lower case, sorted, each once, without Accept-Encoding, which the key has; empty: it varies by nothing else. */
  readonly vary: readonly string[];
  /** Of Cache-Tag (commas between) and Surrogate-Key (blanks between), each once. */
  readonly tags: readonly string[];
}

/** Why a request passes by the cache. `development`: its owner has that for a while. */
export const CACHE_BYPASSES = ['off', 'development', 'method', 'path', 'rule', 'request'] as const;
export type CacheBypass = (typeof CACHE_BYPASSES)[number];

/** Which arguments of a query make another object. */
export const QUERY_KEYS = ['all', 'none', 'only', 'except'] as const;
export type QueryKey = (typeof QUERY_KEYS)[number];

/** What besides scheme, host, path and encoding makes another object of a URL. */
export interface CacheKeyRules {
  readonly query: QueryKey;
  /** Names of arguments, as `only` and `except` mean them. */
  readonly queryNames: readonly string[];
  /** Arguments in another order are the same. */
  readonly sortsQuery: boolean;
  /** Phones, tablets and computers get objects of their own, and origins `Cordon-Device: mobile|tablet|desktop` where the cache asks them. */
  readonly byDevice: boolean;
  /** The language that the visitor prefers of these (RFC 4647 3.4) makes an object of its own, and is all that origins get of Accept-Language; empty: none does. */
  readonly languages: readonly string[];
}

/** How answers to a route's requests are kept. */
export interface RouteCache {
  readonly policy: CachePolicy;
  readonly key: CacheKeyRules;
}
