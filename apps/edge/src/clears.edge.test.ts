import { randomUUID } from 'node:crypto';
import { definitions } from '@cordon/plugins/definitions';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { AdminClient, type RunnerClear } from './agent/admin-client.ts';
import { adminSocketIn } from './agent/run-dir.ts';
import { startOrigin, type TestOrigin } from './testing/origin.ts';
import { testRoute, testTarget, testUpstream } from './testing/routes.ts';
import { startEdge, type TestEdge } from './testing/start-edge.ts';

/** What the control plane clears, until no request gets it any more. */

const HOST = 'cleared.test';
const ROUTE_ID = '00000000-0000-4000-8000-0000000000c1';
let count = 0;
let origin: TestOrigin;
let edge: TestEdge;

const config = definitions
  .find(({ name }) => name === 'advance-proxy-cache')
  ?.schema.parse({ enable_cache_control: false }) as Record<string, unknown>;
const routeOf = (id: string, host: string) =>
  testRoute({
    id,
    hosts: [host],
    upstream: testUpstream([testTarget(origin.port)]),
    plugins: [{ name: 'advance-proxy-cache', config }],
  });

beforeAll(async () => {
  origin = await startOrigin(({ url }, response) => {
    response.writeHead(200, {
      ...{ 'content-type': 'text/plain', 'cache-control': 'max-age=3600', 'cache-tag': 'shop' },
      ...(url?.startsWith('/varied') ? { vary: 'x-kind' } : {}),
    });
    response.end(String(++count));
  });
  edge = await startEdge({ routes: [routeOf(ROUTE_ID, HOST)] });
});
afterAll(async () => {
  await edge?.stop();
  await origin?.stop();
});

const get = async (path: string, host = HOST) => (await edge.request(host, { path })).body;
/** Asked twice: by now it is stored. */
async function stored(path: string, host = HOST): Promise<string> {
  const first = await get(path, host);
  expect(await get(path, host)).toBe(first);
  return first;
}
let path = '';
beforeEach(() => {
  path = `/a/${Math.random()}`;
});

it.each([
  ['all', () => []],
  ['urls', () => [`${HOST}${path}`]],
  ['prefixes', () => ['/%61/']],
  ['tags', () => ['shop']],
] as const)('clears by %s, and reports it once no request gets what was stored', async (kind, values) => {
  const before = await stored(path);
  const id = edge.control.clear(ROUTE_ID, kind, values());
  await edge.control.until(() => edge.control.clearReceipts.has(id), 'the receipt');
  expect(await get(path)).not.toBe(before);
  expect(edge.control.clearReceipts.get(id)).toBeLessThan(5_000);
});

it.each([
  ['prefixes', '/varied/'],
  ['tags', 'shop'],
] as const)(
  'clears by %s each of the objects that a URL has, not only the one that is asked for first',
  async (kind, value) => {
    const ask = async (sort: string) =>
      (await edge.request(HOST, { path: `/varied${path}`, headers: { 'X-Kind': sort } })).body;
    const before = [await ask('one'), await ask('two')];
    expect([await ask('one'), await ask('two')]).toEqual(before);
    const id = edge.control.clear(ROUTE_ID, kind, [value]);
    await edge.control.until(() => edge.control.clearReceipts.has(id), 'the receipt');
    const first = await ask('one');
    expect(first).not.toBe(before[0]);
    expect(await ask('one')).toBe(first);
    expect(await ask('two')).not.toBe(before[1]);
  },
);

it('clears while nginx is started anew, and does not report it before', async () => {
  const before = await stored(path);
  process.kill(edge.nginxPid, 'SIGKILL');
  const id = edge.control.clear(ROUTE_ID);
  await edge.control.until(() => edge.control.clearReceipts.has(id), 'the receipt');
  // The first answer that comes at all.
  expect(await vi.waitFor(() => get(path), 10_000)).not.toBe(before);
  await edge.ready();
});

it('goes on behind what it has cleared when the agent is started anew, and owes its receipts', async () => {
  const before = await stored(path);
  edge.control.refusesClearReceipts = true;
  const id = edge.control.clear(ROUTE_ID);
  await vi.waitFor(async () => expect(await get(path)).not.toBe(before), { timeout: 10_000 });
  await edge.killAgent();
  edge.control.refusesClearReceipts = false;
  const after = await stored(path);
  const missed = edge.control.clear(ROUTE_ID, 'urls', [`${HOST}${path}`]);
  edge.startAgent();
  await edge.control.until(
    () => edge.control.clearReceipts.has(id) && edge.control.clearReceipts.has(missed),
    'both receipts',
  );
  expect(await get(path)).not.toBe(after);
  expect(Number(edge.control.clearCursors.at(-1))).toBeGreaterThan(0);
});

it('keeps nothing of a route from before it left', async () => {
  const [id, host] = ['00000000-0000-4000-8000-0000000000c2', 'leaving.test'];
  edge.control.push(id, routeOf(id, host));
  const published = () => edge.control.receipts.filter(({ route_id }) => route_id === id).length;
  await edge.control.until(() => published() === 1, 'the route');
  const before = await stored(path, host);
  edge.control.push(id, null);
  await edge.control.until(() => published() === 2, 'the route to leave');
  edge.control.push(id, routeOf(id, host));
  await edge.control.until(() => published() === 3, 'the route to come back');
  await vi.waitFor(async () => expect(await get(path, host)).not.toBe(before), { timeout: 10_000 });
});

it('clears of one domain that are many do not keep that of another waiting', async () => {
  const [id, host] = ['00000000-0000-4000-8000-0000000000c4', 'many.test'];
  await edge.deploy(routeOf(id, host));
  const values = Array.from({ length: 1000 }, (_, at) => `/${at}-${'x'.repeat(900)}`);
  const many = Array.from({ length: 10 }, () => edge.control.clear(id, 'prefixes', values));
  const before = await stored(path);
  await edge.control.cleared(ROUTE_ID, 'tags', ['shop']);
  expect(await get(path)).not.toBe(before);
  expect(edge.control.clearReceipts.has(many.at(-1) as string)).toBe(false);
  await edge.control.until(() => many.every((one) => edge.control.clearReceipts.has(one)), 'all of them', 30_000);
});

it('who clears more prefixes of a domain than 128 kB of text clears all of it: the list stays short', async () => {
  const [id, host] = ['00000000-0000-4000-8000-0000000000c5', 'long.test'];
  await edge.deploy(routeOf(id, host));
  const prefixes = (count: number) => Array.from({ length: count }, (_, at) => `/${at}/${'%25'.repeat(990)}`);
  const before = await stored('/other', host);
  await edge.control.cleared(id, 'prefixes', prefixes(30));
  expect(await get('/other', host)).toBe(before);
  await edge.control.cleared(id, 'prefixes', prefixes(60));
  expect(await get('/other', host)).not.toBe(before);
});

it('a call holds its worker for milliseconds, however many lines it has, and says how many it has taken', async () => {
  const admin = new AdminClient(adminSocketIn(edge.runDir));
  try {
    const lines = Array.from(
      { length: 20_000 },
      (): RunnerClear => ({ route_id: randomUUID(), kind: 'tag', value: 'shop', soft: false }),
    );
    const { taken } = await admin.postClears(lines);
    expect(taken).toBeGreaterThan(0);
    expect(taken).toBeLessThan(lines.length);
    const before = await stored(path);
    const last: RunnerClear = { route_id: ROUTE_ID, kind: 'tag', value: 'shop', soft: false };
    expect((await admin.postClears([last, ...lines])).taken).toBeLessThan(lines.length);
    expect(await get(path)).not.toBe(before);
  } finally {
    admin.close();
  }
});

it('gives up what was cleared one by one of the route that has most of it, where the memory is full, and nothing of others', async () => {
  const [bigId, big] = ['00000000-0000-4000-8000-0000000000c3', 'big.test'];
  const small = await startEdge({
    routes: [routeOf(ROUTE_ID, HOST), routeOf(bigId, big)],
    environment: { CORDON_EDGE_CLEARS_MB: '1' },
  });
  try {
    const body = async (name: string, at: string) => (await small.request(name, { path: at })).body;
    // Of what it may have missed, at its start.
    const kept = await body(HOST, '/kept');
    const cleared = await body(HOST, '/cleared');
    await small.control.cleared(ROUTE_ID, 'urls', [`${HOST}/cleared`]);
    const again = await body(HOST, '/cleared');
    expect(again).not.toBe(cleared);
    const of = (from: number) => Array.from({ length: 4000 }, (_, at) => `${big}/${from + at}`);
    for (const from of [0, 4000, 8000]) await small.control.cleared(bigId, 'urls', of(from));
    expect(await body(HOST, '/kept')).toBe(kept);
    expect(await body(HOST, '/cleared')).toBe(again);
    const last = await body(HOST, '/last');
    await small.control.cleared(ROUTE_ID, 'urls', [`${HOST}/last`, `${HOST}/cleared`]);
    expect(await body(HOST, '/last')).not.toBe(last);
    expect(await body(HOST, '/cleared')).not.toBe(again);
    await vi.waitFor(async () => expect(await small.metrics()).toMatch(/clears_widened [1-9]/), { timeout: 5000 });
    const old = await body(big, '/8001');
    await small.control.cleared(bigId, 'urls', [`${big}/8001`]);
    expect(await body(big, '/8001')).not.toBe(old);
  } finally {
    await small.stop();
  }
});
