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
  /** Since when each process of nginx began, milliseconds that it has waited for a processor, by pid. */
  readonly waits: ReadonlyMap<number, number>;
  readonly masterPid: number | undefined;
}

/** A worker whose last beat is no older lives. */
const BEAT_MS = 1500;

/**
 * Tells from looks, about one a second, which processes of nginx hang. What they wait for a processor, others use: on a machine that is short of
 * them, nothing would be won by ending who waits.
 */
export class NginxWatch {
  #lookedAt = Number.NEGATIVE_INFINITY;
  #answeredAt = 0;
  #awakeAt = 0;
  #isStarting = false;
  #waits: ReadonlyMap<number, number> = new Map();
  /** Milliseconds that a silent worker has waited since its last beat, by pid. */
  #waited = new Map<number, number>();

  /** nginx is started: its first answer may take long. */
  noteStart(now: number): void {
    this.#isStarting = true;
    this.#reset(now);
  }

  /** Answers the hanging workers by their pids, or `all` when the master hangs or no worker answers. */
  judge(look: NginxLook, now: number): readonly number[] | 'all' {
    const { workers, isTurnedAway, isMasterAwake } = look;
    const isLate = now - this.#lookedAt > LATE_MS;
    this.#lookedAt = now;
    this.#excuse(look, now);
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
    const silence = ({ pid, silent_seconds: seconds }: { pid: number; silent_seconds: number }) =>
      seconds * 1000 - (this.#waited.get(pid) ?? 0);
    return (workers ?? []).filter((worker) => silence(worker) > SILENCE_MS).map(({ pid }) => pid);
  }

  /** Counts no silence while nginx waits for a processor. */
  #excuse({ workers, waits, masterPid }: NginxLook, now: number): void {
    const since = (pid: number) => (waits.get(pid) ?? 0) - (this.#waits.get(pid) ?? waits.get(pid) ?? 0);
    const pids = [...waits.keys()].filter((pid) => pid !== masterPid);
    this.#answeredAt = Math.min(now, this.#answeredAt + Math.max(0, ...pids.map(since)));
    if (masterPid !== undefined) this.#awakeAt = Math.min(now, this.#awakeAt + since(masterPid));
    const silent = (workers ?? []).filter((worker) => worker.silent_seconds * 1000 > BEAT_MS);
    const asked = workers ? silent.map(({ pid }) => pid) : pids;
    this.#waited = new Map(asked.map((pid) => [pid, (this.#waited.get(pid) ?? 0) + since(pid)]));
    this.#waits = waits;
  }

  #reset(now: number): void {
    this.#answeredAt = now;
    this.#awakeAt = now;
  }
}
