import { PAGE_SIZE_DEFAULT } from '@cordon/contract';
import { BANS_FEED } from '@cordon/plugin-kit/feeds';
import { useQuery } from '@tanstack/react-query';
import { Ban as BanIcon, ShieldBan } from 'lucide-react';
import { type ReactNode, Suspense, useCallback, useEffect, useMemo } from 'react';
import { useLocale, useTranslations } from 'use-intl';
import { needCatalogs } from '../../app/intl-store';
import { useListQuery } from '../../app/list-query';
import { tableDataOf, tableSearch } from '../../app/table-data';
import { useFeedGaps } from '../../domain/plugins/feed-gaps';
import { pluginCatalogsOptions } from '../../domain/words/plugin-words';
import { Button } from '../../ui/button';
import { DataTable } from '../../ui/data-table';
import { lazyPart } from '../../ui/lazy-part';
import { PageHeader } from '../../ui/page-header';
import { EmptyState, Skeleton } from '../../ui/states';
import { TabPanel } from '../../ui/tabs';
import { HeaderTools } from './allowed/header-tools';
import { BanGaps, banColumns } from './ban-columns';
import type { BansScreenProps } from './bans-search';
import { type Ban, banListOptions } from './queries';
import { useLiftButton } from './use-lift-button';
import { usePickedBans } from './use-picked-bans';

const GapsCallout = lazyPart(() => import('../../domain/plugins/gaps-callout'));
const LiftAll = lazyPart(() => import('./lift-all'));
const AddBansDialog = lazyPart(() => import('./add-bans-dialog'));
const DomainCombobox = lazyPart(async () => {
  await needCatalogs('combobox');
  return import('../../domain/combobox/domain-combobox');
});
const rowKey = (ban: Ban) => ban.id;
const rowLabel = (ban: Ban) => ban.network;

function DomainFilter({ search: { domain }, onSearchChange }: BansScreenProps) {
  const t = useTranslations('bans');
  return (
    <Suspense fallback={<Skeleton className="h-9 w-60 touch:h-10 phone:w-36" />}>
      <DomainCombobox
        label={t('filter')}
        placeholder={t('allDomains')}
        isOptional
        value={domain}
        onValueChange={(id) => onSearchChange({ domain: id, page: undefined })}
        className="w-60 phone:w-36"
      />
    </Suspense>
  );
}

/** The bans that the address asks for, with the buttons that lift them. */
function BanList({ search, onSearchChange, add }: BansScreenProps & { add: ReactNode }) {
  const t = useTranslations('bans');
  const { page = 1, perpage = PAGE_SIZE_DEFAULT, q, domain } = search;
  const picked = usePickedBans();
  const list = useListQuery(banListOptions({ page, perpage, q, route_id: domain }, picked.ids.size > 0));
  // Until the reasons are in words it is not known how many lines they take.
  const words = useQuery(pluginCatalogsOptions(useLocale()));
  const isHeld = words.isPending && list.data?.results.some(({ plugin }) => plugin !== null);
  const lift = useLiftButton(picked.clear);
  const pages = list.data && Math.max(1, Math.ceil(list.data.count / perpage));
  useEffect(() => {
    // What was on the last page has been lifted, or has ended.
    if (pages !== undefined && page > pages)
      onSearchChange({ page: pages === 1 ? undefined : pages }, { replace: true });
  }, [page, pages, onSearchChange]);
  const rowActions = useCallback(
    (ban: Ban) => (
      <Button
        size="sm"
        variant="ghost"
        data-lift=""
        onClick={(event) => lift(event, [ban])}
        // A held Enter would lift row after row.
        onKeyDown={(event) => event.repeat && event.preventDefault()}
        aria-label={t('liftOf', { network: ban.network })}
        className="text-primary-ink!"
      >
        {t('lift')}
      </Button>
    ),
    [lift, t],
  );
  return (
    <DataTable
      {...tableDataOf(list)}
      {...(isHeld && { rows: undefined })}
      label={t('title')}
      columns={banColumns}
      rowKey={rowKey}
      rowLabel={rowLabel}
      {...tableSearch({ page, perpage, q }, onSearchChange)}
      searchLabel={t('search')}
      filters={<DomainFilter search={search} onSearchChange={onSearchChange} />}
      selected={picked.ids}
      onSelectedChange={(ids) => picked.select(ids, list.data?.results)}
      bulkActions={() => (
        <>
          <Button size="sm" onClick={(event) => lift(event, picked.bans)}>
            {t('liftMany', { count: picked.bans.length })}
          </Button>
          {list.data && list.data.count > picked.bans.length && (
            <Suspense fallback={null}>
              <LiftAll count={list.data.count} q={q} domain={domain} onLifted={picked.clear} />
            </Suspense>
          )}
        </>
      )}
      noMatchesHint={t('noMatches')}
      isFiltered={q !== undefined || domain !== undefined}
      onClearFilters={() => onSearchChange({ q: undefined, domain: undefined, page: undefined })}
      rowActions={rowActions}
      actionsWidth="96px"
      empty={
        <EmptyState
          icon={<ShieldBan size={22} aria-hidden />}
          title={t('empty.title')}
          description={t('empty.body')}
          action={add}
        />
      }
    />
  );
}

/** Who is kept out now, and why; lifted one by one or many at once. */
export function BansScreen({ search, onSearchChange, tabs }: BansScreenProps & { tabs: ReactNode }) {
  const t = useTranslations('bans');
  const { page = 1, perpage = PAGE_SIZE_DEFAULT, q, domain } = search;
  // What the list has asked for: where it is empty, its own button is the one to press.
  const list = useQuery({ ...banListOptions({ page, perpage, q, route_id: domain }, true), enabled: false });
  const isEmpty = q === undefined && domain === undefined && list.data?.count === 0;
  const gaps = useFeedGaps(BANS_FEED, domain);
  const without = useMemo(() => new Set(gaps?.domains.map(({ id }) => id)), [gaps]);
  const add = (
    <Button
      variant="primary"
      icon={<BanIcon size={16} aria-hidden className="phone:hidden" />}
      onClick={() => onSearchChange({ add: true })}
    >
      {t('add.button')}
    </Button>
  );
  return (
    <>
      <PageHeader
        title={t('title')}
        documentTitle={[t('tab.banned'), t('title')]}
        status={<HeaderTools>{!isEmpty && add}</HeaderTools>}
      />
      {tabs}
      <TabPanel idPrefix="manage-ip" value="banned" className="pt-4">
        {gaps && (
          <Suspense fallback={null}>
            <GapsCallout gaps={gaps} of="bans" className="mb-4" />
          </Suspense>
        )}
        <BanGaps value={without}>
          <BanList search={search} onSearchChange={onSearchChange} add={add} />
        </BanGaps>
      </TabPanel>
      {search.add && (
        <Suspense fallback={null}>
          <AddBansDialog
            domain={search.domain}
            address={search.address}
            onClose={() => onSearchChange({ add: undefined, address: undefined }, { replace: true })}
          />
        </Suspense>
      )}
    </>
  );
}
