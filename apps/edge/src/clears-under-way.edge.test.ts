import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { cachePlugin } from './testing/caching.ts';
import { startOrigin, type TestOrigin } from './testing/origin.ts';
import { testRoute, testTarget, testUpstream } from './testing/routes.ts';
import { startEdge, type TestEdge } from './testing/start-edge.ts';

/** What is under way while the cache is cleared, and what is known of it where others have much under way. */

/** Room for less than two hundred notes, of which a fetch has two. */
const NOTES_BYTES = 32_768;
const FETCHES = 150;
const OTHER = 'other.test';

let origin: TestOrigin;
let edge: TestEdge;
let host = '';
let routeId = '';
/** Answers whose bodies are not whole yet. */
let held: ServerResponse[] = [];
/** The next answers are held after their heads, or before them. */
let holds: 'body' | 'head' | undefined;
let version = 1;

const routeOf = (id: string, name: string) =>
  testRoute({
    id,
    hosts: [name],
    // What is held is held until the test lets it go, also on a slow machine.
    upstream: testUpstream([testTarget(origin.port)], { read_timeout_ms: 60_000 }),
    plugins: [cachePlugin('advance-proxy-cache', {})],
  });

beforeAll(async () => {
  origin = await startOrigin((_, response) => {
    const text = `${version}`;
    response.setHeader('Content-Type', 'text/plain');
    // What is held stays fresh once it is there.
    response.setHeader('Cache-Control', `max-age=${holds === 'body' ? 600 : 1}, stale-while-revalidate=600`);
    response.setHeader('Cache-Tag', 'shop');
    response.setHeader('Content-Length', String(text.length + 1));
    if (holds !== 'head') response.write(`${text}`);
    if (holds === undefined) response.end('.');
    else held.push(response);
  });
  edge = await startEdge({
    routes: [routeOf(randomUUID(), OTHER)],
    workers: 2,
    environment: { CORDON_EDGE_LIMITS: JSON.stringify({ fetch_notes_bytes: NOTES_BYTES }) },
  });
});
afterAll(async () => {
  for (const response of held) response.destroy();
  await edge?.stop();
  await origin?.stop();
});
beforeEach(async () => {
  version = 1;
  holds = undefined;
  routeId = randomUUID();
  host = `${routeId}.test`;
  await edge.deploy(routeOf(routeId, host));
});

const visit = async (path = '/page', name = host) => {
  const { body, headers } = await edge.request(name, { path });
  return { body, said: String(headers['cache-status']) };
};

function release(responses: readonly ServerResponse[]): void {
  for (const response of responses) response.end(response.headersSent ? '.' : '1.');
  held = held.filter((response) => !responses.includes(response));
}

/** What is stored is stale, and a newer answer to it has begun to come. */
async function beginRefresh(): Promise<ServerResponse> {
  expect((await visit()).body).toBe('1.');
  await delay(2100);
  holds = 'body';
  expect((await visit()).said).toContain('hit');
  await vi.waitFor(() => expect(held).toHaveLength(1), { timeout: 10_000 });
  // The node has its head.
  await delay(100);
  holds = undefined;
  version = 2;
  return held[0] as ServerResponse;
}

/** Has the other domain fetch many objects, none of which comes. */
async function fillNotes(): Promise<Promise<unknown>[]> {
  holds = 'head';
  const before = held.length;
  const visits = Array.from({ length: FETCHES }, () => visit(`/${randomUUID()}`, OTHER));
  await vi.waitFor(() => expect(held.length).toBeGreaterThanOrEqual(before + 90), { timeout: 10_000 });
  holds = undefined;
  await vi.waitFor(async () => expect((await visit(`/${randomUUID()}`)).said).toContain('detail=no_room'), {
    timeout: 10_000,
  });
  return visits;
}

it.each([
  ['prefixes', '/page'],
  ['tags', 'shop'],
] as const)('an answer that has begun to come before a clear by %s serves nobody after it', async (kind, value) => {
  const old = await beginRefresh();
  await edge.control.cleared(routeId, kind, [value]);
  // Each worker has judged what there is by then.
  for (let at = 0; at < 10; at++) expect((await visit()).body).toBe('2.');
  release([old]);
  await delay(200);
  for (let at = 0; at < 10; at++) expect((await visit()).body).toBe('2.');
});

it('after a soft clear it serves while a newer one is fetched, and no longer', async () => {
  const old = await beginRefresh();
  await edge.control.cleared(routeId, 'tags', ['shop'], true);
  for (let at = 0; at < 10; at++) expect((await visit()).body).toBe('1.');
  release([old]);
  await vi.waitFor(async () => expect((await visit()).body).toBe('2.'), { timeout: 5000 });
});

it('so it is where another domain has more under way than there is room to note', async () => {
  const old = await beginRefresh();
  const others = await fillNotes();
  await edge.control.cleared(routeId, 'tags', ['shop']);
  for (let at = 0; at < 10; at++) expect((await visit()).body).toBe('2.');
  release([old]);
  await delay(200);
  for (let at = 0; at < 10; at++) expect((await visit()).body).toBe('2.');
  release(held);
  await Promise.all(others);
});

it('what cannot be noted is passed on and not stored, and stored once there is room again', async () => {
  const others = await fillNotes();
  for (let at = 0; at < 3; at++) {
    const { body, said } = await visit();
    expect(body).toBe('1.');
    expect(said).toContain('fwd=uri-miss');
    expect(said).toContain('detail=no_room');
  }
  while (held.length > 0) {
    release(held);
    await delay(50);
  }
  await Promise.all(others);
  await vi.waitFor(async () => expect((await visit()).said).toContain('hit'), { timeout: 5000 });
});

it('a slow answer does not take the place of a newer one, which its visitor gets', async () => {
  holds = 'head';
  const slow = visit();
  await vi.waitFor(() => expect(held).toHaveLength(1), { timeout: 10_000 });
  holds = undefined;
  version = 2;
  await delay(1100);
  // Nobody waits for what was asked for before a clear, whatever that means.
  await edge.control.cleared(routeId, 'tags', ['other']);
  await vi.waitFor(
    async () => expect(await visit()).toMatchObject({ body: '2.', said: expect.stringContaining('hit') }),
    { timeout: 10_000 },
  );
  release(held);
  expect((await slow).body).toBe('2.');
  for (let at = 0; at < 10; at++) expect((await visit()).body).toBe('2.');
});
