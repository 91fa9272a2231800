import { newMemory, remember } from './worker-memory.ts';

/**
 * Paths whose objects are large, as hits have shown: nginx sends these from the file itself, which costs less for them and more for small
 * ones. Of each worker, whatever the host: who is wrong about one loses a little time.
 */
export const LARGE_BYTES_MIN = 32_768;

const paths = newMemory<string, true>(20_000);

export const isLarge = (path: string): boolean => paths.entries.get(path) !== undefined;

export function noteLarge(path: string): void {
  if (paths.entries.get(path) === undefined) remember(paths, path, true);
}
