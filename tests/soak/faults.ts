import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import type { Instance } from '../support/instance.ts';
import { until } from '../support/until.ts';

const PARTS = ['api', 'postgres', 'clickhouse', 'edge', 'dns', 'nginx', 'worker', 'main'] as const;
type Part = (typeof PARTS)[number];
const SIGNALS = ['SIGKILL', 'SIGSTOP'] as const;

/** A part may be stopped for its bound of silence, be ended, and start beside another that does. */
const RECOVERY_MS_MAX = 90_000;
/** What nginx may hold in memory of its log: `flush=1s`, and a little for the clock. */
const UNFLUSHED_MS = 1500;
/** Until the end of a process is seen here, a few more answers have come. */
const NOTICED_MS = 500;

/** One fault, or two at once. */
export interface Fault {
  readonly name: string;
  readonly at: number;
  readonly recoveryMs: number;
  /** When answers were given whose rows a process of nginx may have held when it was met, or was ended at last. */
  readonly unlogged: readonly { readonly from: number; readonly to: number }[];
}

const childrenOf = (pid: number): number[] => {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return text === '' ? [] : text.split(/\s+/).map(Number);
};

/** nginx's master has others that look after the cache: one of those that hangs harms nobody, and is not replaced. */
const workersOf = (master: number): number[] =>
  childrenOf(master).filter((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('worker process'));

/** The process that a fault meets. */
function processOf(instance: Instance, part: Part, pick: () => number): number {
  if (part === 'nginx') return instance.nginxPid;
  if (part !== 'worker') return instance.pid(part);
  const workers = workersOf(instance.nginxPid);
  return workers[Math.floor(pick() * workers.length)] ?? instance.nginxPid;
}

/** Whether another process has taken its place. */
const isReplaced = (instance: Instance, part: Part, pid: number): boolean =>
  !isAlive(pid) && (part === 'worker' || processOf(instance, part, () => 0) !== pid);

/** Whether the process runs, and is not only remembered. */
const isAlive = (pid: number): boolean => {
  try {
    return !/^State:\s*[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
};

/** All parts say that they work, and nginx serves. */
export async function isWhole(instance: Instance): Promise<boolean> {
  const ready = await fetch(`${instance.origin}/readyz`, { signal: AbortSignal.timeout(5000) });
  const { parts } = (await ready.json()) as { parts: { name: string; ok: boolean }[] };
  return ready.ok && parts.every(({ ok }) => ok);
}

/** Meets one or two parts with a signal each, and waits until all is whole again. */
export async function strike(instance: Instance, random: () => number): Promise<Fault> {
  const choose = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T;
  const first = { part: choose(PARTS), signal: choose(SIGNALS) };
  const second = { part: choose(PARTS), signal: choose(SIGNALS) };
  const strikes = random() < 0.5 || second.part === first.part ? [first] : [first, second];
  // Nothing looks after the supervising process: who stops it has stopped the service.
  const met = strikes.map((one) => (one.part === 'main' ? { ...one, signal: 'SIGKILL' as const } : one));
  const at = Date.now();
  const name = met.map(({ part, signal }) => `${signal === 'SIGKILL' ? 'kill' : 'stop'} ${part}`).join(' + ');
  const struck = met.map((one) => ({ ...one, pid: processOf(instance, one.part, random), goneAt: 0 }));
  for (const { part, signal, pid } of struck) {
    if (part === 'main') await instance.killMain();
    else process.kill(pid, signal);
  }
  if (met.some(({ part }) => part === 'main')) {
    await wait(random() * 3000);
    await instance.startAgain();
  }
  await until(
    `all parts whole after ${name}`,
    async () => {
      for (const one of struck) if (one.goneAt === 0 && !isAlive(one.pid)) one.goneAt = Date.now();
      return struck.every(({ part, pid }) => isReplaced(instance, part, pid)) && (await isWhole(instance));
    },
    RECOVERY_MS_MAX,
  );
  const ends = struck.flatMap(({ part, goneAt }) => (part === 'nginx' || part === 'worker' ? [at, goneAt] : []));
  return {
    name,
    at,
    recoveryMs: Date.now() - at,
    unlogged: ends.map((end) => ({ from: end - UNFLUSHED_MS, to: end + NOTICED_MS })),
  };
}
