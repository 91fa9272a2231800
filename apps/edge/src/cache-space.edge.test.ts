import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { childrenOf, commandOf } from './agent/processes.ts';
import { cachePlugin } from './testing/caching.ts';
import { startOrigin, type TestOrigin } from './testing/origin.ts';
import { testRoute, testTarget, testUpstream } from './testing/routes.ts';
import { startEdge, type TestEdge } from './testing/start-edge.ts';

/** A small disk of our own, with few files: mounting takes root (docs/testing.md). */
const disk = mkdtempSync(join(tmpdir(), 'cordon-cache-disk-'));
const HOST = 'space.test';
const FREE_HOST = 'free-space.test';
const MEGABYTE = 1024 * 1024;
let edge: TestEdge;
let origin: TestOrigin;
let growing: ServerResponse | undefined;

beforeAll(async () => {
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=160m,nr_inodes=3000,mode=711', 'cordon-test', disk], {
    stdio: 'pipe',
  });
  origin = await startOrigin((request, response) => {
    response.setHeader('Cache-Control', 'max-age=600');
    if (request.url === '/growing') {
      growing = response;
      return;
    }
    const [, size = 0] = /^\/large-(\d+)/.exec(request.url ?? '') ?? [];
    response.end(size === 0 ? `answer to ${request.url}` : 'x'.repeat(Number(size) * MEGABYTE));
  });
  // A slow machine takes its time between two parts of an answer.
  const upstream = testUpstream([testTarget(origin.port)], { read_timeout_ms: 60_000 });
  const plugins = [cachePlugin('advance-proxy-cache')];
  edge = await startEdge({
    routes: [
      testRoute({ hosts: [HOST], upstream, plugins }),
      testRoute({ hosts: [FREE_HOST], tier: 'free', upstream, plugins }),
    ],
    environment: {
      CORDON_EDGE_DIR: join(disk, 'edge'),
      CORDON_EDGE_CACHE_MB: '16',
      CORDON_EDGE_CACHE_FREE_MB: '32',
    },
  });
});
afterAll(async () => {
  await edge?.stop();
  await origin?.stop();
  execFileSync('umount', ['-l', disk], { stdio: 'pipe' });
  rmSync(disk, { recursive: true, force: true });
});

const statusOf = async (path: string, host = HOST) => {
  const answer = await edge.request(host, { path });
  expect(answer.status).toBe(200);
  return String(answer.headers['cache-status']);
};
type Zone = 'paid' | 'free';
const filesOf = (zone: Zone) =>
  readdirSync(join(disk, 'edge/logs/cache', zone), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
const storedBytes = (zone: Zone) =>
  filesOf(zone).reduce((sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0), 0);
/** Looks at the disk: a request would store it again. */
const isStored = (zone: Zone, path: string) =>
  filesOf(zone).some((file) => readFileSync(file).subarray(0, 1024).includes(`${path}\n`));
/** Each worker looks at what is being written several times a second. */
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
    for (let at = 0; at < 10; at++) expect(await statusOf(newPath())).toContain('detail=no_room');
    expect(await statusOf('/large-4-1')).toContain('detail=no_room');
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
    for (let at = 0; at < 10; at++) expect(await statusOf(newPath())).toContain('detail=no_room');
    expect(await statusOf('/kept')).toContain('hit');
    rmSync(folder, { recursive: true });
    await becomes(newPath, 'stored');
  });
});

/** nginx looks every ten seconds at how much there is. */
const isHeldTo = (zone: Zone, megabytes: number) =>
  vi.waitFor(() => expect(storedBytes(zone)).toBeLessThanOrEqual(megabytes * MEGABYTE), {
    timeout: 30_000,
    interval: 200,
  });

it('what is used least goes first where the cache is full, and nothing of free plans', async () => {
  // It would put what is stored into another order, a minute after nginx has started.
  for (const pid of childrenOf(edge.nginxPid)) if (commandOf(pid).includes('loader')) process.kill(pid);
  await vi.waitFor(() => expect(childrenOf(edge.nginxPid).map(commandOf).join()).not.toContain('loader'), {
    timeout: 10_000,
  });
  await workersLook();
  for (let at = 0; at < 3; at++) expect(await statusOf(`/large-4-${at}`, FREE_HOST)).toContain('stored');
  const free = storedBytes('free');
  for (let at = 0; at < 9; at++) {
    expect(await statusOf(`/large-4-${at}`)).toContain('stored');
    expect(await statusOf('/used')).toContain(at === 0 ? 'stored' : 'hit');
  }
  await isHeldTo('paid', 16);
  expect(await statusOf('/used')).toContain('hit');
  expect(await statusOf('/large-4-8')).toContain('hit');
  expect(isStored('paid', '/large-4-0')).toBe(false);
  expect(storedBytes('free')).toBe(free);
});

it('free plans have a space of their own, and nothing of paid plans goes where that is full', async () => {
  const paid = storedBytes('paid');
  for (let at = 0; at < 6; at++) expect(await statusOf(`/large-8-${at}`, FREE_HOST)).toContain('stored');
  await isHeldTo('free', 32);
  expect(storedBytes('free')).toBeGreaterThan(16 * MEGABYTE);
  expect(await statusOf('/large-8-5', FREE_HOST)).toContain('hit');
  expect(isStored('free', '/large-8-0')).toBe(false);
  expect(storedBytes('paid')).toBe(paid);
  expect(await statusOf('/used')).toContain('hit');
});

it('an object may have a quarter of the space of its plan', async () => {
  expect(await statusOf('/large-5')).toContain('detail=too_large');
  expect(await statusOf('/large-5', FREE_HOST)).toContain('stored');
  expect(await statusOf('/large-9', FREE_HOST)).toContain('detail=too_large');
});
