/** Numbers by key, shared by all who count. */
export interface Counters {
  /** Adds one, and answers what it is now. A number is forgotten after `seconds` without an addition, at the earliest. */
  add(this: void, key: string, seconds: number): number;
  get(this: void, key: string): number;
}

/** Parts of a window that are counted apart. */
const SLICES = 10;
/** Slices are numbered up to here, then anew; their counts are long forgotten by then. */
const NUMBERS = 100;

/** Counts one more, and answers how many there were in the last `seconds`, none older; the oldest tenth may be missing. */
export function countInWindow(counters: Counters, key: string, now: number, seconds: number): number {
  const sliceSeconds = seconds / SLICES;
  const slice = Math.floor(now / sliceSeconds);
  let count = counters.add(`${key}${slice % NUMBERS}`, seconds + sliceSeconds);
  for (let age = 1; age < SLICES; age++) count += counters.get(`${key}${(slice - age) % NUMBERS}`);
  return count;
}
