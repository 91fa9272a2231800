import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { currentBootId, identify, isRunning, linuxStat, type ProcessIdentity } from './process-identity.ts';
import { until } from './until.ts';

/** A part's process leads a group of its own, so that whatever it starts can be stopped with it. */
export interface GroupRecord extends ProcessIdentity {
  readonly name: string;
}

const STOP_SECONDS_MAX = 5;

/** Notes a started group leader in `directory`, for the start after a kill -9. */
export function recordGroup(directory: string, name: string, pid: number): void {
  const identity = identify(pid);
  if (!identity) return;
  writeFileSync(recordFile(directory, name), JSON.stringify({ ...identity, name }), { mode: 0o600 });
}

export function forgetGroup(directory: string, name: string): void {
  rmSync(recordFile(directory, name), { force: true });
}

/**
 * Stops what earlier starts noted and did not stop, and resolves with the names of those that still ran. A group is
 * ours if its leader is exactly the recorded process, or, the leader being dead, if a member names `marker` (the data
 * directory) in its command line or environment: a number may belong to another process by now.
 */
export async function stopOrphanGroups(directory: string, marker: string): Promise<string[]> {
  const stopped: string[] = [];
  for (const record of readRecords(directory)) {
    const isOurs = () => isRunning(record) || membersOf(record, marker).length > 0;
    if (isOurs()) {
      stopped.push(record.name);
      await stopGroup(record.pid, isOurs, STOP_SECONDS_MAX);
    }
    forgetGroup(directory, record.name);
  }
  return stopped;
}

/** SIGTERM to the group, SIGKILL when it still lives after the bound. */
export async function stopGroup(pid: number, isAlive: () => boolean, secondsMax: number): Promise<void> {
  if (!isAlive()) return;
  signalGroup(pid, 'SIGTERM');
  if (await until(() => !isAlive(), secondsMax * 1000)) return;
  signalGroup(pid, 'SIGKILL');
  await until(() => !isAlive(), 2000);
}

/** Signals every process of the group; a group that is gone is no error. */
export function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Whether any process is left in the group. */
export function isGroupAlive(pid: number): boolean {
  try {
    process.kill(-pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function membersOf(record: GroupRecord, marker: string): number[] {
  if (process.platform !== 'linux' || !record.startedAt.startsWith(currentBootId())) return [];
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && pid > 0 && linuxStat(pid)?.group === record.pid && names(pid, marker));
}

function names(pid: number, marker: string): boolean {
  return ['cmdline', 'environ'].some((file) => {
    try {
      return readFileSync(`/proc/${pid}/${file}`, 'utf8').includes(marker);
    } catch {
      return false;
    }
  });
}

function recordFile(directory: string, name: string): string {
  return join(directory, `${name}.pid`);
}

function readRecords(directory: string): GroupRecord[] {
  return readdirSync(directory)
    .filter((file) => file.endsWith('.pid'))
    .flatMap((file) => {
      try {
        const record = JSON.parse(readFileSync(join(directory, file), 'utf8')) as GroupRecord;
        return Number.isInteger(record.pid) && record.pid > 1 && typeof record.startedAt === 'string' ? [record] : [];
      } catch {
        rmSync(join(directory, file), { force: true });
        return [];
      }
    });
}
