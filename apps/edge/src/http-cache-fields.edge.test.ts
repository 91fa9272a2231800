import { type Fields, type Sequence, STALE_AFTER, testSequences } from './testing/caching.ts';

/** Cache-Status (RFC 9211), CDN-Cache-Control (RFC 9213), codings (RFC 9110 12.5.3) and interim answers (RFC 9110 15.2) on the real edge. */

const FRESH: Fields = { 'Cache-Control': 'max-age=3600' };

const targeted = (section: string, is: 'hit' | 'miss', table: readonly (readonly [string, Fields, number?])[]) =>
  table.map(
    ([title, fields, after]): Sequence => ({
      title: `RFC 9213 ${section}: ${title}`,
      exchanges: [
        { is: 'miss', answer: { fields } },
        { is, ...(after === undefined ? {} : { after }) },
      ],
    }),
  );
const cdn = (value: string, more: Fields = {}): Fields => ({ 'CDN-Cache-Control': value, ...more });

const targetedField: Sequence[] = [
  ...targeted('2.2', 'hit', [
    ['max-age', cdn('max-age=3600')],
    ['max-age of 2^31', cdn('max-age=2147483648')],
    ['max-age beyond it', cdn('max-age=99999999999')],
    ['unknown directives', cdn('foobar, max-age=3600')],
    ['Expires does not count beside it', cdn('max-age=3600', { Expires: -10_000, Date: 0 })],
    ['a wrong Expires does not either', cdn('max-age=3600', { Expires: '0', Date: 0 })],
    ['it is before a shorter max-age', cdn('max-age=3600', { 'Cache-Control': 'max-age=1' }), STALE_AFTER],
    ['it is before no-store', cdn('max-age=10000', { 'Cache-Control': 'no-store' })],
    ['it is before private', cdn('max-age=10000', { 'Cache-Control': 'private' })],
  ]),
  ...targeted('2.2', 'miss', [
    ['max-age less Age', cdn('max-age=3600', { Age: '7200', Date: 0 })],
    ['max-age=0', cdn('max-age=0')],
    ['max-age=0 is before Expires', cdn('max-age=0', { Expires: 10_000, Date: 0 })],
    ['it is before a longer max-age', cdn('max-age=1', { 'Cache-Control': 'max-age=3600' }), STALE_AFTER],
    ['private', cdn('private', { 'Cache-Control': 'max-age=10000', Expires: 3600, Date: 0 })],
    ['no-cache', cdn('no-cache', { 'Cache-Control': 'max-age=10000', Expires: 3600, Date: 0 })],
    ['no-store', cdn('no-store', { 'Cache-Control': 'max-age=10000', Expires: 3600, Date: 0 })],
  ]),
  ...targeted('2.1', 'miss', [
    ['what is no dictionary is ignored', cdn('max-age=10000, &&&&&', { 'Cache-Control': 'no-store' })],
    ['a value of another type', cdn('max-age="10000"', { 'Cache-Control': 'no-store' })],
    ['blanks before =', cdn('max-age =100', { 'Cache-Control': 'max-age=0' })],
    ['blanks behind =', cdn('max-age= 100', { 'Cache-Control': 'max-age=0' })],
    ['keys in upper case', cdn('MaX-aGe=3600', { 'Cache-Control': 'max-age=0' })],
    ['an empty field', cdn('', { 'Cache-Control': 'max-age=0' })],
  ]),
  ...targeted('2.1', 'hit', [
    ['of several members with a key the last', cdn('max-age=0, max-age=3600')],
    ['parameters are ignored', cdn('max-age=3600;foo=bar')],
    ['several lines', { 'CDN-Cache-Control': ['foo', 'max-age=3600'] }],
  ]),
  {
    title: 'RFC 9213 3: the visitor gets the field',
    exchanges: [{ is: 'miss', answer: { fields: cdn('foo') }, gets: { 'cdn-cache-control': 'foo' } }],
  },
  {
    title: 'RFC 9213 2.3: Age, Date and Expires stay what they are',
    exchanges: [
      { is: 'miss', answer: { fields: cdn('max-age=10000', { 'Cache-Control': 'max-age=2', Expires: 2 }) } },
      { is: 'hit', after: STALE_AFTER, ageMin: 2 },
    ],
  },
];

const cacheStatus: Sequence[] = [
  {
    title: 'RFC 9211 2.2, 2.3, 2.4, 2.5: what was fetched and stored; 2.1: a hit',
    exchanges: [
      {
        is: 'miss',
        answer: { fields: FRESH },
        cacheStatus: /^Cordon; fwd=uri-miss; fwd-status=200; stored; ttl=3(600|599)$/,
      },
      { is: 'hit', cacheStatus: /^Cordon; hit; ttl=3(600|59\d)$/ },
    ],
  },
  {
    title: 'RFC 9211 2.2: method',
    exchanges: [{ is: 'miss', method: 'POST', answer: { fields: FRESH }, cacheStatus: /^Cordon; fwd=method/ }],
  },
  {
    title: 'RFC 9211 2.8: why it was not stored',
    exchanges: [
      {
        is: 'miss',
        answer: { fields: { 'Cache-Control': 'private' } },
        cacheStatus: 'Cordon; fwd=uri-miss; fwd-status=200; detail=private',
      },
    ],
  },
  {
    title: 'RFC 9211 2.2: stale, 2.3: the status of the validation',
    exchanges: [
      { is: 'miss', answer: { fields: { 'Cache-Control': 'max-age=2', ETag: '"a"' } } },
      {
        is: 'by etag',
        after: STALE_AFTER,
        answer: { status: 304, fields: { ...FRESH, ETag: '"a"' } },
        cacheStatus: /^Cordon; fwd=stale; fwd-status=304; stored; ttl=3(600|599)$/,
      },
    ],
  },
  {
    title: 'RFC 9211 2.4: a stale answer has a negative lifetime',
    exchanges: [
      { is: 'miss', answer: { fields: { 'Cache-Control': 'max-age=2, stale-while-revalidate=60' } } },
      { is: 'stale', after: STALE_AFTER, cacheStatus: /^Cordon; hit; ttl=-[123]$/ },
    ],
  },
  {
    title: 'RFC 9211 2.2: vary-miss',
    exchanges: [
      { is: 'miss', request: { Foo: '1' }, answer: { fields: { ...FRESH, Vary: 'Foo' } } },
      { is: 'miss', request: { Foo: '2' }, cacheStatus: /^Cordon; fwd=vary-miss; / },
    ],
  },
  {
    title: 'RFC 9211 2.2: request',
    host: 'obeying.test',
    exchanges: [
      { is: 'miss', answer: { fields: FRESH } },
      {
        is: 'miss',
        request: { 'Cache-Control': 'no-cache' },
        cacheStatus: /^Cordon; fwd=request; fwd-status=200; stored/,
      },
    ],
  },
  {
    title: 'RFC 9211 2: members of other caches stay before ours',
    exchanges: [
      {
        is: 'miss',
        answer: { fields: { ...FRESH, 'Cache-Status': 'Origin; hit' } },
        ignores: ['cache-status'],
        cacheStatus: /^Origin; hit, Cordon; fwd=uri-miss/,
      },
      { is: 'hit', ignores: ['cache-status'], cacheStatus: /^Origin; hit, Cordon; hit/ },
    ],
  },
  {
    title: 'RFC 9211 2: on what is made of a stored answer, too',
    exchanges: [
      { is: 'miss', answer: { fields: { ...FRESH, ETag: '"a"' } } },
      { is: 'hit', request: { 'If-None-Match': '"a"' }, status: 304, cacheStatus: /^Cordon; hit/ },
    ],
  },
];

const codings: Sequence[] = [
  {
    title: 'RFC 9110 12.5.3: clients that take the same codings share an answer',
    exchanges: [
      {
        is: 'miss',
        request: { 'Accept-Encoding': 'gzip, deflate, br' },
        answer: { fields: { ...FRESH, Vary: 'Accept-Encoding' } },
        originGets: { 'accept-encoding': 'br, gzip' },
      },
      { is: 'hit', request: { 'Accept-Encoding': 'br;q=1.0, gzip;q=0.5' } },
      { is: 'miss', request: { 'Accept-Encoding': 'gzip' }, originGets: { 'accept-encoding': 'gzip' } },
      { is: 'miss', request: { 'Accept-Encoding': 'gzip;q=0' }, originGets: { 'accept-encoding': 'identity' } },
      { is: 'hit', request: {} },
      { is: 'hit', request: { 'Accept-Encoding': 'br, gzip' }, from: 0 },
    ],
  },
  ...['*', 'gzip;q=0, *', 'x-gzip'].map(
    (accepted): Sequence => ({
      title: `RFC 9110 12.5.3: a client that takes ${accepted}`,
      exchanges: [
        { is: 'miss', request: { 'Accept-Encoding': accepted }, answer: { fields: FRESH } },
        { is: 'hit', request: { 'Accept-Encoding': accepted } },
      ],
    }),
  ),
];

const interim = ([102, 103] as const).map((status): Sequence => {
  const given = { 'x-hint': undefined, link: undefined };
  const answer = { fields: FRESH, interim: { status, fields: { Link: '</a.css>; rel=preload', 'X-Hint': '1' } } };
  return {
    title: `RFC 9110 15.2: nothing of ${status} is stored`,
    host: status === 102 ? 'processing.test' : 'hinting.test',
    exchanges: [
      // By the first one the edge learns that the origin sends any.
      { is: 'fetched', suffix: '/first', answer, gets: given },
      { is: 'hit', suffix: '/first', interim: [], gets: given },
      { is: 'miss', gets: given },
      { is: 'hit', interim: [], gets: given },
    ],
  };
});

testSequences({ targetedField, cacheStatus, codings, interim });
