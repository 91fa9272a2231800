import { beforeEach, expect, it, vi } from 'vitest';
import { LEASE_MS, ShieldLease } from './shield-lease.ts';

let now: number;
let waiting: number;
let granted: number[];
let lease: ShieldLease;
beforeEach(() => {
  now = 1_000;
  waiting = 0;
  granted = [];
  const parts = {
    clearsWaiting: () => waiting,
    grant: async (milliseconds: number) => granted.push(milliseconds),
  };
  lease = new ShieldLease(parts, () => now);
});
const settled = () => vi.waitFor(() => expect(granted.length).toBeGreaterThan(0));

it('is not given before the control plane has said that all is known, nor before nginx has carried it out', async () => {
  lease.look();
  waiting = 1;
  lease.noteAlive();
  now += 700;
  expect(granted).toEqual([]);
  waiting = 0;
  lease.look();
  await settled();
  expect(granted).toEqual([LEASE_MS - 700]);
});

it('ends so long after the control plane was heard, however late nginx has carried out what came before', async () => {
  waiting = 1;
  lease.noteAlive();
  now += LEASE_MS;
  waiting = 0;
  lease.look();
  expect(granted).toEqual([]);
  lease.noteAlive();
  await settled();
  expect(granted).toEqual([LEASE_MS]);
});
