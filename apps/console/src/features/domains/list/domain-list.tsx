import type { RouteFilter, RouteSummary } from '@cordon/contract';
import { useIsMutating, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { FileUp, Plus, Search } from 'lucide-react';
import { type ComponentType, type ReactNode, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { needCatalogs } from '../../../app/intl-store';
import { useListQuery } from '../../../app/list-query';
import { useLiveInterval } from '../../../app/live-events';
import { hadNoDomain } from '../../../app/subscriptions';
import { tableDataOf } from '../../../app/table-data';
import { groupsOptions } from '../../../domain/data/group-queries';
import { useLiveDomains } from '../../../domain/data/live-domains';
import { routeListOptions, TRAFFIC_PARTS_MS, trafficOfRowsOptions } from '../../../domain/data/queries';
import { useShortFinding } from '../../../domain/health/health-words';
import type { DomainActions } from '../../../domain/model/dialog-action';
import { isOperationRunning } from '../../../domain/model/domain-state';
import { Button } from '../../../ui/button';
import { DataTable } from '../../../ui/data-table';
import { lazyPart } from '../../../ui/lazy-part';
import { findFocusAfter } from '../../../ui/lost-focus';
import { PageHeader } from '../../../ui/page-header';
import { Skeleton } from '../../../ui/states';
import { useLong } from '../../../ui/use-long';
import type { BulkActionsProps } from '../bulk/bulk-actions';
import { useSelection } from '../bulk/selection';
import { type AttackBadgeOf, AttackContext } from './attack-context';
import { FittingColumns, isOwnChoice, ShownColumns, useShownColumns, withSorted } from './column-choice';
import { type FittingColumn, fittingColumns, useRoom } from './column-fit';
import { domainColumns } from './domain-columns';
import { HealthCounts } from './health-counts';
import { type ListFilterParts, ListFilters } from './list-filters';
import type { ListMenuParts } from './list-menu';
import { type DomainListSearch, fromTableSort, storePerpage, toFilter, toListQuery, toTableSort } from './list-search';
import { listViewStateOf } from './list-state';
import { useSteadyOrder } from './steady-order';
import { TrafficContext } from './traffic-context';

const AddDomainDialog = lazyPart(() => import('../add/add-domain-dialog'));
const DeployBatch = lazyPart(async () => {
  await needCatalogs('bulk');
  return import('../bulk/deploy-batch');
});
const EmptyList = lazyPart(async () => {
  await needCatalogs('overview');
  return import('./empty-list');
});
const DomainRowMenu = lazyPart(() => import('./domain-row-menu'));
const ListMenu = lazyPart(() => import('./list-menu'));
const ListNote = lazyPart(() => import('./list-note'));
const OrderChanged = lazyPart(() => import('./order-changed'));
const PhoneFilters = lazyPart(() => import('./phone-filters'));
const NO_FILTER = toFilter({});
const rowKey = (route: RouteSummary) => route.id;
const rowLabel = (route: RouteSummary) => route.domain_name_unicode;
const NO_BADGE: AttackBadgeOf = () => null;

/** What other features bring to the list; the route puts them together. */
export interface DomainListParts extends ListFilterParts, ListMenuParts {
  useActions: () => DomainActions;
  /** Undefined until it is known which domains are in the mode. */
  useAttackBadge: () => AttackBadgeOf | undefined;
  /** Batches over the list; `show` adds one that was started. */
  useShownBatches: () => { ids: readonly string[]; show: (id: string) => void; dismiss: (id: string) => void };
  ShownBatches: ComponentType<{
    ids: readonly string[];
    onDismiss: (id: string) => void;
    onStarted: (id: string) => void;
  }>;
  FindDomainsDialog: ComponentType<{
    onSelect: (routes: readonly Pick<RouteSummary, 'id' | 'domain_name'>[]) => void;
    onClose: () => void;
  }>;
  /** Actions on a selection. */
  BulkActions: ComponentType<Omit<BulkActionsProps, 'extras'>>;
}

export interface DomainListProps {
  search: DomainListSearch;
  onSearchChange: (change: Partial<DomainListSearch>, how?: { replace?: boolean }) => void;
  parts: DomainListParts;
}

const hasRunning = (rows: readonly RouteSummary[] | undefined) =>
  rows?.some((row) => isOperationRunning(row) || row.status === 'deleting') ?? false;

/** The page of domains that the address asks for, read again for as long as something on it runs, and as its numbers are. */
function useDomainPage(search: DomainListSearch) {
  const interval = useLiveInterval();
  const options = routeListOptions(toListQuery(search));
  const list = useListQuery({
    ...options,
    refetchInterval: ({ state }) => {
      if (hasRunning(state.data?.results)) return interval;
      return /requests|blocked|hit/.test(search.sort ?? '') && TRAFFIC_PARTS_MS;
    },
  });
  // What is shown while another page comes has the order of its own question; what was kept from before gives its order up.
  const question = useRef('');
  if (!list.isPlaceholderData) question.current = JSON.stringify([options.queryKey, list.isFetchedAfterMount]);
  return { list, order: useSteadyOrder(list.data?.results, question.current) };
}

/** With a batch the selection goes, its bar, and in it what opened the dialog that has closed. */
function useFocusAfterBatch(batchCount: number) {
  useEffect(() => findFocusAfter(batchCount === 0), [batchCount]);
}

/** To the heading: its progress, with Undo, stands right below. A dialog gives back where the page was scrolled to as it goes. */
const leadToBatch = () =>
  requestAnimationFrame(() =>
    requestAnimationFrame(() => document.querySelector('main h1')?.scrollIntoView({ block: 'nearest' })),
  );

const countSet = (filter: RouteFilter): number => Object.values(filter).filter((value) => value !== undefined).length;
const isNarrowed = (filter: RouteFilter): boolean => countSet(filter) > 0;

/** The filter under which nothing left says something good of the whole account; false of one that is combined with others. */
const wellUnder = (filter: RouteFilter) =>
  countSet(filter) === 1 && (filter.changes || (filter.health === 'attention' && filter.health));

interface HeaderProps extends DomainListProps {
  add: ReactNode;
  attackBadgeOf: AttackBadgeOf | undefined;
}

function ListHeader({ search, onSearchChange, parts, add, attackBadgeOf }: HeaderProps) {
  const t = useTranslations('domain.list');
  const navigate = useNavigate();
  const filter = toFilter(search);
  return (
    <PageHeader
      title={t('title')}
      status={
        <>
          <HealthCounts />
          {attackBadgeOf?.(null)}
        </>
      }
      actions={
        <>
          <Suspense fallback={<Skeleton className="flex-none! !size-9 touch:!size-10" />}>
            <ListMenu filter={filter} isFiltered={isNarrowed(filter)} parts={parts} />
          </Suspense>
          {/* A phone has it in the menu: rows begin a line higher. */}
          <Button
            icon={<FileUp size={16} aria-hidden />}
            onClick={() => void navigate({ to: '/domain/import' })}
            className="phone:hidden"
          >
            {t('import')}
          </Button>
          <Button
            icon={<Search size={16} aria-hidden className="phone:hidden" />}
            onClick={() => onSearchChange({ find: true })}
          >
            {t('find')}
          </Button>
          {add}
        </>
      }
    />
  );
}

interface TableProps extends DomainListProps {
  list: ReturnType<typeof useDomainPage>['list'];
  order: ReturnType<typeof useDomainPage>['order'];
  /** Whether what stands beside the names is known. */
  isComplete: boolean;
  selection: ReturnType<typeof useSelection>;
  onAsk: DomainActions['ask'];
  onStarted: (batchId: string) => void;
}

function DomainTable({
  search,
  onSearchChange,
  parts,
  list,
  order,
  isComplete,
  selection,
  onAsk,
  onStarted,
}: TableProps) {
  const t = useTranslations('domain.list');
  const navigate = useNavigate();
  const { page, perpage } = toListQuery(search);
  const filter = toFilter(search);
  const count = list.data?.count ?? 0;
  const groups = useQuery(groupsOptions);
  // As it was first drawn: what stands above skeletons must not go, nor come, before these.
  const [isNew] = useState(hadNoDomain);
  // With groups and badges at once: what came later would move names and rows. Where there are none, nothing waits for them.
  const isReady = list.data?.count === 0 || (isComplete && (!groups.isPending || groups.failureCount > 0));
  // In an account without a domain there is nothing to search, sort or narrow down.
  const isEmpty = list.data && isReady ? list.data.count === 0 : !list.isError && isNew;
  const hasAny = !isEmpty || isNarrowed(filter);
  const { names, isAllMatching } = selection.picked;
  const picked = isAllMatching ? count : names.size;
  // The last 24 hours of the rows: asked for after them, and again each minute while the page is in sight.
  const traffic = useQuery(trafficOfRowsOptions(list.data?.results.map(rowKey) ?? []));
  const isTrafficLost = traffic.isError && !traffic.data;
  // Where there are no rows, the line over the screen says so.
  const isLong = useLong(!list.error && list.isPlaceholderData);
  const shown = useShownColumns(groups.isPending ? undefined : list.data?.results);
  const short = useShortFinding();
  const room = useRoom();
  const instead = list.data?.instead;
  const sort = toTableSort({ ...search, ...instead });
  const { id: sortedBy } = sort;
  const drawn = useMemo(() => withSorted(shown, sortedBy), [shown, sortedBy]);
  const fitting = fittingColumns(drawn, isOwnChoice(), (isReady && order.rows) || [], short, room, sortedBy).join(' ');
  const columns = useMemo(
    () => domainColumns(drawn, short, fitting.split(' ') as FittingColumn[], room),
    [drawn, short, fitting, room],
  );
  const rowActions = useCallback(
    (route: RouteSummary) => (
      <Suspense fallback={<span className="ml-auto block size-9 touch:size-10" />}>
        <DomainRowMenu route={route} onAsk={onAsk} />
      </Suspense>
    ),
    [onAsk],
  );
  const openRow = useCallback(
    (route: RouteSummary) => void navigate({ to: '/domain/list/$id', params: { id: route.id } }),
    [navigate],
  );
  const change = (part: Partial<DomainListSearch>) => onSearchChange({ ...part, page: undefined });
  const orderChanged = (isOnPhone: boolean) =>
    (order.isChanged || instead) && (
      <Suspense fallback={null}>
        <OrderChanged isOnPhone={isOnPhone} list={list} order={order} />
      </Suspense>
    );
  const isLost = isTrafficLost && !instead;
  const note = (isBelow: boolean) => (
    <Suspense fallback={null}>
      <ListNote isBelow={isBelow} isLong={isLong && isBelow} traffic={traffic} />
    </Suspense>
  );
  const well = !hadNoDomain() && wellUnder(filter);
  const requestId = /\b[0-9a-f]{32}\b/i.exec(search.q ?? '')?.[0];
  const showAll = () => change(NO_FILTER);
  return (
    <ShownColumns value={shown}>
      <TrafficContext value={traffic.data ?? (isTrafficLost ? null : undefined)}>
        <FittingColumns value={columns.map(({ id }) => id)}>
          <DataTable
            {...tableDataOf(list)}
            rows={isReady ? order.rows : undefined}
            above={
              instead
                ? orderChanged(false)
                : hasAny && (
                    <p className="border-b border-line px-4 py-2 text-sm text-muted lg:hidden">
                      {t('traffic', { by: sortedBy })}
                    </p>
                  )
            }
            below={
              <>
                {orderChanged(true)}
                {isOwnChoice() && <span hidden data-wide />}
                {(isLong || isLost) && note(true)}
              </>
            }
            label={t('title')}
            columns={columns}
            rowKey={rowKey}
            rowLabel={rowLabel}
            page={page}
            perPage={perpage}
            onPageChange={(next) => onSearchChange({ page: next === 1 ? undefined : next })}
            onPerPageChange={(next) => {
              storePerpage(next);
              change({ perpage: next });
            }}
            {...(hasAny && {
              sort,
              onSortChange: (next) => change({ sort: fromTableSort(next) }),
              search: search.q ?? '',
              onSearchChange: (q) => onSearchChange({ q: q || undefined, page: undefined }, { replace: true }),
              searchLabel: t('search'),
              // Where nothing has ever answered, parts of the filters would only say so again.
              filters: (groups.data || !list.isLoadingError) && (
                <ListFilters
                  search={search}
                  onFilter={change}
                  parts={parts}
                  sortAgain={!instead && (isLost ? note(false) : orderChanged(false))}
                />
              ),
              phoneFilters: (ways) => (
                <Suspense fallback={<Skeleton className="h-9 w-24 touch:h-10" />}>
                  <PhoneFilters search={search} onFilter={change} sort={ways} />
                </Suspense>
              ),
            })}
            selected={selection.selected}
            onSelectedChange={selection.select}
            selectedLabel={t(isAllMatching ? 'allSelected' : 'selected', { count: picked })}
            bulkActions={() => (
              <Suspense fallback={null}>
                <parts.BulkActions
                  matching={selection.isWholePage && !isAllMatching && count > picked ? count : undefined}
                  onSelectAllMatching={selection.selectAllMatching}
                  picked={selection.picked}
                  rows={list.data?.results ?? []}
                  filter={filter}
                  all={count}
                  onStarted={onStarted}
                  onScheduled={() => {
                    selection.clear();
                    // The bar goes, and with it what was pressed.
                    findFocusAfter(false);
                  }}
                />
              </Suspense>
            )}
            isFiltered={isNarrowed(filter) && !well && !requestId}
            onClearFilters={showAll}
            onRowOpen={openRow}
            rowActions={rowActions}
            actionsWidth="48px"
            empty={
              <Suspense fallback={<Skeleton className="h-64 w-full" />}>
                <EmptyList well={well} requestId={requestId} onShowAll={showAll} />
              </Suspense>
            }
          />
        </FittingColumns>
      </TrafficContext>
    </ShownColumns>
  );
}

/** Every domain of the account, a page at a time; search, filter and sort live in the URL. */
export function DomainList(props: DomainListProps) {
  const { search, onSearchChange, parts } = props;
  const t = useTranslations('domain.list');
  useLiveDomains();
  const { list, order } = useDomainPage(search);
  const count = list.data?.count ?? 0;
  const selection = useSelection(list.data?.results, JSON.stringify(toFilter(search)));
  const batches = parts.useShownBatches();
  useFocusAfterBatch(batches.ids.length);
  const showStarted = (batchId: string) => {
    batches.show(batchId);
    leadToBatch();
  };
  const state = listViewStateOf({
    hasRows: count > 0,
    isFetching: list.isFetching,
    isSaving: useIsMutating() > 0,
  });
  const actions = parts.useActions();
  const attackBadgeOf = parts.useAttackBadge();
  // The first steps below have the primary button then.
  const isEmpty = list.data?.count === 0 && !isNarrowed(toFilter(search));
  const add = (
    <Button
      variant={isEmpty ? 'secondary' : 'primary'}
      icon={<Plus size={16} aria-hidden className="phone:hidden" />}
      onClick={() => onSearchChange({ add: true })}
    >
      {t('add')}
    </Button>
  );
  const close = (dialog: Partial<DomainListSearch>) => onSearchChange(dialog, { replace: true });
  return (
    <div data-list-state={state}>
      <ListHeader {...props} add={add} attackBadgeOf={attackBadgeOf} />
      <parts.ShownBatches ids={batches.ids} onDismiss={batches.dismiss} onStarted={batches.show} />
      <AttackContext value={attackBadgeOf ?? NO_BADGE}>
        <DomainTable
          {...props}
          list={list}
          order={order}
          isComplete={attackBadgeOf !== undefined}
          selection={selection}
          onAsk={actions.ask}
          onStarted={(batchId) => {
            selection.clear();
            showStarted(batchId);
          }}
        />
      </AttackContext>
      {actions.dialog}
      <Suspense fallback={null}>
        {search.find && <parts.FindDomainsDialog onSelect={selection.add} onClose={() => close({ find: undefined })} />}
        {search.deploy && (
          <DeployBatch batchId={search.deploy} onClose={() => close({ deploy: undefined })} onStarted={showStarted} />
        )}
        {search.add && <AddDomainDialog onClose={() => close({ add: undefined })} />}
      </Suspense>
    </div>
  );
}
