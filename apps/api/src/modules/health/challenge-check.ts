import type { Challenges } from '../traffic/service.ts';
import type { Found } from './line.ts';

/**
 * How far back challenges are counted, how few of them say nothing where none was passed, and for how long after the last one
 * they do: what challenges no longer keeps no visitor away.
 */
export const UNMET_CHALLENGES = { minutes: 15, challengedMin: 50, quietMinutes: 3 } as const;

/**
 * Challenges met in the hour before from which none met since tells of visitors who are stuck, also in a mode that challenges all
 * for a while: programs meet none, and to keep them out is what it is for.
 */
export const PASSED_BEFORE_MIN = 20;

/** Whether visitors may be stuck: many are challenged, and none of them has passed. */
export const isUnmet = ({ challenged, passed, challenged_at }: Challenges): boolean =>
  challenged >= UNMET_CHALLENGES.challengedMin &&
  passed === 0 &&
  challenged_at * 1000 > Date.now() - UNMET_CHALLENGES.quietMinutes * 60_000;

/** The line about challenges that no visitor passed. Programs alone pass none either: it is no more than a warning. */
export const judgeUnmet = (challenged: number, since?: string | null): Found => ({
  state: 'warning',
  finding: 'challenges_unmet',
  params: { challenged, minutes: UNMET_CHALLENGES.minutes },
  advice: 'check_challenge',
  ...(since ? { since } : {}),
});
