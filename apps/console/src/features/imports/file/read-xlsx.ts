import { IMPORT_CELL_CHARACTERS_MAX, IMPORT_ROWS_MAX } from '@cordon/contract';
import { readDateStyles } from './date-formats';
import { COLUMNS_MAX, FileProblem, type Sheet, SheetBuilder, type SheetCell } from './sheet';
import { openArchive } from './unpack';
import { readXml } from './xml';

/** The path of the first sheet that is shown. */
function firstSheet(workbook: Uint8Array, relations: Uint8Array): string {
  let id: string | undefined;
  readXml(workbook, {
    open(name, attribute) {
      if (name === 'sheet' && id === undefined && (attribute('state') ?? 'visible') === 'visible') id = attribute('id');
    },
  });
  let target: string | undefined;
  readXml(relations, {
    open(name, attribute) {
      if (name === 'Relationship' && attribute('Id') === id) target = attribute('Target');
    },
  });
  if (target === undefined) throw new FileProblem('EMPTY');
  return target.startsWith('/') ? target.slice(1) : `xl/${target.replace(/^\.\//, '')}`;
}

/** Excel writes control characters as `_x000D_`. */
const decodeEscapes = (text: string) =>
  text.replace(/_x([0-9a-f]{4})_/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

function readStrings(part: Uint8Array): string[] {
  const strings: string[] = [];
  let text = '';
  let isText = false;
  let isPhonetic = false;
  if (part.length === 0) return strings;
  readXml(part, {
    open(name) {
      if (name === 'si') text = '';
      else if (name === 'rPh') isPhonetic = true;
      else if (name === 't') isText = !isPhonetic;
    },
    text(more) {
      if (isText) text += more;
    },
    close(name) {
      if (name === 'si') strings.push(decodeEscapes(text));
      else if (name === 'rPh') isPhonetic = false;
      else if (name === 't') isText = false;
    },
  });
  return strings;
}

/** `B7` is 1. Undefined where the cell does not say where it is. */
function columnIndex(reference: string | undefined): number | undefined {
  const letters = /^[A-Z]{1,3}/i.exec(reference ?? '')?.[0].toUpperCase();
  if (letters === undefined) return undefined;
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

interface RawCell {
  readonly column: number;
  readonly type: string;
  readonly style: number;
  hasFormula: boolean;
  /** Undefined: the file has no value for it. */
  value: string | undefined;
}

/**
 * What a cell says. A formula is taken as the result that the spreadsheet kept with it, never computed; a date or an
 * error is no text that was typed.
 */
function cellOf(raw: RawCell, strings: readonly string[], dates: ReadonlySet<number>): SheetCell {
  const { type, value } = raw;
  if (value === undefined) return raw.hasFormula ? { text: '', flaw: 'IMPORT_CELL_FORMULA' } : { text: '' };
  if (type === 's') return { text: strings[Number(value)] ?? '' };
  if (type === 'str' || type === 'inlineStr') return { text: decodeEscapes(value) };
  if (type === 'b') return { text: value === '1' ? 'TRUE' : 'FALSE' };
  if (type === 'e' || type === 'd') return { text: value, flaw: 'IMPORT_CELL_FORMAT' };
  if (dates.has(raw.style)) return { text: value, flaw: 'IMPORT_CELL_FORMAT' };
  const number = Number(value);
  return { text: Number.isFinite(number) ? String(number) : value };
}

const ROWS_OF_SHEET_MAX = 1_048_576;

/** Numbers rise (ECMA-376, 18.3.1.73); one that does not is that of the next row. */
function rowNumber(given: string | undefined, before: number): number {
  const number = Number(given);
  return Number.isInteger(number) && number > before && number <= ROWS_OF_SHEET_MAX ? number : before + 1;
}

function readSheet(part: Uint8Array, strings: readonly string[], dates: ReadonlySet<number>): Sheet['rows'] {
  const builder = new SheetBuilder(IMPORT_ROWS_MAX, IMPORT_CELL_CHARACTERS_MAX);
  let number = 0;
  let cells: SheetCell[] = [];
  let raw: RawCell | undefined;
  let isValue = false;
  let next = 0;
  readXml(part, {
    open(name, attribute) {
      if (name === 'row') {
        number = rowNumber(attribute('r'), number);
        cells = [];
        next = 0;
      } else if (name === 'c') {
        const column = columnIndex(attribute('r')) ?? next;
        next = column + 1;
        raw = {
          column,
          type: attribute('t') ?? 'n',
          style: Number(attribute('s') ?? 0),
          hasFormula: false,
          value: undefined,
        };
      } else if (name === 'f' && raw) raw.hasFormula = true;
      else if ((name === 'v' || name === 't') && raw) isValue = true;
    },
    text(text) {
      if (isValue && raw) raw.value = (raw.value ?? '') + text;
    },
    close(name) {
      if (name === 'v' || name === 't') isValue = false;
      else if (name === 'c' && raw) {
        const cell = cellOf(raw, strings, dates);
        // Far to the right, a file of one cell would make a row of thousands: the first one too many stands for it.
        const at = Math.min(raw.column, COLUMNS_MAX);
        if (cell.flaw !== undefined || cell.text.trim() !== '') {
          while (cells.length < at) cells.push({ text: '' });
          cells[at] = cell;
        }
        raw = undefined;
      } else if (name === 'row') builder.add(number, cells);
    },
  });
  return builder.rows;
}

/** The first shown sheet of a workbook (ECMA-376, transitional and strict). Throws FileProblem. */
export function readXlsx(bytes: Uint8Array): Sheet {
  const archive = openArchive(bytes);
  const workbook = 'xl/workbook.xml';
  if (!archive.has(workbook)) throw new FileProblem('NOT_A_TABLE');
  const sheet = firstSheet(archive.read(workbook), archive.read('xl/_rels/workbook.xml.rels'));
  const strings = readStrings(archive.read('xl/sharedStrings.xml'));
  const dates = readDateStyles(archive.read('xl/styles.xml'));
  return { rows: readSheet(archive.read(sheet), strings, dates) };
}
