import { bytesOfText, textOfBytes } from './byte-text.ts';
import { decodeEscapes, decodeForm } from './form-encoding.ts';

/** What origins commonly take the name or the value of a cookie or argument for. */

const TAB = 9;
const CARRIAGE_RETURN = 13;
const SPACE = 32;
const PERCENT = 37;
const PLUS = 43;
const COMMA = 44;
const DOT = 46;
const ZERO = 48;
const BRACKET = 91;
const BACKSLASH = 92;

const isSpace = (code: number): boolean => code === SPACE || (code >= TAB && code <= CARRIAGE_RETURN);

function withoutSpaces(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isSpace(text.charCodeAt(start))) start++;
  while (end > start && isSpace(text.charCodeAt(end - 1))) end--;
  return start === 0 && end === text.length ? text : text.substring(start, end);
}

/** `from`: where in the list the readings begin among which it is to stand once. */
function addOnce(texts: string[], from: number, text: string): void {
  for (let at = from; at < texts.length; at++) if (texts[at] === text) return;
  texts.push(text);
}

function addTrimmed(texts: string[], from: number, text: string): void {
  addOnce(texts, from, text);
  addOnce(texts, from, withoutSpaces(text));
}

const decodePercent = (text: string): string =>
  text.includes('%') ? textOfBytes(decodeEscapes(bytesOfText(text))) : text;

/** Whether all origins take the bytes from `start` to `end` for the name that they are. */
export function isPlainName(this: void, text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code <= COMMA && (isSpace(code) || code === PERCENT || code === PLUS || code === COMMA)) return false;
    if (code === DOT || code === BRACKET) return false;
  }
  return true;
}

/** PHP's: `.`, blanks and a bracket that is not closed are `_`. */
function mangledName(name: string): string {
  const dotless = name.includes('.') ? name.replaceAll('.', '_') : name;
  const blankless = dotless.includes(' ') ? dotless.replaceAll(' ', '_') : dotless;
  return blankless.includes('[') ? blankless.replaceAll('[', '_') : blankless;
}

function addNames(names: string[], name: string): void {
  addTrimmed(names, 0, name);
  const nul = name.indexOf('\0');
  const whole = withoutSpaces(nul < 0 ? name : name.substring(0, nul));
  addOnce(names, 0, whole);
  const bracket = whole.indexOf('[');
  const isClosed = bracket >= 0 && whole.indexOf(']', bracket) > 0;
  // `name[]`, `name[0]`, `name[key]`: a list or an object of that name (PHP, Rails, Express).
  const base = bracket > 0 ? whole.substring(0, bracket) : whole;
  addOnce(names, 0, base);
  addOnce(names, 0, mangledName(isClosed ? base : whole));
  // PHP takes blanks away before a name, and none behind it.
  if (name.endsWith(' ')) addOnce(names, 0, mangledName(`${whole} `));
}

/**
 * What an argument's name that is not plain may be: decoded, with `+` for a blank and for itself (URL Standard, RFC 3986), as
 * it is written where `isSentPlain` (of cookies, only some origins decode it), and each as `addNames` has it. The first is what
 * most have.
 */
export function readingsOfName(this: void, written: string, isSentPlain: boolean): readonly string[] {
  const names: string[] = [];
  if (isSentPlain) addNames(names, written);
  if (written.includes('+')) addNames(names, decodeForm(written));
  addNames(names, decodePercent(written));
  return names;
}

/** Adds what the value of an argument may be: decoded, with `+` for a blank first and for itself second, with and without spaces around. */
export function addArgumentValues(this: void, values: string[], written: string): void {
  const from = values.length;
  addTrimmed(values, from, decodeForm(written));
  if (written.includes('+')) addTrimmed(values, from, decodePercent(written));
}

/** The byte that three octal digits from `at` on stand for; -1 where there are none. */
function octalByte(bytes: string, at: number): number {
  if (at + 2 >= bytes.length) return -1;
  const high = bytes.charCodeAt(at) - ZERO;
  const middle = bytes.charCodeAt(at + 1) - ZERO;
  const low = bytes.charCodeAt(at + 2) - ZERO;
  const isByte = high >= 0 && high <= 3 && middle >= 0 && middle <= 7 && low >= 0 && low <= 7;
  return isByte ? high * 64 + middle * 8 + low : -1;
}

/** A quoted string without its escapes: `\\"` is `"`, `\\073` is `;` (RFC 9110 5.6.4; Python's http.cookies). */
function withoutBackslashes(quoted: string): string {
  const bytes = bytesOfText(quoted);
  const parts: string[] = [];
  let start = 0;
  let at = bytes.indexOf('\\');
  while (at >= 0 && at + 1 < bytes.length) {
    if (at > start) parts.push(bytes.substring(start, at));
    const code = octalByte(bytes, at + 1);
    // What is escaped is the next part's first.
    start = code < 0 ? at + 1 : at + 4;
    if (code >= 0) parts.push(String.fromCharCode(code));
    at = bytes.indexOf('\\', code < 0 ? at + 2 : start);
  }
  parts.push(bytes.substring(start));
  return textOfBytes(parts.join(''));
}

/** Where the string that is quoted at `open` ends: at its closing quote; -1 where there is none. */
export function endOfQuoted(this: void, text: string, open: number): number {
  let at = text.indexOf('"', open + 1);
  while (at >= 0) {
    let before = at - 1;
    while (before > open && text.charCodeAt(before) === BACKSLASH) before--;
    if ((at - before) % 2 === 1) return at;
    at = text.indexOf('"', at + 1);
  }
  return -1;
}

function addDecoded(values: string[], from: number, text: string): void {
  addTrimmed(values, from, text);
  if (text.includes('%')) addTrimmed(values, from, decodePercent(text));
  if (text.includes('+')) addTrimmed(values, from, decodeForm(text));
}

/** Adds what the value of a cookie may be: as it is, and decoded as arguments are, with `+` for itself and for a blank. */
export function addCookieValues(this: void, values: string[], written: string): void {
  addDecoded(values, values.length, written);
}

/** Adds what a quoted string is without its quotes, with its escapes and without. */
export function addQuotedValues(this: void, values: string[], quoted: string): void {
  const from = values.length;
  addDecoded(values, from, quoted);
  if (quoted.includes('\\')) addDecoded(values, from, withoutBackslashes(quoted));
}
