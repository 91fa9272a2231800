/** The head of an answer, final or interim, as the runner itself reads it from an origin. */
export interface AnswerHead {
  readonly status: number;
  readonly fields: [string, string][];
  /** Interim answers came before it. */
  isHinted: boolean;
}

/** What becomes of each interim answer. */
export type TakeInterim = ((head: AnswerHead) => void) | undefined;
