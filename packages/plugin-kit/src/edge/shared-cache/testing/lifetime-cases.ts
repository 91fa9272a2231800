import { httpDate } from './clock.ts';
import { byDefault, cc, DAY, etag, fresh, modified, on, stored, type TitledCase } from './storage-case.ts';

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

/** Lifetimes and ages. */
export const LIFETIME_CASES: readonly TitledCase[] = [...LIFETIMES, ...HEURISTICS, ...AGES];
