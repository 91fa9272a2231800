import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { definitions } from '@cordon/plugins/definitions';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startOrigin, type TestOrigin } from './testing/origin.ts';
import { testRoute, testTarget, testUpstream } from './testing/routes.ts';
import { startEdge, type TestEdge } from './testing/start-edge.ts';

/** A small disk of our own, with few files: mounting takes root (docs/testing.md). */
const disk = mkdtempSync(join(tmpdir(), 'cordon-cache-disk-'));
const HOST = 'space.test';
const MEGABYTE = 1024 * 1024;
let edge: TestEdge;
let origin: TestOrigin;

beforeAll(async () => {
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64m,nr_inodes=3000,mode=711', 'cordon-test', disk], {
    stdio: 'pipe',
  });
  origin = await startOrigin((request, response) => {
    response.setHeader('Cache-Control', 'max-age=600');
    response.end(request.url?.startsWith('/large') ? 'x'.repeat(4 * MEGABYTE) : `answer to ${request.url}`);
  });
  const config = definitions.find(({ name }) => name === 'advance-proxy-cache')?.schema.parse({});
  edge = await startEdge({
    routes: [
      testRoute({
        hosts: [HOST],
        upstream: testUpstream([testTarget(origin.port)]),
        plugins: [{ name: 'advance-proxy-cache', config: config as Record<string, unknown> }],
      }),
    ],
    environment: { CORDON_EDGE_DIR: join(disk, 'edge'), CORDON_EDGE_CACHE_MB: '16' },
  });
});
afterAll(async () => {
  await edge?.stop();
  await origin?.stop();
  execFileSync('umount', ['-l', disk], { stdio: 'pipe' });
  rmSync(disk, { recursive: true, force: true });
});

const statusOf = async (path: string) => {
  const answer = await edge.request(HOST, { path });
  expect(answer.status).toBe(200);
  return String(answer.headers['cache-status']);
};
const storedBytes = () =>
  readdirSync(join(disk, 'edge/logs/cache/paid'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce(
      (sum, entry) => sum + (statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0),
      0,
    );
/** The disk is looked at once in a second. */
const becomes = (path: () => string, part: string) =>
  vi.waitFor(async () => expect(await statusOf(path())).toContain(part), { timeout: 5000, interval: 200 });
let count = 0;
const newPath = () => `/new-${++count}`;

describe('where the disk has no room', () => {
  it('stores nothing, serves everything, and goes on once it has', async () => {
    await statusOf('/kept');
    const filler = join(disk, 'filler');
    expect(() => {
      for (;;) writeFileSync(filler, Buffer.alloc(MEGABYTE), { flag: 'a' });
    }).toThrow('ENOSPC');
    await becomes(newPath, 'detail=no_room');
    expect(await statusOf('/kept')).toContain('hit');
    // Each worker looks at the disk by itself.
    await becomes(() => '/large-1', 'detail=no_room');
    rmSync(filler);
    await becomes(newPath, 'stored');
  });

  it('so it does where it has room for no more files', async () => {
    const folder = mkdtempSync(join(disk, 'files-'));
    expect(() => {
      for (let at = 0; ; at++) writeFileSync(join(folder, String(at)), '');
    }).toThrow('ENOSPC');
    await becomes(newPath, 'detail=no_room');
    expect(await statusOf('/kept')).toContain('hit');
    rmSync(folder, { recursive: true });
    await becomes(newPath, 'stored');
  });
});

it('what is used least goes first where the cache is full', async () => {
  for (let at = 0; at < 9; at++) {
    await statusOf(`/large-${at}`);
    await statusOf('/kept');
  }
  await vi.waitFor(() => expect(storedBytes()).toBeLessThan(24 * MEGABYTE), { timeout: 20_000, interval: 200 });
  expect(await statusOf('/kept')).toContain('hit');
  expect(await statusOf('/large-8')).toContain('hit');
  expect(await statusOf('/large-0')).toContain('uri-miss');
});
