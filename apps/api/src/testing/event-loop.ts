import { readFileSync } from 'node:fs';

/**
 * Guarantee: nothing that a customer sends holds the event loop for more than 50 ms, so that others are answered meanwhile.
 * Of a machine on which the yardstick takes `YARDSTICK_MS`.
 */
export const HELD_MS_MAX = 50;

/** A machine that does something else holds the loop as well; what is wrong does so each time. */
const TRIES = 10;

/** What the yardstick uses of a processor of a usual server (2 virtual cores of an AMD EPYC) that does nothing else. */
const YARDSTICK_MS = 7;
/** As many as make what the system counts in ticks of 4 ms exact enough. */
const YARDSTICK_ROUNDS = 10;
const YARDSTICK_TEXTS = Array.from({ length: 10_000 }, (_, at) => `9.${at >> 8}.${at & 255}.1`);

/** Work of the kind that requests make: texts are parsed, taken apart, put together and looked up. */
const yardstick = (): number =>
  new Set((JSON.parse(JSON.stringify(YARDSTICK_TEXTS)) as string[]).map((one) => one.split('.').reverse().join('.')))
    .size;

/** What the thread of the event loop has used of a processor. */
const usedMs = (): number =>
  Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;

/** By how much this machine is slower now than a usual server; 1 if it is not. */
function slowness(): number {
  const before = usedMs();
  for (let round = 0; round < YARDSTICK_ROUNDS; round++) yardstick();
  return Math.max(1, (usedMs() - before) / YARDSTICK_ROUNDS / YARDSTICK_MS);
}

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
