import type { SecretBox } from '../../platform/secrets.ts';

/** A pass holds for less than this (`PASS_SECONDS_MAX` of the kit), so that one of yesterday's is still known today. */
const DAY_MS = 24 * 3600 * 1000;

/**
 * Keys by which nodes sign and know passes of clients that have proved themselves: one for each day, the same on all
 * nodes. That of the day to come is there already for a node whose clock is fast, that of the day before for passes that
 * were given then.
 */
export function challengeKeys(secrets: SecretBox, now: number): string[] {
  const day = Math.floor(now / DAY_MS);
  return [day, day + 1, day - 1].map((one) => secrets.derive(`challenge/${one}`).toString('base64url'));
}
