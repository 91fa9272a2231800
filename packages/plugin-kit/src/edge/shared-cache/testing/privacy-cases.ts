import { httpDate } from './clock.ts';
import {
  byDefault,
  cc,
  cookie,
  credentials,
  etag,
  file,
  forced,
  fresh,
  on,
  page,
  stored,
  type TitledCase,
} from './storage-case.ts';

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
  ...['must-revalidate=x', 'must-revalidate;x', 'must-revalidate x'].map((directive) =>
    on(
      `RFC 9111 3.5: Authorization and ${directive}, which allows nothing`,
      cc(`${directive}, max-age=60`),
      { unstored: 'authorization' },
      credentials,
    ),
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
    'Surrogate-Control: Set-Cookie and a lifetime',
    { 'surrogate-control': 'max-age=60', ...cookie },
    { unstored: 'set_cookie' },
  ),
  on(
    'Surrogate-Control: Set-Cookie and a lifetime for shared caches',
    { 'surrogate-control': 's-maxage=60, max-age=60', ...cookie },
    { unstored: 'set_cookie' },
  ),
  on(
    'Surrogate-Control: stale times, of what is for its visitor alone',
    { 'surrogate-control': 'stale-if-error=600', 'cache-control': 'private, max-age=60', expires: httpDate(60) },
    { unstored: 'private' },
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
    { ...fresh, vary: `${'a'.repeat(58)},${'b'.repeat(60)}` },
    { vary: ['a'.repeat(58), 'b'.repeat(60)] },
  ),
  on(
    'RFC 9110 12.5.5: more than 120 bytes of names',
    { ...fresh, vary: `${'a'.repeat(60)}, ${'b'.repeat(60)}` },
    { unstored: 'vary_long' },
  ),
  on(
    'RFC 9110 12.5.5: of many short names what stands between them counts',
    { ...fresh, vary: Array.from({ length: 30 }, (_, at) => `X${at}`).join(',') },
    { unstored: 'vary_long' },
  ),
  on(
    'RFC 9110 12.5.5: more with names that count once',
    { ...fresh, vary: `${'a'.repeat(60)}, ${'A'.repeat(60)}, Accept-Encoding` },
    { vary: ['a'.repeat(60)] },
  ),
];

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

/** What may be one visitor’s own. */
export const PRIVACY_CASES: readonly TitledCase[] = [...CREDENTIALS, ...COOKIES, ...VARIANTS, ...DECEPTION];
