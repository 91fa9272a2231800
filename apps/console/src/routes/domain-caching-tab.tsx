import type { Route, TrafficRange } from '@cordon/contract';
import { type ComponentProps, Suspense, useState } from 'react';
import { needCatalogs } from '../app/intl-store';
import type { PluginProposal } from '../domain/plugins/plugin-cards';
import { lazyPart } from '../ui/lazy-part';
import { Skeleton } from '../ui/states';
import DomainPluginTab from './domain-plugin-tab';

const CacheFigures = lazyPart(async () => {
  await needCatalogs('traffic', 'cacheFigures');
  const { CacheFigures: Figures } = await import('../features/caching/cache-figures/cache-figures');
  return { default: Figures };
});
const CostlyPaths = lazyPart(async () => {
  await needCatalogs('cacheFigures');
  const { CostlyPaths: Paths } = await import('../features/caching/cache-figures/costly-paths');
  return { default: Paths };
});
const ClearCachePanel = lazyPart(async () => {
  await needCatalogs('caching');
  const { ClearCachePanel: Panel } = await import('../features/caching/clear-cache-panel');
  return { default: Panel };
});

/** How well the cache does, the ways to cache, what costs the origin in spite of them, and clearing it. */
export default function DomainCachingTab({
  route,
  onSetUp,
  ...shared
}: Omit<ComponentProps<typeof DomainPluginTab>, 'tab' | 'above' | 'proposal'> & {
  route: Route;
  /** Opens the form of a plugin. */
  onSetUp: (plugin: string) => void;
}) {
  const [range, setRange] = useState<TrafficRange>('24h');
  const [proposal, setProposal] = useState<PluginProposal>();
  // Nothing has come before the first deploy.
  const isLive = route.version_live !== null;
  return (
    <div className="flex flex-col gap-4">
      <div>
        <DomainPluginTab
          {...shared}
          route={route}
          tab="caching"
          proposal={proposal}
          above={
            isLive && (
              <Suspense fallback={<Skeleton className="h-96 w-full" />}>
                <CacheFigures route={route} range={range} onRangeChange={setRange} onSetUp={onSetUp} />
              </Suspense>
            )
          }
        />
      </div>
      {isLive && (
        <Suspense fallback={<Skeleton className="h-64 w-full" />}>
          <CostlyPaths key={route.id} route={route} range={range} onPropose={setProposal} />
        </Suspense>
      )}
      <Suspense fallback={<Skeleton className="h-96 w-full" />}>
        <ClearCachePanel key={route.id} route={route} />
      </Suspense>
    </div>
  );
}
