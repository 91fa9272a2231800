/** After so long without a sign a process of nginx is ended. */
const SILENCE_MS = 5000;
/** An nginx that starts reads its configuration first, on a busy machine for long. */
const START_MS = 60_000;
/** A look that comes later says that this process, and so perhaps the machine, did not get to run. */
const LATE_MS = 3500;

/** What one look at nginx has found. */
export interface NginxLook {
  /** Seconds since each worker's last beat; undefined when nginx has not answered. */
  readonly workers: readonly { readonly pid: number; readonly silent_seconds: number }[] | undefined;
  /** nginx has turned the look away, which one that hangs cannot do. */
  readonly isTurnedAway: boolean;
  /** Whether the master has taken the signal that the look before sent it. */
  readonly isMasterAwake: boolean;
}

/** Tells from looks, about one a second, which processes of nginx hang. */
export class NginxWatch {
  #lookedAt = Number.NEGATIVE_INFINITY;
  #answeredAt = 0;
  #awakeAt = 0;
  #isStarting = false;

  /** nginx is started: its first answer may take long. */
  noteStart(now: number): void {
    this.#isStarting = true;
    this.#reset(now);
  }

  /** Answers the hanging workers by their pids, or `all` when the master hangs or no worker answers. */
  judge({ workers, isTurnedAway, isMasterAwake }: NginxLook, now: number): readonly number[] | 'all' {
    const isLate = now - this.#lookedAt > LATE_MS;
    this.#lookedAt = now;
    if (isLate) this.#reset(now);
    if (workers) this.#isStarting = false;
    if (workers || isTurnedAway) this.#answeredAt = now;
    if (isMasterAwake) this.#awakeAt = now;
    if (now - this.#awakeAt > SILENCE_MS || now - this.#answeredAt > (this.#isStarting ? START_MS : SILENCE_MS)) {
      this.#reset(now);
      return 'all';
    }
    // After a pause of the machine their beats are as late as this look.
    if (isLate) return [];
    return (workers ?? []).filter((worker) => worker.silent_seconds * 1000 > SILENCE_MS).map(({ pid }) => pid);
  }

  #reset(now: number): void {
    this.#answeredAt = now;
    this.#awakeAt = now;
  }
}
