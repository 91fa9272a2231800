import type { CacheOverview, CacheTotals } from '@cordon/contract';
import { useTranslations } from 'use-intl';
import { courseOf } from '../../../domain/traffic/first-data';
import { hadCache, steadyRatios, useHitRatio } from '../../../domain/traffic/hit-ratio';
import { StatCard, StatGrid } from '../../../ui/card';
import { MiniChart } from '../../../ui/charts/mini-chart';
import { useFormat } from '../../../ui/format';

/** Requests that an origin was asked for: all but what was stored and fresh, or served stale. */
export const requestsToOrigin = ({ requests, outcomes: { hit, stale } }: CacheTotals): number =>
  requests - hit.requests - stale.requests;

export const bytesFromOrigin = ({ bytes, saved_bytes: saved }: CacheTotals): number => bytes - saved;

const NONE = { hit_ratio: null };

/** The numbers of a cache, each with its course. Undefined shows skeletons. Needs the catalogs `traffic` and `caching`. */
export function FigureCards({ overview }: { overview: CacheOverview | undefined }) {
  const t = useTranslations('caching.cacheFigures');
  const format = useFormat();
  const { textOf, deltaOf } = useHitRatio();
  const isOn = overview !== undefined && hadCache(overview);
  const ratios = overview && steadyRatios(overview);
  const cards: readonly {
    id: 'hitRatio' | 'saved' | 'toOrigin' | 'fromOrigin';
    show: (totals: CacheTotals) => string;
    valueIn: (point: CacheOverview['series'][number]) => number;
    top: number;
  }[] = [
    {
      id: 'hitRatio',
      show: (totals) => textOf(isOn ? totals : NONE),
      valueIn: ({ time }) => ratios?.get(time) ?? 0,
      top: 1,
    },
    { id: 'saved', show: (totals) => format.bytes(totals.saved_bytes), valueIn: (point) => point.saved_bytes, top: 0 },
    { id: 'toOrigin', show: (totals) => format.compact(requestsToOrigin(totals)), valueIn: requestsToOrigin, top: 10 },
    { id: 'fromOrigin', show: (totals) => format.bytes(bytesFromOrigin(totals)), valueIn: bytesFromOrigin, top: 0 },
  ];
  return (
    <StatGrid>
      {cards.map(({ id, show, valueIn, top }) => {
        const delta = id === 'hitRatio' && overview ? deltaOf(overview) : undefined;
        return (
          <StatCard
            key={id}
            label={t(`number.${id}`)}
            value={overview && show(overview.totals)}
            {...(delta && { delta })}
            chart={
              // On a phone the chart below is in sight with them.
              <div className="phone:hidden">
                <MiniChart {...(overview ? courseOf(overview, valueIn) : { values: [] })} top={top} tone="primary" />
              </div>
            }
          />
        );
      })}
    </StatGrid>
  );
}
