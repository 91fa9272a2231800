import { decodeJwt } from 'jose';
import { describe, expect, it } from 'vitest';
import { TestBrowser } from './testing/browser.ts';
import { type IdentityServer, startIdentity } from './testing/start-identity.ts';

const PASSWORD = 'tundra-violin-87-kestrel';

/** A deployment whose issuer is the embedded provider of another one. */
async function startWithExternal(): Promise<{ issuer: IdentityServer; server: IdentityServer; browser: TestBrowser }> {
  const issuer = await startIdentity();
  const browser = new TestBrowser(issuer.origin);
  const server = await startIdentity({ OIDC_ISSUER: browser.realm, OIDC_AUDIENCE: `${issuer.origin}/api/v1/` });
  return { issuer, server, browser };
}

const callApi = (server: IdentityServer, token: string, path = 'user/info/') =>
  fetch(`${server.origin}/api/v1/${path}`, { headers: { authorization: `Bearer ${token}`, realm: 'cordon' } });

const setUser = (server: IdentityServer, change: object) =>
  server.api.platform.db.updateTable('users').set(change).execute();

describe('with an external issuer', () => {
  it('the embedded one is off, and the console is sent to the other', async () => {
    const { server, browser } = await startWithExternal();
    const here = new TestBrowser(server.origin);
    expect((await here.send('/auth/realms/cordon/.well-known/openid-configuration')).status).toBe(404);
    expect((await here.send(here.authorizationUrl())).status).toBe(404);
    expect((await here.send('/api/v1/brand/')).body.result.oidc).toEqual({
      authority: browser.realm,
      client_id: 'cordon-console',
      realm: 'cordon',
    });
  });

  it('a user comes to be with the first valid token, once, with account and free subscription', async () => {
    const { server, browser } = await startWithExternal();
    const { access_token } = await browser.register('jane@example.com', PASSWORD, { name: 'Jane', locale: 'zh' });
    const answers = await Promise.all([1, 2, 3, 4].map(() => callApi(server, access_token)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(await answers[0]?.json()).toMatchObject({
      result: { user: { email: 'jane@example.com', name: 'Jane', locale: 'zh', roles: ['user', 'view-attack'] } },
    });
    const subscriptions = await (await callApi(server, access_token, 'plan/subscription/')).json();
    expect(subscriptions).toMatchObject({ count: 1, results: [{ plan: 'free' }] });
    const { db } = server.api.platform;
    expect(await db.selectFrom('users').select(['subject', 'password_hash']).execute()).toEqual([
      { subject: decodeJwt(access_token).sub, password_hash: null },
    ]);
    expect((await db.selectFrom('accounts').select('id').execute()).length).toBe(1);
  });

  it('roles are the ones of the token, and unknown ones are left out', async () => {
    const { issuer, server, browser } = await startWithExternal();
    const first = await browser.register('jane@example.com', PASSWORD);
    expect((await callApi(server, first.access_token, 'domain/config/')).status).toBe(200);
    await setUser(issuer, { roles: ['dns', 'view-attack', 'emperor'] });
    const second = (await browser.refresh(first.refresh_token)).body;
    const me = await (await callApi(server, second.access_token)).json();
    expect((me as { result: { user: { roles: string[] } } }).result.user.roles.sort()).toEqual(['dns', 'view-attack']);
    await expect.poll(async () => (await callApi(server, second.access_token, 'domain/config/')).status).toBe(403);
    expect(await server.api.platform.db.selectFrom('users').select('roles').execute()).toEqual([
      { roles: ['dns', 'view-attack'] },
    ]);
  });

  it('a user from before is taken over only by an address that the issuer verified', async () => {
    const { issuer, server, browser } = await startWithExternal();
    const { db } = server.api.platform;
    const seed = { email: 'jane@example.com', subject: 'from-before' };
    await db
      .insertInto('accounts')
      .values({ name: 'Jane', brand: 'cordon' })
      .returning('id')
      .executeTakeFirstOrThrow()
      .then(({ id }) =>
        db
          .insertInto('users')
          .values({ ...seed, account_id: id, roles: ['user'] })
          .execute(),
      );
    const first = await browser.register('jane@example.com', PASSWORD);
    expect((await callApi(server, first.access_token)).status).toBe(403);
    expect(await db.selectFrom('users').select('subject').execute()).toEqual([{ subject: 'from-before' }]);
    await setUser(issuer, { email_verified_at: new Date() });
    const second = (await browser.refresh(first.refresh_token)).body;
    expect((await callApi(server, second.access_token)).status).toBe(200);
    expect(await db.selectFrom('users').select('subject').execute()).toEqual([
      { subject: decodeJwt(second.access_token).sub },
    ]);
  });

  it('tokens for another audience, and ID tokens, are refused and create no user', async () => {
    const { issuer, server, browser } = await startWithExternal();
    const tokens = await browser.register('jane@example.com', PASSWORD);
    const elsewhere = await startIdentity({ OIDC_ISSUER: browser.realm });
    expect(elsewhere.env.oidcAudience).not.toBe(server.env.oidcAudience);
    expect((await callApi(elsewhere, tokens.access_token)).status).toBe(401);
    expect((await elsewhere.api.platform.db.selectFrom('users').select('id').execute()).length).toBe(0);
    expect((await callApi(server, tokens.id_token)).status).toBe(401);
    expect((await callApi(issuer, tokens.access_token)).status).toBe(200);
  });
});
