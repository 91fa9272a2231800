import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/** A file of many lines is written in pieces of about this size: a call of the system for each line takes many times as long. */
const PIECE_CHARACTERS = 1024 * 1024;

function* piecesOf(lines: Iterable<string>): Generator<string> {
  let piece = '';
  for (const line of lines) {
    piece += line;
    if (piece.length < PIECE_CHARACTERS) continue;
    yield piece;
    piece = '';
  }
  yield piece;
}

/** A disk with a little room left takes the beginning, and says that it is full with the next call only. */
function writeWhole(descriptor: number, text: string): void {
  let rest = Buffer.from(text);
  while (rest.length > 0) rest = rest.subarray(writeSync(descriptor, rest));
}

/** Replaces a file so that a crash at any moment leaves the old or the new content, whole. Throws, and leaves the old, when there is no room. */
export function writeFileAtomically(path: string, content: string | Iterable<string>, mode = 0o600): void {
  const next = `${path}.next`;
  try {
    const descriptor = openSync(next, 'w', mode);
    try {
      for (const piece of typeof content === 'string' ? [content] : piecesOf(content)) writeWhole(descriptor, piece);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(next, path);
  } catch (error) {
    rmSync(next, { force: true });
    throw error;
  }
  syncDirectory(dirname(path));
}

/** Makes renames and removals in a directory survive a power cut. */
export function syncDirectory(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Content of a JSON file; undefined when it is missing or damaged. */
export function readJson<T>(path: string): T | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as T;
  } catch {
    return undefined;
  }
}
