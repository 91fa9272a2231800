import pLimit, { type LimitFunction } from 'p-limit';

/** Limits concurrency per key: what is beyond the limit waits in the order in which it came. */
export interface ConcurrencyLimit {
  run<T>(key: string, work: () => Promise<T>): Promise<T>;
}

/** @param width Concurrent works of one key. Other keys do not wait for them. */
export function createConcurrencyLimit(width: number): ConcurrencyLimit {
  const limits = new Map<string, { readonly limit: LimitFunction; users: number }>();
  return {
    async run(key, work) {
      const entry = limits.get(key) ?? { limit: pLimit(width), users: 0 };
      limits.set(key, entry);
      entry.users += 1;
      try {
        return await entry.limit(work);
      } finally {
        entry.users -= 1;
        if (entry.users === 0) limits.delete(key);
      }
    },
  };
}
