import { expect, it } from 'vitest';
import { eventually } from '../../testing/fixtures.ts';
import { TestBrowser } from './testing/browser.ts';
import { type IdentityServer, startIdentity } from './testing/start-identity.ts';

const EMAIL = 'jane@example.com';
const PASSWORD = 'tundra-violin-87-kestrel';

/** Newest first, of all accounts: what is of none would show here as well. */
async function linesOf({ api }: IdentityServer) {
  const { rows } = await api.platform.pool.query(
    `SELECT account_id IS NOT NULL AS "hasAccount", actor_kind AS kind, actor, action, details->>'cause' AS cause, address
     FROM audit_log ORDER BY id DESC`,
  );
  return rows;
}
const line = (action: string, cause: string | null = null) => ({
  hasAccount: true,
  kind: 'user',
  actor: EMAIL,
  action,
  cause,
  address: '127.0.0.1',
});

async function attempt(browser: TestBrowser, email: string, password: string) {
  return browser.submit(await browser.authorize({ prompt: 'login' }), 'login', { email, password });
}

it('writes registration, sign-out, sign-in and what failed to the audit log of the account', async () => {
  const server = await startIdentity();
  const { origin } = server;
  const browser = new TestBrowser(origin);
  const tokens = await browser.register(EMAIL, PASSWORD);
  expect(await linesOf(server)).toEqual([line('account.create')]);

  const query = new URLSearchParams({ id_token_hint: tokens.id_token, post_logout_redirect_uri: `${origin}/` });
  await browser.follow(`${browser.realm}/protocol/openid-connect/logout?${query}`);
  await eventually(async () => (await linesOf(server)).length === 2);
  expect((await linesOf(server))[0]).toEqual(line('user.sign_out'));

  await browser.finish(await attempt(browser, EMAIL, PASSWORD));
  expect((await linesOf(server))[0]).toEqual(line('user.sign_in'));

  expect((await attempt(new TestBrowser(origin), 'unknown@example.com', PASSWORD)).status).toBe(422);
  expect((await attempt(new TestBrowser(origin), EMAIL, 'wrong-password-44')).status).toBe(422);
  await eventually(async () => (await linesOf(server)).length === 4);
  // The unknown address came first, and left nothing.
  expect((await linesOf(server))[0]).toEqual(line('user.sign_in_failed', 'wrong_password'));

  await server.api.platform.pool.query('UPDATE accounts SET suspended_at = now()');
  await attempt(new TestBrowser(origin), EMAIL, PASSWORD);
  await eventually(async () => (await linesOf(server)).length === 5);
  expect((await linesOf(server))[0]).toEqual(line('user.sign_in_failed', 'suspended'));
});

it('takes the address of a sign-out from the connection, not from what the browser claims', async () => {
  const server = await startIdentity();
  const browser = new TestBrowser(server.origin);
  const { id_token } = await browser.register(EMAIL, PASSWORD);
  const query = new URLSearchParams({ id_token_hint: id_token, post_logout_redirect_uri: `${server.origin}/` });
  const send = browser.send.bind(browser);
  browser.send = (address, options) =>
    send(address, { ...options, headers: { 'x-forwarded-for': '198.51.100.9', ...options?.headers } });
  await browser.follow(`${browser.realm}/protocol/openid-connect/logout?${query}`);
  await eventually(async () => (await linesOf(server)).length === 2);
  expect((await linesOf(server))[0]).toEqual(line('user.sign_out'));
});
