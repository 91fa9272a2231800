/** Limits concurrency per key; what is beyond the limit waits in line. */
export interface Gate {
  run<T>(key: string, work: () => Promise<T>): Promise<T>;
}

/** @param width Concurrent works of one key. Other keys do not wait for them. */
export function createGate(width: number): Gate {
  const lines = new Map<string, { running: number; readonly waiting: (() => void)[] }>();
  return {
    async run(key, work) {
      const line = lines.get(key) ?? { running: 0, waiting: [] };
      lines.set(key, line);
      // A work that ends hands its place on, so that no newer one overtakes those that wait.
      if (line.running < width) line.running += 1;
      else await new Promise<void>((resolve) => line.waiting.push(resolve));
      try {
        return await work();
      } finally {
        const next = line.waiting.shift();
        if (next) next();
        else {
          line.running -= 1;
          if (line.running === 0) lines.delete(key);
        }
      }
    },
  };
}
