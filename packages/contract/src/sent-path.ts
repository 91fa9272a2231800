/** In place of a path as it was sent (`raw_path`) where it may hold a secret: no path is like it. */
export const WITHHELD_PATH = '-';

/** What the log says of a request's path. */
interface LoggedPath {
  /** Decoded and resolved. */
  readonly path: string;
  /** As it was sent, where origins may read another path in it; `WITHHELD_PATH` where it may hold a secret. */
  readonly raw_path: string;
}

/** The path as it was sent, or one that is read alike by all; undefined where the log withholds it. */
export function sentPathOf({ path, raw_path: rawPath }: LoggedPath): string | undefined {
  if (rawPath === WITHHELD_PATH) return undefined;
  return rawPath || path.replaceAll('%', '%25');
}
