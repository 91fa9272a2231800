import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startOrigin, type TestOrigin } from './testing/origin.ts';
import { sendRaw } from './testing/raw.ts';
import { testRoute, testSettings, testTarget, testUpstream } from './testing/routes.ts';
import { secureRequest } from './testing/secure-request.ts';
import { startEdge, type TestEdge } from './testing/start-edge.ts';

let edge: TestEdge;
let origin: TestOrigin;
const unproved = testRoute({ hosts: [{ name: 'unproved.test', verified: false }], version: 7 });
const shadowed = testRoute({
  hosts: ['main.test', 'alias.test', '*.alias.test', { name: 'unproved-alias.test', verified: false }],
  version: 8,
});
const account = '11111111-1111-4111-8111-111111111111';

beforeAll(async () => {
  origin = await startOrigin((_, response) => response.end('origin'));
  const upstream = testUpstream([testTarget(origin.port)]);
  const route = (name: string, more: object = {}) => testRoute({ hosts: [name], upstream, ...more });
  edge = await startEdge({
    routes: [
      route('exact.wild.test', { version: 2 }),
      route('*.wild.test', { version: 3 }),
      route('*.deep.wild.test', { version: 4 }),
      route('*.levels.test', { version: 8, wildcard_levels: 'all' }),
      route('*.one.levels.test', { version: 9 }),
      testRoute({ hosts: ['off.test'], off: 'deactivated', version: 11 }),
      testRoute({ hosts: ['refused.test'], off: 'suspended', version: 12 }),
      route('own.test', { account_id: account, version: 5 }),
      route('sibling.test', { account_id: account, version: 6 }),
      testRoute({ hosts: ['empty.test'], brand: 'partner' }),
      { ...unproved, upstream },
      { ...shadowed, upstream },
    ],
  });
});

afterAll(async () => {
  await edge?.stop();
  await origin?.stop();
});

const probe = async (host: string, key = testSettings().probe_key) => {
  const answer = await edge.request(host, { path: '/.well-known/cordon/probe', headers: { 'Cordon-Probe': key } });
  return { status: answer.status, body: answer.body };
};
const versionOf = async (host: string) => (JSON.parse((await probe(host)).body) as { version: number }).version;

const secure = (serverName: string, host: string) => secureRequest(edge.httpsPort, host, { serverName });

describe('a name that is off', () => {
  it.each([
    ['off.test', 503, 'The owner of this site has switched it off', '网站所有者已停用此网站', 'deactivated'],
    ['refused.test', 403, 'The provider has suspended this site', '服务商已冻结此网站', 'suspended'],
  ])(
    'tells the visitors of %s so, in their language, which counts as no block',
    async (host, status, english, chinese, reason) => {
      const answer = await edge.request(host, { path: '/shop' });
      expect(answer).toMatchObject({ status, body: expect.stringContaining(english) });
      expect(answer.headers['cache-control']).toContain('no-store');
      expect((await edge.request(host, { headers: { 'accept-language': 'zh-CN' } })).body).toContain(chinese);
      const row = await edge.control.row(({ request_id }) => request_id === answer.headers['x-request-id']);
      expect(row).toMatchObject({ status, action: '', reason, plugin: '' });
      expect(row.route_id).not.toBe('');
    },
  );
});

describe('a name', () => {
  it('belongs to its exact route before a wildcard, and to the longest wildcard', async () => {
    expect(await versionOf('exact.wild.test')).toBe(2);
    expect(await versionOf('other.wild.test')).toBe(3);
    expect(await versionOf('a.deep.wild.test')).toBe(4);
    expect(await versionOf('deep.wild.test')).toBe(3);
  });

  it('below a wildcard is one label, as in certificates, unless its route takes all levels', async () => {
    const { status } = await edge.request('a.other.wild.test');
    expect(status).toBe(421);
    expect(await versionOf('a.levels.test')).toBe(8);
    expect(await versionOf('c.b.a.levels.test')).toBe(8);
    expect((await edge.request('levels.test')).status).toBe(421);
    // The nearer wildcard does not answer; the one above, which takes all levels, does.
    expect(await versionOf('a.one.levels.test')).toBe(9);
    expect(await versionOf('b.a.one.levels.test')).toBe(8);
  });

  it('that no account has is refused with 421, and a wildcard does not cover its own base', async () => {
    expect((await edge.request('unknown.test')).status).toBe(421);
    expect((await edge.request('wild.test')).status).toBe(421);
    expect((await edge.request('127.0.0.1')).status).toBe(421);
    expect((await edge.request('*.wild.test')).status).toBe(400);
  });

  it('that is none is refused with 400', async () => {
    for (const host of ['a..test', 'a%00.test', 'a b.test', `${'a'.repeat(64)}.test`, 'xn--\u00e9.test', '"own.test"'])
      expect(
        await sendRaw(edge.httpPort, `GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`),
        host,
      ).toMatch(/^HTTP\/1.1 400 /);
    expect(await sendRaw(edge.httpPort, 'GET / HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1.1 400 /);
  });

  it('in an absolute request target counts instead of Host', async () => {
    const answer = await sendRaw(
      edge.httpPort,
      'GET http://unknown.test/ HTTP/1.1\r\nHost: own.test\r\nConnection: close\r\n\r\n',
    );
    expect(answer).toMatch(/^HTTP\/1.1 421 /);
  });
});

describe('a name that is not proved', () => {
  const token = (routeId: string, expiry: number, key = testSettings().preview_key) => {
    const text = `${routeId}.${expiry}`;
    return `${text}.${createHmac('sha256', Buffer.from(key, 'base64url')).update(text).digest('base64url')}`;
  };
  const preview = (value: string) => edge.request('unproved.test', { headers: { 'Cordon-Preview': value } });
  const soon = () => Math.floor(Date.now() / 1000) + 60;

  it('answers the page of its brand with 421', async () => {
    const answer = await edge.request('unproved.test');
    expect(answer.status).toBe(421);
    expect(answer.body).toContain('Not pointed here yet');
  });

  it('answers with a valid preview token', async () => {
    expect(await preview(token(unproved.id, soon()))).toMatchObject({ status: 200, body: 'origin' });
    expect(origin.requests.at(-1)?.headers).not.toHaveProperty('cordon-preview');
  });

  it('refuses tokens that are expired, of another route, of another key, or damaged', async () => {
    const other = testRoute({ hosts: ['x.test'] }).id;
    for (const value of [
      token(unproved.id, Math.floor(Date.now() / 1000) - 1),
      token(other, soon()),
      token(unproved.id, soon(), Buffer.from('another key').toString('base64url')),
      token(unproved.id, soon()).slice(0, -2),
      `${unproved.id}.${soon()}.`,
      `${unproved.id}.${soon()}`,
      '..',
      'x',
    ])
      expect((await preview(value)).status, value).toBe(421);
  });

  it('is probed all the same', async () => expect(await versionOf('unproved.test')).toBe(7));
});

describe('a shadow domain', () => {
  const expiry = Math.floor(Date.now() / 1000) + 60;
  const signed = `${shadowed.id}.${expiry}`;
  const key = Buffer.from(testSettings().preview_key, 'base64url');
  const token = `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`;

  it('is served like the main name, a wildcard too, and the origin hears which name was visited', async () => {
    for (const host of ['main.test', 'alias.test', 'any.alias.test']) {
      expect(await edge.request(host), host).toMatchObject({ status: 200, body: 'origin' });
      expect(origin.requests.at(-1)?.headers.host).toBe(host);
    }
    expect(await versionOf('alias.test')).toBe(8);
  });

  it('that is not proved is served by preview only, whatever its neighbours have proved', async () => {
    const answer = await edge.request('unproved-alias.test');
    expect(answer.status).toBe(421);
    expect(answer.body).toContain('Not pointed here yet');
    const preview = await edge.request('unproved-alias.test', { headers: { 'Cordon-Preview': token } });
    expect(preview).toMatchObject({ status: 200, body: 'origin' });
    expect((await edge.request('main.test')).status).toBe(200);
  });

  it('shares a TLS connection with the main name, not with names of another account', async () => {
    expect(await secure('alias.test', 'main.test')).toMatchObject({ status: 200, body: 'origin' });
    expect(await secure('main.test', 'alias.test')).toMatchObject({ status: 200, body: 'origin' });
    expect((await secure('alias.test', 'own.test')).status).toBe(421);
    expect((await secure('own.test', 'any.alias.test')).status).toBe(421);
  });
});

describe('the probe', () => {
  it('tells route, version and revision to who has the key', async () => {
    const { status, body } = await probe('unproved.test');
    expect(status).toBe(200);
    expect(JSON.parse(body)).toMatchObject({ route_id: unproved.id, version: 7, revision: expect.any(Number) });
  });

  it('is an ordinary request without it', async () => {
    for (const key of ['', 'wrong', `${testSettings().probe_key}x`])
      expect(await probe('own.test', key)).toMatchObject({ status: 200, body: 'origin' });
  });
});

describe('the names of a TLS connection and of its request', () => {
  it('may differ within an account', async () => {
    expect(await secure('own.test', 'own.test')).toMatchObject({ status: 200, body: 'origin' });
    expect(await secure('own.test', 'sibling.test')).toMatchObject({ status: 200, body: 'origin' });
  });

  it('are refused with 421 when they belong to different accounts, or to no account', async () => {
    expect((await secure('own.test', 'exact.wild.test')).status).toBe(421);
    expect((await secure('unknown.test', 'own.test')).status).toBe(421);
  });
});

describe('a page of the edge', () => {
  const page = (headers: Record<string, string>, host = 'unproved.test') => edge.request(host, { headers });

  it('speaks the language of the visitor', async () => {
    expect((await page({ 'Accept-Language': 'zh-CN,zh;q=0.9,en;q=0.8' })).body).toContain('域名尚未指向此处');
    expect((await page({ 'Accept-Language': 'en-US,en;q=0.9,zh;q=0.8' })).body).toContain('Not pointed here yet');
    expect((await page({ 'Accept-Language': 'de' })).body).toContain('Not pointed here yet');
  });

  it('is JSON for who prefers it', async () => {
    const answer = await page({ Accept: 'application/json' });
    expect(answer.headers['content-type']).toBe('application/json');
    expect(JSON.parse(answer.body)).toMatchObject({
      success: false,
      code: 'NOT_VERIFIED',
      request_id: answer.headers['x-request-id'],
      abuse_contact: 'abuse@cordon.test',
    });
    expect(answer.body).not.toContain('request_url');
    expect((await page({ Accept: 'text/html,application/json;q=0.9' })).headers['content-type']).toContain('text/html');
  });

  it('shows request id, abuse contact and the provider, unless the brand hides it', async () => {
    const own = await page({});
    expect(own.body).toContain(own.headers['x-request-id'] as string);
    expect(own.body).toContain('abuse@cordon.test');
    expect(own.body).toContain('Cordon');
    const white = await page({}, 'empty.test');
    expect(white.status).toBe(502);
    expect(white.body).toContain('abuse@partner.test');
    expect(white.body).toContain(`https://console.partner.test/#/domain/list?request=${white.headers['x-request-id']}`);
    expect(white.body).toHaveLength(Number(white.headers['content-length']));
    expect(white.body).not.toContain('Partner Secret Name');
    expect(white.body).not.toContain('Cordon');
    expect(white.headers.server).toBe('nginx');
  });

  it('has no body for HEAD, and the length that it would have', async () => {
    const answer = await edge.request('unknown.test', { method: 'HEAD' });
    expect(answer).toMatchObject({ status: 421, body: '' });
    const { headers } = await edge.request('unknown.test');
    expect(answer.headers['content-length']).toBe(headers['content-length']);
  });
});
