/** For so long after it has heard that it knows all that is cleared, a node may answer others with what it has stored. */
export const LEASE_MS = 5_000;

export interface LeaseParts {
  /** Events that nginx has not carried out yet. */
  readonly clearsWaiting: () => number;
  /** Has nginx be a shield for so long from now on. */
  readonly grant: (milliseconds: number) => Promise<unknown>;
}

/**
 * Lets nginx be a shield as long as this node knows what is cleared: the control plane says at every `alive` that all clears that it knows
 * of have been sent before, and nginx has carried out what came. Without it the time that nginx was given ends by itself, whatever has
 * become of the agent.
 */
export class ShieldLease {
  readonly #parts: LeaseParts;
  readonly #now: () => number;
  #aliveAt: number | undefined;
  #isGranting = false;

  constructor(parts: LeaseParts, now: () => number = () => performance.now()) {
    this.#parts = parts;
    this.#now = now;
  }

  /** All that came on the stream before this is known. */
  noteAlive(): void {
    this.#aliveAt = this.#now();
    this.look();
  }

  /** To be called when nginx has carried out clears, and when it was started anew. */
  look(): void {
    if (this.#aliveAt === undefined || this.#isGranting || this.#parts.clearsWaiting() > 0) return;
    const left = LEASE_MS - (this.#now() - this.#aliveAt);
    if (left <= 0) return;
    this.#isGranting = true;
    // An nginx that does not answer is no shield.
    this.#parts
      .grant(left)
      .catch(() => {})
      .finally(() => {
        this.#isGranting = false;
      });
  }
}
