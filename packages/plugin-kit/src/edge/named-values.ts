import { isSpace } from './blanks.ts';
import { endOfQuoted } from './quoted-text.ts';
import { addArgumentValues, addCookieValues, isPlainName, readingsOfName } from './value-readings.ts';

/**
 * All that origins may take the cookies and arguments of a request for. They do not agree where one ends, how its name and value
 * are written, or which of several counts: what blocks has to hold for any reading, what lets pass for all.
 */
export interface PossibleValues {
  readonly values: readonly string[];
  /** Every origin finds a cookie or argument of that name. */
  readonly isSure: boolean;
}

/** What origins find a cookie or argument: those to which only `&` ends an argument, those to which `;` does as well, or all. */
const BY_AMPERSAND = 1;
const BY_SEMICOLON = 2;
const BY_ANY = 3;
/** Those to which a name ends at `]=`, wherever the first `=` is: Express's `qs`. */
const BY_BRACKET = 4;

/**
 * Where what is named stands in a text: taken apart once for however many names are asked for. In numbers, and those of one name in
 * a chain, because a visitor may send thousands.
 */
export interface NamedIndex {
  readonly text: string;
  readonly isCookies: boolean;
  count: number;
  readonly starts: number[];
  readonly ends: number[];
  readonly finders: number[];
  /** Whether every origin finds one there, and of this very name. */
  readonly areSure: boolean[];
  /** The next of the same name; -1 for none. */
  readonly following: number[];
  /** By name, `=` before it because JavaScript has names of its own. */
  readonly first: { [markedName: string]: number | undefined };
  readonly last: { [markedName: string]: number | undefined };
  /** Of names that are not plain. */
  readonly readings: { [markedName: string]: readonly string[] | undefined };
  /** False: in doubt. */
  readonly known: { [markedName: string]: PossibleValues | false | undefined };
  nameReadingsLeft: number;
}

/** Readings of names that are not plain, and of the values of one name: more than any program sends are not looked at. */
const NAME_READINGS_MAX = 1500;
const VALUES_MAX = 2000;

const QUOTE = 34;
const COMMA = 44;
const EQUALS = 61;

/** Where the next `mark` before `end` is; `end` when there is none. `last`: where the one found before it is, looked for once. */
function nextMark(text: string, mark: string, start: number, last: number): number {
  if (last >= start) return last;
  const at = text.indexOf(mark, start);
  return at < 0 ? text.length : at;
}

function addFound(index: NamedIndex, name: string, start: number, end: number, finders: number, isSure: boolean): void {
  const key = `=${name}`;
  const at = index.count;
  index.count++;
  index.starts[at] = start;
  index.ends[at] = end;
  index.finders[at] = finders;
  index.areSure[at] = isSure;
  index.following[at] = -1;
  const before = index.last[key];
  if (before === undefined) index.first[key] = at;
  else index.following[before] = at;
  index.last[key] = at;
}

/** Adds one under all readings of its name, which stands from `start` to `nameEnd`; its value from `valueStart` to `end`. */
function addNamed(
  index: NamedIndex,
  start: number,
  nameEnd: number,
  valueStart: number,
  end: number,
  finders: number,
  isSure: boolean,
): void {
  const { text, isCookies } = index;
  const written = text.substring(start, nameEnd);
  if (isPlainName(text, start, nameEnd)) {
    addFound(index, written, valueStart, end, finders, isSure);
    return;
  }
  if (index.nameReadingsLeft < 0) return;
  const key = `=${written}`;
  let names = index.readings[key];
  if (names === undefined) {
    names = readingsOfName(written, isCookies);
    index.readings[key] = names;
    index.nameReadingsLeft -= names.length;
  }
  // The first is what most origins have, and all where nothing is decoded that some take as it is.
  const isDecoded = written.includes('+') || (isCookies && written.includes('%'));
  for (let at = 0; at < names.length; at++)
    addFound(index, names[at] as string, valueStart, end, finders, isSure && at === 0 && !isDecoded);
}

const createIndex = (text: string, isCookies: boolean): NamedIndex => ({
  text,
  isCookies,
  count: 0,
  starts: [],
  ends: [],
  finders: [],
  areSure: [],
  following: [],
  first: {},
  last: {},
  readings: {},
  known: {},
  nameReadingsLeft: NAME_READINGS_MAX,
});

/** Where the next of the marks at which an argument's name may end are. */
interface NameEnds {
  equals: number;
  bracket: number;
  upper: number;
  lower: number;
}

/** Adds an argument under the names that end at its first `=`, and at its first `]=`, in escapes or not (versions of `qs` differ). */
function addArgument(
  index: NamedIndex,
  ends: NameEnds,
  start: number,
  end: number,
  finders: number,
  isSure: boolean,
): void {
  const { text } = index;
  ends.equals = nextMark(text, '=', start, ends.equals);
  const nameEnd = Math.min(ends.equals, end);
  ends.bracket = nextMark(text, ']=', start, ends.bracket);
  ends.upper = nextMark(text, '%5D=', start, ends.upper);
  ends.lower = nextMark(text, '%5d=', start, ends.lower);
  const written = ends.bracket + 1;
  const escaped = Math.min(ends.upper, ends.lower) + 3;
  const hasWritten = written < end && written > nameEnd;
  const hasEscaped = escaped < end && escaped > nameEnd;
  addNamed(index, start, nameEnd, nameEnd + 1, end, finders, isSure && !hasWritten && !hasEscaped);
  if (hasWritten) addNamed(index, start, written, written + 1, end, BY_BRACKET, false);
  if (hasEscaped) addNamed(index, start, escaped, escaped + 1, end, BY_BRACKET, false);
}

/** The arguments of a query: `&` ends one, and to some origins `;` (HTML 4.01 B.2.2; Rack, Perl, Python until 2021). */
export function indexArguments(this: void, query: string): NamedIndex {
  const index = createIndex(query, false);
  const ends: NameEnds = { equals: -1, bracket: -1, upper: -1, lower: -1 };
  const length = query.length;
  let [start, ampersand, semicolon] = [0, -1, -1];
  while (start < length) {
    ampersand = nextMark(query, '&', start, ampersand);
    semicolon = nextMark(query, ';', start, semicolon);
    const end = ampersand;
    const isWhole = semicolon >= end;
    if (end > start) {
      ends.equals = nextMark(query, '=', start, ends.equals);
      const isSure = isWhole || semicolon > ends.equals;
      addArgument(index, ends, start, end, isWhole ? BY_ANY : BY_AMPERSAND, isSure);
    }
    let partStart = start;
    while (!isWhole && partStart < end) {
      semicolon = nextMark(query, ';', partStart, semicolon);
      const partEnd = Math.min(semicolon, end);
      if (partEnd > partStart) addArgument(index, ends, partStart, partEnd, BY_SEMICOLON, false);
      partStart = partEnd + 1;
    }
    start = end + 1;
  }
  return index;
}

const isDivider = (code: number): boolean => code === COMMA || isSpace(code);

function isDivided(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (isDivider(text.charCodeAt(at))) return true;
  return false;
}

function skipSpaces(text: string, start: number, end: number): number {
  let at = start;
  while (at < end && isSpace(text.charCodeAt(at))) at++;
  return at;
}

function skipWord(text: string, start: number, end: number): number {
  let at = start;
  while (at < end && !isDivider(text.charCodeAt(at))) at++;
  return at;
}

/**
 * Cookies within what others take for one: to some origins a comma or a blank ends one (RFC 2109 4.3.4; Python's http.cookies), where
 * it is not beside the `=`. What follows blanks behind `=` is its value to some, and the next name to others.
 */
function indexParts(index: NamedIndex, start: number, end: number): void {
  const { text } = index;
  let at = start;
  while (at < end) {
    const nameStart = at;
    while (at < end && text.charCodeAt(at) !== EQUALS && !isDivider(text.charCodeAt(at))) at++;
    const nameEnd = at;
    at = skipSpaces(text, at, end);
    if (nameEnd > nameStart && at < end && text.charCodeAt(at) === EQUALS) {
      const valueStart = at + 1;
      const valueEnd = skipWord(text, valueStart, end);
      addNamed(index, nameStart, nameEnd, valueStart, valueEnd, BY_ANY, false);
      const next = skipSpaces(text, valueStart, end);
      const isApart = next > valueStart && next < end;
      if (isApart) addNamed(index, nameStart, nameEnd, next, skipWord(text, next, end), BY_ANY, false);
      at = valueEnd;
    } else if (at < end && text.charCodeAt(at) === EQUALS) at = skipWord(text, at, end);
    while (at < end && isDivider(text.charCodeAt(at))) at++;
  }
}

/**
 * The cookies of a Cookie field. A quoted string may hold a `;` or not (RFC 2109, RFC 6265): what is within one is found, but not
 * sure. One without `=` is an empty one of that name.
 */
export function indexCookies(this: void, cookies: string): NamedIndex {
  const index = createIndex(cookies, true);
  const length = cookies.length;
  let [start, semicolon, equals, quotedEnd] = [0, -1, -1, -1];
  while (start < length) {
    semicolon = nextMark(cookies, ';', start, semicolon);
    const end = semicolon;
    start = skipSpaces(cookies, start, end);
    equals = nextMark(cookies, '=', start, equals);
    const nameEnd = Math.min(equals, end);
    if (end > start) {
      addNamed(index, start, nameEnd, nameEnd + 1, end, BY_ANY, nameEnd < end && start > quotedEnd);
      if (equals < end && isDivided(cookies, start, end)) indexParts(index, start, end);
      const open = skipSpaces(cookies, nameEnd + 1, end);
      if (open < end && cookies.charCodeAt(open) === QUOTE) {
        const close = endOfQuoted(cookies, open);
        quotedEnd = Math.max(quotedEnd, close < 0 ? length : close);
      }
    }
    start = end + 1;
  }
  return index;
}

/** Of arguments that come several times some origins make a list (ASP.NET, ASP, what Express makes a text of). */
function addJoined(values: string[], joined: readonly string[]): void {
  if (joined.length < 2) return;
  values.push(joined.join(','), joined.join(', '));
}

function readPossible(index: NamedIndex, key: string): PossibleValues | undefined {
  const values: string[] = [];
  const ofAmpersands: string[] = [];
  const ofSemicolons: string[] = [];
  let isSure = false;
  let at = index.first[key] ?? -1;
  while (at >= 0) {
    const from = values.length;
    const start = index.starts[at] as number;
    const end = Math.max(start, index.ends[at] as number);
    if (index.isCookies) {
      if (!addCookieValues(values, index.text, start, end)) return undefined;
    } else addArgumentValues(values, index.text.substring(start, end));
    if (index.areSure[at] === true) isSure = true;
    const finders = index.finders[at];
    if (finders === BY_AMPERSAND || finders === BY_ANY) ofAmpersands.push(values[from] as string);
    if (finders === BY_SEMICOLON || finders === BY_ANY) ofSemicolons.push(values[from] as string);
    if (values.length > VALUES_MAX) return undefined;
    at = index.following[at] as number;
  }
  if (!index.isCookies) {
    addJoined(values, ofAmpersands);
    if (index.text.includes(';')) addJoined(values, ofSemicolons);
  }
  return { values, isSure };
}

/** What origins may take the cookies or arguments of one name for; undefined: in doubt, there is too much to look at, or what it is read as is not known. */
export function possibleValues(this: void, index: NamedIndex, name: string): PossibleValues | undefined {
  if (index.nameReadingsLeft < 0) return undefined;
  const key = `=${name}`;
  const known = index.known[key];
  if (known !== undefined) return known === false ? undefined : known;
  const possible = readPossible(index, key);
  index.known[key] = possible ?? false;
  return possible;
}
