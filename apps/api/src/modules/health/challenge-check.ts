import type { Found } from './line.ts';

/** How far back challenges are counted, and how few of them say nothing where none was passed. */
export const UNMET_CHALLENGES = { minutes: 15, challengedMin: 50 } as const;

/** Whether visitors may be stuck: many were challenged in the last minutes, and none of them passed. */
export const isUnmet = ({ challenged, passed }: { readonly challenged: number; readonly passed: number }): boolean =>
  challenged >= UNMET_CHALLENGES.challengedMin && passed === 0;

/** The line about challenges that no visitor passed. Programs alone pass none either: it is no more than a warning. */
export const judgeUnmet = (challenged: number, since?: string | null): Found => ({
  state: 'warning',
  finding: 'challenges_unmet',
  params: { challenged, minutes: UNMET_CHALLENGES.minutes },
  advice: 'check_challenge',
  ...(since ? { since } : {}),
});
