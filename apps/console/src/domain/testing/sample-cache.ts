import { type CacheSummary, type CacheTotals, COUNTED_OUTCOMES, type CountedOutcome } from '@cordon/contract';

/** Totals of so many requests of each outcome, of 1,000 bytes each. */
export function cacheTotalsOf(given: Partial<Record<CountedOutcome, number>>): CacheTotals {
  const sum = (...outcomes: CountedOutcome[]) => outcomes.reduce((all, outcome) => all + (given[outcome] ?? 0), 0);
  const requests = sum(...COUNTED_OUTCOMES);
  const served = sum('hit', 'stale', 'revalidated');
  return {
    ...{ requests, bytes: requests * 1000, saved_bytes: served * 1000 },
    hit_ratio: requests === 0 ? null : served / requests,
    outcomes: Object.fromEntries(
      COUNTED_OUTCOMES.map((outcome) => {
        const count = given[outcome] ?? 0;
        return [outcome, { requests: count, bytes: count * 1000 }];
      }),
    ) as CacheTotals['outcomes'],
  };
}

/** What a cache did in a range and in the one before. */
export const cacheSummaryOf = (
  now: Partial<Record<CountedOutcome, number>>,
  before: Partial<Record<CountedOutcome, number>> = {},
): CacheSummary => ({ totals: cacheTotalsOf(now), previous: cacheTotalsOf(before), series: [] });
