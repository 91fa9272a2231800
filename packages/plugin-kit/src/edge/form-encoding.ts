import { bytesOfText, textOfBytes } from './byte-text.ts';

/** -1 when it is no hexadecimal digit. */
export function hexDigit(this: void, code: number): number {
  if (code >= 48 && code <= 57) return code - 48;
  const lower = code | 32;
  return lower >= 97 && lower <= 102 ? lower - 87 : -1;
}

/** The byte that the escape at `at` stands for; -1 where there is none. */
export function escapedByte(this: void, bytes: string, at: number): number {
  if (at + 2 >= bytes.length) return -1;
  const high = hexDigit(bytes.charCodeAt(at + 1));
  const low = hexDigit(bytes.charCodeAt(at + 2));
  return high < 0 || low < 0 ? -1 : high * 16 + low;
}

/**
 * Bytes with every `%XX` decoded; a broken escape stays. What stands between escapes is taken whole, and all put together once: Lua
 * copies all of a text that something is added to.
 */
export function decodeEscapes(this: void, bytes: string): string {
  const decoded: string[] = [];
  let start = 0;
  let at = bytes.indexOf('%');
  while (at >= 0) {
    const code = escapedByte(bytes, at);
    if (code >= 0) {
      if (at > start) decoded.push(bytes.substring(start, at));
      decoded.push(String.fromCharCode(code));
      start = at + 3;
    }
    at = bytes.indexOf('%', code < 0 ? at + 1 : start);
  }
  if (start === 0) return bytes;
  decoded.push(bytes.substring(start));
  return decoded.join('');
}

/** Text of an encoded form or query (URL Standard, "application/x-www-form-urlencoded"): `+` is a blank, `%XX` a byte; a broken escape stays. */
export function decodeForm(this: void, text: string): string {
  const plain = text.includes('+') ? text.replaceAll('+', ' ') : text;
  return plain.includes('%') ? textOfBytes(decodeEscapes(bytesOfText(plain))) : plain;
}
