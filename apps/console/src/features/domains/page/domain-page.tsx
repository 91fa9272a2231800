import { isNotFound, type Route, type RouteSummary } from '@cordon/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import clsx from 'clsx';
import { type ReactNode, Suspense, useEffect, useMemo, useState } from 'react';
import { useTranslations } from 'use-intl';
import { describeFailure } from '../../../app/failure';
import { useLiveInterval } from '../../../app/live-events';
import { staleOf } from '../../../app/stale-data';
import { domainKeys } from '../../../domain/data/keys';
import { useLiveDomains } from '../../../domain/data/live-domains';
import { readRoute, routeOptions, trafficOptions } from '../../../domain/data/queries';
import { forgetDomain, recentDomains, rememberDomain } from '../../../domain/data/recent-domains';
import type { DialogAction } from '../../../domain/model/dialog-action';
import { isOperationRunning, isServed } from '../../../domain/model/domain-state';
import { StartedContext } from '../../../domain/model/started';
import { Card } from '../../../ui/card';
import { DottedText } from '../../../ui/dotted-text';
import { lazyPart } from '../../../ui/lazy-part';
import { findFocusAfter, findLostFocus } from '../../../ui/lost-focus';
import { PageHeader } from '../../../ui/page-header';
import { PlaceContext } from '../../../ui/place';
import { ErrorState, Skeleton, StaleLine } from '../../../ui/states';
import { TabPanel, Tabs } from '../../../ui/tabs';
import { Link } from '../../../ui/text-link';
import { hasUnsavedChanges } from '../../../ui/unsaved-changes';
import { DomainHeader } from './domain-header';
import type { DomainPageParts, PageSearchChange } from './domain-page-parts';
import { DOMAIN_TABS, type DomainTab } from './domain-tabs';
import type { DomainPageSearch } from './page-search';
import { PageSkeleton } from './page-skeleton';
import { pauseBannerOptions } from './queries';

const GoneDomain = lazyPart(() => import('./gone-domain'));
const SuspensionBanner = lazyPart(() => import('./suspension-banner'));

/** Longer the page does not wait for what stands above its content. */
const BANNER_WAIT_MS = 2000;
const OWNERSHIP_POLLING_MS = 10_000;
/** Tabs that say of themselves that the domain is suspended, and why. */
const SUSPENSION_TOLD: ReadonlySet<DomainTab> = new Set(['overview', 'diagnosis']);

export interface DomainPageProps {
  id: string;
  search: DomainPageSearch;
  onSearchChange: PageSearchChange;
  parts: DomainPageParts;
}

/** Watches what changes without the user: an operation, a deletion, DNS that is being set right now. */
function useWatchedRoute(id: string, parts: DomainPageParts) {
  const interval = useLiveInterval();
  const client = useQueryClient();
  return useQuery({
    ...routeOptions(id),
    queryFn: async ({ signal }) => {
      // Shown together with its banners, which would push the page down if they came later.
      const wait = new Promise((resolve) => window.setTimeout(resolve, BANNER_WAIT_MS));
      const attack = Promise.race([parts.readAttack(client, id).catch(() => undefined), wait]);
      const route = await readRoute(id, signal);
      if (isServed(route)) await attack;
      await Promise.race([parts.loadAbove(route), wait]);
      if (route.paused) await client.ensureQueryData(pauseBannerOptions(parts)).catch(() => undefined);
      return route;
    },
    refetchInterval: ({ state }) => {
      if (!state.data) return false;
      if (isOperationRunning(state.data) || state.data.status === 'deleting') return interval;
      if (state.data.immediate_operation?.state === 'running') return interval;
      return state.data.ownership.state === 'pending' ? OWNERSHIP_POLLING_MS : false;
    },
  });
}

type WatchedRoute = ReturnType<typeof useWatchedRoute>;

/** The domain as a list has shown it, before it is read itself. */
function useListed(id: string): RouteSummary | undefined {
  const client = useQueryClient();
  return client
    .getQueriesData<{ results: RouteSummary[] }>({ queryKey: domainKeys.lists() })
    .flatMap(([, page]) => page?.results ?? [])
    .find((route) => route.id === id);
}

/** What the palette knows of domains opened last. */
function useRecent(id: string, route: Route | undefined, isGone: boolean) {
  useEffect(() => {
    if (isGone) forgetDomain(id);
  }, [isGone, id]);
  useEffect(() => {
    if (route) rememberDomain(route);
  }, [route]);
}

interface DomainTabListProps {
  id: string;
  tab: DomainTab;
  /** How many names it has besides the main one. */
  aliases: number | undefined;
  onSearchChange: PageSearchChange;
}

function DomainTabList({ id, tab, aliases, onSearchChange }: DomainTabListProps) {
  const t = useTranslations('domain');
  return (
    <Tabs<DomainTab>
      label={t('page.tabs')}
      idPrefix="domain"
      value={tab}
      hrefOf={(one) => `#/domain/list/${id}${one === 'overview' ? '' : `?tab=${one}`}`}
      onValueChange={(one) => onSearchChange({ tab: one === 'overview' ? undefined : one })}
      tabs={DOMAIN_TABS.map((one) => ({
        id: one,
        label: t(`tab.${one}`),
        // Its room is kept from the start: what is longer reaches into the padding beside it.
        badge: one === 'shadow-domains' && (
          <span className="tabular text-sm text-muted" style={{ width: '0.5ch', marginLeft: -4 }}>
            {aliases || undefined}
          </span>
        ),
      }))}
    />
  );
}

interface UnreadDomainProps {
  /** Undefined: no list has shown it, and it was never opened here. */
  name: string | undefined;
  query: WatchedRoute;
  breadcrumb: ReactNode;
}

function UnreadDomain({ name, query, breadcrumb }: UnreadDomainProps) {
  const t = useTranslations('domain.page');
  return (
    <>
      <PageHeader
        breadcrumb={[breadcrumb]}
        title={name === undefined ? t('one') : <DottedText text={name} />}
        documentTitle={[name ?? t('one')]}
      />
      <Card>
        <ErrorState
          {...describeFailure(query.error)}
          onRetry={() => void query.refetch()}
          isRetrying={query.isFetching}
        />
      </Card>
    </>
  );
}

/** The page of one domain: is it working, what changed, what should I do; then its settings, tab by tab. */
export function DomainPage({ id, search, onSearchChange, parts }: DomainPageProps) {
  const t = useTranslations('domain');
  const navigate = useNavigate();
  useLiveDomains();
  const query = useWatchedRoute(id, parts);
  const isGone = isNotFound(query.error);
  const { data: read } = query;
  const route = useMemo(
    () => (isGone && read ? { ...read, status: 'deleted' as const, operation: null } : read),
    [isGone, read],
  );
  // Only how it went: the overview asks for it.
  const day = useQuery({ ...trafficOptions(id), enabled: false });
  const [pausing, setPausing] = useState<{ isOpen: boolean }>();
  const { data: PauseBanner } = useQuery({
    ...pauseBannerOptions(parts),
    enabled: pausing !== undefined || !!route?.paused,
  });
  const started = parts.useStarted(id, route);
  const actions = parts.useActions(() => void navigate({ to: '/domain/list' }));
  const tab = search.tab ?? 'overview';
  useRecent(id, read, isGone);
  const isKnown = route !== undefined || query.isError;
  // The router moves the focus to a screen's heading, but this one comes only with the data.
  useEffect(() => {
    if (isKnown) findLostFocus();
  }, [isKnown]);
  // What had the focus goes with its tab, where a link or the palette leads to another.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each change of what is shown
  useEffect(() => findFocusAfter(false), [tab, search.view, search.request]);
  const listed = useListed(id);
  const back = (
    <Link key="list" to="/domain/list" className="reach">
      {t('list.title')}
    </Link>
  );
  const tabs = (
    <DomainTabList id={id} tab={tab} aliases={route?.shadow_domains.length} onSearchChange={onSearchChange} />
  );
  // What was typed can still be copied.
  const isHeld = route !== undefined && hasUnsavedChanges();
  const gone = isGone && (
    <Suspense>
      <GoneDomain
        name={route?.domain_name_unicode}
        breadcrumb={back}
        isHeld={isHeld}
        onReleased={() => void query.refetch()}
      />
    </Suspense>
  );
  if (gone && !isHeld) return gone;
  if (!route && query.isError)
    return (
      <UnreadDomain
        name={listed?.domain_name_unicode ?? recentDomains().find((one) => one.id === id)?.unicode}
        query={query}
        breadcrumb={back}
      />
    );
  if (!route) return <PageSkeleton listed={listed} breadcrumb={back} tabs={tabs} tab={tab} />;
  const stale = staleOf(query) ?? (tab === 'overview' ? staleOf(day) : undefined);
  const title = t(tab === 'diagnosis' && search.view === 'trace' ? 'page.test.trace' : `tab.${tab}`);
  const ask = (action: DialogAction) => actions.ask(action, route);
  const askPause = () => setPausing({ isOpen: true });
  return (
    <PlaceContext value={tab}>
      <DomainHeader
        route={route}
        breadcrumb={back}
        tab={title}
        isStarted={started !== false}
        onAsk={ask}
        onPause={askPause}
      />
      {route.paused && route.suspension === null && PauseBanner && <PauseBanner route={route} pause={route.paused} />}
      <Suspense>
        {pausing && (
          <parts.PauseDialog route={route} open={pausing.isOpen} onOpenChange={(isOpen) => setPausing({ isOpen })} />
        )}
      </Suspense>
      {tabs}
      {/* What one list fills says itself that it could not be read: of the rest of the page nothing is left to say. */}
      <TabPanel idPrefix="domain" value={tab} className={clsx('pt-4', tab === 'versions' && 'peer')}>
        {/* Below the tabs, which an attack that is heard of late must not move. */}
        {isServed(route) && <parts.AttackBanner routeId={id} />}
        {route.suspension && !SUSPENSION_TOLD.has(tab) && (
          <Suspense fallback={<Skeleton className="mb-4 h-32 w-full" />}>
            <SuspensionBanner suspension={route.suspension} />
          </Suspense>
        )}
        <StartedContext value={started}>
          <parts.TabContent
            tab={tab}
            route={route}
            search={search}
            onSearchChange={onSearchChange}
            onAsk={ask}
            onPause={askPause}
          />
        </StartedContext>
      </TabPanel>
      {gone}
      {stale && !isGone && <StaleLine {...stale} />}
      {actions.dialog}
    </PlaceContext>
  );
}
