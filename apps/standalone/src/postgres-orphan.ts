import { readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { identify, isRunning, type ProcessIdentity } from './process-identity.ts';
import { until } from './until.ts';

const FAST_STOP_SECONDS_MAX = 15;
const IMMEDIATE_STOP_SECONDS_MAX = 5;

/**
 * Stops the postmaster that a killed supervisor left behind in `directory`, and waits until its backends are gone, so
 * that a new one can start. Leaves alone a process that merely got the same number. Returns whether there was one.
 */
export async function stopOrphanPostmaster(directory: string): Promise<boolean> {
  const pid = postmasterPid(directory);
  const orphan = pid === undefined ? undefined : identify(pid);
  if (!orphan || !isPostgresOf(orphan.pid, directory)) {
    // PostgreSQL refuses to start while the number in the file belongs to any live process of its own account.
    if (pid !== undefined) rmSync(join(directory, 'postmaster.pid'), { force: true });
    return false;
  }
  await stop(orphan);
  await until(() => processesOf(directory).length === 0, IMMEDIATE_STOP_SECONDS_MAX * 1000);
  for (const left of processesOf(directory)) process.kill(left, 'SIGKILL');
  return true;
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

function isPostgresOf(pid: number, directory: string): boolean {
  if (process.platform !== 'linux') return true;
  // A postmaster and its backends work in their data directory.
  return workingDirectory(pid) === directory;
}

function processesOf(directory: string): number[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && workingDirectory(pid) === directory);
}

function workingDirectory(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return undefined;
  }
}
