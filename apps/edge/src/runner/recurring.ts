import { attempt } from './fault.ts';

/**
 * What each worker does again and again. One timer does it all for the worker's whole life: every start of a timer takes
 * one of nginx's connections, and this is needed most where none is left.
 */
interface Work {
  readonly ticks: number;
  readonly run: (this: void) => void;
}

/** Four a second; a count of them stays right where the clock is set. */
export const TICKS_PER_SECOND = 4;
/** A new timer starts with fresh memory; the former goes on until the new one has got a connection. */
const RENEW_TICKS = 3600 * TICKS_PER_SECOND;

const works: Work[] = [];
let timers = 0;
let tick = 0;

function keepOn(this: void, premature: boolean): void {
  if (premature) return;
  const mine = ++timers;
  // A worker that ends after a reload would be kept from it.
  while (mine === timers && !ngx.worker.exiting()) {
    tick++;
    for (const work of works) {
      if (tick % work.ticks === 0) attempt(work.run);
    }
    if (tick % RENEW_TICKS === 0) ngx.timer.at(0, keepOn);
    ngx.sleep(1 / TICKS_PER_SECOND);
  }
}

/** Does something every so many ticks from `startRecurring` on. */
export function recur(ticks: number, run: (this: void) => void): void {
  works.push({ ticks, run });
}

/** `init_worker_by_lua`. */
export function startRecurring(): void {
  ngx.timer.at(0, keepOn);
}
