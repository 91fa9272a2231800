import { z } from 'zod';
import { timestamp } from './routes.ts';

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

export const cacheTotals = z.object({
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

/** What the cache did in a range that something else is told of, too. */
export const cacheSummary = z.object({
  totals: cacheTotals,
  previous: cacheTotals.describe('The range of equal length before, for the change.'),
  series: z
    .array(cacheTotals.omit({ outcomes: true }).extend({ time: timestamp.describe('Start of the bucket.') }))
    .describe('A point for every bucket, oldest first.'),
});
export type CacheSummary = z.infer<typeof cacheSummary>;
