import type { ChallengeWay } from './context.ts';

/**
 * Ways of proving oneself, each in the place of those before it. Google reCAPTCHA does not stand in for a puzzle: where Google
 * does not answer, its proof is the work of a browser.
 */
export const CHALLENGE_WAYS: readonly ChallengeWay[] = ['js', 'google_recaptcha', 'puzzle'];

/** How long a proof holds where a plugin does not say otherwise. */
export const PASS_SECONDS = 1800;
/** The keys that sign passes change each day. */
export const PASS_SECONDS_MAX = 12 * 3600;

/** HTTP status of the page, or of the machine-readable answer, that asks a client to prove itself. */
export const CHALLENGE_STATUS = 403;

/** Whether a client that proved itself in one way need not do so in another. A wait proves nothing else, and nothing else is one. */
export const isWayEnough = (shown: ChallengeWay, asked: ChallengeWay): boolean =>
  shown === asked ||
  (shown !== 'wait' && asked !== 'wait' && CHALLENGE_WAYS.indexOf(shown) >= CHALLENGE_WAYS.indexOf(asked));
