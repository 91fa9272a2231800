import { bytesOfText, textOfBytes } from './byte-text.ts';
import { hexDigit } from './form-encoding.ts';

const PERCENT = 37;

/** Bytes with every `%XX` decoded; undefined for a broken one, and for one that stands for no character (`%00`). */
function decodeEscapes(bytes: string): string | undefined {
  let decoded = '';
  let at = 0;
  while (at < bytes.length) {
    let code = bytes.charCodeAt(at);
    if (code === PERCENT) {
      if (at + 2 >= bytes.length) return undefined;
      const high = hexDigit(bytes.charCodeAt(at + 1));
      const low = hexDigit(bytes.charCodeAt(at + 2));
      if (high < 0 || low < 0 || high + low === 0) return undefined;
      code = high * 16 + low;
      at += 2;
    }
    decoded += String.fromCharCode(code);
    at++;
  }
  return decoded;
}

/** RFC 3986 5.2.4, empty segments left out first; undefined for a path that leads above the root. */
function removeDotSegments(path: string): string | undefined {
  const kept: string[] = [];
  const segments = path.split('/');
  for (let at = 1; at < segments.length; at++) {
    const segment = segments[at] as string;
    const isName = segment !== '' && segment !== '.' && segment !== '..';
    if (segment === '..' && kept.pop() === undefined) return undefined;
    if (isName) kept.push(segment);
    else if (at === segments.length - 1) kept.push('');
  }
  return `/${kept.join('/')}`;
}

/**
 * The path that nginx makes of one as the visitor sent it (without query): escapes decoded, slashes in a row merged
 * (`merge_slashes`), `.` and `..` resolved, so also those that were escaped. undefined for a path that nginx answers
 * with 400.
 */
export function normalizePath(this: void, rawPath: string): string | undefined {
  const decoded = decodeEscapes(bytesOfText(rawPath));
  const path = decoded === undefined ? undefined : removeDotSegments(decoded);
  return path === undefined ? undefined : textOfBytes(path);
}
