import { PAGE_SIZE_DEFAULT } from '@cordon/contract';
import { useQuery } from '@tanstack/react-query';
import { Ban as BanIcon, ShieldBan } from 'lucide-react';
import { lazy, type MouseEvent, Suspense, useCallback, useEffect, useMemo, useState } from 'react';
import { useTranslations } from 'use-intl';
import { tableDataOf } from '../../app/table-data';
import { Button } from '../../ui/button';
import { DataTable } from '../../ui/data-table';
import { PageHeader } from '../../ui/page-header';
import { EmptyState, Skeleton } from '../../ui/states';
import { banColumns } from './ban-columns';
import type { BansScreenProps } from './bans-search';
import { type Ban, banListOptions } from './queries';
import { useLift } from './use-lift';

const AddBansDialog = lazy(() => import('./add-bans-dialog'));
const DomainCombobox = lazy(() => import('./domain-combobox'));
const rowKey = (ban: Ban) => ban.id;
const rowLabel = (ban: Ban) => ban.network;

/** Where the keyboard goes on once the rows of `gone` have left: the next row's Lift, else the previous, else the search. */
function focusAfterLift(button: HTMLElement, gone: ReadonlySet<string>): void {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-row]')];
  const at = rows.findIndex((row) => row.contains(button));
  const near = [...rows.slice(at + 1), ...rows.slice(0, Math.max(0, at)).reverse()].find(
    ({ dataset }) => !gone.has(dataset.row ?? ''),
  );
  const lift = near?.querySelector<HTMLElement>('[data-lift]');
  if (lift) lift.focus();
  // The bar of bulk actions may still stand in its place.
  else requestAnimationFrame(() => document.querySelector<HTMLElement>('[data-search-focus]')?.focus());
}

/** Who is kept out now, and why; lifted one by one or many at once. */
export function BansScreen({ search, onSearchChange }: BansScreenProps) {
  const t = useTranslations('bans');
  const { page = 1, perpage = PAGE_SIZE_DEFAULT, q, domain } = search;
  const [picked, setPicked] = useState<ReadonlyMap<string, Ban>>(new Map());
  const selected = useMemo(() => new Set(picked.keys()), [picked]);
  const list = useQuery(banListOptions({ page, perpage, q, route_id: domain }, selected.size > 0));
  const rows = list.data?.results;
  const lift = useLift(() => setPicked(new Map()));
  const pages = list.data && Math.max(1, Math.ceil(list.data.count / perpage));
  useEffect(() => {
    // What was on the last page has been lifted, or has ended.
    if (pages !== undefined && page > pages)
      onSearchChange({ page: pages === 1 ? undefined : pages }, { replace: true });
  }, [page, pages, onSearchChange]);
  const press = useCallback(
    (event: MouseEvent<HTMLElement>, bans: readonly Ban[]) => {
      const button = event.currentTarget;
      // A pointer goes where it wants to; on a phone the search would open the keyboard.
      const isByKeyboard = event.detail === 0;
      if (lift(bans) && isByKeyboard) focusAfterLift(button, new Set(bans.map(rowKey)));
    },
    [lift],
  );
  const rowActions = useCallback(
    (ban: Ban) => (
      <Button
        size="sm"
        data-lift=""
        onClick={(event) => press(event, [ban])}
        // A held Enter would lift row after row.
        onKeyDown={(event) => event.repeat && event.preventDefault()}
        aria-label={t('liftOf', { network: ban.network })}
        className="phone:my-1.5 phone:mr-2"
      >
        {t('lift')}
      </Button>
    ),
    [press, t],
  );
  const select = (ids: ReadonlySet<string>) => {
    const shown = new Map(rows?.map((ban) => [ban.id, ban]));
    setPicked(
      new Map(
        [...ids].flatMap((id) => {
          const ban = shown.get(id) ?? picked.get(id);
          return ban ? [[id, ban] as const] : [];
        }),
      ),
    );
  };
  const add = (
    <Button variant="primary" icon={<BanIcon size={16} aria-hidden />} onClick={() => onSearchChange({ add: true })}>
      {t('add.button')}
    </Button>
  );
  return (
    <>
      <PageHeader title={t('title')} description={t('description')} actions={add} />
      <DataTable
        {...tableDataOf(list)}
        label={t('title')}
        columns={banColumns}
        rowKey={rowKey}
        rowLabel={rowLabel}
        page={page}
        perPage={perpage}
        onPageChange={(next) => onSearchChange({ page: next === 1 ? undefined : next })}
        onPerPageChange={(next) => onSearchChange({ perpage: next, page: undefined })}
        search={q ?? ''}
        onSearchChange={(text) => onSearchChange({ q: text.trim() || undefined, page: undefined }, { replace: true })}
        searchLabel={t('search')}
        filters={
          <Suspense fallback={<Skeleton className="h-9 w-60" />}>
            <DomainCombobox
              label={t('filter')}
              placeholder={t('allDomains')}
              isOptional
              value={domain}
              onValueChange={(id) => onSearchChange({ domain: id, page: undefined })}
              className="w-60 phone:w-full"
            />
          </Suspense>
        }
        selected={selected}
        onSelectedChange={select}
        bulkActions={() => (
          <Button size="sm" onClick={(event) => press(event, [...picked.values()])}>
            {t('liftMany', { count: picked.size })}
          </Button>
        )}
        noMatchesHint={t('noMatches')}
        isFiltered={q !== undefined || domain !== undefined}
        onClearFilters={() => onSearchChange({ q: undefined, domain: undefined, page: undefined })}
        rowActions={rowActions}
        actionsWidth="88px"
        empty={
          <EmptyState
            icon={<ShieldBan size={22} aria-hidden />}
            title={t('empty.title')}
            description={t('empty.body')}
            action={add}
          />
        }
      />
      {search.add && (
        <Suspense fallback={null}>
          <AddBansDialog domain={domain} onClose={() => onSearchChange({ add: undefined }, { replace: true })} />
        </Suspense>
      )}
    </>
  );
}
