import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, watch } from 'node:fs';
import { join } from 'node:path';
import type { Part } from './process/part.ts';

/** Written by tools/build.ts when all of a build is there; in the middle of one, files are missing. */
const DONE_FILE = '.build-done';
const SETTLE_MS = 50;

/** Hash of what is in a folder of the build, source maps left out; empty for no folder. */
export function fingerprint(directory: string): string {
  const hash = createHash('sha256');
  try {
    for (const entry of readdirSync(directory, { withFileTypes: true, recursive: true }).sort(byPath)) {
      if (!entry.isFile() || entry.name.endsWith('.map')) continue;
      const path = join(entry.parentPath, entry.name);
      hash.update(`${path}\0`).update(readFileSync(path));
    }
  } catch {
    return '';
  }
  return hash.digest('hex');
}

function byPath(a: { parentPath: string; name: string }, b: { parentPath: string; name: string }): number {
  return join(a.parentPath, a.name) < join(b.parentPath, b.name) ? -1 : 1;
}

export interface RebuiltPart {
  readonly folder: string;
  readonly part: Part | undefined;
}

/** After a rebuild (npm run dev) the parts whose files in `dist` changed start anew. */
export function restartOnBuild(dist: string, parts: readonly RebuiltPart[]): { close(): void } {
  const known = new Map(parts.map(({ folder }) => [folder, fingerprint(join(dist, folder))]));
  let timer: NodeJS.Timeout | undefined;
  const look = () => {
    for (const { folder, part } of parts) {
      const now = fingerprint(join(dist, folder));
      if (now === known.get(folder)) continue;
      known.set(folder, now);
      if (part) part.restart();
      else process.stderr.write(`dist/${folder} changed: stop and start again to use it\n`);
    }
  };
  // The folder, not the file: that one is replaced each time.
  const watcher = watch(dist, (_event, name) => {
    if (name !== DONE_FILE) return;
    clearTimeout(timer);
    timer = setTimeout(look, SETTLE_MS);
  });
  return {
    close: () => {
      clearTimeout(timer);
      watcher.close();
    },
  };
}
