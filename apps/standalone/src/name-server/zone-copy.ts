import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { DnsRecord } from './records-reader.ts';

/** Between two copies at least, and so much longer than it took to make the last one: a copy is no burden. */
const PAUSE_MS_MIN = 2_000;
const PAUSE_PER_COPY = 10;

/** The records as zone files, one per zone, for PowerDNS's bind backend. */
export class ZoneCopy {
  readonly #directory: string;
  readonly #own: (path: string) => void;
  #isStale = true;
  #isBusy = false;
  #nextAt = 0;
  #digest = '';

  /** @param own Lets the account that PowerDNS runs as read a file. */
  constructor(directory: string, own: (path: string) => void) {
    this.#directory = directory;
    this.#own = own;
    mkdirSync(directory, { recursive: true, mode: 0o750 });
    own(directory);
  }

  get namedConf(): string {
    return join(this.#directory, 'named.conf');
  }

  /** Of the copy as it lies there, from an earlier start too; empty when there is none. */
  get zones(): string[] {
    if (!existsSync(this.namedConf)) return [];
    return [...readFileSync(this.namedConf, 'utf8').matchAll(/^zone "([^"]+)"/gm)].map((match) => match[1] as string);
  }

  markStale(): void {
    this.#isStale = true;
  }

  /** Writes a new copy if something has changed and the last one is old enough. True when there is a new one. */
  async refresh(zones: readonly string[], read: () => AsyncIterable<readonly DnsRecord[]>): Promise<boolean> {
    if (!this.#isStale || this.#isBusy || performance.now() < this.#nextAt) return false;
    this.#isBusy = true;
    this.#isStale = false;
    const startedAt = performance.now();
    try {
      return await this.#write(zones, read());
    } catch (error) {
      this.#isStale = true;
      throw error;
    } finally {
      this.#isBusy = false;
      const now = performance.now();
      this.#nextAt = now + Math.max(PAUSE_MS_MIN, (now - startedAt) * PAUSE_PER_COPY);
    }
  }

  async #write(zones: readonly string[], records: AsyncIterable<readonly DnsRecord[]>): Promise<boolean> {
    const lines = new Map<string, string[]>(zones.map((zone) => [zone, []]));
    const digest = createHash('sha256').update(zones.join());
    for await (const part of records) {
      for (const record of part) {
        const line = zoneLine(record);
        // Its number goes by the clock: no reason for a new copy.
        if (record.type !== 'SOA') digest.update(line);
        zoneOf(record.name, lines)?.push(line);
      }
    }
    const [incomplete] = [...lines].find(([, each]) => !each.some((line) => line.includes(' IN SOA '))) ?? [];
    if (incomplete !== undefined || lines.size === 0) throw new Error(`${incomplete ?? 'the database'} has no SOA`);
    const hash = digest.digest('hex');
    if (hash === this.#digest && this.zones.length > 0) return false;
    for (const [zone, each] of lines) await this.#replace(this.#file(zone), each);
    await this.#replace(
      this.namedConf,
      zones.map((zone) => `zone "${zone}" { type master; file "${this.#file(zone)}"; };\n`),
    );
    this.#digest = hash;
    return true;
  }

  #file(zone: string): string {
    return join(this.#directory, `${zone}.zone`);
  }

  /** Whole or not at all, also over a power cut: it is read when nothing else is left. */
  async #replace(path: string, lines: readonly string[]): Promise<void> {
    const next = `${path}.next`;
    rmSync(next, { force: true });
    const file = await open(next, 'w', 0o640);
    try {
      await file.writeFile(lines.join(''));
      await file.sync();
    } finally {
      await file.close();
    }
    this.#own(next);
    renameSync(next, path);
  }
}

/** The longest zone that the name lies in. */
function zoneOf(name: string, zones: ReadonlyMap<string, string[]>): string[] | undefined {
  for (let at = 0; at !== -1; at = name.indexOf('.', at)) {
    if (at > 0) at += 1;
    const found = zones.get(name.slice(at));
    if (found) return found;
  }
  return undefined;
}

const NAMES_IN_CONTENT = new Set(['CNAME', 'NS']);
const NAME = /^[a-z0-9_.*-]+$/i;

/** A line of a zone file; throws at what could be read as more than one record. */
export function zoneLine({ name, type, content, ttl }: DnsRecord): string {
  if (!NAME.test(name) || /[\r\n;()$\\"]/.test(content))
    throw new Error(`the record of ${JSON.stringify(name)} is not plain`);
  const value = NAMES_IN_CONTENT.has(type)
    ? `${content}.`
    : type === 'SOA'
      ? content.replace(/^(\S+) (\S+) /, '$1. $2. ')
      : content;
  return `${name}. ${ttl} IN ${type} ${value}\n`;
}
