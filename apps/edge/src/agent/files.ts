import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/** Replaces a file so that a crash at any moment leaves the old or the new content, whole. */
export function writeFileAtomically(path: string, content: string | Iterable<string>, mode = 0o600): void {
  const next = `${path}.next`;
  const descriptor = openSync(next, 'w', mode);
  try {
    if (typeof content === 'string') writeSync(descriptor, content);
    else for (const part of content) writeSync(descriptor, part);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(next, path);
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
