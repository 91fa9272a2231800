import { httpDate } from './clock.ts';
import { cc, etag, fresh, lenient, modified, noStale, on, stored, type TitledCase } from './storage-case.ts';

const STALE: readonly TitledCase[] = [
  on('RFC 5861 3 and 4: nothing said', fresh, {
    mustRevalidate: false,
    staleIfErrorSeconds: 0,
    staleWhileRevalidateSeconds: 0,
  }),
  on('RFC 5861 3: stale-while-revalidate', cc('max-age=60, stale-while-revalidate=30'), {
    staleWhileRevalidateSeconds: 30,
    staleIfErrorSeconds: 0,
  }),
  on('RFC 5861 4: stale-if-error', cc('max-age=60, stale-if-error=30'), {
    staleIfErrorSeconds: 30,
    staleWhileRevalidateSeconds: 0,
  }),
  on(
    'RFC 9111 4.2.4: by configuration',
    fresh,
    { mustRevalidate: false, staleIfErrorSeconds: 100, staleWhileRevalidateSeconds: 10 },
    { policy: lenient },
  ),
  on(
    'RFC 5861: what is stated comes before',
    cc('max-age=60, stale-if-error=0, stale-while-revalidate=30'),
    { staleIfErrorSeconds: 0, staleWhileRevalidateSeconds: 30 },
    { policy: lenient },
  ),
  on(
    'RFC 5861: what is no number is not stated',
    cc('max-age=60, stale-if-error, stale-while-revalidate=x'),
    { staleIfErrorSeconds: 100, staleWhileRevalidateSeconds: 10 },
    { policy: lenient },
  ),
  ...['must-revalidate', 'proxy-revalidate', 's-maxage=x', 'no-cache'].map((directive) =>
    on(
      `RFC 9111 4.2.4: ${directive}`,
      { ...cc(`max-age=60, ${directive}, stale-if-error=30, stale-while-revalidate=30`), ...etag },
      noStale,
      { policy: lenient },
    ),
  ),
  on('RFC 9111 5.2.2.10: s-maxage', { ...cc('s-maxage=60'), ...etag }, noStale, { policy: lenient }),
  on(
    'RFC 5861 3: s-maxage, and its origin says that it may',
    cc('s-maxage=60, stale-while-revalidate=30'),
    { mustRevalidate: false, staleWhileRevalidateSeconds: 30, staleIfErrorSeconds: 0 },
    { policy: lenient },
  ),
  on('RFC 9111 4.2.4: not by configuration where it was never fresh', { ...cc('max-age=0'), ...etag }, noStale, {
    policy: lenient,
  }),
  on('RFC 9111 4.2.4: nor stored for that', cc('max-age=0'), { unstored: 'no_lifetime' }, { policy: lenient }),
  on(
    'RFC 5861 3: but as its origin says',
    { ...cc('max-age=0, stale-while-revalidate=30'), ...etag },
    { mustRevalidate: false, staleWhileRevalidateSeconds: 30, staleIfErrorSeconds: 0 },
    { policy: lenient },
  ),
  on(
    'RFC 5861 4: but as its origin says',
    { ...cc('max-age=0, stale-if-error=30'), ...etag },
    { mustRevalidate: false, staleWhileRevalidateSeconds: 0, staleIfErrorSeconds: 30 },
    { policy: lenient },
  ),
  on('RFC 9213 2.2: must-revalidate for CDNs', { 'cdn-cache-control': 'max-age=60, must-revalidate' }, noStale, {
    policy: lenient,
  }),
  on(
    'RFC 9213 2.2: must-revalidate for others',
    { 'cdn-cache-control': 'max-age=60', ...cc('must-revalidate') },
    { mustRevalidate: false, staleIfErrorSeconds: 100 },
    { policy: lenient },
  ),
  on(
    'RFC 9213 2.2: stale answers for CDNs',
    { 'cdn-cache-control': 'max-age=60, stale-if-error=30' },
    { staleIfErrorSeconds: 30 },
  ),
];

const TARGETED: readonly TitledCase[] = [
  on(
    'RFC 9213 2.2: before a shorter Cache-Control',
    { ...cc('max-age=1'), 'cdn-cache-control': 'max-age=60' },
    stored('cdn_cache_control', 60),
  ),
  on(
    'RFC 9213 2.2: before a longer Cache-Control',
    { ...cc('max-age=600'), 'cdn-cache-control': 'max-age=60' },
    stored('cdn_cache_control', 60),
  ),
  on(
    'RFC 9213 2.2: before no-store',
    { ...cc('no-store'), 'cdn-cache-control': 'max-age=60' },
    stored('cdn_cache_control', 60),
  ),
  on(
    'RFC 9213 2.2: before Expires',
    { expires: httpDate(-60), 'cdn-cache-control': 'max-age=60' },
    stored('cdn_cache_control', 60),
  ),
  on(
    'RFC 9213 2.2: its max-age=0 before Expires',
    { expires: httpDate(60), 'cdn-cache-control': 'max-age=0', ...etag },
    stored('cdn_cache_control', 0),
  ),
  on(
    'RFC 9213 2.2: its s-maxage before its max-age',
    { 'cdn-cache-control': 'max-age=60, s-maxage=30' },
    stored('cdn_cache_control', 30),
  ),
  on(
    'RFC 9213 2.2: its no-store',
    { ...cc('public, max-age=60'), 'cdn-cache-control': 'no-store' },
    { unstored: 'no_store' },
  ),
  on(
    'RFC 9213 2.2: its private',
    { ...cc('public, max-age=60'), 'cdn-cache-control': 'private' },
    { unstored: 'private' },
  ),
  on(
    'RFC 9213 2.2: its no-cache',
    { ...cc('max-age=60'), 'cdn-cache-control': 'no-cache', ...etag },
    stored('none', 0),
  ),
  on(
    'RFC 9213 2.2: it states no lifetime, and Expires is ignored',
    { expires: httpDate(60), 'cdn-cache-control': 'none' },
    { unstored: 'no_lifetime' },
  ),
  on(
    'RFC 9213 3.1: none instead of no-store',
    { ...modified(1000), ...cc('no-store'), 'cdn-cache-control': 'none' },
    stored('heuristic', 100),
  ),
  on(
    'RFC 9213 2.1: an invalid one',
    { ...cc('no-store'), 'cdn-cache-control': 'max-age=60, &&&' },
    { unstored: 'no_store' },
  ),
  on(
    'RFC 9213 2.1: one of another type',
    { ...cc('no-store'), 'cdn-cache-control': 'max-age="60"' },
    { unstored: 'no_store' },
  ),
  on(
    'Surrogate-Control: before Cache-Control and Expires',
    { ...cc('no-store'), expires: httpDate(-60), 'surrogate-control': 'max-age=60' },
    stored('surrogate_control', 60),
  ),
  on(
    'Surrogate-Control: behind CDN-Cache-Control',
    { 'cdn-cache-control': 'max-age=30', 'surrogate-control': 'max-age=60' },
    stored('cdn_cache_control', 30),
  ),
  on(
    'Surrogate-Control: no-store',
    { ...cc('public, max-age=60'), 'surrogate-control': 'no-store' },
    { unstored: 'no_store' },
  ),
  on(
    'Surrogate-Control: nothing that is for caches',
    { ...fresh, 'surrogate-control': 'content="ESI/1.0"' },
    stored('max_age', 60),
  ),
  on('RFC 9213 2.1: an empty one', { ...fresh, 'cdn-cache-control': '' }, stored('max_age', 60)),
  on('RFC 9213 2.3: Age counts', { 'cdn-cache-control': 'max-age=60', age: '20' }, stored('cdn_cache_control', 40)),
  on(
    'RFC 9213 2.2: its must-understand',
    { 'cdn-cache-control': 'max-age=60, must-understand, no-store' },
    { unstored: 'status' },
    { status: 599 },
  ),
];

/** Stale answers, and what is said to CDNs alone. */
export const STALE_CASES: readonly TitledCase[] = [...STALE, ...TARGETED];
