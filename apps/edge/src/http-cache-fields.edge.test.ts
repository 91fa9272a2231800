import {
  CHANGED,
  type Exchange,
  type Fields,
  FRESH,
  miss,
  type ScriptedAnswer,
  type Sequence,
  SHORT,
  STALE_AFTER,
  testSequences,
  validated,
} from './testing/caching.ts';

/**
 * On the real edge: Cache-Status (RFC 9211), CDN-Cache-Control (RFC 9213), codings (RFC 9110 12.5.3), interim answers (RFC 9110 15.2),
 * and directives of requests (RFC 9111 5.2.1).
 */

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
    ['a fraction', cdn('max-age=60.0', { 'Cache-Control': 'no-store' })],
    ['what is said to be false', cdn('max-age=3600, no-store=?0', { 'Cache-Control': 'no-store' })],
    ['a negative number is stale', cdn('max-age=-60', FRESH)],
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
    title: 'Surrogate-Control: holds before Cache-Control, which the visitor gets alone',
    exchanges: [
      {
        is: 'miss',
        answer: { fields: { 'Surrogate-Control': 'max-age=60, content="ESI/1.0"', 'Cache-Control': 'no-store' } },
        gets: { 'surrogate-control': undefined, 'cache-control': 'no-store' },
      },
      { is: 'hit', gets: { 'surrogate-control': undefined, 'cache-control': 'no-store' } },
    ],
  },
  {
    title: 'Surrogate-Control: no-store holds, too',
    exchanges: [
      {
        is: 'miss',
        answer: { fields: { ...FRESH, 'Surrogate-Control': 'no-store' } },
        gets: { 'surrogate-control': undefined },
        ignores: ['surrogate-control'],
      },
      { is: 'miss', answer: { fields: FRESH } },
    ],
  },
  {
    title: 'RFC 9213 2.3: Age, Date and Expires stay what they are',
    exchanges: [
      { is: 'miss', answer: { fields: cdn('max-age=10000', { 'Cache-Control': 'max-age=2', Expires: 2 }) } },
      { is: 'hit', after: STALE_AFTER, ageMin: 2 },
    ],
  },
];

/** With `Cordon`, and without the parameter `key`. */
const WITHOUT_KEY = /^Cordon; (?:hit|fwd=)(?!.*\bkey\b)/;
const VALIDATED = /^Cordon; fwd=request; fwd-status=304; stored; ttl=\d+$/;
const ANEW = { 'Cache-Control': 'no-cache' };
const BEYOND = { Range: 'bytes=20-' };

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
    title: 'RFC 9211 2.7: the key is not told',
    exchanges: [
      { ...miss({ 'Cache-Control': 'max-age=2', ETag: '"a"' }), cacheStatus: WITHOUT_KEY },
      { is: 'hit', cacheStatus: WITHOUT_KEY },
      { is: 'by etag', after: STALE_AFTER, answer: validated({ ETag: '"a"' }), cacheStatus: WITHOUT_KEY },
      { is: 'miss', method: 'POST', answer: { fields: FRESH }, cacheStatus: WITHOUT_KEY },
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
  ...(
    [
      ['206 of a hit', 'hit', 206, { Range: 'bytes=0-1' }, /^Cordon; hit; ttl=\d+$/],
      ['416 of a hit', 'hit', 416, BEYOND, /^Cordon; hit; ttl=\d+$/],
      ['206 of what was validated for it', 'by etag', 206, { ...ANEW, Range: 'bytes=0-1' }, VALIDATED],
      ['304 of what was validated for it', 'by etag', 304, { ...ANEW, 'If-None-Match': '"a"' }, VALIDATED],
      ['412 of its origin', 'fetched', 412, { 'If-Match': '"b"' }, /^Cordon; fwd=bypass; detail=request$/],
      ['416 of what was validated for it', 'by etag', 416, { ...ANEW, ...BEYOND }, VALIDATED],
    ] as const
  ).map(
    ([title, is, status, request, said]): Sequence => ({
      title: `RFC 9211 2: one member of ours on a ${title}`,
      host: 'obeying.test',
      exchanges: [
        miss({ ...FRESH, ETag: '"a"' }, { body: '0123456789' }),
        {
          is,
          request,
          answer: status === 412 ? { status, fields: {} } : validated({ ETag: '"a"' }),
          status,
          bodyMatches: /^/,
          ignores: ['cache-control', 'etag', 'date'],
          cacheStatus: said,
        },
      ],
    }),
  ),
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
      title: `RFC 9110 12.5.3: a client that takes ${accepted} has what is not compressed, with those that take nothing`,
      exchanges: [
        {
          is: 'miss',
          request: { 'Accept-Encoding': accepted },
          answer: { fields: FRESH },
          originGets: { 'accept-encoding': 'identity' },
        },
        { is: 'hit', request: {} },
        { is: 'miss', request: { 'Accept-Encoding': 'gzip' }, originGets: { 'accept-encoding': 'gzip' } },
        { is: 'hit', request: { 'Accept-Encoding': accepted }, from: 0 },
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

const asking = (directive: string): Partial<Exchange> => ({ request: { 'Cache-Control': directive } });
const obeying = (title: string, ...exchanges: Exchange[]): Sequence => ({
  title: `RFC 9111 5.2.1: ${title}`,
  exchanges,
  host: 'obeying.test',
});
const requests: Sequence[] = [
  obeying('1: max-age=0', miss(FRESH), { is: 'miss', ...asking('max-age=0') }, { is: 'hit' }),
  obeying('1: max-age=1 of what is older', miss(FRESH), { is: 'miss', after: STALE_AFTER, ...asking('max-age=1') }),
  obeying('1: max-age counts Age', miss({ ...FRESH, Age: '1800' }), { is: 'miss', ...asking('max-age=600') }),
  obeying('1: max-age of what is younger', miss(FRESH), { is: 'hit', ...asking('max-age=600') }),
  obeying('2: max-stale', miss(SHORT), { is: 'hit', after: STALE_AFTER, ...asking('max-stale=1000') }),
  obeying('2: max-stale without a number', miss(SHORT), { is: 'hit', after: STALE_AFTER, ...asking('max-stale') }),
  obeying('2: max-stale counts Age', miss({ 'Cache-Control': 'max-age=1500', Age: '2000', ETag: '"a"' }), {
    is: 'hit',
    ...asking('max-stale=1000'),
  }),
  obeying('2: max-stale that is not enough', miss({ 'Cache-Control': 'max-age=1500', Age: '2000', ETag: '"a"' }), {
    is: 'by etag',
    ...asking('max-stale=100'),
  }),
  obeying('2: max-stale not against must-revalidate', miss({ 'Cache-Control': 'max-age=2, must-revalidate' }), {
    is: 'miss',
    after: STALE_AFTER,
    ...asking('max-stale'),
  }),
  obeying('3: min-fresh', miss({ 'Cache-Control': 'max-age=1500' }), { is: 'miss', ...asking('min-fresh=2000') }),
  obeying('3: min-fresh counts Age', miss({ 'Cache-Control': 'max-age=1500', Age: '1000' }), {
    is: 'miss',
    ...asking('min-fresh=1000'),
  }),
  obeying('3: min-fresh that is met', miss({ 'Cache-Control': 'max-age=1500' }), {
    is: 'hit',
    ...asking('min-fresh=1000'),
  }),
  obeying('4: no-cache', miss(FRESH), { is: 'miss', ...asking('no-cache') }, { is: 'hit' }),
  obeying(
    '4: no-cache validates by ETag',
    miss({ ...FRESH, ETag: '"a"' }),
    { is: 'by etag', ...asking('no-cache'), answer: validated({ ...FRESH, ETag: '"a"' }) },
    { is: 'hit' },
  ),
  obeying(
    '4: no-cache validates by Last-Modified',
    miss({ ...FRESH, 'Last-Modified': CHANGED }),
    { is: 'by date', ...asking('no-cache'), answer: validated(FRESH) },
    { is: 'hit' },
  ),
  ...['no-cache', 'max-age=0'].map((directive) =>
    obeying(
      `4: ${directive} of what may serve stale while it is validated`,
      miss({ 'Cache-Control': 'max-age=2, stale-while-revalidate=60', ETag: '"a"' }),
      { is: 'by etag', after: STALE_AFTER, ...asking(directive), answer: validated({ ...FRESH, ETag: '"a"' }) },
      { is: 'hit' },
    ),
  ),
  obeying('5: no-store', { ...miss(FRESH), ...asking('no-store') }, { is: 'miss' }),
  obeying('5: no-store takes what is stored', miss(FRESH), { is: 'hit', ...asking('no-store') }),
  obeying('7: only-if-cached of what is not stored', { is: 'failed', status: 504, ...asking('only-if-cached') }),
  obeying('7: only-if-cached of what is', miss(FRESH), { is: 'hit', ...asking('only-if-cached') }),
  obeying('7: only-if-cached of what is stale', miss(SHORT), {
    is: 'failed',
    status: 504,
    after: STALE_AFTER,
    ...asking('only-if-cached'),
  }),
  obeying(
    '6: no-transform',
    miss({ ...FRESH, 'Content-Type': 'text/css' }, { body: 'a text that repeats itself. '.repeat(200) }),
    { is: 'hit', request: { 'Cache-Control': 'no-transform', 'Accept-Encoding': 'br, gzip' } },
  ),
  obeying('a number that is none', miss(FRESH), { is: 'miss', ...asking('max-age=x') }),
  {
    ...obeying('x', miss(FRESH), { is: 'miss', request: { Pragma: 'no-cache' } }),
    title: 'RFC 9111 5.4: Pragma: no-cache',
  },
  { ...obeying('x', miss(FRESH), { is: 'hit', request: { Pragma: 'other' } }), title: 'RFC 9111 5.4: another Pragma' },
  {
    ...obeying('x', miss(FRESH), { is: 'hit', request: { Pragma: 'no-cache', 'Cache-Control': 'max-age=60' } }),
    title: 'RFC 9111 5.4: Pragma beside Cache-Control',
  },
  ...([{ isBroken: true }, { status: 503 }] as ScriptedAnswer[]).map((answer) => ({
    ...obeying(
      'x',
      { ...miss({ ...SHORT, Vary: 'Foo' }), request: { Foo: '1,  2' } },
      {
        is: 'stale',
        after: STALE_AFTER,
        request: { 'Cache-Control': 'stale-if-error=60', Foo: '1,  2' },
        answer,
        cacheStatus: /^Cordon; fwd=stale; fwd-status=50[23]; ttl=-[123]; detail=stale_if_error$/,
      },
    ),
    title: `RFC 5861 4: stale-if-error of a request, when the origin ${answer.status ?? 'breaks off'}`,
  })),
  {
    ...obeying('x', miss({ 'Cache-Control': 'max-age=2, stale-if-error=60' }), {
      is: 'miss',
      after: STALE_AFTER,
      ...asking('stale-if-error=0'),
      answer: { status: 503 },
    }),
    title: 'RFC 5861 4: stale-if-error=0 of a request takes the place of the answer’s',
  },
  {
    ...obeying('x', miss({ 'Cache-Control': 'max-age=2, must-revalidate' }), {
      is: 'miss',
      after: STALE_AFTER,
      ...asking('stale-if-error=60'),
      answer: { status: 503 },
    }),
    title: 'RFC 9111 4.2.4: not against must-revalidate',
  },
  {
    ...obeying('x', miss({ 'Cache-Control': 'max-age=3600, immutable' }), { is: 'miss', ...asking('no-cache') }),
    title: 'RFC 8246 2: immutable does not keep who asks from a validation',
  },
  ...['no-cache', 'max-age=0', 'no-store', 'only-if-cached', 'min-fresh=9999', 'max-stale'].map((directive) => ({
    title: `RFC 9111 5.2.1: ${directive} changes nothing where directives of requests are not obeyed`,
    exchanges: [miss(FRESH), { is: 'hit', ...asking(directive), originGets: {} }] as Exchange[],
  })),
  {
    title: 'RFC 9111 5.4: nor does Pragma',
    exchanges: [miss(FRESH), { is: 'hit', request: { Pragma: 'no-cache' } }],
  },
  {
    title: 'RFC 9111 5.2: directives of requests reach the origin',
    exchanges: [{ ...miss(FRESH), ...asking('max-age=5, own'), originGets: { 'cache-control': 'max-age=5, own' } }],
  },
];

testSequences('advance-proxy-cache', { targetedField, cacheStatus, codings, interim, requests });
