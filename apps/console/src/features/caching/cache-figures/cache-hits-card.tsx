import type { CacheOverview } from '@cordon/contract';
import { useQuery } from '@tanstack/react-query';
import { courseOf } from '../../../domain/traffic/first-data';
import { StatCard } from '../../../ui/card';
import { MiniChart } from '../../../ui/charts/mini-chart';
import { steadyRatios, useHitRatio } from './hit-ratio';
import { cacheOverviewOptions } from './queries';

function courseOfRatio(overview: CacheOverview) {
  const ratios = steadyRatios(overview);
  return courseOf(overview, ({ time }) => ratios.get(time) ?? 0);
}

/** The hit ratio of the last 24 hours beside other numbers of a domain, leading to its cache. Needs the catalogs `traffic` and `caching`. */
export default function CacheHitsCard({ routeId, label }: { routeId: string; label: string }) {
  const { data: overview, isLoadingError } = useQuery(cacheOverviewOptions(routeId, '24h'));
  const { textOf, deltaOf } = useHitRatio();
  const delta = overview && deltaOf(overview);
  return (
    <StatCard
      label={label}
      href={`#/domain/list/${routeId}?tab=caching`}
      value={overview ? textOf(overview.totals) : isLoadingError ? textOf({ hit_ratio: null }) : undefined}
      {...(delta && { delta })}
      chart={
        <div className="phone:hidden">
          <MiniChart {...(overview ? courseOfRatio(overview) : { values: [] })} top={1} tone="primary" />
        </div>
      }
    />
  );
}
