import { httpDate } from './clock.ts';
import { byDefault, cc, DAY, etag, fresh, lenient, on, stored, type TitledCase } from './storage-case.ts';

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
  ...[100, 101, 103, 199, 304, 406, 407, 408, 412, 417, 425, 426].map((status) =>
    on(`RFC 9111 3: ${status} is no answer to another request`, fresh, { unstored: 'status' }, { status }),
  ),
  ...[428, 429, 431, 511].map((status) =>
    on(`RFC 6585 3 to 6: ${status} must not be stored`, cc('public, max-age=60'), { unstored: 'status' }, { status }),
  ),
  ...[206, 416].map((status) => on(`RFC 9111 3.3: ${status}`, fresh, { unstored: 'partial' }, { status })),
  on(
    'RFC 9110 14.4: Content-Range means nothing with another status',
    { ...fresh, 'content-range': 'bytes 0-1/2' },
    stored('max_age', 60),
  ),
  on(
    'RFC 9111 5.2.2.3: must-understand with a status of RFC 9110',
    cc('max-age=60, must-understand, no-store'),
    stored('max_age', 60),
  ),
  ...[
    ...[200, 201, 202, 203, 204, 205, 300, 301, 302, 303, 307, 308, 400, 401, 402, 403, 404, 405, 409],
    ...[410, 411, 413, 414, 415, 421, 422, 500, 501, 502, 503, 504, 505],
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

/** By method, status and the directives that forbid. */
export const STATUS_CASES: readonly TitledCase[] = [...METHODS, ...STATUSES, ...FORBIDDEN];
