import { ChevronDown } from 'lucide-react';
import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { DataTableColumn } from '../../ui/data-table-types';
import { DottedText } from '../../ui/dotted-text';
import type { ShownRow } from './table-state';

interface OpenRows {
  readonly opened: ReadonlySet<number>;
  /** Cells that were changed, as `row column`. */
  readonly changed: ReadonlySet<string>;
  toggle(row: number): void;
}
const OpenRowsContext = createContext<OpenRows>({ opened: new Set(), changed: new Set(), toggle() {} });
const cellKey = (row: number, column: string) => `${row} ${column}`;

/** Rows that were opened, all of whose cells are shown, and cells that are shown because they were just mended. */
export function useOpenRows() {
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set());
  const [changed, setChanged] = useState<ReadonlySet<string>>(new Set());
  const keep = useCallback(
    (row: number, column: string) => setChanged((before) => new Set(before).add(cellKey(row, column))),
    [],
  );
  const toggle = useCallback(
    (row: number) =>
      setOpened((before) => {
        const after = new Set(before);
        if (!after.delete(row)) after.add(row);
        return after;
      }),
    [],
  );
  return useMemo(() => ({ opened, changed, keep, toggle }), [opened, changed, keep, toggle]);
}

export const OpenRowsProvider = OpenRowsContext.Provider;

/** Its number, name and targets, as far as no field below has them, and the way to its cells. */
function RowTitle({ row, number }: { row: ShownRow; number: ReactNode }) {
  const { opened, toggle } = useContext(OpenRowsContext);
  const isOpen = opened.has(row.row);
  const { domain_name, upstreams } = row.cells;
  const name = row.problems.some(({ column }) => column === 'domain_name') ? '' : domain_name;
  return (
    <button
      type="button"
      aria-expanded={isOpen}
      onClick={() => toggle(row.row)}
      className="flex min-h-10 w-full items-center gap-2 text-left"
    >
      <span className="shrink-0">{number}</span>
      <span className="min-w-0 flex-1 wrap-anywhere">
        {name && <DottedText text={name} />}{' '}
        {!isOpen && row.problems.length === 0 && <span className="text-sm font-normal text-muted">{upstreams}</span>}
      </span>
      <ChevronDown size={16} aria-hidden className={isOpen ? 'shrink-0 rotate-180' : 'shrink-0'} />
    </button>
  );
}

function Fields({ row, columns }: { row: ShownRow; columns: readonly DataTableColumn<ShownRow>[] }) {
  const { opened, changed } = useContext(OpenRowsContext);
  // What is wrong with no cell may be wrong with any.
  const isWhole = opened.has(row.row) || row.problems.some(({ column }) => column === undefined);
  const shown = columns.filter(
    ({ id }) => isWhole || changed.has(cellKey(row.row, id)) || row.problems.some(({ column }) => column === id),
  );
  if (shown.length === 0) return null;
  return (
    <span className="flex flex-col gap-1">
      {shown.map(({ id, header, cell }) => (
        <span key={id} className="grid grid-cols-[7rem_1fr] items-center">
          <span className="text-sm text-muted" aria-hidden>
            {header}
          </span>
          {cell(row)}
        </span>
      ))}
    </span>
  );
}

function CellsHeader() {
  return <>{useTranslations('imports.preview')('cells')}</>;
}

/** Columns of the preview without the room for all: the row in a line, and those of its cells that are wrong or asked for. */
export const narrowColumns = (
  rowColumn: DataTableColumn<ShownRow>,
  cells: readonly DataTableColumn<ShownRow>[],
): DataTableColumn<ShownRow>[] => [
  { ...rowColumn, width: 'minmax(0, 2fr)', cell: (row) => <RowTitle row={row} number={rowColumn.cell(row)} /> },
  {
    id: 'cells',
    header: <CellsHeader />,
    width: 'minmax(0, 3fr)',
    cell: (row) => <Fields row={row} columns={cells} />,
    card: 'bare',
    cardClass: 'phone:order-last phone:basis-full',
  },
];
