import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { subscriberOf } from './attempt-limits.ts';
import { TestBrowser } from './testing/browser.ts';
import { startIdentity } from './testing/start-identity.ts';

const EMAIL = 'jane@example.com';
const PASSWORD = 'tundra-violin-87-kestrel';
const OWN = '198.51.100.7';
const settings = { CORDON_TRUSTED_PROXIES: '127.0.0.1' };
const from = (address: string) => ({ 'x-forwarded-for': address });

describe('attempts to sign in', () => {
  it('are limited by account, alike for accounts that do not exist, also when made at the same moment', async () => {
    const { origin, api } = await startIdentity(settings);
    await new TestBrowser(origin).register(EMAIL, PASSWORD);
    const browser = new TestBrowser(origin);
    const page = await browser.authorize();
    const guess = (email: string, index: number) =>
      browser.submit(page, 'login', { email, password: `guess-number-${index}` }, from(`203.0.113.${index}`));
    for (const [round, email] of [EMAIL, 'nobody@example.com'].entries()) {
      expect((await guess(email, 10 * round + 1)).status).toBe(422);
      // As if six more had been made: each costs a comparison of a tenth of a second.
      await sql`UPDATE sign_in_attempts SET attempts = 7 WHERE attempts = 1`.execute(api.platform.db);
      const answers = await Promise.all([2, 3, 4, 5, 6, 7].map((index) => guess(email, 10 * round + index)));
      expect(answers.map(({ status }) => status).sort()).toEqual([422, 422, 422, 429, 429, 429]);
      const refused = answers.find(({ status }) => status === 429);
      expect(refused?.body).toMatchObject({
        success: false,
        code: 'TOO_MANY_REQUESTS',
        params: { TOO_MANY_REQUESTS: { seconds: expect.any(Number) } },
      });
      expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(800);
    }
    // Where the address is locked as well, what lasts longer counts.
    const { db } = api.platform;
    await sql`UPDATE sign_in_attempts SET attempts = 60, ends_at = now() + interval '5 s' WHERE attempts < 10`.execute(
      db,
    );
    expect(Number((await guess(EMAIL, 1)).headers.get('retry-after'))).toBeGreaterThan(800);
    // The right password is not even looked at, and a guess through registration counts as well.
    expect(
      (await browser.submit(page, 'login', { email: EMAIL, password: PASSWORD }, from('203.0.113.99'))).status,
    ).toBe(429);
    const body = { email: EMAIL, password: PASSWORD, locale: 'en', terms_version: '1' };
    expect((await browser.submit(page, 'register', body, from('203.0.113.98'))).status).toBe(429);
  });

  it('from other addresses do not lock out the owner at an address they signed in from before', async () => {
    const { origin, api } = await startIdentity(settings);
    const owner = new TestBrowser(origin);
    const registration = { email: EMAIL, password: PASSWORD, locale: 'en', terms_version: '1' };
    expect(
      (await owner.submit(await owner.authorize({ prompt: 'create' }), 'register', registration, from(OWN))).status,
    ).toBe(200);
    const page = await owner.authorize();
    await owner.submit(page, 'login', { email: EMAIL, password: 'not-her-password-7' }, from('203.0.113.1'));
    await sql`UPDATE sign_in_attempts SET attempts = 10 WHERE attempts = 1`.execute(api.platform.db);
    const login = (address: string) => owner.submit(page, 'login', { email: EMAIL, password: PASSWORD }, from(address));
    expect((await login('203.0.113.200')).status).toBe(429);
    expect((await login(OWN)).status).toBe(200);
  });

  it('are limited by address over all accounts, and a restart forgives nothing', async () => {
    const before = await startIdentity(settings);
    const browser = new TestBrowser(before.origin);
    const page = await browser.authorize();
    const guess = (index: number, address: string) =>
      browser.submit(
        page,
        'login',
        { email: `nobody${index}@example.com`, password: 'not-her-password-7' },
        from(address),
      );
    for (const index of [1, 2]) expect((await guess(index, `2001:db8:1:2::${index}`)).status).toBe(422);
    // As if 57 more had been made: each costs a comparison of a tenth of a second.
    await sql`UPDATE sign_in_attempts SET attempts = 59 WHERE attempts = 2`.execute(before.api.platform.db);
    expect((await guess(60, '2001:db8:1:2:ffff::1')).status).toBe(422);
    expect((await guess(61, '2001:db8:1:2:ffff::1')).status).toBe(429);
    expect((await guess(62, '2001:db8:1:3::1')).status).toBe(422);
    await before.restart();
    expect((await guess(63, '2001:db8:1:2::9')).status).toBe(429);
  });

  it('that succeed are forgiven', async () => {
    const { origin } = await startIdentity(settings);
    const browser = new TestBrowser(origin);
    await browser.register(EMAIL, PASSWORD);
    for (let round = 0; round < 2; round += 1) {
      const page = await browser.authorize({ prompt: 'login' });
      for (let index = 0; index < 6; index += 1)
        await browser.submit(page, 'login', { email: EMAIL, password: 'not-her-password-7' });
      expect((await browser.submit(page, 'login', { email: EMAIL, password: PASSWORD })).status).toBe(200);
    }
  });
});

it('new accounts are limited by address', async () => {
  const { origin, api } = await startIdentity(settings);
  const browser = new TestBrowser(origin);
  const page = await browser.authorize({ prompt: 'create' });
  const register = (index: number) =>
    browser.submit(
      page,
      'register',
      { email: `jane${index}@example.com`, password: PASSWORD, locale: 'en', terms_version: '1' },
      from(OWN),
    );
  expect((await register(1)).status).toBe(200);
  await sql`UPDATE sign_in_attempts SET attempts = 29 WHERE attempts = 1`.execute(api.platform.db);
  expect((await register(2)).status).toBe(200);
  expect((await register(3)).status).toBe(429);
});

it('an IPv6 subscriber is a /64, an IPv4 subscriber an address, however it is written', () => {
  expect(subscriberOf('2001:db8:1:2:3:4:5:6')).toBe(subscriberOf('2001:DB8:1:2::9'));
  expect(subscriberOf('2001:db8:1:2::1')).not.toBe(subscriberOf('2001:db8:1:3::1'));
  expect(subscriberOf('::ffff:192.0.2.1')).toBe('192.0.2.1');
  expect(subscriberOf('192.0.2.1')).not.toBe(subscriberOf('192.0.2.2'));
});
