import { trimBlanks } from './field-syntax.ts';

const ZERO = 48;
const SECONDS_PER_DAY = 86400;
/** Of the Gregorian calendar, on average. */
const SECONDS_PER_YEAR = 31556952;

const SHORT_DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
const LONG_DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const DAYS_IN_MONTH = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** What a date says, each part in its bounds. */
interface CalendarDate {
  readonly year: number;
  /** 0 is January. */
  readonly month: number;
  readonly day: number;
  readonly secondOfDay: number;
}

/** The number that exactly `count` digits from `at` on are; -1 where there are others. */
function digitsAt(text: string, at: number, count: number): number {
  if (at + count > text.length) return -1;
  let number = 0;
  for (let index = at; index < at + count; index++) {
    const digit = text.charCodeAt(index) - ZERO;
    if (digit < 0 || digit > 9) return -1;
    number = number * 10 + digit;
  }
  return number;
}

const monthAt = (text: string, at: number): number => MONTHS.indexOf(text.substring(at, at + 3));

/** Second of the day of `08:49:37` at `at`; -1 where there is none. */
function timeAt(text: string, at: number): number {
  const hour = digitsAt(text, at, 2);
  const minute = digitsAt(text, at + 3, 2);
  const second = digitsAt(text, at + 6, 2);
  if (text.charAt(at + 2) !== ':' || text.charAt(at + 5) !== ':') return -1;
  if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 60) return -1;
  // Unix time has no leap second, and a date is never taken for a later one (RFC 9111 4.2).
  return hour * 3600 + minute * 60 + Math.min(second, 59);
}

const isLeapYear = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);

/** Days from 1970-01-01 to a day of the Gregorian calendar. Years begin in March here, so that a leap day is the last of its year. */
function daysSinceEpoch(year: number, month: number, day: number): number {
  const marchYear = month < 2 ? year - 1 : year;
  const marchMonth = (month + 10) % 12;
  const leapDays = Math.floor(marchYear / 4) - Math.floor(marchYear / 100) + Math.floor(marchYear / 400);
  return marchYear * 365 + leapDays + Math.floor((153 * marchMonth + 2) / 5) + day - 1 - 719468;
}

const secondsOf = (year: number, date: CalendarDate): number =>
  daysSinceEpoch(year, date.month, date.day) * SECONDS_PER_DAY + date.secondOfDay;

function secondsInYear(year: number, date: CalendarDate): number | undefined {
  const isLeapDay = date.month === 1 && date.day === 29;
  return isLeapDay && !isLeapYear(year) ? undefined : secondsOf(year, date);
}

/** The parts, when all are in their bounds; year 0 to 9999. */
function checkedDate(year: number, month: number, day: number, secondOfDay: number): CalendarDate | undefined {
  if (year < 0 || month < 0 || secondOfDay < 0) return undefined;
  if (day < 1 || day > (DAYS_IN_MONTH[month] as number)) return undefined;
  return { year, month, day, secondOfDay };
}

/** `sun, 06 nov 1994 08:49:37 gmt` */
function readFixedDate(text: string): CalendarDate | undefined {
  if (text.length !== 29 || !SHORT_DAYS.includes(text.substring(0, 3)) || text.substring(3, 5) !== ', ')
    return undefined;
  if (text.charAt(7) !== ' ' || text.charAt(11) !== ' ' || text.charAt(16) !== ' ') return undefined;
  if (text.substring(25) !== ' gmt') return undefined;
  return checkedDate(digitsAt(text, 12, 4), monthAt(text, 8), digitsAt(text, 5, 2), timeAt(text, 17));
}

/** `sunday, 06-nov-94 08:49:37 gmt`; its year is that of the century. */
function readObsoleteDate(text: string): CalendarDate | undefined {
  const comma = text.indexOf(',');
  if (comma < 0 || !LONG_DAYS.includes(text.substring(0, comma))) return undefined;
  const rest = text.substring(comma);
  if (rest.length !== 24 || rest.substring(0, 2) !== ', ' || rest.substring(20) !== ' gmt') return undefined;
  if (rest.charAt(4) !== '-' || rest.charAt(8) !== '-' || rest.charAt(11) !== ' ') return undefined;
  return checkedDate(digitsAt(rest, 9, 2), monthAt(rest, 5), digitsAt(rest, 2, 2), timeAt(rest, 12));
}

/** `sun nov  6 08:49:37 1994` */
function readAsctimeDate(text: string): CalendarDate | undefined {
  if (text.length !== 24 || !SHORT_DAYS.includes(text.substring(0, 3))) return undefined;
  if (text.charAt(3) !== ' ' || text.charAt(7) !== ' ' || text.charAt(10) !== ' ' || text.charAt(19) !== ' ') {
    return undefined;
  }
  const day = text.charAt(8) === ' ' ? digitsAt(text, 9, 1) : digitsAt(text, 8, 2);
  return checkedDate(digitsAt(text, 20, 4), monthAt(text, 4), day, timeAt(text, 11));
}

/**
 * The latest time of a date whose year has two digits that is no more than 50 years ahead of `now` (RFC 9110 5.6.7).
 * Undefined for a leap day that its year does not have.
 */
function secondsInCentury(date: CalendarDate, now: number): number | undefined {
  const century = Math.floor((1970 + now / SECONDS_PER_YEAR) / 100) * 100;
  let year = century + 100 + date.year;
  while (secondsOf(year - 50, date) > now) year -= 100;
  return secondsInYear(year, date);
}

/**
 * Unix seconds of a date in one of the three formats of RFC 9110 5.6.7, whatever the case of its letters (RFC 9111 4.2);
 * undefined for any other text. The name of the day has to be one, but need not be that day's. `now`, Unix seconds, is for
 * years of two digits.
 */
export function parseHttpDate(this: void, value: string, now: number): number | undefined {
  const text = trimBlanks(value).toLowerCase();
  const date = readFixedDate(text) ?? readAsctimeDate(text);
  if (date !== undefined) return secondsInYear(date.year, date);
  const obsolete = readObsoleteDate(text);
  return obsolete === undefined ? undefined : secondsInCentury(obsolete, now);
}
