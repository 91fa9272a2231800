import { expect, it } from 'vitest';
import { TestBrowser } from './testing/browser.ts';
import { type IdentityServer, startIdentity } from './testing/start-identity.ts';

const EMAIL = 'jane@example.com';
const PASSWORD = 'tundra-violin-87-kestrel';
const NEXT = 'harbour-lantern-42-osprey';

const call = (browser: TestBrowser, token: string, path: string, json?: unknown) =>
  browser.send(`/api/v1/${path}`, {
    method: json === undefined ? 'GET' : 'POST',
    ...(json === undefined ? {} : { json }),
    headers: { authorization: `Bearer ${token}`, realm: 'cordon' },
  });
const change = (browser: TestBrowser, token: string, current_password: string, new_password: string) =>
  call(browser, token, 'user/password/', { current_password, new_password });

const actionsOf = async ({ api }: IdentityServer) =>
  (await api.platform.pool.query('SELECT action FROM audit_log ORDER BY id DESC')).rows.map(({ action }) => action);

it('changes the password, ends all other sessions and leaves a line in the audit log', async () => {
  const server = await startIdentity();
  const here = new TestBrowser(server.origin);
  const kept = await here.register(EMAIL, PASSWORD);
  const there = new TestBrowser(server.origin);
  const ended = await there.login(EMAIL, PASSWORD);
  // Signed in by the old password, but not taken up yet.
  const waiting = new TestBrowser(server.origin);
  const answered = await waiting.submit(await waiting.authorize(), 'login', { email: EMAIL, password: PASSWORD });
  expect((await call(there, ended.access_token, 'user/info/')).status).toBe(200);

  const answer = await change(here, kept.access_token, PASSWORD, NEXT);
  expect([answer.status, answer.body]).toEqual([200, { success: true }]);

  expect((await actionsOf(server))[0]).toBe('user.password_change');
  expect((await there.refresh(ended.refresh_token)).status).toBe(400);
  await expect.poll(async () => (await call(there, ended.access_token, 'user/info/')).status).toBe(401);
  await expect(waiting.finish(answered)).rejects.toThrow();
  expect((await call(here, kept.access_token, 'user/info/')).status).toBe(200);
  expect((await here.refresh(kept.refresh_token)).status).toBe(200);
  const anew = new TestBrowser(server.origin);
  expect((await anew.submit(await anew.authorize(), 'login', { email: EMAIL, password: PASSWORD })).status).toBe(422);
  await anew.login(EMAIL, NEXT);
});

it('refuses a wrong current password, and a new one as the registration does', async () => {
  const server = await startIdentity();
  const browser = new TestBrowser(server.origin);
  const { access_token } = await browser.register(EMAIL, PASSWORD);
  const faultsOf = async (current: string, next: string) =>
    JSON.stringify((await change(browser, access_token, current, next)).body);
  expect(await faultsOf('wrong-password-44', NEXT)).toContain('PASSWORD_WRONG');
  expect(await faultsOf(PASSWORD, 'short')).toContain('PASSWORD_TOO_SHORT');
  expect(await faultsOf(PASSWORD, 'Password2024!')).toContain('PASSWORD_BREACHED');
  expect(await faultsOf(PASSWORD, EMAIL)).toContain('PASSWORD_IS_EMAIL');
  await new TestBrowser(server.origin).login(EMAIL, PASSWORD);
});

it('limits guesses at the current password', async () => {
  const server = await startIdentity();
  const browser = new TestBrowser(server.origin);
  const { access_token } = await browser.register(EMAIL, PASSWORD);
  const statuses: number[] = [];
  for (let guess = 0; guess < 11; guess += 1)
    statuses.push((await change(browser, access_token, `wrong-password-${guess}`, NEXT)).status);
  expect(statuses).toEqual([...Array(10).fill(422), 429]);
  expect((await change(browser, access_token, PASSWORD, NEXT)).status).toBe(429);
});

it('takes one of two changes that come at once, and says so to the other', async () => {
  const server = await startIdentity();
  const browser = new TestBrowser(server.origin);
  const { access_token } = await browser.register(EMAIL, PASSWORD);
  const others = [NEXT, `${NEXT} too`];
  const answers = await Promise.all(others.map((next) => change(browser, access_token, PASSWORD, next)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
  const taken = others[answers.findIndex(({ status }) => status === 200)] ?? '';
  await new TestBrowser(server.origin).login(EMAIL, taken);
});
