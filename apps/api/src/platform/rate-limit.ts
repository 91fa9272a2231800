import { LRUCache } from 'lru-cache';

/** Token buckets by key, in this process. The keys that were used last are kept when there are too many. */
export interface RateLimit {
  /** Takes tokens of the key, one unless given; false, and none is taken, when there are not so many. */
  take(key: string, tokens?: number): boolean;
  /** Whole seconds until the key has so many tokens. */
  secondsUntil(key: string, tokens?: number): number;
  /** Gives back a token that was taken for nothing. */
  giveBack(key: string): void;
}

const KEYS_MAX = 50_000;

/** `burst` tokens at once, refilled with `perMinute` tokens in a minute. */
export function createRateLimit(limit: { burst: number; perMinute: number }): RateLimit {
  const buckets = new LRUCache<string, { tokens: number; at: number }>({ max: KEYS_MAX });
  const refill = (key: string) => {
    const now = Date.now();
    const bucket = buckets.get(key) ?? { tokens: limit.burst, at: now };
    bucket.tokens = Math.min(limit.burst, bucket.tokens + ((now - bucket.at) / 60_000) * limit.perMinute);
    bucket.at = now;
    buckets.set(key, bucket);
    return bucket;
  };
  return {
    take(key, tokens = 1) {
      const bucket = refill(key);
      if (bucket.tokens < tokens) return false;
      bucket.tokens -= tokens;
      return true;
    },
    secondsUntil(key, tokens = 1) {
      const missing = Math.max(0, tokens - refill(key).tokens);
      return Math.ceil((missing / limit.perMinute) * 60);
    },
    giveBack(key) {
      const bucket = buckets.get(key);
      if (bucket) bucket.tokens += 1;
    },
  };
}
