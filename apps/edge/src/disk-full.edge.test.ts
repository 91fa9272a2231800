import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
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
