const ZERO = 48;

/** What greater numbers of seconds are taken for, 2^31 (RFC 9111 1.2.2). */
export const SECONDS_MAX = 2147483648;

/** Number of seconds that a text of digits is (RFC 9111 1.2.2, delta-seconds), `SECONDS_MAX` at most; undefined for any other text. */
export function parseDeltaSeconds(this: void, text: string): number | undefined {
  if (text === '') return undefined;
  let seconds = 0;
  for (let at = 0; at < text.length; at++) {
    const digit = text.charCodeAt(at) - ZERO;
    if (digit < 0 || digit > 9) return undefined;
    seconds = Math.min(seconds * 10 + digit, SECONDS_MAX);
  }
  return seconds;
}
