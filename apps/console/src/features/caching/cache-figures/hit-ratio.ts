import type { CacheOverview, CacheTotals } from '@cordon/contract';
import { useTranslations } from 'use-intl';
import { directionOf } from '../../../domain/traffic/change';
import { useFormat } from '../../../ui/format';

/** In hours without requests the ratio is none; drawn, it stays where it was. */
export function steadyRatios({ series }: CacheOverview): ReadonlyMap<string, number> {
  let last = 0;
  return new Map(
    series.map(({ time, hit_ratio: ratio }) => {
      last = ratio ?? last;
      return [time, last];
    }),
  );
}

/** The hit ratio in words, and its change against the range before. Needs the catalogs `traffic` and `caching`. */
export function useHitRatio() {
  const t = useTranslations('caching.cacheFigures');
  const tTraffic = useTranslations('traffic');
  const format = useFormat();
  return {
    textOf: ({ hit_ratio: ratio }: Pick<CacheTotals, 'hit_ratio'>) =>
      ratio === null ? t('none') : format.percent(ratio),
    deltaOf({ totals, previous, range }: CacheOverview) {
      if (totals.hit_ratio === null || previous.hit_ratio === null) return undefined;
      const change = totals.hit_ratio - previous.hit_ratio;
      const direction = directionOf(change);
      const tone = ({ up: 'success', down: 'danger', flat: 'neutral' } as const)[direction];
      const points = format.number(change * 100, { maximumFractionDigits: 1, signDisplay: 'exceptZero' });
      return {
        text: t('points', { change: points }),
        direction,
        tone,
        description: tTraffic('delta', { range: tTraffic(`range.${range}`) }),
      };
    },
  };
}
