/**
 * Paths whose objects are large, as hits have shown: nginx sends these from the file itself, which costs less for them and more for small
 * ones. Of each worker, whatever the host: who is wrong about one loses a little time.
 */
export const LARGE_BYTES_MIN = 32_768;

const PATHS_MAX = 20_000;
let paths = new LuaSet<string>();
let pathCount = 0;

export const isLarge = (path: string): boolean => paths.has(path);

export function noteLarge(path: string): void {
  if (paths.has(path)) return;
  if (pathCount >= PATHS_MAX) {
    paths = new LuaSet();
    pathCount = 0;
  }
  paths.add(path);
  pathCount++;
}
