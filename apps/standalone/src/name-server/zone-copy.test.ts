import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { DnsRecord } from './records-reader.ts';
import { ZoneCopy, zoneLine } from './zone-copy.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'cordon-copy-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const soa = (zone: string, serial = 1): DnsRecord => ({
  name: zone,
  type: 'SOA',
  content: `ns1.${zone} hostmaster.${zone} ${serial} 3600 600 604800 30`,
  ttl: 300,
});
const alias = (name: string, content: string): DnsRecord => ({ name, type: 'CNAME', content, ttl: 300 });
const reading = (...records: DnsRecord[]) =>
  async function* () {
    yield records;
  };

it('writes one file per zone, names absolute, and each record into the longest zone that holds it', async () => {
  const copy = new ZoneCopy(directory, () => {});
  const records = [
    soa('edge.test'),
    soa('new.edge.test'),
    alias('a.new.edge.test', 'vip01.new.edge.test'),
    alias('b.edge.test', 'vip01.edge.test'),
  ];
  expect(copy.zones).toEqual([]);
  expect(await copy.refresh(['edge.test', 'new.edge.test'], reading(...records))).toBe(true);
  expect(copy.zones).toEqual(['edge.test', 'new.edge.test']);
  expect(readFileSync(join(directory, 'edge.test.zone'), 'utf8')).toBe(
    'edge.test. 300 IN SOA ns1.edge.test. hostmaster.edge.test. 1 3600 600 604800 30\nb.edge.test. 300 IN CNAME vip01.edge.test.\n',
  );
  expect(readFileSync(join(directory, 'new.edge.test.zone'), 'utf8')).toContain(
    'a.new.edge.test. 300 IN CNAME vip01.new.edge.test.\n',
  );
});

it('keeps the last copy when a reading is not whole', async () => {
  const copy = new ZoneCopy(directory, () => {});
  await copy.refresh(['edge.test'], reading(soa('edge.test'), alias('a.edge.test', 'x.edge.test')));
  const before = readFileSync(join(directory, 'edge.test.zone'), 'utf8');
  const again = new ZoneCopy(directory, () => {});
  await expect(again.refresh(['edge.test'], reading())).rejects.toThrow('edge.test has no SOA');
  await expect(again.refresh([], reading())).resolves.toBe(false);
  const broken = async function* () {
    yield [soa('edge.test')];
    throw new Error('the connection was lost');
  };
  await expect(new ZoneCopy(directory, () => {}).refresh(['edge.test'], broken)).rejects.toThrow('was lost');
  expect(readFileSync(join(directory, 'edge.test.zone'), 'utf8')).toBe(before);
});

it('is renewed after a change, but not again and again', async () => {
  const now = vi.spyOn(performance, 'now').mockReturnValue(100_000);
  try {
    const copy = new ZoneCopy(directory, () => {});
    expect(await copy.refresh(['edge.test'], reading(soa('edge.test')))).toBe(true);
    copy.markStale();
    expect(await copy.refresh(['edge.test'], reading(soa('edge.test'), alias('a.edge.test', 'x.edge.test')))).toBe(
      false,
    );
    now.mockReturnValue(103_000);
    expect(await copy.refresh(['edge.test'], reading(soa('edge.test'), alias('a.edge.test', 'x.edge.test')))).toBe(
      true,
    );
    now.mockReturnValue(106_000);
    expect(await copy.refresh(['edge.test'], reading(soa('edge.test')))).toBe(false);
    copy.markStale();
    // Only the clock's number has changed.
    expect(await copy.refresh(['edge.test'], reading(soa('edge.test', 2), alias('a.edge.test', 'x.edge.test')))).toBe(
      false,
    );
  } finally {
    now.mockRestore();
  }
});

it.each([
  ['a name with a line break', { name: 'a.test\nevil.test', content: 'x.test' }],
  ['content with a line break', { name: 'a.test', content: 'x.test\nevil.test. IN A 192.0.2.1' }],
  ['a directive', { name: '$INCLUDE', content: 'x' }],
  ['a comment', { name: 'a.test', content: 'x.test ; y' }],
])('refuses %s: one row is one record', (_, record) => {
  expect(() => zoneLine({ type: 'CNAME', ttl: 1, ...record })).toThrow('is not plain');
});
