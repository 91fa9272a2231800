import { inTurn } from '../../platform/turns.ts';

/** Of one turn of the event loop. */
const TURN_MS = 15;
/** In all turns. */
const WORK_MS = 2_000;

/**
 * Takes all that comes, in turns of the event loop, until there is no more, all the time is used, or the signal ends it. Answers
 * whether all were taken.
 */
export async function takeInTurns<Item>(
  take: (item: Item) => void,
  coming: AsyncIterable<readonly Item[]>,
  signal: AbortSignal,
): Promise<boolean> {
  let usedMs = 0;
  for await (const items of coming) {
    let at = 0;
    while (at < items.length) {
      if (usedMs >= WORK_MS || signal.aborted) return false;
      await inTurn(() => {
        const start = performance.now();
        let tookMs = 0;
        let lastMs = 0;
        // One that takes as long as the last did would make the turn too long.
        while (at < items.length && tookMs + lastMs < TURN_MS) {
          take(items[at++] as Item);
          lastMs = performance.now() - start - tookMs;
          tookMs += lastMs;
        }
        usedMs += tookMs;
      });
    }
  }
  return true;
}
