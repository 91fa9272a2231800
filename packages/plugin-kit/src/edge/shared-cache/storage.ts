import { madeAtOf } from './age.ts';
import { isTypeMismatched } from './cache-deception.ts';
import { tagsOf } from './cache-tags.ts';
import { DIGEST_FIELDS } from './compression.ts';
import { type AnswerDirectives, answerDirectives, INVALID_SECONDS, requestDirectives } from './directives.ts';
import { listMembers } from './field-syntax.ts';
import {
  defaultLifetime,
  heuristicLifetime,
  isHeuristicallyCacheable,
  type Lifetime,
  statedLifetime,
  type TargetedField,
} from './lifetime.ts';
import { surrogateDirectives } from './surrogate-control.ts';
import { targetedDirectives } from './targeted-field.ts';
import type { CacheAnswer, CachePolicy, CacheRequest, StorageDecision, UnstoredReason } from './types.ts';
import { isVaryLong, varyOf } from './vary.ts';

/** Statuses of RFC 9110 15 whose requirements are met, but for those below (RFC 9111 5.2.2.3). */
const UNDERSTOOD_STATUSES = [
  ...[200, 201, 202, 203, 204, 205, 300, 301, 302, 303, 307, 308],
  ...[400, 401, 402, 403, 404, 405, 406, 407, 408, 409, 410, 411, 413, 414, 415, 421, 422, 426],
  ...[500, 501, 502, 503, 504, 505],
];

/**
 * What they answer is the fields, a precondition or an expectation of one request, its client's pace or its network, not its URI. Those from 428 on must not be stored by any cache (RFC 6585 3 to 6). 206 and 416
 * are parts of one.
 */
const STATUSES_OF_ONE_REQUEST = [304, 406, 407, 408, 412, 417, 425, 426, 428, 429, 431, 511];
const PARTIAL_STATUSES = [206, 416];

/** An answer with what is said about keeping it. */
interface DirectedAnswer {
  readonly answer: CacheAnswer;
  readonly directives: AnswerDirectives;
  /** The field in place of Cache-Control and Expires that has them: CDN-Cache-Control (RFC 9213), else Surrogate-Control. */
  readonly target: TargetedField | undefined;
  /** It may be stored whatever no-store says (RFC 9111 5.2.2.3). */
  readonly isUnderstood: boolean;
}

/** Whether the policy has directives for an answer: not for an error that it does not name, which would be everybody's for as long. */
const hasDirectives = (policy: CachePolicy, status: number): boolean =>
  policy.cacheControl !== '' && (status < 400 || policy.defaultStatuses.includes(status));

/** Whether they take the place of what the origin says, for CDNs too, and towards visitors. */
export const isOverridden = (policy: CachePolicy, status: number): boolean =>
  policy.overridesCacheControl && hasDirectives(policy, status);

/** Values of Cache-Control as they hold for an answer, and as visitors get them: the origin's, or those that the policy has in their place. */
export function cacheControlOf(this: void, policy: CachePolicy, answer: CacheAnswer): readonly string[] {
  const values = answer.fieldValues('cache-control');
  if (!hasDirectives(policy, answer.status)) return values;
  return policy.overridesCacheControl || listMembers(values).length === 0 ? [policy.cacheControl] : values;
}

/** Whether an answer is sent as its origin has sent it (RFC 9110 7.7): with no-transform, of whoever says it, or with a digest of its bytes. */
export function mustStayAsItIs(this: void, policy: CachePolicy, answer: CacheAnswer): boolean {
  const said = [
    answer.fieldValues('cache-control'),
    answer.fieldValues('cdn-cache-control'),
    cacheControlOf(policy, answer),
  ];
  return (
    said.some((values) => answerDirectives(values).hasNoTransform) ||
    DIGEST_FIELDS.some((name) => answer.fieldValues(name).length > 0)
  );
}

function directAnswer(policy: CachePolicy, answer: CacheAnswer): DirectedAnswer {
  const isOfPolicy = isOverridden(policy, answer.status);
  const forCdns = isOfPolicy ? undefined : targetedDirectives(answer.fieldValues('cdn-cache-control'));
  const isOfSurrogates = !isOfPolicy && forCdns === undefined;
  const forSurrogates = isOfSurrogates ? surrogateDirectives(answer.fieldValues('surrogate-control')) : undefined;
  const directives = forCdns ?? forSurrogates ?? answerDirectives(cacheControlOf(policy, answer));
  const isUnderstood = directives.hasMustUnderstand && UNDERSTOOD_STATUSES.includes(answer.status);
  const target =
    forCdns !== undefined ? 'cdn_cache_control' : forSurrogates !== undefined ? 'surrogate_control' : undefined;
  return { answer, directives, target, isUnderstood };
}

/** Whether it says that it is for everybody, which a lifetime for shared caches alone says, too. */
function isForEverybody({ directives, target }: DirectedAnswer): boolean {
  // Caches that read Surrogate-Control keep no answer with Set-Cookie for it.
  const isForCdns = target === 'cdn_cache_control';
  const forShared = directives.sharedMaxAgeSeconds ?? (isForCdns ? directives.maxAgeSeconds : undefined);
  return directives.hasPublic || (forShared !== undefined && forShared >= 0);
}

/** Whether the answer to a request with credentials may be stored (RFC 9111 3.5). */
function isSharedDespiteCredentials({
  hasPublic,
  isMustRevalidateSound,
  sharedMaxAgeSeconds,
}: AnswerDirectives): boolean {
  return hasPublic || isMustRevalidateSound || (sharedMaxAgeSeconds !== undefined && sharedMaxAgeSeconds >= 0);
}

function asksNotToStore(policy: CachePolicy, request: CacheRequest): boolean {
  return policy.obeysRequests && requestDirectives(request.cacheControl, []).hasNoStore;
}

/** Why the status rules storing out (RFC 9111 3). */
function reasonOfStatus({ answer, directives, isUnderstood }: DirectedAnswer): UnstoredReason | undefined {
  const { status } = answer;
  if (status < 200 || STATUSES_OF_ONE_REQUEST.includes(status)) return 'status';
  if (PARTIAL_STATUSES.includes(status)) return 'partial';
  return directives.hasMustUnderstand && !isUnderstood ? 'status' : undefined;
}

function unstoredReason(
  policy: CachePolicy,
  request: CacheRequest,
  directed: DirectedAnswer,
  vary: readonly string[] | undefined,
): UnstoredReason | undefined {
  const { answer, directives, isUnderstood } = directed;
  if (request.method !== 'GET' && request.method !== 'HEAD') return 'method';
  const ofStatus = reasonOfStatus(directed);
  if (ofStatus !== undefined) return ofStatus;
  if (asksNotToStore(policy, request)) return 'request_no_store';
  if (directives.hasNoStore && !isUnderstood) return 'no_store';
  if (directives.hasPrivate) return 'private';
  if (request.hasAuthorization && !isSharedDespiteCredentials(directives)) return 'authorization';
  const setsCookie = answer.fieldValues('set-cookie').length > 0 && !directives.withheldFields.includes('set-cookie');
  if (setsCookie && !isForEverybody(directed)) return 'set_cookie';
  if (vary === undefined) return 'vary_all';
  if (isVaryLong(vary)) return 'vary_long';
  if (isTypeMismatched(request.path, answer) && !isForEverybody(directed)) return 'type_mismatch';
  return undefined;
}

/** Stored without a lifetime, to be validated before each use. */
const NO_LIFETIME: Lifetime = { source: 'none', seconds: 0 };

/** Undefined: it has none, and says nothing else by which it would be stored. */
function lifetimeOf(policy: CachePolicy, directed: DirectedAnswer, now: number): Lifetime | undefined {
  const { answer, directives, target } = directed;
  const byPolicy = defaultLifetime(policy, answer);
  if (byPolicy !== undefined && policy.isDefaultForced) return byPolicy;
  const stated = statedLifetime(answer, directives, target, now) ?? byPolicy;
  if (stated !== undefined) return stated;
  if (!isHeuristicallyCacheable(answer.status, directives)) return undefined;
  const isMarked = directives.hasPublic || directives.hasNoCache;
  return heuristicLifetime(answer, now) ?? (isMarked ? NO_LIFETIME : undefined);
}

const hasValidator = (answer: CacheAnswer): boolean =>
  answer.fieldValues('etag').length > 0 || answer.fieldValues('last-modified').length > 0;

/** Whether a stale answer must not serve before it has been validated (RFC 9111 4.2.4). */
const forbidsStale = (directives: AnswerDirectives): boolean =>
  directives.hasNoCache ||
  directives.hasMustRevalidate ||
  directives.hasProxyRevalidate ||
  directives.sharedMaxAgeSeconds === INVALID_SECONDS;

/**
 * Seconds for which a stale answer may serve (RFC 5861): those that the origin states, else the policy's. What was never fresh serves
 * stale only where its origin says so: many mean by `max-age=0` that it is for one visitor. So does what has s-maxage, which asks to be
 * validated (RFC 9111 5.2.2.10), unless its origin says beside it that it need not be.
 */
function staleSeconds(
  stated: number | undefined,
  byPolicy: number,
  lifetime: Lifetime,
  { sharedMaxAgeSeconds }: AnswerDirectives,
): number {
  if (stated !== undefined && stated >= 0) return stated;
  return lifetime.seconds > 0 && sharedMaxAgeSeconds === undefined ? byPolicy : 0;
}

const unstored = (reason: UnstoredReason, madeAt: number, vary: readonly string[] | undefined): StorageDecision => ({
  unstored: reason,
  lifetimeSource: 'none',
  freshUntil: madeAt,
  mustRevalidate: true,
  staleWhileRevalidateSeconds: 0,
  staleIfErrorSeconds: 0,
  madeAt,
  withheldFields: [],
  vary: vary ?? [],
  tags: [],
});

/**
 * What becomes of an origin's answer to a request in a shared cache (RFC 9111 3 and 4.2, RFC 5861, RFC 9213): whether it is stored,
 * and until when it serves. Pure. `requestedAt` is when the origin was asked, `now` when its answer came, both Unix seconds.
 */
export function judgeStorage(
  this: void,
  policy: CachePolicy,
  request: CacheRequest,
  answer: CacheAnswer,
  requestedAt: number,
  now: number,
): StorageDecision {
  const directed = directAnswer(policy, answer);
  const { directives } = directed;
  const vary = varyOf(answer);
  const madeAt = madeAtOf(answer, requestedAt, now);
  const reason = unstoredReason(policy, request, directed, vary);
  if (reason !== undefined) return unstored(reason, madeAt, vary);
  const lifetime = lifetimeOf(policy, directed, now);
  if (lifetime === undefined) return unstored('no_lifetime', madeAt, vary);
  const isForbidden = forbidsStale(directives);
  const { staleWhileRevalidateSeconds, staleIfErrorSeconds } = directives;
  const whileRevalidated = staleSeconds(
    staleWhileRevalidateSeconds,
    policy.staleWhileRevalidateSeconds,
    lifetime,
    directives,
  );
  const onError = staleSeconds(staleIfErrorSeconds, policy.staleIfErrorSeconds, lifetime, directives);
  const isUnasked = directives.sharedMaxAgeSeconds !== undefined && whileRevalidated === 0 && onError === 0;
  // The policy's begins when the answer comes, whatever the clock of its origin says.
  const freshFrom = lifetime.source === 'policy' ? Math.floor(now) : madeAt;
  const decision: StorageDecision = {
    unstored: undefined,
    lifetimeSource: lifetime.source,
    freshUntil: directives.hasNoCache ? madeAt : freshFrom + lifetime.seconds,
    mustRevalidate: isForbidden || isUnasked || (lifetime.seconds === 0 && whileRevalidated === 0 && onError === 0),
    staleWhileRevalidateSeconds: isForbidden ? 0 : whileRevalidated,
    staleIfErrorSeconds: isForbidden ? 0 : onError,
    madeAt,
    withheldFields: directives.withheldFields,
    vary: vary ?? [],
    tags: tagsOf(answer),
  };
  return canServe(answer, decision, now) ? decision : unstored('no_lifetime', madeAt, vary);
}

/** For how many seconds a stale answer may serve, as in `StorageDecision`. */
type StaleTimes = Pick<StorageDecision, 'staleWhileRevalidateSeconds' | 'staleIfErrorSeconds'>;

/**
 * For how long an answer may serve stale that its owner has made so before its time, of what it had: `seconds` at least, but where its origin
 * asks for a validation (RFC 9111 4.2.4, 5.2.2.10), or states that it may not (RFC 5861).
 */
export function staleBeforeTime(
  this: void,
  policy: CachePolicy,
  answer: CacheAnswer,
  times: StaleTimes,
  seconds: number,
): StaleTimes {
  const { directives } = directAnswer(policy, answer);
  if (forbidsStale(directives) || directives.sharedMaxAgeSeconds !== undefined) return times;
  const { staleWhileRevalidateSeconds, staleIfErrorSeconds } = directives;
  return {
    staleWhileRevalidateSeconds:
      staleWhileRevalidateSeconds === 0 ? 0 : Math.max(times.staleWhileRevalidateSeconds, seconds),
    staleIfErrorSeconds: staleIfErrorSeconds === 0 ? 0 : Math.max(times.staleIfErrorSeconds, seconds),
  };
}

/** Whether it can ever answer another request: fresh, stale, or validated. */
function canServe(answer: CacheAnswer, decision: StorageDecision, now: number): boolean {
  const { freshUntil, staleWhileRevalidateSeconds, staleIfErrorSeconds } = decision;
  if (freshUntil > now || hasValidator(answer)) return true;
  return freshUntil + Math.max(staleWhileRevalidateSeconds, staleIfErrorSeconds) > now;
}
