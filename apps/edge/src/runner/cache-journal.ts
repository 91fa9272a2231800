import { hasRoomForObjects } from './cache-space.ts';
import { options } from './runner-options.ts';

/**
 * What was cleared and changed, on the disk: what the memory had when it was last written down whole (`.known`), and a line for each clear and
 * change since. Whatever ends when, nothing of it is lost: a line is written once the memory has what it says, so that the memory, written down
 * after the file of lines was put aside (`.former`), has all that any worker writes into that one. Where the disk had no room for a line, the
 * memory is written down as soon as there is some.
 */
const meta = ngx.shared.cordon_meta as SharedDict;
const SHORTENING = 'journal_shortening';
const SHORTENING_SECONDS = 60;
/** Lines are missing, of which a part may be there. */
const MISSING = 'journal_missing';

const known = (): string => `${options.cacheJournal}.known`;
const former = (): string => `${options.cacheJournal}.former`;
/** Of the workers' user (cache-folder.ts). */
const next = (): string => `${options.cacheJournal}.new`;

/** Written at once, text of this length stands in one piece, whoever else writes. */
const PIECE_BYTES = 4096;

const isThere = (path: string): boolean => {
  const [file] = io.open(path, 'r');
  if (file !== undefined) file.close();
  return file !== undefined;
};

/** Writes all that the memory has; false: not all of it was taken. */
export type MemoryWriter = (this: void, file: LuaFile) => boolean;

/** False: not all of it is written. */
const isWritten = (file: LuaFile, text: string): boolean => file.write(text)[0] !== undefined && file.flush();

/** Adds lines, each with its end and shorter than `PIECE_BYTES`. */
export function appendLines(lines: readonly string[], writeMemory: MemoryWriter): void {
  const [file] = io.open(options.cacheJournal, 'a');
  if (file === undefined) {
    noteMissing();
    return;
  }
  // What is before it may have no end.
  let piece = meta.get(MISSING) === undefined ? '' : '\n';
  let isWhole = true;
  for (const line of lines) {
    if (piece.length + line.length > PIECE_BYTES) {
      isWhole = isWritten(file, piece) && isWhole;
      piece = isWhole ? '' : '\n';
    }
    piece += line;
  }
  isWhole = isWritten(file, piece) && isWhole;
  const [bytes = 0] = file.seek('end');
  file.close();
  if (!isWhole) noteMissing();
  else if (bytes > options.limits.journal_bytes) shorten(writeMemory);
}

function noteMissing(): void {
  meta.set(MISSING, 1);
  ngx.log(ngx.ERR, 'what was cleared of the cache cannot be written down');
}

/** To be called again and again: writes down what the disk had no room for. */
export function writeMissing(writeMemory: MemoryWriter): void {
  if (meta.get(MISSING) !== undefined && hasRoomForObjects()) shorten(writeMemory);
}

/** Writes down what the memory has in place of the lines, by one worker at a time. */
function shorten(writeMemory: MemoryWriter): void {
  const [isAlone] = meta.safe_add(SHORTENING, 1, SHORTENING_SECONDS);
  if (isAlone !== true) return;
  // One that is there already was not written down to its end.
  if (!isThere(former())) {
    os.rename(options.cacheJournal, former());
    const [file] = io.open(options.cacheJournal, 'a');
    if (file !== undefined) file.close();
  }
  // Before the memory is written: it has no line that goes missing from now on.
  const isMissing = meta.get(MISSING) !== undefined;
  meta.delete(MISSING);
  if (writeKnown(writeMemory)) os.remove(former());
  else if (isMissing) meta.set(MISSING, 1);
  meta.delete(SHORTENING);
}

/** False: it could not be written; what was there stays. */
function writeKnown(writeMemory: MemoryWriter): boolean {
  const [file] = io.open(next(), 'w');
  if (file === undefined) return false;
  const isTakenWhole = writeMemory(file);
  const isFlushed = file.flush();
  file.close();
  return isTakenWhole && isFlushed && os.rename(next(), known())[0] === true;
}

/** All lines, in the order in which they were written. */
export function readLines(take: (this: void, line: string) => void): void {
  for (const path of [known(), former(), options.cacheJournal]) {
    const [file] = io.open(path, 'r');
    let line = file === undefined ? undefined : file.read('*l');
    while (line !== undefined) {
      if (line !== '') take(line);
      line = file === undefined ? undefined : file.read('*l');
    }
    if (file !== undefined) file.close();
  }
}

/** In `init_by_lua`: what the memory has, in place of all lines. */
export function beginJournal(writeMemory: MemoryWriter): void {
  if (!writeKnown(writeMemory)) {
    noteMissing();
    return;
  }
  os.remove(former());
  os.remove(options.cacheJournal);
}
