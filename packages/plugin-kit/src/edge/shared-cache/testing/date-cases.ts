const FIXED = 'Sun, 06 Nov 1994 08:49:37 GMT';
const OBSOLETE = 'Sunday, 06-Nov-94 08:49:37 GMT';
const ASCTIME = 'Sun Nov  6 08:49:37 1994';

/** The same with another mark in place of each that parts what it has. */
const withWrongMarks = (text: string): string[] =>
  Array.from(text).flatMap((mark, at) => (/[ ,:-]/.test(mark) ? [`${text.slice(0, at)}_${text.slice(at + 1)}`] : []));

/** Last days of months in a common year, from January on. */
const LAST_DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** What it shows, a text, and the time that it is at `NOW`; null: none. */
export const DATE_CASES: readonly (readonly [title: string, text: string, time: string | null])[] = [
  ['RFC 9110 5.6.7: IMF-fixdate', FIXED, '1994-11-06T08:49:37Z'],
  ['RFC 9110 5.6.7: the obsolete format of RFC 850', OBSOLETE, '1994-11-06T08:49:37Z'],
  ["RFC 9110 5.6.7: the obsolete format of C's asctime", 'Sun Nov  6 08:49:37 1994', '1994-11-06T08:49:37Z'],
  ['RFC 9110 5.6.7: asctime with two digits of the day', 'Wed Nov 16 08:49:37 1994', '1994-11-16T08:49:37Z'],
  ['RFC 9110 5.6.7: two digits are of this century', 'Wednesday, 01-Jan-70 00:00:00 GMT', '2070-01-01T00:00:00Z'],
  ['RFC 9110 5.6.7: 50 years ahead are no more', 'Friday, 15-Jan-77 08:00:00 GMT', '2077-01-15T08:00:00Z'],
  [
    'RFC 9110 5.6.7: a second above 50 years is of the last century',
    'Saturday, 15-Jan-77 08:00:01 GMT',
    '1977-01-15T08:00:01Z',
  ],
  ['RFC 9110 5.6.7: two digits of zero', 'Saturday, 01-Jan-00 00:00:00 GMT', '2000-01-01T00:00:00Z'],
  ['RFC 9110 5.6.7: the last century’s leap day', 'Sunday, 29-Feb-92 00:00:00 GMT', '1992-02-29T00:00:00Z'],
  ['RFC 9110 5.6.7: two digits of a year without that leap day', 'Monday, 29-Feb-93 00:00:00 GMT', null],
  ['RFC 9110 5.6.7: before 1970', 'Wed, 31 Dec 1969 23:59:59 GMT', '1969-12-31T23:59:59Z'],
  ['RFC 9110 5.6.7: year 0', 'Sat, 01 Jan 0000 00:00:00 GMT', '0000-01-01T00:00:00Z'],
  ['RFC 9110 5.6.7: year 9999', 'Fri, 31 Dec 9999 23:59:59 GMT', '9999-12-31T23:59:59Z'],
  ['RFC 9110 5.6.7: beyond 32 bits', 'Tue, 19 Jan 2038 03:14:08 GMT', '2038-01-19T03:14:08Z'],
  ['RFC 9110 5.6.7: a leap day', 'Thu, 29 Feb 2024 12:00:00 GMT', '2024-02-29T12:00:00Z'],
  ['RFC 9110 5.6.7: a leap day of a year by 400', 'Tue, 29 Feb 2000 12:00:00 GMT', '2000-02-29T12:00:00Z'],
  ['RFC 9110 5.6.7: a leap day of a year by 100', 'Mon, 29 Feb 2100 12:00:00 GMT', null],
  ['RFC 9110 5.6.7: a leap day of a common year', 'Wed, 29 Feb 2023 12:00:00 GMT', null],
  ['RFC 9110 5.6.7: the day before March', 'Tue, 28 Feb 2023 23:59:59 GMT', '2023-02-28T23:59:59Z'],
  ['RFC 9110 5.6.7: 31 April', 'Fri, 31 Apr 2026 00:00:00 GMT', null],
  ['RFC 9110 5.6.7: day 0', 'Fri, 00 Apr 2026 00:00:00 GMT', null],
  ['RFC 9110 5.6.7: another day’s name', 'Mon, 06 Nov 1994 08:49:37 GMT', '1994-11-06T08:49:37Z'],
  [
    'RFC 9111 4.2: a leap second is never taken for a later time',
    'Sat, 31 Dec 2016 23:59:60 GMT',
    '2016-12-31T23:59:59Z',
  ],
  ['RFC 9111 4.2: letters of any case', 'SUN, 06 nOV 1994 08:49:37 gmt', '1994-11-06T08:49:37Z'],
  [
    'RFC 9111 4.2: letters of any case in the obsolete format',
    'SUNDAY, 06-NOV-94 08:49:37 Gmt',
    '1994-11-06T08:49:37Z',
  ],
  ['RFC 9111 4.2: letters of any case in that of asctime', 'sun nov  6 08:49:37 1994', '1994-11-06T08:49:37Z'],
  ['RFC 9111 4.2: another zone', 'Sun, 06 Nov 1994 08:49:37 UTC', null],
  ['RFC 9111 4.2: another zone’s offset', 'Sun, 06 Nov 1994 08:49:37 +0000', null],
  ['RFC 9111 4.2: another zone in the obsolete format', 'Sunday, 06-Nov-94 08:49:37 EST', null],
  ['RFC 9111 4.2: no zone', 'Sun, 06 Nov 1994 08:49:37', null],
  ['RFC 9111 5.3: 0', '0', null],
  ['RFC 9111 5.3: -1', '-1', null],
  ['RFC 9111 5.3: nothing', '', null],
  ['RFC 9111 5.3: a number of seconds', '1800000000', null],
  ['RFC 9110 5.6.3: blanks at both ends', ' \tSun, 06 Nov 1994 08:49:37 GMT\t ', '1994-11-06T08:49:37Z'],
  ['RFC 9110 5.6.7: two blanks', 'Sun, 06  Nov 1994 08:49:37 GMT', null],
  ['RFC 9110 5.6.7: no comma', 'Sun 06 Nov 1994 08:49:37 GMT', null],
  ['RFC 9110 5.6.7: no blank behind the comma', 'Sun,06 Nov 1994 08:49:37 GMT', null],
  ['RFC 9110 5.6.7: hyphens with a short day', 'Sun, 06-Nov-1994 08:49:37 GMT', null],
  ['RFC 9110 5.6.7: blanks with a long day', 'Sunday, 06 Nov 94 08:49:37 GMT', null],
  ['RFC 9110 5.6.7: four digits with a long day', 'Sunday, 06-Nov-1994 08:49:37 GMT', null],
  ['RFC 9110 5.6.7: two digits with a short day', 'Sun, 06 Nov 94 08:49:37 GMT', null],
  ['RFC 9110 5.6.7: one digit of the day', 'Sun, 6 Nov 1994 08:49:37 GMT', null],
  ['RFC 9110 5.6.7: one digit of the hour', 'Sun, 06 Nov 1994 8:49:37 GMT', null],
  ['RFC 9110 5.6.7: a blank for a digit', 'Sun, 06 Nov 1994  8:49:37 GMT', null],
  ['RFC 9110 5.6.7: dots in the time', 'Sun, 06 Nov 1994 08.49.37 GMT', null],
  ['RFC 9110 5.6.7: hour 24', 'Sun, 06 Nov 1994 24:00:00 GMT', null],
  ['RFC 9110 5.6.7: minute 60', 'Sun, 06 Nov 1994 08:60:00 GMT', null],
  ['RFC 9110 5.6.7: second 61', 'Sun, 06 Nov 1994 08:49:61 GMT', null],
  ['RFC 9110 5.6.7: no day’s name', 'Sum, 06 Nov 1994 08:49:37 GMT', null],
  ['RFC 9110 5.6.7: no long day’s name', 'Sumday, 06-Nov-94 08:49:37 GMT', null],
  ['RFC 9110 5.6.7: no day’s name in that of asctime', 'Sum Nov  6 08:49:37 1994', null],
  ['RFC 9110 5.6.7: no month', 'Sun, 06 Nom 1994 08:49:37 GMT', null],
  ['RFC 9110 5.6.7: one digit and no blank in that of asctime', 'Sun Nov 6 08:49:37 1994', null],
  ['RFC 9110 5.6.7: no blanks in that of asctime', 'Sun-Nov- 6-08:49:37-1994', null],
  ['RFC 9110 5.6.7: a letter in the year', 'Sun, 06 Nov 19O4 08:49:37 GMT', null],
  ['RFC 9110 5.6.7: a sign in the year', 'Sun, 06 Nov -994 08:49:37 GMT', null],
  ['RFC 9110 5.6.7: more behind it', 'Sun, 06 Nov 1994 08:49:37 GMT; x', null],
  ['RFC 9110 5.6.7: two dates', 'Sun, 06 Nov 1994 08:49:37 GMT, Sun, 06 Nov 1994 08:49:38 GMT', null],
  ['RFC 9110 5.6.7: ISO 8601', '1994-11-06T08:49:37Z', null],
  ...[FIXED, OBSOLETE, ASCTIME].flatMap((date) =>
    withWrongMarks(date).map((text) => [`RFC 9110 5.6.7: a wrong mark: ${text}`, text, null] as const),
  ),
  ...MONTHS.map((month, at) => {
    const end = new Date(Date.UTC(1994, at, LAST_DAYS[at])).toISOString();
    return [`RFC 9110 5.6.7: the end of ${month}`, `Sun, ${LAST_DAYS[at]} ${month} 1994 00:00:00 GMT`, end] as const;
  }),
  ...MONTHS.map((month, at) => {
    const day = (LAST_DAYS[at] ?? 0) + 1;
    return [`RFC 9110 5.6.7: beyond the end of ${month}`, `Sun, ${day} ${month} 1994 00:00:00 GMT`, null] as const;
  }),
  ...['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'].map(
    (day) => [`RFC 9110 5.6.7: ${day} in full`, `${day}, 06-Nov-94 08:49:37 GMT`, '1994-11-06T08:49:37Z'] as const,
  ),
];
