import pLimit, { type LimitFunction } from 'p-limit';

/** Limits concurrency per key: what is beyond the limit waits in the order in which it came. */
export interface ConcurrencyLimit {
  run<T>(key: string, work: () => Promise<T>): Promise<T>;
}

export interface BoundedQueue {
  readonly waitingMax: number;
  /** What a work is refused with while `waitingMax` others wait. */
  readonly refusal: () => Error;
}

/**
 * @param width Concurrent works of one key. Other keys do not wait for them.
 * @param queue Of each key; without it any number waits.
 */
export function createConcurrencyLimit(width: number, queue?: BoundedQueue): ConcurrencyLimit {
  const limits = new Map<string, { readonly limit: LimitFunction; users: number }>();
  return {
    async run(key, work) {
      const entry = limits.get(key) ?? { limit: pLimit(width), users: 0 };
      if (queue && entry.users >= width + queue.waitingMax) throw queue.refusal();
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

export interface BoundedLimitOptions extends BoundedQueue {
  readonly concurrency: number;
}

/** Limits concurrency and the length of the queue: what is beyond both is refused at once. */
export function createBoundedLimit({ concurrency, waitingMax, refusal }: BoundedLimitOptions) {
  const limit = pLimit(concurrency);
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (limit.pendingCount >= waitingMax) throw refusal();
    return limit(work);
  };
}

/**
 * Works on items in their order, several at a time; an item is taken when its work begins. Once one has thrown, no more are
 * taken.
 */
export async function forEachConcurrently<T>(
  items: Iterable<T>,
  concurrency: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const coming = items[Symbol.iterator]();
  let isBroken = false;
  async function workOn(): Promise<void> {
    try {
      for (let next = coming.next(); !isBroken && !next.done; next = coming.next()) await work(next.value);
    } catch (error) {
      isBroken = true;
      throw error;
    }
  }
  await Promise.all(Array.from({ length: concurrency }, workOn));
}
