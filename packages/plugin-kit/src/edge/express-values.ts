import { bytesOfCode, bytesOfText, textOfBytes } from './byte-text.ts';
import { hexDigit } from './form-encoding.ts';
import { endOfQuoted } from './quoted-text.ts';

/** What Express (cookie-parser) makes of the values of cookies that begin with `s:` and `j:`. */

const QUOTE = 34;
const DOT = 46;
const MINUS = 45;
const ZERO = 48;
const NINE = 57;
const BRACKET = 91;
const BRACE = 123;

/** The value of `s:value.signature`; undefined where it is none. */
export function signedValue(this: void, text: string): string | undefined {
  if (!text.startsWith('s:')) return undefined;
  let at = text.length - 1;
  while (at >= 2 && text.charCodeAt(at) !== DOT) at--;
  return at < 2 ? undefined : text.substring(2, at);
}

/** The code unit of `\uXXXX`, the `\` of which is at `at`; -1 where there is none. */
function unitAt(bytes: string, at: number): number {
  if (at + 5 >= bytes.length || bytes.substring(at, at + 2) !== '\\u') return -1;
  let unit = 0;
  for (let next = at + 2; next < at + 6; next++) {
    const digit = hexDigit(bytes.charCodeAt(next));
    if (digit < 0) return -1;
    unit = unit * 16 + digit;
  }
  return unit;
}

const ESCAPES: { readonly [letter: string]: string | undefined } = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

/** A string of JSON without its quotes, read; undefined where JSON has no such escape. */
function withoutEscapes(quoted: string): string | undefined {
  if (!quoted.includes('\\')) return quoted;
  const bytes = bytesOfText(quoted);
  const parts: string[] = [];
  let start = 0;
  let at = bytes.indexOf('\\');
  while (at >= 0) {
    parts.push(bytes.substring(start, at));
    const unit = unitAt(bytes, at);
    const low = unit >= 0xd800 && unit <= 0xdbff ? unitAt(bytes, at + 6) : -1;
    if (low >= 0xdc00 && low <= 0xdfff) {
      parts.push(bytesOfCode(0x10000 + (unit - 0xd800) * 1024 + (low - 0xdc00)));
      start = at + 12;
    } else if (unit >= 0) {
      parts.push(bytesOfCode(unit));
      start = at + 6;
    } else {
      const escaped = at + 1 < bytes.length ? ESCAPES[bytes.charAt(at + 1)] : undefined;
      if (escaped === undefined) return undefined;
      parts.push(escaped);
      start = at + 2;
    }
    at = bytes.indexOf('\\', start);
  }
  parts.push(bytes.substring(start));
  return textOfBytes(parts.join(''));
}

const isJsonBlank = (code: number): boolean => code === 32 || code === 9 || code === 10 || code === 13;

/** Where the JSON of `j:…` begins; -1 where there is none. */
function startOfJson(text: string): number {
  if (!text.startsWith('j:')) return -1;
  let at = 2;
  while (at < text.length && isJsonBlank(text.charCodeAt(at))) at++;
  return at < text.length ? at : -1;
}

/** The string that `j:"…"` is; undefined where it is none. */
export function jsonString(this: void, text: string): string | undefined {
  const start = startOfJson(text);
  if (start < 0 || text.charCodeAt(start) !== QUOTE) return undefined;
  const close = endOfQuoted(text, start);
  if (close < 0) return undefined;
  for (let at = close + 1; at < text.length; at++) if (!isJsonBlank(text.charCodeAt(at))) return undefined;
  return withoutEscapes(text.substring(start + 1, close));
}

/**
 * Whether `j:…` may be a list, a number or the like, which an origin may compare as a text that it is not written as. An object never
 * is that text, and what is in it stands there as it is where nothing is escaped: as Express itself writes most.
 */
export function isObscureJson(this: void, text: string): boolean {
  const start = startOfJson(text);
  if (start < 0) return false;
  const code = text.charCodeAt(start);
  if (code === BRACE) return text.includes('\\');
  return code === BRACKET || code === MINUS || (code >= ZERO && code <= NINE);
}
