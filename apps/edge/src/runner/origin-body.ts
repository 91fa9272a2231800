import { beginLines, type OriginReader, readLine, readPiece } from './origin-reader.ts';

/** The body of an origin's answer on its way to the visitor, who has all that has come before more is waited for. */
interface Passage {
  readonly reader: OriginReader;
  /** Not sent yet. */
  pieces: string[];
}

/** With its extensions, which mean nothing here. */
const CHUNK_LINE_BYTES_MAX = 4096;

function sendPieces(passage: Passage): boolean {
  const { pieces } = passage;
  if (pieces.length === 0) return true;
  passage.pieces = [];
  return ngx.print(pieces) !== undefined && ngx.flush(true) !== undefined;
}

/** Passes on `length` bytes; false when they do not all come, or the visitor has gone. */
function passBytes(passage: Passage, length: number): boolean {
  let rest = length;
  while (rest > 0) {
    const piece = readPiece(passage.reader, rest);
    if (piece === undefined) return false;
    rest -= piece.length;
    passage.pieces.push(piece);
  }
  return true;
}

/** Length of the next chunk; undefined: what comes is none. */
function readChunkLength(reader: OriginReader): number | undefined {
  beginLines(reader);
  const line = readLine(reader, CHUNK_LINE_BYTES_MAX);
  if (line === undefined) return undefined;
  const [, , digits, after] = string.find(line, '^(%x+)[ \t]*(;?)');
  if (digits === undefined || (digits as string).length > 12) return undefined;
  const isRead = after === ';' || string.find(line, '^%x+[ \t]*$')[0] !== undefined;
  return isRead ? tonumber(digits, 16) : undefined;
}

/** Trailers are not waited for: none are passed on. */
function passChunks(passage: Passage): boolean {
  const { reader } = passage;
  while (true) {
    const length = readChunkLength(reader);
    if (length === undefined) return false;
    if (length === 0) return true;
    if (!passBytes(passage, length)) return false;
    beginLines(reader);
    if (readLine(reader, CHUNK_LINE_BYTES_MAX) !== '') return false;
  }
}

function passToEnd(passage: Passage): boolean {
  const { reader } = passage;
  while (true) {
    const piece = readPiece(reader);
    if (piece === undefined) return reader.isEnded;
    passage.pieces.push(piece);
  }
}

/** Passes on a body of so many bytes, in chunks or to its end; false when it does not come whole, or the visitor has gone. */
export function passFramed(reader: OriginReader, framing: number | 'chunked' | 'closed'): boolean {
  const passage: Passage = { reader, pieces: [] };
  reader.beforeWaiting = () => sendPieces(passage);
  const isWhole =
    framing === 'chunked'
      ? passChunks(passage)
      : framing === 'closed'
        ? passToEnd(passage)
        : passBytes(passage, framing);
  return sendPieces(passage) && isWhole;
}
