import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { freeBytes } from './disk-watch.ts';
import { acquireLock, type Lock, LockHeld } from './process/lock.ts';
import { asStartFailure, StartFailure } from './process/start-failure.ts';

/** Below this, PostgreSQL could not even finish its own recovery. */
const FREE_BYTES_MIN = 200 * 1024 * 1024;

/** Makes the data directory, checks that it can be written, and locks it for this process. */
export function openDataDirectory(directory: string): Lock {
  try {
    // 0711: PostgreSQL's own account must pass through on its way to its directory, but may list nothing.
    makeDirectory(directory, 0o711);
    requireSpace(directory);
    for (const name of ['run', 'log']) makeDirectory(join(directory, name), 0o700);
    const probe = join(directory, 'run', 'write-probe');
    writeFileSync(probe, Buffer.alloc(64 * 1024));
    rmSync(probe);
    return acquireLock(join(directory, 'lock'));
  } catch (error) {
    if (error instanceof LockHeld) {
      throw new StartFailure(
        `Another instance (process ${error.owner.pid}) runs on ${directory}: stop it, or set CORDON_DATA_DIR and other ports.`,
      );
    }
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'ENOTDIR') {
      throw new StartFailure(`${directory} cannot be made: set CORDON_DATA_DIR to a directory on an ordinary disk.`);
    }
    throw asStartFailure(error, directory);
  }
}

function requireSpace(directory: string): void {
  const free = freeBytes(directory);
  if (free >= FREE_BYTES_MIN) return;
  const megabytes = (bytes: number) => Math.floor(bytes / 1024 / 1024);
  throw new StartFailure(
    `The disk that holds ${directory} is full (${megabytes(free)} MB left, ${megabytes(FREE_BYTES_MIN)} MB are needed): free some space, or set CORDON_DATA_DIR to another disk.`,
  );
}

/** One level at a time: Node's own recursive mkdir never returns where the file system refuses with ENOENT (/proc). */
function makeDirectory(directory: string, mode: number): void {
  if (existsSync(directory)) return;
  if (dirname(directory) !== directory) makeDirectory(dirname(directory), mode);
  mkdirSync(directory, { mode });
}
