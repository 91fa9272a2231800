import type { Replay } from '@cordon/contract';
import { LARGE_SHARE } from '../../../domain/plugins/large-share';
import type { challengeKind } from '../../../domain/words/challenge-kind';

/** What plugins would do otherwise to the recent requests of a domain; of several, what the one that stops most would. */
export interface PreviewReplay {
  /** Undefined where it could not be told. */
  readonly requests: number | undefined;
  readonly isComplete: boolean;
  readonly blocked: number;
  readonly challenged: number;
  /** What the challenged are asked for. */
  readonly kind: ReturnType<typeof challengeKind>;
  /** Of which the log lacks what would tell; in no other count. */
  readonly unknown: number;
  /** Rules that make them so, of all plugins. */
  readonly unknownRules: Replay['unknown_rules'];
}

export const stoppedBy = ({ blocked, challenged }: PreviewReplay): number => blocked + challenged;

const isLargePart = (part: number, requests: number | undefined): boolean =>
  requests !== undefined && requests > 0 && part / requests >= LARGE_SHARE;

/** Whether so many would be stopped that the domain may be closed by mistake. */
export const isLarge = (replay: PreviewReplay): boolean => isLargePart(stoppedBy(replay), replay.requests);

/** Whether it may be closed by rules that could not be checked for so many. */
export const isLargelyUnknown = ({ unknown, unknownRules, requests }: PreviewReplay): boolean =>
  isLargePart(unknown, requests) && unknownRules.some(({ verdict }) => verdict !== 'allow' && verdict !== 'log');
