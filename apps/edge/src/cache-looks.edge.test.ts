import { randomBytes } from 'node:crypto';
import type { EdgeLook } from '@cordon/contract/edge-config';
import { definitions } from '@cordon/plugins/definitions';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startOrigin, type TestOrigin } from './testing/origin.ts';
import { testRoute, testTarget, testUpstream } from './testing/routes.ts';
import { startEdge, type TestEdge } from './testing/start-edge.ts';

/** What a node says that it has stored of a URL. */

const HOST = 'looked.test';
const KEYED = 'keyed.test';
let edge: TestEdge;
let origin: TestOrigin;
let asked: string[] = [];

const configOf = (more: object) =>
  definitions
    .find(({ name }) => name === 'advance-proxy-cache')
    ?.schema.parse({ enable_cache_control: false, ...more }) as Record<string, unknown>;
const plain = testRoute({ hosts: [HOST], plugins: [{ name: 'advance-proxy-cache', config: configOf({}) }] });
const keyed = testRoute({
  hosts: [KEYED],
  plugins: [
    {
      name: 'advance-proxy-cache',
      config: configOf({ key: { query: 'only', query_names: ['id'], by_device: true, languages: ['en', 'de'] } }),
    },
  ],
});
const uncached = testRoute({ hosts: ['uncached.test'] });

beforeAll(async () => {
  origin = await startOrigin((request, response) => {
    const path = request.url ?? '';
    asked.push(path);
    if (path.startsWith('/film')) {
      response.writeHead(206, {
        'content-type': 'video/mp4',
        'cache-control': 'max-age=60',
        etag: '"film"',
        'content-range': 'bytes 0-9/10',
      });
      response.end('0123456789');
      return;
    }
    response.writeHead(200, {
      'content-type': path.startsWith('/odd') ? 'text/css; x="\u00e9"' : 'text/css',
      'cache-control': path.startsWith('/brief')
        ? 'max-age=0'
        : path.startsWith('/bound')
          ? 'max-age=60, must-revalidate'
          : 'max-age=60, stale-while-revalidate=30, stale-if-error=600',
      'cache-tag': 'shop, front',
      etag: '"one"',
      'last-modified': 'Mon, 01 Jun 2026 10:00:00 GMT',
      ...(path.startsWith('/varied') ? { vary: 'X-Kind' } : {}),
    });
    response.end('body { color: black }'.repeat(100));
  });
  const upstream = testUpstream([testTarget(origin.port)]);
  edge = await startEdge({ routes: [plain, keyed, uncached].map((route) => ({ ...route, upstream })) });
});
afterAll(async () => {
  await edge?.stop();
  await origin?.stop();
});

const unique = (before = '/a') => `${before}-${randomBytes(4).toString('hex')}`;
const look = (target: string, more: Partial<EdgeLook> = {}) =>
  edge.control.look({
    ...{ route_id: plain.id, scheme: 'http', host: HOST, target, path: target.split('?')[0] ?? '', headers: [] },
    ...more,
  });
const lookKeyed = (target: string, headers: EdgeLook['headers'] = []) =>
  look(target, { route_id: keyed.id, host: KEYED, headers });
const NOTHING = { br: null, gzip: null, identity: null };

describe('what is stored of a URL', () => {
  it('is nothing before anybody has asked for it, and looking does not change that', async () => {
    const target = unique();
    asked = [];
    expect(await look(target)).toEqual({ is_cached: true, query: '', device: '', language: '', objects: NOTHING });
    expect(asked).toEqual([]);
  });

  it('is said of each class of encodings, with all that is known of it', async () => {
    const target = unique('/with%20blank');
    const path = target.replace('%20', ' ');
    const before = Math.floor(Date.now() / 1000);
    await edge.request(HOST, { path: target });
    await edge.request(HOST, { path: target, headers: { 'Accept-Encoding': 'gzip, br' } });
    const { objects } = await look(target, { path: encodeURI(path) });
    const { br, gzip, identity } = objects;
    expect(gzip).toBeNull();
    expect(identity).toMatchObject({
      ...{ status: 200, content_type: 'text/css', content_encoding: '', bytes: 2100, is_sliced: false },
      ...{ tags: ['shop', 'front'], etag: '"one"', last_modified: 'Mon, 01 Jun 2026 10:00:00 GMT' },
      vary: 'Accept-Encoding',
    });
    expect(br).toMatchObject({ content_encoding: 'br', etag: 'W/"one"' });
    expect(br?.bytes).toBeLessThan(500);
    const { made_at = 0, fresh_until = 0 } = identity ?? {};
    expect(made_at).toBeGreaterThanOrEqual(before);
    expect(fresh_until - made_at).toBe(60);
    expect(identity).toMatchObject({
      stale_while_revalidate_until: fresh_until + 30,
      stale_if_error_until: fresh_until + 600,
    });
    expect((await look(target, { scheme: 'https', path: encodeURI(path) })).objects).toEqual(NOTHING);
  });

  it('is reported whatever bytes an origin has in its fields', async () => {
    const target = unique('/odd');
    await edge.request(HOST, { path: target });
    expect((await look(target)).objects.identity?.content_type).toMatch(/^text\/css; x="\?+"$/);
  });

  it('is stale at once where it has to be validated before each use', async () => {
    const target = unique('/brief');
    await edge.request(HOST, { path: target });
    const { identity } = (await look(target)).objects;
    expect(identity?.fresh_until).toBeLessThanOrEqual(Date.now() / 1000);
    expect(identity?.stale_if_error_until).toBe(identity?.fresh_until);
  });

  it('is that for the fields by which the answer varies', async () => {
    const target = unique('/varied');
    await edge.request(HOST, { path: target, headers: { 'X-Kind': 'one' } });
    const of = async (value: string) => (await look(target, { headers: [{ name: 'X-Kind', value }] })).objects.identity;
    expect(await of('one')).toMatchObject({ vary: 'X-Kind, Accept-Encoding' });
    expect(await of('two')).toBeNull();
  });

  it('is said to be there for other values of the fields by which it varies, unless it was cleared', async () => {
    const target = unique('/varied');
    const lookAs = (value: string) => look(target, { headers: [{ name: 'X-Kind', value }] });
    expect((await lookAs('two')).varies_by).toBeUndefined();
    await edge.request(HOST, { path: target, headers: { 'X-Kind': 'one' } });
    expect((await lookAs('one')).varies_by).toBeUndefined();
    expect((await lookAs('two')).varies_by).toBe('x-kind');
    await edge.control.cleared(plain.id, 'prefixes', [target]);
    expect((await lookAs('two')).varies_by).toBeUndefined();
  });

  it('is that of the part of the query that counts, of the device and of the language', async () => {
    const target = unique();
    const phone = { name: 'User-Agent', value: 'Mozilla/5.0 (iPhone) Mobile' };
    const german = { name: 'Accept-Language', value: 'de-AT, en;q=0.5' };
    await edge.request(KEYED, {
      path: `${target}?utm=1&id=7`,
      headers: { 'User-Agent': phone.value, 'Accept-Language': german.value },
    });
    expect(await lookKeyed(`${target}?utm=2&id=7`, [phone, german])).toMatchObject({
      ...{ query: 'id=7', device: 'm', language: 'de' },
      objects: { identity: { status: 200 } },
    });
    expect(await lookKeyed(`${target}?id=7`, [phone])).toMatchObject({ language: 'en', objects: NOTHING });
    expect(await lookKeyed(`${target}?id=7`, [german])).toMatchObject({ device: 'd', objects: NOTHING });
    expect((await lookKeyed(`${target}?id=8`, [phone, german])).objects).toEqual(NOTHING);
  });

  it('is the first slice of a file that comes in slices', async () => {
    const target = unique('/film').concat('.mp4');
    await edge.request(HOST, { path: target });
    expect((await look(target)).objects.identity).toMatchObject({ status: 200, bytes: 10, is_sliced: true });
    await edge.control.cleared(plain.id, 'prefixes', ['/film'], true);
    expect((await look(target)).objects).toEqual(NOTHING);
    await edge.request(HOST, { path: target });
    expect(asked.filter((path) => path === target)).toHaveLength(2);
  });

  it('is nothing of a route that keeps nothing, or that the node does not serve', async () => {
    for (const route_id of [uncached.id, '00000000-0000-4000-8000-00000000dead'])
      expect(await look('/', { route_id })).toMatchObject({ is_cached: false, objects: NOTHING });
  });

  it.each([
    ['all', () => []],
    ['urls', (target: string) => [`${HOST}${target}`]],
    ['prefixes', () => ['/a']],
    ['tags', () => ['front']],
  ] as const)(
    'is nothing any more once it is cleared by %s, though nobody has asked for it since',
    async (kind, values) => {
      const target = unique();
      await edge.request(HOST, { path: target });
      expect((await look(target)).objects.identity).not.toBeNull();
      await edge.control.cleared(plain.id, kind, [...values(target)]);
      expect((await look(target)).objects).toEqual(NOTHING);
    },
  );

  it('may not serve once it is cleared softly where its origin forbids what is stale', async () => {
    const target = unique('/bound');
    await edge.request(HOST, { path: target });
    await edge.control.cleared(plain.id, 'tags', ['shop'], true);
    const found = (await look(target)).objects.identity;
    const until = found?.fresh_until;
    expect(until).toBeLessThanOrEqual(Math.ceil(Date.now() / 1000));
    expect(found).toMatchObject({ stale_while_revalidate_until: until, stale_if_error_until: until });
    // As for the first request.
    expect((await edge.request(HOST, { path: target })).headers['cache-status']).toContain('fwd=stale');
  });

  it('is stale once it is cleared softly, and serves while it is fetched anew', async () => {
    const target = unique();
    await edge.request(HOST, { path: target });
    await edge.control.cleared(plain.id, 'tags', ['shop'], true);
    const seen = async () => {
      const { fresh_until = 0, stale_while_revalidate_until = 0 } = (await look(target)).objects.identity ?? {};
      expect(fresh_until).toBeLessThanOrEqual(Math.ceil(Date.now() / 1000));
      return stale_while_revalidate_until - fresh_until;
    };
    expect(await seen()).toBe(86_400);
    // The first request afterwards writes that down, and what it has fetched takes its place.
    expect((await edge.request(HOST, { path: target })).headers['cache-status']).toMatch(/^Cordon; hit; ttl=-?\d+/);
  });
});

describe('a fetch by the node', () => {
  it('brings what is then stored, and says what a visitor would get', async () => {
    const target = unique();
    const headers = [{ name: 'Accept-Encoding', value: 'gzip, deflate, br, zstd' }];
    const first = await look(target, { headers, fetch: { refresh: false } });
    expect(first).toMatchObject({
      objects: { br: { status: 200 }, gzip: null, identity: null },
      visit: {
        ...{
          status: 200,
          cache_status: expect.stringMatching(/^Cordon; fwd=uri-miss; fwd-status=200; stored; ttl=(60|59)$/),
        },
        ...{ cache_control: 'max-age=60, stale-while-revalidate=30, stale-if-error=600', vary: 'Accept-Encoding' },
        ...{ content_type: 'text/css', content_encoding: 'br', sets_cookie: false },
      },
    });
    expect((await look(target, { headers, fetch: { refresh: false } })).visit?.cache_status).toMatch(/^Cordon; hit/);
    asked = [];
    const again = await look(target, { headers, fetch: { refresh: true } });
    expect(again.visit?.cache_status).toMatch(/^Cordon; fwd=request/);
    expect(asked).toEqual([target]);
  });
});
