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
  lenient,
  noStale,
  on,
  page,
  stored,
  type TitledCase,
} from './storage-case.ts';

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
  on(
    'RFC 9111 5.2.2: nor for an error, which would be everybody’s for as long',
    {},
    { unstored: 'no_lifetime' },
    {
      status: 500,
      policy: { cacheControl: 'max-age=30', overridesCacheControl: true },
    },
  ),
  on('RFC 9111 5.2.2: unless the policy names its status', {}, stored('max_age', 30), {
    status: 404,
    policy: { cacheControl: 'max-age=30', defaultStatuses: [404] },
  }),
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

/** What the policy and the request add, tags, and which of several reasons holds. */
export const POLICY_CASES: readonly TitledCase[] = [...POLICIES, ...REQUESTS, ...TAGS, ...ORDER];
