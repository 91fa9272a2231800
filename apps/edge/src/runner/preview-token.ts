import { hmacSha256, isEqualSecret } from './native.ts';

/** base64url without padding to base64; undefined when it is neither. */
export function decodeBase64Url(text: string): string | undefined {
  const [standard] = string.gsub(text, '[-_]', (found: string) => (found === '-' ? '+' : '/'));
  const rest = standard.length % 4;
  return ngx.decode_base64(rest === 0 ? standard : standard + string.rep('=', 4 - rest));
}

/** Twice as long as any that is signed. */
const TOKEN_BYTES_MAX = 200;

/**
 * Whether `token` (`<route id>.<expiry>.<signature>`, see apps/edge/README.md) lets its bearer see the route before
 * its names are proved. `key` is base64url.
 */
export function isValidPreview(token: string, routeId: string, key: string, now: number): boolean {
  if (token.length > TOKEN_BYTES_MAX) return false;
  const parts = token.split('.');
  const expiry = parts[1];
  const signature = parts[2];
  if (parts.length !== 3 || parts[0] !== routeId || expiry === undefined || signature === undefined) return false;
  if ((tonumber(expiry) ?? 0) <= now) return false;
  const secret = decodeBase64Url(key);
  const shown = decodeBase64Url(signature);
  if (secret === undefined || secret === '' || shown === undefined) return false;
  return isEqualSecret(shown, hmacSha256(secret, `${routeId}.${expiry}`));
}
