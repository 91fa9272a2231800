import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { definitions } from '@cordon/plugins/definitions';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { childrenOf, commandOf } from './agent/processes.ts';
import { startOrigin, type TestOrigin } from './testing/origin.ts';
import { testRoute, testTarget, testUpstream } from './testing/routes.ts';
import { startEdge, type TestEdge } from './testing/start-edge.ts';

/** A small disk of our own, with few files: mounting takes root (docs/testing.md). */
const disk = mkdtempSync(join(tmpdir(), 'cordon-cache-disk-'));
const HOST = 'space.test';
const MEGABYTE = 1024 * 1024;
let edge: TestEdge;
let origin: TestOrigin;
let growing: ServerResponse | undefined;

beforeAll(async () => {
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64m,nr_inodes=3000,mode=711', 'cordon-test', disk], {
    stdio: 'pipe',
  });
  origin = await startOrigin((request, response) => {
    response.setHeader('Cache-Control', 'max-age=600');
    if (request.url === '/growing') {
      growing = response;
      return;
    }
    response.end(request.url?.startsWith('/large') ? 'x'.repeat(4 * MEGABYTE) : `answer to ${request.url}`);
  });
  const config = definitions.find(({ name }) => name === 'advance-proxy-cache')?.schema.parse({});
  edge = await startEdge({
    routes: [
      testRoute({
        hosts: [HOST],
        // A slow machine takes its time between two parts of an answer.
        upstream: testUpstream([testTarget(origin.port)], { read_timeout_ms: 60_000 }),
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
/** Each worker looks at the disk by itself, once in a second. */
const workersLook = () => new Promise((resolve) => setTimeout(resolve, 1500));
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
    await workersLook();
    expect(await statusOf(newPath())).toContain('detail=no_room');
    expect(await statusOf('/large-1')).toContain('detail=no_room');
    // Until nginx lets it go, to make room.
    expect(await statusOf('/kept')).toMatch(/hit|detail=no_room/);
    rmSync(filler);
    await becomes(newPath, 'stored');
  });

  it('breaks off no answer whose copy it had begun to write', async () => {
    await workersLook();
    const answered = edge.request(HOST, { path: '/growing' });
    // It is awaited below.
    answered.catch(() => {});
    await vi.waitFor(() => growing?.write('1'.repeat(MEGABYTE)) ?? expect.fail(), { timeout: 5000 });
    // It is being copied.
    const copies = () =>
      readdirSync(join(disk, 'edge/logs/cache/paid'), { recursive: true }).filter((name) =>
        /\.\d+$/.test(String(name)),
      );
    await vi.waitFor(() => expect(copies()).toHaveLength(1), { timeout: 5000 });
    const filler = join(disk, 'filler');
    expect(() => {
      for (;;) writeFileSync(filler, Buffer.alloc(MEGABYTE), { flag: 'a' });
    }).toThrow('ENOSPC');
    for (const part of ['2', '3', '4']) {
      await workersLook();
      growing?.write(part.repeat(MEGABYTE));
    }
    growing?.end();
    const { body } = await answered;
    expect([body.length, body.at(-1)]).toEqual([4 * MEGABYTE, '4']);
    rmSync(filler);
    await becomes(newPath, 'stored');
  });

  it('so it does where it has room for no more files', async () => {
    await becomes(() => '/kept', 'hit');
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
  // It would put what is stored into another order, a minute after nginx has started.
  for (const pid of childrenOf(edge.nginxPid)) if (commandOf(pid).includes('loader')) process.kill(pid);
  await vi.waitFor(() => expect(childrenOf(edge.nginxPid).map(commandOf).join()).not.toContain('loader'), {
    timeout: 10_000,
  });
  await workersLook();
  for (let at = 0; at < 9; at++) {
    expect(await statusOf(`/large-${at}`)).toContain('stored');
    expect(await statusOf('/used')).toContain(at === 0 ? 'stored' : 'hit');
  }
  await vi.waitFor(() => expect(storedBytes()).toBeLessThan(24 * MEGABYTE), { timeout: 20_000, interval: 200 });
  expect(await statusOf('/used')).toContain('hit');
  expect(await statusOf('/large-8')).toContain('hit');
  expect(await statusOf('/large-0')).toContain('uri-miss');
});
