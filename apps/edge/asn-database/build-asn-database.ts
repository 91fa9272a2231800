import { createReadStream, existsSync, mkdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { MmdbWriter } from './mmdb-writer.ts';

/**
 * Makes the MaxMind DB of autonomous systems that nginx reads of the tables that the package `@ip-location-db/asn`
 * publishes (RouteViews and DB-IP, CC BY 4.0: the credit stands in docs/dependencies.md and in the file's description).
 */

const PACKAGE = '@ip-location-db/asn/package.json';
const IPV4_PREFIX = 96;

/** First and last address and the number of a line, then the organisation, which may stand in quotes. */
const LINE = /^(\d+),(\d+),(\d+),(.*)$/;

const organisationOf = (text: string): string =>
  text.startsWith('"') ? text.slice(1, -1).replaceAll('""', '"') : text;

const WORD = 0xffffffffn;
const wordsOf = (address: bigint): number[] => [96n, 64n, 32n, 0n].map((shift) => Number((address >> shift) & WORD));

/** The blocks that cover exactly the addresses from `first` to `last`. */
export function* blocksOf(first: bigint, last: bigint, bits: number): Generator<{ first: bigint; prefix: number }> {
  let at = first;
  while (at <= last) {
    let prefix = bits;
    while (prefix > 0) {
      const size = 1n << BigInt(bits - prefix + 1);
      if (at % size !== 0n || at + size - 1n > last) break;
      prefix--;
    }
    yield { first: at, prefix };
    at += 1n << BigInt(bits - prefix);
  }
}

async function addTable(writer: MmdbWriter, values: Map<string, number>, file: string, bits: 32 | 128): Promise<void> {
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })) {
    const [, first, last, asn, name] = LINE.exec(line) ?? [];
    if (first === undefined || last === undefined || asn === undefined) throw new Error(`${file}: ${line}`);
    const organisation = organisationOf(name ?? '');
    const key = `${asn} ${organisation}`;
    let value = values.get(key);
    if (value === undefined) {
      value = writer.addValue({
        autonomous_system_number: Number(asn),
        autonomous_system_organization: organisation,
      });
      values.set(key, value);
    }
    for (const block of blocksOf(BigInt(first), BigInt(last), bits))
      writer.addNetwork(wordsOf(block.first), block.prefix + (bits === 32 ? IPV4_PREFIX : 0), value);
  }
}

/** Writes the database unless it is there and newer than the package. */
export async function buildAsnDatabase(file: string): Promise<void> {
  const packageFile = createRequire(import.meta.url).resolve(PACKAGE);
  const folder = dirname(packageFile);
  const builtAt = statSync(packageFile).ctime;
  if (existsSync(file) && statSync(file).mtime > builtAt) return;
  const writer = new MmdbWriter();
  const values = new Map<string, number>();
  await addTable(writer, values, join(folder, 'asn-ipv4-num.csv'), 32);
  await addTable(writer, values, join(folder, 'asn-ipv6-num.csv'), 128);
  const credit = 'Autonomous systems of addresses, by RouteViews (routeviews.org) and DB-IP (db-ip.com), CC BY 4.0';
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.${process.pid}`, writer.toBuffer('Cordon-ASN', credit, builtAt));
  renameSync(`${file}.${process.pid}`, file);
}
