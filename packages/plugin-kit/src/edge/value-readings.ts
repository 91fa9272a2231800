import { isInk, withoutBlanks, withoutSpaces } from './blanks.ts';
import { bytesOfText, textOfBytes } from './byte-text.ts';
import { isObscureJson, jsonString, signedValue } from './express-values.ts';
import { decodeEscapes, decodeForm } from './form-encoding.ts';
import { endOfQuoted, withoutBackslashes } from './quoted-text.ts';

/** What origins commonly take the name or the value of a cookie or argument for. */

const PERCENT = 37;
const PLUS = 43;
const COMMA = 44;
const DOT = 46;
const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;
const SPACE = 32;
const QUOTE = 34;

/** `from`: where in the list the readings begin among which it is to stand once. */
function addOnce(texts: string[], from: number, text: string): void {
  for (let at = from; at < texts.length; at++) if (texts[at] === text) return;
  texts.push(text);
}

function addTrimmed(texts: string[], from: number, text: string): void {
  addOnce(texts, from, text);
  addOnce(texts, from, withoutSpaces(text));
  addOnce(texts, from, withoutBlanks(text));
}

const decodePercent = (text: string): string =>
  text.includes('%') ? textOfBytes(decodeEscapes(bytesOfText(text))) : text;

/** Whether all origins take the bytes from `start` to `end` for the name that they are. */
export function isPlainName(this: void, text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code <= COMMA && (code <= SPACE || code === PERCENT || code === PLUS || code === COMMA)) return false;
    if (code === DOT || code === OPEN_BRACKET || code === CLOSE_BRACKET) return false;
  }
  return start >= end || (isInk(text.charCodeAt(start)) && isInk(text.charCodeAt(end - 1)));
}

/** PHP's: `.`, blanks and a bracket that is not closed are `_`. */
function mangledName(name: string): string {
  const dotless = name.includes('.') ? name.replaceAll('.', '_') : name;
  const blankless = dotless.includes(' ') ? dotless.replaceAll(' ', '_') : dotless;
  return blankless.includes('[') ? blankless.replaceAll('[', '_') : blankless;
}

const isBracket = (code: number): boolean => code === OPEN_BRACKET || code === CLOSE_BRACKET;

/** The first of what stands outside and within brackets: `[name]`, `[name]x` (Express, Rack 2), `name]` (Rack 2). */
function firstWithinBrackets(name: string): string {
  let start = 0;
  while (start < name.length && isBracket(name.charCodeAt(start))) start++;
  let end = start;
  while (end < name.length && !isBracket(name.charCodeAt(end))) end++;
  return name.substring(start, end);
}

function addNames(names: string[], name: string): void {
  addTrimmed(names, 0, name);
  const nul = name.indexOf('\0');
  const whole = withoutBlanks(nul < 0 ? name : name.substring(0, nul));
  addOnce(names, 0, whole);
  const bracket = whole.indexOf('[');
  const isClosed = bracket >= 0 && whole.indexOf(']', bracket) > 0;
  // `name[]`, `name[0]`, `name[key]`: a list or an object of that name (PHP, Rails, Express).
  const base = bracket > 0 ? whole.substring(0, bracket) : whole;
  addOnce(names, 0, base);
  const first = firstWithinBrackets(whole);
  if (first !== '') addTrimmed(names, 0, first);
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

function addDecoded(values: string[], from: number, text: string): void {
  addTrimmed(values, from, text);
  if (text.includes('%')) addTrimmed(values, from, decodePercent(text));
  if (text.includes('+')) addTrimmed(values, from, decodeForm(text));
}

/** Adds what Express makes of the readings from `from` on; false: that is in doubt. */
function addExpressValues(values: string[], from: number): boolean {
  const written = values.length;
  for (let at = from; at < written; at++) {
    const signed = signedValue(values[at] as string);
    if (signed !== undefined) addTrimmed(values, from, signed);
  }
  const signedToo = values.length;
  for (let at = from; at < signedToo; at++) {
    const text = values[at] as string;
    if (isObscureJson(text)) return false;
    const parsed = jsonString(text);
    if (parsed !== undefined) addTrimmed(values, from, parsed);
  }
  return true;
}

/**
 * Adds what the value of a cookie may be that stands from `start` to `end`: as it is, and decoded as arguments are, with `+` for
 * itself and for a blank; where it is quoted, without its quotes, with its escapes and without, up to its closing quote, and without
 * its last byte (npm's cookie, which does not look whether that is a quote). False: in doubt.
 */
export function addCookieValues(this: void, values: string[], text: string, start: number, end: number): boolean {
  const from = values.length;
  const written = text.substring(start, end);
  addDecoded(values, from, written);
  const trimmed = withoutBlanks(written);
  if (trimmed.length > 0 && trimmed.charCodeAt(0) === QUOTE) {
    const open = text.indexOf('"', start);
    const close = endOfQuoted(text, open);
    if (close >= 0) {
      const quoted = text.substring(open + 1, close);
      addDecoded(values, from, quoted);
      if (quoted.includes('\\')) addDecoded(values, from, withoutBackslashes(quoted));
    }
    const bytes = bytesOfText(trimmed);
    addDecoded(values, from, textOfBytes(bytes.substring(1, Math.max(1, bytes.length - 1))));
  }
  return addExpressValues(values, from);
}
