import type { Route, TrafficRange } from '@cordon/contract';
import { useQuery } from '@tanstack/react-query';
import { type ComponentProps, Suspense, useRef, useState } from 'react';
import { needCatalogs } from '../app/intl-store';
import type { PluginProposal } from '../domain/plugins/plugin-cards';
import { developmentModeOptions } from '../features/caching/development-mode/queries';
import { lazyPart } from '../ui/lazy-part';
import { Skeleton } from '../ui/states';
import DomainPluginTab from './domain-plugin-tab';

const CacheFigures = lazyPart(async () => {
  await needCatalogs('traffic', 'caching');
  const { CacheFigures: Figures } = await import('../features/caching/cache-figures/cache-figures');
  return { default: Figures };
});
const CostlyPaths = lazyPart(async () => {
  await needCatalogs('caching');
  const { CostlyPaths: Paths } = await import('../features/caching/cache-figures/costly-paths');
  return { default: Paths };
});
const TryUrlPanel = lazyPart(async () => {
  await needCatalogs('caching');
  const { TryUrlPanel: Panel } = await import('../features/caching/try-url/try-url-panel');
  return { default: Panel };
});
const ClearCachePanel = lazyPart(async () => {
  await needCatalogs('caching', 'domain');
  const { ClearCachePanel: Panel } = await import('../features/caching/clear-cache-panel');
  return { default: Panel };
});
const PrefetchPanel = lazyPart(async () => {
  await needCatalogs('caching');
  const { PrefetchPanel: Panel } = await import('../features/caching/prefetch/prefetch-panel');
  return { default: Panel };
});
const DevelopmentBadge = lazyPart(async () => {
  await needCatalogs('caching');
  const { DevelopmentBadge: Badge } = await import('../features/caching/development-mode/development-badge');
  return { default: Badge };
});
const DevelopmentPanel = lazyPart(async () => {
  await needCatalogs('caching');
  const { DevelopmentPanel: Panel } = await import('../features/caching/development-mode/development-panel');
  return { default: Panel };
});

/** How well the cache does, the ways to cache, what costs the origin in spite of them, passing it by for a while, clearing it and filling it. */
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
  const [given, setGiven] = useState<{ url: string }>();
  // Nothing has come before the first deploy.
  const isLive = route.version_live !== null;
  const endsAt = useQuery({ ...developmentModeOptions(route.id), enabled: isLive }).data?.ends_at ?? null;
  const clearPlace = useRef<HTMLDivElement>(null);
  return (
    <div className="flex flex-col gap-4">
      <div>
        {endsAt !== null && (
          <Suspense fallback={<Skeleton className="mb-4 h-6 w-64" />}>
            <DevelopmentBadge endsAt={endsAt} />
          </Suspense>
        )}
        <DomainPluginTab
          {...shared}
          route={route}
          tab="caching"
          proposal={proposal}
          above={
            isLive && (
              <Suspense fallback={<Skeleton className="h-96 w-full" />}>
                <CacheFigures
                  route={route}
                  range={range}
                  onRangeChange={setRange}
                  isPassedBy={endsAt !== null}
                  onSetUp={onSetUp}
                />
              </Suspense>
            )
          }
        />
      </div>
      {isLive && (
        <Suspense fallback={<Skeleton className="h-64 w-full" />}>
          <CostlyPaths
            key={route.id}
            route={route}
            range={range}
            onPropose={setProposal}
            onTry={(path) => setGiven({ url: encodeURI(path).replaceAll(/[?#]/g, encodeURIComponent) })}
          />
        </Suspense>
      )}
      {isLive && (
        <Suspense fallback={<Skeleton className="h-48 w-full" />}>
          <TryUrlPanel key={route.id} route={route} given={given} />
        </Suspense>
      )}
      <Suspense fallback={<Skeleton className="h-64 w-full" />}>
        <DevelopmentPanel
          key={route.id}
          route={route}
          onClear={() => {
            clearPlace.current?.scrollIntoView();
            clearPlace.current?.focus({ preventScroll: true });
          }}
        />
      </Suspense>
      <div ref={clearPlace} tabIndex={-1} className="outline-none!">
        <Suspense fallback={<Skeleton className="h-96 w-full" />}>
          <ClearCachePanel key={route.id} route={route} />
        </Suspense>
      </div>
      <Suspense fallback={<Skeleton className="h-96 w-full" />}>
        <PrefetchPanel key={route.id} route={route} />
      </Suspense>
    </div>
  );
}
