import { decodeJwt } from 'jose';
import { describe, expect, it } from 'vitest';
import { type Answer, TestBrowser } from './testing/browser.ts';
import { startIdentity } from './testing/start-identity.ts';

const EMAIL = 'jane@example.com';
const PASSWORD = 'tundra-violin-87-kestrel';
const form = (changes: Record<string, unknown> = {}) => ({
  email: EMAIL,
  password: PASSWORD,
  name: 'Jane Miller',
  locale: 'en',
  terms_version: '1',
  ...changes,
});

/** An answer without what differs between any two requests. */
const shapeOf = ({ status, body, headers }: Answer) => ({
  status,
  keys: Object.keys(body).sort(),
  path: String(body.redirect_to).replace(/[^/]+$/, ''),
  headers: [headers.get('content-type'), headers.get('cache-control'), headers.getSetCookie()],
});

describe('registration', () => {
  it('tells what is wrong in the flat shape, field by field', async () => {
    const { origin } = await startIdentity();
    const browser = new TestBrowser(origin);
    const page = await browser.authorize({ prompt: 'create' });
    const faultOf = async (changes: Record<string, unknown>) => {
      const { status, body } = await browser.submit(page, 'register', form(changes));
      const { success, message, request_id, ...fields } = body;
      expect([status, success, typeof message, typeof request_id]).toEqual([422, false, 'string', 'string']);
      return fields;
    };
    expect(await faultOf({ password: 'vK9#tq2xL' })).toEqual({ password: 'PASSWORD_TOO_SHORT' });
    expect(await faultOf({ password: 'x'.repeat(1001) })).toEqual({
      password: 'TOO_LONG',
      params: { password: { maximum: 1000 } },
    });
    expect(await faultOf({ password: 'P@ssw0rd2024' })).toEqual({ password: 'PASSWORD_BREACHED' });
    expect(await faultOf({ password: 'Cordon-2026' })).toEqual({ password: 'PASSWORD_BREACHED' });
    expect(await faultOf({ password: 'Jane@Example.com' })).toEqual({ password: 'PASSWORD_IS_EMAIL' });
    expect(await faultOf({ email: 'jane@' })).toEqual({ email: 'EMAIL_INVALID' });
    expect(await faultOf({ email: undefined, password: undefined })).toEqual({
      email: 'REQUIRED',
      password: 'REQUIRED',
    });
    expect(await faultOf({ terms_version: '' })).toEqual({ terms_version: 'TERMS_REQUIRED' });
    expect(await faultOf({ terms_version: undefined })).toEqual({ terms_version: 'TERMS_REQUIRED' });
    expect(await faultOf({ terms_version: 'of last year' })).toEqual({ terms_version: 'TERMS_REQUIRED' });
    expect(await faultOf({ locale: 'fr' })).toEqual({ locale: 'NOT_ALLOWED' });
    expect(await faultOf({ time_zone: 'Mars/Olympus' })).toEqual({ time_zone: 'NOT_ALLOWED' });
    expect(await faultOf({ roles: ['dns'] })).toEqual({ roles: 'UNKNOWN_FIELD' });
    expect(await faultOf({ name: 'a\0b' })).toEqual({ name: 'TEXT_INVALID' });
    // The page is still good for another try.
    expect((await browser.submit(page, 'register', form())).status).toBe(200);
  });

  it('keeps account, user, roles, brand, subscription and the terms that were agreed to', async () => {
    const { origin, api } = await startIdentity();
    const { db } = api.platform;
    const tokens = await new TestBrowser(origin).register('  JANE@Example.COM', PASSWORD, {
      name: ' Jane Miller ',
      time_zone: 'Asia/Shanghai',
    });
    const user = await db.selectFrom('users').selectAll().executeTakeFirstOrThrow();
    expect(user).toMatchObject({
      email: EMAIL,
      name: 'Jane Miller',
      roles: ['user', 'view-attack'],
      terms_version: '1',
      subject: decodeJwt(tokens.access_token).sub,
      email_verified_at: null,
    });
    expect(Date.now() - Date.parse(user.terms_accepted_at ?? '')).toBeLessThan(60_000);
    expect(await db.selectFrom('accounts').select(['id', 'brand', 'time_zone']).execute()).toEqual([
      { id: user.account_id, brand: 'cordon', time_zone: 'Asia/Shanghai' },
    ]);
    expect(await db.selectFrom('subscriptions').select(['account_id', 'plan']).execute()).toEqual([
      { account_id: user.account_id, plan: 'free' },
    ]);
  });

  it('can be reached from the sign-in page, in the same interaction', async () => {
    const { origin } = await startIdentity();
    const browser = new TestBrowser(origin);
    const page = await browser.authorize();
    expect((await browser.interaction(page)).body.result.prompt).toBe('login');
    const tokens = await browser.finish(await browser.submit(page, 'register', form()));
    expect(decodeJwt(tokens.access_token).email).toBe(EMAIL);
  });

  it('answers a taken address as it answers a free one; who knows the password is signed in, others must sign in', async () => {
    const { origin, api } = await startIdentity();
    const owner = await new TestBrowser(origin).register(EMAIL, PASSWORD);
    const signedOut = new TestBrowser(origin);
    const submit = async (changes: Record<string, unknown>) =>
      signedOut.submit(await signedOut.authorize({ prompt: 'create' }), 'register', form(changes));
    const free = await submit({ email: 'john@example.com', password: 'another-good-phrase-5' });
    const other = new TestBrowser(origin);
    const taken = await other.submit(
      await other.authorize({ prompt: 'create' }),
      'register',
      form({ email: ' Jane@EXAMPLE.com', password: 'not-her-password-7' }),
    );
    expect(shapeOf(taken)).toEqual(shapeOf(free));

    const page = await other.follow(taken.body.redirect_to);
    expect(page.hash).toMatch(/^#\/pages\/login\?interaction=/);
    expect((await other.interaction(page)).body.result).toMatchObject({ prompt: 'login', after_registration: true });
    expect((await other.submit(page, 'login', { email: EMAIL, password: 'not-her-password-7' })).body.password).toBe(
      'CREDENTIALS_WRONG',
    );
    const signedIn = await other.finish(await other.submit(page, 'login', { email: EMAIL, password: PASSWORD }));
    expect(decodeJwt(signedIn.access_token).sub).toBe(decodeJwt(owner.access_token).sub);

    const forgetful = await new TestBrowser(origin).register(EMAIL, PASSWORD, { name: 'Another name' });
    expect(decodeJwt(forgetful.access_token)).toMatchObject({ sub: decodeJwt(owner.access_token).sub, name: '' });
    expect(await api.platform.db.selectFrom('users').select('email').orderBy('email').execute()).toEqual([
      { email: EMAIL },
      { email: 'john@example.com' },
    ]);
  });

  it('with a text that cannot be stored is refused alike for a taken and a free address', async () => {
    const { origin } = await startIdentity();
    await new TestBrowser(origin).register(EMAIL, PASSWORD);
    const submit = async (email: string) => {
      const browser = new TestBrowser(origin);
      const page = await browser.authorize({ prompt: 'create' });
      return browser.submit(page, 'register', form({ email, password: 'another-good-phrase-5', name: 'a\0b' }));
    };
    const [taken, free] = [await submit(EMAIL), await submit('free@example.com')];
    expect(shapeOf(taken)).toEqual(shapeOf(free));
    expect(taken).toMatchObject({ status: 422, body: { name: 'TEXT_INVALID' } });
  });

  it('of a taken address does not continue the session of the user signed in before', async () => {
    const { origin } = await startIdentity();
    await new TestBrowser(origin).register(EMAIL, PASSWORD);
    const browser = new TestBrowser(origin);
    await browser.register('john@example.com', 'another-good-phrase-5');
    const answer = await browser.submit(
      await browser.authorize({ prompt: 'create' }),
      'register',
      form({ password: 'not-her-password-7' }),
    );
    expect((await browser.follow(answer.body.redirect_to)).hash).toMatch(/^#\/pages\/login/);
  });

  it('makes one account of two at the same moment', async () => {
    const { origin, api } = await startIdentity();
    const browsers = [1, 2, 3].map(() => new TestBrowser(origin));
    const answers = await Promise.all(
      browsers.map(async (browser) =>
        browser.submit(await browser.authorize({ prompt: 'create' }), 'register', form()),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await api.platform.db.selectFrom('users').select('email').execute()).toEqual([{ email: EMAIL }]);
    expect((await api.platform.db.selectFrom('accounts').select('id').execute()).length).toBe(1);
  });
});

describe('a wrong password', () => {
  it('is answered alike for an account and for none, and takes alike long', async () => {
    const { origin } = await startIdentity();
    await new TestBrowser(origin).register(EMAIL, PASSWORD);
    const browser = new TestBrowser(origin);
    const page = await browser.authorize();
    const times: Record<string, number[]> = { [EMAIL]: [], 'nobody@example.com': [] };
    for (let round = 0; round < 4; round += 1) {
      for (const email of Object.keys(times)) {
        const from = performance.now();
        const { status, body } = await browser.submit(page, 'login', { email, password: 'not-her-password-7' });
        times[email]?.push(performance.now() - from);
        expect([status, { ...body, request_id: '' }]).toEqual([
          422,
          { success: false, password: 'CREDENTIALS_WRONG', message: 'password: CREDENTIALS_WRONG', request_id: '' },
        ]);
      }
    }
    const fastest = Object.values(times).map((all) => Math.min(...all)) as [number, number];
    // Without the work of a comparison an unknown address would answer some twenty times as fast.
    expect(Math.min(...fastest)).toBeGreaterThan(Math.max(...fastest) / 3);
  });
});
