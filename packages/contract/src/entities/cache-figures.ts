import { z } from 'zod';
import { CACHE_OUTCOMES } from '../edge-config.ts';
import { cacheTotals } from './cache-totals.ts';
import { timestamp } from './routes.ts';
import { trafficRange } from './traffic.ts';

/** Paths of a domain that are listed by what they cost its origin. */
export const COSTLY_PATHS_MAX = 20;

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
