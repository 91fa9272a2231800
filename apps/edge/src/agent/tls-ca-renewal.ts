import type { EdgeState } from './edge-state.ts';
import { log } from './log.ts';
import type { Publisher } from './publisher.ts';
import { tlsCaOf } from './runner-route.ts';
import type { TlsCaSlots } from './tls-ca.ts';

export interface TlsCaRenewalParts {
  readonly slots: TlsCaSlots;
  readonly state: EdgeState;
  readonly publisher: Publisher;
  /** Tells the control plane again what visitors of these routes meet. */
  readonly expectReceipts: (routeIds: readonly string[]) => void;
  /** Has nginx read an nginx.conf with the locations of the slots; false when it does not. */
  readonly reload: () => Promise<boolean>;
  /** Shortest time between two reloads. */
  readonly intervalMs: number;
}

/** Makes room for sets of CA certificates before it is missed: nginx reads an nginx.conf without those that are no longer used. */
export class TlsCaRenewal {
  readonly #parts: TlsCaRenewalParts;
  /** The first time it is needed, nginx is reloaded at once. */
  #lastAt = Number.NEGATIVE_INFINITY;
  #isRunning = false;

  constructor(parts: TlsCaRenewalParts) {
    this.#parts = parts;
  }

  /** Reloads nginx if that makes room and the last time is long enough ago. */
  async look(): Promise<void> {
    const { slots, state, publisher, reload, intervalMs } = this.#parts;
    // What nginx has not been told yet may still use a location that would be left out.
    if (this.#isRunning || !slots.isShort || !publisher.isIdle || Date.now() - this.#lastAt < intervalMs) return;
    this.#isRunning = true;
    this.#lastAt = Date.now();
    try {
      const using = [...state.routes].flatMap(([id, { route }]) => {
        const set = tlsCaOf(route);
        return set ? [{ id, pem: set.pem }] : [];
      });
      slots.renew(new Set(using.map(({ pem }) => pem)));
      if (!(await reload())) {
        log.error('nginx did not read the new nginx.conf; see error.log');
        return;
      }
      slots.admitNew();
      log.info('nginx has room for CA certificates of origins again', { in_use: using.length });
      const ids = using.map(({ id }) => id);
      this.#parts.expectReceipts(ids);
      publisher.publish(ids);
    } catch (error) {
      // A full disk, for one: what nginx has goes on serving, and the next look tries again.
      log.error('room for CA certificates could not be made', { error });
    } finally {
      this.#isRunning = false;
    }
  }
}
