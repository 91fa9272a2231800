import { statfsSync } from 'node:fs';

/** PostgreSQL asks for 16 MiB at a time, ClickHouse for room to merge: below this one of them stops soon. */
const LOW_BYTES = 100 * 1024 * 1024;
/** Twice as much again before all is well, so that a disk on the brink does not say so every few seconds. */
const WELL_BYTES = 2 * LOW_BYTES;
const INTERVAL_MS = 2000;

export interface DiskWatch {
  stop(): void;
}

/** Bytes that may still be written below `directory`. */
export function freeBytes(directory: string): number {
  const { bavail, bsize } = statfsSync(directory);
  return bavail * bsize;
}

/** What there is to say of the room that is left, if it was low or not when last spoken of; undefined for nothing. */
export function diskNews(directory: string, isLow: boolean, free: number): string | undefined {
  const megabytes = `${Math.floor(free / 1024 / 1024)} MB`;
  if (!isLow && free < LOW_BYTES) {
    return `The disk that holds ${directory} is all but full (${megabytes} left): free some space. Parts that cannot write stop, and come back automatically once there is space; the edge goes on serving.`;
  }
  if (isLow && free >= WELL_BYTES) return `The disk that holds ${directory} has space again (${megabytes}).`;
  return undefined;
}

/** Says once when the disk is running out of room, and once when it has room again. */
export function watchDisk(directory: string, say: (sentence: string) => void): DiskWatch {
  let isLow = false;
  const timer = setInterval(() => {
    let free: number;
    try {
      free = freeBytes(directory);
    } catch {
      // Unmounted meanwhile: the parts report it.
      return;
    }
    const news = diskNews(directory, isLow, free);
    if (news === undefined) return;
    isLow = !isLow;
    say(news);
  }, INTERVAL_MS);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}
