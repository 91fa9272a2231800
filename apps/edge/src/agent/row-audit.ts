import type { RunnerStatus } from '../runner/payload.ts';

/** Between a request and its row in the file (`flush=1s`), with room for a worker that is late. */
const ON_ITS_WAY_MS = 2500;
const MOMENTS_MAX = 1000;
/** Less than ON_ITS_WAY_MS: what is due then is none of a worker that hangs. */
const SILENT_SECONDS = 2;

type OwedRows = Pick<RunnerStatus, 'rows_owed' | 'workers'>;

/** What is in the log at a moment. */
export interface FoundRows {
  /** Lines in all files that are complete, since this process began. */
  readonly rows: number;
  /** All that was written before is among them, by performance.now(). */
  readonly completeUntil: number;
}

interface Moment {
  readonly at: number;
  owed: number;
  readonly found: number;
}

/**
 * Finds how many rows nginx has made and not written: it says so of none. Never too many: what may be on its way is not
 * missing yet. What a killed worker had not counted is made up for once more is found than was counted.
 */
export class RowAudit {
  #lostBefore = 0;
  #lost = 0;
  #foundBefore = 0;
  /** What was found beyond the count; undefined while it is not known, of an nginx that was taken over. */
  #ahead: number | undefined;
  #moments: Moment[] = [];

  get lost(): number {
    return this.#lostBefore + this.#lost;
  }

  /** An nginx is started, and what the one before it has written is found. */
  noteStart(found: number): void {
    const last = this.#moments.at(-1);
    if (last && this.#ahead !== undefined)
      this.#lost = Math.max(this.#lost, last.owed + this.#ahead - (found - this.#foundBefore));
    this.#lostBefore += this.#lost;
    this.#lost = 0;
    this.#foundBefore = found;
    this.#ahead = 0;
    this.#moments = [];
  }

  /** To be called about once a second with nginx's count. */
  note({ rows_owed: owed, workers }: OwedRows, { rows, completeUntil }: FoundRows, now: number): void {
    if (workers.some(({ silent_seconds }) => silent_seconds > SILENT_SECONDS)) {
      // What a worker that hangs has not written yet may still come: the audit begins anew once none does.
      this.#moments = [];
      return;
    }
    const found = rows - this.#foundBefore;
    // It only grows: a count that was looked at while a request went from one of nginx's counters to another was too high.
    for (const moment of this.#moments) moment.owed = Math.min(moment.owed, owed);
    this.#moments.push({ at: now, owed, found });
    const settled = this.#newestBefore(now - ON_ITS_WAY_MS);
    if (!settled) return;
    this.#ahead = Math.max(this.#ahead ?? Number.NEGATIVE_INFINITY, settled.found - owed);
    const due = this.#newestBefore(completeUntil - ON_ITS_WAY_MS);
    if (due) this.#lost = Math.max(this.#lost, due.owed + this.#ahead - found);
    const isPast = ({ at }: Moment) => at < Math.min(settled.at, due?.at ?? 0);
    while (this.#moments.length > MOMENTS_MAX || this.#moments.slice(1, 2).some(isPast)) this.#moments.shift();
  }

  #newestBefore(at: number): Moment | undefined {
    return this.#moments.findLast((moment) => moment.at <= at);
  }
}
