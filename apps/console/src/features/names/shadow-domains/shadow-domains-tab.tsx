import { PAGE_SIZE_DEFAULT, type Route, SHADOW_DOMAINS_LOOKED_AT_ONCE, type ShadowDomain } from '@cordon/contract';
import { Copy as CopyIcon, Plus, Trash2 } from 'lucide-react';
import { type ReactNode, Suspense, useCallback, useEffect, useMemo, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useListQuery } from '../../../app/list-query';
import { useLiveInterval } from '../../../app/live-events';
import { tableDataOf } from '../../../app/table-data';
import { EffectMark } from '../../../domain/display/effect-mark';
import { Button } from '../../../ui/button';
import { Card } from '../../../ui/card';
import { SegmentedControl } from '../../../ui/choice';
import { ConfirmDialog } from '../../../ui/confirm-dialog';
import { DataTable } from '../../../ui/data-table';
import { lazyPart } from '../../../ui/lazy-part';
import { EmptyState } from '../../../ui/states';
import { lostNamesOf } from './lost-names';
import {
  shadowDomainsOptions,
  usePromoteShadowDomain,
  useRemoveShadowDomains,
  useVerifyShadowDomains,
} from './queries';
import { shadowDomainColumns } from './shadow-domain-columns';
import { ShadowDomainProgress } from './shadow-domain-progress';
import { type ShadowDomainAction, ShadowDomainRowMenu } from './shadow-domain-row-menu';

const AddShadowDomainsDialog = lazyPart(() => import('./add-shadow-domains-dialog'));
const ShadowDomainSheet = lazyPart(() => import('./shadow-domain-sheet'));
const STATES = ['all', 'pending', 'verified'] as const;
const POLL_MS = 30_000;
const rowKey = (shadowDomain: ShadowDomain) => shadowDomain.name;
const rowLabel = (shadowDomain: ShadowDomain) => shadowDomain.name_unicode;

interface View {
  page: number;
  perpage: number;
  q: string;
  state: (typeof STATES)[number];
}

/** What is asked before it is done; it stays while its dialog closes. */
interface Question {
  action: 'promote' | 'remove';
  names: readonly string[];
  isOpen: boolean;
}

/** Asks the API to look at the DNS of what is on the screen and waits, as long as the customer is here. */
function useWatchedShadowDomains(routeId: string, rows: readonly ShadowDomain[] | undefined) {
  const { mutate } = useVerifyShadowDomains(routeId);
  const pending = (rows ?? [])
    .filter((shadowDomain) => shadowDomain.ownership.state === 'pending')
    .slice(0, SHADOW_DOMAINS_LOOKED_AT_ONCE)
    .map((shadowDomain) => shadowDomain.name)
    .join(' ');
  useEffect(() => {
    if (pending === '') return;
    const look = () => document.visibilityState === 'visible' && mutate(pending.split(' '));
    look();
    const timer = window.setInterval(look, POLL_MS);
    return () => window.clearInterval(timer);
  }, [pending, mutate]);
}

/** The page of shadow domains that is looked at; read again for as long as one of them waits for its DNS. */
function useShadowDomainPage(route: Route) {
  const interval = useLiveInterval();
  const [view, setView] = useState<View>({ page: 1, perpage: PAGE_SIZE_DEFAULT, q: '', state: 'all' });
  const query = useListQuery({
    ...shadowDomainsOptions(route.id, {
      page: view.page,
      perpage: view.perpage,
      q: view.q || undefined,
      state: view.state === 'all' ? undefined : view.state,
    }),
    enabled: route.version_live !== null,
    refetchInterval: ({ state }) =>
      state.data?.results.some((shadowDomain) => shadowDomain.ownership.state === 'pending') ? interval : false,
  });
  useWatchedShadowDomains(route.id, query.data?.results);
  return { view, setView, query };
}

const isNarrowed = ({ q, state }: View) => q !== '' || state !== 'all';
const isEmptyList = ({ view, query }: ReturnType<typeof useShadowDomainPage>) =>
  !isNarrowed(view) && query.data?.count === 0;

interface TableProps {
  route: Route;
  list: ReturnType<typeof useShadowDomainPage>;
  selected: ReadonlySet<string>;
  onSelectedChange: (selected: ReadonlySet<string>) => void;
  /** While the domain is suspended or being deleted, nothing can be changed. */
  isLocked: boolean;
  onAsk: (action: ShadowDomainAction, shadowDomain: ShadowDomain) => void;
  onRemove: (names: readonly string[]) => void;
  add: ReactNode;
}

function ShadowDomainTable(props: TableProps) {
  const { route, list, isLocked, onAsk } = props;
  const t = useTranslations('shadowDomains');
  const { view, setView } = list;
  const rowActions = useCallback(
    (shadowDomain: ShadowDomain) => (
      <ShadowDomainRowMenu shadowDomain={shadowDomain} isLocked={isLocked} onAsk={onAsk} />
    ),
    [onAsk, isLocked],
  );
  const columns = useMemo(() => shadowDomainColumns(lostNamesOf(route)), [route]);
  const isFiltered = isNarrowed(view);
  const isEmpty = isEmptyList(list);
  const open = useCallback((shadowDomain: ShadowDomain) => onAsk('show', shadowDomain), [onAsk]);
  return (
    <DataTable
      {...tableDataOf(list.query)}
      label={t('title')}
      columns={columns}
      rowKey={rowKey}
      rowLabel={rowLabel}
      page={view.page}
      perPage={view.perpage}
      onPageChange={(page) => setView({ ...view, page })}
      onPerPageChange={(perpage) => setView({ ...view, perpage, page: 1 })}
      {...(!isEmpty && {
        search: view.q,
        onSearchChange: (q: string) => setView((now) => ({ ...now, q, page: 1 })),
        searchLabel: t('search'),
        filters: (
          <SegmentedControl
            label={t('columns.state')}
            options={STATES.map((value) => ({ value, label: t(`filter.${value}`) }))}
            value={view.state}
            onValueChange={(state) => setView({ ...view, state, page: 1 })}
          />
        ),
      })}
      isFiltered={isFiltered}
      onClearFilters={() => setView({ ...view, q: '', state: 'all', page: 1 })}
      selected={isLocked ? undefined : props.selected}
      onSelectedChange={isLocked ? undefined : props.onSelectedChange}
      bulkActions={(names) => (
        <Button size="sm" icon={<Trash2 size={16} aria-hidden />} onClick={() => props.onRemove([...names])}>
          {t('action.remove')}
        </Button>
      )}
      onRowOpen={open}
      rowActions={rowActions}
      empty={
        <EmptyState
          icon={<CopyIcon size={22} aria-hidden />}
          title={t('empty.title')}
          description={t('empty.body', { name: route.domain_name_unicode })}
          action={props.add}
        />
      }
    />
  );
}

/** Shadow domains can be added once the domain is deployed. */
function NotDeployed({ add }: { add: ReactNode }) {
  const t = useTranslations('shadowDomains');
  return (
    <Card>
      <EmptyState
        icon={<CopyIcon size={22} aria-hidden />}
        title={t('notDeployed.title')}
        description={t('notDeployed.body')}
        action={add}
      />
    </Card>
  );
}

function Confirmations({
  route,
  asked,
  onClose,
  onDone,
}: {
  route: Route;
  asked: Question | undefined;
  onClose: () => void;
  onDone: () => void;
}) {
  const t = useTranslations('shadowDomains');
  const remove = useRemoveShadowDomains(route.id);
  const promote = usePromoteShadowDomain(route.id);
  if (!asked) return null;
  const [name = ''] = asked.names;
  const isPromotion = asked.action === 'promote';
  return (
    <ConfirmDialog
      open={asked.isOpen}
      onOpenChange={(open) => !open && onClose()}
      title={isPromotion ? t('promote.title', { name }) : t('remove.title', { name, count: asked.names.length })}
      confirmLabel={isPromotion ? t('promote.confirm') : t('remove.confirm', { count: asked.names.length })}
      tone={isPromotion ? 'primary' : 'danger'}
      onConfirm={async () => {
        await (isPromotion ? promote.mutateAsync(name) : remove.mutateAsync(asked.names));
        onDone();
      }}
    >
      {isPromotion
        ? t('promote.body', { name, main: route.domain_name_unicode })
        : t('remove.body', { count: asked.names.length })}
    </ConfirmDialog>
  );
}

/** Shadow domains of the domain: served like the main name, each once its own DNS points here. */
export default function ShadowDomainsTab({ route }: { route: Route }) {
  const t = useTranslations('shadowDomains');
  const list = useShadowDomainPage(route);
  const [adding, setAdding] = useState<{ time: number; isOpen: boolean }>();
  const [asked, setAsked] = useState<Question>();
  const [shown, setShown] = useState<{ name: string; isOpen: boolean }>();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const isNew = route.version_live === null;
  const isLocked = route.status === 'deleting' || route.suspension !== null;
  const ask = useCallback((action: ShadowDomainAction, shadowDomain: ShadowDomain) => {
    if (action === 'show') setShown({ name: shadowDomain.name, isOpen: true });
    else setAsked({ action, names: [shadowDomain.name], isOpen: true });
  }, []);
  const shownShadowDomain = list.query.data?.results.find((shadowDomain) => shadowDomain.name === shown?.name);
  const add = (
    <Button
      variant="primary"
      icon={<Plus size={16} aria-hidden />}
      disabled={isNew || isLocked}
      onClick={() => setAdding({ time: Date.now(), isOpen: true })}
    >
      {t('addButton')}
    </Button>
  );
  if (isNew) return <NotDeployed add={add} />;
  return (
    <div className="flex flex-col gap-4">
      <header className="flex min-h-9 touch:min-h-10 flex-wrap items-center justify-between gap-x-4 gap-y-3">
        {/* The tab says it to those who see it. */}
        <h2 className="sr-only">{t('title')}</h2>
        <EffectMark effect="at_once" />
        {!isEmptyList(list) && add}
      </header>
      <ShadowDomainProgress route={route} />
      <ShadowDomainTable
        route={route}
        list={list}
        selected={selected}
        onSelectedChange={setSelected}
        isLocked={isLocked}
        onAsk={ask}
        onRemove={(names) => setAsked({ action: 'remove', names, isOpen: true })}
        add={add}
      />
      <Confirmations
        route={route}
        asked={asked}
        onClose={() => setAsked((now) => now && { ...now, isOpen: false })}
        onDone={() => {
          setSelected(new Set());
          setShown((now) => now && { ...now, isOpen: false });
        }}
      />
      <Suspense fallback={null}>
        {adding && (
          <AddShadowDomainsDialog
            key={adding.time}
            route={route}
            open={adding.isOpen}
            onOpenChange={(isOpen) => setAdding({ ...adding, isOpen })}
          />
        )}
        {shown && shownShadowDomain && (
          <ShadowDomainSheet
            routeId={route.id}
            isLocked={isLocked}
            shadowDomain={shownShadowDomain}
            isLost={lostNamesOf(route).has(shownShadowDomain.name)}
            open={shown.isOpen}
            onOpenChange={(isOpen) => setShown({ ...shown, isOpen })}
            onPromote={() => setAsked({ action: 'promote', names: [shown.name], isOpen: true })}
          />
        )}
      </Suspense>
    </div>
  );
}
