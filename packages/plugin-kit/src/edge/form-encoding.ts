import { bytesOfText, textOfBytes } from './byte-text.ts';

const PERCENT = 37;
const PLUS = 43;

/** -1 when it is no hexadecimal digit. */
export function hexDigit(this: void, code: number): number {
  if (code >= 48 && code <= 57) return code - 48;
  const lower = code | 32;
  return lower >= 97 && lower <= 102 ? lower - 87 : -1;
}

/** Text of an encoded form or query (URL Standard, "application/x-www-form-urlencoded"): `+` is a blank, `%XX` a byte; a broken escape stays. */
export function decodeForm(this: void, text: string): string {
  if (!text.includes('%') && !text.includes('+')) return text;
  const bytes = bytesOfText(text);
  const decoded: string[] = [];
  let at = 0;
  while (at < bytes.length) {
    const code = bytes.charCodeAt(at);
    const isEscape = code === PERCENT && at + 2 < bytes.length;
    const high = isEscape ? hexDigit(bytes.charCodeAt(at + 1)) : -1;
    const low = isEscape ? hexDigit(bytes.charCodeAt(at + 2)) : -1;
    if (high >= 0 && low >= 0) {
      decoded.push(String.fromCharCode(high * 16 + low));
      at += 2;
    } else decoded.push(code === PLUS ? ' ' : bytes.charAt(at));
    at++;
  }
  return textOfBytes(decoded.join(''));
}
