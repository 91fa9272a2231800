import { BATCH_IMPORT_SUGGESTED_ABOVE, type RouteSummary } from '@cordon/contract';
import { useIsMutating, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { FileUp, Globe, ListChecks, Plus } from 'lucide-react';
import { type ComponentType, type ReactNode, Suspense, useCallback, useEffect } from 'react';
import { useTranslations } from 'use-intl';
import { needCatalogs } from '../../../app/intl-store';
import { useLiveInterval } from '../../../app/live-events';
import { tableDataOf } from '../../../app/table-data';
import { useLiveDomains } from '../../../domain/data/live-domains';
import { routeListOptions } from '../../../domain/data/queries';
import type { DomainActions } from '../../../domain/model/dialog-action';
import { isOperationRunning } from '../../../domain/model/domain-state';
import { Button } from '../../../ui/button';
import { DataTable } from '../../../ui/data-table';
import { lazyPart } from '../../../ui/lazy-part';
import { findLostFocus } from '../../../ui/lost-focus';
import { PageHeader } from '../../../ui/page-header';
import { EmptyState } from '../../../ui/states';
import type { BulkContext } from '../bulk/bulk-actions';
import { describePicked, useSelection } from '../bulk/selection';
import { domainColumns } from './domain-columns';
import { DomainRowMenu } from './domain-row-menu';
import { type ListFilterParts, ListFilters } from './list-filters';
import { ListMenu, type ListMenuParts } from './list-menu';
import { type DomainListSearch, fromTableSort, storePerpage, toFilter, toListQuery, toTableSort } from './list-search';
import { listViewStateOf } from './list-state';

const AddDomainDialog = lazyPart(() => import('../add/add-domain-dialog'));
const BulkActions = lazyPart(async () => {
  await needCatalogs('bulk');
  return import('../bulk/bulk-actions');
});
const rowKey = (route: RouteSummary) => route.id;
const rowLabel = (route: RouteSummary) => route.domain_name_unicode;

/** What other features bring to the list; the route puts them together. */
export interface DomainListParts extends ListFilterParts, ListMenuParts {
  useActions: () => DomainActions;
  /** Batches over the list; `show` adds one that was started. */
  useShownBatches: () => { ids: readonly string[]; show: (id: string) => void; dismiss: (id: string) => void };
  ShownBatches: ComponentType<{ ids: readonly string[]; onDismiss: (id: string) => void }>;
  FindDomainsDialog: ComponentType<{
    onSelect: (routes: readonly Pick<RouteSummary, 'id' | 'domain_name'>[]) => void;
    onClose: () => void;
  }>;
  /** Actions on a selection. */
  bulkExtras: (context: BulkContext) => ReactNode;
}

export interface DomainListProps {
  search: DomainListSearch;
  onSearchChange: (change: Partial<DomainListSearch>, how?: { replace?: boolean }) => void;
  parts: DomainListParts;
}

/** Every domain of the account, a page at a time; search, filter and sort live in the URL. */
export function DomainList({ search, onSearchChange, parts }: DomainListProps) {
  const t = useTranslations('domain');
  const navigate = useNavigate();
  useLiveDomains();
  const query = toListQuery(search);
  const filter = toFilter(search);
  const hasRunning = (rows: readonly RouteSummary[] | undefined) =>
    rows?.some((row) => isOperationRunning(row) || row.status === 'deleting') ?? false;
  const interval = useLiveInterval();
  const list = useQuery({
    ...routeListOptions(query),
    refetchInterval: ({ state }) => (hasRunning(state.data?.results) ? interval : false),
  });
  const rows = list.data?.results;
  const count = list.data?.count ?? 0;
  const selection = useSelection(rows, JSON.stringify(filter));
  const batches = parts.useShownBatches();
  const batchCount = batches.ids.length;
  // With a batch the selection goes, its bar, and in it what opened the dialog that has closed.
  useEffect(() => {
    if (batchCount === 0) return;
    const frame = requestAnimationFrame(findLostFocus);
    return () => cancelAnimationFrame(frame);
  }, [batchCount]);
  const state = listViewStateOf({
    hasRows: count > 0,
    isFetching: list.isFetching,
    isSaving: useIsMutating() > 0,
  });
  const actions = parts.useActions();
  const { ask } = actions;
  const rowActions = useCallback((route: RouteSummary) => <DomainRowMenu route={route} onAsk={ask} />, [ask]);
  const openRow = useCallback(
    (route: RouteSummary) => void navigate({ to: '/domain/list/$id', params: { id: route.id } }),
    [navigate],
  );
  const change = (part: Partial<DomainListSearch>) => onSearchChange({ ...part, page: undefined });
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  const picked = describePicked(selection.picked, filter, count);
  const add = (
    <Button variant="primary" icon={<Plus size={16} aria-hidden />} onClick={() => onSearchChange({ add: true })}>
      {t('list.add')}
    </Button>
  );
  return (
    <div data-list-state={state}>
      <PageHeader
        title={t('list.title')}
        description={t('list.description')}
        actions={
          <>
            <Button icon={<ListChecks size={16} aria-hidden />} onClick={() => onSearchChange({ find: true })}>
              {t('list.find')}
            </Button>
            <ListMenu filter={filter} isFiltered={isFiltered} parts={parts} />
            {/* Spec section 5: suggested for more than 10 domains. */}
            {(list.data?.count ?? 0) > BATCH_IMPORT_SUGGESTED_ABOVE && (
              <Button icon={<FileUp size={16} aria-hidden />} onClick={() => void navigate({ to: '/domain/import' })}>
                {t('list.import')}
              </Button>
            )}
            {add}
          </>
        }
      />
      <parts.ShownBatches ids={batches.ids} onDismiss={batches.dismiss} />
      <DataTable
        {...tableDataOf(list)}
        label={t('list.title')}
        columns={domainColumns}
        rowKey={rowKey}
        rowLabel={rowLabel}
        page={query.page}
        perPage={query.perpage}
        onPageChange={(page) => onSearchChange({ page: page === 1 ? undefined : page })}
        onPerPageChange={(perpage) => {
          storePerpage(perpage);
          change({ perpage });
        }}
        sort={toTableSort(search.sort)}
        onSortChange={(sort) => change({ sort: fromTableSort(sort) })}
        search={search.q ?? ''}
        onSearchChange={(q) => onSearchChange({ q: q || undefined, page: undefined }, { replace: true })}
        searchLabel={t('list.search')}
        filters={<ListFilters search={search} onFilter={change} parts={parts} />}
        selected={selection.selected}
        onSelectedChange={selection.select}
        selectedLabel={t(selection.picked.isAllMatching ? 'list.allSelected' : 'list.selected', {
          count: picked.count,
        })}
        bulkActions={() => (
          <Suspense fallback={null}>
            <BulkActions
              {...picked}
              matching={
                selection.isWholePage && !selection.picked.isAllMatching && count > picked.count ? count : undefined
              }
              onSelectAllMatching={selection.selectAllMatching}
              onStarted={(batchId) => {
                selection.clear();
                batches.show(batchId);
              }}
              extras={parts.bulkExtras}
            />
          </Suspense>
        )}
        isFiltered={isFiltered}
        onClearFilters={() =>
          change({ q: undefined, domain_name: undefined, status: undefined, group: undefined, cname: undefined })
        }
        onRowOpen={openRow}
        rowActions={rowActions}
        empty={
          <EmptyState
            icon={<Globe size={22} aria-hidden />}
            title={t('list.empty.title')}
            description={t('list.empty.body')}
            action={add}
          />
        }
      />
      {actions.dialog}
      {search.find && (
        <Suspense fallback={null}>
          <parts.FindDomainsDialog
            onSelect={selection.add}
            onClose={() => onSearchChange({ find: undefined }, { replace: true })}
          />
        </Suspense>
      )}
      {search.add && (
        <Suspense fallback={null}>
          <AddDomainDialog onClose={() => onSearchChange({ add: undefined }, { replace: true })} />
        </Suspense>
      )}
    </div>
  );
}
