import { decodeJwt, decodeProtectedHeader } from 'jose';
import { describe, expect, it } from 'vitest';
import { TestBrowser } from './testing/browser.ts';
import { type IdentityServer, startIdentity } from './testing/start-identity.ts';

const EMAIL = 'jane@example.com';
const PASSWORD = 'tundra-violin-87-kestrel';

const callApi = (origin: string, token: string, path = 'user/info/') =>
  fetch(`${origin}/api/v1/${path}`, { headers: { authorization: `Bearer ${token}`, realm: 'cordon' } });

const logoutUrl = (browser: TestBrowser, idToken?: string) =>
  `${browser.realm}/protocol/openid-connect/logout?${new URLSearchParams({
    ...(idToken === undefined ? { client_id: 'cordon-console' } : { id_token_hint: idToken }),
    post_logout_redirect_uri: `${browser.origin}/`,
  })}`;

const expectEnded = async (browser: TestBrowser, refreshToken: string) => {
  const answer = await browser.refresh(refreshToken);
  expect([answer.status, answer.body.error]).toEqual([400, 'invalid_grant']);
};

/** Waits until the API refuses or accepts the token: roles and state reach its caches by a notification. */
const untilStatus = (server: IdentityServer, token: string, status: number, path?: string) =>
  expect.poll(async () => (await callApi(server.origin, token, path)).status, { timeout: 3000 }).toBe(status);

describe('signing in', () => {
  it('registers, signs out and signs in again by the code flow with PKCE', async () => {
    const server = await startIdentity();
    const { origin } = server;
    const browser = new TestBrowser(origin);
    const page = await browser.authorize({ prompt: 'create' });
    expect(page.href).toMatch(new RegExp(`^${origin}/#/pages/register\\?interaction=[\\w-]+$`));
    const shown = await browser.interaction(page);
    expect(shown.body).toMatchObject({
      success: true,
      result: { prompt: 'create', brand: 'cordon', terms_version: '1', client: { client_id: 'cordon-console' } },
    });

    const form = { email: ' Jane@Example.com ', password: PASSWORD, name: 'Jane', locale: 'zh', terms_version: '1' };
    const answer = await browser.submit(page, 'register', form);
    expect(answer.body).toEqual({
      success: true,
      redirect_to: expect.stringContaining(`${browser.realm}/protocol/openid-connect/auth/`),
    });
    const callback = await browser.follow(answer.body.redirect_to);
    expect(`${callback.origin}${callback.pathname}`).toBe(`${origin}/`);
    expect(callback.searchParams.get('state')).toBe(browser.state);
    expect(callback.searchParams.get('iss')).toBe(browser.realm);
    const tokens = (await browser.exchange(callback)).body;
    expect(tokens).toMatchObject({ token_type: 'Bearer', expires_in: 300, refresh_token: expect.any(String) });

    const claims = decodeJwt(tokens.access_token);
    expect(decodeProtectedHeader(tokens.access_token)).toMatchObject({ alg: 'ES256', typ: 'at+jwt' });
    expect(claims).toMatchObject({
      iss: browser.realm,
      aud: `${origin}/api/v1/`,
      azp: 'cordon-console',
      email: EMAIL,
      realm_access: { roles: ['user'] },
      resource_access: { account: { roles: ['view-attack'] } },
    });
    expect((claims.exp ?? 0) - (claims.iat ?? 0)).toBe(300);
    expect(decodeJwt(tokens.id_token)).toMatchObject({
      email: EMAIL,
      name: 'Jane',
      sub: claims.sub,
      aud: 'cordon-console',
    });

    const me = await callApi(origin, tokens.access_token);
    expect(await me.json()).toMatchObject({
      result: { user: { email: EMAIL, name: 'Jane', locale: 'zh', roles: ['user', 'view-attack'] } },
    });
    const subscriptions = await callApi(origin, tokens.access_token, 'plan/subscription/');
    expect(await subscriptions.json()).toMatchObject({ count: 1, results: [{ plan: 'free' }] });

    expect((await browser.follow(logoutUrl(browser, tokens.id_token))).href).toBe(`${origin}/`);
    await expectEnded(browser, tokens.refresh_token);
    await untilStatus(server, tokens.access_token, 401);

    const again = await browser.authorize();
    expect(again.hash).toMatch(/^#\/pages\/login\?/);
    const signedIn = await browser.finish(
      await browser.submit(again, 'login', { email: 'JANE@EXAMPLE.COM', password: PASSWORD }),
    );
    expect(decodeJwt(signedIn.access_token).sub).toBe(claims.sub);
  });

  it('is renewed silently in a frame while the cookie lives, and answers login_required without a session', async () => {
    const { origin } = await startIdentity();
    const browser = new TestBrowser(origin);
    const silent = { prompt: 'none', redirect_uri: `${origin}/silent.html` };
    const signedOut = await browser.authorize(silent);
    expect([signedOut.pathname, signedOut.searchParams.get('error')]).toEqual(['/silent.html', 'login_required']);

    const first = await browser.register(EMAIL, PASSWORD);
    const callback = await browser.authorize(silent);
    expect([callback.pathname, callback.searchParams.get('error')]).toEqual(['/silent.html', null]);
    const second = (await browser.exchange(callback)).body;
    expect(decodeJwt(second.access_token).sub).toBe(decodeJwt(first.access_token).sub);

    const frame = await browser.send(browser.authorizationUrl(silent));
    expect(frame.headers.get('content-security-policy')).toContain("frame-ancestors 'self'");
    expect(frame.headers.get('x-frame-options')).toBe('SAMEORIGIN');
  });

  it('asks for the password again with prompt=login, and lets another person in after signing out the first', async () => {
    const { origin } = await startIdentity();
    const browser = new TestBrowser(origin);
    const jane = await browser.register(EMAIL, PASSWORD);
    await new TestBrowser(origin).register('john@example.com', PASSWORD);
    const page = await browser.authorize({ prompt: 'login' });
    expect(page.hash).toContain('/pages/login');
    const john = await browser.finish(
      await browser.submit(page, 'login', { email: 'john@example.com', password: PASSWORD }),
    );
    expect(decodeJwt(john.access_token).email).toBe('john@example.com');
    await expectEnded(browser, jane.refresh_token);
  });

  it('takes a code once, only with the verifier, only for the registered address', async () => {
    const { origin } = await startIdentity();
    const browser = new TestBrowser(origin);
    const tokens = await browser.register(EMAIL, PASSWORD);
    const callback = await browser.authorize();
    expect((await browser.exchange(callback, { code_verifier: 'x'.repeat(43) })).body.error).toBe('invalid_grant');
    const second = await browser.authorize();
    expect((await browser.exchange(second)).status).toBe(200);
    expect((await browser.exchange(second)).body.error).toBe('invalid_grant');
    await expectEnded(browser, tokens.refresh_token);

    const elsewhere = await browser.send(browser.authorizationUrl({ redirect_uri: 'https://evil.test/' }));
    expect([elsewhere.status, elsewhere.headers.get('location')]).toEqual([400, null]);
    expect(elsewhere.text).toContain('Sign-in cannot continue');
    const plain = await browser.authorize({ code_challenge: '', code_challenge_method: '' });
    expect(plain.searchParams.get('error')).toBe('invalid_request');
    const otherResource = await browser.authorize({ resource: 'https://other.test/' });
    expect(otherResource.searchParams.get('error')).toBe('invalid_target');
  });

  it('rotates refresh tokens; one used twice ends all that came from it', async () => {
    const { origin } = await startIdentity();
    const browser = new TestBrowser(origin);
    const first = await browser.register(EMAIL, PASSWORD);
    const second = (await browser.refresh(first.refresh_token)).body;
    expect(second.refresh_token).not.toBe(first.refresh_token);
    expect(decodeJwt(second.access_token).aud).toBe(`${origin}/api/v1/`);
    expect((await callApi(origin, second.access_token)).status).toBe(200);
    const third = (await browser.refresh(second.refresh_token)).body;
    await expectEnded(browser, second.refresh_token);
    await expectEnded(browser, third.refresh_token);
    // The session itself still stands: the browser gets new tokens without a password.
    expect((await browser.exchange(await browser.authorize({ prompt: 'none' }))).status).toBe(200);
  });

  it('gives one answer of two to the same refresh token at the same moment', async () => {
    const { origin } = await startIdentity();
    const browser = new TestBrowser(origin);
    const { refresh_token } = await browser.register(EMAIL, PASSWORD);
    const answers = await Promise.all([1, 2, 3, 4].map(() => browser.refresh(refresh_token)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(3);
  });

  it('asks before it signs out a user whose request has no ID token of the session', async () => {
    const { origin } = await startIdentity();
    const browser = new TestBrowser(origin);
    const tokens = await browser.register(EMAIL, PASSWORD);
    const answer = await browser.send(logoutUrl(browser));
    expect(answer.text).toContain('Do you want to sign out?');
    expect(answer.text).not.toContain('<script');
    const forged = await browser.send(`${browser.realm}/protocol/openid-connect/logout/confirm`, {
      method: 'POST',
      form: { logout: 'yes', xsrf: 'guess' },
    });
    expect(forged.status).toBe(400);
    expect((await browser.refresh(tokens.refresh_token)).status).toBe(200);
  });

  it('answers userinfo to an access token, and the API to no token but its own', async () => {
    const server = await startIdentity();
    const { origin } = server;
    const browser = new TestBrowser(origin);
    const tokens = await browser.register(EMAIL, PASSWORD);
    const discovery = (await browser.send(`${browser.realm}/.well-known/openid-configuration`)).body;
    expect(discovery).toMatchObject({
      issuer: browser.realm,
      jwks_uri: `${browser.realm}/protocol/openid-connect/certs`,
      userinfo_endpoint: `${browser.realm}/protocol/openid-connect/userinfo`,
      end_session_endpoint: `${browser.realm}/protocol/openid-connect/logout`,
      prompt_values_supported: expect.arrayContaining(['create', 'login', 'none']),
    });
    const authorization = `Bearer ${tokens.access_token}`;
    expect((await browser.send(discovery.userinfo_endpoint, { headers: { authorization } })).body.email).toBe(EMAIL);
    expect((await browser.send(discovery.userinfo_endpoint)).status).toBe(401);
    // The ID token is for the console, not for the API, though the same key signed it.
    expect((await callApi(origin, tokens.id_token)).status).toBe(401);
    const [head, body, signature = ''] = tokens.access_token.split('.');
    expect((await callApi(origin, `${head}.${body}.${signature.slice(0, -4)}AAAA`)).status).toBe(401);
    expect((await callApi(origin, tokens.access_token)).status).toBe(200);
    expect(JSON.stringify((await browser.send(discovery.jwks_uri)).body)).not.toContain('"d"');
  });

  it('follows changes of roles, suspension and disabling at once', async () => {
    const server = await startIdentity();
    const { db } = server.api.platform;
    const browser = new TestBrowser(server.origin);
    const tokens = await browser.register(EMAIL, PASSWORD);
    await db
      .updateTable('users')
      .set({ roles: ['view-attack'] })
      .where('email', '=', EMAIL)
      .execute();
    await untilStatus(server, tokens.access_token, 403, 'domain/config/');
    await db
      .updateTable('users')
      .set({ roles: ['user', 'dns'] })
      .where('email', '=', EMAIL)
      .execute();
    const refreshed = (await browser.refresh(tokens.refresh_token)).body;
    expect(decodeJwt(refreshed.access_token)).toMatchObject({
      realm_access: { roles: ['user', 'dns'] },
      resource_access: { account: { roles: [] } },
    });

    await db.updateTable('accounts').set({ suspended_at: new Date() }).execute();
    await expectEnded(browser, refreshed.refresh_token);
    expect((await browser.authorize({ prompt: 'none' })).searchParams.get('error')).toBe('login_required');
    const page = await browser.authorize();
    expect((await browser.submit(page, 'login', { email: EMAIL, password: 'not-her-password' })).body.password).toBe(
      'CREDENTIALS_WRONG',
    );
    const refused = await browser.submit(page, 'login', { email: EMAIL, password: PASSWORD });
    expect([refused.status, refused.body.code]).toEqual([403, 'ACCOUNT_SUSPENDED']);

    await db.updateTable('accounts').set({ suspended_at: null }).execute();
    await db.updateTable('users').set({ disabled_at: new Date() }).execute();
    expect((await browser.submit(page, 'login', { email: EMAIL, password: PASSWORD })).body.password).toBe(
      'CREDENTIALS_WRONG',
    );
    await untilStatus(server, tokens.access_token, 401);
  });
});
