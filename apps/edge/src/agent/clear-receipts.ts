import { setTimeout as delay } from 'node:timers/promises';
import type { ClearDone } from './clear-publisher.ts';
import { ControlError } from './control-client.ts';
import { log } from './log.ts';

const RECEIPTS_MAX = 1000;
const RETRY_FIRST_MS = 100;
const RETRY_LAST_MS = 5000;

/** Tells the control plane which clears hold on this node. */
export class ClearReceipts {
  readonly #owed: Map<string, number>;
  readonly #send: (body: string) => Promise<void>;
  #isSending = false;
  #isStopped = false;
  /** The control plane has the receipts of these, or does not take them. */
  onTold: (ids: readonly string[]) => void = () => {};

  /** @param owed Milliseconds by clear, of an agent before this one too. */
  constructor(owed: Map<string, number>, send: (body: string) => Promise<void>) {
    this.#owed = owed;
    this.#send = send;
  }

  get waiting(): number {
    return this.#owed.size;
  }

  report(done: readonly ClearDone[]): void {
    for (const { id, milliseconds } of done) this.#owed.set(id, milliseconds);
    if (!this.#isSending) void this.#flush();
  }

  stop(): void {
    this.#isStopped = true;
  }

  /** What comes meanwhile goes with the next call. */
  async #flush(): Promise<void> {
    this.#isSending = true;
    let waitMs = RETRY_FIRST_MS;
    while (this.#owed.size > 0 && !this.#isStopped) {
      const receipts = [...this.#owed].slice(0, RECEIPTS_MAX);
      try {
        await this.#post(receipts);
        for (const [id] of receipts) this.#owed.delete(id);
        this.onTold(receipts.map(([id]) => id));
        waitMs = RETRY_FIRST_MS;
      } catch (error) {
        log.warn('receipts of clears are not with the control plane yet', { waiting: this.#owed.size, error });
        await delay(waitMs, undefined, { ref: false });
        waitMs = Math.min(waitMs * 2, RETRY_LAST_MS);
      }
    }
    this.#isSending = false;
  }

  async #post(receipts: readonly (readonly [string, number])[]): Promise<void> {
    const body = { receipts: receipts.map(([clear_id, milliseconds]) => ({ clear_id, milliseconds })) };
    try {
      await this.#send(JSON.stringify(body));
    } catch (error) {
      // They would be refused again.
      if (!(error instanceof ControlError) || ![400, 413, 422].includes(error.status)) throw error;
      log.error('the control plane does not take receipts of clears', { count: receipts.length, error });
    }
  }
}
