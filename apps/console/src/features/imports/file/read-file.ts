import { readCsv, readDelimited } from './read-csv';
import { readXlsx } from './read-xlsx';
import { type Encoding, FILE_BYTES_MAX, FileProblem, type Sheet } from './sheet';

const startsWith = (bytes: Uint8Array, text: string) => [...text].every((char, at) => bytes[at] === char.charCodeAt(0));
const OLD_EXCEL = '\xd0\xcf\x11\xe0';
const ZIP = 'PK\x03\x04';
/** A control character that no text has. */
const isBinary = (byte: number) => byte < 0x20 && !(byte >= 0x09 && byte <= 0x0d) && byte !== 0x1b;
const SAMPLE_BYTES = 4_000;

/** Reads a file by what it holds, whatever its name says. Throws FileProblem. */
export function readFile(bytes: Uint8Array, encoding?: Encoding): Sheet {
  if (bytes.length === 0) throw new FileProblem('EMPTY');
  if (bytes.length > FILE_BYTES_MAX) throw new FileProblem('TOO_LARGE', { maximum: FILE_BYTES_MAX / 1024 / 1024 });
  if (startsWith(bytes, OLD_EXCEL)) throw new FileProblem('OLD_EXCEL');
  if (startsWith(bytes, ZIP)) return readXlsx(bytes);
  if (startsWith(bytes, '%PDF')) throw new FileProblem('NOT_A_TABLE');
  const sheet = readCsv(bytes, encoding);
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  if (sheet.encoding !== 'utf-16le' && sample.some(isBinary)) throw new FileProblem('NOT_A_TABLE');
  return sheet;
}

/** Reads rows that were copied out of a spreadsheet or a text. Throws FileProblem. */
export function readPasted(text: string): Sheet {
  if (text.length > FILE_BYTES_MAX) throw new FileProblem('TOO_LARGE', { maximum: FILE_BYTES_MAX / 1024 / 1024 });
  return { rows: readDelimited(text) };
}
