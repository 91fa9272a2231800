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
