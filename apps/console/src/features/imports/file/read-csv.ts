import { IMPORT_CELL_CHARACTERS_MAX, IMPORT_ROWS_MAX } from '@cordon/contract';
import Papa from 'papaparse';
import { columnOfHeader } from './column-headings';
import { decodeText, detectEncoding } from './decode-text';
import { type Encoding, FileProblem, type Sheet, SheetBuilder } from './sheet';

const DELIMITERS = [',', ';', '\t'] as const;
/** How much of the file the delimiter is judged by; a header is shorter. */
const HEAD_CHARACTERS = 10_000;

/** The delimiter with which most of the header is understood; frequency would be misled by targets in one cell. */
function detectDelimiter(text: string): string {
  const head = text.slice(0, HEAD_CHARACTERS);
  const score = (delimiter: string) => {
    const { data } = Papa.parse<string[]>(head, { delimiter, preview: 5, skipEmptyLines: 'greedy' });
    const understood = (row: readonly string[]) => row.filter((cell) => columnOfHeader(cell) !== undefined).length;
    // A title may stand above the header.
    return Math.max(0, ...data.map(understood)) * 100 + Math.min(data[0]?.length ?? 0, 99);
  };
  return [...DELIMITERS].sort((one, other) => score(other) - score(one))[0] ?? ',';
}

/** An apostrophe that a guarded export puts before what a spreadsheet would take for a formula. */
const unguard = (text: string) => (/^'[=+\-@\t\r]/.test(text) ? text.slice(1) : text);

/** Rows of delimited text. Excel's own first line `sep=;` is understood. Throws FileProblem. */
export function readDelimited(whole: string): Sheet['rows'] {
  const stated = /^sep=([,;\t])\r?\n/i.exec(whole);
  const text = stated ? whole.slice(stated[0].length) : whole;
  const builder = new SheetBuilder(IMPORT_ROWS_MAX, IMPORT_CELL_CHARACTERS_MAX);
  let number = stated ? 1 : 0;
  let problem: FileProblem | undefined;
  Papa.parse<string[]>(text, {
    delimiter: stated?.[1] ?? detectDelimiter(text),
    step({ data, errors }, parser) {
      number++;
      try {
        // The rest of the file would be one cell.
        if (errors.some(({ code }) => code === 'MissingQuotes')) throw new FileProblem('QUOTE_OPEN', { row: number });
        builder.add(
          number,
          data.map((cell) => ({ text: unguard(cell) })),
        );
      } catch (error) {
        if (!(error instanceof FileProblem)) throw error;
        problem = error;
        parser.abort();
      }
    },
  });
  if (problem) throw problem;
  return builder.rows;
}

/** A CSV file in any encoding and with any separator that spreadsheets write. */
export function readCsv(bytes: Uint8Array, encoding: Encoding = detectEncoding(bytes)): Sheet {
  return { rows: readDelimited(decodeText(bytes, encoding)), encoding };
}
