import { DOMAIN_SELECTION_CHARACTERS_MAX, PAGE_SIZE_DEFAULT, type RouteSummary } from '@cordon/contract';
import { Globe, Search } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useListQuery } from '../../../app/list-query';
import { tableDataOf } from '../../../app/table-data';
import { routeListOptions } from '../../../domain/data/queries';
import { HealthBadge } from '../../../domain/health/health-badge';
import { Button } from '../../../ui/button';
import { RadioCards, SegmentedControl } from '../../../ui/choice';
import { DataTable } from '../../../ui/data-table';
import type { DataTableColumn } from '../../../ui/data-table-types';
import { DottedText } from '../../../ui/dotted-text';
import { EmptyState } from '../../../ui/states';
import { TextInput } from '../../../ui/text-input';
import type { Applicable, Selection } from './apply-types';

/** As in other lists: a search begins this long after the last key. */
const SEARCH_DELAY_MS = 250;
const STATUSES = ['all', 'running', 'deactivated'] as const;
type Status = (typeof STATUSES)[number];
type Way = 'names' | 'filter' | 'all' | 'differing';

/** How domains are being chosen; what one way holds is kept while another is looked at. */
export interface DomainChoice {
  readonly way: Way;
  readonly names: ReadonlySet<string>;
  readonly q: string;
  readonly status: Status;
  readonly page: number;
  readonly perpage: number;
}

export const startChoice: DomainChoice = {
  way: 'names',
  names: new Set(),
  q: '',
  status: 'all',
  page: 1,
  perpage: PAGE_SIZE_DEFAULT,
};

const charactersOf = (names: ReadonlySet<string>) => [...names].reduce((sum, name) => sum + name.length, 0);

/** How many of the names, the last chosen first, must go until the others fit into one call. */
function overOf(names: ReadonlySet<string>): number {
  let characters = charactersOf(names);
  let over = 0;
  for (const name of [...names].reverse()) {
    if (characters <= DOMAIN_SELECTION_CHARACTERS_MAX) break;
    characters -= name.length;
    over++;
  }
  return over;
}

/** The selection that is sent; undefined while there is none, or too much of one. */
export function selectionOf({ way, names, q, status }: DomainChoice): Selection | undefined {
  if (way === 'all' || way === 'differing') return { applied: way };
  if (way === 'names')
    return names.size > 0 && charactersOf(names) <= DOMAIN_SELECTION_CHARACTERS_MAX
      ? { names: [...names].sort() }
      : undefined;
  return { filter: { ...(q === '' ? {} : { q }), ...(status === 'all' ? {} : { status }) } };
}

function Header({ message }: { message: 'domain' | 'health' }) {
  return useTranslations('apply.columns')(message);
}

const columns: readonly DataTableColumn<RouteSummary>[] = [
  {
    id: 'domain',
    header: <Header message="domain" />,
    cell: (route) => (
      <span className="block font-medium wrap-anywhere">
        <DottedText text={route.domain_name_unicode} />
      </span>
    ),
    width: 'minmax(0, 1fr)',
    card: 'title',
  },
  {
    id: 'health',
    header: <Header message="health" />,
    cell: (route) => <HealthBadge route={route} />,
    width: '176px',
    card: 'bare',
    cardClass: 'phone:order-first',
  },
];
const rowKey = (route: RouteSummary) => route.domain_name;
const rowLabel = (route: RouteSummary) => route.domain_name_unicode;

interface DomainPickerProps {
  applicable: Applicable;
  choice: DomainChoice;
  onChange: (choice: DomainChoice) => void;
}

/** Chooses domains of a subscription: one by one, all that match a filter, or where a rule was applied. */
export function DomainPicker({ applicable, choice, onChange }: DomainPickerProps) {
  const t = useTranslations('apply.choose');
  const ways: { value: Way; label: string; description?: string; disabled?: boolean }[] = [
    { value: 'names', label: t('names') },
    { value: 'filter', label: t('filter') },
  ];
  const { applied = 0, differing = 0 } = applicable;
  if (applied > 0) {
    ways.push({
      value: 'differing',
      label: t('differing'),
      description: differing === 0 ? t('noneDiffers') : t('domains', { count: differing }),
      disabled: differing === 0,
    });
    ways.push({ value: 'all', label: t('applied'), description: t('domains', { count: applied }) });
  }
  const isListed = choice.way === 'names' || choice.way === 'filter';
  return (
    <>
      <RadioCards
        label={t('label')}
        options={ways}
        value={choice.way}
        onValueChange={(way) => onChange({ ...choice, way })}
        className="grid-cols-2"
      />
      {isListed && <DomainTable applicable={applicable} choice={choice} onChange={onChange} />}
    </>
  );
}

function DomainTable({ applicable, choice, onChange }: DomainPickerProps) {
  const t = useTranslations('apply.choose');
  const tList = useTranslations('domain.list.filter');
  const tUi = useTranslations('ui');
  const { way, names, q, status, page, perpage } = choice;
  const narrow = (change: Partial<DomainChoice>) => onChange({ ...choice, page: 1, ...change });
  const narrowTo = (asked: string) => asked !== q && narrow({ q: asked });
  const [text, setText] = useState(q);
  const search = useRef(narrowTo);
  search.current = narrowTo;
  useEffect(() => {
    const timer = setTimeout(() => search.current(text.trim()), SEARCH_DELAY_MS);
    return () => clearTimeout(timer);
  }, [text]);
  const list = useListQuery(
    routeListOptions({
      page,
      perpage,
      cname: applicable.cname,
      ...(applicable.without === undefined ? {} : { without: applicable.without }),
      ...(q === '' ? {} : { q }),
      ...(status === 'all' ? {} : { status }),
    }),
  );
  const count = list.data?.count;
  const matches = list.isPlaceholderData ? undefined : count;
  const isTooLong = charactersOf(names) > DOMAIN_SELECTION_CHARACTERS_MAX;
  return (
    <div className="flex flex-col gap-2">
      {/* Not the table's own search, which gives its place to the selection: here one searches on while choosing. */}
      <div className="flex flex-wrap items-center gap-2">
        <TextInput
          type="search"
          aria-label={t('search')}
          placeholder={t('search')}
          icon={<Search size={16} aria-hidden />}
          value={text}
          onChange={(event) => setText(event.target.value)}
          autoComplete="off"
          className="min-w-0 flex-1 basis-56"
        />
        <SegmentedControl
          label={t('status')}
          options={STATUSES.map((value) => ({ value, label: tList(value) }))}
          value={status}
          onValueChange={(value) => narrow({ status: value })}
        />
      </div>
      <DataTable
        {...tableDataOf(list)}
        label={t('table')}
        columns={columns}
        rows={list.data?.results}
        rowKey={rowKey}
        rowLabel={rowLabel}
        page={page}
        perPage={perpage}
        count={count}
        onPageChange={(next) => onChange({ ...choice, page: next })}
        onPerPageChange={(next) => narrow({ perpage: next })}
        {...(way === 'names'
          ? {
              selected: names,
              onSelectedChange: (next: ReadonlySet<string>) => onChange({ ...choice, names: next }),
            }
          : {})}
        isFiltered={q !== '' || status !== 'all'}
        onClearFilters={() => {
          setText('');
          narrow({ q: '', status: 'all' });
        }}
        empty={<EmptyState icon={<Globe size={22} aria-hidden />} title={t('none')} description={t('noneBody')} />}
      />
      <div className="flex min-h-9 flex-wrap items-center gap-2 touch:min-h-10">
        <p role="status" className={isTooLong && way === 'names' ? 'text-sm text-danger' : 'text-sm text-muted'}>
          {way === 'filter'
            ? matches === undefined
              ? t('counting')
              : t('matches', { count: matches })
            : isTooLong
              ? t('tooMany', { over: overOf(names) })
              : t('chosen', { count: names.size })}
        </p>
        {way === 'names' && names.size > 0 && (
          <Button size="sm" variant="ghost" onClick={() => onChange({ ...choice, names: new Set() })}>
            {tUi('table.clearSelection')}
          </Button>
        )}
      </div>
    </div>
  );
}
