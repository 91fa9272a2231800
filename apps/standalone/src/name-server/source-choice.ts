import type { Source } from './pdns-config.ts';

/** A single lost query is no outage. */
const FAILURES_MAX = 2;
/** A database that has just come back goes away again more often than others. */
const SUCCESSES_MIN = 8;

/** Decides between the database and its copy from one look after the other. */
export class SourceChoice {
  #source: Source | undefined;
  #failures = 0;
  #successes = 0;

  /** Undefined: neither is there yet. */
  get source(): Source | undefined {
    return this.#source;
  }

  /** @param hasCopy Without one, the database is waited for. */
  observe(isDatabaseUp: boolean, hasCopy: boolean): Source | undefined {
    this.#failures = isDatabaseUp ? 0 : this.#failures + 1;
    this.#successes = isDatabaseUp ? this.#successes + 1 : 0;
    if (isDatabaseUp && (this.#source === undefined || this.#successes >= SUCCESSES_MIN)) this.#source = 'database';
    if (this.#failures >= FAILURES_MAX && hasCopy) this.#source = 'copy';
    return this.#source;
  }

  /** The database answers, but PowerDNS did not get going on it: tried again after as many good looks as usual. */
  refuseDatabase(hasCopy: boolean): void {
    this.#successes = 0;
    this.#source = hasCopy ? 'copy' : undefined;
  }
}
