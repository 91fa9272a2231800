import { IMPORT_COLUMNS, IMPORT_COLUMNS_REQUIRED, type ImportColumn } from '@cordon/contract';
import type { RowProblem } from './table-state';

const required = new Set<string>(IMPORT_COLUMNS_REQUIRED);

/** Empty cells stand in one line, by what is to be done with them; other faults by their column. */
type LineKey = ImportColumn | 'whole' | 'one_cell' | 'required' | 'none';

export interface ProblemLine {
  readonly key: LineKey;
  readonly problems: readonly RowProblem[];
}

function keyOf({ column, code }: RowProblem): LineKey {
  if (column === null) return 'whole';
  if (code === 'IMPORT_GROUP_UNKNOWN') return 'none';
  if (code !== 'IMPORT_CELL_EMPTY') return column;
  return required.has(column) ? 'required' : 'none';
}

/** Where the name is none and what follows it is missing, the row most likely stands in one cell. */
function isInOneCell(problems: readonly RowProblem[]): boolean {
  const has = (key: LineKey, column: ImportColumn) =>
    problems.some((problem) => keyOf(problem) === key && problem.column === column);
  return has('domain_name', 'domain_name') && has('required', 'protocol') && has('required', 'upstreams');
}

/** What is wrong with a row, each fault once; `none` is said once for the whole file, with the press that mends it. */
export function problemLines(problems: readonly RowProblem[]): ProblemLine[] {
  const keys: LineKey[] = ['whole', 'one_cell', 'required', ...IMPORT_COLUMNS];
  const isOne = isInOneCell(problems);
  const placeOf = (problem: RowProblem) => {
    const key = keyOf(problem);
    return isOne && (key === 'required' || key === 'domain_name') ? 'one_cell' : key;
  };
  return keys
    .map((key) => ({ key, problems: problems.filter((problem) => placeOf(problem) === key) }))
    .filter((line) => line.problems.length > 0);
}

/** Of what is said once about all empty cells that may be none. */
export const EMPTY_CELLS_ID = 'import-empty-cells';
/** Of what is said once about the groups that there are not. */
export const MISSING_GROUPS_ID = 'import-missing-groups';

/** Of the line that is about a cell, for the cell to point at. */
export function lineIdOf(row: number, problems: readonly RowProblem[], column: ImportColumn): string | undefined {
  const once = problems.find((problem) => problem.column === column && keyOf(problem) === 'none');
  if (once) return once.code === 'IMPORT_GROUP_UNKNOWN' ? MISSING_GROUPS_ID : EMPTY_CELLS_ID;
  const line = problemLines(problems).find((one) => one.problems.some((problem) => problem.column === column));
  return line && lineId(row, line.key);
}

export const lineId = (row: number, key: LineKey): string => `row-${row}-${key}`;
