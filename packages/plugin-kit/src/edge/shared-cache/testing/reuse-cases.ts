import type { ReuseDecision, StoredAnswer } from '../reuse.ts';
import { NOW } from './clock.ts';
import type { ReuseCase } from './describe.ts';

interface TitledCase extends ReuseCase {
  readonly title: string;
  readonly expected: Partial<ReuseDecision>;
}

/** Stored 40 s ago; times from `NOW` on. */
const storedFor = (freshSeconds: number, more: Partial<StoredAnswer> = {}): StoredAnswer => ({
  freshUntil: NOW + freshSeconds,
  madeAt: NOW - 40,
  mustRevalidate: false,
  staleWhileRevalidateSeconds: 0,
  staleIfErrorSeconds: 0,
  ...more,
});

const FRESH = storedFor(60);
const STALE = storedFor(-20);
const serve: Partial<ReuseDecision> = { action: 'serve', reason: undefined };
const refresh: Partial<ReuseDecision> = { action: 'serve_and_refresh', reason: undefined };
const byRequest: Partial<ReuseDecision> = { action: 'forward', reason: 'request' };
const byAge: Partial<ReuseDecision> = { action: 'forward', reason: 'stale' };

const on = (
  title: string,
  line: string,
  stored: StoredAnswer | undefined,
  expected: Partial<ReuseDecision>,
  pragma: readonly string[] = [],
): TitledCase => ({ title, cacheControl: line === '' ? [] : [line], pragma, stored, now: NOW, expected });

export const REUSE_CASES: readonly TitledCase[] = [
  on('RFC 9111 4: nothing is stored', '', undefined, { action: 'forward', reason: 'uri-miss', staleIfErrorSeconds: 0 }),
  on('RFC 9111 4.2: fresh', '', FRESH, serve),
  on('RFC 9111 4.2: fresh for a second yet', '', storedFor(1), serve),
  on('RFC 9111 4.2: stale from the end of its lifetime on', '', storedFor(0), byAge),
  on('RFC 9111 4.2.4: stale', '', STALE, byAge),
  on('RFC 9111 5.2.1.1: max-age that its age has', 'max-age=40', FRESH, serve),
  on('RFC 9111 5.2.1.1: max-age below its age', 'max-age=39', FRESH, byRequest),
  on('RFC 9111 5.2.1.1: max-age=0', 'max-age=0', FRESH, byRequest),
  on('RFC 9111 5.2.1.1: max-age that is no number', 'max-age=x', storedFor(60, { madeAt: NOW }), byRequest),
  on('RFC 9111 5.2.1.1: max-age and stale', 'max-age=1000', STALE, byAge),
  on('RFC 9111 5.2.1.2: max-stale that it keeps', 'max-stale=20', STALE, serve),
  on('RFC 9111 5.2.1.2: max-stale that it has passed', 'max-stale=19', STALE, byAge),
  on('RFC 9111 5.2.1.2: max-stale of any age', 'max-stale', storedFor(-1000000), serve),
  on('RFC 9111 5.2.1.2: max-stale that is no number', 'max-stale=x', storedFor(0), byAge),
  on(
    'RFC 9111 5.2.1.2: max-stale where it must not serve stale',
    'max-stale',
    storedFor(-20, { mustRevalidate: true }),
    byAge,
  ),
  on('RFC 9111 5.2.1.2: max-stale and max-age', 'max-stale=20, max-age=40', STALE, serve),
  on('RFC 9111 5.2.1.2: max-stale and a max-age below its age', 'max-stale=20, max-age=39', STALE, byAge),
  on('RFC 9111 5.2.1.3: min-fresh that it is', 'min-fresh=60', FRESH, serve),
  on('RFC 9111 5.2.1.3: min-fresh of no seconds', 'min-fresh=0', FRESH, serve),
  on('RFC 9111 5.2.1.3: min-fresh that it is not', 'min-fresh=61', FRESH, byRequest),
  on('RFC 9111 5.2.1.3: min-fresh that is no number', 'min-fresh=x', FRESH, byRequest),
  on('RFC 9111 5.2.1.3: min-fresh and max-stale', 'min-fresh=1, max-stale', STALE, byAge),
  on('RFC 9111 5.2.1.4: no-cache', 'no-cache', FRESH, byRequest),
  on('RFC 9111 5.2.1.4: no-cache and max-stale', 'no-cache, max-stale', STALE, byAge),
  on('RFC 9111 5.2.1.5: no-store keeps nothing stored back', 'no-store', FRESH, serve),
  on('RFC 9111 5.2.1.6: no-transform', 'no-transform', FRESH, serve),
  on('RFC 9111 5.2.1.7: only-if-cached and nothing', 'only-if-cached', undefined, {
    action: 'refuse',
    reason: 'uri-miss',
  }),
  on('RFC 9111 5.2.1.7: only-if-cached and fresh', 'only-if-cached', FRESH, serve),
  on('RFC 9111 5.2.1.7: only-if-cached and stale', 'only-if-cached', STALE, { action: 'refuse', reason: 'stale' }),
  on('RFC 9111 5.2.1.7: only-if-cached, stale and max-stale', 'only-if-cached, max-stale', STALE, serve),
  on('RFC 9111 5.2.1.7: only-if-cached and no-cache', 'only-if-cached, no-cache', FRESH, {
    action: 'refuse',
    reason: 'request',
  }),
  on('RFC 9111 5.2.3: what is unknown', 'foo, bar="no-cache"', FRESH, serve),
  on('RFC 9111 5.4: Pragma: no-cache', '', FRESH, byRequest, ['no-cache']),
  on('RFC 9111 5.4: Pragma beside Cache-Control', 'max-age=100', FRESH, serve, ['no-cache']),
  on('RFC 5861 3: while a newer one is fetched', '', storedFor(-20, { staleWhileRevalidateSeconds: 21 }), refresh),
  on('RFC 5861 3: no longer than stated', '', storedFor(-20, { staleWhileRevalidateSeconds: 20 }), byAge),
  on(
    'RFC 5861 3: not to who asks for an age',
    'max-age=1000',
    storedFor(-20, { staleWhileRevalidateSeconds: 60 }),
    byAge,
  ),
  on(
    'RFC 5861 3: not to who wants it fresh',
    'min-fresh=0',
    storedFor(-20, { staleWhileRevalidateSeconds: 60 }),
    byAge,
  ),
  on(
    'RFC 5861 3: not where it must not serve stale',
    '',
    storedFor(-20, { staleWhileRevalidateSeconds: 60, mustRevalidate: true }),
    byAge,
  ),
  on('RFC 5861 4: where the origin fails, as the answer says', '', storedFor(-20, { staleIfErrorSeconds: 60 }), {
    ...byAge,
    staleIfErrorSeconds: 60,
  }),
  on('RFC 5861 4: as the request says', 'stale-if-error=30', storedFor(-20, { staleIfErrorSeconds: 60 }), {
    ...byAge,
    staleIfErrorSeconds: 30,
  }),
  on('RFC 5861 4: a request that wants none', 'stale-if-error=0', storedFor(-20, { staleIfErrorSeconds: 60 }), {
    staleIfErrorSeconds: 0,
  }),
  on('RFC 5861 4: what is no number is not stated', 'stale-if-error', storedFor(-20, { staleIfErrorSeconds: 60 }), {
    staleIfErrorSeconds: 60,
  }),
  on(
    'RFC 9111 5.2.2.2: not where it must not serve stale',
    'stale-if-error=30',
    storedFor(-20, { mustRevalidate: true }),
    { ...byAge, staleIfErrorSeconds: 0 },
  ),
  on('RFC 5861 4: of what serves, too', '', storedFor(60, { staleIfErrorSeconds: 60 }), {
    ...serve,
    staleIfErrorSeconds: 60,
  }),
];
