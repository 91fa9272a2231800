const DOT = 46;

function isHostCharacter(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || code === 45 || code === 95;
}

/**
 * Whether `name` can be the name of a route. nginx has made it lower case and taken off the port and a trailing dot.
 */
export function isHostName(name: string): boolean {
  if (name.length === 0 || name.length > 253) return false;
  let labelLength = 0;
  for (let at = 0; at < name.length; at++) {
    const code = name.charCodeAt(at);
    if (code === DOT) {
      if (labelLength === 0) return false;
      labelLength = 0;
    } else if (isHostCharacter(code)) {
      labelLength++;
      if (labelLength > 63) return false;
    } else {
      return false;
    }
  }
  return labelLength > 0;
}

/**
 * Whether a route answers for the host by its name, which is one of the host's `candidateNames`: a wildcard with one level
 * stands for a single label, as in certificates (RFC 6125 6.4.3).
 */
export function answersFor(name: string, host: string, levels: 'one' | 'all' | undefined): boolean {
  return levels === 'all' || name === host || name === `*${host.substring(host.indexOf('.'))}`;
}

/**
 * Names under which a route for `name` may be kept, best first: the name itself, then wildcards from the longest to
 * the shortest. `a.b.c` gives `a.b.c`, `*.b.c`, `*.c`.
 */
export function candidateNames(name: string): string[] {
  const names = [name];
  for (let at = 0; at < name.length; at++) {
    if (name.charCodeAt(at) === DOT) names.push(`*${name.substring(at)}`);
  }
  return names;
}
