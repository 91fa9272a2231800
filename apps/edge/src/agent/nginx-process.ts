import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chownSync, closeSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { prepareCacheFolder } from './cache-folder.ts';
import { ErrorLog } from './error-log.ts';
import { readJson, writeFileAtomically } from './files.ts';
import { log } from './log.ts';
import type { NginxConfig } from './nginx-config.ts';
import { orphanWorkers } from './orphans.ts';
import {
  childrenOf,
  commandOf,
  identify,
  isCaught,
  isPending,
  isRunning,
  type ProcessIdentity,
  processorWaitMs,
  signal,
  workersOf,
} from './processes.ts';
import { adminSocketIn, fetchSocketIn, prepareRunDir } from './run-dir.ts';

/** What an agent leaves for the next one, so that a killed agent's nginx is found again. */
interface NginxRecord {
  readonly process?: ProcessIdentity;
  readonly runDir: string;
  readonly fingerprint?: string;
}

/** nginx says of a worker that ends that it is shutting down. */
const acceptingWorkersOf = (master: number): number[] =>
  workersOf(master).filter((pid) => !commandOf(pid).includes('shutting down'));

export interface WorkerUser {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/** The user of nginx's workers when the agent is root; undefined when it is not. */
export function findWorkerUser(): WorkerUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n');
  for (const name of ['www-data', 'nginx', 'nobody']) {
    const fields = lines.find((line) => line.startsWith(`${name}:`))?.split(':');
    if (fields) return { name, uid: Number(fields[2]), gid: Number(fields[3]) };
  }
  throw new Error('No user for the workers of nginx: neither www-data, nginx nor nobody exists');
}

const RESTART_FIRST_MS = 100;
const RESTART_LAST_MS = 10_000;
/** An nginx that lived this long died of something new. */
const STABLE_MS = 30_000;
const STOP_MS = 10_000;
const RELOAD_MS = 10_000;
/** Their requests are cut off with their master; ending takes as long as it takes to write the log. */
const ORPHAN_STOP_MS = 1000;

/**
 * Runs nginx in the foreground, starts it again when it dies, and finds the one a killed agent left behind. On SIGUSR1
 * workers open the log again themselves, as another user, who may not pass the folders above it; so nginx runs inside
 * the logs folder and reaches it as /proc/self/cwd.
 */
export class NginxProcess {
  readonly #binary: string;
  readonly #edgeDir: string;
  readonly #logsDir: string;
  readonly #workerUser: WorkerUser | undefined;
  readonly #recordFile: string;
  readonly #configFile: string;
  readonly #errorLog: ErrorLog;
  readonly runDir: string;
  /** Called when nginx has died. */
  onEnd: () => void = () => {};
  /** Called after nginx was started anew, when it answers nothing yet. */
  onStart: () => void = () => {};
  /** Called before nginx starts, when no process writes the log. */
  beforeStart: () => void = () => {};
  #process: ProcessIdentity | undefined;
  #config: NginxConfig | undefined;
  #isStopping = false;
  #starts = 0;
  #isAdopted = false;
  /** Those of nginx that were there when `pids` was asked for last. */
  #children: readonly ProcessIdentity[] = [];
  /** Those that were ended because they hung, and may not be gone yet. */
  #ending: readonly ProcessIdentity[] = [];
  /** Until it was seen that a former master has left none. */
  #mayHaveOrphans = true;

  constructor(binary: string, edgeDir: string, logsDir: string, workerUser: WorkerUser | undefined) {
    this.#binary = binary;
    this.#edgeDir = edgeDir;
    this.#logsDir = logsDir;
    this.#workerUser = workerUser;
    this.#recordFile = join(edgeDir, 'nginx.json');
    this.#configFile = join(edgeDir, 'nginx.conf');
    const record = readJson<NginxRecord>(this.#recordFile);
    this.runDir = prepareRunDir(record?.runDir, workerUser);
    mkdirSync(logsDir, { recursive: true, mode: 0o750 });
    if (workerUser) chownSync(logsDir, workerUser.uid, workerUser.gid);
    this.#errorLog = new ErrorLog(join(edgeDir, 'error.log'));
    // The process of a lost folder is still to be ended.
    if (record?.runDir !== this.runDir) this.#writeRecord({ ...record, runDir: this.runDir });
  }

  get adminSocket(): string {
    return adminSocketIn(this.runDir);
  }

  get fetchSocket(): string {
    return fetchSocketIn(this.runDir);
  }

  get agentSocket(): string {
    return join(this.runDir, 'agent.sock');
  }

  get state(): 'running' | 'starting' | 'down' {
    if (this.#process === undefined) return this.#starts === 0 ? 'starting' : 'down';
    return 'running';
  }

  get starts(): number {
    return this.#starts;
  }

  /** Whether the running nginx was started by this agent. */
  get isFresh(): boolean {
    return !this.#isAdopted;
  }

  get masterPid(): number | undefined {
    return this.#process?.pid;
  }

  /** Master and workers, and the workers that a killed master has left. */
  get pids(): number[] {
    const master = this.#process;
    const children = master === undefined ? [] : childrenOf(master.pid);
    this.#children = [
      ...this.#children.filter((child) => !children.includes(child.pid) && isRunning(child)),
      ...children.flatMap((pid) => identify(pid) ?? []),
    ];
    const family = [...(master === undefined ? [] : [master.pid]), ...this.#children.map(({ pid }) => pid)];
    return [...new Set([...family, ...this.#orphans()])];
  }

  /** Looked for among all processes of the machine, which takes long, only where a master has died. */
  #orphans(): number[] {
    const isWhole = this.#process !== undefined && !this.#mayHaveOrphans && isRunning(this.#process);
    return isWhole ? [] : orphanWorkers(this.#logsDir, this.#process?.pid);
  }

  #writeRecord(record: NginxRecord): void {
    writeFileAtomically(this.#recordFile, JSON.stringify(record));
  }

  /** Starts nginx, or takes over the one that runs with the very same configuration. */
  async start(config: NginxConfig): Promise<void> {
    this.#config = config;
    const record = readJson<NginxRecord>(this.#recordFile);
    if (record?.process && isRunning(record.process)) {
      if (record.fingerprint === config.fingerprint && existsSync(this.adminSocket)) {
        log.info('nginx was left running and is taken over', { pid: record.process.pid });
        this.#process = record.process;
        this.#starts = 1;
        this.#isAdopted = true;
        void this.#superviseAdopted(record.process);
        return this.#endOrphans();
      }
      log.info('nginx was left running with another configuration and is stopped', { pid: record.process.pid });
      await this.#end(record.process);
    }
    await this.#launch(RESTART_FIRST_MS);
  }

  async #superviseAdopted(adopted: ProcessIdentity): Promise<void> {
    while (isRunning(adopted)) await delay(200);
    if (this.#process === adopted) this.#process = undefined;
    this.#mayHaveOrphans = true;
    if (this.#isStopping) return;
    this.onEnd();
    log.error('nginx ended');
    await this.#launch(RESTART_FIRST_MS);
  }

  /** Orphans first: a new nginx could not bind beside them, and they write what they hold to the log as they end. */
  async #launch(backOffMs: number): Promise<void> {
    await this.#endOrphans();
    if (this.#isStopping || !this.#config) return;
    try {
      this.#spawn(this.#config, backOffMs);
    } catch (error) {
      log.error('nginx cannot be started', { error, restart_ms: backOffMs });
      setTimeout(() => void this.#launch(Math.min(backOffMs * 2, RESTART_LAST_MS)), backOffMs);
    }
  }

  #spawn(config: NginxConfig, backOffMs: number): void {
    // A killed nginx leaves its sockets behind and cannot bind to them again.
    rmSync(this.adminSocket, { force: true });
    rmSync(this.fetchSocket, { force: true });
    prepareCacheFolder(this.#logsDir, this.#workerUser);
    this.beforeStart();
    // On a full disk the file that is there still serves.
    if (!existsSync(this.#configFile) || readFileSync(this.#configFile, 'utf8') !== config.text)
      writeFileSync(this.#configFile, config.text, { mode: 0o600 });
    const startedAt = Date.now();
    // A session of its own: an interrupt at the terminal is for the agent, which stops nginx gracefully.
    const errors = this.#errorLog.open();
    const child = spawn(this.#binary, ['-c', this.#configFile, '-p', this.#edgeDir, '-e', 'stderr'], {
      cwd: this.#logsDir,
      detached: true,
      stdio: ['ignore', errors, errors],
      env: { PATH: process.env.PATH ?? '/usr/bin:/bin', CORDON_START: randomUUID() },
    });
    closeSync(errors);
    this.#starts++;
    this.#isAdopted = false;
    const identity = child.pid === undefined ? undefined : identify(child.pid);
    this.#process = identity;
    try {
      if (identity) this.#writeRecord({ process: identity, runDir: this.runDir, fingerprint: config.fingerprint });
    } catch (error) {
      // It serves all the same; the next agent ends it by its workers' folder.
      log.error('nginx cannot be noted', { error });
    }
    let isOver = false;
    const over = (reason: Record<string, unknown>) => {
      if (isOver) return;
      isOver = true;
      if (this.#process === identity) this.#process = undefined;
      this.#mayHaveOrphans = true;
      if (this.#isStopping) return;
      this.onEnd();
      const waitMs = Date.now() - startedAt > STABLE_MS ? RESTART_FIRST_MS : backOffMs;
      log.error('nginx ended; see error.log', { ...reason, restart_ms: waitMs });
      setTimeout(() => void this.#launch(Math.min(waitMs * 2, RESTART_LAST_MS)), waitMs);
    };
    child.once('error', (error) => over({ error }));
    child.once('exit', (code, signalName) => over({ code, signal: signalName }));
    this.onStart();
  }

  async #endOrphans(): Promise<void> {
    const workers = this.#orphans().flatMap((pid) => identify(pid) ?? []);
    if (workers.length > 0) log.warn('workers of a killed nginx are ended', { pids: workers.map(({ pid }) => pid) });
    await Promise.all(workers.map((worker) => this.#end(worker, 'SIGTERM', ORPHAN_STOP_MS)));
    this.#mayHaveOrphans = false;
  }

  async #end(identity: ProcessIdentity, first: NodeJS.Signals = 'SIGQUIT', milliseconds = STOP_MS): Promise<void> {
    signal(identity, first);
    const deadline = Date.now() + milliseconds;
    while (isRunning(identity) && Date.now() < deadline) await delay(20);
    if (first !== 'SIGTERM') signal(identity, 'SIGTERM');
    const last = first === 'SIGTERM' ? 0 : Date.now() + 2000;
    while (isRunning(identity) && Date.now() < last) await delay(20);
    signal(identity, 'SIGKILL');
    while (isRunning(identity)) await delay(20);
  }

  /** For how long each of its processes has waited for a processor, in milliseconds by pid. */
  processorWaits(): ReadonlyMap<number, number> {
    const { masterPid } = this;
    const pids = masterPid === undefined ? [] : [masterPid, ...childrenOf(masterPid)];
    return new Map(pids.map((pid) => [pid, processorWaitMs(pid)]));
  }

  /**
   * Whether the master has taken the signal of the call before; sends the next one. It does nothing with SIGWINCH, and
   * has no socket that it could answer on.
   */
  askMaster(): boolean {
    if (!this.#process) return true;
    const isAwake = !isPending(this.#process, 'SIGWINCH');
    signal(this.#process, 'SIGWINCH');
    return isAwake;
  }

  /**
   * Ends workers that hang, which the master replaces; or all of nginx, which is then started anew as after a crash.
   * Answers how many processes it has ended.
   */
  endHung(hung: readonly number[] | 'all'): number {
    const master = this.#process;
    if (!master) return 0;
    const family = childrenOf(master.pid);
    const pids = hung === 'all' ? [master.pid, ...family] : hung.filter((pid) => family.includes(pid));
    // One that was ended before takes its time to die on a busy machine, and its master to see it.
    const ending = pids.flatMap((pid) => identify(pid) ?? []).filter((one) => !this.#isEnding(one));
    if (ending.length === 0) return 0;
    this.#ending = [...this.#ending.filter(isRunning), ...ending];
    log.error(hung === 'all' ? 'nginx hangs and is ended' : 'workers of nginx hang and are ended', {
      pids: ending.map(({ pid }) => pid),
    });
    for (const one of ending) signal(one, 'SIGKILL');
    return ending.length;
  }

  #isEnding({ pid, startTime }: ProcessIdentity): boolean {
    return this.#ending.some((one) => one.pid === pid && one.startTime === startTime);
  }

  boundErrorLog(): void {
    this.#errorLog.bound();
  }

  /**
   * Has nginx read another nginx.conf; its memory stays. When this is answered, workers of the former one accept no
   * more and end what they are at. False when nginx does not take it.
   */
  async reload(config: NginxConfig): Promise<boolean> {
    const master = this.#process;
    if (!master || this.#isStopping) return false;
    const former = acceptingWorkersOf(master.pid);
    this.#config = config;
    writeFileSync(this.#configFile, config.text, { mode: 0o600 });
    this.#writeRecord({ process: master, runDir: this.runDir, fingerprint: config.fingerprint });
    signal(master, 'SIGHUP');
    const deadline = Date.now() + RELOAD_MS;
    while (Date.now() < deadline && isRunning(master)) {
      await delay(50);
      const accepting = acceptingWorkersOf(master.pid);
      if (accepting.length > 0 && !accepting.some((pid) => former.includes(pid))) return true;
    }
    return false;
  }

  /** Has all processes of nginx open their logs again. The master passes it on to its workers. */
  reopenLogs(): void {
    const orphans = this.#orphans().flatMap((pid) => identify(pid) ?? []);
    for (const one of this.#process ? [this.#process, ...orphans] : orphans) {
      // A master that just starts would be ended by it.
      if (isCaught(one, 'SIGUSR1')) signal(one, 'SIGUSR1');
    }
  }

  /** Lets requests end, for a bounded time, then stops. The run folder goes with it. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    if (this.#process) await this.#end(this.#process);
    this.#process = undefined;
    await this.#endOrphans();
    this.beforeStart();
    rmSync(this.runDir, { recursive: true, force: true });
    rmSync(this.#recordFile, { force: true });
  }
}
