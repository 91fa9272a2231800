import { IMPORT_COLUMNS, IMPORT_COLUMNS_REQUIRED, type ImportColumn } from '@cordon/contract';
import clsx from 'clsx';
import { ChevronsUpDown, CircleAlert, CircleCheck } from 'lucide-react';
import { createContext, memo, type ReactNode, useContext, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { DataTableColumn } from '../../ui/data-table-types';
import { useFormat } from '../../ui/format';
import { narrowColumns } from './narrow-rows';
import { ARROW_PX, CELL_PADDING_PX, CHOICES, columnWidths, rowPx } from './preview-widths';
import { lineId, lineIdOf, type ProblemLine, problemLines } from './problem-lines';
import { useRowProblemWords } from './problem-words';
import type { RowProblem, ShownRow } from './table-state';

type Edit = (row: number, column: ImportColumn, text: string) => void;
/** How a cell of the preview is changed. */
export const EditContext = createContext<Edit>(() => {});

const required = new Set<string>(IMPORT_COLUMNS_REQUIRED);

function ColumnName({ column }: { column: ImportColumn }) {
  const t = useTranslations('imports.columns');
  return <>{t(`${column}.name`)}</>;
}

/** What is wrong with a row, over its whole width. */
export function RowProblems({ row: { row, problems } }: { row: ShownRow }) {
  return (
    <span className="flex flex-col gap-1 text-sm text-danger">
      {problemLines(problems).map((line) => (
        <span key={line.key} id={lineId(row, line.key)} className="flex flex-col gap-1">
          <Faults of={line.key} problems={line.problems} />
        </span>
      ))}
    </span>
  );
}

function Fault({ children }: { children: ReactNode }) {
  return (
    <span className="flex gap-1.5">
      <CircleAlert size={14} className="mt-0.5 shrink-0" aria-hidden />
      <span className="min-w-0 wrap-break-word">{children}</span>
    </span>
  );
}

/** Several targets of a cell with the same fault as one, about all of them. */
function joinTargets(problems: readonly RowProblem[], list: (targets: string[]) => string): RowProblem[] {
  const alike = new Map<string, { problem: RowProblem; targets: string[] }>();
  for (const problem of problems) {
    const { target, entry: _same, ...params } = problem.params ?? {};
    const key = `${problem.code} ${JSON.stringify(params)} ${target === undefined}`;
    const known = alike.get(key) ?? { problem, targets: [] };
    if (target !== undefined) known.targets.push(String(target));
    alike.set(key, known);
  }
  return [...alike.values()].map(({ problem, targets }) =>
    targets.length > 1 ? { ...problem, params: { ...problem.params, target: list([...new Set(targets)]) } } : problem,
  );
}

/** One sentence about the empty cells of a row, or what is wrong with one cell. */
function Faults({ of, problems }: { of: ProblemLine['key']; problems: readonly RowProblem[] }) {
  const t = useTranslations('imports');
  const words = useRowProblemWords();
  const format = useFormat();
  if (of === 'one_cell' || of === 'required') {
    const names = problems.flatMap(({ column, code }) =>
      column && code === 'IMPORT_CELL_EMPTY' ? [t(`columns.${column}.name`)] : [],
    );
    return <Fault>{t(`cell.${of}`, { count: names.length, columns: format.list(names) })}</Fault>;
  }
  return joinTargets(problems, format.list).map((problem) => (
    <Fault key={`${problem.code} ${problem.params?.target ?? ''}`}>
      {problem.column
        ? t('cell.target', { target: t(`columns.${problem.column}.name`), words: words(problem) })
        : words(problem)}
      {problem.params?.txt_name !== undefined && (
        <code className="mt-0.5 block text-xs text-muted">
          {problem.params.txt_name} TXT {problem.params.txt_value}
        </code>
      )}
    </Fault>
  ));
}

interface CellProps {
  row: number;
  column: ImportColumn;
  text: string;
  /** Of what is wrong with it. */
  faultId: string | undefined;
}

/** With room to break after each of several targets or names, which are not to be broken themselves. */
const breakable = (column: ImportColumn, text: string) =>
  column === 'upstreams' || column === 'shadow_domains' ? text.replace(/[;,](?=\S)/g, '$& ') : text;

const CHOICE_PADDING = { paddingInline: `${CELL_PADDING_PX}px ${ARROW_PX}px` };

/** A cell that can be mended in place: Enter or leaving it takes the change, Escape takes it back. */
const Cell = memo(function Cell({ row, column, text, faultId }: CellProps) {
  const t = useTranslations('imports');
  const edit = useContext(EditContext);
  const shown = breakable(column, text);
  const [typed, setTyped] = useState(shown);
  useEffect(() => setTyped(shown), [shown]);
  const area = useRef<HTMLTextAreaElement>(null);
  const [isCut, setCut] = useState(false);
  const measure = () => setCut(area.current !== null && area.current.scrollHeight > area.current.clientHeight);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what it measures is drawn from the text
  useLayoutEffect(measure, [shown]);
  const choices = CHOICES[column];
  const props = {
    'aria-label': t('preview.cell', { column: t(`columns.${column}.name`), row }),
    'aria-invalid': faultId !== undefined || undefined,
    'aria-describedby': faultId,
    'data-cell': column,
    title: text,
    className: clsx(
      'control',
      // An address with its port has room in one line.
      column === 'upstreams' ? 'font-mono text-xs' : 'text-sm',
      // Quiet until it is wrong or reached.
      faultId === undefined &&
        'border-transparent! bg-transparent! hover:border-line-strong! focus:border-line-strong! focus:bg-card!',
      // What is too long for its column is on more lines: names that begin alike differ at their end.
      choices ? 'truncate appearance-none' : 'block field-sizing-content resize-none! wrap-break-word',
    ),
  };
  return (
    <span className="relative block min-w-0 phone:w-full">
      {choices ? (
        <span className="relative block">
          <select
            {...props}
            style={CHOICE_PADDING}
            value={text}
            onChange={(event) => edit(row, column, event.target.value)}
          >
            {!choices.includes(text) && <option value={text}>{text === '' ? t('preview.emptyCell') : text}</option>}
            {choices.map((choice) => (
              <option key={choice}>{choice}</option>
            ))}
          </select>
          <ChevronsUpDown
            size={14}
            className="pointer-events-none absolute inset-y-0 right-1 my-auto text-muted"
            aria-hidden
          />
        </span>
      ) : (
        <textarea
          {...props}
          ref={area}
          style={column === 'upstreams' ? FOUR_CODE_LINES : FOUR_LINES}
          rows={1}
          value={typed}
          placeholder={text === '' ? t('preview.emptyCell') : undefined}
          spellCheck={false}
          autoComplete="off"
          // A cell has one line, whatever is pasted.
          onChange={(event) => setTyped(event.target.value.replace(/[\r\n]+/g, ' '))}
          onFocus={() => setCut(false)}
          onBlur={(event) => {
            event.target.scrollTop = 0;
            measure();
            if (typed !== shown) edit(row, column, typed);
          }}
          onKeyDown={(event) => {
            // The table's own keys walk its rows.
            event.stopPropagation();
            if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
              event.preventDefault();
              if (typed !== shown) edit(row, column, typed);
            } else if (event.key === 'Escape') setTyped(shown);
          }}
        />
      )}
      {isCut && (
        <span aria-hidden className="pointer-events-none absolute right-1 bg-card text-sm" style={{ bottom: 4 }}>
          …
        </span>
      )}
    </span>
  );
});

function RowNumber({ row }: { row: ShownRow }) {
  const t = useTranslations('imports.preview');
  return (
    <span className="inline-flex items-center gap-1.5 tabular">
      {row.problems.length > 0 ? (
        <CircleAlert size={15} className="shrink-0 text-danger" role="img" aria-label={t('wrong')} />
      ) : (
        <CircleCheck size={15} className="shrink-0 text-success" role="img" aria-label={t('right')} />
      )}
      {row.row}
    </span>
  );
}

function RowHeader() {
  const t = useTranslations('imports.preview');
  return <>{t('row')}</>;
}

/** Whole lines, and no part of the next; what is longer scrolls, so that one remark does not push the next row out of sight. */
const FOUR_LINES = { maxHeight: 'calc(4lh + 13px)', paddingBlock: '7px 4px', paddingInline: CELL_PADDING_PX };
/** Of lower lines, in line with the cells beside them. */
const FOUR_CODE_LINES = { ...FOUR_LINES, maxHeight: 'calc(4lh + 15px)', paddingBlock: '9px 4px' };

const rowColumn: DataTableColumn<ShownRow> = {
  id: 'row',
  header: <RowHeader />,
  cell: (row) => <RowNumber row={row} />,
  width: (rows) => `${rowPx(rows)}px`,
  card: 'title',
};
const cellColumn = (column: ImportColumn): DataTableColumn<ShownRow> => ({
  id: column,
  header: <ColumnName column={column} />,
  cell: ({ row, cells, problems }) => (
    <Cell row={row} column={column} text={cells[column] ?? ''} faultId={lineIdOf(row, problems, column)} />
  ),
});

/** Columns of the preview: those that every file has, and those that this one has; where they have no room each row has its cells below each other. */
export function previewColumns(columns: readonly ImportColumn[], isNarrow = false): DataTableColumn<ShownRow>[] {
  const shown = IMPORT_COLUMNS.filter((one) => required.has(one) || columns.includes(one));
  if (isNarrow) return narrowColumns(rowColumn, shown.map(cellColumn));
  const widthOf = columnWidths(shown);
  return [
    rowColumn,
    ...shown.map((one) => ({ ...cellColumn(one), width: (rows: readonly ShownRow[]) => widthOf(one, rows) })),
  ];
}
