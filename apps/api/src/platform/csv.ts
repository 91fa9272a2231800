import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';

/** Spreadsheets take a cell that begins so for a formula, and run it; also behind spaces, and by signs of full width. */
const FORMULA_START = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/;
const NEEDS_QUOTES = /[",\r\n]|^\s|\s$/;

function csvCell(value: string | number | null): string {
  if (value === null) return '';
  const text = String(value);
  // A number is written by us and is none.
  const guarded = typeof value === 'string' && FORMULA_START.test(text) ? `'${text}` : text;
  return NEEDS_QUOTES.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}

/** One line of RFC 4180, its end included. What a spreadsheet would run as a formula gets a leading apostrophe. */
export const csvLine = (cells: readonly (string | number | null)[]): string => `${cells.map(csvCell).join(',')}\r\n`;

/** Spreadsheets take a file without it for one in the language's old encoding. */
const BYTE_ORDER_MARK = '\uFEFF';

/** Streams lines as a download, as fast as the client reads them. Rejects with what the header or the first rows threw. */
export async function sendCsv(reply: FastifyReply, fileName: string, lines: AsyncIterable<string>): Promise<void> {
  const pieces = lines[Symbol.asyncIterator]();
  // Before the head, by which the client takes the call for one that has worked.
  const first = [await pieces.next(), await pieces.next()];
  async function* withMark() {
    try {
      yield BYTE_ORDER_MARK;
      for (const { value, done } of first) if (!done) yield value;
      for (let next = await pieces.next(); !next.done; next = await pieces.next()) yield next.value;
    } finally {
      await pieces.return?.();
    }
  }
  const stream = Readable.from(withMark(), { objectMode: false });
  stream.on('error', (err) => reply.log.error({ err }, 'a download broke off'));
  reply
    .header('content-disposition', `attachment; filename="${fileName}"`)
    .header('cache-control', 'no-store')
    .type('text/csv; charset=utf-8')
    .send(stream);
}
