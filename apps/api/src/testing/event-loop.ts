import { slowness, usedMs } from '../../../../tests/support/slowness.ts';

/**
 * Guarantee: nothing that a customer sends holds the event loop for more than 50 ms, so that others are answered meanwhile.
 * Of a usual server, see `slowness`.
 */
export const HELD_MS_MAX = 50;

/** A machine that does something else holds the loop as well; what is wrong does so each time. */
const TRIES = 10;

/** The longest that the loop was held while `work` went on, by what it used of a processor: without what a busy machine adds. */
async function longestTurn(work: () => Promise<void>): Promise<number> {
  let longest = 0;
  let isOver = false;
  let last = usedMs();
  const look = () => {
    const used = usedMs();
    longest = Math.max(longest, used - last);
    last = used;
    if (!isOver) setImmediate(look);
  };
  setImmediate(look);
  await work();
  isOver = true;
  return longest;
}

/**
 * For how many milliseconds `work` holds the loop of a usual server at most: the best of several tries, which end with the first
 * that is below `enough`. `prepare` comes before each and is not measured.
 */
export async function heldMs(
  work: () => Promise<void>,
  { enough = HELD_MS_MAX, prepare }: { enough?: number; prepare?: () => Promise<void> } = {},
): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < TRIES && least >= enough; attempt++) {
    await prepare?.();
    const turn = await longestTurn(work);
    least = Math.min(least, turn / slowness());
  }
  return least;
}
