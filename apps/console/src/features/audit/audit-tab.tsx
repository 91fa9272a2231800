import {
  AUDIT_ACTOR_KINDS,
  AUDIT_EXPORT_MAX,
  AUDIT_LIST_MAX,
  AUDIT_RETENTION_DAYS,
  type AuditLine,
  PAGE_SIZE_DEFAULT,
} from '@cordon/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { ChevronRight, Download, ScrollText } from 'lucide-react';
import { Suspense, useCallback, useState } from 'react';
import { useTranslations } from 'use-intl';
import { api } from '../../app/api-client';
import { downloadCsv } from '../../app/download';
import { tableDataOf } from '../../app/table-data';
import { Button, IconButton } from '../../ui/button';
import { DataTable } from '../../ui/data-table';
import { useFormat } from '../../ui/format';
import { lazyPart } from '../../ui/lazy-part';
import { notify } from '../../ui/notices';
import { Select } from '../../ui/select';
import { EmptyState } from '../../ui/states';
import { auditColumns } from './audit-columns';
import { type ActorKind, type AuditSearch, type AuditTabProps, PERIODS, type Period } from './audit-search';
import { useActionNames, useAuditWords } from './audit-words';
import { auditListOptions, fromOf } from './queries';

const AuditSheet = lazyPart(() => import('./audit-sheet'));
const rowKey = (line: AuditLine) => String(line.id);

/** Choosing this lifts the filter. */
const ALL = 'all';
const chosen = <Value extends string>(value: Value | typeof ALL): Value | undefined =>
  value === ALL ? undefined : (value as Value);

function Filters({ search, onSearchChange }: AuditTabProps) {
  const t = useTranslations('audit');
  const names = useActionNames();
  const change = (part: Partial<AuditSearch>) => onSearchChange({ ...part, page: undefined });
  return (
    <div className="flex flex-wrap items-center gap-2 phone:w-full">
      <Select<string>
        label={t('filter.action')}
        value={search.action ?? ALL}
        onValueChange={(action) => change({ action: chosen(action) })}
        options={[
          { value: ALL, label: t('filter.allActions') },
          ...[...names].map(([value, label]) => ({ value, label })),
        ]}
        className="w-52 phone:w-full"
      />
      <Select<ActorKind | typeof ALL>
        label={t('filter.actor')}
        value={search.actor ?? ALL}
        onValueChange={(actor) => change({ actor: chosen(actor) })}
        options={[
          { value: ALL, label: t('filter.allActors') },
          ...AUDIT_ACTOR_KINDS.map((value) => ({ value, label: t(`kind.${value}`) })),
        ]}
        className="w-36 phone:w-full"
      />
      <Select<Period | typeof ALL>
        label={t('filter.period')}
        value={search.period ?? ALL}
        onValueChange={(period) => change({ period: chosen(period) })}
        options={[
          { value: ALL, label: t('filter.periods.all') },
          ...(Object.keys(PERIODS) as Period[]).map((value) => ({ value, label: t(`filter.periods.${value}`) })),
        ]}
        className="w-40 phone:w-full"
      />
    </div>
  );
}

function ExportButton({ search: { q, action, actor, period } }: { search: AuditSearch }) {
  const t = useTranslations('audit');
  const download = useMutation({
    mutationFn: async () => {
      const query = { q, action, actor, from: fromOf(period && PERIODS[period]) };
      const text = await api.exportAuditLines({ query });
      downloadCsv(`audit-log-${new Date().toISOString().slice(0, 10)}.csv`, text);
      return text.split('\r\n').length - 2;
    },
    onSuccess: (lines) => {
      if (lines >= AUDIT_EXPORT_MAX) notify({ title: t('exported', { maximum: AUDIT_EXPORT_MAX }) });
    },
  });
  return (
    <Button
      icon={<Download size={16} aria-hidden />}
      loading={download.isPending}
      onClick={() => download.mutate()}
      className="shrink-0 phone:w-full"
    >
      {t('export')}
    </Button>
  );
}

function DetailsButton({ line, onOpen }: { line: AuditLine; onOpen: (line: AuditLine) => void }) {
  const t = useTranslations('audit');
  const format = useFormat();
  const { actionOf } = useAuditWords();
  return (
    <IconButton
      size="sm"
      label={t('open', { action: actionOf(line), time: format.dateTime(line.at) })}
      icon={<ChevronRight size={16} aria-hidden />}
      onClick={() => onOpen(line)}
    />
  );
}

/** Who did what in the account: searched, filtered, each line with its details. */
export default function AuditTab({ search, onSearchChange }: AuditTabProps) {
  const t = useTranslations('audit');
  const { page = 1, perpage = PAGE_SIZE_DEFAULT, q, action, actor, period } = search;
  const list = useQuery(auditListOptions({ page, perpage, q, action, actor }, period && PERIODS[period]));
  const [open, setOpen] = useState<AuditLine>();
  const details = useCallback((line: AuditLine) => <DetailsButton line={line} onOpen={setOpen} />, []);
  const isFiltered = q !== undefined || action !== undefined || actor !== undefined || period !== undefined;
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <p className="text-muted">{t('description', { days: AUDIT_RETENTION_DAYS })}</p>
        <ExportButton search={search} />
      </div>
      <DataTable
        {...tableDataOf(list)}
        label={t('title')}
        columns={auditColumns}
        rowKey={rowKey}
        page={page}
        perPage={perpage}
        onPageChange={(next) => onSearchChange({ page: next === 1 ? undefined : next })}
        onPerPageChange={(next) => onSearchChange({ perpage: next, page: undefined })}
        search={q ?? ''}
        onSearchChange={(text) => onSearchChange({ q: text.trim() || undefined, page: undefined }, { replace: true })}
        searchLabel={t('search')}
        filters={<Filters search={search} onSearchChange={onSearchChange} />}
        onRowOpen={setOpen}
        rowActions={details}
        noMatchesHint={t('noMatches')}
        isFiltered={isFiltered}
        onClearFilters={() =>
          onSearchChange({ q: undefined, action: undefined, actor: undefined, period: undefined, page: undefined })
        }
        empty={
          <EmptyState
            icon={<ScrollText size={22} aria-hidden />}
            title={t('empty.title')}
            description={t('empty.body')}
          />
        }
      />
      {list.data?.count === AUDIT_LIST_MAX && (
        <p className="mt-3 text-sm text-muted">{t('bounded', { maximum: AUDIT_LIST_MAX })}</p>
      )}
      {open && (
        <Suspense fallback={null}>
          <AuditSheet line={open} onClose={() => setOpen(undefined)} />
        </Suspense>
      )}
    </>
  );
}
