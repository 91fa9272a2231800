import type { RouteSummary } from '@cordon/contract';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Globe, Plus, X } from 'lucide-react';
import { lazy, Suspense, useCallback } from 'react';
import { useTranslations } from 'use-intl';
import { describeFailure } from '../../../app/failure';
import { useLiveInterval } from '../../../app/live-events';
import { Button } from '../../../ui/button';
import { SegmentedControl } from '../../../ui/choice';
import { DataTable } from '../../../ui/data-table';
import { PageHeader } from '../../../ui/page-header';
import { EmptyState } from '../../../ui/states';
import { useLiveDomains } from '../live-domains';
import { isOperationRunning } from '../model/domain-state';
import { routeListOptions } from '../queries';
import { useDomainActions } from '../status/use-domain-actions';
import { domainColumns } from './domain-columns';
import { DomainRowMenu } from './domain-row-menu';
import { type DomainListSearch, fromTableSort, keepPerpage, toListQuery, toTableSort } from './list-search';

const AddDomainDialog = lazy(() => import('../add/add-domain-dialog'));
const STATUSES = ['all', 'running', 'deactivated', 'deleting'] as const;
const rowKey = (route: RouteSummary) => route.id;

export interface DomainListProps {
  search: DomainListSearch;
  onSearchChange: (change: Partial<DomainListSearch>, how?: { replace?: boolean }) => void;
}

/** Every domain of the account, a page at a time; search, filter and sort live in the URL. */
export function DomainList({ search, onSearchChange }: DomainListProps) {
  const t = useTranslations('domains');
  const navigate = useNavigate();
  useLiveDomains();
  const query = toListQuery(search);
  const hasRunning = (rows: readonly RouteSummary[] | undefined) =>
    rows?.some((row) => isOperationRunning(row) || row.status === 'deleting') ?? false;
  const interval = useLiveInterval();
  const list = useQuery({
    ...routeListOptions(query),
    refetchInterval: ({ state }) => (hasRunning(state.data?.results) ? interval : false),
  });
  const actions = useDomainActions();
  const { ask } = actions;
  const rowActions = useCallback((route: RouteSummary) => <DomainRowMenu route={route} onAsk={ask} />, [ask]);
  const openRow = useCallback(
    (route: RouteSummary) => void navigate({ to: '/domain/list/$id', params: { id: route.id } }),
    [navigate],
  );
  const filter = (change: Partial<DomainListSearch>) => onSearchChange({ ...change, page: undefined });
  const isFiltered = Boolean(query.q || query.domain_name || query.status);
  const add = (
    <Button variant="primary" icon={<Plus size={16} aria-hidden />} onClick={() => onSearchChange({ add: true })}>
      {t('list.add')}
    </Button>
  );
  return (
    <>
      <PageHeader title={t('list.title')} description={t('list.description')} actions={add} />
      <DataTable
        label={t('list.title')}
        columns={domainColumns}
        rows={list.data?.results}
        rowKey={rowKey}
        isFetching={list.isPlaceholderData}
        error={list.error && describeFailure(list.error)}
        onRetry={() => void list.refetch()}
        page={query.page}
        perPage={query.perpage}
        count={list.data?.count}
        onPageChange={(page) => onSearchChange({ page: page === 1 ? undefined : page })}
        onPerPageChange={(perpage) => {
          keepPerpage(perpage);
          filter({ perpage });
        }}
        sort={toTableSort(search.sort)}
        onSortChange={(sort) => filter({ sort: fromTableSort(sort) })}
        search={search.q ?? ''}
        onSearchChange={(q) => onSearchChange({ q: q || undefined, page: undefined }, { replace: true })}
        searchLabel={t('list.search')}
        filters={
          <>
            {search.domain_name && (
              <Button
                size="sm"
                icon={<X size={14} aria-hidden />}
                onClick={() => filter({ domain_name: undefined })}
                title={t('list.removeExact')}
              >
                {t('list.exactly', { name: search.domain_name })}
              </Button>
            )}
            <SegmentedControl
              label={t('list.columns.status')}
              options={STATUSES.map((value) => ({ value, label: t(`list.filter.${value}`) }))}
              value={search.status ?? 'all'}
              onValueChange={(value) => filter({ status: value === 'all' ? undefined : value })}
            />
          </>
        }
        isFiltered={isFiltered}
        onClearFilters={() => filter({ q: undefined, domain_name: undefined, status: undefined })}
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
      {search.add && (
        <Suspense fallback={null}>
          <AddDomainDialog onClose={() => onSearchChange({ add: undefined }, { replace: true })} />
        </Suspense>
      )}
    </>
  );
}
