import { decodeJwt, decodeProtectedHeader } from 'jose';
import { describe, expect, it } from 'vitest';
import { TestBrowser } from './testing/browser.ts';
import { startIdentity } from './testing/start-identity.ts';

const EMAIL = 'jane@example.com';
const PASSWORD = 'tundra-violin-87-kestrel';

const callApi = (origin: string, token: string, path = 'user/info/') =>
  fetch(`${origin}/api/v1/${path}`, { headers: { authorization: `Bearer ${token}`, realm: 'cordon' } });

describe('signing in', () => {
  it('registers, signs out and signs in again by the code flow with PKCE', async () => {
    const { origin } = await startIdentity();
    const browser = new TestBrowser(origin);
    const page = await browser.authorize({ prompt: 'create' });
    expect(page.href).toMatch(new RegExp(`^${origin}/#/pages/register\\?interaction=[\\w-]+$`));
    const shown = await browser.interaction(page);
    expect(shown.body).toMatchObject({
      success: true,
      result: { prompt: 'create', brand: { key: 'cordon' }, client: { client_id: 'cordon-console' } },
    });

    const answer = await browser.submit(page, 'register', {
      email: ' Jane@Example.com ',
      password: PASSWORD,
      name: 'Jane',
      locale: 'zh',
      terms_version: '2026-11',
    });
    expect(answer.body).toEqual({
      success: true,
      redirect_to: expect.stringContaining(`${origin}/auth/realms/cordon/protocol/openid-connect/auth/`),
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

    const out = await browser.follow(
      `${browser.realm}/protocol/openid-connect/logout?${new URLSearchParams({ id_token_hint: tokens.id_token, post_logout_redirect_uri: `${origin}/` })}`,
    );
    expect(out.href).toBe(`${origin}/`);
    expect((await browser.refresh(tokens.refresh_token)).body.error).toBe('invalid_grant');

    const again = await browser.authorize();
    expect(again.hash).toMatch(/^#\/pages\/login\?/);
    const signedIn = await browser.finish(
      await browser.submit(again, 'login', { email: 'JANE@EXAMPLE.COM', password: PASSWORD }),
    );
    expect(decodeJwt(signedIn.access_token).sub).toBe(claims.sub);
  });
});
