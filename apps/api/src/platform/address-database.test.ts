import { mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { writeAsnDatabase } from '../testing/asn-database.ts';
import { createAsnDatabase, createCountryDatabase, shippedCountryDatabase } from './address-database.ts';

const MINUTES = 60_000;
let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cordon-asn-'));
  file = join(folder, 'asn.mmdb');
});
afterEach(() => rmSync(folder, { recursive: true }));

it('finds the autonomous system of an address; 0 where none is known', async () => {
  writeAsnDatabase(file);
  const lookup = await createAsnDatabase(file, { warn: vi.fn() }).open();
  expect(['198.41.128.7', '2606:4700::1', '198.41.129.1', '::1'].map((text) => lookup?.(text))).toEqual([
    13335, 64496, 0, 0,
  ]);
});

it('finds the country of an address where nodes find it; empty where none is known', async () => {
  const lookup = await createCountryDatabase(shippedCountryDatabase(), { warn: vi.fn() }).open();
  expect(['175.45.176.1', '2606:4700::1', '192.0.2.1', '::1'].map((text) => lookup?.(text))).toEqual([
    'KP',
    'US',
    '',
    '',
  ]);
  expect(await createCountryDatabase(file, { warn: vi.fn() }).open()).toBeUndefined();
});

it('looks for a newer file every ten minutes, and keeps what it has while that cannot be read', async () => {
  let now = 0;
  const warn = vi.fn();
  const database = createAsnDatabase(file, { warn }, () => now);
  expect(await database.open()).toBeUndefined();
  writeAsnDatabase(file);
  expect(await database.open()).toBeUndefined();
  now = 10 * MINUTES;
  const lookup = await database.open();
  expect(lookup?.('198.41.128.7')).toBe(13335);
  writeFileSync(file, 'no database');
  utimesSync(file, 1, 1);
  now = 20 * MINUTES;
  expect(await database.open()).toBe(lookup);
  expect(warn).toHaveBeenCalledTimes(1);
  rmSync(file);
  now = 30 * MINUTES;
  expect(await database.open()).toBeUndefined();
});

it('knows nothing of addresses whose part of the file is damaged, and says so once', async () => {
  const bytes = readFileSync(shippedCountryDatabase() ?? '');
  // A copy under way: what tells that it is a database stands at its end.
  writeFileSync(file, bytes.fill(0xff, Math.floor(bytes.length * 0.2), Math.floor(bytes.length * 0.98)));
  const warn = vi.fn();
  const lookup = await createCountryDatabase(file, { warn }).open();
  expect([lookup?.('2606:4700::1'), lookup?.('2606:4700::1')]).toEqual(['', '']);
  expect(warn).toHaveBeenCalledTimes(1);
});
