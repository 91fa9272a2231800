const waiting: (() => void)[] = [];

function runNext(): void {
  const run = waiting.shift();
  if (waiting.length > 0) setImmediate(runNext);
  run?.();
}

/**
 * Does heavy work in a turn of the event loop of its own, one piece a turn in the order in which they came, so that others
 * are answered between them. What many ask for by `setImmediate` alone would run in one turn.
 */
export const inTurn = <T>(work: () => T): Promise<T> =>
  new Promise((resolve, reject) => {
    const count = waiting.push(() => {
      try {
        resolve(work());
      } catch (error) {
        reject(error);
      }
    });
    if (count === 1) setImmediate(runNext);
  });

/** Of one turn of the event loop, for work of many small pieces. */
const TURN_MS = 10;

/**
 * For work of many small pieces: awaited between two of them, it goes on at once while the turn of the event loop has time
 * left, and in a turn of its own (`inTurn`) when it has not. What works side by side shares one.
 */
export function createPace(): () => Promise<void> | undefined {
  let startedAt = performance.now();
  let next: Promise<void> | undefined;
  return () => {
    if (next === undefined && performance.now() - startedAt >= TURN_MS)
      next = inTurn(() => {
        startedAt = performance.now();
        next = undefined;
      });
    return next;
  };
}
