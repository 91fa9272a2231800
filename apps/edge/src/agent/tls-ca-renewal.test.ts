import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { EdgeState } from './edge-state.ts';
import type { Publisher } from './publisher.ts';
import { TlsCaSlots } from './tls-ca.ts';
import { TlsCaRenewal } from './tls-ca-renewal.ts';

let top: string;
beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), 'cordon-tls-ca-'));
});
afterEach(() => rmSync(top, { recursive: true, force: true }));

it('is tried again after a time when the disk was full, and ends nothing meanwhile', async () => {
  const slots = new TlsCaSlots(join(top, 'tls-ca'), undefined);
  const sets = Array.from({ length: 9 }, (_, at) => ({ pem: `# ${at}`, accountId: 'a', tier: 'free' as const }));
  await slots.prepare(sets);
  expect(slots.isShort).toBe(true);
  const reloads: (() => Promise<boolean>)[] = [() => Promise.reject(new Error('ENOSPC')), () => Promise.resolve(true)];
  const renewal = new TlsCaRenewal({
    slots,
    state: new EdgeState(),
    publisher: { isIdle: true, publish: () => {} } as unknown as Publisher,
    expectReceipts: () => {},
    reload: () => reloads.shift()?.() ?? Promise.resolve(false),
    intervalMs: 0,
  });
  await renewal.look();
  expect([reloads.length, slots.isShort]).toEqual([1, true]);
  await renewal.look();
  expect([reloads.length, slots.isShort]).toEqual([0, false]);
});
