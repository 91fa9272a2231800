import {
  type Exchange,
  type Fields,
  FRESH,
  miss,
  type ScriptedAnswer,
  type Sequence,
  STALE_AFTER,
  testSequences,
} from './testing/caching.ts';

/** RFC 9111 on the real edge: each clause of docs/caching.md as a sequence of requests. */

const DAY = 86_400;

/** What the origin sends is used for the next request, or is not. */
const once = (answer: ScriptedAnswer, is: 'hit' | 'miss', after?: number, more: Partial<Exchange> = {}): Exchange[] => [
  { is: 'miss', answer },
  { is, ...(after === undefined ? {} : { after }), ...more },
];
const rows = (section: string, is: 'hit' | 'miss', table: readonly (readonly [string, Fields, number?])[]) =>
  table.map(
    ([title, fields, after]): Sequence => ({
      title: `RFC ${section}: ${title}`,
      exchanges: once({ fields }, is, after),
    }),
  );
/** Directives of Cache-Control alone. */
const directives = (section: string, is: 'hit' | 'miss', values: readonly string[], after?: number) =>
  rows(
    section,
    is,
    values.map((value) => [value, { 'Cache-Control': value }, after]),
  );

const freshness: Sequence[] = [
  ...rows('9111 4.2', 'miss', [['nothing is said, and nothing is assumed', {}]]),
  ...directives('9111 4.2.1', 'hit', ['max-age=3600', 's-maxage=3600', 'foobar, max-age=3600', 'MaX-aGe=3600']),
  ...directives('9111 4.2', 'miss', ['max-age=1', 's-maxage=1', 'max-age=1800, s-maxage=1'], STALE_AFTER),
  ...directives('9111 4.2', 'miss', ['s-maxage=1, max-age=1800'], STALE_AFTER),
  ...directives('9111 4.2.1', 'hit', ['max-age=1, s-maxage=3600', 's-maxage=3600, max-age=0'], STALE_AFTER),
  ...directives('9111 4.2.1', 'miss', ['max-age=0', 'max-age=-3600', 'max-age=x', 's-maxage=x, max-age=60']),
  ...directives('9111 1.2.2', 'hit', [
    ...['max-age=2147483647', 'max-age=2147483648', 'max-age=2147483649', 'max-age=99999999999'],
  ]),
  ...rows('9111 4.2.1', 'miss', [
    ['s-maxage in another line is before max-age', { 'Cache-Control': ['max-age=3600', 's-maxage=1'] }, STALE_AFTER],
    ['max-age=0 is before Expires', { 'Cache-Control': 'max-age=0', Expires: 3600, Date: 0 }],
    ['Expires that is past', { Expires: -DAY, Date: 0 }],
    ['Expires that is now', { Expires: 0, Date: 0 }],
    ['Expires is counted from Date', { Expires: 300, Date: 400 }],
    ['several different lines of Expires are stale', { Expires: ['0', '1'] }],
    ['the first of two max-age holds, also where it is the shorter one', { 'Cache-Control': 'max-age=0, max-age=60' }],
    ['so it does across lines', { 'Cache-Control': ['max-age=0', 'max-age=60'] }],
  ]),
  ...rows('9111 4.2.1', 'hit', [
    ['Expires', { Expires: 3600, Date: 0 }],
    ['Expires in a month', { Expires: 30 * DAY, Date: 0 }],
    ['Expires beyond 32 bits', { Expires: 'Tue, 19 Jan 2038 14:14:08 GMT', Date: 0 }],
    ['Expires far away', { Expires: 'Mon, 11 Apr 2286 14:14:08 GMT', Date: 0 }],
    ['max-age is before Expires', { 'Cache-Control': 'max-age=3600', Expires: -7200, Date: 0 }],
    ['s-maxage is before both', { 'Cache-Control': 'max-age=0, s-maxage=3600', Expires: -10, Date: 0 }],
    ['a wrong Date is none', { Date: 'foo', Expires: 10 }],
    ['the first of two max-age holds', { 'Cache-Control': 'max-age=1800, max-age=1' }, STALE_AFTER],
  ]),
  ...rows('9111 5.3', 'hit', [
    ['a wrong Expires beside max-age', { 'Cache-Control': 'max-age=3600', Expires: '0', Date: 0 }],
  ]),
  ...rows('9111 5.3', 'miss', [
    ['Expires: 0', { Expires: '0', Date: 0 }],
    ['an empty Expires', { Expires: '' }],
  ]),
];

const dates: Sequence[] = [
  ...rows('9110 5.6.7', 'hit', [
    ['RFC 850', { Expires: 'Thursday, 18-Aug-50 02:01:18 GMT', Date: 0 }],
    ['asctime', { Expires: 'Thu Aug  8 02:01:18 2050', Date: 0 }],
  ]),
  ...rows('9111 4.2', 'hit', [
    ['a day in upper case', { Expires: 'THU, 18 Aug 2050 02:01:18 GMT', Date: 0 }],
    ['a month in upper case', { Expires: 'Thu, 18 AUG 2050 02:01:18 GMT', Date: 0 }],
    ['a zone in mixed case', { Expires: 'Thu, 18 Aug 2050 02:01:18 gMT', Date: 0 }],
  ]),
  ...rows('9111 4.2', 'miss', [
    ['UTC is no zone', { Expires: 'Thu, 18 Aug 2050 02:01:18 UTC', Date: 0 }],
    ['AEST is no zone', { Expires: 'Thu, 18 Aug 2050 02:01:18 AEST', Date: 0 }],
  ]),
  ...rows('9110 5.6.7', 'miss', [
    ['a year of two digits', { Expires: 'Thu, 18 Aug 50 02:01:18 GMT', Date: 0 }],
    ['no comma', { Expires: 'Thu 18 Aug 2050 02:01:18 GMT', Date: 0 }],
    ['several blanks', { Expires: 'Thu, 18  Aug  2050 02:01:18 GMT', Date: 0 }],
    ['hyphens', { Expires: 'Thu, 18-Aug-2050 02:01:18 GMT', Date: 0 }],
    ['full stops in the time', { Expires: 'Thu, 18 Aug 2050 02.01.18 GMT', Date: 0 }],
    ['an hour of one digit', { Expires: 'Thu, 18 Aug 2050 2:01:18 GMT', Date: 0 }],
  ]),
];

const syntax: Sequence[] = [
  ...directives('9111 5.2', 'hit', ['max-age="3600"', 'max-age=003600']),
  ...directives('9111 5.2', 'miss', [
    ...['extension="max-age=3600", max-age=0', 'max-age=0, extension="max-age=3600"', "max-age='3600'"],
    ...['max-age =3600', 'max-age= 3600', 'max-age=3600.0', 'max-age=3600.5', 'max-age=a3600', 'max-age=3600a'],
  ]),
  ...directives('9111 5.2.3', 'hit', ['max-age=3600, unknown', 'max-age=3600, unknown="no-store, private"']),
];

const ages: Sequence[] = [
  ...rows('9111 4.2.3', 'miss', [
    ['Age is taken from the lifetime', { ...FRESH, Age: '7200', Date: 0 }],
    ['so is what Date tells of the age', { ...FRESH, Date: -7200 }],
    ['Age counts beside a slow Date', { Date: -10, Expires: 10, Age: '25' }],
    ['Age counts beside a fast Date', { Date: 10, Expires: 20, Age: '15' }],
    ...['2147483647', '2147483648', '2147483649'].map(
      (age) => [`Age ${age}`, { ...FRESH, Age: age, Date: 0 }] as const,
    ),
  ]),
  ...rows('9111 5.1', 'miss', [
    ['the first member of Age', { ...FRESH, Age: '7200, 0', Date: 0 }],
    ['the first line of Age', { ...FRESH, Age: ['7200', '0'], Date: 0 }],
  ]),
  ...rows('9111 5.1', 'hit', [
    ...['abc', '-7200', '7200.0', '0, 7200', '0, 0', '7200;foo=bar', '7200;foo=111'].map(
      (age) => [`Age: ${age}`, { ...FRESH, Age: age, Date: 0 }] as const,
    ),
    ['the first line of Age, which is young', { ...FRESH, Age: ['0', '7200'], Date: 0 }],
    ['two lines of Age', { ...FRESH, Age: ['0', '0'], Date: 0 }],
    ['two lines of the same Age', { 'Cache-Control': 'max-age=10000', Age: ['3600', '3600'], Date: 0 }],
  ]),
  {
    title: 'RFC 9111 4: Age of what is stored grows',
    exchanges: once({ fields: { ...FRESH, Date: 0 } }, 'hit', STALE_AFTER, { ageMin: 2 }),
  },
  {
    title: 'RFC 9111 4.2.3: Age goes on from that of the answer',
    exchanges: once({ fields: { ...FRESH, Date: 0, Age: '30' } }, 'hit', STALE_AFTER, { ageMin: 32 }),
  },
  {
    title: 'RFC 9111 4.2.3: so it does with Expires',
    exchanges: once({ fields: { Expires: 3600, Date: 0, Age: '30' } }, 'hit', STALE_AFTER, { ageMin: 32 }),
  },
  {
    title: 'RFC 9111 4.2.3: the time that the origin took is part of it',
    exchanges: [
      { is: 'miss', answer: { fields: { ...FRESH, Date: 0 }, delayMs: 2100 }, ageMin: 1 },
      { is: 'hit', ageMin: 2 },
    ],
  },
  {
    title: 'RFC 9110 6.6.1: Date and Expires stay as their origin sent them',
    exchanges: once({ fields: { Date: 0, Expires: 3600 } }, 'hit', STALE_AFTER),
  },
];

const heuristics: Sequence[] = [
  ...[200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501].map((status) => ({
    title: `RFC 9111 4.2.2: a tenth of the time since Last-Modified, of ${status}`,
    exchanges: once({ status, fields: { 'Last-Modified': -DAY, Date: 0 } }, 'hit'),
  })),
  ...[201, 202, 302, 303, 307, 400, 403, 500, 502, 503, 504, 599].map((status) => ({
    title: `RFC 9110 15.1: ${status} has no lifetime that it does not state`,
    exchanges: once({ status, fields: { 'Last-Modified': -DAY, Date: 0 } }, 'miss'),
  })),
  {
    title: 'RFC 9111 5.2.2.9: public makes any status heuristically cacheable',
    exchanges: once({ status: 599, fields: { 'Last-Modified': -DAY, Date: 0, 'Cache-Control': 'public' } }, 'hit'),
  },
  ...[60, 300, 1800, DAY].map((seconds) => ({
    title: `RFC 9111 4.2.2: what has not changed for ${seconds} s`,
    exchanges: once({ fields: { 'Last-Modified': -seconds, Date: 0 } }, 'hit', STALE_AFTER),
  })),
  {
    title: 'RFC 9111 4.2.2: what has changed just now is validated',
    exchanges: [
      { is: 'miss', answer: { fields: { 'Last-Modified': -10, Date: 0 } } },
      { is: 'by date', after: STALE_AFTER, answer: { status: 304 } },
    ],
  },
  {
    title: 'RFC 9111 4.2.2: a query makes no difference',
    exchanges: once({ fields: { 'Last-Modified': -DAY, Date: 0 } }, 'hit'),
    suffix: '?a=1',
  },
  {
    title: 'RFC 6266 4: nor does a file to be saved',
    exchanges: once({ fields: { ...FRESH, 'Content-Disposition': 'attachment; filename=x' } }, 'hit'),
  },
  {
    title: 'RFC 9111 5.4: Pragma of an answer has no effect, not with heuristics either',
    exchanges: once({ fields: { 'Last-Modified': -DAY, Date: 0, Pragma: 'no-cache' } }, 'hit'),
  },
  {
    title: 'RFC 9111 5.4: Pragma of an answer has no effect',
    exchanges: once({ fields: { ...FRESH, Pragma: 'no-cache' } }, 'hit'),
  },
];

const STATUSES = [200, 203, 204, 299, 301, 302, 303, 307, 308, 400, 404, 410, 499, 500, 502, 503, 504, 599];
const statuses: Sequence[] = STATUSES.flatMap((status) => [
  {
    title: `RFC 9111 3: ${status} with a lifetime is stored`,
    exchanges: once({ status, fields: { Expires: 3600, 'Last-Modified': -DAY, Date: 0 } }, 'hit'),
  },
  {
    title: `RFC 9111 4.2: ${status} that is past its lifetime is not used`,
    exchanges: [
      { is: 'miss', answer: { status, fields: { Expires: -5000, Date: 0 } } },
      { is: 'miss', answer: { status, fields: { Expires: -5000, Date: 0 } } },
    ],
  },
]);

const ofOneClient: Sequence[] = (
  [
    [3, 428],
    [4, 429],
    [5, 431],
    [6, 511],
  ] as const
).map(([section, status]) => ({
  title: `RFC 6585 ${section}: ${status} is not stored, whatever it says`,
  exchanges: once({ status, fields: { 'Cache-Control': 'public, max-age=3600', ETag: '"a"' } }, 'miss'),
}));

const posted: Sequence[] = [
  {
    title: 'RFC 9110 9.3.3: an answer to POST with a lifetime and its own Content-Location serves no GET',
    exchanges: [
      {
        is: 'miss',
        method: 'POST',
        requestBody: 'x',
        answer: { fields: (path) => ({ ...FRESH, 'Content-Location': path }) },
        cacheStatus: 'Cordon; fwd=method',
      },
      { is: 'miss' },
      { is: 'hit' },
    ],
  },
];

const warnings: Sequence[] = [
  {
    title: 'RFC 9111 5.5: Warning of an origin stays',
    exchanges: [miss({ ...FRESH, Warning: '299 - "of the origin"' }), { is: 'hit' }],
  },
  {
    title: 'RFC 9111 5.5: none is added to a stale answer',
    exchanges: [
      miss({ 'Cache-Control': 'max-age=2, stale-while-revalidate=60' }),
      { is: 'stale', after: STALE_AFTER, gets: { warning: undefined }, cacheStatus: /^Cordon; hit; ttl=-/ },
    ],
  },
  {
    title: 'RFC 9111 5.5: nor to one whose origin fails',
    exchanges: [
      miss({ 'Cache-Control': 'max-age=2, stale-if-error=60' }),
      { is: 'stale', after: STALE_AFTER, answer: { isBroken: true }, gets: { warning: undefined } },
    ],
  },
];

const answerDirectives: Sequence[] = [
  ...directives('9111 5.2.2.5', 'miss', ['no-store', 'No-StOrE', 'max-age=10000, no-store', 'no-store;x, max-age=9']),
  ...directives('9111 5.2.2.7', 'miss', ['private, max-age=3600', 'PRIVATE, max-age=3600', 'private=x, max-age=60']),
  ...directives('9111 5.2.2.4', 'miss', ['no-cache', 'max-age=10000, no-cache', 'max-age=10000, No-CaChE']),
  ...directives('9111 5.2.2.2', 'hit', ['max-age=10000, must-revalidate']),
  ...directives('9111 5.2.2.8', 'hit', ['max-age=10000, proxy-revalidate']),
  ...directives('9111 5.2.2.6', 'hit', ['max-age=10000, no-transform']),
  ...directives('9111 5.2.2.3', 'hit', ['max-age=3600, no-store, must-understand']),
  ...directives('8246 2', 'hit', ['max-age=3600, immutable']),
  ...rows('9111 5.2.2.5', 'miss', [
    ['no-store beside Expires', { 'Cache-Control': 'no-store', Expires: 3600, Date: 0 }],
    ['no-store in another line', { 'Cache-Control': ['max-age=60', 'no-store'] }],
  ]),
  {
    title: 'RFC 9111 5.2.2.3: must-understand with a status that nobody knows',
    exchanges: once({ status: 599, fields: { 'Cache-Control': 'max-age=3600, no-store, must-understand' } }, 'miss'),
  },
  {
    title: 'RFC 9111 5.2.2.5: what was stored before stays',
    host: 'obeying.test',
    exchanges: [
      { is: 'miss', answer: { fields: FRESH } },
      {
        is: 'miss',
        request: { 'Cache-Control': 'no-cache' },
        answer: { fields: { 'Cache-Control': 'no-store' } },
        cacheStatus: /; detail=no_store$/,
      },
      { is: 'hit', from: 0 },
    ],
  },
  ...['no-cache', 'max-age=10000, no-cache'].map((value) => ({
    title: `RFC 9111 5.2.2.4: ${value} is validated before each use`,
    exchanges: [
      { is: 'miss', answer: { fields: { 'Cache-Control': value, ETag: '"v1"' } } },
      { is: 'by etag', answer: { status: 304, fields: { 'Cache-Control': value, ETag: '"v1"' } } },
      { is: 'by etag' },
    ] as Exchange[],
  })),
  {
    title: 'RFC 9111 5.2.2.2: must-revalidate, once stale, is validated',
    exchanges: [
      { is: 'miss', answer: { fields: { 'Cache-Control': 'max-age=2, must-revalidate', ETag: '"v1"' } } },
      { is: 'by etag', after: STALE_AFTER, answer: { status: 304, fields: { ETag: '"v1"' } } },
    ],
  },
  ...['no-cache', 'private'].flatMap((name) =>
    ['a', 'a, B'].map((list) => ({
      title: `RFC 9111 5.2.2.4, 5.2.2.7: others do not get the fields of ${name}="${list}"`,
      exchanges: [
        {
          is: 'miss',
          answer: { fields: { 'Cache-Control': `${name}="${list}", max-age=3600`, A: '1', B: '2', C: '3' } },
          ignores: ['a', 'b'],
        },
        { is: 'hit', gets: { a: undefined, b: list === 'a' ? '2' : undefined, c: '3' } },
      ] as Exchange[],
    })),
  ),
  ...['must-revalidate', 'proxy-revalidate', 'no-cache'].map((value) => ({
    title: `RFC 9111 4.2.4: ${value} forbids stale answers where the origin is down`,
    exchanges: [
      { is: 'miss', answer: { fields: { 'Cache-Control': `max-age=2, stale-if-error=60, ${value}` } } },
      { is: 'failed', after: STALE_AFTER, answer: { isBroken: true } },
    ] as Exchange[],
  })),
  {
    title: 'RFC 5861 3: beside s-maxage, an origin may allow stale answers all the same',
    exchanges: [
      { is: 'miss', answer: { fields: { 'Cache-Control': 's-maxage=2, stale-while-revalidate=60' } } },
      { is: 'stale', after: STALE_AFTER },
    ],
  },
];

const STORED_FIELDS = [
  ...['Test-Header', 'X-Test-Header', 'Content-Foo', 'X-Content-Foo', 'Content-Encoding', 'Content-Location'],
  ...['Content-MD5', 'Content-Security-Policy', 'Content-Type', 'Clear-Site-Data', 'ETag', 'Public-Key-Pins'],
  ...['Set-Cookie2', 'X-Frame-Options', 'X-XSS-Protection'],
];
const CONNECTION_FIELDS = [
  ...['Proxy-Authenticate', 'Proxy-Authentication-Info', 'Proxy-Authorization', 'Proxy-Connection'],
  ...['Keep-Alive', 'TE', 'Upgrade'],
];
const fields: Sequence[] = [
  ...STORED_FIELDS.map((name) => ({
    title: `RFC 9111 3.1: ${name} is stored`,
    exchanges: once({ fields: { ...FRESH, Date: 0, [name]: '"a value of its own"' } }, 'hit'),
  })),
  ...CONNECTION_FIELDS.map((name) => ({
    title: `RFC 9111 3.1: ${name} is not stored`,
    exchanges: once({ fields: { ...FRESH, Date: 0, [name]: 'own' } }, 'hit', 0, {
      gets: { [name.toLowerCase()]: undefined },
    }),
  })),
  {
    title: 'RFC 9110 7.6.1: nor are those that Connection names',
    exchanges: [
      {
        is: 'miss',
        answer: { fields: { ...FRESH, Connection: 'a, b', A: '1', B: '2', C: '3' } },
        gets: { a: undefined, b: undefined },
      },
      { is: 'hit', gets: { a: undefined, b: undefined, c: '3' } },
    ],
  },
  {
    title: 'RFC 9111 3.1: several lines stay several',
    exchanges: once({ fields: { ...FRESH, Link: ['<a>; rel=x', '<b>; rel=y'] } }, 'hit'),
  },
  {
    title: 'RFC 9111 7.3: Set-Cookie keeps an answer to its own visitor',
    exchanges: once({ fields: { ...FRESH, 'Set-Cookie': 'a=1' } }, 'miss'),
  },
  {
    title: 'RFC 9111 7.3: with public it is stored',
    exchanges: once({ fields: { 'Cache-Control': 'public, max-age=60', 'Set-Cookie': 'a=1' } }, 'hit'),
  },
  {
    title: 'RFC 9111 3: a request with Cookie is answered from what is stored',
    exchanges: once({ fields: FRESH }, 'hit', 0, { request: { Cookie: 'a=1' } }),
  },
];

const authorization: Sequence[] = [
  ...['max-age=3600', 'no-cache, max-age=3600'].map((value) => ({
    title: `RFC 9111 3.5: an answer to Authorization is not for others with ${value}`,
    exchanges: [
      {
        is: 'miss',
        request: { Authorization: 'Basic eDp5' },
        originGets: { authorization: 'Basic eDp5' },
        answer: { fields: { 'Cache-Control': value } },
      },
      { is: 'miss' },
    ] as Exchange[],
  })),
  ...['max-age=3600, public', 'max-age=3600, must-revalidate', 's-maxage=3600'].map((value) => ({
    title: `RFC 9111 3.5: ${value} has it stored`,
    exchanges: [
      {
        is: 'miss',
        request: { Authorization: 'Basic eDp5' },
        originGets: { authorization: 'Basic eDp5' },
        answer: { fields: { 'Cache-Control': value } },
      },
      { is: 'hit' },
    ] as Exchange[],
  })),
];

const VARIED = { 'Cache-Control': 'max-age=5000', 'Last-Modified': -3600, Date: 0 };
const varying = (
  title: string,
  vary: string | readonly string[],
  first: Exchange['request'],
  ...others: readonly (readonly ['hit' | 'miss', Exchange['request'], number?])[]
): Sequence => ({
  title: `RFC 9111 4.1: ${title}`,
  exchanges: [
    { is: 'miss', request: first ?? {}, answer: { fields: { ...VARIED, Vary: vary } } },
    ...others.map(([is, request = {}, from]): Exchange => ({ is, request, ...(from === undefined ? {} : { from }) })),
  ],
});
const vary: Sequence[] = [
  varying('the same value', 'Foo', { Foo: '1' }, ['hit', { Foo: '1' }]),
  varying('another value', 'Foo', { Foo: '1' }, ['miss', { Foo: '2' }]),
  varying('a field where there was none', 'Foo', {}, ['miss', { Foo: '1' }]),
  varying('none where there was a field', 'Foo', { Foo: '1' }, ['miss', {}]),
  varying('none where there was none', 'Foo', {}, ['hit', {}]),
  varying(
    'another answer does not take its place',
    'Foo',
    { Foo: '1' },
    ['miss', { Foo: '2' }],
    ['hit', { Foo: '1' }, 0],
    ['hit', { Foo: '2' }, 1],
  ),
  varying('other fields do not count', 'Foo', { Foo: '1', Other: '2' }, ['hit', { Foo: '1', Other: '3' }]),
  varying(
    'two fields',
    'Foo, Bar',
    { Foo: '1', Bar: 'a' },
    ['hit', { Foo: '1', Bar: 'a' }],
    ['miss', { Foo: '2', Bar: 'a' }],
  ),
  varying('two fields that are not there', 'Foo, Bar', { Foo: '1', Bar: 'a' }, ['miss', {}]),
  varying(
    'three fields',
    'Foo, Bar, Baz',
    { Foo: '1', Bar: 'a', Baz: 'x' },
    ['hit', { Baz: 'x', Bar: 'a', Foo: '1' }],
    ['miss', { Foo: '2', Bar: 'a', Baz: 'x' }],
  ),
  varying('each of three counts', 'Foo, Baz, Bar', { Foo: '1', Bar: 'a', Baz: 'x' }, [
    'miss',
    { Foo: '1', Bar: 'b', Baz: 'x' },
  ]),
  {
    title: 'RFC 9111 4.1: their order is none',
    exchanges: [
      { is: 'miss', request: { Foo: '1', Bar: 'a' }, answer: { fields: { ...VARIED, Vary: 'Foo, Bar' } } },
      { is: 'miss', request: { Foo: '2', Bar: 'a' }, answer: { fields: { ...VARIED, Vary: 'Bar, Foo' } } },
      { is: 'hit', request: { Foo: '1', Bar: 'a' }, from: 0 },
      { is: 'hit', request: { Foo: '2', Bar: 'a' }, from: 1 },
    ],
  },
  varying('one of three is missing', 'Foo, Bar, Baz', { Foo: '1', Baz: 'x' }, ['hit', { Foo: '1', Baz: 'x' }]),
  varying(
    'several lines',
    ['Foo', 'Bar'],
    { Foo: '1', Bar: 'a' },
    ['hit', { Foo: '1', Bar: 'a' }],
    ['miss', { Foo: '1', Bar: 'b' }],
  ),
  varying('names in any case', 'fOO', { Foo: '1' }, ['hit', { foo: '1' }], ['miss', { Foo: '2' }]),
  ...['*', '*, *', ', *', '*, Foo', 'Foo, *'].map((value) =>
    varying(`${value} matches nothing`, value, { Foo: '1' }, ['miss', { Foo: '1' }]),
  ),
  varying('two lines of *', ['*', '*'], {}, ['miss', {}]),
  varying('an empty line and *', ['', '*'], {}, ['miss', {}]),
  varying('lines are joined', 'Foo', { Foo: '1, 2' }, ['hit', { Foo: ['1', '2'] }]),
  varying('whitespace means nothing', 'Foo', { Foo: '1,2' }, ['hit', { Foo: ' 1, 2 ' }]),
  varying('languages in another order', 'Accept-Language', { 'Accept-Language': 'en, de' }, [
    'hit',
    { 'Accept-Language': 'de, en' },
  ]),
  varying('languages in another case', 'Accept-Language', { 'Accept-Language': 'en, de' }, [
    'hit',
    { 'Accept-Language': 'eN, De' },
  ]),
  varying('languages with other blanks', 'Accept-Language', { 'Accept-Language': 'en, de' }, [
    'hit',
    { 'Accept-Language': ' en ,   de' },
  ]),
  varying('languages that are others', 'Accept-Language', { 'Accept-Language': 'en, de' }, [
    'miss',
    { 'Accept-Language': 'en, fr' },
  ]),
  varying(
    'cookies',
    'Cookie',
    { Cookie: 'a=1' },
    ['miss', { Cookie: 'a=2' }],
    ['miss', {}],
    ['hit', { Cookie: 'a=1' }, 0],
  ),
];

/** What the first visitor wants, and the second one, and whether that means the same. */
const preferred: Sequence[] = (
  [
    ['hit', 'en', 'en;q=1'],
    ['hit', 'en', 'en;q=1.000'],
    ['hit', 'en;q=1.', 'en'],
    ['hit', 'en, de;q=0.8', 'de ; q=0.800 ,en'],
    ['hit', 'en;q=0.5', 'en; Q=0.5'],
    ['miss', 'en, de;q=0.5', 'de, en;q=0.5'],
    ['miss', 'en;q=0.8, de;q=0.7', 'en;q=0.7, de;q=0.8'],
    ['miss', 'en', 'en;q=0'],
    ['miss', 'en;q=0.001', 'en;q=0'],
    ['miss', 'en', 'en, *;q=0'],
    ['miss', 'en, *', 'en, *;q=0'],
    ['miss', 'en;q=x', 'en'],
    ['miss', 'en;q=', 'en'],
    ['miss', 'en;q=-1', 'en'],
    ['miss', 'en;q=2', 'en'],
    ['miss', 'en;q=0..1', 'en'],
    ['miss', 'en;q=0;q=1', 'en'],
    ['miss', 'en;q=.5', 'en;q=0.5'],
    ['miss', 'en;q=00.5', 'en;q=0.5'],
    ['miss', 'en;q=01', 'en'],
    ['miss', 'en;q=000', 'en;q=0'],
    ['miss', 'en;q = 0.5', 'en;q=0.5'],
    ['miss', 'en;q=1;q=0.5', 'en;q=0.5'],
    ['miss', 'en;q=0.5;q=1', 'en;q=0.5'],
    ['miss', 'en;q=0.5;q=2', 'en;q=2;q=0.5'],
    ['miss', 'en;q=.5;q=1', 'en;q=.5'],
  ] as const
).map(([is, first, second]) => ({
  title: `RFC 9110 12.4.2: a language of ${first} is ${is === 'hit' ? 'the same as' : 'another than'} ${second}`,
  exchanges: [
    { is: 'miss', request: { 'Accept-Language': first }, answer: { fields: { ...VARIED, Vary: 'Accept-Language' } } },
    { is, request: { 'Accept-Language': second }, originGets: is === 'miss' ? { 'accept-language': second } : {} },
  ] as Exchange[],
}));

const CODINGS = ['br', 'gzip', undefined] as const;
const inCoding = (coding: string | undefined): ScriptedAnswer => ({
  fields: { ...FRESH, Vary: 'Accept-Encoding', ...(coding === undefined ? {} : { 'Content-Encoding': coding }) },
});
/** What a visitor gets of three answers that are stored: in Brotli, in gzip, and as it is. */
const codings: Sequence[] = (
  [
    ['br', 'br;q=0.001, gzip;q=0.001'],
    ['br', 'identity;q=0, gzip;q=0.5, br;q=1.000'],
    ['br', ['gzip;q=0.5', 'br']],
    ['gzip', 'gzip;q=0.001'],
    ['gzip', 'br;q=0, gzip'],
    ['gzip', 'gzip, br ; Q=0.000 '],
    ['gzip', 'gzip, *;q=0'],
    ['gzip', 'gzip, identity;q=0'],
    [undefined, 'gzip;q=0'],
    [undefined, 'gzip;q=0, br'],
    [undefined, 'GZIP;q=0.000, br;q=0.0'],
    [undefined, ['gzip;q=0', 'br;q=0']],
    [undefined, 'gzip;q=0, *'],
    [undefined, '*'],
    [undefined, '*;q=0'],
    [undefined, 'identity;q=1, *;q=0'],
    [undefined, 'gzip;q=00'],
    [undefined, 'gzip;q=0;q=1'],
    [undefined, 'gzip;q=.0'],
    [undefined, 'q=1, gzipped, xgzip'],
    [undefined, ''],
  ] as const
).map(([coding, accepted]) => ({
  title: `RFC 9110 12.4.2: a coding of ${JSON.stringify(accepted)} is ${coding ?? 'none'}`,
  exchanges: [
    { is: 'miss', request: { 'Accept-Encoding': 'gzip, br' }, answer: inCoding('br') },
    { is: 'miss', request: { 'Accept-Encoding': 'gzip' }, answer: inCoding('gzip') },
    { is: 'miss', answer: inCoding(undefined) },
    {
      is: 'hit',
      request: { 'Accept-Encoding': accepted },
      from: CODINGS.indexOf(coding),
      gets: { 'content-encoding': coding },
    },
  ] as Exchange[],
}));

const keys: Sequence[] = [
  {
    title: 'RFC 9111 3.3: an answer that broke off is not stored',
    exchanges: [
      { is: 'failed', status: 0, answer: { fields: FRESH, isCut: true } },
      { is: 'miss', answer: { fields: FRESH } },
      { is: 'hit' },
    ],
  },
  {
    title: 'RFC 9111 2: another query is another object',
    exchanges: [
      { is: 'miss', suffix: '?test=1', answer: { fields: FRESH } },
      { is: 'miss', suffix: '?test=2' },
      { is: 'hit', suffix: '?test=1', from: 0 },
    ],
  },
];

const groups = {
  freshness,
  dates,
  syntax,
  ages,
  heuristics,
  statuses,
  ofOneClient,
  posted,
  warnings,
  answerDirectives,
  fields,
  authorization,
  vary,
  preferred,
  codings,
  keys,
};

testSequences('advance-proxy-cache', groups);
