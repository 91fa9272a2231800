/** Parameters whose values never reach the log (security design, "Secrets"). */
const SECRET_NAMES =
  'token|secret|passw|pwd|signature|sig|sess|auth|credential|apikey|api_key|api-key|access_key|private|jwt|otp|ticket|assertion|nonce|hmac';
/** Whole names: inside of others they would hit too much. */
const SECRET_WORDS = 'key|code|sid|pass|pin|state|email|hash';

const PATTERN = `(^|[&;])([^=&;]*(?:${SECRET_NAMES})[^=&;]*|(?:${SECRET_WORDS}))=[^&;]*`;

/** The query with the values of secret-like names taken out. Names are compared decoded as far as `%XX` hides letters. */
export function redactQuery(query: string): string {
  const [encoded] = string.find(query, '%%[4-7]%x');
  if (encoded !== undefined) {
    // A name such as `tok%65n` means `token`: only queries that play this game are looked at name by name.
    return redactDecoded(query);
  }
  const [found] = ngx.re.find(query, PATTERN, 'ijo');
  if (found === undefined) return query;
  const [redacted] = ngx.re.gsub(query, PATTERN, '$1$2=REDACTED', 'ijo');
  return redacted ?? '';
}

function redactDecoded(query: string): string {
  const [redacted] = string.gsub(query, '[^&;]+', (part: string) => {
    const [equals] = string.find(part, '=', 1, true);
    if (equals === undefined) return part;
    const [name] = string.gsub(string.sub(part, 1, equals - 1), '%%(%x%x)', (hex: string) =>
      string.char(tonumber(hex, 16) ?? 0),
    );
    const [found] = ngx.re.find(`${name}=`, PATTERN, 'ijo');
    return found === undefined ? part : `${string.sub(part, 1, equals)}REDACTED`;
  });
  return redacted;
}
