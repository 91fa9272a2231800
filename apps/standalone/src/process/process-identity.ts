import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** A process, distinguished from a later one with the same pid. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Opaque; equal for one process however often it is asked. */
  readonly startedAt: string;
}

/** The identity of a running process, or undefined when there is none (a zombie counts as none). */
export function identify(pid: number): ProcessIdentity | undefined {
  const startedAt = process.platform === 'linux' ? linuxStart(pid) : portableStart(pid);
  return startedAt === undefined ? undefined : { pid, startedAt };
}

/** Whether exactly this process still runs. */
export function isRunning(identity: ProcessIdentity): boolean {
  return identify(identity.pid)?.startedAt === identity.startedAt;
}

/** Fields of /proc/<pid>/stat after the command, which may itself hold spaces and parentheses. */
export function linuxStat(pid: number): { state: string; group: number; startTicks: number } | undefined {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined;
  }
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return { state: fields[0] ?? '', group: Number(fields[2]), startTicks: Number(fields[19]) };
}

let bootId: string | undefined;

/** Start ticks count from boot, so a boot's own id belongs to the identity. */
export function currentBootId(): string {
  bootId ??= readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  return bootId;
}

function linuxStart(pid: number): string | undefined {
  const stat = linuxStat(pid);
  if (!stat || stat.state === 'Z' || stat.state === 'X') return undefined;
  return `${currentBootId()}:${stat.startTicks}`;
}

function portableStart(pid: number): string | undefined {
  try {
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim() || undefined;
  } catch {
    return undefined;
  }
}
