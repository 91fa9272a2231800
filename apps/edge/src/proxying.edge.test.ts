import { once } from 'node:events';
import type { Socket } from 'node:net';
import { FORWARDING_FIELDS } from '@cordon/plugin-kit/request-fields';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { slowdown } from '../../../tests/support/slowness.ts';
import { startOrigin, type TestOrigin } from './testing/origin.ts';
import { sendRaw } from './testing/raw.ts';
import { testRoute, testTarget, testUpstream } from './testing/routes.ts';
import { DEMO_SECRET, startEdge, type TestEdge } from './testing/start-edge.ts';

let edge: TestEdge;
let origin: TestOrigin;

const DATE = 'Mon, 02 Nov 2026 08:00:00 GMT';

/** Header fields of the last request as they came, by name in lower case. */
const seen = () => origin.requests.at(-1)?.headers ?? {};

beforeAll(async () => {
  origin = await startOrigin((request, response) => {
    if (request.url === '/accel') {
      response.setHeader('X-Accel-Redirect', '/other');
      response.setHeader('X-Accel-Buffering', 'yes');
      response.setHeader('X-Accel-Charset', 'koi8-r');
      response.setHeader('X-Accel-Expires', '100');
      response.setHeader('X-Accel-Limit-Rate', '1');
      response.setHeader('X-Request-Id', 'of-the-origin');
      response.setHeader('Content-Type', 'text/plain');
    }
    if (request.url === '/dated') response.setHeader('Date', DATE);
    if (request.url?.startsWith('/fields')) {
      // More than nginx keeps in one piece.
      for (let at = 0; at < 20; at++) response.setHeader(`X-Field-${at}`, String(at));
      response.setHeader('X-Accel-Internal', '/x');
      response.setHeader('x-accel-mapping', '1');
      response.setHeader('X-ACCEL', '1');
      response.setHeader('X-Acceleration', 'stays');
      response.setHeader('X-Hop', '1');
      response.setHeader('X-Other-Hop', '1');
      for (const name of ['Proxy-Connection', 'TE', 'Upgrade', 'Keep-Alive']) response.setHeader(name, 'x');
      response.setHeader('Connection', ['X-Hop', 'close, x-other-hop, content-length']);
      response.setHeader('Content-Length', '6');
      response.setHeader('Content-Type', 'text/plain');
      if (request.url === '/fields-hinted') response.writeEarlyHints({ link: '</a.css>; rel=preload' });
      return void response.end('fields');
    }
    response.end(`origin ${request.method} ${request.url}`);
  });
  edge = await startEdge({
    routes: [
      testRoute({ hosts: ['site.test'], upstream: testUpstream([testTarget(origin.port)]) }),
      testRoute({ hosts: ['hinting.test'], upstream: testUpstream([testTarget(origin.port)]) }),
      testRoute({
        hosts: ['counted.test'],
        upstream: testUpstream([testTarget(origin.port)], { connection_limit: 9 }),
      }),
    ],
  });
});

afterAll(async () => {
  await edge?.stop();
  await origin?.stop();
});

describe('a request', () => {
  it('reaches its origin with its path and query untouched', async () => {
    const answer = await edge.request('site.test', { path: '/a%20b/../c//d?e=f%2F' });
    expect(answer).toMatchObject({ status: 200, body: 'origin GET /a%20b/../c//d?e=f%2F' });
  });

  it('keeps its slashes in a row on its way to the origin', async () => {
    const answer = await edge.request('site.test', { path: '//a///b/%2F/' });
    expect(answer).toMatchObject({ status: 200, body: 'origin GET //a///b/%2F/' });
  });

  it('tells the origin who asks, by fields that only the edge can set', async () => {
    const answer = await edge.request('site.test', {
      headers: {
        'X-Forwarded-For': '8.8.8.8',
        'X-Real-IP': '8.8.8.8',
        'X-Forwarded-Proto': 'https',
        'X-Forwarded-Host': 'evil.test',
        'X-Forwarded-Anything': 'evil',
        'X-Request-Id': 'mine',
        'Cordon-Country': 'XX',
        'Cordon-Preview': 'x',
        'Cordon-Whatever': 'x',
        'X-Accel-Internal': '/x',
        Forwarded: 'for=8.8.8.8',
        Proxy: 'http://evil.test',
        TE: 'trailers',
        'Accept-Language': 'fr',
      },
    });
    expect(seen()).toMatchObject({
      host: 'site.test',
      'x-forwarded-for': '127.0.0.1',
      'x-real-ip': '127.0.0.1',
      'x-forwarded-proto': 'http',
      'x-forwarded-host': 'site.test',
      'accept-language': 'fr',
      'cdn-loop': 'cordon',
    });
    expect(seen()['x-request-id']).toMatch(/^[0-9a-f]{32}$/);
    expect(answer.headers['x-request-id']).toBe(seen()['x-request-id']);
    for (const name of ['cordon-country', 'cordon-preview', 'cordon-whatever', 'x-accel-internal', 'forwarded'])
      expect(seen()).not.toHaveProperty(name);
    for (const name of ['proxy', 'te', 'x-forwarded-anything']) expect(seen()).not.toHaveProperty(name);
  });

  it.each([
    ...FORWARDING_FIELDS.filter((name) => name !== 'x-real-ip'),
    ...['CF-Connecting-IP', 'X-ORIGINAL-URL', 'Wl-Proxy-Client-Ip', 'X-Host', 'X-Forwarded-Port'],
    ...['Cordon-', 'Cordon--abcdef', 'Cordon--Country'],
  ])('cannot tell the origin another client or path than the edge has judged, by %s', async (name) => {
    const kept = {
      'x-original-filename': 'stays',
      'x-request-url': 'stays',
      'cf-ray': 'stays',
      'client-id': 'stays',
      'true-client-id': 'stays',
      'x-http-method-override': 'PUT',
      'x-requested-with': 'stays',
    };
    await edge.request('site.test', { headers: { [name]: '/admin', ...kept } });
    expect(seen()).toMatchObject(kept);
    expect(seen()).not.toHaveProperty(name.toLowerCase());
  });

  it('has an identifier of its own, in all workers', async () => {
    const before = origin.requests.length;
    for (let round = 0; round < 24; round++)
      await Promise.all(Array.from({ length: 50 }, () => edge.request('site.test')));
    const ids = origin.requests.slice(before).map(({ headers }) => headers['x-request-id']);
    expect(ids).toHaveLength(1200);
    expect(new Set(ids).size).toBe(1200);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{32}$/);
  });

  it('loses a field of ours alone, whatever its length', async () => {
    for (const name of ['Cordon-A', 'Cordon-Abc', 'Cordon-Abcdefgh']) {
      await edge.request('site.test', { headers: { [name]: 'mine' } });
      expect(seen()).not.toHaveProperty(name.toLowerCase());
    }
  });

  it('loses the fields that its Connection names, but none that it must keep', async () => {
    await edge.request('site.test', {
      headers: {
        Connection: 'close, X-Hop, Cookie, Upgrade',
        'X-Hop': '1',
        Cookie: 'a=b',
        Upgrade: 'h2c',
        'HTTP2-Settings': 'AA',
      },
    });
    expect(seen()).not.toHaveProperty('x-hop');
    expect(seen()).not.toHaveProperty('upgrade');
    expect(seen()).not.toHaveProperty('http2-settings');
    expect(seen().cookie).toBe('a=b');
  });

  it('names the host without port, letter case and trailing dot', async () => {
    expect((await edge.request(`SITE.test.:${edge.httpPort}`)).status).toBe(200);
    expect(seen().host).toBe('site.test');
  });

  it('with too many fields is refused', async () => {
    const many = Object.fromEntries(Array.from({ length: 250 }, (_, at) => [`x-f-${at}`, '1']));
    const answer = await edge.request('site.test', { headers: many });
    expect(answer.status).toBe(400);
  });
});

describe('the client address', () => {
  it('is not taken from X-Forwarded-For without the demo secret', async () => {
    await edge.request('site.test', { headers: { 'X-Forwarded-For': '203.0.113.7', 'Cordon-Demo-Secret': 'guessed' } });
    expect(seen()['x-forwarded-for']).toBe('127.0.0.1');
  });

  it('is taken from it with the demo secret, which goes no further', async () => {
    await edge.request('site.test', { from: '1.1.1.1, 8.8.8.8', country: 'DE' });
    expect(seen()).toMatchObject({ 'x-forwarded-for': '8.8.8.8', 'x-real-ip': '8.8.8.8', 'cordon-country': 'DE' });
    expect(JSON.stringify(origin.requests.at(-1)?.rawHeaders)).not.toContain(DEMO_SECRET);
  });

  it('is canonical', async () => {
    await edge.request('site.test', { from: '::FFFF:8.8.4.4' });
    expect(seen()['x-real-ip']).toBe('8.8.4.4');
    await edge.request('site.test', { from: '2001:4860:0:0::8888' });
    expect(seen()['x-real-ip']).toBe('2001:4860::8888');
  });

  it('gives the country', async () => {
    await edge.request('site.test', { from: '8.8.8.8' });
    expect(seen()['cordon-country']).toBe('US');
  });
});

describe('an origin', () => {
  it('cannot steer this nginx by X-Accel fields', async () => {
    const answer = await edge.request('site.test', { path: '/accel' });
    expect(answer).toMatchObject({ status: 200, body: 'origin GET /accel' });
    expect(Object.keys(answer.headers).filter((name) => name.startsWith('x-accel'))).toEqual([]);
    expect(answer.headers['content-type']).toBe('text/plain');
    expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f]{32}$/);
  });
});

it.each(['site.test', 'counted.test', 'hinting.test'])('an answer has the Date of its origin: %s', async (host) => {
  const { headers } = await edge.request(host, { path: '/dated' });
  expect(headers.date).toBe(DATE);
});

it('fields that a second Connection names go no further either', async () => {
  const raw = `GET / HTTP/1.1\r\nHost: site.test\r\nX-Second-Hop: 1\r\nConnection: close\r\nConnection: x-second-hop\r\n\r\n`;
  expect(await sendRaw(edge.httpPort, raw)).toMatch(/^HTTP\/1.1 200 /);
  expect(seen()).not.toHaveProperty('x-second-hop');
});

describe('fields of an origin for this hop only', () => {
  const expectOthersOnly = async (host: string, path: string) => {
    const { status, headers, body } = await edge.request(host, { path });
    expect({ status, body }).toEqual({ status: 200, body: 'fields' });
    const own = Object.keys(headers).filter((name) => !/^x-field-\d+$/.test(name));
    const ours = ['connection', 'date', 'server', 'x-request-id'];
    expect(own.sort()).toEqual([...ours, 'content-length', 'content-type', 'x-acceleration'].sort());
    expect(headers).toMatchObject({ 'x-field-0': '0', 'x-field-19': '19', connection: 'close' });
  };

  it('reach no visitor', () => expectOthersOnly('site.test', '/fields'));
  it('reach no visitor of a domain whose requests are counted', () => expectOthersOnly('counted.test', '/fields'));
  it('reach no visitor by way of an origin that sends hints', async () => {
    expect((await edge.request('hinting.test', { path: '/fields-hinted' })).status).toBe(307);
    await expectOthersOnly('hinting.test', '/fields-hinted');
  });
});

describe('CDN-Loop', () => {
  it('is extended', async () => {
    await edge.request('site.test', { headers: { 'CDN-Loop': 'other-cdn; v=1' } });
    expect(seen()['cdn-loop']).toBe('other-cdn; v=1, cordon');
  });

  it('refuses what has been here before, also in a second field', async () => {
    const before = origin.requests.length;
    expect((await edge.request('site.test', { headers: { 'CDN-Loop': 'other, Cordon; x=1' } })).status).toBe(508);
    const raw = 'GET / HTTP/1.1\r\nHost: site.test\r\nCDN-Loop: a\r\ncdn-loop: cordon\r\nConnection: close\r\n\r\n';
    expect(await sendRaw(edge.httpPort, raw)).toMatch(/^HTTP\/1.1 508 /);
    expect(origin.requests.length).toBe(before);
  });

  it('refuses it behind thousands of others, too', async () => {
    const before = origin.requests.length;
    expect((await edge.request('site.test', { headers: { 'CDN-Loop': `${'a,'.repeat(7900)}cordon` } })).status).toBe(
      508,
    );
    expect(origin.requests.length).toBe(before);
  });
});

it('RFC 9112 9.3.1: a connection that is idle is closed before common origins close it, so that no POST meets that moment', async () => {
  origin.server.keepAliveTimeout = 60_000;
  await edge.request('site.test', { path: '/idle' });
  const at = performance.now();
  await once(origin.requests.at(-1)?.socket as Socket, 'close');
  expect(performance.now() - at).toBeGreaterThan(2_000);
  expect((performance.now() - at) / slowdown()).toBeLessThan(4_900);
});
