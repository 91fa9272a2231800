import type { EdgeBan } from '@cordon/contract/edge-config';
import { BANS_FEED } from '@cordon/plugin-kit/feeds';
import type { RunnerBan } from '../runner/payload.ts';
import type { AdminClient } from './admin-client.ts';
import { type ControlClient, ControlError } from './control-client.ts';
import { log } from './log.ts';
import type { KnownEntry } from './own-bans.ts';

const TAKE_MS = 200;
/** Bans that the control plane has not taken; beyond it the oldest stay this node's own. */
const WAITING_MAX = 20_000;
const REPORTED_AT_ONCE = 500;
const RETRY_MS = 1000;

/** Whether it is about what the body says, and not about who sends it or how the control plane is. */
const isOfBody = (error: unknown): error is ControlError =>
  error instanceof ControlError && [400, 413, 422, 500].includes(error.status);

/** Reports the bans of nginx's workers to the control plane, which sends them to all nodes. */
export class BanReporter {
  readonly #admin: Pick<AdminClient, 'takeBans'>;
  readonly #control: Pick<ControlClient, 'post'>;
  #waiting: EdgeBan[] = [];
  #isReporting = false;
  #retryAt = 0;
  #timer: NodeJS.Timeout | undefined;
  /** What nginx has given last and the disk has by now. */
  #written: number | undefined;
  /** Bans of this node, which it keeps to also without a control plane. Resolves once they are on disk. */
  onTaken: (entries: KnownEntry[]) => Promise<void> = async () => {};

  constructor(admin: Pick<AdminClient, 'takeBans'>, control: Pick<ControlClient, 'post'>) {
    this.#admin = admin;
    this.#control = control;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /** Also what an agent before this one may have reported already: the control plane keeps a ban once. */
  report(bans: readonly EdgeBan[]): void {
    this.#waiting = [...new Set([...this.#waiting, ...bans])].slice(-WAITING_MAX);
  }

  start(): void {
    let isTaking = false;
    this.#timer = setInterval(() => {
      // Not waited for: a control plane that hangs must not keep bans inside nginx.
      void this.#send();
      if (isTaking) return;
      isTaking = true;
      void this.#take().finally(() => {
        isTaking = false;
      });
    }, TAKE_MS);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async #take(): Promise<void> {
    const written = this.#written;
    // Said once: nginx that has not heard it gives the same again, and one that was started anew counts from the beginning.
    this.#written = undefined;
    try {
      const { batch, bans: texts = [] } = await this.#admin.takeBans(written);
      if (texts.length === 0) return;
      const bans = texts.map((text): EdgeBan => JSON.parse(text) as RunnerBan);
      const onDisk = this.onTaken(
        bans.map((ban) => ({
          feed: BANS_FEED,
          scope: ban.route_id,
          network: ban.network,
          until: Math.ceil(ban.at + ban.seconds),
          report: ban,
        })),
      );
      this.report(bans);
      void this.#send();
      await onDisk;
      this.#written = batch;
    } catch {
      // nginx is being started; its supervisor logs that.
    }
  }

  /**
   * Reports these; answers which are done with. Where one of them is refused or makes the control plane fail, the others
   * get there without it.
   */
  async #post(bans: readonly EdgeBan[]): Promise<readonly EdgeBan[]> {
    try {
      await this.#control.post('bans/', JSON.stringify({ bans }));
      return bans;
    } catch (error) {
      if (!isOfBody(error)) throw error;
      if (bans.length > 1) {
        const half = Math.ceil(bans.length / 2);
        return [...(await this.#post(bans.slice(0, half))), ...(await this.#post(bans.slice(half)))];
      }
      log.error('the control plane does not take a ban of this node', { ban: bans[0], error });
      // The same would be refused again; a failure may pass.
      return error.status === 500 ? [] : bans;
    }
  }

  async #send(): Promise<void> {
    if (this.#isReporting || Date.now() < this.#retryAt) return;
    this.#isReporting = true;
    try {
      while (this.#waiting.length > 0) {
        const bans = this.#waiting.slice(0, REPORTED_AT_ONCE);
        const done = await this.#post(bans);
        const failed = bans.filter((ban) => !done.includes(ban));
        // To the end, so that what waits behind them gets there.
        this.#waiting = [...this.#waiting.filter((ban) => !bans.includes(ban)), ...failed];
        if (failed.length > 0) throw new Error(`the control plane fails at ${failed.length}`);
      }
    } catch (error) {
      this.#retryAt = Date.now() + RETRY_MS;
      log.warn('bans of this node are not with the control plane yet', { waiting: this.#waiting.length, error });
    } finally {
      this.#isReporting = false;
    }
  }
}
