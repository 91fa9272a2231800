import { setTimeout as wait } from 'node:timers/promises';

/** Waits until `probe` answers something other than undefined or false, and gives that; throws with `what` when time is up. */
export async function until<T>(
  what: string,
  probe: () => Promise<T | undefined | false> | T | undefined | false,
  timeoutMs = 40_000,
): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  let last: unknown;
  while (Date.now() < deadline) {
    try {
      const value = await probe();
      if (value !== undefined && value !== false) return value;
    } catch (error) {
      last = error;
    }
    await wait(50);
  }
  throw new Error(`${what} did not happen within ${timeoutMs} ms`, { cause: last });
}
