import { LRUCache } from 'lru-cache';

/** Token buckets by key, in this process. The keys that were used last are kept when there are too many. */
export interface RateLimit {
  /** Takes one token of the key; false when none is left. */
  take(key: string, tokens?: number): boolean;
  /** Gives back a token that was taken for nothing. */
  giveBack(key: string): void;
}

const KEYS_MAX = 50_000;

/** `burst` tokens at once, refilled with `perMinute` tokens in a minute. */
export function createRateLimit(limit: { burst: number; perMinute: number }): RateLimit {
  const buckets = new LRUCache<string, { tokens: number; at: number }>({ max: KEYS_MAX });
  return {
    take(key, tokens = 1) {
      const now = Date.now();
      const bucket = buckets.get(key) ?? { tokens: limit.burst, at: now };
      bucket.tokens = Math.min(limit.burst, bucket.tokens + ((now - bucket.at) / 60_000) * limit.perMinute);
      bucket.at = now;
      buckets.set(key, bucket);
      if (bucket.tokens < tokens) return false;
      bucket.tokens -= tokens;
      return true;
    },
    giveBack(key) {
      const bucket = buckets.get(key);
      if (bucket) bucket.tokens += 1;
    },
  };
}
