import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { identify, isRunning, type ProcessIdentity } from './process-identity.ts';

export interface Lock {
  release(): void;
}

/** Another live process holds the lock. */
export class LockHeld extends Error {
  override readonly name = 'LockHeld';
  constructor(readonly owner: ProcessIdentity) {
    super(`held by process ${owner.pid}`);
  }
}

/**
 * Takes the lock file for this process. A file left by a process that was killed is taken over; one whose owner lives
 * throws LockHeld.
 */
export function acquireLock(path: string): Lock {
  const self = identify(process.pid);
  if (!self) throw new Error('this process cannot be identified');
  const candidate = `${path}.${process.pid}`;
  writeFileSync(candidate, JSON.stringify(self), { mode: 0o600 });
  try {
    // Twice: a second start may clear away the same dead lock between our two steps.
    for (let attempt = 0; ; attempt += 1) {
      try {
        linkSync(candidate, path);
        break;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || attempt === 3) throw error;
        clearDeadLock(path);
      }
    }
  } finally {
    rmSync(candidate, { force: true });
  }
  return { release: () => rmSync(path, { force: true }) };
}

function clearDeadLock(path: string): void {
  const owner = readOwner(path);
  if (owner && isRunning(owner)) throw new LockHeld(owner);
  // Renamed first: removing by name could remove the lock of one who was faster.
  const dead = `${path}.dead.${process.pid}`;
  try {
    renameSync(path, dead);
  } catch {
    return;
  }
  const moved = readOwner(dead);
  rmSync(dead, { force: true });
  if (moved && isRunning(moved)) {
    writeFileSync(path, JSON.stringify(moved), { mode: 0o600, flag: 'wx' });
    throw new LockHeld(moved);
  }
}

function readOwner(path: string): ProcessIdentity | undefined {
  try {
    const owner = JSON.parse(readFileSync(path, 'utf8')) as Partial<ProcessIdentity>;
    return typeof owner.pid === 'number' && typeof owner.startedAt === 'string'
      ? { pid: owner.pid, startedAt: owner.startedAt }
      : undefined;
  } catch {
    return undefined;
  }
}
