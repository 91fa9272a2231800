import {
  AUDIT_EXPORT_MAX,
  AUDIT_LIST_MAX,
  AUDIT_RETENTION_DAYS,
  type AuditLine,
  PAGE_SIZE_DEFAULT,
} from '@cordon/contract';
import { useMutation } from '@tanstack/react-query';
import { ChevronRight, Download, ScrollText } from 'lucide-react';
import { Suspense, useCallback } from 'react';
import { useTimeZone, useTranslations } from 'use-intl';
import { api } from '../../app/api-client';
import { downloadCsv } from '../../app/download';
import { useListQuery } from '../../app/list-query';
import { tableDataOf, tableSearch } from '../../app/table-data';
import { Button, IconButton } from '../../ui/button';
import { DataTable } from '../../ui/data-table';
import { useFormat } from '../../ui/format';
import { lazyPart } from '../../ui/lazy-part';
import { notify } from '../../ui/notices';
import { EmptyState } from '../../ui/states';
import { auditColumns, columnsOfToday, isToday } from './audit-columns';
import { AuditFilters } from './audit-filters';
import { boundsOf } from './audit-period';
import type { AuditSearch, AuditTabProps } from './audit-search';
import { useAuditWords } from './audit-words';
import { auditListOptions } from './queries';

const AuditEntry = lazyPart(() => import('./audit-entry'));
const rowKey = (line: AuditLine) => String(line.id);

function ExportButton({ search, isEmpty }: { search: AuditSearch; isEmpty: boolean }) {
  const t = useTranslations('audit');
  const timeZone = useTimeZone() ?? 'UTC';
  const download = useMutation({
    mutationFn: async () => {
      const { q, action, actor } = search;
      const query = { q, action, actor, ...boundsOf(search, timeZone) };
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
      disabled={isEmpty}
      title={isEmpty ? t('nothingToExport') : undefined}
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
      className="sm:-my-1"
      onClick={() => onOpen(line)}
    />
  );
}

/** Who did what in the account: searched, filtered, each line with its details. */
export default function AuditTab({ search, onSearchChange }: AuditTabProps) {
  const t = useTranslations('audit');
  const { page = 1, perpage = PAGE_SIZE_DEFAULT, q, action, actor, period, from, to, entry } = search;
  const timeZone = useTimeZone() ?? 'UTC';
  const format = useFormat();
  const list = useListQuery(auditListOptions({ page, perpage, q, action, actor }, { period, from, to }, timeZone));
  const open = useCallback((line: AuditLine) => onSearchChange({ entry: line.id }), [onSearchChange]);
  const details = useCallback((line: AuditLine) => <DetailsButton line={line} onOpen={open} />, [open]);
  const isFiltered = q !== undefined || action !== undefined || actor !== undefined || period !== undefined;
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <p className="text-muted">{t('description', { days: AUDIT_RETENTION_DAYS })}</p>
        <ExportButton search={search} isEmpty={list.data?.count === 0} />
      </div>
      <DataTable
        {...tableDataOf(list)}
        label={t('title')}
        columns={list.data?.results.every((line) => isToday(format, line)) ? columnsOfToday : auditColumns}
        rowKey={rowKey}
        {...tableSearch({ page, perpage, q }, onSearchChange)}
        searchLabel={t('search')}
        filters={<AuditFilters search={search} onSearchChange={onSearchChange} />}
        onRowOpen={open}
        rowActions={details}
        noMatchesHint={t('noMatches')}
        isFiltered={isFiltered}
        onClearFilters={() =>
          onSearchChange({
            q: undefined,
            action: undefined,
            actor: undefined,
            period: undefined,
            from: undefined,
            to: undefined,
            page: undefined,
          })
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
      {entry !== undefined && (
        <Suspense fallback={null}>
          <AuditEntry
            id={entry}
            line={list.data?.results.find(({ id }) => id === entry)}
            onClose={() => onSearchChange({ entry: undefined }, { replace: true })}
          />
        </Suspense>
      )}
    </>
  );
}
