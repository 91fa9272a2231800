import { createHmac } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { connect as connectHttp2 } from 'node:http2';
import { request as httpsRequest } from 'node:https';
import type { EdgeRoute } from '@cordon/contract/edge-config';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cachePlugin } from './testing/caching.ts';
import { startOrigin, type TestOrigin } from './testing/origin.ts';
import { readChallenge, solve } from './testing/prove.ts';
import { sendRaw } from './testing/raw.ts';
import { testRoute, testSettings, testTarget, testUpstream } from './testing/routes.ts';
import { startEdge, type TestEdge } from './testing/start-edge.ts';

/** A domain that is met over HTTPS only: visitors are sent there, and browsers are told to come by it from then on (RFC 6797). */

const YEAR = 'max-age=31536000; includeSubDomains; preload';
const OF_ORIGIN = 'max-age=1';
const BLOCKED = '45.10.20.9';
const ACCEPTS_HTML = { Accept: 'text/html' };
const https = { force: true, hsts: YEAR };

const deny = {
  name: 'ip-restriction',
  config: { allow: [], deny: [BLOCKED], whitelistMode: false, blacklistMode: true, allow_spiders: false },
};
const asking = { name: 'challenge', config: { mode: 'js', path: '^/account', pass_time: '30m' } };
const ownPage = {
  name: 'custom-error-page',
  config: { error_403: 'https://pages.example/403' },
  resolved: { pages: [{ status: 403, contentType: 'text/html; charset=utf-8', body: 'own page' }] },
};
const adding = {
  name: 'response-transformer',
  config: { add: { headers: [{ name: 'Strict-Transport-Security', value: 'max-age=2' }] } },
};
const leading = { name: 'redirect', config: { redirect_url: 'https://new.test/', preserve_path: false } };

const forced = testRoute({
  hosts: ['forced.test', { name: 'unproved.test', verified: false }],
  plugins: [deny, asking],
});
let edge: TestEdge;
let origin: TestOrigin;

beforeAll(async () => {
  origin = await startOrigin((request, response) => {
    response.setHeader('Strict-Transport-Security', OF_ORIGIN);
    if (request.url?.startsWith('/kept'))
      response.setHeader('Cache-Control', 'max-age=60').setHeader('Content-Type', 'text/css');
    response.end(request.url === '/large' ? 'x'.repeat(300_000) : 'origin');
  });
  const upstream = testUpstream([testTarget(origin.port)]);
  const told = (host: string, plugins: EdgeRoute['plugins'] = [], more: object = {}) =>
    testRoute({ hosts: [host], upstream, plugins, https, ...more });
  edge = await startEdge({
    routes: [
      { ...forced, upstream, https: { force: true } },
      testRoute({ hosts: ['free.test'], upstream }),
      testRoute({ hosts: ['off.test'], upstream, https, off: 'deactivated' }),
      told('told.test', [deny, asking], {
        hosts: ['told.test', 'unproved-told.test'].map((name) => ({ name, verified: name === 'told.test' })),
      }),
      told('cached.test', [cachePlugin('proxy-cache', { cache_paths: ['/'] })]),
      told('paged.test', [deny, ownPage]),
      told('added.test', [adding]),
      told('led.test', [leading], { traffic_action: 'redirect', upstream: null }),
      told('down.test', [], { upstream: testUpstream([testTarget(9)]) }),
      told('limited.test', [], { upstream: { ...upstream, connection_limit: 5 } }),
      told('forgotten.test', [], { https: { force: false, hsts: 'max-age=0' } }),
    ],
    environment: { CORDON_TRUSTED_PROXIES: '127.0.0.2/32' },
  });
});
afterAll(async () => {
  await edge?.stop();
  await origin?.stop();
});

const raw = (head: string, body = '') => sendRaw(edge.httpPort, `${head}\r\nConnection: close\r\n\r\n${body}`);
const statusOf = (text: string) => Number(/^HTTP\/1.1 (\d+)/.exec(text)?.[1]);
const locationOf = (text: string) => /^location: (.*)\r$/im.exec(text)?.[1];
/** Where a request with this first line and Host is sent; its status where it is sent nowhere. */
async function sentTo(target: string, host = 'forced.test', method = 'GET') {
  const text = await raw(`${method} ${target} HTTP/1.1\r\nHost: ${host}`);
  return locationOf(text) ?? statusOf(text);
}

interface Met {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}
function overTls(host: string, path = '/', headers: Record<string, string> = {}, method = 'GET'): Promise<Met> {
  return new Promise((resolve, reject) => {
    const call = httpsRequest(
      {
        ...{ host: '127.0.0.1', port: edge.httpsPort, servername: host, rejectUnauthorized: false, agent: false },
        ...{ path, method, headers: { host, ...headers } },
      },
      (response) => {
        let body = '';
        response.on('data', (part) => {
          body += part;
        });
        response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }));
        response.on('error', reject);
      },
    );
    call.on('error', reject);
    call.end();
  });
}
function overHttp2(host: string, path = '/'): Promise<{ status: unknown; hsts: unknown; location: unknown }> {
  return new Promise((resolve, reject) => {
    const session = connectHttp2(`https://127.0.0.1:${edge.httpsPort}`, {
      rejectUnauthorized: false,
      servername: host,
    });
    session.on('error', reject);
    const stream = session.request({ ':path': path, ':authority': host });
    stream.on('response', (fields) => {
      const { ':status': status, 'strict-transport-security': hsts, location } = fields;
      session.destroy();
      resolve({ status, hsts, location });
    });
    stream.on('error', reject);
    stream.end();
  });
}
const asVisitor = (address: string) => ({
  'Cordon-Demo-Secret': 'demo-secret-of-the-tests',
  'X-Forwarded-For': address,
});

describe('a visitor without TLS', () => {
  it('is sent to the same address with it, for an hour, and the log says why', async () => {
    const before = origin.requests.length;
    const answer = await edge.request('forced.test', { path: '/a/%2F?b=c%20d&e' });
    expect(answer).toMatchObject({
      status: 301,
      headers: { location: 'https://forced.test/a/%2F?b=c%20d&e', 'cache-control': 'max-age=3600' },
    });
    expect(answer.headers).not.toHaveProperty('strict-transport-security');
    expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f]{32}$/);
    const row = await edge.control.row(({ request_id }) => request_id === answer.headers['x-request-id']);
    expect(row).toMatchObject({
      plugin: '',
      action: 'redirect',
      reason: 'force_https',
      status: 301,
      upstream_address: '',
    });
    expect(row.route_id).toBe(forced.id);
    expect(origin.requests).toHaveLength(before);
  });

  it.each([
    ['GET', 301],
    ['HEAD', 301],
    ['POST', 308],
    ['PUT', 308],
    ['DELETE', 308],
    ['OPTIONS', 308],
  ])('by %s is answered with %i', async (method, status) => {
    const text = await raw(`${method} /form HTTP/1.1\r\nHost: forced.test`);
    expect([statusOf(text), locationOf(text)]).toEqual([status, 'https://forced.test/form']);
  });

  it('leaves nothing of a body behind on the connection', async () => {
    const smuggled = 'GET /smuggled HTTP/1.1\r\nHost: forced.test\r\n\r\n';
    const chunked = `${smuggled.length.toString(16)}\r\n${smuggled}\r\n0\r\n\r\n`;
    for (const [framing, body] of [
      [`Content-Length: ${smuggled.length}`, smuggled],
      ['Transfer-Encoding: chunked', chunked],
      [`Expect: 100-continue\r\nContent-Length: ${smuggled.length}`, smuggled],
    ]) {
      const text = await sendRaw(
        edge.httpPort,
        `POST /first HTTP/1.1\r\nHost: forced.test\r\n${framing}\r\n\r\n${body}GET /second HTTP/1.1\r\nHost: forced.test\r\nConnection: close\r\n\r\n`,
      );
      expect([...text.matchAll(/^location: https:\/\/forced.test(.*)\r$/gim)].map(([, path]) => path)).toEqual([
        '/first',
        '/second',
      ]);
    }
  });

  it('is led to the port of this node only where the port of its HTTP was written', async () => {
    expect(await sentTo('/x', `forced.test:${edge.httpPort}`)).toBe(`https://forced.test:${edge.httpsPort}/x`);
    expect(await sentTo('/x', `FORCED.test:${edge.httpPort}`)).toBe(`https://forced.test:${edge.httpsPort}/x`);
    expect(await sentTo('/x', 'forced.test:80')).toBe('https://forced.test/x');
    expect(await sentTo('/x', 'forced.test:9')).toBe('https://forced.test/x');
    expect(await sentTo('/x', `forced.test.:${edge.httpPort}`)).toMatch(/^https:\/\/forced\.test(:\d+)?\/x$/);
  });

  it('cannot be led to another host, and no header field can be written', async () => {
    expect(await sentTo('//evil.test')).toBe('https://forced.test//evil.test');
    expect(await sentTo('/\\evil.test')).toBe('https://forced.test/\\evil.test');
    expect(await sentTo('/%0d%0aX-Own:%201')).toBe('https://forced.test/%0d%0aX-Own:%201');
    expect(await sentTo('http://forced.test/a?x=1')).toBe('https://forced.test/a?x=1');
    expect(await sentTo('http://forced.test?x=1')).toMatch(/^https:\/\/forced\.test\/?\?x=1$/);
    // The target names the host, whatever the field says; a port in the field is of that one.
    expect(await sentTo('http://forced.test/a', 'evil.test')).toBe('https://forced.test/a');
    expect(await sentTo('http://forced.test/a', `evil.test:${edge.httpPort}`)).toBe('https://forced.test/a');
    expect(await sentTo('http://evil.test/a')).toBe(421);
    expect(await sentTo('/a', 'forced.test@evil.test')).toBe(400);
    expect(await sentTo('@evil.test')).toBe(400);
    expect(await sentTo('http://forced.test@evil.test/')).toBe(400);
    expect(await sentTo(`http://forced.test:${edge.httpPort}@evil.test/`)).toBe(400);
    expect(await sentTo('/a#b')).toBe(400);
    expect(await sentTo('/', 'forced.test\r\nHost: evil.test')).toBe(400);
  });

  it('is sent there before any plugin has a say, and is refused there', async () => {
    expect(await edge.request('forced.test', { from: BLOCKED })).toMatchObject({ status: 301 });
    expect(await overTls('forced.test', '/', asVisitor(BLOCKED))).toMatchObject({ status: 403 });
  });

  it('of a domain without it, or that is off, is not', async () => {
    expect(await edge.request('free.test')).toMatchObject({ status: 200, body: 'origin' });
    expect((await edge.request('off.test')).status).toBe(503);
  });

  it('is no longer as soon as it is switched off, and again when it is on', async () => {
    const route = testRoute({ hosts: ['switched.test'], upstream: testUpstream([testTarget(origin.port)]) });
    const statusWith = async (now: object | undefined) => {
      await edge.deploy(now === undefined ? route : { ...route, https: { force: true } });
      return (await edge.request('switched.test')).status;
    };
    expect([await statusWith(undefined), await statusWith({}), await statusWith(undefined)]).toEqual([200, 301, 200]);
  });
});

describe('is not sent to HTTPS', () => {
  it('who comes by it', async () => {
    expect(await overTls('forced.test')).toMatchObject({ status: 200, body: 'origin' });
    expect(await overHttp2('forced.test')).toMatchObject({ status: 200 });
  });

  it('who has come by it to a trusted proxy, and nobody else who says so', async () => {
    const headers = { 'X-Forwarded-Proto': 'https' };
    expect((await edge.request('forced.test', { headers })).status).toBe(301);
    const text = await sendRaw(
      edge.httpPort,
      'GET / HTTP/1.1\r\nHost: forced.test\r\nX-Forwarded-Proto: https\r\nConnection: close\r\n\r\n',
      400,
      '127.0.0.2',
    );
    expect(statusOf(text)).toBe(200);
  });

  it('who issues certificates; from where the path leads elsewhere, everybody', async () => {
    const path = '/.well-known/acme-challenge/token';
    expect(await edge.request('forced.test', { path })).toMatchObject({ status: 200, body: 'origin' });
    for (const other of [
      '/.well-known/acme-challenge/../../x',
      '/.well-known/acme-challenge/%2e%2e/%2e%2e/x',
      '/.well-known/acme-challenges/x',
      '/.well-known/acme-challenge',
    ])
      expect(await sentTo(other), other).toBe(`https://forced.test${other}`);
  });

  it('a proof of a page that was shown without TLS; its path alone is like any', async () => {
    const page = await overTls('forced.test', '/account', { ...ACCEPTS_HTML, ...asVisitor('198.41.128.7') });
    const asked = readChallenge(page);
    const proof = await edge.request('forced.test', {
      method: 'POST',
      path: asked.path,
      from: '198.41.128.7',
      headers: { 'Cordon-Proof': solve(asked) },
    });
    expect(proof).toMatchObject({ status: 200, body: expect.stringContaining('true') });
    expect(await sentTo(asked.path)).toBe(`https://forced.test${asked.path}`);
  });

  it('a probe, a test attack, or a preview', async () => {
    const probe = { path: '/.well-known/cordon/probe', headers: { 'Cordon-Probe': testSettings().probe_key } };
    expect((await edge.request('forced.test', probe)).status).toBe(200);
    expect((await edge.request('forced.test', { ...probe, headers: { 'Cordon-Probe': 'wrong' } })).status).toBe(301);
    const [result] = await edge.control.runTest({
      route_id: forced.id,
      host: 'forced.test',
      requests: [{ method: 'GET', target: '/', headers: [], address: BLOCKED, country: '', times: 1 }],
    });
    expect(result).toMatchObject({ status: 403, plugin: 'ip-restriction', action: 'block' });
    const signed = `${forced.id}.${Math.floor(Date.now() / 1000) + 60}`;
    const key = Buffer.from(testSettings().preview_key, 'base64url');
    const token = `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`;
    const preview = (host: string) => edge.request(host, { headers: { 'Cordon-Preview': token } });
    expect(await preview('unproved.test')).toMatchObject({ status: 200, body: 'origin' });
    expect((await preview('forced.test')).status).toBe(301);
    expect((await edge.request('unproved.test')).status).toBe(421);
  });
});

describe('Strict-Transport-Security', () => {
  const hstsOf = ({ headers }: Met) => headers['strict-transport-security'];
  const all = async (met: Promise<Met>) => {
    const { status, headers } = await met;
    return [status, headers['strict-transport-security']];
  };

  it('is the domain’s on what origins answer, once, and without it the origin’s own', async () => {
    expect(await all(overTls('told.test'))).toEqual([200, YEAR]);
    expect(await all(overTls('told.test', '/large'))).toEqual([200, YEAR]);
    expect(await all(overTls('told.test', '/', {}, 'HEAD'))).toEqual([200, YEAR]);
    expect(await all(overTls('told.test', '/', {}, 'POST'))).toEqual([200, YEAR]);
    expect(await all(overTls('limited.test'))).toEqual([200, YEAR]);
    expect(await all(overTls('added.test'))).toEqual([200, YEAR]);
    expect(await all(overTls('free.test'))).toEqual([200, OF_ORIGIN]);
    expect(await all(overTls('forced.test'))).toEqual([200, OF_ORIGIN]);
    expect(await overHttp2('told.test')).toMatchObject({ status: 200, hsts: YEAR });
    expect(await overHttp2('free.test')).toMatchObject({ status: 200, hsts: OF_ORIGIN });
  });

  it('is on what the cache answers, and on what it fetches', async () => {
    const first = await overTls('cached.test', '/kept.css');
    expect([hstsOf(first), first.headers['cache-status']]).toEqual([YEAR, expect.stringContaining('uri-miss')]);
    await expect
      .poll(async () => (await overTls('cached.test', '/kept.css')).headers['cache-status'])
      .toMatch(/^Cordon; hit/);
    expect(await all(overTls('cached.test', '/kept.css'))).toEqual([200, YEAR]);
    expect(await overHttp2('cached.test', '/kept.css')).toMatchObject({ status: 200, hsts: YEAR });
    expect(await all(overTls('cached.test', '/other', {}, 'POST'))).toEqual([200, YEAR]);
  });

  it('is on answers of the edge’s own', async () => {
    const blocked = asVisitor(BLOCKED);
    expect(await all(overTls('told.test', '/', { ...blocked, ...ACCEPTS_HTML }))).toEqual([403, YEAR]);
    expect(await all(overTls('told.test', '/', { ...blocked, Accept: 'application/json' }))).toEqual([403, YEAR]);
    expect(await all(overTls('paged.test', '/', { ...blocked, ...ACCEPTS_HTML }))).toEqual([403, YEAR]);
    const account = { ...asVisitor('198.41.128.7'), ...ACCEPTS_HTML };
    const page = await overTls('told.test', '/account', account);
    expect([page.status, hstsOf(page)]).toEqual([403, YEAR]);
    expect(page.headers).toHaveProperty('cordon-challenge');
    expect(await all(overTls('led.test'))).toEqual([302, YEAR]);
    expect(await all(overTls('down.test'))).toEqual([502, YEAR]);
    expect(await all(overTls('off.test'))).toEqual([503, YEAR]);
    expect(await all(overTls('told.test', '/a#b'))).toEqual([400, YEAR]);
    expect(await overHttp2('down.test')).toMatchObject({ status: 502, hsts: YEAR });
    expect(await overHttp2('led.test')).toMatchObject({ status: 302, hsts: YEAR, location: 'https://new.test/' });
  });

  it('is never sent without TLS, or under a name that is not proved', async () => {
    const path = '/.well-known/acme-challenge/token';
    const answer = await edge.request('told.test', { path });
    expect([answer.status, answer.headers['strict-transport-security']]).toEqual([200, OF_ORIGIN]);
    const limited = await edge.request('limited.test', { path });
    expect([limited.status, limited.headers['strict-transport-security']]).toEqual([200, OF_ORIGIN]);
    for (const host of ['told.test', 'off.test', 'unproved-told.test'])
      expect(await raw(`GET / HTTP/1.1\r\nHost: ${host}`)).not.toMatch(/strict-transport/i);
    expect(await all(overTls('unproved-told.test'))).toEqual([421, undefined]);
  });

  it('can tell browsers to forget, while HTTP is open again', async () => {
    expect(await all(overTls('forgotten.test'))).toEqual([200, 'max-age=0']);
    expect((await edge.request('forgotten.test')).status).toBe(200);
  });
});
