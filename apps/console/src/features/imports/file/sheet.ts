/** Largest file that is read. */
export const FILE_BYTES_MAX = 8 * 1024 * 1024;
/** Columns of a file, known or not. */
export const COLUMNS_MAX = 50;

/** Why a file cannot be read at all. */
export const fileProblemCodes = [
  'EMPTY',
  'TOO_LARGE',
  'UNPACKED_TOO_LARGE',
  'TOO_MANY_ROWS',
  'TOO_MANY_COLUMNS',
  'OLD_EXCEL',
  'NOT_A_TABLE',
  'DAMAGED',
  'QUOTE_OPEN',
  'HEADER_MISSING',
  'COLUMN_MISSING',
  'COLUMN_REPEATED',
  'TOO_SLOW',
] as const;
export type FileProblemCode = (typeof fileProblemCodes)[number];

/** A file that cannot be read at all. */
export class FileProblem extends Error {
  override readonly name = 'FileProblem';
  constructor(
    readonly code: FileProblemCode,
    readonly params: Readonly<Record<string, string | number>> = {},
  ) {
    super(code);
  }
}

/** What is wrong with a cell before its meaning is read. */
export type CellFlaw = 'IMPORT_CELL_FORMAT' | 'IMPORT_CELL_FORMULA' | 'TOO_LONG';

export interface SheetCell {
  readonly text: string;
  readonly flaw?: CellFlaw;
}

export interface SheetRow {
  /** As the spreadsheet counts: the first is 1. */
  readonly number: number;
  readonly cells: readonly SheetCell[];
}

/** Encodings that a text file may be read in. Excel writes the region's own by default. */
export const ENCODINGS = ['utf-8', 'gb18030', 'big5', 'utf-16le', 'windows-1252'] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** The rows of a file, empty ones left out; the header row is the first. */
export interface Sheet {
  readonly rows: readonly SheetRow[];
  /** Undefined for workbooks, which say theirs. */
  readonly encoding?: Encoding;
}

/** Takes the rows of a file as they come, within the bounds. */
export class SheetBuilder {
  readonly rows: SheetRow[] = [];
  constructor(
    private readonly rowsMax: number,
    private readonly charactersMax: number,
  ) {}

  /** Adds a row unless it is empty. Throws TOO_MANY_ROWS and TOO_MANY_COLUMNS. */
  add(number: number, cells: readonly SheetCell[]): void {
    const used = cells.findLastIndex(({ text, flaw }) => flaw !== undefined || text.trim() !== '') + 1;
    if (used === 0) return;
    if (used > COLUMNS_MAX) throw new FileProblem('TOO_MANY_COLUMNS', { row: number, maximum: COLUMNS_MAX });
    // One more, because the header is not counted.
    if (this.rows.length > this.rowsMax) throw new FileProblem('TOO_MANY_ROWS', { maximum: this.rowsMax });
    this.rows.push({ number, cells: cells.slice(0, used).map((cell) => this.bounded(cell)) });
  }

  private bounded(cell: SheetCell): SheetCell {
    if (cell.text.length <= this.charactersMax) return cell;
    return { text: cell.text.slice(0, this.charactersMax), flaw: 'TOO_LONG' };
  }
}
