import { request as httpRequest } from 'node:http';
import { decodeJwt } from 'jose';
import { expect, it } from 'vitest';
import { TestBrowser } from './testing/browser.ts';
import { startIdentity } from './testing/start-identity.ts';

const PASSWORD = 'tundra-violin-87-kestrel';

it('an unknown host is refused before anything else', async () => {
  const { env } = await startIdentity();
  const evil = new TestBrowser(`http://evil.test:${env.port}`);
  for (const path of ['/', '/auth/realms/cordon/.well-known/openid-configuration', '/api/v1/brand/']) {
    const answer = await evil.send(path);
    expect([answer.status, answer.body.success]).toEqual([421, false]);
    expect(answer.text).not.toContain('evil.test');
  }
});

it('other names of a brand are sent to its one address, which no header changes', async () => {
  const { env, origin } = await startIdentity();
  const alias = new TestBrowser(`http://localhost:${env.port}`);
  const answer = await alias.send(alias.authorizationUrl());
  expect([answer.status, answer.headers.get('location')]).toEqual([
    307,
    expect.stringContaining(`${origin}/auth/realms/cordon/`),
  ]);
  expect((await alias.send('/?x=1')).headers.get('location')).toBe(`${origin}/?x=1`);
  expect((await alias.send('/api/v1/brand/')).body.result).toMatchObject({
    key: 'cordon',
    oidc: { authority: `${origin}/auth/realms/cordon` },
  });

  const headers = { 'x-forwarded-host': 'evil.test', 'x-forwarded-proto': 'https', forwarded: 'host=evil.test' };
  const discovery = await alias.send(`${origin}/auth/realms/cordon/.well-known/openid-configuration`, { headers });
  expect(discovery.text).not.toContain('evil.test');
  expect(discovery.body.issuer).toBe(`${origin}/auth/realms/cordon`);
});

it('addresses written in other ways do not reach the provider', async () => {
  const { env } = await startIdentity();
  const ask = (path: string) =>
    new Promise<{ status: number; text: string }>((resolve, reject) => {
      const request = httpRequest({ host: '127.0.0.1', port: env.port, path }, (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => {
          text += chunk;
        });
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
      });
      request.on('error', reject).end();
    });
  const discovery = '/auth/realms/cordon/.well-known/openid-configuration';
  expect((await ask(discovery)).status).toBe(200);
  for (const path of [`http://evil.test${discovery}`, discovery.replace('auth', '%61uth'), `/${discovery}`]) {
    const answer = await ask(path);
    expect([400, 403, 404]).toContain(answer.status);
    expect(answer.text).not.toMatch(/evil\.test|issuer/);
  }
});

it('each brand signs in at its own address; the white-label one names no other', async () => {
  const { env, api, origin } = await startIdentity();
  const partner = new TestBrowser(`http://console.partner.test:${env.port}`);
  const brand = (await partner.send('/api/v1/brand/')).body.result;
  expect(brand).toMatchObject({
    key: 'partner',
    white_label: true,
    oidc: { authority: partner.realm, client_id: 'cordon-console', realm: 'cordon' },
  });
  const seen: string[] = [];
  const send = partner.send.bind(partner);
  partner.send = async (...parameters) => {
    const answer = await send(...parameters);
    seen.push(answer.text, answer.headers.get('location') ?? '');
    return answer;
  };
  const tokens = await partner.register('jane@example.com', PASSWORD);
  expect(decodeJwt(tokens.access_token)).toMatchObject({ iss: partner.realm, aud: `${partner.origin}/api/v1/` });
  expect(seen.join('\n')).not.toMatch(/127\.0\.0\.1|palisade|Cordon/);
  expect(await api.platform.db.selectFrom('accounts').select('brand').execute()).toEqual([{ brand: 'partner' }]);
  const answer = await partner.send('/api/v1/user/info/', {
    headers: { authorization: `Bearer ${tokens.access_token}`, realm: 'cordon' },
  });
  expect(answer.status).toBe(200);

  // A session is one brand's: signed in there is not signed in here.
  const cordon = new TestBrowser(origin);
  for (const [key, cookie] of partner.cookies) cordon.cookies.set(key, cookie);
  const refused = await cordon.send(cordon.authorizationUrl({ redirect_uri: `${partner.origin}/` }));
  expect(refused.status).toBe(400);
});
