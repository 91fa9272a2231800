import { PAGE_SIZE_DEFAULT } from '@cordon/contract';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Suspense, useCallback, useMemo } from 'react';
import { useTranslations } from 'use-intl';
import { type AllowListProps, readAllowListSearch } from '../features/bans/allowed/allow-list-search';
import { HeaderTools } from '../features/bans/allowed/header-tools';
import { allowListOptions, edgeAddressesOptions } from '../features/bans/allowed/queries';
import { BansScreen as Bans } from '../features/bans/bans-screen';
import { type BansScreenProps, readBansSearch } from '../features/bans/bans-search';
import { banListOptions } from '../features/bans/queries';
import { useFormat } from '../ui/format';
import { lazyPart } from '../ui/lazy-part';
import { PageHeader } from '../ui/page-header';
import { Skeleton } from '../ui/states';
import { TabPanel, Tabs } from '../ui/tabs';
import { useKnownTab } from './known-tab';

const EdgeAddresses = lazyPart(() => import('../features/bans/edge-addresses'), true);
const AllowListScreen = lazyPart(() => import('../features/bans/allowed/allow-list-screen'), true);

const route = getRouteApi('/shell/manage-ip');
const TABS = ['banned', 'allowed', 'edge'] as const;
type Tab = (typeof TABS)[number];

const FIRST_PAGE = { page: 1, perpage: PAGE_SIZE_DEFAULT };

/** How many entries each list has, once it is known. */
function useCounts(): Record<Tab, number | undefined> {
  // Of the list that is shown the screen asks again and again.
  const banned = useQuery({ ...banListOptions(FIRST_PAGE, true), meta: { isSilent: true } }).data?.count;
  const allowed = useQuery({ ...allowListOptions(FIRST_PAGE, true), meta: { isSilent: true } }).data?.count;
  return { banned, allowed, edge: useQuery(edgeAddressesOptions).data?.length };
}

/** Its place is there before the number is. */
function Count({ count }: { count: number | undefined }) {
  const format = useFormat();
  return (
    <span className="tabular min-w-2 text-sm font-normal text-muted">
      {count !== undefined && format.compact(count)}
    </span>
  );
}

/** `/manage-ip`: the URL holds the tab, page, search and filter. */
export function BansScreen() {
  const t = useTranslations('bans');
  const raw = route.useSearch();
  const navigate = route.useNavigate();
  const tab: Tab = TABS.find((one) => one === raw.tab) ?? 'banned';
  useKnownTab(raw.tab, tab, 'banned', navigate);
  const search = useMemo(() => readBansSearch({ ...raw }), [raw]);
  const allowSearch = useMemo(() => readAllowListSearch({ ...raw }), [raw]);
  const change = useCallback<BansScreenProps['onSearchChange'] & AllowListProps['onSearchChange']>(
    (part, how) => void navigate({ search: (before) => ({ ...before, ...part }), replace: how?.replace }),
    [navigate],
  );
  const counts = useCounts();
  const tabs = (
    <Tabs<Tab>
      label={t('tabs')}
      idPrefix="manage-ip"
      value={tab}
      hrefOf={(one) => `#/manage-ip${one === 'banned' ? '' : `?tab=${one}`}`}
      onValueChange={(one) => void navigate({ search: one === 'banned' ? {} : { tab: one } })}
      tabs={TABS.map((one) => ({ id: one, label: t(`tab.${one}`), badge: <Count count={counts[one]} /> }))}
    />
  );
  if (tab === 'banned') return <Bans search={search} onSearchChange={change} tabs={tabs} />;
  if (tab === 'edge')
    return (
      <>
        <PageHeader
          title={t('title')}
          documentTitle={[t('tab.edge'), t('title')]}
          // As high as the buttons of the other tabs, so that the tabs stay where they are.
          status={<span className="touch:h-10" />}
        />
        {tabs}
        <TabPanel idPrefix="manage-ip" value="edge" className="pt-4">
          <p className="mb-4 text-muted">{t('allowList.edgeIps.body')}</p>
          <Suspense fallback={<Skeleton className="h-96" />}>
            <EdgeAddresses />
          </Suspense>
        </TabPanel>
      </>
    );
  const fallback = (
    <>
      <PageHeader title={t('title')} status={<HeaderTools />} />
      {tabs}
      <p className="mt-4 text-muted">{t('allowList.description')}</p>
      <Skeleton className="mt-4 h-96" />
    </>
  );
  return (
    <Suspense fallback={fallback}>
      <AllowListScreen search={allowSearch} onSearchChange={change} title={t('title')} tabs={tabs} />
    </Suspense>
  );
}
