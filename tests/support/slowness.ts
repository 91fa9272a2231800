import { readFileSync } from 'node:fs';

/** What the yardstick takes on a usual server (2 virtual cores of an AMD EPYC) that does nothing else. */
const YARDSTICK_MS = 7;
/** As many as make what the system counts in ticks of 4 ms exact enough, and outlast a turn of the scheduler. */
const ROUNDS = 20;
const TEXTS = Array.from({ length: 10_000 }, (_, at) => `9.${at >> 8}.${at & 255}.1`);

/** Work of the kind that requests make: texts are parsed, taken apart, put together and looked up. */
const yardstick = (): number =>
  new Set((JSON.parse(JSON.stringify(TEXTS)) as string[]).map((one) => one.split('.').reverse().join('.'))).size;

function slownessBy(clock: () => number): number {
  const before = clock();
  for (let round = 0; round < ROUNDS; round++) yardstick();
  return Math.max(1, (clock() - before) / ROUNDS / YARDSTICK_MS);
}

/** What this thread has used of a processor, in milliseconds. */
export const usedMs = (): number =>
  Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;

/** By how much this machine's processors are slower now than those of a usual server; 1 if they are not. */
export const slowness = (): number => slownessBy(usedMs);

/**
 * By how much what a person waits for takes longer now than on a usual server that does nothing else: slower processors, and others
 * that use them. A test holds times to a multiple of it, so that what is wrong fails and what is busy does not.
 */
export const slowdown = (): number => slownessBy(() => performance.now());
