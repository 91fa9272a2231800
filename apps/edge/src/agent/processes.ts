import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { constants } from 'node:os';

/** A process that cannot be mistaken for a later one with the same number. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Clock ticks after boot at which it started (proc(5), field 22). */
  readonly startTime: string;
}

interface ProcessStat {
  readonly state: string;
  readonly parent: number;
  readonly startTime: string;
}

function readStat(pid: number): ProcessStat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name, in parentheses, may hold anything.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return { state: fields[0] as string, parent: Number(fields[1]), startTime: fields[19] as string };
  } catch {
    return undefined;
  }
}

/** Identity of a running process; undefined when there is none. */
export function identify(pid: number): ProcessIdentity | undefined {
  const stat = readStat(pid);
  return stat === undefined || stat.state === 'Z' ? undefined : { pid, startTime: stat.startTime };
}

export function isRunning({ pid, startTime }: ProcessIdentity): boolean {
  return identify(pid)?.startTime === startTime;
}

/** Sends a signal to exactly this process. */
export function signal(identity: ProcessIdentity, name: NodeJS.Signals): void {
  if (!isRunning(identity)) return;
  try {
    process.kill(identity.pid, name);
  } catch {
    // It ended between the two.
  }
}

/** Milliseconds that a process of one thread has waited for a processor (Linux, `sched-stats`); 0 where that is not known. */
export function processorWaitMs(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[1]) / 1e6 || 0;
  } catch {
    return 0;
  }
}

/** Whether the process has a handler of its own for the signal: without one, most end it. */
export function isCaught({ pid }: ProcessIdentity, name: NodeJS.Signals): boolean {
  return hasSignal(pid, 'SigCgt', name);
}

/** Whether a signal that was sent to the process still waits for it, as for one that is stopped or cannot be woken. */
export function isPending({ pid }: ProcessIdentity, name: NodeJS.Signals): boolean {
  return hasSignal(pid, 'ShdPnd', name);
}

/** A set of signals in proc(5), `status`. */
function hasSignal(pid: number, set: 'SigCgt' | 'ShdPnd', name: NodeJS.Signals): boolean {
  try {
    const mask = new RegExp(`^${set}:\\s*([0-9a-f]+)$`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return ((BigInt(`0x${mask ?? '0'}`) >> BigInt(constants.signals[name] - 1)) & 1n) === 1n;
  } catch {
    return false;
  }
}

/**
 * Numbers of the children of a process that has one thread. One may be missing while another ends (proc(5), `children`): who must have all
 * adds those that were there before.
 */
export function childrenOf(pid: number): number[] {
  try {
    // To look through all processes of a machine holds the agent up for long.
    const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
    return text === '' ? [] : text.split(' ').map(Number);
  } catch {
    // It is gone, or this Linux has no such file.
    return identify(pid) === undefined ? [] : childrenAmongAll(pid);
  }
}

const childrenAmongAll = (pid: number): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((candidate) => readStat(candidate)?.parent === pid);

/** What a process calls itself; empty when there is none. */
export function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

/** Of an nginx, those that serve visitors: others look after its cache. */
export const workersOf = (master: number): number[] =>
  childrenOf(master).filter((pid) => commandOf(pid).includes('worker process'));

/** Whether the process has the file open. */
export function hasOpen(pid: number, path: string): boolean {
  let descriptors: string[];
  try {
    descriptors = readdirSync(`/proc/${pid}/fd`);
  } catch {
    return false;
  }
  return descriptors.some((descriptor) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${descriptor}`) === path;
    } catch {
      return false;
    }
  });
}
