import type { Route, TrafficRange } from '@cordon/contract';
import { useQuery } from '@tanstack/react-query';
import { useRouterState } from '@tanstack/react-router';
import { type ComponentProps, Suspense, useCallback, useEffect, useEffectEvent, useRef, useState } from 'react';
import { needCatalogs } from '../app/intl-store';
import type { PluginProposal } from '../domain/plugins/plugin-cards';
import { CACHING_PANELS, type CachingPanel, isCachingPanel } from '../features/caching/caching-panels';
import { developmentModeOptions } from '../features/caching/development-mode/queries';
import { PanelPlace, type Wanted } from '../features/caching/panel-place';
import { lazyPart } from '../ui/lazy-part';
import { Skeleton } from '../ui/states';
import DomainPluginTab from './domain-plugin-tab';

const PanelLinks = lazyPart(async () => {
  await needCatalogs('caching');
  const { PanelLinks: Links } = await import('../features/caching/panel-links');
  return { default: Links };
});
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

/** As high as the links: two lines on a phone. */
const LinksSkeleton = () => (
  <div className="flex flex-wrap gap-2">
    {CACHING_PANELS.map((panel) => (
      <Skeleton key={panel} className="h-8 w-40 touch:h-10" />
    ))}
  </div>
);

/** Leads to a panel: a press on a link to it, or the address, in which the panel is named once. */
function useLead(panel: string | undefined, onRead: () => void) {
  const [wanted, setWanted] = useState<Wanted>();
  // Before, the page is led to its own top.
  const hasArrived = useRouterState({
    select: ({ resolvedLocation, location }) => resolvedLocation?.href === location.href,
  });
  const read = useEffectEvent(() => {
    if (isCachingPanel(panel)) setWanted({ panel, isSmooth: false });
    onRead();
  });
  useEffect(() => {
    if (hasArrived && panel !== undefined) read();
  }, [hasArrived, panel]);
  const onArrive = useCallback(() => setWanted(undefined), []);
  return { wanted, onArrive, lead: (to: CachingPanel) => setWanted({ panel: to, isSmooth: true }) };
}

/** The ways to what is far down, how well the cache does, the ways to cache, what costs the origin in spite of them, passing it by for a while, clearing it and filling it. */
export default function DomainCachingTab({
  route,
  panel,
  onPanelRead,
  onSetUp,
  ...shared
}: Omit<ComponentProps<typeof DomainPluginTab>, 'tab' | 'above' | 'proposal'> & {
  route: Route;
  /** To which the address leads. */
  panel: string | undefined;
  onPanelRead: () => void;
  /** Opens the form of a plugin. */
  onSetUp: (plugin: string) => void;
}) {
  const [range, setRange] = useState<TrafficRange>('24h');
  const [proposal, setProposal] = useState<PluginProposal>();
  const [given, setGiven] = useState<{ url: string }>();
  const { wanted, onArrive, lead } = useLead(panel, onPanelRead);
  const links = useRef<HTMLElement>(null);
  // Nothing has come before the first deploy.
  const isLive = route.version_live !== null;
  const endsAt = useQuery({ ...developmentModeOptions(route.id), enabled: isLive }).data?.ends_at ?? null;
  const place = { wanted, onArrive };
  return (
    <div className="flex flex-col gap-4">
      <Suspense fallback={<LinksSkeleton />}>
        <PanelLinks ref={links} routeId={route.id} isLive={isLive} onLead={lead} />
      </Suspense>
      {endsAt !== null && (
        <Suspense fallback={<Skeleton className="h-8 w-96 max-w-full touch:h-10" />}>
          <DevelopmentBadge
            routeId={route.id}
            endsAt={endsAt}
            onEnd={() => links.current?.querySelector<HTMLElement>('[data-panel=development]')?.focus()}
          />
        </Suspense>
      )}
      <div>
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
        <PanelPlace panel="try" {...place} fallback={<Skeleton className="h-48 w-full" />}>
          <TryUrlPanel key={route.id} route={route} given={given} />
        </PanelPlace>
      )}
      <PanelPlace panel="development" {...place} fallback={<Skeleton className="h-64 w-full" />}>
        <DevelopmentPanel key={route.id} route={route} onClear={() => lead('clear')} />
      </PanelPlace>
      <PanelPlace panel="clear" {...place} fallback={<Skeleton className="h-96 w-full" />}>
        <ClearCachePanel key={route.id} route={route} />
      </PanelPlace>
      <PanelPlace panel="prefetch" {...place} fallback={<Skeleton className="h-96 w-full" />}>
        <PrefetchPanel key={route.id} route={route} />
      </PanelPlace>
    </div>
  );
}
