import { useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import { needCatalogs } from '../app/intl-store';
import { isServed } from '../domain/model/domain-state';
import { RestContext } from '../domain/model/started';
import { AreaSkeleton } from '../domain/plugins/cards-skeleton';
import { readRequestMatch } from '../domain/traffic/request-match';
import { attackRestOptions, startsByItself } from '../features/attack-mode/rest';
import type { TabContentProps } from '../features/domains/page/domain-page-parts';
import { type DomainTab, PLUGIN_TABS, type PluginTab as PluginTabName } from '../features/domains/page/domain-tabs';
import { RANGES, readRange, rememberRange } from '../features/traffic/range-choice';
import { lazyPart } from '../ui/lazy-part';
import { Skeleton } from '../ui/states';
import { DomainOverview } from './domain-overview';

const PluginTab = lazyPart(() => import('./domain-plugin-tab'), true);
const CachingTab = lazyPart(() => import('./domain-caching-tab'), true);
const VersionsTab = lazyPart(async () => {
  await needCatalogs('versions');
  return import('../features/publishing/versions/versions-tab');
}, true);
const DomainDiagnosis = lazyPart(async () => {
  await needCatalogs('diagnosis');
  return import('./domain-diagnosis');
}, true);
const ShadowDomainsTab = lazyPart(async () => {
  await needCatalogs('shadowDomains');
  return import('../features/names/shadow-domains/shadow-domains-tab');
}, true);

const SslTab = lazyPart(async () => {
  await needCatalogs('ssl');
  return import('../features/ssl/ssl-tab');
}, true);

const isPluginTab = (tab: DomainTab): tab is PluginTabName => PLUGIN_TABS.some((one) => one === tab);

function TabContent({ tab, route, search, onSearchChange, onAsk, onPause }: TabContentProps) {
  if (tab === 'overview')
    return (
      <DomainOverview
        route={route}
        match={readRequestMatch(search)}
        onMatchRemove={() => onSearchChange({})}
        onAsk={onAsk}
        onPause={onPause}
      />
    );
  const { range, edit } = search;
  const cards = {
    route,
    edited: edit,
    onEditedClose: () => onSearchChange({ tab, range }, { replace: true }),
    onAsk,
  };
  return (
    <Suspense fallback={isPluginTab(tab) ? <AreaSkeleton /> : <Skeleton className="h-64 w-full" />}>
      {tab === 'caching' ? (
        <CachingTab
          key={tab}
          {...cards}
          range={RANGES.find((one) => one === range) ?? readRange()}
          onRangeChange={(next) => {
            rememberRange(next);
            onSearchChange({ tab, range: next, edit }, { replace: true });
          }}
          panel={search.panel}
          onPanelRead={() => onSearchChange({ tab, range, edit }, { replace: true })}
          onSetUp={(plugin) => onSearchChange({ tab, range, edit: plugin })}
        />
      ) : (
        (tab === 'upstreams' || isPluginTab(tab)) && <PluginTab key={tab} {...cards} tab={tab} />
      )}
      {tab === 'shadow-domains' && <ShadowDomainsTab route={route} />}
      {tab === 'ssl' && <SslTab route={route} />}
      {tab === 'diagnosis' && (
        <DomainDiagnosis
          route={route}
          view={search.view ?? 'checks'}
          requestId={search.request}
          onAsk={onAsk}
          onViewChange={(view) => onSearchChange({ tab, view: view === 'checks' ? undefined : view })}
        />
      )}
      {tab === 'versions' && (
        <VersionsTab
          route={route}
          page={search.page ?? 1}
          onDeploy={() => onAsk('deploy')}
          onPageChange={(page) => onSearchChange({ tab, page: page === 1 ? undefined : page })}
        />
      )}
    </Suspense>
  );
}

/** What each tab of a domain's page shows. */
export function DomainTabContent(props: TabContentProps) {
  const { tab, route } = props;
  const isRestAsked = tab === 'protection' && isServed(route) && startsByItself(route);
  const { data: rest } = useQuery({ ...attackRestOptions(route.id), enabled: isRestAsked });
  return (
    <RestContext value={isRestAsked && rest !== undefined ? rest : null}>
      <TabContent {...props} />
    </RestContext>
  );
}
