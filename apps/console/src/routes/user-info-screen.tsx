import { getRouteApi } from '@tanstack/react-router';
import { Suspense, useCallback, useMemo } from 'react';
import { useTranslations } from 'use-intl';
import { needCatalogs } from '../app/intl-store';
import { readId, readOne } from '../app/search-readers';
import { PRESET_NAMES, type Preset } from '../features/accounts/tokens/token-scopes';
import { type AuditTabProps, readAuditSearch } from '../features/audit/audit-search';
import { lazyPart } from '../ui/lazy-part';
import { PageHeader } from '../ui/page-header';
import { Skeleton } from '../ui/states';
import { TabPanel, Tabs } from '../ui/tabs';
import { useKnownTab } from './known-tab';

const ProfileTab = lazyPart(() => import('../features/accounts/profile-tab'), true);
const TokensTab = lazyPart(async () => {
  await needCatalogs('accounts');
  return import('../features/accounts/tokens/tokens-tab');
}, true);
const AuditTab = lazyPart(() => import('../features/audit/audit-tab'), true);

const route = getRouteApi('/shell/user/info');
const TABS = ['profile', 'tokens', 'audit'] as const;
type Tab = (typeof TABS)[number];

/** `/user/info`: the URL holds the tab, what the audit log is searched for, and whether a token is being made. */
export function UserInfoScreen() {
  const t = useTranslations('accounts');
  const raw = route.useSearch();
  const navigate = route.useNavigate();
  const tab: Tab = TABS.find((one) => one === raw.tab) ?? 'profile';
  useKnownTab(raw.tab, tab, 'profile', navigate);
  const search = useMemo(() => readAuditSearch({ ...raw }), [raw]);
  const change = useCallback<AuditTabProps['onSearchChange']>(
    (part, how) => void navigate({ search: (before) => ({ ...before, ...part }), replace: how?.replace }),
    [navigate],
  );
  const setCreating = useCallback(
    (create: Preset | undefined) =>
      void navigate({ search: (before) => ({ ...before, create }), replace: create === undefined }),
    [navigate],
  );
  return (
    <>
      <PageHeader title={t('title')} documentTitle={[t(`tab.${tab}`), t('title')]} />
      <Tabs<Tab>
        label={t('tabs')}
        idPrefix="account"
        value={tab}
        hrefOf={(one) => `#/user/info${one === 'profile' ? '' : `?tab=${one}`}`}
        onValueChange={(one) => void navigate({ search: one === 'profile' ? {} : { tab: one } })}
        tabs={TABS.map((one) => ({ id: one, label: t(`tab.${one}`) }))}
      />
      <TabPanel idPrefix="account" value={tab} className="pt-5">
        <Suspense fallback={<Skeleton className="h-96" />}>
          {tab === 'audit' ? (
            <AuditTab search={search} onSearchChange={change} />
          ) : tab === 'tokens' ? (
            <TokensTab
              creating={readOne(PRESET_NAMES, raw.create)}
              onCreatingChange={setCreating}
              domainId={readId(raw.domain)}
            />
          ) : (
            <ProfileTab />
          )}
        </Suspense>
      </TabPanel>
    </>
  );
}
