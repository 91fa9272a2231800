import { createHmac, randomBytes } from 'node:crypto';
import { definitions } from '@cordon/plugins/definitions';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AdminClient } from './agent/admin-client.ts';
import { type OwnVisit, OwnVisits } from './agent/own-visits.ts';
import { adminSocketIn } from './agent/run-dir.ts';
import { toRunnerSettings } from './agent/runner-route.ts';
import { startOrigin, type TestOrigin } from './testing/origin.ts';
import { testRoute, testSettings, testTarget, testUpstream } from './testing/routes.ts';
import { startEdge, type TestEdge } from './testing/start-edge.ts';

/** Requests of the node's own, past all plugins and into the cache. */

const KEY = 'key-of-the-visits';
const HOST = 'visited.test';
const UNPROVED = 'unproved.test';
const VISITOR = '45.10.20.9';
let edge: TestEdge;
let origin: TestOrigin;
let visits: OwnVisits;
let count = 0;
/** What the origin was asked: path, and what it is not to be told. */
let asked: string[] = [];

const caches = definitions
  .find(({ name }) => name === 'advance-proxy-cache')
  ?.schema.parse({ enable_cache_control: false }) as Record<string, unknown>;
const guarded = testRoute({
  hosts: [HOST, { name: UNPROVED, verified: false }],
  plugins: [
    {
      name: 'ip-restriction',
      config: { allow: [], deny: ['0.0.0.0/0'], whitelistMode: false, blacklistMode: true, allow_spiders: false },
    },
    { name: 'challenge', config: { mode: 'js', path: '^/', pass_time: '30m' } },
    { name: 'advance-proxy-cache', config: caches },
  ],
});
const open = testRoute({ hosts: ['open.test'], plugins: [{ name: 'advance-proxy-cache', config: caches }] });
const other = testRoute({ hosts: ['other.test'] });

beforeAll(async () => {
  origin = await startOrigin((request, response) => {
    const internal = Object.keys(request.headers).filter((name) => /^cordon-(?!country)/.test(name));
    asked.push([request.url, request.headers['x-forwarded-for'], ...internal].join(' '));
    if (request.url === '/silent') return;
    response.writeHead(200, { 'content-type': 'text/plain', 'cache-control': 'max-age=3600', 'x-secret': 'kept' });
    response.end(`answer ${++count}`);
  });
  const upstream = testUpstream([testTarget(origin.port)]);
  edge = await startEdge({ routes: [guarded, open, other].map((route) => ({ ...route, upstream })) });
  const admin = new AdminClient(adminSocketIn(edge.runDir));
  await admin.putSettings(toRunnerSettings(testSettings(), KEY));
  admin.close();
  visits = new OwnVisits('127.0.0.1', edge.httpPort, edge.httpsPort, KEY);
});

afterAll(async () => {
  visits?.close();
  await edge?.stop();
  await origin?.stop();
});

const visit = (target: string, more: Partial<OwnVisit> = {}, timeoutMs = 10_000) =>
  visits.visit(
    { routeId: open.id, host: 'open.test', scheme: 'http', target, headers: [], isRefresh: false, ...more },
    timeoutMs,
  );
const visitGuarded = (target: string, more: Partial<OwnVisit> = {}) =>
  visit(target, { routeId: guarded.id, host: HOST, ...more });
const unique = () => `/a/${randomBytes(4).toString('hex')}`;

describe('a visit of the node', () => {
  it.each(['http', 'https'] as const)('is stored as any other over %s, and serves visitors', async (scheme) => {
    const target = unique();
    const first = await visit(target, { scheme });
    expect(first).toMatchObject({
      status: 200,
      headers: { 'cache-status': 'Cordon; fwd=uri-miss; fwd-status=200; stored; ttl=3600', 'x-secret': 'kept' },
    });
    expect(first.bytes).toBe(`answer ${count}`.length);
    expect((await visit(target, { scheme })).headers['cache-status']).toMatch(/^Cordon; hit; ttl=\d+$/);
    // A visitor's is another key over TLS only.
    const expected = scheme === 'http' ? /^Cordon; hit/ : /^Cordon; fwd=uri-miss/;
    expect((await edge.request('open.test', { path: target })).headers['cache-status']).toMatch(expected);
  });

  it.each([HOST, UNPROVED])('of %s passes what stops every visitor, and tells the origin of nobody', async (host) => {
    const target = unique();
    asked = [];
    expect(await edge.request(host, { path: target, from: VISITOR })).toMatchObject({
      status: host === HOST ? 403 : 421,
    });
    expect(asked).toEqual([]);
    const first = await visitGuarded(target, { host });
    expect(first).toMatchObject({ status: 200, bytes: `answer ${count}`.length });
    expect((await visitGuarded(target, { host })).headers['cache-status']).toMatch(/^Cordon; hit/);
    expect(asked).toEqual([`${target} 192.0.2.1`]);
  });

  it('leaves no row of the log, and none is missed', async () => {
    const target = unique();
    await visit(target);
    await visit(target);
    await visitGuarded(target);
    // The row of a later request is there once those before it are.
    const last = await edge.request('open.test', { path: `${target}/last` });
    await edge.control.row(({ request_id }) => request_id === last.headers['x-request-id']);
    expect(edge.control.rows.filter(({ path }) => path === target)).toEqual([]);
    expect(await edge.metrics()).toMatch(/log_rows_dropped 0\n/);
  });

  it('asks the origin for what is fresh where it is to, and what comes takes its place', async () => {
    const target = unique();
    await visit(target);
    const before = (await edge.request('open.test', { path: target })).body;
    const again = await visit(target, { isRefresh: true });
    expect(again.headers['cache-status']).toBe('Cordon; fwd=request; fwd-status=200; stored; ttl=3600');
    const after = await edge.request('open.test', { path: target });
    expect(after.headers['cache-status']).toMatch(/^Cordon; hit/);
    expect(after.body).not.toBe(before);
  });

  it('is over when its time is, with no status', async () => {
    expect(await visit('/silent', {}, 300)).toMatchObject({ status: 0, headers: {}, bytes: 0 });
  });
});

interface Mark {
  readonly route?: string;
  readonly expiry?: number;
  readonly key?: string;
  readonly use?: string;
}

function mark({ route = guarded.id, expiry = Date.now() / 1000 + 10, key = KEY, use = 'visit' }: Mark = {}) {
  const text = `${route}~${Math.floor(expiry)}~${randomBytes(12).toString('hex')}~0`;
  return `${text}~${createHmac('sha256', key).update(`${use} ${text}`).digest('hex')}`;
}

describe('the mark of a visit', () => {
  const send = (host: string, value: string) =>
    edge.request(host, { path: unique(), from: VISITOR, headers: { 'Cordon-Visit': value } });

  it('that is good holds once', async () => {
    const good = mark();
    expect(await send(HOST, good)).toMatchObject({ status: 200 });
    asked = [];
    expect(await send(HOST, good)).toMatchObject({ status: 503, body: '' });
    expect(asked).toEqual([]);
  });

  it.each([
    ['forged', () => mark({ key: 'another key' })],
    ['without a signature', () => mark().replace(/[^~]*$/, '')],
    ['made to refresh', () => mark().replace('~0~', '~1~')],
    ["a test attack's", () => mark({ use: 'test' })],
  ])('that is %s leaves an ordinary visitor', async (_, value) => {
    const text = value();
    expect(await send(HOST, text)).toMatchObject({ status: 403 });
    asked = [];
    expect(await send('open.test', text)).toMatchObject({ status: 200 });
    expect(asked).toEqual([expect.stringMatching(new RegExp(`^/a/[0-9a-f]+ ${VISITOR}$`))]);
  });

  it.each([
    ['late', HOST, () => mark({ expiry: Date.now() / 1000 - 1 })],
    ['of too long a time', HOST, () => mark({ expiry: Date.now() / 1000 + 3600 })],
    ['for another route', 'other.test', () => mark()],
  ])('that is good but %s is refused, and no origin is asked', async (_, host, value) => {
    asked = [];
    expect(await send(host, value())).toMatchObject({ status: 503, body: '' });
    expect(asked).toEqual([]);
  });
});
