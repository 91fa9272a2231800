import type { RunnerStatus } from '../runner/payload.ts';
import { type AdminClient, isTurnedAway } from './admin-client.ts';
import type { PartState } from './health-server.ts';
import { log } from './log.ts';
import type { NginxProcess } from './nginx-process.ts';
import { NginxWatch } from './nginx-watch.ts';

/** nginx that does not answer so many looks in a row serves no requests, whatever its process says. */
const LOOKS_UNANSWERED_MAX = 3;
/** A worker that is silent for longer than its beats are apart is reported, before it is ended. */
const SILENT_SECONDS = 2.5;

/** Looks at nginx once a second: what it knows, whether it answers, and which of its processes hang; those are ended. */
export class NginxMonitor {
  readonly #nginx: NginxProcess;
  readonly #admin: AdminClient;
  readonly #watch = new NginxWatch();
  /** Undefined while nginx does not answer. */
  status: RunnerStatus | undefined;
  /** How often something of nginx was ended because it hung. */
  ended = 0;
  #looksUnanswered = 0;
  #isLooking = false;
  #isTurnedAway = false;
  #faults = 0;

  constructor(nginx: NginxProcess, admin: AdminClient) {
    this.#nginx = nginx;
    this.#admin = admin;
  }

  get state(): 'running' | 'starting' | 'down' {
    return this.#looksUnanswered > LOOKS_UNANSWERED_MAX ? 'down' : this.#nginx.state;
  }

  get part(): PartState {
    const silent = (this.status?.workers ?? []).filter((worker) => worker.silent_seconds > SILENT_SECONDS);
    return {
      name: 'nginx',
      isReady: this.status !== undefined && silent.length === 0,
      isRequired: true,
      detail: [
        this.state,
        ...(this.#isTurnedAway ? ['no connection free'] : []),
        ...silent.map(({ pid }) => `worker ${pid} does not answer`),
      ].join('; '),
    };
  }

  noteStart(): void {
    this.status = undefined;
    this.#watch.noteStart(performance.now());
  }

  async look(): Promise<void> {
    this.#looksUnanswered += 1;
    if (this.#isLooking) return;
    this.#isLooking = true;
    const isMasterAwake = this.#nginx.askMaster();
    try {
      this.status = await this.#admin.getStatus();
      this.#isTurnedAway = false;
      this.#noteFaults(this.status);
      this.#looksUnanswered = 0;
    } catch (error) {
      this.status = undefined;
      this.#isTurnedAway = isTurnedAway(error);
      if (this.#isTurnedAway) this.#looksUnanswered = 0;
    }
    this.#isLooking = false;
    const hung = this.#watch.judge(
      {
        ...{ workers: this.status?.workers, isTurnedAway: this.#isTurnedAway, isMasterAwake },
        ...{ waits: this.#nginx.processorWaits(), masterPid: this.#nginx.masterPid },
      },
      performance.now(),
    );
    if (hung.length > 0) this.ended += this.#nginx.endHung(hung);
  }

  #noteFaults({ faults, last_fault }: RunnerStatus): void {
    if (faults !== this.#faults && faults > 0) log.error('the runner met faults', { faults, last: last_fault });
    this.#faults = faults;
  }
}
