import { LARGE_SHARE } from '../../../domain/plugins/large-share';

/** What plugins would do otherwise to the recent requests of a domain; of several, what the one that stops most would. */
export interface PreviewReplay {
  /** Undefined where it could not be told. */
  readonly requests: number | undefined;
  readonly isComplete: boolean;
  readonly blocked: number;
  readonly challenged: number;
}

export const stoppedBy = ({ blocked, challenged }: PreviewReplay): number => blocked + challenged;

/** Whether so many would be stopped that the domain may be closed by mistake. */
export const isLarge = (replay: PreviewReplay): boolean =>
  replay.requests !== undefined && replay.requests > 0 && stoppedBy(replay) / replay.requests >= LARGE_SHARE;
