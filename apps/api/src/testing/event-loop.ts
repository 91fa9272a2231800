import { readFileSync } from 'node:fs';

/** Guarantee: nothing that a customer sends holds the event loop for more than 50 ms, so that others are answered meanwhile. */
export const HELD_MS_MAX = 50;

/** What the thread of the event loop has used of a processor. */
const usedMs = (): number =>
  Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;

/** The longest that the loop was held while `work` went on, by what it used of a processor: without what a busy machine adds. */
export async function longestTurn(work: () => Promise<void>): Promise<number> {
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
