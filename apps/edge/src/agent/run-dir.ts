import { chmodSync, chownSync, lstatSync, mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Of the socket through which nginx gets its configuration: nginx's master makes it, and only the agent connects. */
const ADMIN_FOLDER = 'admin';
export const adminSocketIn = (runDir: string): string => join(runDir, ADMIN_FOLDER, 'admin.sock');
/** Of the socket through which nginx's cache asks the fetching server: workers connect to it. */
export const fetchSocketIn = (runDir: string): string => join(runDir, 'fetch.sock');
const TEMP_FOLDERS = ['body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];

/** In /tmp any local user may have made a folder of this name after the one of an earlier agent was cleaned away. */
function isOurs(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found?.isDirectory() === true && found.uid === process.getuid?.() && (found.mode & 0o022) === 0;
}

/**
 * The folder of sockets and temporary files. It is in /tmp because the paths of sockets are limited to 107 bytes.
 * nginx's workers pass through it and own nothing in it but their temporary files: their user is that of other
 * services too.
 */
export function prepareRunDir(former: string | undefined, workers: { uid: number; gid: number } | undefined): string {
  const runDir = former !== undefined && isOurs(former) ? former : mkdtempSync(join(tmpdir(), 'cordon-edge-'));
  if (workers) chownSync(runDir, 0, workers.gid);
  chmodSync(runDir, workers ? 0o710 : 0o700);
  const temp = join(runDir, 'temp');
  mkdirSync(temp, { recursive: true });
  if (workers) chownSync(temp, 0, workers.gid);
  chmodSync(temp, workers ? 0o710 : 0o700);
  for (const name of TEMP_FOLDERS) {
    const path = join(temp, name);
    mkdirSync(path, { recursive: true, mode: 0o700 });
    if (workers) chownSync(path, workers.uid, workers.gid);
  }
  mkdirSync(join(runDir, ADMIN_FOLDER), { recursive: true, mode: 0o700 });
  return runDir;
}
