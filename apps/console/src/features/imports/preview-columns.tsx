import { IMPORT_COLUMNS, IMPORT_COLUMNS_REQUIRED, type ImportColumn } from '@cordon/contract';
import clsx from 'clsx';
import { ChevronsUpDown, CircleAlert, CircleCheck } from 'lucide-react';
import { createContext, memo, type ReactNode, useContext, useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { DataTableColumn } from '../../ui/data-table-types';
import { useFormat } from '../../ui/format';
import { narrowColumns } from './narrow-rows';
import { lineId, lineIdOf, type ProblemLine, problemLines } from './problem-lines';
import { useRowProblemWords } from './problem-words';
import type { RowProblem, ShownRow } from './table-state';

type Edit = (row: number, column: ImportColumn, text: string) => void;
/** How a cell of the preview is changed. */
export const EditContext = createContext<Edit>(() => {});

/** Columns with few values are chosen, not typed. */
const CHOICES: Partial<Record<ImportColumn, readonly string[]>> = {
  protocol: ['http', 'https', 'http_https'],
  status: ['running', 'deactivated'],
};
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

/** Whatever is chosen ends before the arrow. */
const CELL_PADDING_PX = 5;
const ARROW_PX = 25;
const CHOICE_PADDING = { paddingInline: `${CELL_PADDING_PX}px ${ARROW_PX}px` };

/** A cell that can be mended in place: Enter or leaving it takes the change, Escape takes it back. */
const Cell = memo(function Cell({ row, column, text, faultId }: CellProps) {
  const t = useTranslations('imports');
  const edit = useContext(EditContext);
  const shown = breakable(column, text);
  const [typed, setTyped] = useState(shown);
  useEffect(() => setTyped(shown), [shown]);
  const choices = CHOICES[column];
  const props = {
    'aria-label': t('preview.cell', { column: t(`columns.${column}.name`), row }),
    'aria-invalid': faultId !== undefined || undefined,
    'aria-describedby': faultId,
    'data-cell': column,
    title: text,
    className: clsx(
      'control text-sm',
      // Quiet until it is wrong or reached.
      faultId === undefined &&
        'border-transparent! bg-transparent! hover:border-line-strong! focus:border-line-strong! focus:bg-card!',
      // What is too long for its column is on more lines: names that begin alike differ at their end.
      choices ? 'appearance-none' : 'block field-sizing-content resize-none! wrap-break-word',
      column === 'upstreams' && 'font-mono',
    ),
  };
  return (
    <span className="block min-w-0 phone:w-full">
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
            className="pointer-events-none absolute inset-y-0 right-2 my-auto text-muted"
            aria-hidden
          />
        </span>
      ) : (
        <textarea
          {...props}
          style={FOUR_LINES}
          rows={1}
          value={typed}
          placeholder={text === '' ? t('preview.emptyCell') : undefined}
          spellCheck={false}
          autoComplete="off"
          // A cell has one line, whatever is pasted.
          onChange={(event) => setTyped(event.target.value.replace(/[\r\n]+/g, ' '))}
          onBlur={() => typed !== shown && edit(row, column, typed)}
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

/** Of the cell and of its input, whose borders are 1 px. */
const PADDING_PX = 16 + 2 * (CELL_PADDING_PX + 1);
/** Of what is chosen, with the arrow. */
const CHOICE_PADDING_PX = PADDING_PX + ARROW_PX - CELL_PADDING_PX;
const CHOICE_CHARACTER_PX = 6.6;
const SHARED_PX = 400;

/** Room for the text of a column at least (its name) and at most, in px: together what a window of 1280 px has. What is longer gets a share of the room that is left. */
const ROOM: Record<ImportColumn, { readonly least: number; readonly most: number }> = {
  domain_name: { least: 80, most: 166 },
  protocol: { least: 40, most: 62 },
  upstreams: { least: 80, most: 135 },
  status: { least: 40, most: 72 },
  group: { least: 60, most: 84 },
  remarks: { least: 52, most: 57 },
  shadow_domains: { least: 60, most: 114 },
};
/** Of one in the face of addresses. */
const CODE_CHARACTER_PX = 7.9;
const CHARACTER_PX = 7.5;
const CHARACTERS_PX: readonly (readonly [RegExp, number])[] = [
  [/[\u2e80-\uffef]/, 13],
  [/[mwA-Z@]/, 11],
  [/[ijl.,;:' ]/, 3.7],
  [/[frt/-]/, 5.2],
];

/** About as wide as the text is. */
const widthOfText = (text: string) =>
  [...text].reduce((sum, one) => sum + (CHARACTERS_PX.find(([kind]) => kind.test(one))?.[1] ?? CHARACTER_PX), 0);

/** The longest part that must not be cut: a cell with several targets or names shows the first of them whole; long names break at hyphens. */
const partsOf = (text: string) => text.split(/(?<=[;,])(?=\S)|\s+|(?<=-)/);

/** As narrow as two lines of words can be. */
function halfOf(text: string): number {
  const words = text.split(/(?<=\s)/);
  const halves = words.map((_, index) =>
    Math.max(widthOfText(words.slice(0, index).join('').trimEnd()), widthOfText(words.slice(index).join(''))),
  );
  return Math.min(...halves) + 4;
}

const roomFor = (column: ImportColumn, text: string): number => {
  if (CHOICES[column]) return text.length * CHOICE_CHARACTER_PX;
  if (column === 'group' || column === 'remarks') return halfOf(text);
  const parts = partsOf(text);
  return Math.max(
    ...parts.map((part) => (column === 'upstreams' ? part.length * CODE_CHARACTER_PX : widthOfText(part))),
  );
};

function widthOf(column: ImportColumn): DataTableColumn<ShownRow>['width'] {
  const { least, most } = ROOM[column];
  return (rows) => {
    const texts = rows.map(({ cells }) => cells[column] ?? '');
    const room = Math.ceil(Math.min(most, Math.max(least, ...texts.map((text) => roomFor(column, text)))));
    if (CHOICES[column]) return `${room + CHOICE_PADDING_PX}px`;
    const longest = Math.max(...texts.map(widthOfText), least);
    return `minmax(${room + PADDING_PX}px, ${Math.round(Math.min(longest, SHARED_PX))}fr)`;
  };
}

const rowColumn: DataTableColumn<ShownRow> = {
  id: 'row',
  header: <RowHeader />,
  cell: (row) => <RowNumber row={row} />,
  width: '56px',
  card: 'title',
};
const cellColumns = IMPORT_COLUMNS.map(
  (column): DataTableColumn<ShownRow> => ({
    id: column,
    header: <ColumnName column={column} />,
    width: widthOf(column),
    cell: ({ row, cells, problems }) => (
      <Cell row={row} column={column} text={cells[column] ?? ''} faultId={lineIdOf(row, problems, column)} />
    ),
  }),
);

/** Columns of the preview: those that every file has, and those that this one has; where they have no room each row has its cells below each other. */
export function previewColumns(columns: readonly ImportColumn[], isNarrow = false): DataTableColumn<ShownRow>[] {
  const cells = cellColumns.filter(({ id }) => required.has(id) || columns.includes(id as ImportColumn));
  return isNarrow ? narrowColumns(rowColumn, cells) : [rowColumn, ...cells];
}
