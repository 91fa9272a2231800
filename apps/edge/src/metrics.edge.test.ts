import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { cachePlugin } from './testing/caching.ts';
import { startOrigin, type TestOrigin } from './testing/origin.ts';
import { testRoute, testTarget, testUpstream } from './testing/routes.ts';
import { startEdge, type TestEdge } from './testing/start-edge.ts';

/** What a node's `/metrics` say of its cache. */
const HOST = 'measured.test';
let edge: TestEdge;
let origin: TestOrigin;

beforeAll(async () => {
  origin = await startOrigin((request, response) => {
    const control = request.url === '/private' ? 'private' : 'max-age=60';
    response.writeHead(200, { 'Cache-Control': control }).end('x'.repeat(100_000));
  });
  const upstream = testUpstream([testTarget(origin.port)]);
  edge = await startEdge({
    environment: { CORDON_EDGE_LIMITS: JSON.stringify({ changes_per_domain: 1 }) },
    routes: [
      testRoute({ hosts: [HOST], upstream, plugins: [cachePlugin('advance-proxy-cache', { content_type: [] })] }),
      testRoute({ hosts: ['uncached.test'], upstream }),
    ],
  });
});
afterAll(async () => {
  await edge?.stop();
  await origin?.stop();
});

const figure = async (series: string): Promise<number> => {
  const line = (await edge.metrics()).split('\n').find((one) => one.startsWith(`cordon_edge_${series} `));
  return Number(line?.split(' ')[1]);
};
const outcomes = async (metric: string, names: readonly string[]) =>
  Promise.all(names.map((name) => figure(`${metric}{outcome="${name}"}`)));

it('count requests and bytes by what the cache had to do with them, each once', async () => {
  const names = ['hit', 'miss', 'bypass', 'none', 'stale', 'revalidated', 'expired'];
  await edge.request(HOST, { path: '/page' });
  await vi.waitFor(
    async () => expect((await edge.request(HOST, { path: '/page' })).headers['cache-status']).toContain('hit'),
    { timeout: 10_000 },
  );
  await edge.request(HOST, { path: '/private', headers: { 'User-Agent': 'x","cs":"HIT","cb":"","cn":"too_large' } });
  await edge.request(HOST, { path: '/form', method: 'POST' });
  await edge.request('uncached.test', { path: '/page' });
  await edge.control.row((row) => row.host === 'uncached.test');
  const rowsOf = (outcome: string) => edge.control.rows.filter(({ cache }) => cache === outcome).length;
  await vi.waitFor(
    async () =>
      expect(await outcomes('cache_requests_total', names)).toEqual([rowsOf('hit'), rowsOf('miss'), 1, 1, 0, 0, 0]),
    { timeout: 5000 },
  );
  const [hit = 0, miss = 0, bypass = 0, none = 0] = await outcomes('cache_sent_bytes_total', names);
  const sent = (cache: string) =>
    edge.control.rows.filter((row) => row.cache === cache).reduce((sum, row) => sum + row.bytes_sent, 0);
  expect([hit, miss, bypass, none]).toEqual([sent('hit'), sent('miss'), sent('bypass'), sent('')]);
  expect(miss).toBeGreaterThan(200_000);
  expect(await figure('cache_unstored_total{reason="private"}')).toBe(1);
  expect(await figure('cache_unstored_total{reason="too_large"}')).toBe(0);
});

it('say how much memory and disk there is, and how much of it is free', async () => {
  await vi.waitFor(
    async () => expect(await figure('dictionary_bytes{dictionary="cordon_changes"}')).toBe(32 * 2 ** 20),
    { timeout: 10_000 },
  );
  expect(await figure('dictionary_bytes{dictionary="cordon_routes"}')).toBe(16 * 2 ** 20);
  const free = await figure('dictionary_free_bytes{dictionary="cordon_changes"}');
  expect(free).toBeGreaterThan(31 * 2 ** 20);
  expect(free).toBeLessThan(32 * 2 ** 20);
  const diskFree = await figure('cache_disk_free_bytes');
  expect(diskFree).toBeGreaterThan(0);
  expect(await figure('cache_disk_bytes')).toBeGreaterThan(diskFree);
});

it('count how often URLs that were changed are forgotten for want of room', async () => {
  expect(await figure('cache_changes_forgotten_total')).toBe(0);
  for (const path of ['/one', '/two', '/three'])
    for (const method of ['GET', 'POST']) await edge.request(HOST, { path, method });
  await vi.waitFor(async () => expect(await figure('cache_changes_forgotten_total')).toBeGreaterThan(0), {
    timeout: 5000,
  });
});
