import type { AnswerDirectives, RequestDirectives } from '../directives.ts';

interface AnswerDirectivesCase {
  readonly title: string;
  /** Field lines. */
  readonly lines: readonly string[];
  /** All else is not said; undefined: the field is ignored. */
  readonly said: Partial<AnswerDirectives> | undefined;
}

const row = (title: string, lines: readonly string[] | string, said: Partial<AnswerDirectives> | undefined) => ({
  title,
  lines: typeof lines === 'string' ? [lines] : lines,
  said,
});

export const CACHE_CONTROL_CASES: readonly AnswerDirectivesCase[] = [
  row('RFC 9111 5.2: no field', [], {}),
  row('RFC 9111 5.2: an empty field', '', {}),
  row('RFC 9111 5.2.2.1: max-age', 'max-age=60', { maxAgeSeconds: 60 }),
  row('RFC 9111 5.2.2.2: must-revalidate', 'must-revalidate', {
    hasMustRevalidate: true,
    isMustRevalidateSound: true,
  }),
  row('RFC 9111 5.2.2.3: must-understand', 'must-understand', { hasMustUnderstand: true }),
  row('RFC 9111 5.2.2.4: no-cache', 'no-cache', { hasNoCache: true }),
  row('RFC 9111 5.2.2.4: no-cache with fields', 'no-cache="X-One, x-two"', { withheldFields: ['x-one', 'x-two'] }),
  row('RFC 9111 5.2.2.4: no-cache with no field is the plain one', 'no-cache=""', { hasNoCache: true }),
  row('RFC 9111 5.2.2.4: no-cache with what is no field is the plain one', 'no-cache="x one"', { hasNoCache: true }),
  row('RFC 9111 5.2.2.4: no-cache without quotes is the plain one', 'no-cache=x-one', { hasNoCache: true }),
  row('RFC 9111 5.2.2.4: both forms of no-cache', 'no-cache="x-one", no-cache', {
    hasNoCache: true,
    withheldFields: ['x-one'],
  }),
  row('RFC 9111 5.2.2.5: no-store', 'no-store', { hasNoStore: true }),
  row('RFC 9111 5.2.2.6: no-transform', 'no-transform', { hasNoTransform: true }),
  row('RFC 9111 5.2.2.7: private', 'private', { hasPrivate: true }),
  row('RFC 9111 5.2.2.7: private with a field', 'private="Set-Cookie"', { withheldFields: ['set-cookie'] }),
  row('RFC 9111 5.2.2.7: private with no field is the plain one', 'private=" , "', { hasPrivate: true }),
  row('RFC 9111 5.2.2.7: private without quotes is the plain one', 'private=1', { hasPrivate: true }),
  row('RFC 9111 5.2.2.7: fields of both, each once', 'private="a, b", no-cache="B"', { withheldFields: ['a', 'b'] }),
  row('RFC 9111 5.2.2.8: proxy-revalidate', 'proxy-revalidate', { hasProxyRevalidate: true }),
  row('RFC 9111 5.2.2.9: public', 'public', { hasPublic: true }),
  row('RFC 9111 5.2.2.10: s-maxage', 's-maxage=60', { sharedMaxAgeSeconds: 60 }),
  row('RFC 5861 3: stale-while-revalidate', 'stale-while-revalidate=60', { staleWhileRevalidateSeconds: 60 }),
  row('RFC 5861 4: stale-if-error', 'stale-if-error=60', { staleIfErrorSeconds: 60 }),
  row('RFC 9111 5.2: several directives', 'public,max-age=60 , s-maxage=30', {
    hasPublic: true,
    maxAgeSeconds: 60,
    sharedMaxAgeSeconds: 30,
  }),
  row('RFC 9110 5.3: several lines', ['public', '', 'max-age=60'], { hasPublic: true, maxAgeSeconds: 60 }),
  row('RFC 9110 5.6.1: empty members', ', ,max-age=60,,', { maxAgeSeconds: 60 }),
  row('RFC 9111 5.2: names of any case', 'No-StOrE, MAX-AGE=60', { hasNoStore: true, maxAgeSeconds: 60 }),
  row('RFC 9111 5.2: a quoted number', 'max-age="60"', { maxAgeSeconds: 60 }),
  row('RFC 9110 5.6.4: backslashes in it', 'max-age="\\6\\0"', { maxAgeSeconds: 60 }),
  row('RFC 9111 5.2.3: unknown directives', 'foo, bar=1, max-age=60, baz="x"', { maxAgeSeconds: 60 }),
  row('RFC 9111 5.2.3: directives of JavaScript’s names', 'constructor, __proto__=1, toString="x"', {}),
  row('RFC 8246 2: immutable says nothing to a cache like this one', 'immutable', {}),
  row('RFC 9110 5.6.4: a directive within a quoted string', 'foo="max-age=60, public", max-age=1', {
    maxAgeSeconds: 1,
  }),
  row('RFC 9110 5.6.4: and behind it', 'max-age=1, foo="max-age=60, no-store"', { maxAgeSeconds: 1 }),
  row('RFC 9110 5.6.4: a quote in a quoted string', 'foo="\\", no-store", max-age=1', { maxAgeSeconds: 1 }),
  row('RFC 9110 5.6.4: a backslash at the end of one', 'foo="\\\\", no-store', { hasNoStore: true }),
  row('RFC 9110 5.6.4: a string that does not end hides nothing that forbids', 'foo="bar, no-store', {
    hasNoStore: true,
  }),
  row('RFC 9110 5.6.4: and allows nothing', 'foo="bar, public, s-maxage=60', { sharedMaxAgeSeconds: -1 }),
  row('RFC 9110 5.6.4: what stands before it holds', 'max-age=60, foo="bar', { maxAgeSeconds: 60 }),
  row('RFC 9110 5.3: nor does it go on in the next line', ['foo="bar', 'public"'], {}),
  row('RFC 9111 1.2.2: leading zeros', 'max-age=0060', { maxAgeSeconds: 60 }),
  row('RFC 9111 1.2.2: zero', 'max-age=0', { maxAgeSeconds: 0 }),
  row('RFC 9111 1.2.2: the last below 2^31', 'max-age=2147483647', { maxAgeSeconds: 2147483647 }),
  row('RFC 9111 1.2.2: 2^31', 'max-age=2147483648', { maxAgeSeconds: 2147483648 }),
  row('RFC 9111 1.2.2: above 2^31', 'max-age=2147483649', { maxAgeSeconds: 2147483648 }),
  row('RFC 9111 1.2.2: 400 digits', `max-age=${'9'.repeat(400)}`, { maxAgeSeconds: 2147483648 }),
  row('RFC 9111 4.2.1: the first of two', 'max-age=60, max-age=1', { maxAgeSeconds: 60 }),
  row('RFC 9111 4.2.1: the first of two lines', ['max-age=1', 'max-age=60'], { maxAgeSeconds: 1 }),
  row('RFC 9111 4.2.1: the first of two, though it is none', 'max-age=x, max-age=60', { maxAgeSeconds: -1 }),
  row('RFC 9111 4.2.1: the first of each', 's-maxage=1, s-maxage=2, stale-if-error=1, stale-if-error=2', {
    sharedMaxAgeSeconds: 1,
    staleIfErrorSeconds: 1,
  }),
  ...[
    ...['max-age', 'max-age=', 'max-age=""', 'max-age=-60', 'max-age=+60', 'max-age=60.0', 'max-age=60.5'],
    ...['max-age=a60', 'max-age=60a', 'max-age=0x60', 'max-age=6e1', "max-age='60'", 'max-age=6 0', 'max-age=" 60"'],
    ...['max-age =60', 'max-age= 60', 'max-age=60;x', 'max-age="60"x', 'max-age=60=60', 'max-age:60'],
  ].map((line) => row(`RFC 9111 4.2.1: no number is stale: ${line}`, line, { maxAgeSeconds: -1 })),
  ...['no-store', 'private', 'no-cache', 'must-revalidate', 'proxy-revalidate'].flatMap((name) =>
    [
      ...[`${name}=x`, `${name} x`, `${name};x`, `${name}="`, `${name} = "x"`, `${name}.`, `\u00a0${name}`],
      ...[`"${name}"`, `'${name}'`, `"${name}`, `(${name})`, `{${name}}`, `=${name}`, `\u200b${name}\u200b`],
    ].map((line) =>
      row(
        `RFC 9111 5.2.2: what is malformed forbids still: ${line}`,
        line,
        {
          'no-store': { hasNoStore: true },
          private: { hasPrivate: true },
          'no-cache': { hasNoCache: true },
          'must-revalidate': { hasMustRevalidate: true },
          'proxy-revalidate': { hasProxyRevalidate: true },
        }[name],
      ),
    ),
  ),
  ...['public=x', 'public x', 'public;x', 'public="', 'must-understand=1', 'must-understand x'].map((line) =>
    row(`RFC 9111 5.2.2: what is malformed allows nothing: ${line}`, line, {}),
  ),
  row('RFC 9110 5.6.4: a comma in the quoted string of what is malformed', 'foo bar="a, no-store", max-age=60', {
    maxAgeSeconds: 60,
  }),
  row('RFC 9110 5.6.4: a string that does not end, first of all', '"foo, public, no-store', { hasNoStore: true }),
  row('RFC 9110 5.6.4: one that does not end behind one that does', 'foo="x""y, public', {}),
  row('RFC 9111 4.2.1: the first of stale-while-revalidate', 'stale-while-revalidate=1, stale-while-revalidate=2', {
    staleWhileRevalidateSeconds: 1,
  }),
  row('RFC 9111 5.2: a name behind what is none', '=no-store, max-age=60', { hasNoStore: true, maxAgeSeconds: 60 }),
  row('RFC 9111 5.2: what is no name', '=, "", (), max-age=60', { maxAgeSeconds: 60 }),
  row('RFC 9110 5.6.2: names with marks', "azAZ09!#$%&'*+-.^_`|~=1, max-age=60", { maxAgeSeconds: 60 }),
];

export const TARGETED_CASES: readonly AnswerDirectivesCase[] = [
  row('RFC 9213 2.1: no field', [], undefined),
  row('RFC 9213 2.1: an empty field', '', undefined),
  row('RFC 9213 2.1: a field of blanks', '  ', undefined),
  row('RFC 9213 2.1: max-age', 'max-age=60', { maxAgeSeconds: 60 }),
  row(
    'RFC 9213 2.1: all that have no value',
    'must-revalidate, no-store, no-cache, private, public, proxy-revalidate',
    {
      hasMustRevalidate: true,
      isMustRevalidateSound: true,
      hasNoStore: true,
      hasNoCache: true,
      hasPrivate: true,
      hasPublic: true,
      hasProxyRevalidate: true,
    },
  ),
  row(
    'RFC 9213 2.1: the others',
    'must-understand, no-transform, s-maxage=1, stale-while-revalidate=2, stale-if-error=3',
    {
      hasMustUnderstand: true,
      hasNoTransform: true,
      sharedMaxAgeSeconds: 1,
      staleWhileRevalidateSeconds: 2,
      staleIfErrorSeconds: 3,
    },
  ),
  row('RFC 9213 2.1: true in full', 'no-store=?1', { hasNoStore: true }),
  row('RFC 9213 2.1: fields as a string', 'private="X-One, x-two"', { withheldFields: ['x-one', 'x-two'] }),
  row('RFC 9213 2.1: no fields in it', 'no-cache=""', { hasNoCache: true }),
  row('RFC 9213 2.1: no names of fields in it', 'private="x one"', { hasPrivate: true }),
  row('RFC 9213 2.1: parameters say nothing', 'max-age=60;a;b=1;c="x, no-store";d=?0, public;x', {
    maxAgeSeconds: 60,
    hasPublic: true,
  }),
  row('RFC 9213 2.2: unknown directives', 'none', {}),
  row(
    'RFC 9213 2.2: unknown directives of all types',
    'a=1, b=-1.5, c="x\\"\\\\", d=tok/en:*, e=:YWJj:, f=?0, g=(1 "x" y;z), max-age=60',
    {
      maxAgeSeconds: 60,
    },
  ),
  row('RFC 9111 1.2.2: above 2^31', 'max-age=99999999999', { maxAgeSeconds: 2147483648 }),
  row('RFC 9111 1.2.2: zero', 's-maxage=0', { sharedMaxAgeSeconds: 0 }),
  row('RFC 9111 4.2.1: below zero is stale', 'max-age=-60', { maxAgeSeconds: -1 }),
  row('RFC 8941 3.2: the last of a key', 'max-age=60, max-age=1', { maxAgeSeconds: 1 }),
  row('RFC 8941 3.2: the last of a key, though the first has another type', 'max-age="60", max-age=1', {
    maxAgeSeconds: 1,
  }),
  row('RFC 8941 4.2: several lines', ['max-age=60', 'public'], { maxAgeSeconds: 60, hasPublic: true }),
  row('RFC 8941 4.2: blanks at both ends', '  max-age=60  ', { maxAgeSeconds: 60 }),
  row('RFC 8941 4.2.2: blanks around commas', 'max-age=60\t ,\t public', { maxAgeSeconds: 60, hasPublic: true }),
  row('RFC 8941 4.2.2: a tab behind the last member', 'max-age=60\t', { maxAgeSeconds: 60 }),
  row('RFC 8941 3.3.1: 15 digits', 'a=999999999999999', {}),
  row('RFC 8941 3.3.2: 12 and 3 digits', 'a=999999999999.999', {}),
  row('RFC 8941 3.3.3: a string that is empty', 'a=""', {}),
  row('RFC 8941 3.3.5: no bytes', 'a=::', {}),
  row('RFC 8941 3.1.1: a list that is empty', 'a=( )', {}),
  row('RFC 8941 3.1.2: keys with marks', '*a_-.*0=1', {}),
  ...[
    ...['max-age="60"', 'max-age=60.0', 'max-age', 'max-age=?1', 'max-age=sixty', 'max-age=(60)', 's-maxage="1"'],
    ...['no-store=?0', 'no-store=1', 'no-store="x"', 'public=?0', 'public=yes', 'private=set-cookie', 'no-cache=(a b)'],
    ...['no-cache=?0', 'must-revalidate=0', 'stale-if-error="1"'],
  ].map((line) =>
    row(`RFC 9213 2.1: another type than the directive’s: ${line}`, `${line}, stale-while-revalidate=1`, undefined),
  ),
  ...[
    ...[
      'Max-Age=60',
      'max-age =60',
      'max-age= 60',
      'max-age=60,',
      ',max-age=60',
      'max-age=60,,public',
      'max-age=60 public',
    ],
    ...[
      'max-age=60, &&&',
      'max-age=60;',
      'max-age=60;A',
      'max-age=60;a=',
      'max-age=60 ;a',
      "max-age='60'",
      'max-age=+60',
    ],
    ...['a="x', 'a="x\\y"', 'a="é"', 'a="x\ty"', 'a="x\\', 'a=:YWJj', 'a=:Y?:', 'a=?2', 'a=?', 'a=-', 'a=1.', 'a=.5'],
    ...[
      'a=1.2345',
      'a=1234567890123456',
      'a=1234567890123.1',
      'a=(1',
      'a=(1"x")',
      'a=(1,2)',
      'a=(1 A;)',
      'a=@1',
      'a=((',
    ],
    ...['1a', '-a', '_a', 'a=()b', '\tmax-age=60', 'a=', 'a=,b', 'é', 'a=%"x"'],
  ].map((line) => row(`RFC 8941 4.2: a fault anywhere: ${line}`, line, undefined)),
];

interface RequestDirectivesCase {
  readonly title: string;
  readonly cacheControl: readonly string[];
  readonly pragma: readonly string[];
  /** All else is not said. */
  readonly said: Partial<RequestDirectives>;
}

const asked = (
  title: string,
  cacheControl: string,
  said: Partial<RequestDirectives>,
  pragma: readonly string[] = [],
) => ({
  title,
  cacheControl: cacheControl === '' ? [] : [cacheControl],
  pragma,
  said,
});

export const REQUEST_CASES: readonly RequestDirectivesCase[] = [
  asked('RFC 9111 5.2.1: nothing', '', {}),
  asked('RFC 9111 5.2.1.1: max-age', 'max-age=60', { maxAgeSeconds: 60 }),
  asked('RFC 9111 5.2.1.1: max-age that is no number', 'max-age=x', { maxAgeSeconds: -1 }),
  asked('RFC 9111 5.2.1.2: max-stale', 'max-stale=60', { maxStaleSeconds: 60 }),
  asked('RFC 9111 5.2.1.2: max-stale of any age', 'max-stale', { maxStaleSeconds: 2147483648 }),
  asked('RFC 9111 5.2.1.2: max-stale that is no number', 'max-stale=', { maxStaleSeconds: -1 }),
  asked('RFC 9111 5.2.1.3: min-fresh', 'min-fresh=60', { minFreshSeconds: 60 }),
  asked('RFC 9111 5.2.1.4: no-cache', 'No-Cache', { hasNoCache: true }),
  asked('RFC 9111 5.2.1.5: no-store', 'no-store', { hasNoStore: true }),
  asked('RFC 9111 5.2.1.6: no-transform', 'no-transform', { hasNoTransform: true }),
  asked('RFC 9111 5.2.1.7: only-if-cached', 'only-if-cached', { hasOnlyIfCached: true }),
  asked('RFC 5861 4: stale-if-error', 'stale-if-error=60', { staleIfErrorSeconds: 60 }),
  asked('RFC 9111 5.2.1: several', 'max-age=1, max-stale=2, min-fresh=3, foo', {
    maxAgeSeconds: 1,
    maxStaleSeconds: 2,
    minFreshSeconds: 3,
  }),
  asked(
    'RFC 9111 4.2.1: the first of each',
    'max-age=1, max-age=2, max-stale=1, max-stale, min-fresh=1, min-fresh=2, stale-if-error=1, stale-if-error=2',
    {
      staleIfErrorSeconds: 1,
      maxAgeSeconds: 1,
      maxStaleSeconds: 1,
      minFreshSeconds: 1,
    },
  ),
  asked('RFC 9111 5.4: Pragma: no-cache', '', { hasNoCache: true }, ['foo, No-Cache']),
  asked('RFC 9111 5.4: another Pragma', '', {}, ['foo=no-cache']),
  asked('RFC 9111 5.4: Pragma beside Cache-Control', 'max-age=60', { maxAgeSeconds: 60 }, ['no-cache']),
];

/** What Surrogate-Control says. */
export const SURROGATE_CASES: readonly AnswerDirectivesCase[] = [
  row('W3C edge-arch 2.2: no field', [], undefined),
  row('W3C edge-arch 2.2: nothing but what is to be processed', 'content="ESI/1.0 ORAMA/1"', undefined),
  row('W3C edge-arch 2.2.2: max-age', 'max-age=3600', { maxAgeSeconds: 3600 }),
  row('W3C edge-arch 2.2.2: max-age beside content, in any case', 'content="ESI/1.0", MAX-AGE=60', {
    maxAgeSeconds: 60,
  }),
  row('W3C edge-arch 2.2.2: max-age with an extension', 'max-age=30+60', {
    maxAgeSeconds: 30,
    staleWhileRevalidateSeconds: 60,
  }),
  row('W3C edge-arch 2.2.2: an extension that is none', 'max-age=30+x', {
    maxAgeSeconds: 30,
    staleWhileRevalidateSeconds: -1,
  }),
  row('W3C edge-arch 2.2.2: what is no number', 'max-age=x', { maxAgeSeconds: -1 }),
  row('W3C edge-arch 2.2.2: no-store', 'no-store', { hasNoStore: true }),
  row('W3C edge-arch 2.2.2: no-store-remote', 'no-store-remote', { hasNoStore: true }),
  row('W3C edge-arch 2.2.3: for surrogates of another name', 'max-age=60;abc, no-store;abc', {
    maxAgeSeconds: -1,
    hasNoStore: true,
  }),
  row('stale times alone', 'stale-while-revalidate=60, stale-if-error=60', undefined),
  row('what forbids no storing alone', 'must-revalidate, proxy-revalidate, no-transform', undefined),
  row('s-maxage, by which Cache-Control tells shared caches from others', 's-maxage=60', undefined),
  row('s-maxage beside max-age', 's-maxage=60, max-age=30', { maxAgeSeconds: 30 }),
  row('several lines', ['content="ESI/1.0"', 'stale-if-error=9', 'max-age=60'], {
    maxAgeSeconds: 60,
    staleIfErrorSeconds: 9,
  }),
];
