import { bytesOfText, textOfBytes } from './byte-text.ts';
import { decodeEscapes, escapedByte } from './form-encoding.ts';

/** Bytes of a path with every escape decoded; undefined where one is broken, or stands for no character (`%00`). */
function decodePath(bytes: string): string | undefined {
  let at = bytes.indexOf('%');
  while (at >= 0) {
    if (escapedByte(bytes, at) <= 0) return undefined;
    at = bytes.indexOf('%', at + 3);
  }
  return decodeEscapes(bytes);
}

function withoutParameters(segment: string): string {
  const at = segment.indexOf(';');
  return at < 0 ? segment : segment.substring(0, at);
}

/**
 * RFC 3986 5.2.4, empty segments left out first. Without parameters, what follows a `;` in a segment is left out as well.
 * Undefined for a path that leads above the root, unless it stays there.
 */
function removeDotSegments(path: string, hasParameters: boolean, staysAtRoot: boolean): string | undefined {
  const kept: string[] = [];
  const segments = path.split('/');
  for (let at = 1; at < segments.length; at++) {
    const written = segments[at] as string;
    const segment = hasParameters ? written : withoutParameters(written);
    const isName = segment !== '' && segment !== '.' && segment !== '..';
    if (segment === '..' && kept.pop() === undefined && !staysAtRoot) return undefined;
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
  const decoded = decodePath(bytesOfText(rawPath));
  const path = decoded === undefined ? undefined : removeDotSegments(decoded, true, false);
  return path === undefined ? undefined : textOfBytes(path);
}

/** Adds the path that bytes are with dot segments resolved; those above the root lead nowhere. */
function addReading(readings: string[], bytes: string, hasParameters: boolean): void {
  const reading = removeDotSegments(bytes, hasParameters, true);
  const text = reading === undefined ? undefined : textOfBytes(reading);
  if (text !== undefined && !readings.includes(text)) readings.push(text);
}

/** Whether every origin reads a path, as it was sent, as the edge does. */
export const hasOneReading = (rawPath: string): boolean =>
  !rawPath.includes('\\') && !rawPath.includes(';') && !rawPath.includes('%');

/**
 * All that origins commonly take a path for: `path` as nginx has it, then with `\\` for a slash (IIS, and what follows the URL
 * Standard), then without the parameters behind a `;` in its segments (servlets), then both. From the path as it was sent,
 * because such origins resolve dot segments after that.
 */
export function readingsOfPath(this: void, path: string, rawPath: string): readonly string[] {
  const readings = [path];
  if (hasOneReading(rawPath)) return readings;
  const decoded = decodePath(bytesOfText(rawPath));
  if (decoded === undefined) return readings;
  const hasBackslash = decoded.includes('\\');
  const slashed = hasBackslash ? decoded.replaceAll('\\', '/') : decoded;
  if (hasBackslash) addReading(readings, slashed, true);
  if (decoded.includes(';')) {
    addReading(readings, decoded, false);
    if (hasBackslash) addReading(readings, slashed, false);
  }
  return readings;
}
