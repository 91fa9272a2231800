import type { CachePolicy, CacheRequest, StorageDecision } from '../types.ts';
import { httpDate, NOW } from './clock.ts';
import type { PlainAnswer, StorageCase } from './describe.ts';

/** What a case asserts of a decision: times from `NOW` on, in seconds. */
export interface ExpectedDecision extends Partial<Omit<StorageDecision, 'freshUntil' | 'madeAt'>> {
  readonly freshSeconds?: number;
  readonly ageSeconds?: number;
}

interface TitledCase extends StorageCase {
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

interface Circumstances {
  readonly policy?: Partial<CachePolicy>;
  readonly request?: Partial<CacheRequest>;
  readonly status?: number;
  /** How long the origin took. */
  readonly delaySeconds?: number;
  /** Beyond `NOW`. */
  readonly lateSeconds?: number;
}

type Fields = Readonly<Record<string, string | readonly string[]>>;

function answerOf(status: number, fields: Fields): PlainAnswer {
  const listed = Object.entries(fields).map(
    ([name, value]) => [name, typeof value === 'string' ? [value] : value] as const,
  );
  return { status, fields: Object.fromEntries(listed) };
}

function on(title: string, fields: Fields, expected: ExpectedDecision, circumstances: Circumstances = {}): TitledCase {
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

const cc = (value: string): Fields => ({ 'cache-control': value });
const fresh = { 'cache-control': 'max-age=60' };
const stored = (source: StorageDecision['lifetimeSource'], freshSeconds: number): ExpectedDecision => ({
  lifetimeSource: source,
  freshSeconds,
});
const DAY = 86400;
const byDefault: Partial<CachePolicy> = { defaultStatuses: [200, 301, 404], defaultSeconds: 7200 };
const forced: Partial<CachePolicy> = { ...byDefault, isDefaultForced: true };
const lenient: Partial<CachePolicy> = { staleIfErrorSeconds: 100, staleWhileRevalidateSeconds: 10 };
const etag = { etag: '"1"' };

const METHODS: readonly TitledCase[] = [
  on('RFC 9110 9.3.1: GET', fresh, stored('max_age', 60)),
  on('RFC 9110 9.3.2: HEAD', fresh, stored('max_age', 60), { request: { method: 'HEAD' } }),
  ...['POST', 'PUT', 'DELETE', 'OPTIONS', 'get', 'QUERY'].map((method) =>
    on(`RFC 9111 3: the method ${method}`, cc('public, max-age=60'), { unstored: 'method' }, { request: { method } }),
  ),
];

const STATUSES: readonly TitledCase[] = [
  ...[
    200, 201, 202, 203, 204, 299, 300, 301, 302, 303, 307, 308, 400, 401, 403, 404, 410, 451, 499, 500, 502, 503, 504,
    599, 700,
  ].map((status) => on(`RFC 9111 3: ${status} with a lifetime`, fresh, stored('max_age', 60), { status })),
  ...[100, 101, 103, 199, 304, 412, 417].map((status) =>
    on(`RFC 9111 3: ${status} is no answer to another request`, fresh, { unstored: 'status' }, { status }),
  ),
  ...[206, 416].map((status) => on(`RFC 9111 3.3: ${status}`, fresh, { unstored: 'partial' }, { status })),
  on(
    'RFC 9110 14.4: Content-Range whatever the status',
    { ...fresh, 'content-range': 'bytes 0-1/2' },
    { unstored: 'partial' },
  ),
  on(
    'RFC 9111 5.2.2.3: must-understand with a status of RFC 9110',
    cc('max-age=60, must-understand, no-store'),
    stored('max_age', 60),
  ),
  ...[
    ...[200, 201, 202, 203, 204, 205, 300, 301, 302, 303, 307, 308, 400, 401, 402, 403, 404, 405, 406, 407, 408, 409],
    ...[410, 411, 413, 414, 415, 421, 422, 426, 500, 501, 502, 503, 504, 505],
  ].map((status) =>
    on(
      `RFC 9111 5.2.2.3: must-understand with ${status}`,
      cc('max-age=60, must-understand, no-store'),
      stored('max_age', 60),
      { status },
    ),
  ),
  on(
    'RFC 9111 5.2.2.3: must-understand with an unknown status',
    cc('max-age=60, must-understand, no-store'),
    { unstored: 'status' },
    { status: 599 },
  ),
  on(
    'RFC 9111 5.2.2.3: must-understand alone',
    cc('max-age=60, must-understand'),
    { unstored: 'status' },
    { status: 299 },
  ),
  on('RFC 9111 5.2.2.3: a malformed must-understand', cc('max-age=60, must-understand=1, no-store'), {
    unstored: 'no_store',
  }),
  on('RFC 9111 5.2.2.3: must-understand does not lift private', cc('max-age=60, must-understand, private'), {
    unstored: 'private',
  }),
];

const FORBIDDEN: readonly TitledCase[] = [
  on('RFC 9111 5.2.2.5: no-store', cc('no-store, public, max-age=60'), { unstored: 'no_store' }),
  on(
    'RFC 9111 5.2.2.5: no-store in another line',
    { 'cache-control': ['max-age=60', 'no-store'] },
    { unstored: 'no_store' },
  ),
  on('RFC 9111 5.2.2.7: private', cc('private, max-age=60'), { unstored: 'private' }),
  on('RFC 9111 5.2.2.7: private beside public', cc('public, private, s-maxage=60'), { unstored: 'private' }),
  on('RFC 9111 5.2.2.7: private with fields', cc('private="X-User", max-age=60'), {
    ...stored('max_age', 60),
    withheldFields: ['x-user'],
  }),
  on('RFC 9111 5.2.2.4: no-cache with fields', cc('no-cache="X-User", max-age=60'), {
    ...stored('max_age', 60),
    withheldFields: ['x-user'],
    mustRevalidate: false,
  }),
  on(
    'RFC 9111 5.2.2.4: no-cache is validated before each use',
    { ...cc('no-cache, max-age=60'), ...etag },
    {
      ...stored('max_age', 0),
      mustRevalidate: true,
    },
  ),
  on('RFC 9111 5.2.2.4: no-cache needs no lifetime', { ...cc('no-cache'), ...etag }, stored('none', 0)),
  on('RFC 9111 5.2.2.4: nor a lifetime of the policy', { ...cc('no-cache'), ...etag }, stored('policy', 0), {
    policy: byDefault,
  }),
  on(
    'RFC 9111 5.2.2.4: no-cache with Last-Modified',
    { ...cc('no-cache'), 'last-modified': httpDate(-DAY) },
    stored('heuristic', 0),
  ),
  on(
    'RFC 9111 5.2.2.4: no-cache without a validator could never be used',
    cc('no-cache, max-age=60'),
    { unstored: 'no_lifetime' },
    { policy: { ...lenient, obeysRequests: true } },
  ),
  on(
    'RFC 9111 3: no-cache does not make 403 cacheable',
    { ...cc('no-cache'), ...etag },
    { unstored: 'no_lifetime' },
    { status: 403 },
  ),
  on('RFC 9111 5.4: Pragma has no effect in answers', { ...fresh, pragma: 'no-cache' }, stored('max_age', 60)),
];

const credentials: Circumstances = { request: { hasAuthorization: true } };

const CREDENTIALS: readonly TitledCase[] = [
  on('RFC 9111 3.5: Authorization', fresh, { unstored: 'authorization' }, credentials),
  on('RFC 9111 3.5: Authorization with Expires', { expires: httpDate(60) }, { unstored: 'authorization' }, credentials),
  on('RFC 9111 3.5: Authorization and public', cc('public, max-age=60'), stored('max_age', 60), credentials),
  on(
    'RFC 9111 3.5: Authorization and must-revalidate',
    cc('must-revalidate, max-age=60'),
    stored('max_age', 60),
    credentials,
  ),
  on('RFC 9111 3.5: Authorization and s-maxage', cc('s-maxage=60'), stored('s_maxage', 60), credentials),
  on(
    'RFC 9111 3.5: Authorization and s-maxage=0',
    { ...cc('s-maxage=0'), ...etag },
    stored('s_maxage', 0),
    credentials,
  ),
  on(
    'RFC 9111 3.5: Authorization and a wrong s-maxage',
    cc('s-maxage=x, max-age=60'),
    { unstored: 'authorization' },
    credentials,
  ),
  on(
    'RFC 9111 3.5: Authorization and proxy-revalidate',
    cc('proxy-revalidate, max-age=60'),
    { unstored: 'authorization' },
    credentials,
  ),
  on(
    'RFC 9111 3.5: Authorization and no-cache',
    { ...cc('no-cache, max-age=60'), ...etag },
    { unstored: 'authorization' },
    credentials,
  ),
  on(
    'RFC 9111 3.5: Authorization and private fields',
    cc('private="x", max-age=60'),
    { unstored: 'authorization' },
    credentials,
  ),
  on(
    'RFC 9213 2.2: Authorization and a lifetime for CDNs',
    { 'cdn-cache-control': 'max-age=60' },
    { unstored: 'authorization' },
    credentials,
  ),
  on(
    'RFC 9213 2.2: Authorization and public for CDNs',
    { 'cdn-cache-control': 'max-age=60, public' },
    stored('cdn_cache_control', 60),
    credentials,
  ),
  on(
    'RFC 9111 3.5: Authorization and a forced default',
    fresh,
    { unstored: 'authorization' },
    { ...credentials, policy: forced },
  ),
];

const cookie = { 'set-cookie': 'id=1' };

const COOKIES: readonly TitledCase[] = [
  on('RFC 9111 7.3: Set-Cookie', { ...fresh, ...cookie }, { unstored: 'set_cookie' }),
  on('RFC 9111 7.3: Set-Cookie and public', { ...cc('public, max-age=60'), ...cookie }, stored('max_age', 60)),
  on('RFC 9111 7.3: Set-Cookie and s-maxage=0', { ...cc('s-maxage=0'), ...etag, ...cookie }, stored('s_maxage', 0)),
  on('RFC 9111 7.3: Set-Cookie and s-maxage', { ...cc('s-maxage=60'), ...cookie }, stored('s_maxage', 60)),
  on('RFC 9111 7.3: Set-Cookie and a wrong s-maxage', { ...cc('s-maxage=x'), ...cookie }, { unstored: 'set_cookie' }),
  on(
    'RFC 9111 7.3: Set-Cookie and must-revalidate',
    { ...cc('must-revalidate, max-age=60'), ...cookie },
    { unstored: 'set_cookie' },
  ),
  on(
    'RFC 9213 3: Set-Cookie and a lifetime for CDNs',
    { 'cdn-cache-control': 'max-age=60', ...cookie },
    stored('cdn_cache_control', 60),
  ),
  on(
    'RFC 9213 3: Set-Cookie and no lifetime for CDNs',
    { 'cdn-cache-control': 'must-revalidate', expires: httpDate(60), ...cookie },
    { unstored: 'set_cookie' },
  ),
  on(
    'RFC 9213 2.1: Set-Cookie and a wrong field for CDNs',
    { ...fresh, 'cdn-cache-control': 'max-age=x', ...cookie },
    { unstored: 'set_cookie' },
  ),
  on(
    'RFC 9111 5.2.2.7: Set-Cookie that is not stored',
    { ...cc('private="Set-Cookie", max-age=60'), ...cookie },
    {
      ...stored('max_age', 60),
      withheldFields: ['set-cookie'],
    },
  ),
  on('RFC 9111 7.3: Set-Cookie and a default', cookie, { unstored: 'set_cookie' }, { policy: byDefault }),
  on(
    'RFC 9111 7.3: Set-Cookie and a forced default',
    { ...fresh, ...cookie },
    { unstored: 'set_cookie' },
    { policy: forced },
  ),
];

const VARIANTS: readonly TitledCase[] = [
  ...['*', '*, *', ', *', 'Cookie, *', '*, Cookie', ' * '].map((vary) =>
    on(`RFC 9111 4.1: Vary: ${vary}`, { ...cc('public, max-age=60'), vary }, { unstored: 'vary_all', vary: [] }),
  ),
  on('RFC 9111 4.1: * in another line', { ...fresh, vary: ['', 'Cookie', '*'] }, { unstored: 'vary_all' }),
  on('RFC 9111 4.1: what is no name matches no request', { ...fresh, vary: 'Cookie Accept' }, { unstored: 'vary_all' }),
  on('RFC 9110 12.5.5: an empty Vary', { ...fresh, vary: ['', ' , '] }, { vary: [] }),
  on(
    'RFC 9110 12.5.5: names, each once',
    { ...fresh, vary: ['X-B, Cookie', 'x-a,COOKIE'] },
    { vary: ['cookie', 'x-a', 'x-b'] },
  ),
  on(
    'RFC 9110 12.5.5: Accept-Encoding is in the key',
    { ...fresh, vary: 'Accept-Encoding, Origin' },
    { vary: ['origin'] },
  ),
  on(
    'RFC 9110 12.5.5: 120 bytes of names',
    { ...fresh, vary: `${'a'.repeat(59)},${'b'.repeat(60)}` },
    { vary: ['a'.repeat(59), 'b'.repeat(60)] },
  ),
  on(
    'RFC 9110 12.5.5: more than 120 bytes of names',
    { ...fresh, vary: `${'a'.repeat(60)}, ${'b'.repeat(60)}` },
    { unstored: 'vary_long' },
  ),
  on(
    'RFC 9110 12.5.5: more with names that count once',
    { ...fresh, vary: `${'a'.repeat(60)}, ${'A'.repeat(60)}, Accept-Encoding` },
    { vary: ['a'.repeat(60)] },
  ),
];

const page = { ...fresh, 'content-type': 'text/html; charset=utf-8' };
const file: Circumstances = { request: { path: '/account/x.css' } };

const DECEPTION: readonly TitledCase[] = [
  ...[
    'text/html',
    'TEXT/HTML;charset=utf-8',
    'application/xhtml+xml',
    'application/json',
    'text/json',
    'application/problem+json',
    'html',
    'text/',
    '*',
    '',
  ].map((type) =>
    on(
      `RFC 9111 7.3: a file’s name and the type ${type}`,
      { ...fresh, 'content-type': type },
      { unstored: 'type_mismatch' },
      file,
    ),
  ),
  on('RFC 9111 7.3: a file’s name and no type', fresh, { unstored: 'type_mismatch' }, file),
  on(
    'RFC 9111 7.3: a file’s name and two types',
    { ...fresh, 'content-type': ['text/css', 'text/html'] },
    { unstored: 'type_mismatch' },
    file,
  ),
  on('RFC 9111 7.3: a file’s name and no body', { ...fresh, 'content-length': '0' }, stored('max_age', 60), file),
  on('RFC 9110 15.3.5: a file’s name and 204', fresh, stored('max_age', 60), { ...file, status: 204 }),
  on('RFC 9111 7.3: a file’s name and its type', { ...fresh, 'content-type': 'text/css' }, stored('max_age', 60), file),
  on('RFC 9111 7.3: a page’s name and a page', page, stored('max_age', 60), { request: { path: '/account' } }),
  on('RFC 9111 7.3: a page’s name with a dot', page, stored('max_age', 60), { request: { path: '/account.html' } }),
  on('RFC 9111 7.3: a dot before the last slash', page, stored('max_age', 60), { request: { path: '/x.css/account' } }),
  on('RFC 9111 7.3: no dot at all', page, stored('max_age', 60), { request: { path: '/css' } }),
  ...['/account/x.CSS', '/account;x.css', '/login.php/x.css', '/account/.css', '/a.b.woff2'].map((path) =>
    on(`RFC 9111 7.3: a page at ${path}`, page, { unstored: 'type_mismatch' }, { request: { path } }),
  ),
  on('RFC 9111 7.3: a page that is public', { ...page, ...cc('public, max-age=60') }, stored('max_age', 60), file),
  on('RFC 9111 7.3: a page with s-maxage', { ...page, ...cc('s-maxage=60') }, stored('s_maxage', 60), file),
  on(
    'RFC 9111 7.3: a page with a lifetime for CDNs',
    { ...page, 'cdn-cache-control': 'max-age=60' },
    stored('cdn_cache_control', 60),
    file,
  ),
  on(
    'RFC 9111 7.3: a page with must-revalidate',
    { ...page, ...cc('must-revalidate, max-age=60') },
    { unstored: 'type_mismatch' },
    file,
  ),
  on('RFC 9111 7.3: a page and a forced default', page, { unstored: 'type_mismatch' }, { ...file, policy: forced }),
];

const LIFETIMES: readonly TitledCase[] = [
  on('RFC 9111 4.2.1: s-maxage before max-age', cc('max-age=60, s-maxage=30'), {
    ...stored('s_maxage', 30),
    mustRevalidate: true,
  }),
  on(
    'RFC 9111 4.2.1: s-maxage before a shorter max-age',
    { ...cc('s-maxage=60, max-age=0'), expires: httpDate(-60) },
    stored('s_maxage', 60),
  ),
  on('RFC 9111 5.3: max-age before Expires', { ...fresh, expires: httpDate(-60) }, stored('max_age', 60)),
  on('RFC 9111 5.3: max-age before a wrong Expires', { ...fresh, expires: '0' }, stored('max_age', 60)),
  on(
    'RFC 9111 5.3: max-age=0 before Expires',
    { ...cc('max-age=0'), ...etag, expires: httpDate(60) },
    stored('max_age', 0),
  ),
  on(
    'RFC 9111 4.2.1: a wrong max-age is stale, whatever Expires says',
    { ...cc('max-age=x'), ...etag, expires: httpDate(60) },
    stored('max_age', 0),
  ),
  on(
    'RFC 9111 4.2.1: a wrong s-maxage is stale, whatever max-age says',
    { ...cc('s-maxage=x, max-age=60'), ...etag },
    stored('s_maxage', 0),
  ),
  on('RFC 9111 4.2.1: stale without a validator could never be used', cc('max-age=0'), { unstored: 'no_lifetime' }),
  on(
    'RFC 9111 5.2.1.2: requests that take stale answers do not change that',
    cc('max-age=0'),
    { unstored: 'no_lifetime' },
    { policy: { obeysRequests: true } },
  ),
  on('RFC 5861 4: but where the origin fails', cc('max-age=0, stale-if-error=60'), stored('max_age', 0)),
  on('RFC 5861 3: but while a newer one is fetched', cc('max-age=0, stale-while-revalidate=60'), stored('max_age', 0)),
  on(
    'RFC 5861 4: unless it came after that',
    { ...cc('max-age=60, stale-if-error=60'), age: '120' },
    { unstored: 'no_lifetime' },
  ),
  on(
    'RFC 9111 4.3: Last-Modified is a validator',
    { ...cc('max-age=0'), 'last-modified': httpDate(-60) },
    stored('max_age', 0),
  ),
  on('RFC 9111 1.2.2: above 2^31', cc('max-age=99999999999'), stored('max_age', 2147483648)),
  on('RFC 9111 5.3: Expires', { expires: httpDate(60), date: httpDate() }, stored('expires', 60)),
  on(
    'RFC 9111 5.3: Expires in the format of RFC 850',
    { expires: 'Friday, 15-Jan-27 08:01:00 GMT', date: httpDate() },
    stored('expires', 60),
  ),
  on(
    'RFC 9111 5.3: Expires before Date',
    { expires: httpDate(300), date: httpDate(400), ...etag },
    stored('expires', 0),
  ),
  on('RFC 9111 5.3: Expires at Date', { expires: httpDate(), date: httpDate(), ...etag }, stored('expires', 0)),
  on(
    'RFC 9111 5.3: Expires of a clock that is ahead',
    { expires: httpDate(460), date: httpDate(400) },
    stored('expires', 60),
  ),
  on(
    'RFC 9111 5.3: Expires of a clock that is behind',
    { expires: httpDate(-340), date: httpDate(-400), ...etag },
    { ...stored('expires', -340), ageSeconds: 400 },
  ),
  on('RFC 9110 6.6.1: Expires without Date', { expires: httpDate(60) }, stored('expires', 60)),
  on(
    'RFC 9110 6.6.1: Expires with a wrong Date',
    { expires: httpDate(60), date: 'yesterday' },
    { ...stored('expires', 60), ageSeconds: 0 },
  ),
  ...['0', '-1', '', 'Fri, 15 Jan 2100 08:00:00 UTC', 'never'].map((expires) =>
    on(`RFC 9111 5.3: Expires: ${expires} is in the past`, { expires, ...etag }, stored('expires', 0)),
  ),
  on('RFC 9111 4.2.1: Expires twice', { expires: [httpDate(60), httpDate(60)] }, stored('expires', 60)),
  on('RFC 9111 4.2.1: Expires that differ', { expires: [httpDate(60), httpDate(120)], ...etag }, stored('expires', 0)),
  on(
    'RFC 9111 1.2.2: Expires far ahead',
    { expires: 'Fri, 31 Dec 9999 23:59:59 GMT', date: httpDate() },
    stored('expires', 2147483648),
  ),
  on('RFC 9111 3: nothing said', {}, { unstored: 'no_lifetime', lifetimeSource: 'none' }),
  on('RFC 9111 3: nothing but a validator', etag, { unstored: 'no_lifetime' }),
  on('RFC 9111 5.2.2.9: public and a validator', { ...cc('public'), ...etag }, stored('none', 0)),
  on('RFC 9111 5.2.2.9: public alone', cc('public'), { unstored: 'no_lifetime' }),
  on(
    'RFC 9111 5.2.2.2: must-revalidate states no lifetime',
    { ...cc('must-revalidate'), ...etag },
    { unstored: 'no_lifetime' },
  ),
];

const modified = (secondsAgo: number): Fields => ({ date: httpDate(), 'last-modified': httpDate(-secondsAgo) });

const HEURISTICS: readonly TitledCase[] = [
  on('RFC 9111 4.2.2: a tenth of the time since Last-Modified', modified(1000), stored('heuristic', 100)),
  on('RFC 9111 4.2.2: a day at most', modified(100 * DAY), stored('heuristic', DAY)),
  on('RFC 9111 4.2.2: below a second', modified(9), stored('heuristic', 0)),
  on('RFC 9111 4.2.2: Last-Modified at Date', modified(0), stored('heuristic', 0)),
  on(
    'RFC 9111 4.2.2: Last-Modified in the format of RFC 850',
    { 'last-modified': 'Friday, 15-Jan-27 07:50:00 GMT', date: 'Friday, 15-Jan-27 08:00:00 GMT' },
    stored('heuristic', 60),
  ),
  on('RFC 9111 4.2.2: Last-Modified ahead of Date', modified(-1), { unstored: 'no_lifetime' }),
  on('RFC 9111 4.2.2: a wrong Last-Modified', { 'last-modified': 'yesterday' }, { unstored: 'no_lifetime' }),
  on(
    'RFC 9111 4.2.2: to Date, not to now',
    { date: httpDate(-100), 'last-modified': httpDate(-1100) },
    { ...stored('heuristic', 0), ageSeconds: 100 },
  ),
  on('RFC 9111 4.2.2: without Date', { 'last-modified': httpDate(-1000) }, stored('heuristic', 100)),
  on('RFC 9111 4.2.2: not beside Expires', { ...modified(1000), expires: '0' }, stored('expires', 0)),
  on('RFC 9111 4.2.2: not beside max-age', { ...modified(1000), ...cc('max-age=0') }, stored('max_age', 0)),
  on('RFC 9111 4.2.2: with a query', modified(1000), stored('heuristic', 100), { request: { query: 'a=1' } }),
  ...[200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501].map((status) =>
    on(`RFC 9110 15.1: ${status} is heuristically cacheable`, modified(1000), stored('heuristic', 100), { status }),
  ),
  ...[201, 202, 205, 302, 303, 307, 400, 403, 500, 502, 503, 504, 599].map((status) =>
    on(`RFC 9110 15.1: ${status} is not`, modified(1000), { unstored: 'no_lifetime' }, { status }),
  ),
  on('RFC 9111 5.2.2.9: public makes any status so', { ...modified(1000), ...cc('public') }, stored('heuristic', 100), {
    status: 599,
  }),
  on('RFC 9111 4.2.2: the policy’s default comes before', modified(1000), stored('policy', 7200), {
    policy: byDefault,
  }),
  on('RFC 9111 4.2.2: where it gives none', modified(1000), stored('heuristic', 100), {
    status: 410,
    policy: byDefault,
  }),
];

const AGES: readonly TitledCase[] = [
  on('RFC 9111 4.2.3: age_value', { ...fresh, age: '20' }, { ...stored('max_age', 40), ageSeconds: 20 }),
  on('RFC 9111 4.2.3: apparent_age', { ...fresh, date: httpDate(-20) }, { ...stored('max_age', 40), ageSeconds: 20 }),
  on(
    'RFC 9111 4.2.3: a Date ahead is no age',
    { ...fresh, date: httpDate(20) },
    { ...stored('max_age', 60), ageSeconds: 0 },
  ),
  on(
    'RFC 9111 4.2.3: the greater of both',
    { ...fresh, age: '30', date: httpDate(-20) },
    { ...stored('max_age', 30), ageSeconds: 30 },
  ),
  on(
    'RFC 9111 4.2.3: response_delay',
    { ...fresh, age: '20' },
    { ...stored('max_age', 35), ageSeconds: 25 },
    { delaySeconds: 5 },
  ),
  on(
    'RFC 9111 4.2.3: it is no part of the apparent age',
    { ...fresh, date: httpDate(-20) },
    { ageSeconds: 20 },
    { delaySeconds: 5 },
  ),
  on('RFC 9111 4.2.3: a clock that was set back meanwhile', fresh, { ageSeconds: 0 }, { delaySeconds: -5 }),
  on(
    'RFC 9111 4.2.3: parts of a second make it older',
    fresh,
    { ...stored('max_age', 60), ageSeconds: 0 },
    { lateSeconds: 0.75, delaySeconds: 0.5 },
  ),
  on(
    'RFC 9111 4.2.3: older than its lifetime',
    { ...fresh, ...etag, age: '100' },
    { ...stored('max_age', -40), ageSeconds: 100 },
  ),
  on(
    'RFC 9111 4.2.3: older than Expires less Date',
    { expires: httpDate(10), date: httpDate(-10), age: '25', ...etag },
    stored('expires', -5),
  ),
  on('RFC 9111 5.1: the first of a list', { ...fresh, age: '20, 0' }, { ageSeconds: 20 }),
  on('RFC 9111 5.1: blanks around it', { ...fresh, age: ' 20 , 0' }, { ageSeconds: 20 }),
  on('RFC 9111 5.1: the first of several lines', { ...fresh, age: ['0', '20'] }, { ageSeconds: 0 }),
  ...['abc', '-20', '20.0', '20;a=b', '', '0x20', '+20', ', 20'].map((age) =>
    on(`RFC 9111 5.1: Age: ${age} is ignored`, { ...fresh, age }, { ...stored('max_age', 60), ageSeconds: 0 }),
  ),
  on('RFC 9111 5.1: a wrong first line is not made up for', { ...fresh, age: ['x', '20'] }, { ageSeconds: 0 }),
  on('RFC 9111 1.2.2: above 2^31', { ...fresh, ...etag, age: '99999999999' }, { ageSeconds: 2147483648 }),
  on(
    'RFC 9111 1.2.2: a Date above 2^31 ago',
    { ...fresh, ...etag, date: 'Mon, 01 Jan 0001 00:00:00 GMT' },
    { ageSeconds: 2147483648 },
  ),
  on(
    'RFC 9111 4.2.3: of what is not stored, too',
    { ...cc('no-store'), age: '20' },
    { unstored: 'no_store', ageSeconds: 20 },
  ),
];

const noStale: ExpectedDecision = { mustRevalidate: true, staleIfErrorSeconds: 0, staleWhileRevalidateSeconds: 0 };

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
  ...['must-revalidate', 'proxy-revalidate', 's-maxage=60', 's-maxage=x', 'no-cache'].map((directive) =>
    on(
      `RFC 9111 4.2.4: ${directive}`,
      { ...cc(`max-age=60, ${directive}, stale-if-error=30, stale-while-revalidate=30`), ...etag },
      noStale,
      { policy: lenient },
    ),
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
  on('RFC 9213 2.1: an empty one', { ...fresh, 'cdn-cache-control': '' }, stored('max_age', 60)),
  on('RFC 9213 2.3: Age counts', { 'cdn-cache-control': 'max-age=60', age: '20' }, stored('cdn_cache_control', 40)),
  on(
    'RFC 9213 2.2: its must-understand',
    { 'cdn-cache-control': 'max-age=60, must-understand, no-store' },
    { unstored: 'status' },
    { status: 599 },
  ),
];

const POLICIES: readonly TitledCase[] = [
  on('RFC 9111 4.2.2: the policy’s lifetime', {}, stored('policy', 7200), { policy: byDefault }),
  on('RFC 9111 4.2.2: for another status', {}, { unstored: 'no_lifetime' }, { policy: byDefault, status: 302 }),
  on('RFC 9111 4.2.2: for a negative status', {}, stored('policy', 7200), { policy: byDefault, status: 404 }),
  on(
    'RFC 9111 4.2.2: for a status and no seconds',
    {},
    { unstored: 'no_lifetime' },
    { policy: { ...byDefault, defaultSeconds: 0 } },
  ),
  on(
    'RFC 9111 4.2.2: parts of a second are no part of it',
    {},
    { ...stored('policy', 7200), ageSeconds: 0 },
    { policy: byDefault, lateSeconds: 0.75 },
  ),
  on(
    'RFC 9111 4.2.2: it begins when the answer comes',
    { age: '9000', date: httpDate(-9000) },
    { ...stored('policy', 7200), ageSeconds: 9000 },
    { policy: byDefault },
  ),
  on('RFC 9111 4.2.1: what is stated comes before', fresh, stored('max_age', 60), { policy: byDefault }),
  on('RFC 9111 4.2.1: what is stated wrongly, too', { expires: '0', ...etag }, stored('expires', 0), {
    policy: byDefault,
  }),
  on(
    'RFC 9111 5.2.2.2: must-revalidate beside it',
    cc('must-revalidate'),
    { ...stored('policy', 7200), ...noStale },
    { policy: { ...byDefault, ...lenient } },
  ),
  ...(
    [
      ['image/png', ['image'], true],
      ['IMAGE/PNG ; a=b', ['text/css', 'Image'], true],
      ['text/css', ['image', 'Text/CSS'], true],
      ['text/css', ['image', 'text/html'], false],
      ['text/csv', ['text/css'], false],
      ['images/png', ['image'], false],
      ['', ['image', ''], false],
    ] as const
  ).map(([type, defaultTypes, isStored]) =>
    on(
      `RFC 9110 8.3.1: the type ${type} where the policy is for ${defaultTypes.join(' and ')}`,
      { 'content-type': type },
      isStored ? stored('policy', 7200) : { unstored: 'no_lifetime' },
      { policy: { ...byDefault, defaultTypes } },
    ),
  ),
  on(
    'RFC 9110 8.3: no type where the policy is for some',
    {},
    { unstored: 'no_lifetime' },
    { policy: { ...byDefault, defaultTypes: ['image'] } },
  ),
  ...[
    cc('max-age=60'),
    cc('s-maxage=60'),
    cc('max-age=0'),
    cc('max-age=x'),
    { expires: '0' },
    { 'cdn-cache-control': 'max-age=1' },
  ].map((fields) =>
    on(`RFC 9111 4.2.4: a forced default instead of ${JSON.stringify(fields)}`, fields, stored('policy', 7200), {
      policy: forced,
    }),
  ),
  on('RFC 9111 4.2.1: a forced default is for its statuses', fresh, stored('max_age', 60), {
    policy: forced,
    status: 302,
  }),
  on('RFC 9111 4.2.1: a forced default is for its types', fresh, stored('max_age', 60), {
    policy: { ...forced, defaultTypes: ['image'] },
  }),
  on('RFC 9111 5.2.2.5: a forced default and no-store', cc('no-store'), { unstored: 'no_store' }, { policy: forced }),
  on('RFC 9111 5.2.2.7: a forced default and private', cc('private'), { unstored: 'private' }, { policy: forced }),
  on('RFC 9111 5.2.2.4: a forced default and no-cache', { ...cc('no-cache'), ...etag }, stored('policy', 0), {
    policy: forced,
  }),
  on('RFC 9111 5.2.2.10: a forced default does not lift s-maxage', cc('s-maxage=60'), noStale, {
    policy: { ...forced, ...lenient },
  }),
  on('RFC 9111 5.2.2: the policy’s directives where there are none', {}, stored('max_age', 30), {
    policy: { cacheControl: 'max-age=30' },
  }),
  on('RFC 9111 5.2.2: or an empty field', cc(' , '), stored('max_age', 30), { policy: { cacheControl: 'max-age=30' } }),
  on('RFC 9111 5.2.2: the origin’s come before', fresh, stored('max_age', 60), {
    policy: { cacheControl: 'max-age=30' },
  }),
  on('RFC 9111 5.2.2: but for those that override them', cc('no-store'), stored('max_age', 30), {
    policy: { cacheControl: 'max-age=30', overridesCacheControl: true },
  }),
  on(
    'RFC 9111 5.2.2.5: no-store that overrides them',
    cc('public, max-age=60'),
    { unstored: 'no_store' },
    { policy: { cacheControl: 'no-store', overridesCacheControl: true } },
  ),
  on(
    'RFC 9213 2.2: and those for CDNs',
    { 'cdn-cache-control': 'max-age=60' },
    { unstored: 'no_store' },
    { policy: { cacheControl: 'no-store', overridesCacheControl: true } },
  ),
  on(
    'RFC 9213 2.2: which come before those that do not',
    { 'cdn-cache-control': 'max-age=60' },
    stored('cdn_cache_control', 60),
    { policy: { cacheControl: 'no-store' } },
  ),
  on('RFC 9111 5.2.2: nothing overrides nothing', fresh, stored('max_age', 60), {
    policy: { overridesCacheControl: true },
  }),
  on('RFC 9111 7.3: the policy’s public is an answer’s', cookie, stored('max_age', 30), {
    policy: { cacheControl: 'public, max-age=30' },
  }),
  on(
    'RFC 9111 7.3: its lifetime alone is not',
    cookie,
    { unstored: 'set_cookie' },
    { policy: { cacheControl: 'max-age=30' } },
  ),
];

const REQUESTS: readonly TitledCase[] = [
  on(
    'RFC 9111 5.2.1.5: no-store where requests are obeyed',
    cc('public, max-age=60'),
    { unstored: 'request_no_store' },
    { policy: { obeysRequests: true }, request: { cacheControl: ['No-Store'] } },
  ),
  on('RFC 9111 5.2.1.5: no-store where they are not', fresh, stored('max_age', 60), {
    request: { cacheControl: ['no-store'] },
  }),
  on('RFC 9111 5.2.1: what else a request says', fresh, stored('max_age', 60), {
    policy: { obeysRequests: true },
    request: { cacheControl: ['no-cache, max-age=0'] },
  }),
];

const TAGS: readonly TitledCase[] = [
  on('Cache-Tag: commas between', { ...fresh, 'cache-tag': ['a, b c', 'd'] }, { tags: ['a', 'b c', 'd'] }),
  on(
    'Surrogate-Key: blanks between',
    { ...fresh, 'surrogate-key': ['a b\tc', '  d  '] },
    { tags: ['a', 'b', 'c', 'd'] },
  ),
  on(
    'Cache-Tag and Surrogate-Key: each tag once',
    { ...fresh, 'cache-tag': 'a, constructor, A', 'surrogate-key': 'a constructor' },
    { tags: ['a', 'constructor', 'A'] },
  ),
  on('Cache-Tag: none', { ...fresh, 'cache-tag': ' , ', 'surrogate-key': ' ' }, { tags: [] }),
];

const ORDER: readonly TitledCase[] = [
  on(
    'RFC 9111 3: of several reasons the method',
    { ...cc('no-store'), vary: '*' },
    { unstored: 'method' },
    { request: { method: 'POST' }, status: 304 },
  ),
  on('RFC 9111 3: then the status', cc('no-store'), { unstored: 'status' }, { status: 304 }),
  on('RFC 9111 3: then that it is a part', cc('no-store'), { unstored: 'partial' }, { status: 206 }),
  on(
    'RFC 9111 3: then the request',
    cc('no-store'),
    { unstored: 'request_no_store' },
    { policy: { obeysRequests: true }, request: { cacheControl: ['no-store'] } },
  ),
  on('RFC 9111 3: then no-store', cc('private, no-store'), { unstored: 'no_store' }),
  on('RFC 9111 3: then private', { ...cc('private'), ...cookie }, { unstored: 'private' }, credentials),
  on('RFC 9111 3: then Authorization', { ...fresh, ...cookie }, { unstored: 'authorization' }, credentials),
  on('RFC 9111 3: then Set-Cookie', { ...fresh, ...cookie, vary: '*' }, { unstored: 'set_cookie' }),
  on('RFC 9111 3: then Vary', { ...page, vary: '*' }, { unstored: 'vary_all' }, file),
  on('RFC 9111 3: then its length', { ...page, vary: 'a'.repeat(121) }, { unstored: 'vary_long' }, file),
  on('RFC 9111 3: then the type', { 'content-type': 'text/html' }, { unstored: 'type_mismatch' }, file),
];

export const STORAGE_CASES: readonly TitledCase[] = [
  ...[...METHODS, ...STATUSES, ...FORBIDDEN, ...CREDENTIALS, ...COOKIES, ...VARIANTS, ...DECEPTION, ...LIFETIMES],
  ...[...HEURISTICS, ...AGES, ...STALE, ...TARGETED, ...POLICIES, ...REQUESTS, ...TAGS, ...ORDER],
];
