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

/** What the slices of a window before its newest one came to. */
interface OlderSlices {
  slice: number;
  sliceKey: string;
  count: number;
  /** When they are read again. */
  until: number;
  /** What the newest slice came to last. */
  newest: number;
}

/**
 * What a process remembers of windows, so that it reads their older slices, which no longer change, once in a second and not for
 * each request. That often, so that where counts are evicted, those that are not asked for are the first, and that what another
 * process has forgotten is not counted for longer.
 */
export interface WindowMemory {
  older: { [key: string]: OlderSlices | undefined };
  size: number;
}

const REMEMBERED_MAX = 5000;
const REMEMBERED_SECONDS = 1;

export const createWindowMemory = (): WindowMemory => ({ older: {}, size: 0 });

function readOlder(counters: Counters, older: OlderSlices, key: string, now: number): void {
  older.until = now + REMEMBERED_SECONDS;
  older.count = 0;
  for (let age = 1; age < SLICES; age++) older.count += counters.get(sliceKey(key, older.slice - age));
}

function beginSlice(memory: WindowMemory, key: string, slice: number): OlderSlices {
  if (memory.older[key] === undefined) {
    // A flood of clients must not fill the memory.
    if (memory.size >= REMEMBERED_MAX) {
      memory.older = {};
      memory.size = 0;
    }
    memory.size++;
  }
  const begun: OlderSlices = { slice, sliceKey: sliceKey(key, slice), count: 0, until: 0, newest: 0 };
  memory.older[key] = begun;
  return begun;
}

/** Counts one more, and answers how many there were in the last `seconds`, none older; the oldest tenth may be missing. */
export function countInWindow(
  counters: Counters,
  memory: WindowMemory,
  key: string,
  now: number,
  seconds: number,
): number {
  const slice = sliceAt(now, seconds);
  const known = memory.older[key];
  const older = known !== undefined && known.slice === slice ? known : beginSlice(memory, key, slice);
  const newest = counters.add(older.sliceKey, seconds + seconds / SLICES);
  // Less than before: another process has forgotten the window, or the count was evicted.
  if (now >= older.until || newest <= older.newest) readOlder(counters, older, key, now);
  older.newest = newest;
  return newest + older.count;
}

/** Forgets all that `countInWindow` would still count. */
export function forgetWindow(
  counters: Counters,
  memory: WindowMemory,
  key: string,
  now: number,
  seconds: number,
): void {
  const known = memory.older[key];
  if (known !== undefined) known.slice = -1;
  const slice = sliceAt(now, seconds);
  for (let age = 0; age < SLICES; age++) counters.forget(sliceKey(key, slice - age));
}

/** Of a mark beside the counts of the same key. */
export const markKey = (key: string): string => `${key}m`;
