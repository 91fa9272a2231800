import { isChallengeSigned, type ProvingClient, signChallenge } from './challenge.ts';
import type { PuzzlePicture } from './puzzle-picture.ts';
import { nextPicture } from './puzzle-pool.ts';

/**
 * Puzzles that are shown and not solved yet: where the gap is, is known to this node only. One is given for work, has one
 * try, and ends. Apart from proofs, some of which cost no work: a full memory gives up the oldest, and to fill it while somebody looks at a
 * picture takes as much work as puzzles.
 */
const puzzles = ngx.shared.cordon_puzzles as SharedDict;
const PUZZLE_SECONDS = 180;
/** Pixels beside the gap that are near enough for a hand on a phone. */
const TOLERANCE = 5;

export interface Puzzle extends Omit<PuzzlePicture, 'gap'> {
  /** To be shown again with the answer. */
  readonly text: string;
}

/** `id` is used for no other puzzle. undefined where this node cannot give one. */
export function makePuzzle(client: ProvingClient, passSeconds: number, id: string): Puzzle | undefined {
  const drawn = nextPicture();
  const text = signChallenge(client, `answer.${passSeconds}.${id}`);
  if (drawn === undefined || text === undefined) return undefined;
  const [isKept] = puzzles.set(id, drawn.gap, PUZZLE_SECONDS);
  return isKept === true ? { text, top: drawn.top, picture: drawn.picture, piece: drawn.piece } : undefined;
}

/** A puzzle that has not had its try. */
interface OpenPuzzle {
  readonly passSeconds: number;
  readonly gap: number;
}

/** Ends a puzzle; undefined for what is none of this client, late or ended before. */
function takePuzzle(client: ProvingClient, text: string): OpenPuzzle | undefined {
  const [kind, passSeconds, id] = text.split('.');
  if (kind !== 'answer' || id === undefined || !isChallengeSigned(client, text)) return undefined;
  const gap = puzzles.get(id) as number | undefined;
  puzzles.delete(id);
  const seconds = tonumber(passSeconds);
  return gap === undefined || seconds === undefined ? undefined : { passSeconds: seconds, gap };
}

/** The one try of a puzzle, and for how long its pass holds, or that of the next one. */
export interface PuzzleTry {
  readonly isRight: boolean;
  readonly passSeconds: number;
}

/** Takes the answer to a puzzle; undefined when it is late or comes a second time. */
export function takeAnswer(client: ProvingClient, text: string, answer: string): PuzzleTry | undefined {
  const puzzle = takePuzzle(client, text);
  if (puzzle === undefined) return undefined;
  const shown = tonumber(answer);
  const isRight = shown !== undefined && Math.abs(shown - puzzle.gap) <= TOLERANCE;
  return { isRight, passSeconds: puzzle.passSeconds };
}

/** Gives a puzzle up for work: for how long its pass would have held; undefined as for an answer. */
export function giveUpPuzzle(client: ProvingClient, text: string): number | undefined {
  return takePuzzle(client, text)?.passSeconds;
}
