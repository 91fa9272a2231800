/** Numbers by key, shared by all who count. */
export interface Counters {
  /** Adds one, and answers what it is now. A number is forgotten after `seconds` without an addition, at the earliest. */
  add(this: void, key: string, seconds: number): number;
  get(this: void, key: string): number;
  forget(this: void, key: string): void;
}

/** Parts of a window that are counted apart. */
const SLICES = 10;
/** Slices are numbered up to here, then anew; their counts are long forgotten by then. */
const NUMBERS = 100;

const sliceAt = (now: number, seconds: number): number => Math.floor(now / (seconds / SLICES));
const sliceKey = (key: string, slice: number): string => `${key}${slice % NUMBERS}`;

/** Counts one more, and answers how many there were in the last `seconds`, none older; the oldest tenth may be missing. */
export function countInWindow(counters: Counters, key: string, now: number, seconds: number): number {
  const slice = sliceAt(now, seconds);
  let count = counters.add(sliceKey(key, slice), seconds + seconds / SLICES);
  for (let age = 1; age < SLICES; age++) count += counters.get(sliceKey(key, slice - age));
  return count;
}

/** Forgets all that `countInWindow` would still count. */
export function forgetWindow(counters: Counters, key: string, now: number, seconds: number): void {
  const slice = sliceAt(now, seconds);
  for (let age = 0; age < SLICES; age++) counters.forget(sliceKey(key, slice - age));
}

/** Of a mark beside the counts of the same key. */
export const markKey = (key: string): string => `${key}m`;

/** A window that one request was counted in. */
export interface CountedWindow {
  readonly key: string;
  readonly seconds: number;
}
