import { bytesOfText, textOfBytes } from './byte-text.ts';
import { decodeEscapes, escapedByte } from './form-encoding.ts';

const SLASH = 47;

/** Bytes of a path with every escape decoded; undefined where one is broken, or stands for no character (`%00`). */
function decodePath(bytes: string): string | undefined {
  let at = bytes.indexOf('%');
  while (at >= 0) {
    if (escapedByte(bytes, at) <= 0) return undefined;
    at = bytes.indexOf('%', at + 3);
  }
  return decodeEscapes(bytes);
}

/** Slashes in a row are one. */
function mergeSlashes(path: string): string {
  const names = path.split('/').filter((segment) => segment !== '');
  return `/${names.join('/')}${names.length > 0 && path.endsWith('/') ? '/' : ''}`;
}

/** Without what follows a `;` in each segment. */
function removeParameters(path: string): string {
  if (!path.includes(';')) return path;
  const names = path.split('/').map((segment) => {
    const at = segment.indexOf(';');
    return at < 0 ? segment : segment.substring(0, at);
  });
  return names.join('/');
}

/**
 * RFC 3986 5.2.4. An empty segment is one of its own, which `..` takes away. Undefined for a path that leads above the root,
 * unless it stays there.
 */
function removeDotSegments(path: string, staysAtRoot: boolean): string | undefined {
  const kept: string[] = [];
  const segments = path.split('/');
  for (let at = 1; at < segments.length; at++) {
    const segment = segments[at] as string;
    const isDots = segment === '.' || segment === '..';
    if (segment === '..' && kept.pop() === undefined && !staysAtRoot) return undefined;
    if (!isDots) kept.push(segment);
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
  const path = decoded === undefined ? undefined : removeDotSegments(mergeSlashes(decoded), false);
  return path === undefined ? undefined : textOfBytes(path);
}

function addOnce(list: string[], one: string): void {
  if (!list.includes(one)) list.push(one);
}

/**
 * Dot segments resolved before escapes are decoded (URL Standard): an escaped slash ends no segment, and dots behind one
 * stay. The dots of a segment themselves may be escaped.
 */
function resolveEncoded(raw: string): string {
  const segments = raw.split('/').map((segment) => {
    const plain = segment.length > '%2e%2e'.length ? segment : decodeEscapes(segment);
    return plain === '.' || plain === '..' ? plain : segment;
  });
  return removeDotSegments(segments.join('/'), true) as string;
}

/** What stands behind what looks like the name of a host: `//host/path`. Undefined of a path that does not begin so. */
function behindAuthority(path: string): string | undefined {
  if (!path.startsWith('//')) return undefined;
  let start = 2;
  while (path.charCodeAt(start) === SLASH) start++;
  const end = path.indexOf('/', start);
  return end < 0 ? '/' : path.substring(end);
}

/** Adds what a path, as it was sent, may be once it is decoded, dot segments still in it. */
function addForms(forms: string[], raw: string): void {
  const decoded = decodeEscapes(raw);
  addOnce(forms, decoded);
  addOnce(forms, decodeEscapes(resolveEncoded(raw)));
  addOnce(forms, decodeEscapes(removeParameters(raw)));
  addOnce(forms, removeParameters(decoded));
}

/** Whether every origin reads a path, as it was sent, as the edge does: nothing in it was decoded, merged or resolved. */
export const hasOneReading = (path: string, rawPath: string): boolean =>
  path === rawPath && !rawPath.includes('\\') && !rawPath.includes(';');

/**
 * All that origins commonly take a path for: `path` as nginx has it, then what becomes of it with `\\` for a slash (IIS, the URL
 * Standard), without the parameters behind a `;` in its segments (servlets), with two slashes at its front for those of a
 * URL with a host (`new URL(target, base)`, PHP's `parse_url`), with dot segments resolved before or after slashes are
 * merged and escapes decoded, or left in (routers by prefix).
 */
export function readingsOfPath(this: void, path: string, rawPath: string): readonly string[] {
  const readings = [path];
  if (hasOneReading(path, rawPath)) return readings;
  const raw = bytesOfText(rawPath);
  const decoded = decodePath(raw);
  if (decoded === undefined) return readings;
  const hasBackslash = decoded.includes('\\');
  if (!hasBackslash && !decoded.includes(';') && !decoded.includes('//') && !decoded.includes('/.')) return readings;
  const sent = [raw];
  if (hasBackslash) addOnce(sent, raw.replaceAll('\\', '/'));
  for (const one of [...sent]) {
    const behind = behindAuthority(one);
    if (behind !== undefined) addOnce(sent, behind);
  }
  const forms: string[] = [];
  for (const one of sent) addForms(forms, one);
  for (const one of [...forms]) {
    const slashed = one.replaceAll('\\', '/');
    addOnce(forms, slashed);
    addOnce(forms, removeParameters(slashed));
  }
  for (const form of forms) {
    const merged = mergeSlashes(form);
    addOnce(readings, textOfBytes(removeDotSegments(merged, true) as string));
    addOnce(readings, textOfBytes(mergeSlashes(removeDotSegments(form, true) as string)));
    addOnce(readings, textOfBytes(merged));
  }
  return readings;
}
