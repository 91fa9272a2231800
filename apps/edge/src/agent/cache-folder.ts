import { chownSync, closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Where nginx keeps its cache: in the folder that it runs in, because its workers, another user, reach no other one
 * (nginx-process.ts). They also write down there what was cleared (cache-journal.ts of the runner).
 */
const FOLDER = 'cache';
const JOURNAL = 'clears.journal';

/** As nginx's processes name it. */
export const CACHE_DIR = `/proc/self/cwd/${FOLDER}`;
export const CACHE_JOURNAL = `${CACHE_DIR}/${JOURNAL}`;

/** To be called before nginx starts. Its master, which is root, writes the journal anew into a file that workers may go on with. */
export function prepareCacheFolder(
  logsDir: string,
  workerUser: { readonly uid: number; readonly gid: number } | undefined,
): void {
  const folder = join(logsDir, FOLDER);
  mkdirSync(folder, { recursive: true, mode: 0o750 });
  const next = join(folder, `${JOURNAL}.new`);
  closeSync(openSync(next, 'a', 0o640));
  if (workerUser) for (const path of [folder, next]) chownSync(path, workerUser.uid, workerUser.gid);
}
