import type { ChallengeWay } from '@cordon/plugin-kit/edge';
import type { PageKind } from './page-texts.ts';

/**
 * What a decision leaves to be done with a request that does not simply go on to its origin. A step is a text, in the
 * variable `cordon_step`, because an internal redirect keeps nothing else: its name and what it needs, tabs between.
 */
export const NEXT = '';
/** nginx itself answers with the page that `setBlockedPage` gave it. */
export const BLOCKED_STEP = 'blocked';
/** nginx looks for it in its cache: where most is looked for, or in the location that `$cordon_cached` names (cached-locations.conf, or of force-https.ts). */
export const CACHED_STEP = 'cached';
export const LOCATED_STEP = 'located';
export const PAGE_STEP = 'page';
export const REDIRECT_STEP = 'redirect';
export const PROBE_STEP = 'probe';
export const DIRECT_STEP = 'direct';
export const HAND_OVER_STEP = 'hand-over';
export const PLUGINS_STEP = 'plugins';
export const START_STEP = 'start';
export const CHALLENGE_STEP = 'challenge';
export const PROOF_STEP = 'proof';
export const TEST_STEP = 'test';
export const TEST_REFUSED_STEP = 'test-refused';
export const FAULT_STEP = 'fault';

/** Answers with a page; an empty brand is the default one. With `retrySeconds`, the client is told after how long to come back. */
export function pageStep(kind: PageKind, status: number, code: string, brand: string, retrySeconds?: number): string {
  return `${PAGE_STEP}\t${kind}\t${status}\t${code}\t${brand}\t${retrySeconds ?? ''}`;
}

/** Has the client prove itself. */
export function challengeStep(way: ChallengeWay, passSeconds: number, waitSeconds: number, since: number): string {
  return `${CHALLENGE_STEP}\t${way}\t${passSeconds}\t${waitSeconds}\t${since}`;
}

/** Sends the visitor elsewhere. */
export function redirectStep(status: number, location: string): string {
  return `${REDIRECT_STEP}\t${status}\t${location}`;
}
