import { type ChildProcess, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { hangs, type Liveness } from './liveness.ts';
import { isHarmless, PartLog } from './part-log.ts';
import { forgetGroup, isGroupAlive, recordGroup, signalGroup, stopGroup } from './process-group.ts';
import { StartFailure } from './start-failure.ts';
import { until } from './until.ts';

const niced = (command: string, args: readonly string[], niceness: number): [string, readonly string[]] =>
  niceness === 0 ? [command, args] : ['nice', ['-n', `${niceness}`, command, ...args]];

/** Linux shares its processors among sessions first (sched(7), autogroup), and each part has one of its own. */
function lowerSession(pid: number, niceness: number): void {
  try {
    writeFileSync(`/proc/${pid}/autogroup`, `${niceness}`);
  } catch {
    // Without autogroups, `nice` alone holds.
  }
}

export interface PartCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly options?: { readonly uid?: number; readonly gid?: number };
  /** A program of ours that sends its parent a message each second. */
  readonly hasBeat?: boolean;
  /** How far it steps back where processors are short, as `nice` has it; 0 when left out. */
  readonly niceness?: number;
}

export interface PartDefinition {
  readonly name: string;
  /** Asked for at every (re)start. */
  readonly command: () => PartCommand | Promise<PartCommand>;
  /** Resolves with true once the part does its work. `lines` are what it printed since this start. */
  readonly probe: (lines: readonly string[]) => boolean | Promise<boolean>;
  readonly readySecondsMax: number;
  /** `lastBeat` is when the part last said by itself that it lives, by performance.now(). */
  readonly liveness: (lastBeat: () => number) => Liveness;
  readonly stopSignal?: NodeJS.Signals;
  readonly stopSecondsMax: number;
  /** Clears away what a dead process of this part left, before each start. */
  readonly recover?: () => Promise<void>;
}

const BACKOFF_MS_MIN = 250;
const BACKOFF_MS_MAX = 15_000;
/** A part that ran this long is thought well again: its next restart waits the shortest time. */
const WELL_AFTER_MS = 30_000;
const START_LINES_MAX = 500;
/** What is left of a dead part's group, which may hang as the part did. */
const GROUP_STOP_SECONDS_MAX = 2;
/** A part that hangs and is sent another signal than SIGKILL first. */
const HUNG_STOP_MS_MAX = 8000;
/** EX_CONFIG of sysexits.h: the part has printed for the person at the terminal what is wrong with the settings. */
const EXIT_CONFIGURATION = 78;

/** One supervised process: started, probed, restarted when it dies or hangs, stopped with everything it started. */
export class Part {
  readonly name: string;
  readonly #definition: PartDefinition;
  readonly #directories: { readonly run: string; readonly log: string };
  readonly #log: PartLog;
  #child: ChildProcess | undefined;
  #lines: string[] = [];
  #isStopping = false;
  #failures = 0;
  #lastBeat = Number.NEGATIVE_INFINITY;
  #onRestart: () => void = () => {};

  constructor(definition: PartDefinition, dataDirectory: string) {
    this.name = definition.name;
    this.#definition = definition;
    this.#directories = { run: join(dataDirectory, 'run'), log: join(dataDirectory, 'log') };
    this.#log = new PartLog(this.name, join(this.#directories.log, `${this.name}.log`));
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Called each time the part runs again after it died. */
  set onRestart(listener: () => void) {
    this.#onRestart = listener;
  }

  /** Starts the part and resolves when its probe answers. From then on it is restarted whenever it ends. Throws StartFailure. */
  async start(): Promise<void> {
    this.#log.hold();
    await this.#launch();
    const isReady = await this.#waitReady();
    if (!isReady) throw this.#failure();
    this.#log.release();
    void this.#supervise();
  }

  /** Stops the process, then whatever is left of its group, within the part's bound. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#log.silence();
    const pid = this.#child?.pid;
    if (pid === undefined) return;
    const { stopSignal = 'SIGTERM', stopSecondsMax } = this.#definition;
    if (this.#isAlive()) this.#child?.kill(stopSignal);
    const isGone = await until(() => !this.#isAlive(), stopSecondsMax * 1000, 20);
    if (!isGone || isGroupAlive(pid)) {
      signalGroup(pid, isGone ? 'SIGTERM' : 'SIGKILL');
      if (!(await until(() => !isGroupAlive(pid), 2000))) signalGroup(pid, 'SIGKILL');
    }
    forgetGroup(this.#directories.run, this.name);
  }

  /** Ends the process so that it is started again, as after a crash but at once. */
  restart(): void {
    this.#failures = 0;
    this.#child?.kill(this.#definition.stopSignal ?? 'SIGTERM');
  }

  async #launch(): Promise<void> {
    await this.#definition.recover?.();
    const { command, args, environment, options, hasBeat, niceness = 0 } = await this.#definition.command();
    if (this.#isStopping) return;
    this.#lines = [];
    const child = spawn(...niced(command, args, niceness), {
      ...options,
      env: environment,
      // PostgreSQL's account may not be allowed into ours.
      cwd: '/',
      // Its own group: Ctrl+C in the terminal then reaches only us, and the parts stop in order.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe', ...(hasBeat ? ['ipc' as const] : [])],
    });
    this.#child = child;
    child.on('message', () => {
      this.#lastBeat = performance.now();
    });
    child.on('error', (error) => this.#take(`error: ${error.message}\n`));
    for (const output of [child.stdout, child.stderr])
      output?.setEncoding('utf8').on('data', (chunk: string) => this.#take(chunk));
    if (child.pid === undefined) return;
    recordGroup(this.#directories.run, this.name, child.pid);
    if (niceness !== 0) lowerSession(child.pid, niceness);
  }

  #take(chunk: string): void {
    const lines = this.#log.write(chunk);
    if (this.#lines.length < START_LINES_MAX) this.#lines.push(...lines);
  }

  #isAlive(): boolean {
    const child = this.#child;
    return child?.pid !== undefined && child.exitCode === null && child.signalCode === null;
  }

  async #waitReady(): Promise<boolean> {
    let isReady = false;
    await until(
      async () => {
        if (!this.#isAlive() || this.#isStopping) return true;
        isReady = await Promise.resolve(this.#definition.probe(this.#lines)).catch(() => false);
        return isReady;
      },
      this.#definition.readySecondsMax * 1000,
      30,
    );
    return isReady;
  }

  async #supervise(): Promise<void> {
    let startedAt = performance.now();
    for (;;) {
      await this.#over();
      if (this.#isStopping) return;
      const pid = this.#child?.pid;
      if (pid !== undefined) await stopGroup(pid, () => isGroupAlive(pid), GROUP_STOP_SECONDS_MAX);
      if (performance.now() - startedAt > WELL_AFTER_MS) this.#failures = 0;
      const waitMs = Math.min(BACKOFF_MS_MAX, BACKOFF_MS_MIN * 2 ** this.#failures);
      this.#failures += 1;
      process.stderr.write(`[${this.name}] ended (${this.#exitReason()}); starting again\n`);
      await sleep(waitMs);
      if (this.#isStopping) return;
      startedAt = performance.now();
      await this.#launch().catch((error: unknown) => this.#take(`error: ${String(error)}\n`));
      if (await this.#waitReady()) {
        process.stderr.write(`[${this.name}] runs again\n`);
        try {
          this.#onRestart();
        } catch (error) {
          // A full disk: what runs must not stop over what could not be noted.
          process.stderr.write(`[${this.name}] could not be noted: ${String(error)}\n`);
        }
      }
    }
  }

  /** Resolves when the process has ended, which is helped to when it hangs. */
  async #over(): Promise<void> {
    const watch = new AbortController();
    const exited = this.#exited().finally(() => watch.abort());
    const liveness = this.#definition.liveness(() => this.#lastBeat);
    const isHung = await hangs(liveness, watch.signal);
    if (isHung && !this.#isStopping) await this.#endHung(liveness);
    await exited;
  }

  /** Continued, since a process that was stopped takes no other signal than SIGKILL. */
  async #endHung({ silenceSecondsMax, endSignal }: Liveness): Promise<void> {
    process.stderr.write(`[${this.name}] has not answered for ${silenceSecondsMax} s; ending it\n`);
    if (endSignal) {
      this.#child?.kill(endSignal);
      this.#child?.kill('SIGCONT');
      await until(() => !this.#isAlive() || this.#isStopping, HUNG_STOP_MS_MAX, 20);
    }
    if (this.#isAlive() && !this.#isStopping) this.#child?.kill('SIGKILL');
  }

  #exited(): Promise<void> {
    const child = this.#child;
    if (!child || !this.#isAlive()) return Promise.resolve();
    return new Promise((resolve) => child.once('exit', () => resolve()));
  }

  #exitReason(): string {
    const child = this.#child;
    return child?.signalCode ?? (child?.exitCode === null ? 'not started' : `exit code ${child?.exitCode}`);
  }

  #failure(): StartFailure {
    const recent = this.#log.recent();
    if (recent.some((line) => /No space left on device|not enough space|ENOSPC/.test(line))) {
      return new StartFailure(`The disk is full (${this.name} could not write): free some space and start again.`);
    }
    if (this.#child?.exitCode === EXIT_CONFIGURATION) return new StartFailure(wordsFor(this.#lines));
    const state = this.#isAlive()
      ? `did not get ready in ${this.#definition.readySecondsMax} s`
      : `ended (${this.#exitReason()})`;
    const lines = recent.slice(-8).map((line) => `  ${line}`);
    return new StartFailure(
      [`${this.name} ${state}; its log is ${join(this.#directories.log, `${this.name}.log`)}:`, ...lines].join('\n'),
    );
  }
}

/** What a part printed for people, without its log. */
function wordsFor(lines: readonly string[]): string {
  return lines.filter((line) => line !== '' && !line.startsWith('{') && !isHarmless(line)).join('\n');
}
