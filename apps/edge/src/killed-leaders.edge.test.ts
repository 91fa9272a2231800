import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { slowdown } from '../../../tests/support/slowness.ts';
import { cachePlugin } from './testing/caching.ts';
import { startOrigin, type TestOrigin } from './testing/origin.ts';
import { testRoute, testTarget, testUpstream } from './testing/routes.ts';
import { startEdge, type TestEdge } from './testing/start-edge.ts';

/** Who waits for the answer to another request while the worker that asks for it is killed. */

const HOST = 'led.test';
/** Less than who waits for an answer that does not come waits. */
const SOON_MS = 3500;

let origin: TestOrigin;
let edge: TestEdge;
let isHeld = false;
let held = 0;

beforeAll(async () => {
  origin = await startOrigin(({ url = '' }, response) => {
    if (isHeld) {
      held++;
      return;
    }
    const directives = url.startsWith('/each') ? 'no-store' : 'max-age=60';
    response.writeHead(200, { 'content-type': 'text/plain', 'cache-control': directives });
    response.end('there');
  });
  edge = await startEdge({
    workers: 2,
    routes: [
      testRoute({
        ...{ hosts: [HOST], upstream: testUpstream([testTarget(origin.port)]) },
        plugins: [cachePlugin('advance-proxy-cache', { enable_cache_control: true })],
      }),
    ],
  });
});
afterAll(async () => {
  await edge?.stop();
  await origin?.stop();
});
beforeEach(() => {
  held = 0;
  isHeld = true;
});

const workers = () =>
  execFileSync('ps', ['--ppid', String(edge.nginxPid), '-o', 'pid=,args='])
    .toString()
    .split('\n')
    .filter((line) => line.includes('worker process') && !line.includes('shutting down'))
    .map((line) => Number.parseInt(line, 10));

async function killWorkers(): Promise<void> {
  const before = workers();
  for (const pid of before) process.kill(pid, 'SIGKILL');
  await vi.waitFor(() => expect(workers().filter((pid) => !before.includes(pid))).toHaveLength(2), { timeout: 10_000 });
}

it.each([
  ['what is for each visitor alone', '/each', {}],
  ['what is for all', '/all', {}],
  ['a validation', '/validated', { 'Cache-Control': 'no-cache' }],
])('nobody waits for a killed worker: %s', async (_, path, headers) => {
  isHeld = false;
  if (path === '/validated') await edge.request(HOST, { path });
  isHeld = true;
  const lost = edge.request(HOST, { path, headers }).catch(() => 'cut off');
  await vi.waitFor(() => expect(held).toBe(1), { timeout: 5000 });
  await killWorkers();
  await lost;
  isHeld = false;
  const cameAt = performance.now();
  const answers = await Promise.all([1, 2, 3].map(() => edge.request(HOST, { path, headers })));
  expect(answers.map(({ body }) => body)).toEqual(['there', 'there', 'there']);
  expect((performance.now() - cameAt) / slowdown()).toBeLessThan(SOON_MS);
});
