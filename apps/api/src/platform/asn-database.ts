import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AsnResponse } from 'mmdb-lib';
import type { Log } from './log.ts';

/** Number of the autonomous system that announces an address; 0 when unknown. */
export type AsnLookup = (address: string) => number;

export interface AsnDatabase {
  /** The database as it is now, read when it is asked for first; undefined where there is none. */
  open(): Promise<AsnLookup | undefined>;
}

/** As nginx looks for a newer file. */
const LOOK_MS = 10 * 60_000;

/** The one that the build makes for nodes, where it stands beside the API. */
export function shippedAsnDatabase(): string | undefined {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (dirname(folder) !== folder) {
    const file = join(folder, 'dist/edge/asn.mmdb');
    if (existsSync(file)) return file;
    folder = dirname(folder);
  }
  return undefined;
}

interface Held {
  readonly lookup: AsnLookup;
  readonly changedMs: number;
}

async function read(file: string, changedMs: number): Promise<Held> {
  const [{ Reader }, bytes] = await Promise.all([import('mmdb-lib'), readFile(file)]);
  const reader = new Reader<AsnResponse>(bytes);
  return { changedMs, lookup: (address) => reader.get(address)?.autonomous_system_number ?? 0 };
}

const isAbsent = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

/** @param now Clock in milliseconds, for tests. */
export function createAsnDatabase(
  file: string | undefined,
  log: Pick<Log, 'warn'>,
  now: () => number = Date.now,
): AsnDatabase {
  let held: Held | undefined;
  let lookedAt = Number.NEGATIVE_INFINITY;
  let looking: Promise<void> | undefined;

  async function look(path: string): Promise<void> {
    try {
      const { mtimeMs } = await stat(path);
      if (held?.changedMs !== mtimeMs) held = await read(path, mtimeMs);
    } catch (err) {
      // What cannot be read leaves the one before in its place.
      if (isAbsent(err)) held = undefined;
      else log.warn({ err, file: path }, 'the database of autonomous systems cannot be read');
    }
    lookedAt = now();
  }

  return {
    async open() {
      if (file === undefined) return undefined;
      if (looking === undefined && now() - lookedAt >= LOOK_MS)
        looking = look(file).finally(() => {
          looking = undefined;
        });
      await looking;
      return held?.lookup;
    },
  };
}
