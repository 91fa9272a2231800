import type { PlainState } from '@cordon/plugin-kit/plain-context';

/** Counters by the clock of what is replayed: as a node's, they forget what nothing was added to for long enough. */
export type TimedCounters = PlainState['counters'] & {
  /** Unix seconds; never goes back. */
  setNow(now: number): void;
};

export function createTimedCounters(): TimedCounters {
  const counts = new Map<string, { readonly count: number; readonly until: number }>();
  let time = 0;
  const get = (key: string): number => {
    const held = counts.get(key);
    return held !== undefined && held.until >= time ? held.count : 0;
  };
  return {
    setNow: (now) => {
      time = now;
    },
    get,
    add: (key, seconds) => {
      const count = get(key) + 1;
      counts.set(key, { count, until: time + seconds });
      return count;
    },
    forget: (key) => {
      counts.delete(key);
    },
  };
}
