import { ChevronDown } from 'lucide-react';
import { createContext, type ReactNode, useCallback, useContext, useMemo, useState, useSyncExternalStore } from 'react';
import type { DataTableColumn } from '../../ui/data-table-types';
import type { ShownRow } from './table-state';

/** Where tables are cards. */
const PHONE = '(max-width: 759.98px)';

function subscribe(onChange: () => void) {
  const media = window.matchMedia(PHONE);
  media.addEventListener('change', onChange);
  return () => media.removeEventListener('change', onChange);
}

/** Whether rows are cards, where a valid one has a line rather than a field for each of its cells. */
export const useIsPhone = (): boolean => useSyncExternalStore(subscribe, () => window.matchMedia(PHONE).matches);

interface OpenRows {
  readonly opened: ReadonlySet<number>;
  toggle(row: number): void;
}
const OpenRowsContext = createContext<OpenRows>({ opened: new Set(), toggle() {} });

/** Valid rows whose cells are shown all the same: those that were opened, and those that were just mended. */
export function useOpenRows() {
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set());
  const keep = useCallback(
    (row: number) => setOpened((before) => (before.has(row) ? before : new Set(before).add(row))),
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
  return useMemo(() => ({ opened, keep, toggle }), [opened, keep, toggle]);
}

export const OpenRowsProvider = OpenRowsContext.Provider;

/** Its number; of a valid row also its name and targets, and the way to its cells. */
function RowTitle({ row, number }: { row: ShownRow; number: ReactNode }) {
  const { opened, toggle } = useContext(OpenRowsContext);
  if (row.problems.length > 0) return number;
  const isOpen = opened.has(row.row);
  const { domain_name: name, upstreams } = row.cells;
  return (
    <button
      type="button"
      aria-expanded={isOpen}
      onClick={() => toggle(row.row)}
      className="flex min-h-10 w-full items-center gap-2 text-left"
    >
      <span className="shrink-0">{number}</span>
      <span className="min-w-0 flex-1 wrap-anywhere">
        {name} {!isOpen && <span className="text-sm font-normal text-muted">{upstreams}</span>}
      </span>
      <ChevronDown size={16} aria-hidden className={isOpen ? 'shrink-0 rotate-180' : 'shrink-0'} />
    </button>
  );
}

function Fields({ row, columns }: { row: ShownRow; columns: readonly DataTableColumn<ShownRow>[] }) {
  const { opened } = useContext(OpenRowsContext);
  if (row.problems.length === 0 && !opened.has(row.row)) return null;
  return (
    <span className="flex flex-col">
      {columns.map(({ id, header, cell }) => (
        <span key={id} className="flex items-baseline justify-between gap-4">
          <span className="mr-2 shrink-0 text-sm text-muted" aria-hidden>
            {header}
          </span>
          <span className="min-w-0 text-right">{cell(row)}</span>
        </span>
      ))}
    </span>
  );
}

/** Columns of the preview as a card has them: the row in a line, and its cells where they are asked for or wrong. */
export const phoneColumns = (
  rowColumn: DataTableColumn<ShownRow>,
  cells: readonly DataTableColumn<ShownRow>[],
): DataTableColumn<ShownRow>[] => [
  { ...rowColumn, cell: (row) => <RowTitle row={row} number={rowColumn.cell(row)} /> },
  {
    id: 'cells',
    header: null,
    cell: (row) => <Fields row={row} columns={cells} />,
    card: 'bare',
    cardClass: 'phone:order-last phone:basis-full',
  },
];
