import {
  addArgumentValues,
  addCookieValues,
  addQuotedValues,
  endOfQuoted,
  isPlainName,
  readingsOfName,
} from './value-readings.ts';

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

const SPACE = 32;
const QUOTE = 34;
const COMMA = 44;
const TAB = 9;

const isBlank = (code: number): boolean => code === SPACE || code === TAB;

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

/** Adds one under all readings of its name, which stands from `start` to `nameEnd`, before its value, which ends at `end`. */
function addNamed(
  index: NamedIndex,
  start: number,
  nameEnd: number,
  end: number,
  finders: number,
  isSure: boolean,
): void {
  const { text, isCookies } = index;
  const written = text.substring(start, nameEnd);
  if (isPlainName(text, start, nameEnd)) {
    addFound(index, written, nameEnd + 1, end, finders, isSure);
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
    addFound(index, names[at] as string, nameEnd + 1, end, finders, isSure && at === 0 && !isDecoded);
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

/** The arguments of a query: `&` ends one, and to some origins `;` (HTML 4.01 B.2.2; Rack, Perl, Python until 2021). */
export function indexArguments(this: void, query: string): NamedIndex {
  const index = createIndex(query, false);
  const length = query.length;
  let [start, ampersand, semicolon, equals] = [0, -1, -1, -1];
  while (start < length) {
    ampersand = nextMark(query, '&', start, ampersand);
    semicolon = nextMark(query, ';', start, semicolon);
    equals = nextMark(query, '=', start, equals);
    const end = ampersand;
    const nameEnd = Math.min(equals, end);
    const isWhole = semicolon >= end;
    if (end > start)
      addNamed(index, start, nameEnd, end, isWhole ? BY_ANY : BY_AMPERSAND, isWhole || semicolon > nameEnd);
    let partStart = start;
    while (!isWhole && partStart < end) {
      semicolon = nextMark(query, ';', partStart, semicolon);
      equals = nextMark(query, '=', partStart, equals);
      const partEnd = Math.min(semicolon, end);
      const partNameEnd = Math.min(equals, partEnd);
      if (partEnd > partStart) addNamed(index, partStart, partNameEnd, partEnd, BY_SEMICOLON, false);
      partStart = partEnd + 1;
    }
    start = end + 1;
  }
  return index;
}

function isDivided(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code === COMMA || isBlank(code)) return true;
  }
  return false;
}

/** Cookies within what others take for one, the first `=` of which is at `firstEquals`: to some origins a comma or a blank ends one (RFC 2109 4.3.4; Python's http.cookies). */
function indexParts(index: NamedIndex, start: number, end: number, firstEquals: number): void {
  const { text } = index;
  let partStart = start;
  let equals = firstEquals;
  for (let at = start; at <= end; at++) {
    const code = at < end ? text.charCodeAt(at) : COMMA;
    if (code === COMMA || isBlank(code)) {
      equals = nextMark(text, '=', partStart, equals);
      if (equals > partStart && equals < at) addNamed(index, partStart, equals, at, BY_ANY, false);
      partStart = at + 1;
    }
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
    while (start < end && isBlank(cookies.charCodeAt(start))) start++;
    equals = nextMark(cookies, '=', start, equals);
    const nameEnd = Math.min(equals, end);
    if (end > start) {
      addNamed(index, start, nameEnd, end, BY_ANY, nameEnd < end && start > quotedEnd);
      if (equals < end && isDivided(cookies, start, end)) indexParts(index, start, end, equals);
      let open = nameEnd + 1;
      while (open < end && isBlank(cookies.charCodeAt(open))) open++;
      if (open < end && cookies.charCodeAt(open) === QUOTE) {
        const close = endOfQuoted(cookies, open);
        quotedEnd = Math.max(quotedEnd, close < 0 ? length : close);
      }
    }
    start = end + 1;
  }
  return index;
}

/** Adds what a cookie may be whose value stands from `start` to `end`, or, where it is quoted, up to its closing quote. */
function addCookie(values: string[], text: string, start: number, end: number): void {
  addCookieValues(values, text.substring(start, end));
  let open = start;
  while (open < end && isBlank(text.charCodeAt(open))) open++;
  if (open >= end || text.charCodeAt(open) !== QUOTE) return;
  const close = endOfQuoted(text, open);
  if (close >= 0) addQuotedValues(values, text.substring(open + 1, close));
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
    if (index.isCookies) addCookie(values, index.text, start, end);
    else addArgumentValues(values, index.text.substring(start, end));
    if (index.areSure[at] === true) isSure = true;
    if (index.finders[at] !== BY_SEMICOLON) ofAmpersands.push(values[from] as string);
    if (index.finders[at] !== BY_AMPERSAND) ofSemicolons.push(values[from] as string);
    if (values.length > VALUES_MAX) return undefined;
    at = index.following[at] as number;
  }
  if (!index.isCookies) {
    addJoined(values, ofAmpersands);
    if (index.text.includes(';')) addJoined(values, ofSemicolons);
  }
  return { values, isSure };
}

/** What origins may take the cookies or arguments of one name for; undefined: in doubt, there is too much to look at. */
export function possibleValues(this: void, index: NamedIndex, name: string): PossibleValues | undefined {
  if (index.nameReadingsLeft < 0) return undefined;
  const key = `=${name}`;
  const known = index.known[key];
  if (known !== undefined) return known === false ? undefined : known;
  const possible = readPossible(index, key);
  index.known[key] = possible ?? false;
  return possible;
}
