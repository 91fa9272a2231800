import type { RequestDirectives } from './directives.ts';

/** What of a stored answer its use depends on, as `StorageDecision` has it. */
export interface StoredAnswer {
  readonly freshUntil: number;
  readonly madeAt: number;
  readonly mustRevalidate: boolean;
  readonly staleWhileRevalidateSeconds: number;
  readonly staleIfErrorSeconds: number;
}

/**
 * How a request is answered. `serve`: with what is stored. `serve_and_refresh`: with that, while a newer answer is fetched (RFC 5861 3).
 * `forward`: by the origin, as a validation where something is stored. `refuse`: with 504 (RFC 9111 5.2.1.7).
 */
export type ReuseAction = 'serve' | 'serve_and_refresh' | 'forward' | 'refuse';

/** Why what is stored does not serve, in the words of RFC 9211 2.2. */
export type ForwardReason = 'uri-miss' | 'stale' | 'request';

export interface ReuseDecision {
  readonly action: ReuseAction;
  /** Undefined where what is stored serves. */
  readonly reason: ForwardReason | undefined;
  /** For how many seconds after `freshUntil` what is stored serves this request where its origin fails (RFC 5861 4); 0: not at all. */
  readonly staleIfErrorSeconds: number;
}

/** Within a limit that a request states; one that is no number limits to nothing. */
const isWithin = (seconds: number, limit: number | undefined): boolean => limit === undefined || seconds <= limit;

/** Whether the request allows what is stored to serve, though it is stale since `staleSeconds` ago. */
function acceptsStale(directives: RequestDirectives, stored: StoredAnswer, staleFor: number): boolean {
  return !stored.mustRevalidate && directives.maxStaleSeconds !== undefined && staleFor <= directives.maxStaleSeconds;
}

/** Whether it is as young, and will be fresh for as long, as the request asks. */
function isAsAsked(directives: RequestDirectives, stored: StoredAnswer, now: number): boolean {
  const { hasNoCache, maxAgeSeconds, minFreshSeconds } = directives;
  const isFreshEnough =
    minFreshSeconds === undefined || (minFreshSeconds >= 0 && stored.freshUntil - now >= minFreshSeconds);
  return !hasNoCache && isWithin(now - stored.madeAt, maxAgeSeconds) && isFreshEnough;
}

function staleIfErrorSeconds(directives: RequestDirectives, stored: StoredAnswer): number {
  if (stored.mustRevalidate) return 0;
  const asked = directives.staleIfErrorSeconds;
  return asked !== undefined && asked >= 0 ? asked : stored.staleIfErrorSeconds;
}

/**
 * Whether what is stored for a request answers it, where directives of requests are obeyed (RFC 9111 5.2.1; 4, 4.2.4). Pure. `now` in
 * Unix seconds; `stored` undefined: nothing is. `no-store` of a request does not keep what is stored from it (5.2.1.5).
 */
export function judgeReuse(
  this: void,
  directives: RequestDirectives,
  stored: StoredAnswer | undefined,
  now: number,
): ReuseDecision {
  const onMiss = directives.hasOnlyIfCached ? 'refuse' : 'forward';
  if (stored === undefined) return { action: onMiss, reason: 'uri-miss', staleIfErrorSeconds: 0 };
  const onError = staleIfErrorSeconds(directives, stored);
  const staleFor = now - stored.freshUntil;
  const isFresh = staleFor < 0;
  if (isAsAsked(directives, stored, now)) {
    if (isFresh || acceptsStale(directives, stored, staleFor))
      return { action: 'serve', reason: undefined, staleIfErrorSeconds: onError };
    // Who states an age, and no staleness, wants no stale answer (RFC 9111 5.2.1.1).
    const isWindowOpen = directives.maxAgeSeconds === undefined && staleFor < stored.staleWhileRevalidateSeconds;
    if (isWindowOpen && !stored.mustRevalidate)
      return { action: 'serve_and_refresh', reason: undefined, staleIfErrorSeconds: onError };
  }
  return { action: onMiss, reason: isFresh ? 'request' : 'stale', staleIfErrorSeconds: onError };
}
