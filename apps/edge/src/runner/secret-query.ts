import { SECRET_NAMES, SECRET_WORDS } from './secret-names.ts';

/** A parameter begins at the query's start, and inside a value where that is an address with a query of its own. */
const PATTERN = `(^|[&;?#])([^=&;?#]*(?:${SECRET_NAMES})[^=&;?#]*|(?:${SECRET_WORDS}))=[^&;]*`;
/** A value that tells by itself: a JSON Web Token (RFC 7519), an address with a password, JSON with a field of such a name. */
const VALUE = `eyJ[\\w-]{8,}\\.[\\w-]+|//[^/?#&;:]*:[^/?#&;@]*@|["'][^"'&;]*(?:${SECRET_NAMES})[^"'&;]*["']\\s*:`;
const SECRET = `${PATTERN}|${VALUE}`;
/** Escapes that can hide a letter, a separator, `=` or another escape. */
const HIDING_ESCAPE = '%(?:2[2356789]|[3-7][0-9a-f])';
/** An address in an address in an address. */
const NESTING_MAX = 3;

/** The query with the values of secret-like names taken out, also of addresses in values (`?next=https%3A%2F%2Fa%2F%3Ftoken%3Dx`). */
export function redactQuery(query: string): string {
  const [percent] = string.find(query, '%', 1, true);
  if (percent !== undefined) {
    const [hiding] = ngx.re.find(query, HIDING_ESCAPE, 'ijo');
    if (hiding !== undefined) return redactParts(query);
  }
  const [found] = ngx.re.find(query, SECRET, 'ijo');
  if (found === undefined) return query;
  const [tells] = ngx.re.find(query, VALUE, 'ijo');
  if (tells !== undefined) return redactParts(query);
  const [redacted] = ngx.re.gsub(query, PATTERN, '$1$2=REDACTED', 'ijo');
  return redacted ?? '';
}

/** Whether a parameter has a secret-like name, or a value that holds one or tells by itself; what is nested deeper might. */
function holdsSecret(part: string): boolean {
  let plain = part;
  for (let depth = 0; depth <= NESTING_MAX; depth++) {
    const [found] = ngx.re.find(plain, SECRET, 'ijo');
    if (found !== undefined) return true;
    const [unescaped, count] = string.gsub(plain, '%%(%x%x)', (hex: string) => string.char(tonumber(hex, 16) ?? 0));
    if (count === 0) return false;
    plain = unescaped;
  }
  return true;
}

/** Parameter by parameter, each decoded to be judged. */
function redactParts(query: string): string {
  const [redacted] = string.gsub(query, '[^&;]+', (part: string) => {
    if (!holdsSecret(part)) return part;
    const [equals] = string.find(part, '=', 1, true);
    return equals === undefined ? 'REDACTED' : `${string.sub(part, 1, equals)}REDACTED`;
  });
  return redacted;
}
