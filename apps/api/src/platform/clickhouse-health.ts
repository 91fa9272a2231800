import { AppError } from './errors.ts';

/** A reading that takes longer is no sign of a fault, but a reason to ask. */
const SLOW_MS = 2_000;
/** What takes requests and does not answer this one in time hangs. */
const PING_WAIT_MS = 3_000;
const PING_EVERY_MS = 1_000;

export interface ClickHouseHealth {
  /** Throws TRAFFIC_UNAVAILABLE while ClickHouse hangs. */
  requireAnswering(): void;
  /** A reading that begins: `signal` aborts once ClickHouse is found to hang. Call `end` when it is over. */
  watch(): { readonly signal: AbortSignal; end(): void };
  /** No more pings. */
  close(): void;
}

/**
 * Whether a ClickHouse hangs, found out when a reading is slow: a ping that gets no answer ends all readings that wait, and
 * others fail at once until a ping is answered.
 * @param ping Rejects where there is no answer until `signal` aborts. One that is refused is an answer: that fails at once by itself.
 */
export function createClickHouseHealth(ping: (signal: AbortSignal) => Promise<void>): ClickHouseHealth {
  const readings = new Set<AbortController>();
  let isHanging = false;
  let isAsking = false;
  let isClosed = false;

  async function isSilent(): Promise<boolean> {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), PING_WAIT_MS);
    timer.unref();
    await ping(late.signal).catch(() => undefined);
    clearTimeout(timer);
    return late.signal.aborted;
  }

  async function askUntilAnswered(): Promise<void> {
    if (isAsking) return;
    isAsking = true;
    while ((await isSilent()) && !isClosed) {
      isHanging = true;
      for (const reading of readings) reading.abort();
      await new Promise<void>((resolve) => setTimeout(resolve, PING_EVERY_MS).unref());
    }
    isHanging = false;
    isAsking = false;
  }

  return {
    requireAnswering() {
      if (isHanging) throw new AppError('TRAFFIC_UNAVAILABLE');
    },
    watch() {
      const reading = new AbortController();
      const timer = setTimeout(() => void askUntilAnswered(), SLOW_MS);
      timer.unref();
      readings.add(reading);
      return {
        signal: reading.signal,
        end() {
          clearTimeout(timer);
          readings.delete(reading);
        },
      };
    },
    close() {
      isClosed = true;
    },
  };
}
