import { IMPORT_COLUMNS, IMPORT_HEADERS_REQUIRED, IMPORT_STATUS_DEFAULT, type ImportColumn } from '@cordon/contract';
import { columnLetters, columnOfHeader } from './file/column-headings';
import { type CellFlaw, FileProblem, type Sheet } from './file/sheet';

/** A row under the header: texts by column, and what is wrong with cells before their meaning is looked at. */
export interface TableRow {
  readonly row: number;
  readonly cells: Partial<Record<ImportColumn, string>>;
  readonly flaws: Partial<Record<ImportColumn, CellFlaw>>;
  /** Cells to the right of the last header: most likely a comma without quotes. */
  readonly hasExtraCells: boolean;
}

export interface ImportTable {
  /** Columns that the file has, and the status. */
  readonly columns: readonly ImportColumn[];
  /** The file has no column of it: each row has the default. */
  readonly lacksStatus: boolean;
  /** Unknown headers; their cells are not read. */
  readonly unknownHeaders: readonly string[];
  readonly rows: readonly TableRow[];
}

/** How many rows may stand above the header: a title, a date, who made it. */
const ROWS_ABOVE_HEADER_MAX = 4;
/** A title may be called like one column, and hardly like two. */
const COLUMNS_OF_HEADER_MIN = 2;

/** The first row that names columns; the first of all where none of them does. */
function headerIndex({ rows }: Sheet): number {
  const found = rows
    .slice(0, ROWS_ABOVE_HEADER_MAX + 1)
    .findIndex(
      ({ cells }) =>
        cells.filter(({ text }) => columnOfHeader(text.trim()) !== undefined).length >= COLUMNS_OF_HEADER_MIN,
    );
  return Math.max(0, found);
}

/** Finds the columns by the header row; a title may stand above it. Throws FileProblem where it is missing or cannot be understood. */
export function readTable(sheet: Sheet): ImportTable {
  const at = headerIndex(sheet);
  const header = sheet.rows[at];
  const rest = sheet.rows.slice(at + 1);
  if (!header) throw new FileProblem('EMPTY');
  const headers = header.cells.map(({ text }) => text.trim());
  const columns = headers.map(columnOfHeader);
  if (columns.every((column) => column === undefined)) throw new FileProblem('HEADER_MISSING', { row: header.number });
  columns.forEach((column, at) => {
    if (column !== undefined && columns.indexOf(column) < at)
      throw new FileProblem('COLUMN_REPEATED', { column, letters: columnLetters(at), row: header.number });
  });
  const missing = IMPORT_HEADERS_REQUIRED.filter((column) => !columns.includes(column));
  if (missing.length > 0) throw new FileProblem('COLUMN_MISSING', { columns: missing.join(' '), row: header.number });
  if (rest.length === 0) throw new FileProblem('EMPTY');
  const lacksStatus = !columns.includes('status');
  const rows = rest.map(({ number, cells }): TableRow => {
    const texts: TableRow['cells'] = lacksStatus ? { status: IMPORT_STATUS_DEFAULT } : {};
    const flaws: TableRow['flaws'] = {};
    columns.forEach((column, at) => {
      if (column === undefined) return;
      texts[column] = cells[at]?.text.trim() ?? '';
      const flaw = cells[at]?.flaw;
      if (flaw !== undefined) flaws[column] = flaw;
    });
    return { row: number, cells: texts, flaws, hasExtraCells: cells.length > headers.length };
  });
  return {
    columns: IMPORT_COLUMNS.filter((column) => column === 'status' || columns.includes(column)),
    lacksStatus,
    unknownHeaders: headers.filter((text, at) => text !== '' && columns[at] === undefined),
    rows,
  };
}
