import type { CachePolicy, CacheRequest, StorageDecision } from '../types.ts';
import { httpDate, NOW } from './clock.ts';
import type { PlainAnswer, StorageCase } from './describe.ts';

/** What a case asserts of a decision: times from `NOW` on, in seconds. */
export interface ExpectedDecision extends Partial<Omit<StorageDecision, 'freshUntil' | 'madeAt'>> {
  readonly freshSeconds?: number;
  readonly ageSeconds?: number;
}

export interface TitledCase extends StorageCase {
  readonly title: string;
  readonly expected: ExpectedDecision;
}

/** Says nothing: what is stored is so by the answer alone. */
const PLAIN: CachePolicy = {
  defaultStatuses: [],
  defaultSeconds: 0,
  defaultTypes: [],
  isDefaultForced: false,
  cacheControl: '',
  overridesCacheControl: false,
  staleIfErrorSeconds: 0,
  staleWhileRevalidateSeconds: 0,
  obeysRequests: false,
};

const GET: CacheRequest = { method: 'GET', path: '/a', query: '', hasAuthorization: false, cacheControl: [] };

export interface Circumstances {
  readonly policy?: Partial<CachePolicy>;
  readonly request?: Partial<CacheRequest>;
  readonly status?: number;
  /** How long the origin took. */
  readonly delaySeconds?: number;
  /** Beyond `NOW`. */
  readonly lateSeconds?: number;
}

export type Fields = Readonly<Record<string, string | readonly string[]>>;

function answerOf(status: number, fields: Fields): PlainAnswer {
  const listed = Object.entries(fields).map(
    ([name, value]) => [name, typeof value === 'string' ? [value] : value] as const,
  );
  return { status, fields: Object.fromEntries(listed) };
}

export function on(
  title: string,
  fields: Fields,
  expected: ExpectedDecision,
  circumstances: Circumstances = {},
): TitledCase {
  const { policy, request, status = 200, delaySeconds = 0, lateSeconds = 0 } = circumstances;
  return {
    title,
    policy: { ...PLAIN, ...policy },
    request: { ...GET, ...request },
    answer: answerOf(status, fields),
    requestedAt: NOW + lateSeconds - delaySeconds,
    now: NOW + lateSeconds,
    expected: { unstored: undefined, ...expected },
  };
}

export const cc = (value: string): Fields => ({ 'cache-control': value });
export const fresh = { 'cache-control': 'max-age=60' };
export const stored = (source: StorageDecision['lifetimeSource'], freshSeconds: number): ExpectedDecision => ({
  lifetimeSource: source,
  freshSeconds,
});
export const DAY = 86400;
export const byDefault: Partial<CachePolicy> = { defaultStatuses: [200, 301, 404], defaultSeconds: 7200 };
export const forced: Partial<CachePolicy> = { ...byDefault, isDefaultForced: true };
export const lenient: Partial<CachePolicy> = { staleIfErrorSeconds: 100, staleWhileRevalidateSeconds: 10 };
export const etag = { etag: '"1"' };

export const credentials: Circumstances = { request: { hasAuthorization: true } };

export const cookie = { 'set-cookie': 'id=1' };

export const page = { ...fresh, 'content-type': 'text/html; charset=utf-8' };
export const file: Circumstances = { request: { path: '/account/x.css' } };

export const modified = (secondsAgo: number): Fields => ({ date: httpDate(), 'last-modified': httpDate(-secondsAgo) });

export const noStale: ExpectedDecision = {
  mustRevalidate: true,
  staleIfErrorSeconds: 0,
  staleWhileRevalidateSeconds: 0,
};
