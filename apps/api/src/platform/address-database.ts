import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AsnResponse, Response } from 'mmdb-lib';
import type { Log } from './log.ts';

/** Number of the autonomous system that announces an address; 0 when unknown. */
export type AsnLookup = (address: string) => number;
/** ISO 3166-1 alpha-2 of the country of an address; empty when unknown. */
export type CountryLookup = (address: string) => string;

/** A MaxMind DB file of what is known of addresses. */
export interface AddressDatabase<Lookup> {
  /** The database as it is now, read when it is asked for first; undefined where there is none. */
  open(): Promise<Lookup | undefined>;
}
export type AsnDatabase = AddressDatabase<AsnLookup>;
export type CountryDatabase = AddressDatabase<CountryLookup>;

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

/** The one that nodes have from the same package, where it is installed. */
export function shippedCountryDatabase(): string | undefined {
  try {
    return createRequire(import.meta.url).resolve(
      '@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb',
    );
  } catch {
    return undefined;
  }
}

/** As it has them: `country_code` at the top, where nodes look. */
type CountryRecord = Response & { readonly country_code?: string };

interface Held<Lookup> {
  readonly lookup: Lookup;
  readonly changedMs: number;
}

const isAbsent = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

function createAddressDatabase<Found extends Response, Value>(
  file: string | undefined,
  fieldOf: (record: Found | null) => Value,
  warn: (about: { err: unknown; file: string }) => void,
  now: () => number,
): AddressDatabase<(address: string) => Value> {
  let held: Held<(address: string) => Value> | undefined;
  let lookedAt = Number.NEGATIVE_INFINITY;
  let looking: Promise<void> | undefined;

  async function read(path: string, changedMs: number): Promise<typeof held> {
    const [{ Reader }, bytes] = await Promise.all([import('mmdb-lib'), readFile(path)]);
    const reader = new Reader<Found>(bytes);
    let hasWarned = false;
    return {
      changedMs,
      lookup: (address) => {
        try {
          return fieldOf(reader.get(address));
        } catch (err) {
          // A file of which only the end tells that it is one (a copy under way): as where nginx finds nothing.
          if (!hasWarned) warn({ err, file: path });
          hasWarned = true;
          return fieldOf(null);
        }
      },
    };
  }

  async function look(path: string): Promise<void> {
    try {
      const { mtimeMs } = await stat(path);
      if (held?.changedMs !== mtimeMs) held = await read(path, mtimeMs);
    } catch (err) {
      // What cannot be read leaves the one before in its place.
      if (isAbsent(err)) held = undefined;
      else warn({ err, file: path });
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

/** @param now Clock in milliseconds, for tests. */
export const createAsnDatabase = (
  file: string | undefined,
  log: Pick<Log, 'warn'>,
  now: () => number = Date.now,
): AsnDatabase =>
  createAddressDatabase<AsnResponse, number>(
    file,
    (record) => record?.autonomous_system_number ?? 0,
    (about) => log.warn(about, 'the database of autonomous systems cannot be read'),
    now,
  );

/** @param now Clock in milliseconds, for tests. */
export const createCountryDatabase = (
  file: string | undefined,
  log: Pick<Log, 'warn'>,
  now: () => number = Date.now,
): CountryDatabase =>
  createAddressDatabase<CountryRecord, string>(
    file,
    (record) => record?.country_code ?? '',
    (about) => log.warn(about, 'the database of countries cannot be read'),
    now,
  );
