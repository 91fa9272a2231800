/** The paths of the configuration with a slash at their end: they are of whole segments. */
export const foldersOf = (paths: readonly string[]): string[] =>
  paths.map((path) => (path === '/' ? path : `${path}/`));

const isIn = (path: string, folder: string): boolean =>
  path.startsWith(folder) || (path.length === folder.length - 1 && folder.startsWith(path));

function isInAny(path: string, folders: readonly string[]): boolean {
  for (const folder of folders) if (isIn(path, folder)) return true;
  return false;
}

/**
 * Whether a path is one of `foldersOf`, or below it. Few, as most domains have, without a loop: LuaJIT compiles nothing that leads to one.
 */
export function isBelow(path: string, folders: readonly string[]): boolean {
  const count = folders.length;
  if (count > 3) return isInAny(path, folders);
  if (count > 0 && isIn(path, folders[0] as string)) return true;
  if (count > 1 && isIn(path, folders[1] as string)) return true;
  return count > 2 && isIn(path, folders[2] as string);
}
