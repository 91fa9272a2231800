import { readdirSync, readFileSync, statSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { slowdown } from '../../../tests/support/slowness.ts';
import { fetchSocketIn } from './agent/run-dir.ts';
import { cachePlugin } from './testing/caching.ts';
import { startOrigin, type TestOrigin } from './testing/origin.ts';
import { testRoute, testTarget, testUpstream } from './testing/routes.ts';
import { startEdge, type TestEdge } from './testing/start-edge.ts';

/** Visitors who have validated what is stored and fresh, where directives of requests are obeyed (RFC 9111 5.2.1.4). */
const HOST = 'refreshed.test';
let edge: TestEdge;
let origin: TestOrigin;
const answers = new Map<string, (request: IncomingMessage, response: ServerResponse) => unknown>();

beforeAll(async () => {
  origin = await startOrigin((request, response) => answers.get(request.url ?? '')?.(request, response));
  edge = await startEdge({
    workers: 2,
    routes: [
      testRoute({
        hosts: [HOST],
        upstream: testUpstream([testTarget(origin.port)]),
        plugins: [cachePlugin('advance-proxy-cache', { enable_cache_control: true, content_type: [] })],
      }),
    ],
  });
});
afterAll(async () => {
  await edge?.stop();
  await origin?.stop();
});

const visit = (path: string, headers: Record<string, string> = {}) => edge.request(HOST, { path, headers });
const refresh = (path: string, headers: Record<string, string> = {}) =>
  visit(path, { 'Cache-Control': 'no-cache', ...headers });
const asked = (path: string) => origin.requests.filter(({ url }) => url === path);
const statusOf = ({ headers }: Awaited<ReturnType<typeof visit>>) => String(headers['cache-status']);

function serve(path: string, answer: (request: IncomingMessage, response: ServerResponse, count: number) => unknown) {
  answers.set(path, (request, response) => answer(request, response, asked(path).length));
  return path;
}

/** An object with an entity tag, which is valid for ever. */
const lasting =
  (body: string, headers: (count: number) => Record<string, string> = () => ({})) =>
  (request: IncomingMessage, response: ServerResponse, count: number) => {
    const fields = { 'Cache-Control': 'max-age=60', ETag: '"a"', ...headers(count) };
    const isValid = request.headers['if-none-match'] === '"a"';
    response.writeHead(isValid ? 304 : 200, fields).end(isValid ? undefined : body);
  };

/** Files of the cache for a URL: their numbers on the disk. */
function inodesOf(path: string): number[] {
  const folder = join(edge.dir, 'logs', 'cache');
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  return files
    .filter((file) => readFileSync(file).subarray(0, 1024).includes(`${HOST}${path}\n`))
    .map((file) => statSync(file).ino);
}

/** Asks for it, and waits until it is stored. */
async function store(path: string): Promise<void> {
  await visit(path);
  await vi.waitFor(async () => expect(statusOf(await visit(path))).toContain('hit'), { timeout: 10_000 });
}

/** Requests that the fetching server has, which wait there for their turn or for the origin. */
const fetching = () =>
  readFileSync('/proc/net/unix', 'utf8')
    .split('\n')
    .filter((line) => line.endsWith(` ${fetchSocketIn(edge.runDir)}`) && line.includes(` ${CONNECTED} `)).length;
const CONNECTED = '03';

it('a crowd of them costs the origin two requests', async () => {
  let answerFirst = () => {};
  const path = serve('/crowd', async (_, response, count) => {
    if (count === 2)
      await new Promise<void>((resolve) => {
        answerFirst = resolve;
      });
    response.writeHead(200, { 'Cache-Control': 'max-age=60' }).end(`answer ${count}`);
  });
  await store(path);
  const others = fetching();
  const crowd = Array.from({ length: 60 }, () => refresh(path));
  await vi.waitFor(() => expect([asked(path).length, fetching() - others]).toEqual([2, 60]), { timeout: 10_000 });
  answerFirst();
  const got = await Promise.all(crowd);
  expect(asked(path)).toHaveLength(3);
  for (const { body } of got) expect(body).toMatch(/^answer [23]$/);
  const said = got.map(statusOf);
  expect(said.filter((status) => status.startsWith('Cordon; fwd=request; collapsed; stored; ttl='))).toHaveLength(58);
  expect(said.filter((status) => status.startsWith('Cordon; fwd=request; fwd-status=200; stored; ttl='))).toHaveLength(
    2,
  );
  expect(await visit(path)).toMatchObject({ body: 'answer 3' });
});

it('none gets what the origin has said before it came', async () => {
  let text = 'old';
  const path = serve('/published', async (_, response, count) => {
    const said = text;
    await delay(count === 1 ? 0 : 600);
    response.writeHead(200, { 'Cache-Control': 'max-age=60' }).end(said);
  });
  await store(path);
  const first = refresh(path);
  await vi.waitFor(() => expect(asked(path)).toHaveLength(2), { timeout: 10_000 });
  text = 'new';
  const others = await Promise.all([refresh(path), refresh(path), refresh(path)]);
  expect((await first).body).toBe('old');
  expect(others.map(({ body }) => body)).toEqual(['new', 'new', 'new']);
  expect(asked(path)).toHaveLength(3);
});

it.each([
  ['1 MiB', 1024 * 1024],
  ['12 MiB', 12 * 1024 * 1024],
])('what is still valid is not copied: of %s', async (_, bytes) => {
  const body = 'x'.repeat(bytes);
  const path = serve(`/valid-${bytes}`, lasting(body));
  await store(path);
  await delay(3100);
  const before = inodesOf(path);
  const got = await refresh(path);
  expect(statusOf(got)).toMatch(/^Cordon; fwd=request; fwd-status=304; stored; ttl=(60|59)$/);
  // Of what is stored, it would be three.
  expect(got.headers.age).toMatch(/^[01]$/);
  expect(got.body === body).toBe(true);
  expect(asked(path).at(-1)?.headers['if-none-match']).toBe('"a"');
  expect(inodesOf(path)).toEqual(before);
  expect(before).toHaveLength(1);
  expect(statusOf(await visit(path))).toMatch(/^Cordon; hit; ttl=(60|59)$/);
});

it.each([1024, 12 * 1024 * 1024])('new fields of a validation go out with the body: of %d bytes', async (bytes) => {
  const path = serve(
    `/renamed-${bytes}`,
    lasting('x'.repeat(bytes), (count) => ({ 'X-Count': `${count}` })),
  );
  await store(path);
  const got = await refresh(path);
  expect(got.body).toHaveLength(bytes);
  expect(Number(got.headers['x-count'])).toBeGreaterThan(1);
  await vi.waitFor(async () => expect((await visit(path)).headers['x-count']).toBe(got.headers['x-count']), {
    timeout: 10_000,
  });
});

it('a validation after which it is not fresh is answered, too', async () => {
  const path = serve(
    '/ending',
    lasting('body', (count) => ({ 'Cache-Control': count === 1 ? 'max-age=60' : 'max-age=0' })),
  );
  await store(path);
  expect(await refresh(path)).toMatchObject({ status: 200, body: 'body' });
});

it('who is answered by another variant is not given one that nobody has asked for', async () => {
  const path = serve('/varied', async (request, response) => {
    if (request.headers['cache-control'] === 'no-cache') await delay(300);
    response
      .writeHead(200, { 'Cache-Control': 'max-age=60', Vary: 'X-Kind' })
      .end(`${request.headers['x-kind']} ${asked(path).length}`);
  });
  for (const kind of ['a', 'b']) await visit(path, { 'X-Kind': kind });
  await delay(100);
  const got = await Promise.all(['a', 'b', 'a', 'b'].map((kind) => refresh(path, { 'X-Kind': kind })));
  expect(got.map(({ body }) => body[0])).toEqual(['a', 'b', 'a', 'b']);
  for (const { body } of got) expect(Number(body.slice(2))).toBeGreaterThan(2);
});

it('where the origin fails, all are told so at once', async () => {
  const path = serve('/failing', async (_, response, count) => {
    if (count > 1) await delay(300);
    response.writeHead(count === 1 ? 200 : 503, count === 1 ? { 'Cache-Control': 'max-age=60' } : {}).end('answer');
  });
  await store(path);
  const began = performance.now();
  const got = await Promise.all(Array.from({ length: 10 }, () => refresh(path)));
  expect(got.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 503));
  expect((performance.now() - began) / slowdown()).toBeLessThan(2500);
});

it('the row of one whose object was still valid says so', async () => {
  const path = serve('/logged', lasting('body'));
  await store(path);
  await refresh(path);
  const row = await edge.control.row((one) => one.path === path && one.cache === 'bypass', 'its row');
  expect(row).toMatchObject({
    cache_reason: 'request',
    upstream_status: 304,
    upstream_address: `127.0.0.1:${origin.port}`,
  });
});
