import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { cachePlugin } from './testing/caching.ts';
import { startOrigin, type TestOrigin } from './testing/origin.ts';
import { testRoute, testTarget, testUpstream } from './testing/routes.ts';
import { startEdge, type TestEdge } from './testing/start-edge.ts';

/** What visitors change by unsafe methods (RFC 9111 4.4), where they change more than a node keeps one by one. */
const URLS_MAX = 20;
const OTHER = 'other.test';
const OTHER_ID = randomUUID();

let edge: TestEdge;
let origin: TestOrigin;
let host = '';
let routeId = '';
/** By path: what the origin has of it now. */
const versions = new Map<string, number>();
let isDown = false;

const routeOf = (id: string, name: string, obeys = false) =>
  testRoute({
    id,
    hosts: [name],
    upstream: testUpstream([testTarget(origin.port)]),
    plugins: [cachePlugin('advance-proxy-cache', { enable_cache_control: obeys })],
  });

beforeAll(async () => {
  origin = await startOrigin((request, response) => {
    const path = request.url ?? '';
    const version = (versions.get(path) ?? 0) + (request.method === 'GET' ? 0 : 1);
    versions.set(path, version);
    if (isDown) {
      response.writeHead(503).end();
      return;
    }
    response.setHeader('Cache-Control', 'max-age=3600, stale-while-revalidate=3600, stale-if-error=3600');
    if (path.startsWith('/tagless')) {
      response.end(`${version}`);
      return;
    }
    response.setHeader('Content-Type', path.endsWith('.mp4') ? 'video/mp4' : 'text/plain');
    const tag = `"${version}"`;
    response.setHeader('ETag', tag);
    if (request.headers['if-none-match'] === tag) {
      response.writeHead(304).end();
      return;
    }
    const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '');
    if (range)
      response.writeHead(206, { 'Content-Range': `bytes 0-${`${version}`.length - 1}/${`${version}`.length}` });
    response.end(request.method === 'GET' ? `${version}` : 'changed');
  });
  edge = await startEdge({
    routes: [routeOf(OTHER_ID, OTHER)],
    workers: 2,
    environment: { CORDON_EDGE_LIMITS: JSON.stringify({ changes_per_domain: URLS_MAX }) },
  });
});
afterAll(async () => {
  await edge?.stop();
  await origin?.stop();
});
/** A domain of which nothing has been changed yet. */
beforeEach(async () => {
  isDown = false;
  routeId = randomUUID();
  host = `${routeId}.test`;
  await edge.deploy(routeOf(routeId, host));
});

const visit = async (path: string, { at = host, method = 'GET', headers = {} as Record<string, string> } = {}) => {
  const { status, body, headers: fields } = await edge.request(at, { path, method, headers });
  return { status, body, said: String(fields['cache-status']) };
};
const askedOf = (path: string) => origin.requests.filter((request) => request.url === path);
/** What an object costs its origin from now on. */
const countedOf = (path: string) => {
  const before = askedOf(path).length;
  return () => askedOf(path).slice(before);
};

async function stored(path: string, at = host): Promise<void> {
  versions.set(path, 1);
  await visit(path, { at });
  await vi.waitFor(async () => expect((await visit(path, { at })).said).toContain('hit'), { timeout: 10_000 });
}

/** Has as many URLs stored and changed as are kept one by one, and one more; each when it is just about to be in its place. */
async function changeTooMany(kind = '/many'): Promise<void> {
  for (let at = 0; at <= URLS_MAX; at++) {
    const path = `${kind}-${randomUUID()}${kind === '/film' ? '.mp4' : ''}`;
    await visit(path);
    await visit(path, { method: 'POST' });
  }
}

describe('RFC 9111 4.4, of more URLs than are kept one by one', () => {
  it('none that was changed serves without having been validated', async () => {
    await stored('/first');
    await visit('/first', { method: 'POST' });
    await changeTooMany();
    const { body, said } = await visit('/first');
    expect([body, said]).toEqual(['2', expect.stringContaining('fwd=')]);
    await vi.waitFor(async () => expect((await visit('/first')).said).toContain('hit'), { timeout: 10_000 });
  });

  it('what was not changed is validated once, and not fetched again', async () => {
    await stored('/page');
    const asked = countedOf('/page');
    await changeTooMany();
    const first = await visit('/page');
    expect([first.body, first.said]).toEqual(['1', expect.stringContaining('fwd=stale; fwd-status=304')]);
    await vi.waitFor(async () => expect((await visit('/page')).said).toContain('hit'), { timeout: 10_000 });
    const count = asked().length;
    for (let at = 0; at < 10; at++) expect((await visit('/page')).said).toContain('hit');
    expect(asked()).toHaveLength(count);
    expect(new Set(asked().map((request) => request.headers['if-none-match']))).toEqual(new Set(['"1"']));
  });

  it('a look says that it is stale, for everybody', async () => {
    await stored('/page');
    await changeTooMany();
    const { objects } = await edge.control.look({
      ...{ route_id: routeId, scheme: 'http', host, target: '/page', path: '/page', headers: [] },
    });
    const { fresh_until = 0, ...said } = objects.identity ?? {};
    expect(fresh_until).toBeLessThanOrEqual(Date.now() / 1000);
    expect(said).toMatchObject({ stale_while_revalidate_until: fresh_until, stale_if_error_until: fresh_until });
    expect((await visit('/page')).said).toContain('fwd-status=304');
  });

  it('what cannot be validated is fetched', async () => {
    await stored('/tagless');
    versions.set('/tagless', 5);
    await changeTooMany();
    expect((await visit('/tagless')).body).toBe('5');
  });

  it('nothing serves stale before, neither while it is validated nor while its origin fails, nor to who would take it', async () => {
    await edge.deploy(routeOf(routeId, host, true));
    for (const path of ['/busy', '/failing', '/obeyed']) await stored(path);
    await changeTooMany();
    versions.set('/busy', 2);
    expect((await visit('/busy')).body).toBe('2');
    isDown = true;
    expect((await visit('/failing')).status).toBe(503);
    expect((await visit('/obeyed', { headers: { 'cache-control': 'max-stale=3600' } })).status).toBe(503);
    isDown = false;
    expect((await visit('/failing')).body).toBe('1');
  });

  it('the same holds after nginx was started anew', async () => {
    for (const path of ['/kept', '/changed']) await stored(path);
    await visit('/changed', { method: 'POST' });
    await changeTooMany();
    const pid = edge.nginxPid;
    process.kill(pid, 'SIGKILL');
    await vi.waitFor(() => expect(edge.nginxPid).not.toBe(pid), { timeout: 10_000 });
    await edge.ready();
    const changed = await vi.waitFor(() => visit('/changed'), { timeout: 10_000 });
    expect(changed.body).toBe('2');
    expect((await visit('/kept')).said).toContain('fwd-status=304');
  });

  it('what was cleared stays so, and what was cleared of other domains is no more', async () => {
    for (const path of ['/cleared', '/other/cleared', '/other/kept'])
      await stored(path, path === '/cleared' ? host : OTHER);
    await edge.control.cleared(routeId, 'urls', [`${host}/cleared`]);
    await edge.control.cleared(OTHER_ID, 'urls', [`${OTHER}/other/cleared`]);
    await changeTooMany();
    const cleared = countedOf('/cleared');
    expect((await visit('/cleared')).said).toContain('fwd=uri-miss');
    expect(cleared().map((request) => request.headers['if-none-match'])).toEqual([undefined]);
    expect((await visit('/other/cleared', { at: OTHER })).said).toContain('fwd=uri-miss');
    expect((await visit('/other/kept', { at: OTHER })).said).toContain('hit');
  });

  it('large files are counted by themselves: pages change none of them, and they change no pages', async () => {
    for (const path of ['/page', '/film.mp4']) await stored(path);
    await changeTooMany();
    expect((await visit('/film.mp4')).said).toContain('hit');
    await visit('/page');
    await vi.waitFor(async () => expect((await visit('/page')).said).toContain('hit'), { timeout: 10_000 });
    await changeTooMany('/film');
    expect((await visit('/page')).said).toContain('hit');
    versions.set('/film.mp4', 2);
    expect((await visit('/film.mp4')).body).toBe('2');
  });
});
