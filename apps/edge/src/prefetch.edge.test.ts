import { randomUUID } from 'node:crypto';
import { type EdgePrefetch, edgePrefetchReport } from '@cordon/contract/edge-config';
import { definitions } from '@cordon/plugins/definitions';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { startOrigin, type TestOrigin } from './testing/origin.ts';
import { testRoute, testTarget, testUpstream } from './testing/routes.ts';
import { secureRequest } from './testing/secure-request.ts';
import { startEdge, type TestEdge } from './testing/start-edge.ts';

/** URLs that the control plane has a node fetch, until visitors meet them in its cache. */

const HOST = 'prefetched.test';
const SECOND = 'second.prefetched.test';
const VARIED = 'varied.test';
const COVERED = 'covered.test';
let origin: TestOrigin;
let edge: TestEdge;
/** Requests at the origin: scheme, host, URL, and what makes variants. */
let asked: string[] = [];
let open = 0;
let openMax = 0;
let waitMs = 0;
let count = 0;
/** Answers that wait until the test lets them go. */
let held: (() => void)[] = [];

const configOf = (plugin: string, config: object) =>
  definitions.find(({ name }) => name === plugin)?.schema.parse(config) as Record<string, unknown>;
const cache = (config: object = {}) => ({
  name: 'advance-proxy-cache',
  config: configOf('advance-proxy-cache', config),
});
const blocked = {
  name: 'ip-restriction',
  config: { allow: [], deny: ['0.0.0.0/0'], whitelistMode: false, blacklistMode: true, allow_spiders: false },
};
const routes = {
  plain: testRoute({ hosts: [HOST, SECOND], plugins: [cache()] }),
  varied: testRoute({
    hosts: [VARIED],
    plugins: [cache({ key: { by_device: true, languages: ['en', 'zh-CN'] } })],
  }),
  covered: testRoute({
    hosts: [COVERED],
    plugins: [blocked, { name: 'proxy-cache', config: configOf('proxy-cache', { cache_paths: ['/static'] }) }],
  }),
};

beforeAll(async () => {
  origin = await startOrigin((request, response) => {
    const url = request.url ?? '';
    const { 'accept-encoding': encoding, 'user-agent': agent = '', 'accept-language': language } = request.headers;
    const device = /iPhone|iPad|Windows/.exec(agent)?.[0];
    asked.push(
      [request.headers['x-forwarded-proto'], request.headers.host + url, encoding, device, language].join(' '),
    );
    open++;
    openMax = Math.max(openMax, open);
    response.on('close', () => open--);
    const answer = () => {
      const status = Number(/^\/status\/(\d+)/.exec(url)?.[1] ?? 200);
      response.writeHead(status, {
        'content-type': 'text/plain',
        'cache-control': url.startsWith('/private') ? 'private' : 'max-age=3600',
        ...(url.startsWith('/cookie') ? { 'set-cookie': 'a=b' } : {}),
      });
      response.end(`answer ${++count}`);
    };
    if (url.startsWith('/held')) held.push(answer);
    else setTimeout(answer, waitMs);
  });
  const upstream = testUpstream([testTarget(origin.port)]);
  edge = await startEdge({ routes: Object.values(routes).map((route) => ({ ...route, upstream })) });
});
afterAll(async () => {
  for (const answer of held.splice(0)) answer();
  await edge?.stop();
  await origin?.stop();
});
beforeEach(() => {
  asked = [];
  openMax = 0;
  waitMs = 0;
});

type Url = EdgePrefetch['urls'][number];
const path = (target: string, scheme: Url['scheme'] = 'http', host: string | null = HOST): Url => ({
  scheme,
  host,
  target,
});
const unique = () => `/${randomUUID()}`;
const prefetch = (urls: Url[], more: Partial<EdgePrefetch> = {}) =>
  edge.control.prefetch({ route_id: routes.plain.id, urls, ...more });
const done = async (urls: Url[], more: Partial<EdgePrefetch> = {}) => edge.control.prefetched(prefetch(urls, more));
const visit = (target: string, host = HOST, headers: Record<string, string> = {}) =>
  edge.request(host, { path: target, headers });
const counts = (values: object) => ({ ...{ kept: 0, fresh: 0, unkept: 0, failed: 0, problems: [] }, ...values });

describe('a prefetch', () => {
  it('has visitors of all names and both schemes meet what it names, as browsers ask for it', async () => {
    const target = `${unique()}?b=1&a=2`;
    const report = await done([path(target, null, null)], { hosts: [HOST, SECOND] });
    expect(report).toMatchObject({ state: 'done', ...counts({ kept: 4 }) });
    expect(edgePrefetchReport.safeParse(report).success).toBe(true);
    expect(asked.map((one) => one.split(' Windows')[0]).sort()).toEqual([
      `http ${HOST}${target} gzip`,
      `http ${SECOND}${target} gzip`,
      `https ${HOST}${target} br, gzip`,
      `https ${SECOND}${target} br, gzip`,
    ]);
    asked = [];
    const answer = await visit(target, SECOND, { 'accept-encoding': 'gzip, deflate' });
    expect(answer.headers['cache-status']).toMatch(/^Cordon; hit; ttl=\d+$/);
    const secure = await secureRequest(edge.httpsPort, HOST, {
      path: target,
      headers: { 'accept-encoding': 'gzip, deflate, br, zstd' },
    });
    expect(secure.headers['cache-status']).toMatch(/^Cordon; hit/);
    expect(asked).toEqual([]);
  });

  it('leaves what is fresh as it is, unless it is to be fetched again', async () => {
    const target = unique();
    const headers = { 'accept-encoding': 'gzip' };
    const before = (await visit(target, HOST, headers)).body;
    expect(await done([path(target)])).toMatchObject(counts({ fresh: 1 }));
    expect((await visit(target, HOST, headers)).body).toBe(before);
    expect(asked).toHaveLength(1);
    expect(await done([path(target)], { refresh: true })).toMatchObject(counts({ kept: 1 }));
    const after = await visit(target, HOST, headers);
    expect(after.body).not.toBe(before);
    expect(after.headers['cache-status']).toMatch(/^Cordon; hit/);
    expect(asked).toHaveLength(2);
  });

  it('asks as each device in each language that has objects of its own', async () => {
    const target = unique();
    const key = { devices: ['mobile' as const, 'tablet' as const, 'desktop' as const], languages: ['en', 'zh-CN'] };
    const report = await done([path(target, 'http', VARIED)], { route_id: routes.varied.id, ...key });
    expect(report).toMatchObject(counts({ kept: 6 }));
    const variants = ['Windows', 'iPad', 'iPhone'].flatMap((device) => [`${device} en`, `${device} zh-CN`]);
    expect(asked.map((one) => one.split('gzip ')[1]).sort()).toEqual(variants);
    const phone = await visit(target, VARIED, {
      'accept-encoding': 'gzip',
      'user-agent': 'Mozilla/5.0 (Linux; Android 15) Mobile',
      'accept-language': 'zh-CN,zh;q=0.9',
    });
    expect(phone.headers['cache-status']).toMatch(/^Cordon; hit/);
  });

  it('passes what would stop a visitor, and says in a word why something was not kept', async () => {
    const names = [unique(), unique()];
    const urls = [path(`/static${names[0]}`, 'http', COVERED), path(`/elsewhere${names[1]}.html`, 'http', COVERED)];
    expect(await done(urls, { route_id: routes.covered.id })).toMatchObject({
      ...counts({ kept: 1, unkept: 1 }),
      problems: [
        {
          url: `http://${COVERED}/elsewhere${names[1]}.html`,
          device: null,
          language: null,
          status: 200,
          reason: 'path',
        },
      ],
    });
    const other = await done([path('/private'), path('/cookie'), path('/status/404'), path('/status/503', 'https')]);
    expect(other).toMatchObject(counts({ unkept: 2, failed: 2, problems: expect.anything() }));
    const reasons = other.problems?.map(({ url, status, reason }) => [url, status, reason]).sort();
    expect(reasons).toEqual([
      [`http://${HOST}/cookie`, 200, 'set_cookie'],
      [`http://${HOST}/private`, 200, 'private'],
      [`http://${HOST}/status/404`, 404, ''],
      [`https://${HOST}/status/503`, 503, ''],
    ]);
  });

  it('tells the first 50 problems, and counts all', async () => {
    const urls = Array.from({ length: 60 }, (_, at) => path(`/private/${at}`));
    const report = await done(urls);
    expect([report.unkept, report.problems?.length]).toEqual([60, 50]);
  });

  it('has four requests open at most, whatever was asked of it, and takes turns between domains', async () => {
    waitMs = 30;
    const many = prefetch(Array.from({ length: 40 }, (_, at) => path(`${unique()}/${at}`)));
    const more = prefetch(Array.from({ length: 10 }, (_, at) => path(`${unique()}/${at}`)));
    await vi.waitFor(() => expect(asked.length).toBeGreaterThan(4), { timeout: 10_000 });
    const other = prefetch([path(`/static${unique()}`, 'http', COVERED)], { route_id: routes.covered.id });
    await edge.control.prefetched(other);
    expect(asked.length).toBeLessThan(40);
    const reports = await Promise.all([many, more].map((id) => edge.control.prefetched(id)));
    expect(reports.map(({ kept }) => kept)).toEqual([40, 10]);
    expect(openMax).toBe(4);
    const told = edge.control.prefetchReports.filter(({ id }) => id === many);
    expect(told.length).toBeGreaterThan(1);
    // Twice a second at most.
    const gaps = told.slice(1).map((one, at) => one.receivedAt - (told[at]?.receivedAt ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThan(400);
  });

  it('asks for nothing more once it is cancelled', async () => {
    held = [];
    const urls = Array.from({ length: 20 }, (_, at) => path(`/held${unique()}/${at}`));
    const id = prefetch(urls);
    await vi.waitFor(() => expect(held).toHaveLength(4), { timeout: 10_000 });
    edge.control.endPrefetch(id);
    // What comes behind it in the stream is done: so is the end.
    const next = prefetch([path('/status/404')]);
    for (const answer of held.splice(0)) answer();
    await edge.control.prefetched(next);
    expect(asked.filter((one) => one.includes('/held'))).toHaveLength(4);
    expect(edge.control.prefetchReports.some((one) => one.id === id && one.state !== 'running')).toBe(false);
  });

  it('comes in parts, and is over with the last of them', async () => {
    const id = randomUUID();
    const [first, last] = [unique(), unique()];
    prefetch([path(first)], { id, parts: 2 });
    await edge.control.until(
      () => edge.control.prefetchReports.some((one) => one.id === id && one.kept === 1),
      'the first part',
    );
    expect(edge.control.prefetchReports.findLast((one) => one.id === id)?.state).toBe('running');
    prefetch([path(last)], { id, part: 1, parts: 2 });
    expect(await edge.control.prefetched(id)).toMatchObject(counts({ kept: 2 }));
  });

  it('is of the version that the node has by then', async () => {
    const [id, host] = [randomUUID(), 'deployed.test'];
    const upstream = testUpstream([testTarget(origin.port)]);
    const target = unique();
    await edge.deploy(testRoute({ id, hosts: [host], upstream, version: 1 }));
    await edge.deploy(testRoute({ id, hosts: [host], upstream, version: 2, plugins: [cache()] }));
    const report = await done([path(target, 'http', host)], { route_id: id });
    expect(report).toMatchObject(counts({ kept: 1 }));
    expect((await visit(target, host, { 'accept-encoding': 'gzip' })).headers['cache-status']).toMatch(/; hit/);
  });

  it('of a domain that the node does not serve fails, and reaches no other', async () => {
    const report = await done([path(unique())], { route_id: randomUUID() });
    expect(report).toMatchObject(counts({ failed: 1, problems: [expect.objectContaining({ status: 0 })] }));
    expect(asked).toEqual([]);
  });

  it('goes on where it was when nginx is started anew', async () => {
    waitMs = 20;
    const id = prefetch(Array.from({ length: 60 }, (_, at) => path(`${unique()}/${at}`)));
    await vi.waitFor(() => expect(asked.length).toBeGreaterThan(8), { timeout: 10_000 });
    process.kill(edge.nginxPid, 'SIGKILL');
    const report = await edge.control.prefetched(id);
    expect(report.state).toBe('done');
    expect(report.kept + report.fresh + report.failed).toBe(60);
    expect(report.failed).toBeLessThanOrEqual(8);
    await edge.ready();
  });
});
