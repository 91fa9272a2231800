import type { Route, TrafficRange } from '@cordon/contract';
import { type FetchQueryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouterState } from '@tanstack/react-router';
import { type ComponentProps, Suspense, useCallback, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useLocale } from 'use-intl';
import { needCatalogs } from '../app/intl-store';
import { useSubscriptions } from '../app/subscriptions';
import { AreaSkeleton } from '../domain/plugins/cards-skeleton';
import type { PluginProposal } from '../domain/plugins/plugin-proposal';
import { tasksOptions } from '../domain/tasks/queries';
import { pluginCatalogsOptions } from '../domain/words/plugin-words';
import { cacheOverviewOptions, costlyPathsOptions } from '../features/caching/cache-figures/queries';
import { type CachingPanel, isCachingPanel } from '../features/caching/caching-panels';
import { developmentModeOptions } from '../features/caching/development-mode/queries';
import { PanelPlace, type Wanted } from '../features/caching/panel-place';
import { prefetchesOptions, prefetchListOptions } from '../features/caching/prefetch/queries';
import { clearsOptions } from '../features/caching/queries';
import { StatGrid } from '../ui/card';
import { loadedPart } from '../ui/loaded-part';
import { Skeleton } from '../ui/states';
import DomainPluginTab, { AreaTab } from './domain-plugin-tab';

const PanelLinks = loadedPart(async () => {
  await needCatalogs('caching');
  const { PanelLinks: Links } = await import('../features/caching/panel-links');
  return { default: Links };
});
const CacheFigures = loadedPart(async () => {
  await needCatalogs('traffic', 'caching');
  const { CacheFigures: Figures } = await import('../features/caching/cache-figures/cache-figures');
  return { default: Figures };
});
const CostlyPaths = loadedPart(async () => {
  await needCatalogs('caching');
  const { CostlyPaths: Paths } = await import('../features/caching/cache-figures/costly-paths');
  return { default: Paths };
});
const TryUrlPanel = loadedPart(async () => {
  await needCatalogs('caching');
  const { TryUrlPanel: Panel } = await import('../features/caching/try-url/try-url-panel');
  return { default: Panel };
});
const ClearCachePanel = loadedPart(async () => {
  await needCatalogs('caching', 'domain');
  const { ClearCachePanel: Panel } = await import('../features/caching/clear-cache-panel');
  return { default: Panel };
});
const PrefetchPanel = loadedPart(async () => {
  await needCatalogs('caching');
  const { PrefetchPanel: Panel } = await import('../features/caching/prefetch/prefetch-panel');
  return { default: Panel };
});
const DevelopmentBadge = loadedPart(async () => {
  await needCatalogs('caching');
  const { DevelopmentBadge: Badge } = await import('../features/caching/development-mode/development-badge');
  return { default: Badge };
});
const DevelopmentPanel = loadedPart(async () => {
  await needCatalogs('caching');
  const { DevelopmentPanel: Panel } = await import('../features/caching/development-mode/development-panel');
  return { default: Panel };
});

const PARTS = [
  ...[AreaTab, PanelLinks, CacheFigures, CostlyPaths, TryUrlPanel],
  ...[ClearCachePanel, PrefetchPanel, DevelopmentBadge, DevelopmentPanel],
] as const;
/** Longer the tab does not wait for what it has to ask: each has a place of its own, of another height. */
const ANSWERS_WAIT_MS = 5_000;

/** What the tab asks for first, but what is read with the domain. */
function useFirstQuestions(route: Route, range: TrafficRange) {
  const { subscriptions } = useSubscriptions();
  const isLive = route.version_live !== null;
  const isFree = subscriptions?.find(({ cname }) => cname === route.subscription_cname)?.tier === 'free';
  const figures = [cacheOverviewOptions(route.id, range), costlyPathsOptions(route.id, range, 'bytes')] as const;
  const lists = [clearsOptions(route.id, 1), tasksOptions(route.id), prefetchesOptions(route.id, 1)] as const;
  return [
    ...(isLive ? figures : []),
    ...(isLive && !isFree ? lists : []),
    ...(isFree ? [] : [prefetchListOptions(route.id)]),
  ];
}

/**
 * Whether the tab can be drawn whole. Its parts and figures come from many places, and how high each is shows when it is
 * there: one after another, each would push down what is below it.
 */
function useReady(route: Route, range: TrafficRange): boolean {
  const client = useQueryClient();
  const words = pluginCatalogsOptions(useLocale());
  const questions = useFirstQuestions(route, range);
  const [isReady, setReady] = useState(
    () =>
      PARTS.every(({ isLoaded }) => isLoaded()) &&
      [words, ...questions].every(
        ({ queryKey }) => (client.getQueryState(queryKey)?.status ?? 'pending') !== 'pending',
      ),
  );
  const load = useEffectEvent(async () => {
    const wait = new Promise((resolve) => window.setTimeout(resolve, ANSWERS_WAIT_MS));
    const answers = Promise.all(questions.map((one) => client.prefetchQuery(one as FetchQueryOptions)));
    await Promise.all([
      // What does not arrive says so in its own place.
      ...PARTS.map((part) => part.load().catch(() => undefined)),
      client.prefetchQuery(words),
      Promise.race([answers, wait]),
    ]);
    setReady(true);
  });
  useEffect(() => {
    if (!isReady) void load();
  }, [isReady]);
  return isReady;
}

/** The tab before it can be drawn: links, figures, ways to cache. */
const TabSkeleton = ({ isLive }: { isLive: boolean }) => (
  <div aria-busy className="flex flex-col gap-4">
    <Skeleton className="h-8 w-full touch:h-10" />
    {isLive && (
      <>
        <Skeleton className="h-8 w-full" />
        <StatGrid>
          {[0, 1, 2, 3].map((figure) => (
            <Skeleton key={figure} className="h-24 w-full" />
          ))}
        </StatGrid>
        <Skeleton className="h-64 w-full" />
      </>
    )}
    <div>
      <AreaSkeleton />
    </div>
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

interface CachingTabProps extends Omit<ComponentProps<typeof DomainPluginTab>, 'tab' | 'above' | 'proposal'> {
  /** Of the figures. */
  range: TrafficRange;
  onRangeChange: (range: TrafficRange) => void;
  /** To which the address leads. */
  panel: string | undefined;
  onPanelRead: () => void;
  /** Opens the form of a plugin. */
  onSetUp: (plugin: string) => void;
}

/** The ways to what is far down, how well the cache does, the ways to cache, what costs the origin in spite of them, passing it by for a while, clearing it and filling it. */
function CachingParts({ route, range, onRangeChange, panel, onPanelRead, onSetUp, ...shared }: CachingTabProps) {
  const [proposal, setProposal] = useState<PluginProposal>();
  const [given, setGiven] = useState<{ url: string }>();
  const { wanted, onArrive, lead } = useLead(panel, onPanelRead);
  const links = useRef<HTMLElement>(null);
  // Nothing has come before the first deploy.
  const isLive = route.version_live !== null;
  const endsAt = useQuery({ ...developmentModeOptions(route), enabled: isLive }).data?.ends_at ?? null;
  const place = { wanted, onArrive };
  return (
    <div className="flex flex-col gap-4">
      <PanelLinks ref={links} routeId={route.id} isLive={isLive} onLead={lead} />
      {endsAt !== null && (
        <DevelopmentBadge
          routeId={route.id}
          endsAt={endsAt}
          onEnd={() => links.current?.querySelector<HTMLElement>('[data-panel=development]')?.focus()}
        />
      )}
      <div>
        <DomainPluginTab
          {...shared}
          route={route}
          tab="caching"
          proposal={proposal}
          above={
            isLive && (
              <CacheFigures
                route={route}
                range={range}
                onRangeChange={onRangeChange}
                isPassedBy={endsAt !== null}
                onSetUp={onSetUp}
              />
            )
          }
        />
      </div>
      {isLive && (
        <PanelPlace panel="costly" {...place}>
          <CostlyPaths
            key={route.id}
            route={route}
            range={range}
            onPropose={setProposal}
            onTry={(path) => setGiven({ url: encodeURI(path).replaceAll(/[?#]/g, encodeURIComponent) })}
          />
        </PanelPlace>
      )}
      {isLive && (
        <PanelPlace panel="try" {...place}>
          <TryUrlPanel key={route.id} route={route} given={given} />
        </PanelPlace>
      )}
      <PanelPlace panel="development" {...place}>
        <DevelopmentPanel key={route.id} route={route} onClear={() => lead('clear')} />
      </PanelPlace>
      <PanelPlace panel="clear" {...place}>
        <ClearCachePanel key={route.id} route={route} />
      </PanelPlace>
      <PanelPlace panel="prefetch" {...place}>
        <PrefetchPanel key={route.id} route={route} />
      </PanelPlace>
    </div>
  );
}

/** All of the tab at once. */
export default function DomainCachingTab(props: CachingTabProps) {
  const isLive = props.route.version_live !== null;
  const isReady = useReady(props.route, props.range);
  const skeleton = <TabSkeleton isLive={isLive} />;
  if (!isReady) return skeleton;
  return (
    <Suspense fallback={skeleton}>
      <CachingParts {...props} />
    </Suspense>
  );
}
