import { setTimeout as sleep } from 'node:timers/promises';

/** How a part shows that it does not hang, and what becomes of it when it does. */
export interface Liveness {
  /** Whether it answers now. May take as long as it likes; one question is open at a time. */
  readonly answers: () => boolean | Promise<boolean>;
  /** After so long without an answer it is ended and started again. */
  readonly silenceSecondsMax: number;
  /** Sent first, for a part that should not be killed outright; SIGKILL follows. */
  readonly endSignal?: NodeJS.Signals;
}

const INTERVAL_MS = 1000;
/** Later than that, this process did not get to run, and the part perhaps neither: the silence begins again. */
const LATE_MS = 2500;

/** Counts the silence of a part from one look a second. */
export class SilenceWatch {
  readonly #silenceMsMax: number;
  #lookedAt: number;
  #heardAt: number;

  constructor(silenceMsMax: number, now: number) {
    this.#silenceMsMax = silenceMsMax;
    this.#lookedAt = now;
    this.#heardAt = now;
  }

  /** Whether the part has been silent for too long, with every look in that time made when it was due. */
  isTooLong(hasAnswered: boolean, now: number): boolean {
    if (hasAnswered || now - this.#lookedAt > LATE_MS) this.#heardAt = now;
    this.#lookedAt = now;
    return now - this.#heardAt > this.#silenceMsMax;
  }
}

/** Asks the part once a second; resolves with true once it hangs, or with false when `signal` ends the watch. */
export async function hangs(liveness: Liveness, signal: AbortSignal): Promise<boolean> {
  const watch = new SilenceWatch(liveness.silenceSecondsMax * 1000, performance.now());
  let isAsking = false;
  let hasAnswered = false;
  const ask = async () => {
    isAsking = true;
    if (await Promise.resolve(liveness.answers()).catch(() => false)) hasAnswered = true;
    isAsking = false;
  };
  for (;;) {
    if (!isAsking) void ask();
    await sleep(INTERVAL_MS, undefined, { signal }).catch(() => {});
    if (signal.aborted) return false;
    if (watch.isTooLong(hasAnswered, performance.now())) return true;
    hasAnswered = false;
  }
}
