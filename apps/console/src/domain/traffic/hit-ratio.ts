import type { CacheSummary, CacheTotals, TrafficRange } from '@cordon/contract';
import { useTranslations } from 'use-intl';
import { useFormat } from '../../ui/format';
import { directionOf } from './change';

/** Whether a cache was on for anything that is counted: else 0 % would be the ratio of none. */
export const hadCache = ({ totals, previous }: Pick<CacheSummary, 'totals' | 'previous'>): boolean =>
  [totals, previous].some(({ requests, outcomes: { uncached } }) => requests > uncached.requests);

/** In hours without requests the ratio is none; drawn, it stays where it was. */
export function steadyRatios({ series }: Pick<CacheSummary, 'series'>): ReadonlyMap<string, number> {
  let last = 0;
  return new Map(
    series.map(({ time, hit_ratio: ratio }) => {
      last = ratio ?? last;
      return [time, last];
    }),
  );
}

/** The hit ratio in words, and its change against the range before. Needs the catalog `traffic`. */
export function useHitRatio() {
  const t = useTranslations('traffic');
  const format = useFormat();
  return {
    textOf: ({ hit_ratio: ratio }: Pick<CacheTotals, 'hit_ratio'>) =>
      ratio === null ? t('hits.none') : format.percent(ratio),
    deltaOf({ totals, previous, range }: Pick<CacheSummary, 'totals' | 'previous'> & { range: TrafficRange }) {
      if (totals.hit_ratio === null || previous.hit_ratio === null) return undefined;
      const change = totals.hit_ratio - previous.hit_ratio;
      const direction = directionOf(change);
      const tone = ({ up: 'success', down: 'danger', flat: 'neutral' } as const)[direction];
      const points = format.number(change * 100, { maximumFractionDigits: 1, signDisplay: 'exceptZero' });
      return {
        text: t('hits.points', { change: points }),
        direction,
        tone,
        description: t('delta', { range: t(`range.${range}`) }),
      };
    },
  };
}
