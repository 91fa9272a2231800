import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { EdgeState } from './agent/edge-state.ts';
import { log } from './agent/log.ts';
import { StateStore } from './agent/state-store.ts';
import { startOrigin, type TestOrigin } from './testing/origin.ts';
import { testRoute, testTarget, testUpstream } from './testing/routes.ts';
import { startEdge, type TestEdge } from './testing/start-edge.ts';

/** A small disk of our own: mounting takes root (docs/testing.md). */
const disk = mkdtempSync(join(tmpdir(), 'cordon-small-disk-'));
let edge: TestEdge;
let origin: TestOrigin;

beforeAll(async () => {
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=16m,mode=711', 'cordon-test', disk], { stdio: 'pipe' });
  origin = await startOrigin((_, response) => response.end('origin'));
  edge = await startEdge({
    routes: [testRoute({ hosts: ['full.test'], upstream: testUpstream([testTarget(origin.port)]) })],
    environment: { CORDON_EDGE_DIR: join(disk, 'edge') },
  });
});
afterAll(async () => {
  await edge?.stop();
  await origin?.stop();
  execFileSync('umount', ['-l', disk], { stdio: 'pipe' });
  rmSync(disk, { recursive: true, force: true });
});

function fill(): void {
  for (const bytes of [1024 * 1024, 4096]) {
    const piece = Buffer.alloc(bytes);
    try {
      for (;;) writeFileSync(join(disk, 'filler'), piece, { flag: 'a' });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    }
  }
}
let answered = 0;
async function visit(times: number): Promise<void> {
  for (let at = 0; at < times; at++) {
    expect((await edge.request('full.test', { path: `/${'long/'.repeat(40)}` })).status).toBe(200);
    answered++;
  }
}
async function figure(name: string): Promise<number> {
  return Number(new RegExp(`^cordon_edge_${name} (\\d+)`, 'm').exec(await edge.metrics())?.[1]);
}
const rows = () => edge.control.rows.filter(({ host }) => host === 'full.test').length;

it('counts each row that nginx could not write to a full disk as dropped, and ships all others', async () => {
  await visit(20);
  await vi.waitFor(() => expect(rows()).toBe(20), { timeout: 10_000 });
  expect(await figure('log_rows_dropped')).toBe(0);
  fill();
  await Promise.all([visit(200), visit(200), visit(200)]);
  expect(statfsSync(disk).bavail).toBe(0);
  rmSync(join(disk, 'filler'));
  await visit(20);
  await vi.waitFor(
    async () => {
      expect((await figure('log_rows_dropped')) + rows()).toBe(answered);
    },
    { timeout: 15_000, interval: 200 },
  );
  expect(await figure('log_rows_dropped')).toBeGreaterThan(100);
  await edge.control.until(
    () => edge.control.heartbeats.some((beat) => (beat as { log_rows_dropped: number }).log_rows_dropped > 100),
    'a heartbeat that reports it',
  );
});

it('keeps the last good state of the node where a new one does not fit on the disk whole', () => {
  const [folder, logged] = [join(disk, 'node'), vi.spyOn(log, 'error').mockImplementation(() => {})];
  const store = new StateStore(folder);
  const stateOf = (cursor: string, hosts: number) => {
    const state = new EdgeState();
    const route = testRoute({ hosts: Array.from({ length: hosts }, (_, at) => `${at}.state.test`) });
    state.replace('epoch', cursor, [{ route_id: route.id, revision: 1, route }]);
    return state;
  };
  const onDisk = () => {
    const state = new EdgeState();
    return new StateStore(folder).load(state) ? state.cursor : 'damaged';
  };
  const larger = stateOf('2', 4000);
  store.save(stateOf('1', 1));
  fill();
  truncateSync(join(disk, 'filler'), statSync(join(disk, 'filler')).size - 80 * 1024);
  store.save(larger);
  expect([onDisk(), logged.mock.lastCall?.[0]]).toEqual(['1', 'the local snapshot cannot be written']);
  expect(statfsSync(disk).bavail).toBeGreaterThan(10);
  rmSync(join(disk, 'filler'));
  store.save(larger);
  expect(onDisk()).toBe('2');
  logged.mockRestore();
});
