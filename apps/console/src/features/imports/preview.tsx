import { useQuery } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { useTranslations } from 'use-intl';
import { IconButton } from '../../ui/button';
import { SegmentedControl } from '../../ui/choice';
import { DataTable } from '../../ui/data-table';
import { EmptyState } from '../../ui/states';
import { useMedia } from '../../ui/use-media';
import { OpenRowsProvider, useOpenRows } from './narrow-rows';
import { EditContext, previewColumns, RowProblems } from './preview-columns';
import { ACTIONS_PX } from './preview-widths';
import { problemLines } from './problem-lines';
import { importRowsOptions } from './queries';
import type { ShownRow } from './table-state';
import type { ImportTableHandle, OpenFile } from './use-import-table';

const PER_PAGE = 20;
const rowNote = (row: ShownRow) => (problemLines(row.problems).length > 0 ? <RowProblems row={row} /> : undefined);
/** Of the window: below that, the columns have not the room beside the menu that they need. */
const NARROW = '(max-width: 1279.98px)';
const rowKey = (row: ShownRow) => String(row.row);

/** The rows of a file with what is wrong in place; cells are mended and rows removed here. */
export function Preview({ table, file }: { table: ImportTableHandle; file: OpenFile }) {
  const t = useTranslations('imports.preview');
  const [chosen, setChosen] = useState<boolean>();
  const [page, setPage] = useState(1);
  const [perPage, setPerPage] = useState(PER_PAGE);
  const { edit, remove } = table;
  const { summary } = file;
  const [hadErrors, setHadErrors] = useState(summary.bad > 0);
  if (summary.bad > 0 && !hadErrors) {
    setHadErrors(true);
    if (chosen === undefined) setPage(1);
  }
  // What has to be mended first; those that were mended stay in sight.
  const isFiltered = chosen ?? hadErrors;
  const query = { onlyErrors: isFiltered, page, perPage };
  const view = useQuery(importRowsOptions(table, file, query));
  const isAllMended = isFiltered && summary.bad === 0 && view.data?.count === 0 && !view.isPlaceholderData;
  useEffect(() => {
    if (isAllMended) setChosen(false);
  }, [isAllMended]);
  const isNarrow = useMedia(NARROW);
  const columns = useMemo(() => previewColumns(summary.columns, isNarrow), [summary.columns, isNarrow]);
  const openRows = useOpenRows();
  const { keep } = openRows;
  const change = useCallback<Parameters<typeof EditContext>[0]['value']>(
    (row, column, text) => {
      // It may be valid now; the cell stays where the hand is.
      keep(row, column);
      void edit(row, column, text);
    },
    [edit, keep],
  );
  const rowActions = useCallback(
    (row: ShownRow) => (
      <IconButton
        size="sm"
        label={t('remove', { row: row.row })}
        icon={<Trash2 size={16} aria-hidden />}
        onClick={() => void remove(row.row)}
      />
    ),
    [remove, t],
  );
  const filter = (value: boolean) => {
    setChosen(value);
    setPage(1);
  };
  return (
    <EditContext value={change}>
      <OpenRowsProvider value={openRows}>
        <DataTable
          label={t('label')}
          columns={columns}
          rows={view.data?.rows}
          rowKey={rowKey}
          page={page}
          perPage={perPage}
          count={view.data?.count}
          onPageChange={setPage}
          onPerPageChange={(next) => {
            setPerPage(next);
            setPage(1);
          }}
          filters={
            <SegmentedControl
              label={t('filter')}
              options={[
                { value: 'all', label: t('all', { count: summary.total }) },
                { value: 'errors', label: t('onlyErrors', { count: summary.bad }) },
              ]}
              value={isFiltered ? 'errors' : 'all'}
              onValueChange={(value) => filter(value === 'errors')}
            />
          }
          isFiltered={isFiltered}
          onClearFilters={() => filter(false)}
          rowActions={rowActions}
          rowNote={rowNote}
          actionsWidth={`${ACTIONS_PX}px`}
          empty={<EmptyState title={t('empty')} />}
        />
      </OpenRowsProvider>
    </EditContext>
  );
}
