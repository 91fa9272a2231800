import { dateOf } from './age.ts';
import { SECONDS_MAX } from './delta-seconds.ts';
import type { AnswerDirectives } from './directives.ts';
import { parseHttpDate } from './http-date.ts';
import { isOneOfTypes, mediaTypeOf } from './media-type.ts';
import type { CacheAnswer, CachePolicy, LifetimeSource } from './types.ts';

/** A part of the time since Last-Modified (RFC 9111 4.2.2), for a day at most. */
const HEURISTIC_FRACTION = 0.1;
const HEURISTIC_SECONDS_MAX = 86400;

/** Statuses that are heuristically cacheable (RFC 9110 15.1), but for 206. */
const HEURISTIC_STATUSES = [200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501];

/** Fields whose directives take the place of Cache-Control and Expires. */
export type TargetedField = 'cdn_cache_control' | 'surrogate_control';

/** For how long an answer is fresh. */
export interface Lifetime {
  readonly source: LifetimeSource;
  readonly seconds: number;
}

/** Seconds from Date to Expires (RFC 9111 5.3): none for what is no date, and for several that differ (4.2.1). */
function secondsToExpiry(answer: CacheAnswer, now: number): number | undefined {
  const lines = answer.fieldValues('expires');
  const [first] = lines;
  if (first === undefined) return undefined;
  for (const line of lines) if (line !== first) return 0;
  const expiresAt = parseHttpDate(first, now);
  if (expiresAt === undefined) return 0;
  return Math.min(Math.max(0, Math.floor(expiresAt - dateOf(answer, now))), SECONDS_MAX);
}

/** The lifetime that the origin states (RFC 9111 4.2.1), invalid ones as 0. `target`: the field in place of Cache-Control that the directives are of. */
export function statedLifetime(
  this: void,
  answer: CacheAnswer,
  directives: AnswerDirectives,
  target: TargetedField | undefined,
  now: number,
): Lifetime | undefined {
  const { sharedMaxAgeSeconds, maxAgeSeconds } = directives;
  const directed = sharedMaxAgeSeconds ?? maxAgeSeconds;
  if (directed !== undefined) {
    const source = sharedMaxAgeSeconds === undefined ? 'max_age' : 's_maxage';
    return { source: target ?? source, seconds: Math.max(0, directed) };
  }
  // A targeted field takes the place of Expires, too (RFC 9213 2.2).
  const seconds = target !== undefined ? undefined : secondsToExpiry(answer, now);
  return seconds === undefined ? undefined : { source: 'expires', seconds };
}

/** The lifetime that the policy gives such answers. */
export function defaultLifetime(this: void, policy: CachePolicy, answer: CacheAnswer): Lifetime | undefined {
  const { defaultSeconds, defaultStatuses, defaultTypes } = policy;
  if (defaultSeconds <= 0 || !defaultStatuses.includes(answer.status)) return undefined;
  if (defaultTypes.length > 0 && !isOneOfTypes(mediaTypeOf(answer), defaultTypes)) return undefined;
  return { source: 'policy', seconds: defaultSeconds };
}

/** Whether an answer without a lifetime may be stored: by its status, or because it says so (RFC 9111 3, 4.2.2). */
export const isHeuristicallyCacheable = (status: number, directives: AnswerDirectives): boolean =>
  directives.hasPublic || HEURISTIC_STATUSES.includes(status);

/** A lifetime by Last-Modified; undefined without one that is in the past. */
export function heuristicLifetime(this: void, answer: CacheAnswer, now: number): Lifetime | undefined {
  const [line] = answer.fieldValues('last-modified');
  const modifiedAt = line === undefined ? undefined : parseHttpDate(line, now);
  if (modifiedAt === undefined) return undefined;
  const unchanged = dateOf(answer, now) - modifiedAt;
  if (unchanged < 0) return undefined;
  return { source: 'heuristic', seconds: Math.min(Math.floor(unchanged * HEURISTIC_FRACTION), HEURISTIC_SECONDS_MAX) };
}
