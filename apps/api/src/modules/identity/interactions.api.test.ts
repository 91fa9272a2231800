import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { TestBrowser } from './testing/browser.ts';
import { startIdentity } from './testing/start-identity.ts';

const EMAIL = 'jane@example.com';
const PASSWORD = 'tundra-violin-87-kestrel';

describe('the pages of the console', () => {
  it('hear that an interaction is over, of another browser, or never was', async () => {
    const server = await startIdentity();
    const browser = new TestBrowser(server.origin);
    const page = await browser.authorize();
    const signedOut = new TestBrowser(server.origin);
    const form = { email: EMAIL, password: PASSWORD };
    const expired = {
      success: false,
      code: 'INTERACTION_EXPIRED',
      message: expect.any(String),
      request_id: expect.any(String),
    };
    expect(await signedOut.interaction(page)).toMatchObject({ status: 410, body: expired });
    expect(await signedOut.submit(page, 'login', form)).toMatchObject({ status: 410, body: expired });
    expect(await browser.interaction(page)).toMatchObject({ status: 200 });

    // The cookie of one interaction is no key to another.
    const own = await signedOut.authorize();
    for (const cookie of [...signedOut.cookies.values()].filter(({ path }) => path.endsWith(signedOut.uidOf(own))))
      signedOut.cookies.set(`${cookie.name};forged`, {
        ...cookie,
        path: `/auth/realms/cordon/interaction/${browser.uidOf(page)}`,
      });
    expect(await signedOut.interaction(own)).toMatchObject({ status: 200 });
    expect(await signedOut.submit(page, 'login', form)).toMatchObject({ status: 410, body: expired });

    // A second tab has an interaction of its own, and both can be finished.
    const second = await browser.authorize();
    expect(browser.uidOf(second)).not.toBe(browser.uidOf(page));
    expect(await browser.interaction(page)).toMatchObject({ status: 200 });

    await sql`UPDATE oidc_state SET expires_at = now() - interval '2 minutes' WHERE model = 'Interaction'`.execute(
      server.api.platform.db,
    );
    expect(await browser.submit(page, 'login', form)).toMatchObject({ status: 410, body: expired });
  });

  it('alone may post, and only JSON: other sites cannot sign a visitor in', async () => {
    const { origin } = await startIdentity();
    const browser = new TestBrowser(origin);
    const page = await browser.authorize();
    const form = { email: EMAIL, password: PASSWORD };
    for (const given of ['https://evil.test', 'null', `${origin}.evil.test`])
      expect(await browser.submit(page, 'login', form, { origin: given })).toMatchObject({
        status: 403,
        body: { code: 'FORBIDDEN' },
      });
    const url = `${browser.realm}/interaction/${browser.uidOf(page)}/login`;
    const text = JSON.stringify(form);
    expect(
      await browser.send(url, { method: 'POST', text, headers: { 'content-type': 'application/json' } }),
    ).toMatchObject({ status: 403 });
    for (const type of ['text/plain', 'application/x-www-form-urlencoded'])
      expect(
        await browser.send(url, { method: 'POST', text, headers: { 'content-type': type, origin } }),
      ).toMatchObject({ status: 415 });
    expect(await browser.submit(page, 'login', '{')).toMatchObject({ status: 422 });
  });

  it('get cookies that scripts cannot read, bound to their paths and this port', async () => {
    const { origin, env } = await startIdentity();
    const browser = new TestBrowser(origin);
    const page = await browser.authorize();
    const cookies = [...browser.cookies.values()];
    expect(cookies.length).toBeGreaterThanOrEqual(4);
    for (const cookie of cookies) {
      expect(cookie.attributes).toMatch(/httponly/i);
      expect(cookie.attributes).toMatch(/samesite=lax/i);
      expect(cookie.path).toMatch(/^\/auth\/realms\/cordon/);
      expect(cookie.name).toContain(String(env.port));
    }
    expect(cookies.find((cookie) => cookie.name === `cordon_interaction_${env.port}`)?.path).toBe(
      `/auth/realms/cordon/interaction/${browser.uidOf(page)}`,
    );
  });
});
