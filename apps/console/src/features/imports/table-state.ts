import {
  findRepeatedNames,
  IMPORT_CELL_CHARACTERS_MAX,
  IMPORT_COLUMNS_REQUIRED,
  IMPORT_NONE,
  IMPORT_STATUS_DEFAULT,
  type ImportColumn,
  type ImportProblem,
  type ImportRow,
  isNoImportRow,
  readImportRow,
} from '@cordon/contract';
import type { CellFlaw } from './file/sheet';
import type { ImportTable, TableRow } from './read-table';
import { targetsOfUrls, withoutUrls } from './url-names';

/** Code of what is wrong with a row: the contract's, or what the file itself made impossible. */
export interface RowProblem extends Omit<ImportProblem, 'code'> {
  readonly code: ImportProblem['code'] | CellFlaw | 'IMPORT_EXTRA_CELLS';
}

/** A row as the screen shows it. */
export interface ShownRow {
  readonly row: number;
  readonly cells: TableRow['cells'];
  readonly problems: readonly RowProblem[];
}

export interface TableSummary {
  readonly total: number;
  /** Rows with a problem. */
  readonly bad: number;
  /** Empty cells of columns that may be left out: filled with one press. */
  readonly fillable: number;
  /** Rows with URLs where names or targets belong: split with one press. */
  readonly urls: number;
  readonly removed: number;
  /** Groups that rows name and the account does not have: made with one press. */
  readonly missingGroups: readonly string[];
  /** The file has no column of statuses, and all rows still have the default. */
  readonly isStatusAssumed: boolean;
  readonly columns: readonly ImportColumn[];
  readonly unknownHeaders: readonly string[];
}

export interface TableQuery {
  readonly onlyErrors: boolean;
  readonly page: number;
  readonly perPage: number;
}

interface Entry {
  row: TableRow;
  own: readonly RowProblem[];
  name: string | undefined;
  shadowDomains: readonly string[];
}

const isOptional = (column: ImportColumn) => !(IMPORT_COLUMNS_REQUIRED as readonly string[]).includes(column);

/** Text of every column that the call needs; a column that the file lacks stays absent. */
function toImportRow({ row, cells }: TableRow): ImportRow {
  return {
    domain_name: '',
    protocol: '',
    upstreams: '',
    status: '',
    ...cells,
    row,
  };
}

const NAME_COLUMNS = ['domain_name', 'shadow_domains'] as const satisfies readonly ImportColumn[];

/** The row with names and targets for the URLs in its cells; undefined where there are none. */
function withUrlsSplit(row: TableRow): TableRow | undefined {
  const { upstreams = '', protocol = '' } = row.cells;
  const names = NAME_COLUMNS.map((column) => [column, withoutUrls(row.cells[column] ?? '')] as const);
  const changed = [...names, ...Object.entries(targetsOfUrls(upstreams, protocol) ?? {})].filter(
    ([, text]) => text !== undefined,
  );
  return changed.length === 0 ? undefined : { ...row, cells: { ...row.cells, ...Object.fromEntries(changed) } };
}

function inspect(row: TableRow): Entry {
  const flawed = Object.entries(row.flaws) as [ImportColumn, CellFlaw][];
  const reading = readImportRow(toImportRow(row));
  return {
    row,
    name: reading.name,
    shadowDomains: reading.shadowDomains,
    own: [
      ...(row.hasExtraCells ? [{ row: row.row, column: null, code: 'IMPORT_EXTRA_CELLS' as const }] : []),
      ...flawed.map(([column, code]) => ({
        row: row.row,
        column,
        code,
        ...(code === 'TOO_LONG' ? { params: { maximum: IMPORT_CELL_CHARACTERS_MAX } } : {}),
      })),
      ...reading.problems.filter(({ column }) => column === null || !(column in row.flaws)),
    ],
  };
}

/** Whether the same was found here, of what the API says of a row. */
const isKnown = ({ column, code, params }: RowProblem, found: readonly (RowProblem | undefined)[]): boolean =>
  found.some(
    (one) => one?.column === column && one.code === code && (one.params?.target ?? '') === (params?.target ?? ''),
  );

/** The rows of a file while they are looked at and mended. Everything is known again after each change. */
export class TableState {
  private entries: Entry[];
  private removed: Entry[] = [];
  private repeated = new Map<number, RowProblem>();
  /** What the API said about rows that have not been changed since. */
  private remote = new Map<number, readonly RowProblem[]>();
  /** Rows mended since the view was chosen: they stay in sight, so that nothing jumps under the fingers. */
  private touched = new Set<number>();
  private shown = '';

  constructor(private readonly table: ImportTable) {
    this.entries = table.rows.map(inspect);
    this.findRepeated();
  }

  get summary(): TableSummary {
    return {
      total: this.entries.length,
      bad: this.entries.filter((entry) => this.isBad(entry)).length,
      fillable: this.entries.reduce((sum, entry) => sum + this.emptyOptional(entry).length, 0),
      urls: this.entries.filter(({ row }) => withUrlsSplit(row) !== undefined).length,
      removed: this.removed.length,
      missingGroups: this.missingGroups(),
      isStatusAssumed:
        this.table.lacksStatus && this.entries.every(({ row }) => row.cells.status === IMPORT_STATUS_DEFAULT),
      columns: this.table.columns,
      unknownHeaders: this.table.unknownHeaders,
    };
  }

  /** A page of the rows, and how many match. */
  view({ onlyErrors, page, perPage }: TableQuery): { rows: ShownRow[]; count: number } {
    const shown = `${onlyErrors} ${page}`;
    if (shown !== this.shown) this.touched.clear();
    this.shown = shown;
    const matches = onlyErrors
      ? this.entries.filter((entry) => this.isBad(entry) || this.touched.has(entry.row.row))
      : this.entries;
    const rows = matches.slice((page - 1) * perPage, page * perPage);
    return {
      rows: rows.map((entry) => ({ row: entry.row.row, cells: entry.row.cells, problems: this.problemsOf(entry) })),
      count: matches.length,
    };
  }

  edit(row: number, column: ImportColumn, text: string): void {
    this.entries = this.entries.map((entry) => {
      if (entry.row.row !== row) return entry;
      const { [column]: _mended, ...flaws } = entry.row.flaws;
      return inspect({
        ...entry.row,
        cells: { ...entry.row.cells, [column]: text.trim().slice(0, IMPORT_CELL_CHARACTERS_MAX) },
        flaws,
        // A change of the row means that its result was seen.
        hasExtraCells: false,
      });
    });
    this.remote.delete(row);
    this.touched.add(row);
    this.findRepeated();
  }

  remove(row: number): void {
    this.removeWhere((entry) => entry.row.row === row);
  }

  removeBad(): void {
    this.removeWhere((entry) => this.isBad(entry));
  }

  /** Brings back what was removed last. */
  restore(): void {
    this.entries = [...this.entries, ...this.removed].sort((one, other) => one.row.row - other.row.row);
    this.removed = [];
    this.findRepeated();
  }

  /** Says "none" in every empty cell of the columns that may be left out. */
  fillEmpty(): void {
    this.entries = this.entries.map((entry) => {
      const empty = this.emptyOptional(entry);
      if (empty.length === 0) return entry;
      const filled = Object.fromEntries(empty.map((column) => [column, IMPORT_NONE]));
      return inspect({ ...entry.row, cells: { ...entry.row.cells, ...filled } });
    });
    this.findRepeated();
  }

  /** Turns URLs into names, and into targets with their protocol, wherever these belong. */
  splitUrls(): void {
    this.entries = this.entries.map((entry) => {
      const split = withUrlsSplit(entry.row);
      if (split === undefined) return entry;
      this.remote.delete(entry.row.row);
      return inspect(split);
    });
    this.findRepeated();
  }

  /** Has each row deployed. */
  runAll(): void {
    this.entries = this.entries.map(({ row }) => inspect({ ...row, cells: { ...row.cells, status: 'running' } }));
    this.remote.clear();
    this.findRepeated();
  }

  /** What the API says about the rows it was asked about. */
  takeRemote(asked: readonly number[], problems: readonly RowProblem[]): void {
    for (const row of asked) this.remote.delete(row);
    const entries = new Map(this.entries.map((entry) => [entry.row.row, entry]));
    for (const problem of problems) {
      const entry = entries.get(problem.row);
      if (
        !entry ||
        (problem.column ?? '') in entry.row.flaws ||
        isKnown(problem, [...entry.own, this.repeated.get(problem.row)])
      )
        continue;
      this.remote.set(problem.row, [...(this.remote.get(problem.row) ?? []), problem]);
    }
  }

  /** All rows as the API reads them, those with a fault too: their other faults are told with it. */
  checkable(): ImportRow[] {
    return this.entries.map((entry) => toImportRow(entry.row)).filter((row) => !isNoImportRow(row));
  }

  /** Rows that nothing of their own is wrong with, as the API takes them. */
  sendable(): ImportRow[] {
    return this.entries
      .filter((entry) => entry.own.length === 0 && !this.repeated.has(entry.row.row))
      .map((entry) => toImportRow(entry.row));
  }

  private removeWhere(isGone: (entry: Entry) => boolean): void {
    this.removed = this.entries.filter(isGone);
    this.entries = this.entries.filter((entry) => !isGone(entry));
    this.findRepeated();
  }

  private emptyOptional(entry: Entry): ImportColumn[] {
    return this.table.columns.filter((column) => isOptional(column) && entry.row.cells[column] === '');
  }

  /** As groups are told apart: in any case, and with one space between words. */
  private missingGroups(): string[] {
    const names = this.entries.flatMap(({ row }) => this.missingGroupOf(row)?.trim().replace(/\s+/g, ' ') ?? []);
    return [...new Map(names.map((name) => [name.toLowerCase(), name])).values()];
  }

  private missingGroupOf({ row, cells }: TableRow): string | undefined {
    return this.remote.get(row)?.some(({ code }) => code === 'IMPORT_GROUP_UNKNOWN') ? cells.group : undefined;
  }

  private findRepeated(): void {
    const found = findRepeatedNames(
      this.entries.map(({ row, name, shadowDomains }) => ({ row: row.row, name, shadowDomains })),
    );
    this.repeated = new Map(found.map((problem) => [problem.row, problem]));
  }

  private isBad(entry: Entry): boolean {
    const { row } = entry.row;
    return entry.own.length > 0 || this.repeated.has(row) || this.remote.has(row);
  }

  private problemsOf(entry: Entry): RowProblem[] {
    const { row } = entry.row;
    const repeated = this.repeated.get(row);
    return [...entry.own, ...(repeated ? [repeated] : []), ...(this.remote.get(row) ?? [])];
  }
}
