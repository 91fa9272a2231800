import type { Rate } from '@cordon/contract';
import { sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Db } from './database.ts';
import { AppError } from './errors.ts';

type Bucket = Pick<Rate, 'name' | 'burst' | 'perMinute'>;

/** Token buckets by caller, which all processes share. */
export interface RateLimit {
  /** Takes tokens of the caller, one unless given; false, and none is taken, when there are not so many. */
  take(caller: string, tokens?: number): Promise<boolean>;
  /** The same; throws TOO_MANY_REQUESTS, with the whole seconds until the caller has so many. */
  require(caller: string, tokens?: number): Promise<void>;
}

export interface RateLimits {
  /**
   * `burst` tokens at once, refilled with `perMinute` tokens in a minute.
   * @param lease Tokens that a process takes for a caller at a time, where calls come by the thousand. What it does not
   * spend within seconds is lost.
   */
  of(rate: Bucket, lease?: number): RateLimit;
}

const CALLERS_MAX = 50_000;
const LEASE_MS = 10_000;
/** Every bucket is full again by then. */
const IDLE_MINUTES = 60;

/** What a bucket has now, from what was left of it then. */
const refilled = ({ burst, perMinute }: Bucket) =>
  sql`least(${burst}::float8, kept.tokens + greatest(0, extract(epoch FROM clock_timestamp() - kept.at)) / 60 * ${perMinute}::float8)`;

export function createRateLimits(db: Db): RateLimits {
  async function takeShared(rate: Bucket, caller: string, tokens: number): Promise<boolean> {
    if (tokens > rate.burst) return false;
    const { rows } = await sql`
      INSERT INTO rate_buckets AS kept (rate, caller, tokens, at)
      VALUES (${rate.name}, ${caller}, ${rate.burst - tokens}, clock_timestamp())
      ON CONFLICT (rate, caller) DO UPDATE SET tokens = ${refilled(rate)} - ${tokens}::float8, at = clock_timestamp()
        WHERE ${refilled(rate)} >= ${tokens}::float8
      RETURNING 1`.execute(db);
    return rows.length > 0;
  }

  async function secondsUntil(rate: Bucket, caller: string, tokens: number): Promise<number> {
    const { rows } = await sql<{ tokens: number }>`
      SELECT ${refilled(rate)} AS tokens FROM rate_buckets kept WHERE rate = ${rate.name} AND caller = ${caller}`.execute(
      db,
    );
    const missing = Math.max(0, tokens - (rows[0]?.tokens ?? rate.burst));
    return Math.ceil((missing / rate.perMinute) * 60);
  }

  function leased(rate: Bucket, lease: number): RateLimit['take'] {
    const held = new LRUCache<string, { tokens: number }>({ max: CALLERS_MAX, ttl: LEASE_MS });
    const asking = new Map<string, Promise<boolean>>();
    const ask = async (caller: string, tokens: number) => {
      if (!(await takeShared(rate, caller, tokens))) return false;
      held.set(caller, { tokens: (held.get(caller)?.tokens ?? 0) + tokens });
      return true;
    };
    return async (caller, tokens = 1) => {
      for (;;) {
        const own = held.get(caller);
        if (own && own.tokens >= tokens) {
          own.tokens -= tokens;
          return true;
        }
        // One question at a time: many that come at once would each take a lease.
        const asked = asking.get(caller);
        if (asked) {
          if (!(await asked)) return takeShared(rate, caller, tokens);
          continue;
        }
        const question = ask(caller, Math.max(lease, tokens)).finally(() => asking.delete(caller));
        asking.set(caller, question);
        if (!(await question)) return takeShared(rate, caller, tokens);
      }
    };
  }

  return {
    of(rate, lease = 1) {
      const take: RateLimit['take'] =
        lease > 1 ? leased(rate, lease) : (caller, tokens = 1) => takeShared(rate, caller, tokens);
      return {
        take,
        async require(caller, tokens = 1) {
          if (await take(caller, tokens)) return;
          const seconds = await secondsUntil(rate, caller, tokens);
          throw new AppError('TOO_MANY_REQUESTS', { params: { TOO_MANY_REQUESTS: { seconds } } });
        },
      };
    },
  };
}

/** Forgets buckets that are full. Runs as a recurring job. */
export async function purgeRateBuckets(db: Db): Promise<void> {
  await sql`DELETE FROM rate_buckets WHERE at < now() - make_interval(mins => ${IDLE_MINUTES})`.execute(db);
}
