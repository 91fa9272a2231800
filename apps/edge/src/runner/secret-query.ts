import { SECRET_NAMES, SECRET_WORDS } from './secret-names.ts';

/**
 * Each expression looks ahead for the end of what it may take before it looks for a name inside: without that, a query of
 * nothing but names is read to its end from each of them.
 *
 * A parameter begins at the query's start, and inside a value where that is an address with a query of its own.
 */
const PATTERN = `(^|[&;?#])(?=[^=&;?#]*=)([^=&;?#]*(?:${SECRET_NAMES})[^=&;?#]*|(?:${SECRET_WORDS}))=[^&;]*`;
/** A value that tells by itself: a JSON Web Token (RFC 7519), an address with a password, JSON with a field of such a name. */
const TOKEN = '(?<![\\w-])(?=[\\w-]++\\.[\\w-])[\\w-]*?eyJ[\\w-]{8}';
const JSON_FIELD = `["'](?=[^"'&;]*["']\\s*:)[^"'&;]*(?:${SECRET_NAMES})`;
const VALUE = `${TOKEN}|//[^/?#&;:]*:[^/?#&;@]*@|${JSON_FIELD}`;
const SECRET = `${PATTERN}|${VALUE}`;
/** Escapes that can hide a letter, a separator, `=` or another escape. */
const HIDING_ESCAPE = '%(?:2[2356789]|[3-7][0-9a-f])';
/** An address in an address in an address. */
const NESTING_MAX = 3;
/** Of a query that has a secret; one of more is left out whole. */
const PARTS_MAX = 500;
const REDACTED = 'REDACTED';

/** Bytes by their two digits in either case: looked up by `gsub` itself, which is many times as fast as calling a function. */
const byteOf = new LuaTable<string, string>();
for (let code = 0; code < 256; code++) {
  const digits = string.format('%02x', code);
  const [high, low] = [string.sub(digits, 1, 1), string.sub(digits, 2)];
  for (const first of [high, string.upper(high)])
    for (const second of [low, string.upper(low)]) byteOf.set(first + second, string.char(code));
}

/** The query with the values of secret-like names taken out, also of addresses in values (`?next=https%3A%2F%2Fa%2F%3Ftoken%3Dx`). */
export function redactQuery(query: string): string {
  const [percent] = string.find(query, '%', 1, true);
  if (percent !== undefined) {
    const [hiding] = ngx.re.find(query, HIDING_ESCAPE, 'ijo');
    if (hiding !== undefined) return holdsSecret(query) ? redactParts(query) : query;
  }
  const [found] = ngx.re.find(query, SECRET, 'ijo');
  if (found === undefined) return query;
  const [tells] = ngx.re.find(query, VALUE, 'ijo');
  if (tells !== undefined) return redactParts(query);
  const [redacted] = ngx.re.gsub(query, PATTERN, '$1$2=REDACTED', 'ijo');
  return redacted ?? '';
}

/** Whether any parameter has a secret-like name, or a value that holds one or tells by itself; what is nested deeper might. */
function holdsSecret(text: string): boolean {
  let plain = text;
  for (let depth = 0; depth <= NESTING_MAX; depth++) {
    const [found] = ngx.re.find(plain, SECRET, 'ijo');
    if (found !== undefined) return true;
    const [unescaped, count] = string.gsub(plain, '%%(%x%x)', byteOf as never);
    if (count === 0) return false;
    plain = unescaped;
  }
  return true;
}

/** Parameter by parameter, each decoded to be judged. */
function redactParts(query: string): string {
  let count = 0;
  const [redacted] = string.gsub(query, '[^&;]+', (part: string) => {
    count++;
    if (count > PARTS_MAX || !holdsSecret(part)) return part;
    const [equals] = string.find(part, '=', 1, true);
    return equals === undefined ? REDACTED : `${string.sub(part, 1, equals)}${REDACTED}`;
  });
  return count > PARTS_MAX ? REDACTED : redacted;
}
