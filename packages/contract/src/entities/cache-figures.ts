import { z } from 'zod';
import { CACHE_OUTCOMES } from '../edge-config.ts';
import { timestamp } from './routes.ts';
import { trafficRange } from './traffic.ts';

/** Paths of a domain that are listed by what they cost its origin. */
export const COSTLY_PATHS_MAX = 20;

/**
 * What became of requests that are counted: what the log has in `cache`, and `uncached` for those that an origin answered though the
 * cache had nothing to do with them, since none was on.
 */
export const COUNTED_OUTCOMES = ['hit', 'stale', 'revalidated', 'miss', 'expired', 'bypass', 'uncached'] as const;
export type CountedOutcome = (typeof COUNTED_OUTCOMES)[number];

const outcomeCount = z.object({
  requests: z.number().int(),
  bytes: z.number().int().describe('Sent to visitors, header fields included.'),
});
const countedOutcomes = z.record(z.enum(COUNTED_OUTCOMES), outcomeCount);

const cacheTotals = z.object({
  requests: z
    .number()
    .int()
    .describe(
      'That the cache had to do with (`hit`, `stale`, `revalidated`, `miss`, `expired`, `bypass`) or an origin was asked for (`uncached`). What Cordon answered by itself, such as a block, a challenge or a redirect, is none of them.',
    ),
  bytes: z.number().int().describe('Sent to visitors with these.'),
  hit_ratio: z
    .number()
    .min(0)
    .max(1)
    .nullable()
    .describe('`hit`, `stale` and `revalidated` as a share of `requests`; null without requests.'),
  saved_bytes: z
    .number()
    .int()
    .describe(
      'Bytes of `hit`, `stale` and `revalidated`: sent from the cache, and by no origin (of `revalidated` it sent a head).',
    ),
  outcomes: countedOutcomes,
});
export type CacheTotals = z.infer<typeof cacheTotals>;

/** What the cache did for a domain in a range, and in each part of it. */
export const cacheOverview = z.object({
  range: trafficRange,
  from: timestamp,
  to: timestamp,
  bucket_seconds: z.number().int(),
  totals: cacheTotals,
  previous: cacheTotals.describe('The range of equal length before, for the change.'),
  series: z.array(cacheTotals.extend({ time: timestamp.describe('Start of the bucket.') })),
});
export type CacheOverview = z.infer<typeof cacheOverview>;

/** What paths are ordered by. */
export const costlySort = z.enum(['bytes', 'requests']).describe('What the paths are ordered by, most first.');
export type CostlySort = z.infer<typeof costlySort>;

const costlyPath = z.object({
  path: z.string().describe('Decoded, without query.'),
  requests: z.number().int().describe('That an origin was asked for.'),
  bytes: z
    .number()
    .int()
    .describe('Sent to visitors of what origins answered; none of `revalidated`, whose content was stored.'),
  origin_ms: z.number().describe('For which origins were waited for, of all these requests together.'),
  cache: z
    .enum(CACHE_OUTCOMES)
    .describe('With `cache_reason` what became of most of these requests; empty: no cache was on.'),
  cache_reason: z
    .string()
    .describe(
      'Why they passed by the cache, or why the answers were not stored; empty: they were stored, or no cache was on.',
    ),
  status: z.number().int().describe('What origins answered to most of those.'),
});
export type CostlyPath = z.infer<typeof costlyPath>;

/** The paths of a domain for which its origin is asked most. */
export const costlyPaths = z.object({
  from: timestamp.describe(
    'Since when they are counted: in a range with more than 200,000 requests to origins, the newest of these.',
  ),
  to: timestamp,
  paths: z.array(costlyPath).max(COSTLY_PATHS_MAX),
});
export type CostlyPaths = z.infer<typeof costlyPaths>;
