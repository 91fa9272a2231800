import { bytesOfText, textOfBytes } from './byte-text.ts';

const ZERO = 48;
const BACKSLASH = 92;

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
export function withoutBackslashes(this: void, quoted: string): string {
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
