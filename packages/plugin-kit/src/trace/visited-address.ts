/** Host and path of a request as nginx reads them, for where no nginx is. */
export interface VisitedAddress {
  /** Lower case, without port and last dot. */
  readonly host: string;
  /** Percent-encoding decoded, `.` and `..` resolved; undefined for one that nginx refuses. */
  readonly path: string | undefined;
}

/** nginx's `$host` of a Host header field. */
function readHost(field: string): string {
  const lower = field.trim().toLowerCase();
  const bare = lower.startsWith('[') ? lower.replace(/\]:\d*$/, ']') : lower.replace(/:\d*$/, '');
  return bare.replace(/\.$/, '');
}

/** Bytes that `%XX` stands for, as text where they are UTF-8. */
function decode(path: string): string | undefined {
  if (/%(?![0-9a-f]{2})/i.test(path) || /%00/.test(path)) return undefined;
  const bytes: number[] = [];
  for (const byte of new TextEncoder().encode(path)) bytes.push(byte);
  const decoded: number[] = [];
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] !== 37) decoded.push(bytes[at] as number);
    else {
      decoded.push(Number.parseInt(String.fromCharCode(bytes[at + 1] as number, bytes[at + 2] as number), 16));
      at += 2;
    }
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(decoded));
  } catch {
    return String.fromCharCode(...decoded);
  }
}

/** RFC 3986 5.2.4, as nginx does it with `merge_slashes off`; undefined for one that leads above the root. */
function removeDotSegments(path: string): string | undefined {
  const kept: string[] = [];
  const segments = path.split('/').slice(1);
  for (const [index, segment] of segments.entries()) {
    const isLast = index === segments.length - 1;
    if (segment === '.' || segment === '..') {
      if (segment === '..' && kept.pop() === undefined) return undefined;
      if (isLast) kept.push('');
    } else kept.push(segment);
  }
  return `/${kept.join('/')}`;
}

export function readVisitedAddress(hostField: string, rawPath: string): VisitedAddress {
  const decoded = decode(rawPath);
  return { host: readHost(hostField), path: decoded === undefined ? undefined : removeDotSegments(decoded) };
}
