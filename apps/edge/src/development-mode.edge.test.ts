import type { EdgeRoute } from '@cordon/contract/edge-config';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { cachePlugin } from './testing/caching.ts';
import { startOrigin, type TestOrigin } from './testing/origin.ts';
import { testRoute, testTarget, testUpstream } from './testing/routes.ts';
import { type EdgeRequestOptions, startEdge, type TestEdge } from './testing/start-edge.ts';

/** Development mode: requests of a domain pass by the cache for a while, and it is as it was before. */

const HOST = 'developed.test';
const OTHER = 'not-developed.test';
let origin: TestOrigin;
let edge: TestEdge;
let route: EdgeRoute;
let count = 0;
/** Fields of the requests that the origin has had, by path. */
const asked = new Map<string, NodeJS.Dict<string | string[]>[]>();

beforeAll(async () => {
  origin = await startOrigin((request, response) => {
    const path = request.url ?? '';
    asked.set(path, [...(asked.get(path) ?? []), request.headers]);
    response.writeHead(200, {
      'content-type': 'text/plain',
      'cache-control': 'max-age=3600',
      'accept-ranges': 'bytes',
      etag: '"v1"',
    });
    response.end(`answer ${++count}`);
  });
  const plugins = [cachePlugin('advance-proxy-cache')];
  const upstream = testUpstream([testTarget(origin.port)]);
  route = testRoute({ hosts: [HOST], upstream, plugins });
  edge = await startEdge({ routes: [route, testRoute({ hosts: [OTHER], upstream, plugins })], workers: 2 });
});
afterAll(async () => {
  await edge?.stop();
  await origin?.stop();
});

const now = () => Math.ceil(Date.now() / 1000);
const turn = (until: number) =>
  edge.control.pushFeeds([{ feed: 'development', scope: route.id, network: '0.0.0.0/0', until }]);
async function get(path: string, { host = HOST, ...options }: EdgeRequestOptions & { host?: string } = {}) {
  const { status, headers, body } = await edge.request(host, { path, ...options });
  return { status, body, said: String(headers['cache-status']) };
}
const BYPASSED = 'Cordon; fwd=bypass; detail=development';
/** What serves is stored, as all of these requests say: each may be another worker's. */
async function untilStored(path: string, host = HOST): Promise<string> {
  const { body } = await get(path, { host });
  await vi.waitFor(async () => expect((await get(path, { host })).said).toContain('Cordon; hit'), { timeout: 10_000 });
  expect((await get(path, { host })).body).toBe(body);
  return body;
}
async function begin(path: string, seconds = 600) {
  turn(now() + seconds);
  // Both workers, by many requests.
  await vi.waitFor(
    async () => {
      for (let request = 0; request < 8; request++) expect((await get(path)).said).toBe(BYPASSED);
    },
    { timeout: 10_000 },
  );
}
const end = (path: string) =>
  vi.waitFor(
    async () => {
      for (let request = 0; request < 8; request++) expect((await get(path)).said).not.toBe(BYPASSED);
    },
    { timeout: 10_000 },
  );

let path = '';
beforeEach(() => {
  path = `/object-${Math.random()}`;
});

it('is live at once: nothing stored is served, nothing is stored, and afterwards what was stored before serves', async () => {
  const before = await untilStored(path);
  const elsewhere = await untilStored(path, OTHER);
  await begin(path);
  const [first, second] = [await get(path), await get(path)];
  expect([first.said, second.said]).toEqual([BYPASSED, BYPASSED]);
  expect(new Set([before, first.body, second.body]).size).toBe(3);
  expect(await get(path, { host: OTHER })).toMatchObject({
    body: elsewhere,
    said: expect.stringMatching(/^Cordon; hit/),
  });
  const fresh = `${path}-new`;
  await get(fresh);
  turn(0);
  await end(path);
  expect((await get(path)).body).toBe(before);
  expect((await get(fresh)).said).toMatch(/^Cordon; fwd=uri-miss/);
  const row = await edge.control.row((one) => one.path === path && one.cache_reason === 'development', 'the row');
  expect(row).toMatchObject({ cache: 'bypass', status: 200 });
});

it.each([
  ['a conditional request', { headers: { 'if-none-match': '"v1"' } }, 'if-none-match', '"v1"'],
  ['a range', { headers: { range: 'bytes=0-3' } }, 'range', 'bytes=0-3'],
  ['HEAD', { method: 'HEAD' }, 'range', undefined],
] as const)('%s goes to the origin as it is', async (_, options, field, value) => {
  await untilStored(path);
  await begin(`${path}-begun`);
  const times = asked.get(path)?.length;
  expect((await get(path, options)).said).toBe(BYPASSED);
  expect(asked.get(path)).toHaveLength((times ?? 0) + 1);
  expect(asked.get(path)?.at(-1)?.[field]).toBe(value);
  turn(0);
  await end(`${path}-begun`);
});

it('so does a large file that comes in slices otherwise', async () => {
  const film = `${path}.mp4`;
  await begin(path);
  expect((await get(film, { headers: { range: 'bytes=100-200' } })).said).toBe(BYPASSED);
  expect(asked.get(film)?.map(({ range }) => range)).toEqual(['bytes=100-200']);
  turn(0);
  await end(path);
});

it('ends by itself when its time is over, and not before, though no message comes', async () => {
  const before = await untilStored(path);
  const until = now() + 3;
  await begin(path, 3);
  process.kill(edge.agentPid, 'SIGSTOP');
  try {
    await vi.waitFor(async () => expect((await get(path)).body).toBe(before), { timeout: 10_000, interval: 50 });
  } finally {
    process.kill(edge.agentPid, 'SIGCONT');
  }
  expect(now()).toBeGreaterThanOrEqual(until);
  expect(now()).toBeLessThanOrEqual(until + 2);
});

it('can be made shorter while it is on', async () => {
  const before = await untilStored(path);
  await begin(path, 3600);
  turn(now() + 2);
  await vi.waitFor(async () => expect((await get(path)).body).toBe(before), { timeout: 10_000, interval: 50 });
});

it('is known after nginx was started anew, and to a new version of the domain', async () => {
  await begin(path);
  process.kill(edge.nginxPid, 'SIGKILL');
  await edge.ready();
  await vi.waitFor(async () => expect((await get(path)).said).toBe(BYPASSED), { timeout: 30_000 });
  await edge.deploy({ ...route, version: route.version + 1 });
  expect((await get(path)).said).toBe(BYPASSED);
  turn(0);
  await end(path);
});
