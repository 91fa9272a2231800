import { PAGE_SIZE_DEFAULT } from '@cordon/contract';
import { ALLOWED_FEED } from '@cordon/plugin-kit/feeds';
import { useQuery } from '@tanstack/react-query';
import { ListPlus, ShieldCheck } from 'lucide-react';
import { type ReactNode, Suspense, useCallback, useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useListQuery } from '../../../app/list-query';
import { tableDataOf, tableSearch } from '../../../app/table-data';
import { useFeedGaps } from '../../../domain/plugins/feed-gaps';
import { Button } from '../../../ui/button';
import { ConfirmDialog } from '../../../ui/confirm-dialog';
import { DataTable } from '../../../ui/data-table';
import { useFormat } from '../../../ui/format';
import { lazyPart } from '../../../ui/lazy-part';
import { PageHeader } from '../../../ui/page-header';
import { EmptyState } from '../../../ui/states';
import { TabPanel } from '../../../ui/tabs';
import { allowListColumns } from './allow-list-columns';
import type { AllowListProps } from './allow-list-search';
import { HeaderTools } from './header-tools';
import { type AllowedNetwork, allowListOptions } from './queries';
import { useRemove } from './use-remove';

const GapsCallout = lazyPart(() => import('../../../domain/plugins/gaps-callout'));
const AddDialog = lazyPart(() => import('./add-dialog'));
const rowKey = (entry: AllowedNetwork) => entry.id;
const rowLabel = (entry: AllowedNetwork) => entry.network;
const NONE: ReadonlySet<string> = new Set();
/** Of one call. */
const IDS_MAX = 1000;

interface BulkProps {
  picked: ReadonlySet<string>;
  count: number;
  q: string | undefined;
  isPending: boolean;
  onRemove: ReturnType<typeof useRemove>['remove'];
}

/** Removes what is selected, or everything that the search finds. */
function BulkRemove({ picked, count, q, isPending, onRemove }: BulkProps) {
  const t = useTranslations('bans.allowList');
  const format = useFormat();
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button size="sm" loading={isPending} onClick={() => void onRemove({ ids: [...picked].slice(0, IDS_MAX) })}>
        {t('removeMany', { count: Math.min(picked.size, IDS_MAX) })}
      </Button>
      {count > picked.size && (
        <Button size="sm" disabled={isPending} onClick={() => setAsking(true)}>
          {t('removeAll.button', { number: format.number(count) })}
        </Button>
      )}
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title={t('removeAll.title', { count })}
        confirmLabel={t('removeAll.confirm')}
        tone="danger"
        onConfirm={async () => {
          await onRemove({ q: q ?? '' });
          setAsking(false);
        }}
      >
        {q === undefined ? t('removeAll.all') : t('removeAll.found', { q })}
      </ConfirmDialog>
    </>
  );
}

function AllowList({ search, onSearchChange, add }: AllowListProps & { add: ReactNode }) {
  const t = useTranslations('bans.allowList');
  const { page = 1, perpage = PAGE_SIZE_DEFAULT, q } = search;
  const [picked, setPicked] = useState<ReadonlySet<string>>(NONE);
  const list = useListQuery(allowListOptions({ page, perpage, q }, picked.size > 0));
  const { remove, isPending } = useRemove(useCallback(() => setPicked(NONE), []));
  const pages = list.data && Math.max(1, Math.ceil(list.data.count / perpage));
  useEffect(() => {
    // What was on the last page has been removed, or has ended.
    if (pages !== undefined && page > pages)
      onSearchChange({ page: pages === 1 ? undefined : pages }, { replace: true });
  }, [page, pages, onSearchChange]);
  // An empty list has nothing to search.
  const isEmpty = q === undefined && list.data?.count === 0;
  const table = tableSearch({ page, perpage, q }, onSearchChange);
  const { search: _search, onSearchChange: _onSearch, ...paging } = table;
  const rowActions = useCallback(
    (entry: AllowedNetwork) => (
      <Button
        size="sm"
        variant="ghost"
        disabled={isPending}
        onClick={() => void remove({ ids: [entry.id] }, entry.network)}
        aria-label={t('removeOf', { network: entry.network })}
        className="text-primary-ink!"
      >
        {t('remove')}
      </Button>
    ),
    [remove, isPending, t],
  );
  return (
    <DataTable
      {...tableDataOf(list)}
      label={t('label')}
      columns={allowListColumns}
      rowKey={rowKey}
      rowLabel={rowLabel}
      {...(isEmpty ? paging : table)}
      searchLabel={t('search')}
      filters={
        !isEmpty && (
          // Its line is there before the number is.
          <span className="text-sm text-muted">
            {list.data ? t('add.entries', { count: list.data.count }) : '\u00a0'}
          </span>
        )
      }
      selected={picked}
      onSelectedChange={setPicked}
      bulkActions={() => (
        <BulkRemove picked={picked} count={list.data?.count ?? 0} q={q} isPending={isPending} onRemove={remove} />
      )}
      noMatchesHint={t('noMatches')}
      isFiltered={q !== undefined}
      onClearFilters={() => onSearchChange({ q: undefined, page: undefined })}
      rowActions={rowActions}
      actionsWidth="112px"
      empty={
        <EmptyState
          icon={<ShieldCheck size={22} aria-hidden />}
          title={t('empty.title')}
          description={t('empty.body')}
          action={add}
        />
      }
    />
  );
}

/** Who passes all protection of the account's domains. */
export default function AllowListScreen({
  search,
  onSearchChange,
  title,
  tabs,
}: AllowListProps & { title: string; tabs: ReactNode }) {
  const t = useTranslations('bans.allowList');
  const { page = 1, perpage = PAGE_SIZE_DEFAULT, q } = search;
  const list = useQuery({ ...allowListOptions({ page, perpage, q }, false), enabled: false });
  const gaps = useFeedGaps(ALLOWED_FEED, undefined);
  const addButton = (
    <Button
      variant="primary"
      icon={<ListPlus size={16} aria-hidden className="phone:hidden" />}
      onClick={() => onSearchChange({ add: true })}
    >
      {t('add.button')}
    </Button>
  );
  return (
    <>
      <PageHeader
        title={title}
        documentTitle={[t('label'), title]}
        status={<HeaderTools>{!(q === undefined && list.data?.count === 0) && addButton}</HeaderTools>}
      />
      {tabs}
      <TabPanel idPrefix="manage-ip" value="allowed" className="pt-4">
        <p className="mb-4 text-muted">{t('description')}</p>
        {gaps && (
          <Suspense fallback={null}>
            <GapsCallout gaps={gaps} of="bans.allowList" className="mb-4" />
          </Suspense>
        )}
        <AllowList search={search} onSearchChange={onSearchChange} add={addButton} />
      </TabPanel>
      {search.add && (
        <Suspense fallback={null}>
          <AddDialog
            address={search.address}
            onClose={() => onSearchChange({ add: undefined, address: undefined }, { replace: true })}
          />
        </Suspense>
      )}
    </>
  );
}
