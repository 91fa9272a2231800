import { isChallengeSigned, type ProvingClient, signChallenge } from './challenge.ts';
import { drawPuzzle, type PuzzlePicture } from './puzzle-picture.ts';

/**
 * Puzzles that are shown and not solved yet: where the gap is, is known to this node only. One is given for work, has one
 * try, and ends.
 */
const challenges = ngx.shared.cordon_challenges as SharedDict;
const PUZZLE_SECONDS = 180;
/** Pixels beside the gap that are near enough for a hand on a phone. */
const TOLERANCE = 5;

export interface Puzzle extends Omit<PuzzlePicture, 'gap'> {
  /** To be shown again with the answer. */
  readonly text: string;
}

/** `id` is used for no other puzzle. undefined where this node cannot give one. */
export function makePuzzle(client: ProvingClient, passSeconds: number, id: string): Puzzle | undefined {
  const drawn = drawPuzzle();
  const text = signChallenge(client, `answer.${passSeconds}.${id}`);
  if (drawn === undefined || text === undefined) return undefined;
  const [isKept] = challenges.safe_add(`p${id}`, drawn.gap, PUZZLE_SECONDS);
  return isKept === true ? { text, top: drawn.top, picture: drawn.picture, piece: drawn.piece } : undefined;
}

/** Takes the answer to a puzzle: for how long its pass holds, or undefined when it is wrong, late or comes a second time. */
export function takeAnswer(client: ProvingClient, text: string, answer: string): number | undefined {
  const passSeconds = openPuzzle(client, text);
  if (passSeconds === undefined) return undefined;
  const id = text.split('.')[2] as string;
  const gap = challenges.get(`p${id}`) as number | undefined;
  challenges.delete(`p${id}`);
  const shown = tonumber(answer);
  if (gap === undefined || shown === undefined || !(Math.abs(shown - gap) <= TOLERANCE)) return undefined;
  return passSeconds;
}

/** What a puzzle's pass would hold for, whether it is solved or not; undefined for what is no puzzle of this client. */
export function openPuzzle(client: ProvingClient, text: string): number | undefined {
  const [kind, passSeconds] = text.split('.');
  if (kind !== 'answer' || passSeconds === undefined || !isChallengeSigned(client, text)) return undefined;
  return tonumber(passSeconds);
}
