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
 * What the edge does with methods, conditions and ranges (RFC 9110), with validation, invalidation and stale answers (RFC 9111 4.3,
 * 4.4; RFC 5861).
 */

const LATER = 'Wed, 11 Nov 2026 00:00:00 GMT';
const EARLIER = 'Mon, 09 Nov 2026 00:00:00 GMT';

const conditions: Sequence[] = [
  ...[
    ['"abcdef"', '"abcdef"'],
    ['W/"abcdef"', 'W/"abcdef"'],
    ['"abcdef"', 'W/"abcdef"'],
    ['"abcdef"', '"abcdef", "1234", "5678"'],
    ['"abcdef"', '"1234", "abcdef", "5678"'],
    ['"abcdef"', '"1234", "5678", "abcdef"'],
    ['"abcdef"', '*'],
  ].map(([tag = '', asked = '']) => ({
    title: `RFC 9110 13.1.2: If-None-Match ${asked} of what has ${tag}`,
    exchanges: [
      miss({ ...FRESH, ETag: tag }),
      { is: 'hit', request: { 'If-None-Match': asked }, status: 304, gets: { etag: tag } },
    ] as Exchange[],
  })),
  {
    title: 'RFC 9110 13.1.2: of another ETag, the whole answer',
    exchanges: [miss({ ...FRESH, ETag: '"a"' }), { is: 'hit', request: { 'If-None-Match': '"b"' } }],
  },
  {
    title: 'RFC 9110 13.2.2: If-None-Match that fits is before If-Modified-Since that does not',
    exchanges: [
      miss({ ...FRESH, ETag: '"a"', 'Last-Modified': CHANGED }),
      { is: 'hit', request: { 'If-None-Match': '"a"', 'If-Modified-Since': EARLIER }, status: 304 },
    ],
  },
  {
    title: 'RFC 9110 13.2.2: If-None-Match that does not fit is before If-Modified-Since that does',
    exchanges: [
      miss({ ...FRESH, ETag: '"a"', 'Last-Modified': CHANGED }),
      { is: 'hit', request: { 'If-None-Match': '"b"', 'If-Modified-Since': LATER } },
    ],
  },
  ...[CHANGED, LATER].map((since) => ({
    title: `RFC 9110 13.1.3: If-Modified-Since ${since} of what changed on ${CHANGED}`,
    exchanges: [
      miss({ ...FRESH, 'Last-Modified': CHANGED }),
      { is: 'hit', request: { 'If-Modified-Since': since }, status: 304 },
    ] as Exchange[],
  })),
  {
    title: 'RFC 9110 13.1.3: of what changed since, the whole answer',
    exchanges: [miss({ ...FRESH, 'Last-Modified': CHANGED }), { is: 'hit', request: { 'If-Modified-Since': EARLIER } }],
  },
  {
    title: 'RFC 9110 13.1.3: what is no date is ignored',
    exchanges: [
      miss({ ...FRESH, 'Last-Modified': CHANGED }),
      { is: 'hit', request: { 'If-Modified-Since': 'yesterday' } },
    ],
  },
  ...(
    [
      [{}, CHANGED, 304],
      [{}, EARLIER, 200],
      [{ 'Last-Modified': LATER }, CHANGED, 200],
    ] as const
  ).map(([fields, since, status]) => ({
    title: `RFC 9111 4.3.2: Date takes the place of a missing Last-Modified: ${since} of what is of ${CHANGED}, with ${JSON.stringify(fields)}`,
    exchanges: [
      miss({ 'Cache-Control': 'max-age=2147483647', Date: CHANGED, ETag: '"a"', ...fields }),
      { is: 'hit', request: { 'If-Modified-Since': since }, status },
      { is: 'hit', method: 'HEAD', request: { 'If-Modified-Since': since }, status },
      { is: 'hit', request: { 'If-Modified-Since': since, 'If-None-Match': '"b"' } },
      { is: 'hit' },
    ] as Exchange[],
  })),
  {
    title: 'RFC 9111 4.3.2: so it does for what is stale',
    exchanges: [
      miss({
        'Cache-Control': 'max-age=2, stale-while-revalidate=2147483647',
        Date: CHANGED,
        'Content-Type': 'text/css',
      }),
      { is: 'stale', request: { 'If-Modified-Since': CHANGED }, status: 304, gets: { 'content-type': undefined } },
    ],
  },
  {
    title: 'RFC 9110 15.4.5: 304 is for what would be 200',
    exchanges: [
      { is: 'miss', answer: { status: 203, fields: { ...FRESH, ETag: '"a"', 'Last-Modified': CHANGED } } },
      { is: 'hit', request: { 'If-None-Match': '"a"' } },
      { is: 'hit', request: { 'If-Modified-Since': LATER } },
    ],
  },
  {
    title: 'RFC 9111 4.3.2: without a stored answer, the whole is fetched, and the condition judged by it',
    exchanges: [
      { is: 'miss', request: { 'If-None-Match': '"a"' }, answer: { fields: { ...FRESH, ETag: '"a"' } }, status: 304 },
      { is: 'hit' },
    ],
  },
  ...[{ 'If-Match': '"b"' }, { 'If-Unmodified-Since': EARLIER }].map((request) => ({
    title: `RFC 9111 4.3.2, RFC 9110 13.1.1, 13.1.4: ${Object.keys(request)[0]} is for the origin`,
    exchanges: [
      miss({ ...FRESH, ETag: '"a"', 'Last-Modified': CHANGED }),
      {
        is: 'miss',
        request,
        originGets: Object.fromEntries(Object.entries(request).map(([name, value]) => [name.toLowerCase(), value])),
        answer: { status: 412 },
      },
      { is: 'hit', from: 0 },
    ] as Exchange[],
  })),
];

const UPDATED = ['Test-Header', 'X-Test-Header', 'Content-Foo', 'X-Content-Foo', 'Content-Location', 'X-Frame-Options'];
const validation: Sequence[] = [
  ...['"abcdef"', 'W/"abcdef"'].map((tag) => ({
    title: `RFC 9111 4.3.1: what is stale is validated by ETag ${tag}`,
    exchanges: [
      miss({ ...SHORT, ETag: tag }),
      { is: 'by etag', after: STALE_AFTER, answer: validated({ ETag: tag }), originGets: { 'if-none-match': tag } },
    ] as Exchange[],
  })),
  ...[
    ['an Age of more than 2^31', 'Age', '99999999999999999999'],
    ['a Date of 1900', 'Date', 'Mon, 01 Jan 1900 00:00:00 GMT'],
  ].map(([what, name = '', value = '']) => ({
    title: `RFC 9111 4.2.3: so is what comes with ${what}`,
    exchanges: [
      miss({ ...FRESH, ETag: '"a"', [name]: value }),
      { is: 'by etag', answer: validated({ ...FRESH, ETag: '"a"', Age: '0' }) },
      { is: 'hit' },
    ] as Exchange[],
  })),
  {
    title: 'RFC 9111 4.3.1: and by Last-Modified',
    exchanges: [
      miss({ ...SHORT, 'Last-Modified': CHANGED }),
      { is: 'by date', after: STALE_AFTER, answer: validated(), originGets: { 'if-modified-since': CHANGED } },
    ],
  },
  {
    title: 'RFC 9111 4.3.1: by both where it has both',
    exchanges: [
      miss({ ...SHORT, ETag: '"a"', 'Last-Modified': CHANGED }),
      {
        is: 'by etag',
        after: STALE_AFTER,
        answer: validated({ ETag: '"a"' }),
        originGets: { 'if-modified-since': CHANGED },
      },
    ],
  },
  {
    title: 'RFC 9111 4.3.1: not what has no validator',
    exchanges: [miss(SHORT), { is: 'miss', after: STALE_AFTER }],
  },
  {
    title: 'RFC 9111 4.3.2: a visitor’s condition on what is stale is judged once that is validated',
    exchanges: [
      miss({ ...SHORT, 'Last-Modified': CHANGED }),
      {
        is: 'by date',
        after: STALE_AFTER,
        request: { 'If-Modified-Since': CHANGED },
        answer: validated(FRESH),
        status: 304,
      },
      { is: 'hit' },
    ],
  },
  {
    title: 'RFC 9111 4.3.3: a full answer takes the place of what was stored',
    exchanges: [
      miss({ ...SHORT, ETag: '"a"' }),
      { is: 'by etag', after: STALE_AFTER, answer: { fields: { ...FRESH, ETag: '"b"' } } },
      { is: 'hit' },
    ],
  },
  ...[404, 500].map((status) => ({
    title: `RFC 9111 4.3.3: so does a ${status} that states a lifetime`,
    exchanges: [
      miss({ ...SHORT, ETag: '"a"' }),
      { is: 'by etag', after: STALE_AFTER, answer: { status, fields: { ...FRESH, ETag: '"b"' } } },
      { is: 'hit' },
    ] as Exchange[],
  })),
  ...[403, 500].map((status) => ({
    title: `RFC 9111 4.3.3: a ${status} that states none is passed on, and what was stored is validated again`,
    exchanges: [
      miss({ ...SHORT, ETag: '"a"' }),
      { is: 'by etag', after: STALE_AFTER, answer: { status, fields: { ETag: '"b"' } } },
      {
        is: 'by etag',
        originGets: { 'if-none-match': '"a"' },
        answer: validated({ ...FRESH, ETag: '"a"' }),
        from: 0,
      },
      { is: 'hit' },
    ] as Exchange[],
  })),
  {
    title: 'RFC 9111 4.3.4: a 304 gives a new lifetime',
    exchanges: [
      miss({ ...SHORT, ETag: '"a"' }),
      { is: 'by etag', after: STALE_AFTER, answer: validated({ ...FRESH, ETag: '"a"' }) },
      { is: 'hit' },
      { is: 'hit', after: STALE_AFTER },
    ],
  },
  {
    title: 'RFC 9111 4.3.4: a 304 gives a new lifetime by Expires',
    exchanges: [
      miss({ Expires: 2, ETag: '"a"' }),
      { is: 'by etag', after: STALE_AFTER, answer: validated({ Expires: 3600, ETag: '"a"' }) },
      { is: 'hit' },
    ],
  },
  {
    title: 'RFC 9111 4.3.4: what a 304 does not name stays',
    exchanges: [
      miss({ ...SHORT, 'Last-Modified': CHANGED, 'Test-Header': 'A' }),
      { is: 'by date', after: STALE_AFTER, answer: validated(), gets: { 'test-header': 'A' } },
    ],
  },
  ...UPDATED.map((name) => ({
    title: `RFC 9111 3.2: ${name} of a 304 takes the place of the stored one`,
    exchanges: [
      miss({ ...SHORT, ETag: '"a"', [name]: 'A' }),
      { is: 'by etag', after: STALE_AFTER, answer: validated({ ...FRESH, ETag: '"a"', [name]: 'B' }) },
      { is: 'hit', gets: { [name.toLowerCase()]: 'B' } },
    ] as Exchange[],
  })),
  ...[
    ['Content-Length', '10'],
    ['Content-Encoding', 'gzip'],
    ['Content-Range', 'bytes 0-1/2'],
  ].map(([name = '', value = '']) => ({
    title: `RFC 9111 3.2: ${name} of a 304 does not`,
    exchanges: [
      miss({ ...SHORT, ETag: '"a"', 'Content-Type': 'x/y' }),
      {
        is: 'by etag',
        after: STALE_AFTER,
        answer: validated({ ...FRESH, ETag: '"a"', 'X-New': 'yes', [name]: value }),
        ignores: [name.toLowerCase()],
      },
      { is: 'hit', ignores: [name.toLowerCase()], gets: { 'x-new': 'yes' } },
    ] as Exchange[],
  })),
  {
    title: 'RFC 9111 3.2: Content-Range stays as it is stored, whatever a 304 says',
    exchanges: [
      miss({ ...SHORT, ETag: '"a"', 'Content-Range': 'lines 1-2/3' }),
      {
        is: 'by etag',
        after: STALE_AFTER,
        answer: validated({ ...FRESH, ETag: '"a"', 'X-New': 'yes', 'Content-Range': 'lines 2-3/3' }),
        gets: { 'content-range': 'lines 1-2/3' },
      },
      { is: 'hit', gets: { 'content-range': 'lines 1-2/3', 'x-new': 'yes' } },
    ],
  },
  {
    title: 'RFC 9111 4.3.4: a 304 with another strong ETag is not of what is stored, which is fetched anew',
    exchanges: [
      miss({ ...SHORT, ETag: '"a"' }),
      {
        is: 'fetched',
        after: STALE_AFTER,
        answer: { ...validated({ ...FRESH, ETag: '"b"' }), whole: { fields: { ...FRESH, ETag: '"b"' } } },
      },
      { is: 'hit' },
    ],
  },
  {
    title: 'RFC 9111 4.1: a validation has the visitor’s own fields that Vary names',
    exchanges: [
      { ...miss({ ...SHORT, ETag: '"a"', Vary: 'Abc' }), request: { Abc: '123' } },
      {
        is: 'by etag',
        after: STALE_AFTER,
        request: { Abc: '123' },
        answer: validated({ ETag: '"a"', Vary: 'Abc' }),
        originGets: { abc: '123', 'if-none-match': '"a"' },
      },
    ],
  },
];

const OF_ONE: Exchange['request'] = { A: '1', B: '1' };
const OF_ANOTHER: Exchange['request'] = { A: '1', B: '2' };
const VARIED_BY_A: Fields = { ...SHORT, ETag: '"a"', Vary: 'A' };
const VARIED_BY_BOTH: Fields = { ...FRESH, ETag: '"a"', Vary: 'A, B' };
const whole: Exchange = { is: 'miss', answer: { fields: { ...VARIED_BY_BOTH, ETag: '"b"' } } };
/** The answer as gzip, of which nobody knows the bytes. */
const gzipped = (vary: string): Pick<Exchange, 'bodyMatches' | 'gets'> => ({
  bodyMatches: /./s,
  gets: { vary, 'content-encoding': 'gzip', etag: 'W/"a"' },
});
const revaried: Sequence[] = [
  {
    title: 'RFC 9111 4.1, 4.3.4: a field that a 304 adds to Vary tells requests apart from then on',
    exchanges: [
      { ...miss(VARIED_BY_A), request: OF_ONE },
      { is: 'by etag', after: STALE_AFTER, request: OF_ONE, answer: validated(VARIED_BY_BOTH) },
      { ...whole, request: OF_ANOTHER },
      { ...whole, request: { A: '1' } },
      { ...whole, request: { A: '2', B: '1' } },
      { is: 'hit', request: OF_ONE, from: 1 },
      { is: 'hit', request: OF_ANOTHER, from: 2 },
      { is: 'hit', request: { A: '1' }, from: 3 },
    ],
  },
  {
    title:
      'RFC 9110 12.5.3: what is compressed says that it differs by Accept-Encoding, also where a 304 has another Vary',
    exchanges: [
      {
        ...miss({ ...VARIED_BY_A, 'Content-Type': 'text/html' }, { body: 'compressible '.repeat(200) }),
        request: { ...OF_ONE, 'Accept-Encoding': 'gzip' },
        ...gzipped('A, Accept-Encoding'),
      },
      {
        is: 'by etag',
        after: STALE_AFTER,
        request: { ...OF_ONE, 'Accept-Encoding': 'gzip' },
        answer: validated({ ...FRESH, ETag: '"a"', Vary: 'B' }),
        ...gzipped('B, Accept-Encoding'),
      },
      {
        is: 'hit',
        request: { ...OF_ONE, 'Accept-Encoding': 'gzip' },
        ...gzipped('B, Accept-Encoding'),
      },
    ],
  },
  {
    title: 'RFC 9111 4.1, 4.3.4: what a 304 finds valid for one request is not for the one that brought it',
    exchanges: [
      { ...miss(VARIED_BY_A), request: OF_ONE },
      { is: 'by etag', after: STALE_AFTER, request: OF_ANOTHER, answer: validated(VARIED_BY_BOTH) },
      { is: 'hit', request: OF_ANOTHER },
      { ...whole, request: OF_ONE },
      { is: 'hit', request: OF_ANOTHER, from: 1 },
    ],
  },
  {
    title: 'RFC 9111 4.1, 4.3.4: so it is where the 304 says nothing else that is new',
    exchanges: [
      { ...miss(VARIED_BY_A), request: OF_ONE },
      { is: 'by etag', after: STALE_AFTER, request: OF_ONE, answer: validated({ ...VARIED_BY_A, Vary: 'A, B' }) },
      { ...whole, request: OF_ANOTHER },
    ],
  },
  {
    title: 'RFC 9111 4.1, 4.3.4: so it is with what had no Vary',
    exchanges: [
      { ...miss({ ...SHORT, ETag: '"a"' }), request: OF_ONE },
      { is: 'by etag', after: STALE_AFTER, request: OF_ONE, answer: validated({ ...FRESH, ETag: '"a"', Vary: 'B' }) },
      { is: 'miss', request: OF_ANOTHER, answer: { fields: { ...FRESH, ETag: '"b"', Vary: 'B' } } },
      { is: 'hit', request: OF_ONE, from: 1 },
    ],
  },
  {
    title: 'RFC 9111 4.1, 4.3.4: one variant’s 304 gives its answer to no other variant',
    exchanges: [
      { ...miss(VARIED_BY_A), request: OF_ONE },
      { ...miss({ ...VARIED_BY_A, ETag: '"2"' }), request: { A: '2', B: '1' } },
      { is: 'by etag', after: STALE_AFTER, request: OF_ONE, answer: validated(VARIED_BY_BOTH), from: 0 },
      { is: 'fetched', request: { A: '2', B: '1' }, answer: { fields: { ...VARIED_BY_BOTH, ETag: '"3"' } } },
      { is: 'fetched', request: { A: '2', B: '2' }, answer: { fields: { ...VARIED_BY_BOTH, ETag: '"4"' } } },
      { is: 'hit', request: OF_ONE, from: 2 },
    ],
  },
  {
    title: 'RFC 9111 4.1, 4.3.4: a field that takes the place of another in Vary counts',
    exchanges: [
      { ...miss(VARIED_BY_A), request: OF_ONE },
      { is: 'by etag', after: STALE_AFTER, request: OF_ONE, answer: validated({ ...FRESH, ETag: '"a"', Vary: 'B' }) },
      { ...whole, request: OF_ANOTHER },
    ],
  },
  {
    title: 'RFC 9111 3.2, 4.1: a 304 without Vary leaves what is stored to its own requests',
    exchanges: [
      { ...miss(VARIED_BY_BOTH), request: OF_ONE, answer: { fields: { ...VARIED_BY_BOTH, ...SHORT } } },
      { is: 'by etag', after: STALE_AFTER, request: OF_ONE, answer: validated({ ...FRESH, ETag: '"a"' }) },
      { ...whole, request: OF_ANOTHER },
      { is: 'hit', request: OF_ONE, from: 1 },
    ],
  },
  {
    title: 'RFC 9111 4.1, 4.3.4: after a 304 with Vary: * nothing is answered without asking',
    exchanges: [
      { ...miss(VARIED_BY_A), request: OF_ONE },
      { is: 'by etag', after: STALE_AFTER, request: OF_ONE, answer: validated({ ...FRESH, ETag: '"a"', Vary: '*' }) },
      { is: 'miss', request: OF_ONE, answer: { fields: { ...FRESH, ETag: '"a"', Vary: '*' } } },
      { is: 'miss', request: OF_ANOTHER, answer: { fields: { ...FRESH, ETag: '"b"', Vary: '*' } } },
    ],
  },
  {
    title: 'RFC 9111 4.1, RFC 5861 3: a field that is added in the background counts, too',
    exchanges: [
      {
        ...miss({ ...VARIED_BY_A, 'Cache-Control': 'max-age=2, stale-while-revalidate=3600' }),
        request: OF_ONE,
      },
      { is: 'stale', after: STALE_AFTER, request: OF_ONE, answer: validated(VARIED_BY_BOTH), from: 0 },
      { ...whole, afterAnswers: 2, request: OF_ANOTHER },
      { is: 'hit', request: OF_ONE, from: 0, ignores: ['cache-control', 'date', 'vary'], gets: { vary: 'A, B' } },
    ],
  },
  {
    title: 'RFC 9111 4.1, 5.2.1.4: so does one that a visitor’s own validation adds',
    host: 'obeying.test',
    exchanges: [
      { ...miss({ ...VARIED_BY_A, ...FRESH }), request: OF_ONE },
      {
        is: 'by etag',
        request: { ...OF_ONE, 'Cache-Control': 'no-cache' },
        answer: validated(VARIED_BY_BOTH),
      },
      { ...whole, request: OF_ANOTHER },
      { is: 'hit', request: OF_ONE, from: 1 },
    ],
  },
];

const invalidation: Sequence[] = [
  ...['POST', 'PUT', 'DELETE', 'PATCH', 'M-SEARCH'].flatMap((method) => [
    {
      title: `RFC 9111 4.4: ${method} invalidates`,
      exchanges: [
        miss(FRESH),
        { is: 'miss', method, requestBody: 'abc', answer: { fields: {} } },
        { is: 'miss', answer: { fields: FRESH } },
        { is: 'hit' },
      ] as Exchange[],
    },
    {
      title: `RFC 9111 4.4: ${method} that is redirected invalidates`,
      exchanges: [
        miss(FRESH),
        { is: 'miss', method, requestBody: 'abc', answer: { status: 303, fields: { Location: '/x' } } },
        { is: 'miss', answer: { fields: FRESH } },
      ] as Exchange[],
    },
    ...[404, 500].map((status) => ({
      title: `RFC 9111 4.4: ${method} with the error ${status} does not`,
      exchanges: [
        miss(FRESH),
        { is: 'miss', method, requestBody: 'abc', answer: { status } },
        { is: 'hit', from: 0 },
      ] as Exchange[],
    })),
    {
      title: `RFC 9111 4: ${method} is written through, and its answer not stored`,
      exchanges: [
        { ...miss(FRESH), method, requestBody: 'abc' },
        { is: 'miss', method, requestBody: 'abc' },
        { is: 'miss' },
      ] as Exchange[],
    },
  ]),
  {
    title: 'RFC 9110 9.2.1, 9.3.7: OPTIONS does not, and its answer is not stored',
    exchanges: [
      miss(FRESH),
      { is: 'miss', method: 'OPTIONS' },
      { is: 'miss', method: 'OPTIONS' },
      { is: 'hit', from: 0 },
    ],
  },
  {
    title: 'RFC 9111 4.4: all variants at once',
    exchanges: [
      { ...miss({ ...FRESH, Vary: 'Foo' }), request: { Foo: '1' } },
      { is: 'miss', request: { Foo: '2' } },
      { is: 'miss', method: 'DELETE', answer: { status: 204 } },
      { is: 'miss', request: { Foo: '1' }, answer: { fields: { ...FRESH, Vary: 'Foo' } } },
      { is: 'miss', request: { Foo: '2' } },
    ],
  },
];

const references: Sequence[] = ['Location', 'Content-Location'].flatMap((name) =>
  ['POST', 'DELETE'].flatMap((method) =>
    [
      { where: 'on this host', reference: (path: string) => `${path}/other`, is: 'miss' as const },
      { where: 'of its origin', reference: (path: string) => `HTTP://Plain.test:80${path}/other`, is: 'miss' as const },
      { where: 'on another host', reference: (path: string) => `http://else.test${path}/other`, is: 'hit' as const },
      {
        where: 'on another port',
        reference: (path: string) => `http://plain.test:81${path}/other`,
        is: 'hit' as const,
      },
      {
        where: 'of another scheme',
        reference: (path: string) => `https://plain.test${path}/other`,
        is: 'hit' as const,
      },
    ].map(({ where, reference, is }) => ({
      title: `RFC 9111 4.4: ${method} and ${name} ${where}`,
      exchanges: [
        { ...miss(FRESH), suffix: '/other' },
        { is: 'miss', method, requestBody: 'abc', answer: { fields: (path: string) => ({ [name]: reference(path) }) } },
        { is, suffix: '/other', ...(is === 'miss' ? { answer: { fields: FRESH } } : { from: 0 }) },
      ] as Exchange[],
    })),
  ),
);

const head: Sequence[] = [
  {
    title: 'RFC 9110 9.3.2: HEAD is answered from what is stored of GET',
    exchanges: [
      miss({ ...FRESH, A: '1' }),
      { is: 'hit', method: 'HEAD', gets: { 'content-length': /^\d+$/ } },
      { is: 'hit' },
    ],
  },
  {
    title: 'RFC 9111 4.3.5: HEAD of what is not stored brings a whole answer, which serves GET',
    exchanges: [{ ...miss({ ...FRESH, A: '1' }), method: 'HEAD' }, { is: 'hit' }, { is: 'hit', method: 'HEAD' }],
  },
  {
    title: 'RFC 9111 4.3.5: HEAD of what is stale validates it',
    exchanges: [
      miss({ ...SHORT, ETag: '"a"', A: '1' }),
      { is: 'by etag', after: STALE_AFTER, method: 'HEAD', answer: validated({ ...FRESH, ETag: '"a"', A: '2' }) },
      { is: 'hit', gets: { a: '2' } },
    ],
  },
  {
    title: 'RFC 9110 13.1.2: HEAD has conditions, too',
    exchanges: [
      miss({ ...FRESH, ETag: '"a"' }),
      { is: 'hit', method: 'HEAD', request: { 'If-None-Match': '"a"' }, status: 304 },
    ],
  },
];

const part = (range: string, body: string, contentRange: string): Exchange => ({
  is: 'hit',
  request: { Range: range },
  status: 206,
  body,
  gets: { 'content-range': contentRange, 'content-length': String(body.length) },
});
const ranges: Sequence[] = [
  {
    title: 'RFC 9110 14.2: parts of what is stored whole',
    exchanges: [
      miss({ ...FRESH, A: '1', ETag: '"a"' }, { body: '01234567890' }),
      part('bytes=0-1', '01', 'bytes 0-1/11'),
      part('bytes=1-', '1234567890', 'bytes 1-10/11'),
      part('bytes=-1', '0', 'bytes 10-10/11'),
      part('bytes=2-99', '234567890', 'bytes 2-10/11'),
      { is: 'hit' },
    ],
  },
  {
    title: 'RFC 9110 14.2: several parts',
    exchanges: [
      miss({ ...FRESH, ETag: '"a"', 'Content-Type': 'text/x-own' }, { body: '0123456789' }),
      {
        is: 'hit',
        request: { Range: 'bytes=0-1,4-5' },
        status: 206,
        ignores: ['content-type'],
        gets: { 'content-type': /^multipart\/byteranges; boundary=/ },
        bodyMatches: /Content-Range: bytes 0-1\/10\r\n\r\n01\r\n.*Content-Range: bytes 4-5\/10\r\n\r\n45\r\n/s,
      },
    ],
  },
  {
    title: 'RFC 9110 14.2: what is no range of bytes is ignored',
    exchanges: [
      miss({ ...FRESH, ETag: '"a"' }, { body: '0123456789' }),
      { is: 'hit', request: { Range: 'lines=1-2' } },
    ],
  },
  {
    title: 'RFC 9110 14.2: Range of HEAD is ignored',
    exchanges: [
      miss({ ...FRESH, ETag: '"a"' }, { body: '0123456789' }),
      { is: 'hit', method: 'HEAD', request: { Range: 'bytes=0-1' }, gets: { 'content-range': undefined } },
    ],
  },
  {
    title: 'RFC 9110 15.5.17: a range beyond the end',
    exchanges: [
      miss({ ...FRESH, ETag: '"a"' }, { body: '0123456789' }),
      {
        is: 'hit',
        request: { Range: 'bytes=20-30' },
        status: 416,
        bodyMatches: /./s,
        ignores: ['cache-control', 'etag', 'date'],
        gets: { 'content-range': 'bytes */10' },
      },
      { is: 'hit' },
    ],
  },
  {
    title: 'RFC 9110 15.5.17, 8.4: the page that says so has no coding, language or validator of what is stored',
    exchanges: [
      miss({
        ...{ ...FRESH, ETag: '"a"', 'Last-Modified': CHANGED, 'Content-Encoding': 'own', 'Content-Language': 'de' },
        ...{ 'Content-Disposition': 'attachment', 'CDN-Cache-Control': 'max-age=600', Expires: CHANGED, Digest: 'x' },
      }),
      {
        is: 'hit',
        request: { Range: 'bytes=2000-' },
        status: 416,
        bodyMatches: /^<!doctype html>/,
        ignores: ['cache-control'],
        gets: {
          'content-encoding': undefined,
          'content-language': undefined,
          'content-disposition': undefined,
          'cdn-cache-control': undefined,
          expires: undefined,
          digest: undefined,
          etag: undefined,
          'last-modified': undefined,
          'x-request-id': /^[^,]+$/,
        },
      },
      { is: 'hit' },
    ],
  },
  {
    title: 'RFC 9110 13.1.5: If-Range with the same strong ETag',
    exchanges: [
      miss({ ...FRESH, ETag: '"a"' }, { body: '0123456789' }),
      { ...part('bytes=0-1', '01', 'bytes 0-1/10'), request: { Range: 'bytes=0-1', 'If-Range': '"a"' } },
    ],
  },
  ...['"b"', 'W/"a"'].map((tag) => ({
    title: `RFC 9110 13.1.5: If-Range ${tag} of what has ${tag === 'W/"a"' ? tag : '"a"'} gets the whole`,
    exchanges: [
      miss({ ...FRESH, ETag: tag === 'W/"a"' ? tag : '"a"' }, { body: '0123456789' }),
      { is: 'hit', request: { Range: 'bytes=0-1', 'If-Range': tag } },
    ] as Exchange[],
  })),
  {
    title: 'RFC 9110 13.1.5: If-Range with the date of the last change',
    exchanges: [
      miss({ ...FRESH, 'Last-Modified': CHANGED }, { body: '0123456789' }),
      { ...part('bytes=0-1', '01', 'bytes 0-1/10'), request: { Range: 'bytes=0-1', 'If-Range': CHANGED } },
      { is: 'hit', request: { Range: 'bytes=0-1', 'If-Range': LATER } },
    ],
  },
  {
    title: 'RFC 9110 14.2: a part of what is not stored yet',
    exchanges: [
      {
        is: 'miss',
        request: { Range: 'bytes=2-3' },
        answer: { fields: { ...FRESH, ETag: '"a"' }, body: '0123456789' },
        status: 206,
        body: '23',
        gets: { 'content-range': 'bytes 2-3/10' },
      },
    ],
  },
  {
    title: 'RFC 9110 13.2.2: If-None-Match that fits is before Range',
    exchanges: [
      miss({ ...FRESH, ETag: '"a"' }, { body: '0123456789' }),
      {
        is: 'hit',
        request: { Range: 'bytes=0-1', 'If-None-Match': '"a"' },
        status: 304,
        gets: { 'content-range': undefined },
      },
    ],
  },
  {
    title: 'RFC 9110 14.4: Content-Range of what is no 206 is a field like any other',
    exchanges: [miss({ ...FRESH, 'Content-Range': 'bytes 0-1/10' }), { is: 'hit' }],
  },
];

const stale: Sequence[] = [
  {
    title: 'RFC 5861 3: stale-while-revalidate serves what is stale, and fetches in the background',
    exchanges: [
      miss({ 'Cache-Control': 'max-age=2, stale-while-revalidate=3600', ETag: '"a"' }),
      { is: 'stale', after: STALE_AFTER, answer: { fields: { ...FRESH, ETag: '"b"' }, body: 'newer' } },
      { is: 'hit', afterAnswers: 2, body: 'newer', ignores: ['etag', 'cache-control', 'date'], gets: { etag: '"b"' } },
    ],
  },
  {
    title: 'RFC 5861 3: not after its window',
    exchanges: [
      miss({ 'Cache-Control': 'max-age=2, stale-while-revalidate=1', ETag: '"a"' }),
      { is: 'by etag', after: 4.6, answer: { fields: { ...FRESH, ETag: '"b"' } } },
    ],
  },
  {
    title: 'RFC 5861 3: what is fetched in the background may say that it is not to be used again',
    exchanges: [
      miss({ 'Cache-Control': 'max-age=2, stale-while-revalidate=4', ETag: '"a"' }),
      { is: 'stale', after: STALE_AFTER, answer: { fields: { 'Cache-Control': 'no-cache', ETag: '"b"' } } },
      { is: 'by etag', after: STALE_AFTER, answer: { fields: { 'Cache-Control': 'no-cache', ETag: '"c"' } } },
    ],
  },
  ...([{ isBroken: true }, { status: 500 }, { status: 502 }, { status: 503 }, { status: 504 }] as ScriptedAnswer[]).map(
    (answer) => ({
      title: `RFC 5861 4: stale-if-error, when the origin ${answer.status ?? 'breaks off'}`,
      exchanges: [
        miss({ 'Cache-Control': 'max-age=2, stale-if-error=60' }),
        { is: 'stale', after: STALE_AFTER, answer },
        { is: 'stale' },
      ] as Exchange[],
    }),
  ),
  {
    title: 'RFC 5861 4: other errors are passed on',
    exchanges: [
      miss({ 'Cache-Control': 'max-age=2, stale-if-error=60' }),
      { is: 'miss', after: STALE_AFTER, answer: { status: 404 } },
    ],
  },
  {
    title: 'RFC 5861 4: of what was never fresh, too',
    exchanges: [miss({ 'Cache-Control': 'max-age=0, stale-if-error=3600' }), { is: 'stale', answer: { status: 500 } }],
  },
  {
    title: 'RFC 5861 4: not after its window',
    exchanges: [
      miss({ 'Cache-Control': 'max-age=0, stale-if-error=2' }),
      { is: 'miss', after: STALE_AFTER, answer: { status: 500 } },
    ],
  },
  {
    title: 'RFC 5861 4: 0 allows nothing',
    exchanges: [
      miss({ 'Cache-Control': 'max-age=2, stale-if-error=0' }),
      { is: 'miss', after: STALE_AFTER, answer: { status: 503 } },
    ],
  },
  {
    title: 'RFC 9111 4.2.4: nothing stale that is not allowed, when the origin is down',
    exchanges: [miss(SHORT), { is: 'failed', after: STALE_AFTER, answer: { isBroken: true } }],
  },
];

testSequences('advance-proxy-cache', {
  conditions,
  validation,
  revaried,
  invalidation,
  references,
  head,
  ranges,
  stale,
});
