import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { cachePlugin } from './testing/caching.ts';
import { startOrigin, type TestOrigin } from './testing/origin.ts';
import { testRoute, testTarget, testUpstream } from './testing/routes.ts';
import { startEdge, type TestEdge } from './testing/start-edge.ts';

/** What was cleared and changed, as it stands on the disk. */

const HOST = 'journal.test';
const JOURNAL_BYTES = 2000;
const CHANGES = 600;

let origin: TestOrigin;
let edge: TestEdge;
let version = 1;
const route = () =>
  testRoute({
    hosts: [HOST],
    upstream: testUpstream([testTarget(origin.port)]),
    plugins: [cachePlugin('advance-proxy-cache', {})],
  });
let routeId = '';

beforeAll(async () => {
  origin = await startOrigin((_, response) => {
    response.setHeader('Cache-Control', 'max-age=3600');
    response.setHeader('Content-Type', 'text/plain');
    response.end(`${version}`);
  });
  const one = route();
  routeId = one.id;
  edge = await startEdge({
    routes: [one],
    workers: 4,
    environment: { CORDON_EDGE_LIMITS: JSON.stringify({ journal_bytes: JOURNAL_BYTES }) },
  });
});
afterAll(async () => {
  await edge?.stop();
  await origin?.stop();
});

const visit = async (path: string, method = 'GET') => (await edge.request(HOST, { path, method })).body;
const fileOf = (end = '') => join(edge.dir, `logs/cache/clears.journal${end}`);
const textOf = (end = '') => (existsSync(fileOf(end)) ? readFileSync(fileOf(end), 'latin1') : '');
const hashOf = (path: string) => createHash('md5').update(`${HOST}${path}`).digest('hex');
const written = () => textOf('.known') + textOf('.former') + textOf();

async function killNginx(): Promise<void> {
  const pid = edge.nginxPid;
  process.kill(pid, 'SIGKILL');
  await vi.waitFor(() => expect(edge.nginxPid).not.toBe(pid), { timeout: 10_000 });
  await edge.ready();
}

it('has no URL of a visitor, however long, and no line that is', async () => {
  const secret = 'a-secret-of-a-visitor';
  const path = `/${'x'.repeat(3000)}?token=${secret}`;
  expect(await visit(path)).toBe('1');
  await visit(path, 'POST');
  await edge.control.cleared(routeId, 'urls', [`${HOST}${path}`], true);
  await edge.control.cleared(routeId, 'prefixes', [`/${'%25'.repeat(4000)}`]);
  expect(written()).toContain(hashOf(path));
  expect(written()).not.toContain(secret);
  const lines = textOf().split('\n');
  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThan(4096);
  version = 2;
  expect(await visit(path)).toBe('2');
});

it('has every line, though one worker writes it anew while others go on', async () => {
  const paths = Array.from({ length: CHANGES }, (_, at) => `/changed-${at}`);
  const inParallel = async (run: (path: string) => Promise<unknown>) => {
    const left = [...paths];
    const work = async () => {
      for (let path = left.pop(); path !== undefined; path = left.pop()) await run(path);
    };
    await Promise.all(Array.from({ length: 16 }, work));
  };
  await inParallel((path) => visit(path));
  await inParallel((path) => visit(path, 'POST'));
  const text = written();
  expect(paths.filter((path) => !text.includes(hashOf(path)))).toEqual([]);
});

it('is read whole where nginx ended while it was written anew', async () => {
  const [cleared, kept] = ['/cleared', '/kept'];
  const before = await visit(cleared);
  await edge.control.cleared(routeId, 'urls', [`${HOST}${cleared}`]);
  version = Number(before) + 1;
  const stored = await visit(kept);
  version += 1;
  // Put aside, and nothing is in its place yet.
  renameSync(fileOf(), fileOf('.former'));
  await killNginx();
  expect(await visit(cleared)).toBe(`${version}`);
  expect(await visit(kept)).toBe(stored);
  expect(existsSync(fileOf('.former'))).toBe(false);
});
