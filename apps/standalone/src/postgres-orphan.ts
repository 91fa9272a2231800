import { readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { identify, isRunning, type ProcessIdentity } from './process/process-identity.ts';
import { until } from './process/until.ts';

const FAST_STOP_SECONDS_MAX = 15;
const IMMEDIATE_STOP_SECONDS_MAX = 5;

/**
 * Stops the postmaster that a killed supervisor left behind in `directory`, and waits until its backends are gone, also
 * those of one that is dead already, so that a new one can start. Leaves alone a process that merely got the same number.
 * Returns whether there was a postmaster.
 */
export async function stopOrphanPostmaster(directory: string): Promise<boolean> {
  const pid = postmasterPid(directory);
  const orphan = pid === undefined ? undefined : identify(pid);
  const isOurs = orphan !== undefined && isPostgresOf(orphan.pid, directory);
  if (isOurs) await stop(orphan);
  await waitForBackends(directory);
  // PostgreSQL refuses to start while the number in the file belongs to any live process of its own account.
  if (!isOurs && pid !== undefined) rmSync(join(directory, 'postmaster.pid'), { force: true });
  return isOurs;
}

/** Without a postmaster a backend exits, unless it waits for something else; a new postmaster refuses to start beside it. */
async function waitForBackends(directory: string): Promise<void> {
  const areGone = () => processesOf(directory).length === 0;
  if (await until(areGone, IMMEDIATE_STOP_SECONDS_MAX * 1000)) return;
  for (const left of processesOf(directory)) kill(left);
  await until(areGone, IMMEDIATE_STOP_SECONDS_MAX * 1000);
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    // It exited just now.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

async function stop(orphan: ProcessIdentity): Promise<void> {
  // SIGINT: fast shutdown with a checkpoint; SIGQUIT: without, recovered from the log at the next start.
  for (const [signal, seconds] of [
    ['SIGINT', FAST_STOP_SECONDS_MAX],
    ['SIGQUIT', IMMEDIATE_STOP_SECONDS_MAX],
    ['SIGKILL', IMMEDIATE_STOP_SECONDS_MAX],
  ] as const) {
    if (!isRunning(orphan)) return;
    process.kill(orphan.pid, signal);
    if (await until(() => !isRunning(orphan), seconds * 1000)) return;
  }
}

function postmasterPid(directory: string): number | undefined {
  try {
    const pid = Number(readFileSync(join(directory, 'postmaster.pid'), 'utf8').split('\n')[0]);
    return Number.isInteger(pid) && pid > 0 ? pid : undefined;
  } catch {
    return undefined;
  }
}

/** A postmaster and its backends work in their data directory; so may a user's shell. */
function isPostgresOf(pid: number, directory: string): boolean {
  if (process.platform !== 'linux') return true;
  try {
    return (
      readlinkSync(`/proc/${pid}/cwd`) === directory && readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === 'postgres'
    );
  } catch {
    return false;
  }
}

function processesOf(directory: string): number[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && isPostgresOf(pid, directory));
}
