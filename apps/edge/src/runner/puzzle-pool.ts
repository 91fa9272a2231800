import { drawPuzzle, type PuzzlePicture } from './puzzle-picture.ts';

/**
 * Pictures that this worker has drawn last. One takes it some 10 ms, in which no other request of any domain moves: it draws a few
 * each second, and to more clients than that it shows one of those again. Where the gap is, an answer says to nobody else.
 */
const KEPT = 32;
const DRAWN_A_SECOND = 4;

const pictures: PuzzlePicture[] = [];
let second = 0;
let drawn = 0;
let oldest = 0;

/** A new picture, or under load one of the last; undefined when there are no random numbers. */
export function nextPicture(): PuzzlePicture | undefined {
  const now = Math.floor(ngx.now());
  if (now !== second) {
    second = now;
    drawn = 0;
  }
  if (drawn >= DRAWN_A_SECOND) return pictures[Math.floor(Math.random() * pictures.length)];
  drawn++;
  const picture = drawPuzzle();
  if (picture === undefined) return undefined;
  pictures[oldest] = picture;
  oldest = (oldest + 1) % KEPT;
  return picture;
}
