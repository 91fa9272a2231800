import { afterAll, beforeAll, expect, it } from 'vitest';
import { startOrigin, type TestOrigin } from './testing/origin.ts';
import { sendRaw } from './testing/raw.ts';
import { testRoute, testTarget, testUpstream } from './testing/routes.ts';
import { secureRequest } from './testing/secure-request.ts';
import { startEdge, type TestEdge } from './testing/start-edge.ts';

let edge: TestEdge;
let origin: TestOrigin;

const redirectTo = (redirect_url: string, preserve_path = false) => ({
  name: 'redirect',
  config: { redirect_url, preserve_path },
});
/** Refuses everybody but one address; crawlers too. */
const protection = {
  name: 'ip-restriction',
  config: { allow: ['8.8.4.4'], deny: [], whitelistMode: true, blacklistMode: false, allow_spiders: false },
};

beforeAll(async () => {
  origin = await startOrigin();
  const upstream = testUpstream([testTarget(origin.port)]);
  const plain = { traffic_action: 'redirect' as const, upstream: null };
  edge = await startEdge({
    routes: [
      testRoute({ hosts: ['bare.test'], ...plain, plugins: [redirectTo('https://new.test/base', true)] }),
      testRoute({ hosts: ['guarded.test'], ...plain, plugins: [protection, redirectTo('https://new.test/')] }),
      testRoute({ hosts: ['*.wild.test'], ...plain, plugins: [redirectTo('https://www.wild.test/', true)] }),
      testRoute({ hosts: ['www.wild.test'], upstream }),
      testRoute({ hosts: ['looping.test'], upstream, plugins: [redirectTo('https://looping.test/')] }),
    ],
  });
});
afterAll(async () => {
  await edge?.stop();
  await origin?.stop();
});

it('needs no upstream, and tells the log why', async () => {
  const answer = await edge.request('bare.test', { path: '/a?b=c' });
  expect(answer).toMatchObject({ status: 302, body: '', headers: { location: 'https://new.test/base/a?b=c' } });
  const row = await edge.control.row(({ host, path }) => host === 'bare.test' && path === '/a');
  expect(row).toMatchObject({ plugin: 'redirect', action: 'redirect', reason: 'redirected', status: 302 });
  expect(row.upstream_address).toBe('');
});

it('answers the same over TLS', async () => {
  expect(await secureRequest(edge.httpsPort, 'bare.test')).toMatchObject({ status: 302, body: '' });
});

it('comes after protection', async () => {
  const refused = await edge.request('guarded.test', { from: '9.9.9.9' });
  expect(refused.status).toBe(403);
  expect(refused.headers).not.toHaveProperty('location');
  const row = await edge.control.row(({ host, status }) => host === 'guarded.test' && status === 403);
  expect(row).toMatchObject({ plugin: 'ip-restriction', action: 'block' });
  expect(await edge.request('guarded.test', { from: '8.8.4.4' })).toMatchObject({
    status: 302,
    headers: { location: 'https://new.test/' },
  });
});

it('leads names below a wildcard to one that is a domain of its own', async () => {
  const first = await edge.request('shop.wild.test', { path: '/x' });
  expect(first).toMatchObject({ status: 302, headers: { location: 'https://www.wild.test/x' } });
  expect(await edge.request('www.wild.test', { path: '/x' })).toMatchObject({ status: 200, body: 'origin' });
});

it('breaks a loop with a page that says so, and never reaches the origin', async () => {
  const before = origin.requests.length;
  const answer = await edge.request('looping.test', { headers: { 'Accept-Language': 'en' } });
  expect(answer.status).toBe(508);
  expect(answer.body).toContain('Request loop');
  expect(origin.requests).toHaveLength(before);
  const row = await edge.control.row(({ host, status }) => host === 'looping.test' && status === 508);
  expect(row).toMatchObject({ plugin: 'redirect', action: 'block', reason: 'redirect_loop' });
});

it('cannot be made to write header fields or name another host', async () => {
  const location = async (target: string) => {
    const text = await sendRaw(edge.httpPort, `GET ${target} HTTP/1.1\r\nHost: bare.test\r\nConnection: close\r\n\r\n`);
    expect(text).not.toMatch(/^x-own:/im);
    return /^location: (.*)\r$/im.exec(text)?.[1] ?? text.split('\r\n')[0];
  };
  expect(await location('/%0d%0aX-Own:%201')).toBe('https://new.test/base/%0d%0aX-Own:%201');
  expect(await location('/a?b=%0d%0aX-Own:%201')).toBe('https://new.test/base/a?b=%0d%0aX-Own:%201');
  expect(await location('/\nX-Own: 1')).not.toContain('302');
  expect(await location('/a b')).not.toContain('302');
  expect(await location('//evil.test')).toBe('https://new.test/base//evil.test');
  expect(await location('http://bare.test')).toBe('https://new.test/base');
  expect(await location('http://bare.test?x=1')).toBe('https://new.test/base?x=1');
  expect(await location('http://bare.test/a?x=1')).toBe('https://new.test/base/a?x=1');
  expect(await location('/a#b?c')).toBe('HTTP/1.1 400 Bad Request');
});

it('leaves nothing of a body behind on the connection', async () => {
  const smuggled = 'GET /smuggled HTTP/1.1\r\nHost: bare.test\r\n\r\n';
  const text = await sendRaw(
    edge.httpPort,
    `POST /first HTTP/1.1\r\nHost: bare.test\r\nContent-Length: ${smuggled.length}\r\n\r\n${smuggled}` +
      'GET /second HTTP/1.1\r\nHost: bare.test\r\nConnection: close\r\n\r\n',
  );
  expect([...text.matchAll(/^location: .*\/base(.*)\r$/gim)].map(([, path]) => path)).toEqual(['/first', '/second']);
});
