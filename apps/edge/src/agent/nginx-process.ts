import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chownSync, closeSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ErrorLog } from './error-log.ts';
import { readJson, writeFileAtomically } from './files.ts';
import { log } from './log.ts';
import type { NginxConfig } from './nginx-config.ts';
import { orphanWorkers } from './orphans.ts';
import { childrenOf, identify, isRunning, type ProcessIdentity, signal } from './processes.ts';
import { adminSocketIn, prepareRunDir } from './run-dir.ts';

/** What an agent leaves for the next one, so that a killed agent's nginx is found again. */
interface NginxRecord {
  readonly process?: ProcessIdentity;
  readonly runDir: string;
  readonly fingerprint?: string;
}

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

/**
 * Runs nginx in the foreground, starts it again when it dies, and finds the one a killed agent left behind. On SIGUSR1
 * workers open the log again themselves, as another user, who may not pass the folders above it; so nginx runs inside
 * the logs folder and reaches it as /proc/self/cwd.
 */
export class NginxProcess {
  readonly #binary: string;
  readonly #edgeDir: string;
  readonly #logsDir: string;
  readonly #recordFile: string;
  readonly #errorLog: ErrorLog;
  readonly runDir: string;
  /** Called when nginx has died. */
  onEnd: () => void = () => {};
  /** Called after nginx was started anew, when it answers nothing yet. */
  onStart: () => void = () => {};
  /** Called before nginx starts, when no process writes the log. */
  beforeStart: () => void = () => {};
  #process: ProcessIdentity | undefined;
  #isStopping = false;
  #starts = 0;
  #isAdopted = false;

  constructor(binary: string, edgeDir: string, logsDir: string, workerUser: WorkerUser | undefined) {
    this.#binary = binary;
    this.#edgeDir = edgeDir;
    this.#logsDir = logsDir;
    this.#recordFile = join(edgeDir, 'nginx.json');
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

  /** Master and workers. */
  get pids(): number[] {
    return this.#process === undefined ? [] : [this.#process.pid, ...childrenOf(this.#process.pid)];
  }

  #writeRecord(record: NginxRecord): void {
    writeFileAtomically(this.#recordFile, JSON.stringify(record));
  }

  /** Starts nginx, or takes over the one that runs with the very same configuration. */
  async start(config: NginxConfig): Promise<void> {
    const record = readJson<NginxRecord>(this.#recordFile);
    if (record?.process && isRunning(record.process)) {
      if (record.fingerprint === config.fingerprint && existsSync(this.adminSocket)) {
        log.info('nginx was left running and is taken over', { pid: record.process.pid });
        this.#process = record.process;
        this.#starts = 1;
        this.#isAdopted = true;
        void this.#superviseAdopted(record.process, config);
        return;
      }
      log.info('nginx was left running with another configuration and is stopped', { pid: record.process.pid });
      await this.#end(record.process);
    }
    this.#spawn(config, RESTART_FIRST_MS);
  }

  async #superviseAdopted(adopted: ProcessIdentity, config: NginxConfig): Promise<void> {
    while (isRunning(adopted)) await delay(200);
    if (this.#process === adopted) this.#process = undefined;
    if (this.#isStopping) return;
    this.onEnd();
    log.error('nginx ended');
    this.#spawn(config, RESTART_FIRST_MS);
  }

  #spawn(config: NginxConfig, backOffMs: number): void {
    if (this.#isStopping) return;
    // A killed nginx leaves its sockets behind and cannot bind to them again.
    rmSync(this.adminSocket, { force: true });
    this.beforeStart();
    const configFile = join(this.#edgeDir, 'nginx.conf');
    writeFileSync(configFile, config.text, { mode: 0o600 });
    const startedAt = Date.now();
    // A session of its own: an interrupt at the terminal is for the agent, which stops nginx gracefully.
    const errors = this.#errorLog.open();
    const child = spawn(this.#binary, ['-c', configFile, '-p', this.#edgeDir, '-e', 'stderr'], {
      cwd: this.#logsDir,
      detached: true,
      stdio: ['ignore', errors, errors],
      env: { PATH: process.env.PATH ?? '/usr/bin:/bin', CORDON_START: randomUUID() },
    });
    closeSync(errors);
    this.#starts++;
    const identity = child.pid === undefined ? undefined : identify(child.pid);
    this.#process = identity;
    if (identity) this.#writeRecord({ process: identity, runDir: this.runDir, fingerprint: config.fingerprint });
    let isOver = false;
    const over = (reason: Record<string, unknown>) => {
      if (isOver) return;
      isOver = true;
      if (this.#process === identity) this.#process = undefined;
      if (this.#isStopping) return;
      this.onEnd();
      const waitMs = Date.now() - startedAt > STABLE_MS ? RESTART_FIRST_MS : backOffMs;
      log.error('nginx ended; see error.log', { ...reason, restart_ms: waitMs });
      setTimeout(() => void this.#restart(config, identity, waitMs), waitMs);
    };
    child.once('error', (error) => over({ error }));
    child.once('exit', (code, signalName) => over({ code, signal: signalName }));
    this.onStart();
  }

  /** Workers of a killed master go on accepting with the old memory until they notice; they are ended first. */
  async #restart(config: NginxConfig, master: ProcessIdentity | undefined, waitMs: number): Promise<void> {
    if (this.#isStopping) return;
    if (master) await this.#endOrphans();
    this.#spawn(config, Math.min(waitMs * 2, RESTART_LAST_MS));
  }

  /** Ends workers without a master: they keep the listening sockets, so that a new nginx could not bind. */
  async #endOrphans(): Promise<void> {
    for (const pid of orphanWorkers(this.#logsDir)) {
      const worker = identify(pid);
      if (worker) await this.#end(worker, 'SIGTERM');
    }
  }

  async #end(identity: ProcessIdentity, first: NodeJS.Signals = 'SIGQUIT'): Promise<void> {
    signal(identity, first);
    const deadline = Date.now() + STOP_MS;
    while (isRunning(identity) && Date.now() < deadline) await delay(20);
    if (isRunning(identity)) signal(identity, 'SIGTERM');
    const last = Date.now() + 2000;
    while (isRunning(identity) && Date.now() < last) await delay(20);
    signal(identity, 'SIGKILL');
    while (isRunning(identity)) await delay(20);
  }

  boundErrorLog(): void {
    this.#errorLog.bound();
  }

  /** Has all processes of nginx open their logs again. */
  reopenLogs(): void {
    if (this.#process) signal(this.#process, 'SIGUSR1');
  }

  /** Lets requests end, for a bounded time, then stops. The run folder goes with it. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    if (this.#process) await this.#end(this.#process);
    this.#process = undefined;
    this.beforeStart();
    rmSync(this.runDir, { recursive: true, force: true });
    rmSync(this.#recordFile, { force: true });
  }
}
