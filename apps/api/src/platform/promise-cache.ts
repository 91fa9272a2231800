import { LRUCache } from 'lru-cache';

/** Gives callers with one key the same promise while it is young; a failed one is not kept. */
export interface PromiseCache<Value> {
  get(key: string, load: () => Promise<Value>): Promise<Value>;
  clear(): void;
}

/** @param options.ttlMs 0: nothing is kept. `now` in milliseconds; for tests. */
export function createPromiseCache<Value>(options: {
  readonly entriesMax: number;
  readonly ttlMs: number;
  readonly now?: () => number;
}): PromiseCache<Value> {
  const entries = new LRUCache<string, Promise<Value>>({
    max: options.entriesMax,
    ttl: options.ttlMs,
    // Every look at the clock counts: an entry is used for its time and not a moment longer.
    ttlResolution: 0,
    ...(options.now ? { perf: { now: options.now } } : {}),
  });
  return {
    clear: () => entries.clear(),
    get(key, load) {
      // The library takes a time of 0 for no end.
      if (options.ttlMs === 0) return load();
      const found = entries.get(key);
      if (found) return found;
      const value = load();
      entries.set(key, value);
      value.catch(() => {
        // Another one may stand in its place by now.
        if (entries.peek(key) === value) entries.delete(key);
      });
      return value;
    },
  };
}
