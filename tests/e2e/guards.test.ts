import { request } from 'node:http';
import pg from 'pg';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closePages, launchBrowser, openPage, openVisitor, sharedBrowser } from '../support/browser.ts';
import { signIn } from '../support/console.ts';
import { type Customer, createCustomer } from '../support/customer.ts';
import type { Instance } from '../support/instance.ts';
import { sharedInstance } from '../support/shared-instance.ts';
import { until } from '../support/until.ts';

const ACCESS_TOKEN_SECONDS = 300;
const PALISADE = 'palisade.test';
const PARTNER = 'console.partner.test';

let instance: Instance;
let browser: Browser;
let customer: Customer;
let routeId: string;
/** Signed in once; every page of it is a tab of the same browser. */
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  instance = await sharedInstance();
  [browser, customer] = await Promise.all([sharedBrowser(), createCustomer(instance, 'guards@example.com')]);
  const { result } = await customer.api.createRoute({
    body: {
      cname: customer.subscriptionCname,
      domain_name: 'www.guarded.example',
      upstreams: { protocol: 'http', targets: [{ host: '198.41.128.7', port: null }] },
      deploy: true,
    },
  });
  routeId = result.id;
  page = (await openVisitor(browser)).page;
  context = page.context();
  await signIn(page, instance.origin, customer);
});
afterAll(async () => {
  await closePages(browser);
});

const heading = (name: string, one: Page = page) => one.getByRole('heading', { name, level: 1 });
const hashOf = (one: Page = page) => new URL(one.url()).hash;

async function visit(address: string, screen: string): Promise<void> {
  // From something else, so that the whole page loads as for who follows a link; of the same origin, so that no process is new.
  await page.goto(`${instance.origin}/favicon.svg`);
  await page.goto(`${instance.origin}${address}`);
  await heading(screen).waitFor();
}

describe('addresses', () => {
  it.each([
    ['/', 'Domains', '#/domain/list'],
    ['/#/domain', 'Domains', '#/domain/list'],
    ['/#/domain/list0', 'Domains', '#/domain/list'],
    ['/#/pages', 'This page does not exist', '#/pages/404'],
    ['/#/pages/', 'This page does not exist', '#/pages/404'],
    ['/#/pages/404', 'This page does not exist', '#/pages/404'],
    ['/#/pages/500', 'Something went wrong on our side', '#/pages/500'],
    ['/#/pages/test', 'Self-test', '#/pages/test'],
    ['/#/pages/unauthorized', 'You do not have access to this page', '#/pages/unauthorized'],
    ['/#/unauthorized', 'You do not have access to this page', '#/unauthorized'],
    ['/#/pages/no-such-page', 'This page does not exist', '#/pages/no-such-page'],
    ['/#/dashboard?range=zzz', 'Dashboard', '#/dashboard'],
    // The forms belong to the identity provider: who is signed in and has no interaction comes back.
    ['/#/pages/login', 'Domains', '#/domain/list'],
    ['/#/pages/register', 'Domains', '#/domain/list'],
    // Groups whose screens are not there yet.
    ['/#/cert', 'This page does not exist', '#/cert'],
    ['/#/dns', 'This page does not exist', '#/dns'],
    ['/#/tickets', 'This page does not exist', '#/tickets'],
    ['/#/attack', 'This page does not exist', '#/attack'],
    ['/#/zh/domain/list', 'This page does not exist', '#/zh/domain/list'],
    ['/#/no/such/screen', 'This page does not exist', '#/no/such/screen'],
    ['/#/domain/nowhere', 'This page does not exist', '#/domain/nowhere'],
    // Half an escape, which nothing can read.
    ['/#/%', 'This page does not exist', '#/%'],
    ['/#/domain/list/%E0%A4%A', 'This page does not exist', '#/domain/list/%E0%A4%A'],
    ['/#/tlh', 'Domains', '#/domain/list'],
    ['/#/domain/list/not-an-id', 'Domain not found', '#/domain/list/not-an-id'],
  ])('%s shows %s', async (address, screen, hash) => {
    await visit(address, screen);
    expect(hashOf()).toBe(hash);
  });

  it.each([
    ['/#/domain/nowhere', 'Address#/domain/nowhere'],
    ['/#/tickets', 'Address#/tickets'],
  ])('the unknown %s is said inside the shell', async (address, fact) => {
    await visit(address, 'This page does not exist');
    await page.getByRole('navigation', { name: 'Main navigation' }).waitFor();
    expect(await page.locator('main dl').textContent()).toBe(fact);
    await page.locator('main').getByRole('link', { name: 'Go to your domains' }).click();
    await heading('Domains').waitFor();
  });

  it('what is no language says why the domains came, typed on them too, and no longer on the next screen', async () => {
    await visit('/#/tlh', 'Domains');
    const reason = (address: string) =>
      page.getByText(`There is no page at ${address}. Here are your domains instead.`);
    await reason('#/tlh').waitFor();
    await page.goto(`${instance.origin}/#/klingon`);
    await reason('#/klingon').waitFor();
    await page.getByRole('link', { name: 'Dashboard' }).first().click();
    await heading('Dashboard').waitFor();
    // Before its own time is over.
    await reason('#/klingon').waitFor({ state: 'hidden', timeout: 3_000 });
  });

  it.each([
    ['in the query of the page', '/?error=access_denied&error_description=x#/dashboard'],
    ['inside the hash', '/#/dashboard?error=login_required'],
    ['behind the hash', '/#/dashboard&error=login_required'],
  ])('an error marker %s leads to the start of the site', async (_where, address) => {
    await visit(address, 'Domains');
    expect(page.url()).toBe(`${instance.origin}/#/domain/list`);
  });

  it.each([
    ['in the query of the page', '/?state=0123&session_state=4567#/dashboard', '#/dashboard'],
    ['inside the hash', '/#/dashboard?state=0123&code=4567', '#/dashboard'],
    ['behind the hash', '/#/dashboard&state=0123&code=4567', '#/dashboard'],
    ['after a search', '/#/dashboard?range=1h&state=0123&code=4567', '#/dashboard?range=1h'],
  ])('a state marker %s is cut off with what follows it', async (_where, address, hash) => {
    await visit(address, 'Dashboard');
    expect(hashOf()).toBe(hash);
    expect(new URL(page.url()).search).toBe('');
  });

  it('/{lang} sets the language and keeps it', async () => {
    await visit('/#/zh', '域名');
    expect(await page.locator('html').getAttribute('lang')).toBe('zh-CN');
    expect(await page.title()).toBe('域名 · Cordon – CDN 加速与域名防护');
    await visit('/#/dashboard', '仪表盘');
    // One that the console does not speak changes nothing.
    await visit('/#/de', '域名');
    expect(hashOf()).toBe('#/domain/list');
    await visit('/#/en-GB', 'Domains');
    expect(await page.locator('html').getAttribute('lang')).toBe('en');
    expect(await page.title()).toBe('Domains · Cordon – CDN and domain protection');
    await visit('/#/zh-CN', '域名');
    await visit('/#/en', 'Domains');
  });

  it('/{lang} also sets the language of the sign-in that a signed-out visitor is led to', async () => {
    const { page: signedOut } = await openVisitor(browser);
    await signedOut.goto(`${instance.origin}/#/zh`);
    await signedOut.locator('input[name=password]').waitFor();
    expect(await signedOut.locator('html').getAttribute('lang')).toBe('zh-CN');
    await signedOut.getByRole('button', { name: '登录' }).waitFor();
    await signedOut.context().close();
  });

  it('of the forms lead a fresh browser to just that form', async () => {
    const { page: fresh } = await openVisitor(browser);
    await fresh.goto(`${instance.origin}/#/pages/register`);
    await fresh.getByRole('button', { name: 'Create account' }).waitFor();
    expect(hashOf(fresh)).toMatch(/^#\/pages\/register\?interaction=/);
    await fresh.goto(`${instance.origin}/favicon.svg`);
    await fresh.goto(`${instance.origin}/#/pages/login`);
    await fresh.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(hashOf(fresh)).toMatch(/^#\/pages\/login\?interaction=/);
    await fresh.context().close();
  });

  it('that are gone to while the session is still asked for show their own screen', async () => {
    const tab = await context.newPage();
    let answer: () => void = () => undefined;
    const mayAnswer = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const isAsked = new Promise<void>((resolve) => {
      void tab.route(/openid-connect\/auth/, async (route) => {
        resolve();
        await mayAnswer;
        await route.continue();
      });
    });
    // The frame that asks holds the page's load event.
    await tab.goto(`${instance.origin}/#/domain/list`, { waitUntil: 'commit' });
    await heading('Domains', tab).waitFor();
    await isAsked;
    await tab.evaluate((hash) => {
      window.location.hash = hash;
    }, `#/domain/list/${routeId}`);
    answer();
    await heading('www.guarded.example', tab).waitFor();
    expect(await heading('Domains', tab).count()).toBe(0);
    await tab.close();
  });

  it('another screen begins at its top', async () => {
    const SCROLLED = 80;
    const scrollable = () => page.evaluate(() => document.documentElement.scrollHeight - window.innerHeight);
    await page.setViewportSize({ width: 1280, height: 240 });
    await visit(`/#/domain/list/${routeId}`, 'www.guarded.example');
    await page.getByRole('heading', { name: 'Point your domain here' }).waitFor();
    await page.evaluate((top) => window.scrollTo(0, top), SCROLLED);
    expect(await page.evaluate(() => window.scrollY)).toBe(SCROLLED);
    // By its own key, as reaching for the link would scroll.
    await page
      .getByRole('navigation', { name: 'Main navigation' })
      .getByRole('link', { name: 'Domains', exact: true })
      .press('Enter');
    await page.getByRole('link', { name: 'www.guarded.example' }).waitFor();
    expect(await scrollable()).toBeGreaterThan(SCROLLED);
    await until('the top', () => page.evaluate(() => window.scrollY === 0));
    await page.setViewportSize({ width: 1280, height: 900 });
  });
});

it('an unknown tab leaves the address', async () => {
  await visit(`/#/domain/list/${routeId}?tab=nonsense`, 'www.guarded.example');
  await until('the address', () => hashOf() === `#/domain/list/${routeId}`);
});

it('each tab of a domain has a title of its own', async () => {
  await visit(`/#/domain/list/${routeId}`, 'www.guarded.example');
  const tabs = page.getByRole('tab');
  const names = await tabs.allInnerTexts();
  expect(names.length).toBeGreaterThan(5);
  const titles = new Set<string>();
  for (const name of names) {
    await tabs.filter({ hasText: name }).click();
    await until(`the title of ${name}`, async () =>
      (await page.title()).startsWith(`${name} · www.guarded.example · `),
    );
    titles.add(await page.title());
  }
  expect(titles.size).toBe(names.length);
});

it('the palette and the navigation of a phone have titles of their own', async () => {
  const titled = (title: string) => until(title, async () => (await page.title()).startsWith(`${title} · `));
  await visit('/#/domain/list', 'Domains');
  await page.keyboard.press('Control+k');
  await titled('Search and commands · Domains');
  await page.keyboard.press('Escape');
  await titled('Domains');
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole('button', { name: 'Open navigation' }).click();
  await titled('Main navigation · Domains');
  await page.keyboard.press('Escape');
  await titled('Domains');
  // Of a subscription one sees its plan, not a code.
  const choice = page.getByRole('button', { name: /^Subscription .* Choose another$/ });
  expect(await choice.innerText()).toBe('Free');
  await page.setViewportSize({ width: 1280, height: 900 });
});

describe('an edit', () => {
  it('stays when Back between typed addresses is taken back', async () => {
    const type = (hash: string) =>
      page.evaluate((next) => {
        window.location.hash = next;
      }, hash);
    const address = page.getByRole('textbox', { name: 'Address' });
    await visit('/#/domain/list', 'Domains');
    await type('#/manage-ip');
    await heading('Manage IP').waitFor();
    await type(`#/domain/list/${routeId}?tab=upstreams`);
    await address.fill('198.41.128.9');
    await page.evaluate(() => window.history.back());
    // The form is still the one of this address, also while it is asked.
    await page.getByRole('alertdialog').waitFor();
    await until('the address', () => hashOf().endsWith('?tab=upstreams'));
    await page.getByRole('alertdialog').getByRole('button', { name: 'Keep editing' }).click();
    await page.getByRole('alertdialog').waitFor({ state: 'detached' });
    expect(hashOf()).toMatch(/\?tab=upstreams$/);
    expect(await address.inputValue()).toBe('198.41.128.9');
    // The same for an address that was typed over the form.
    await type('#/dashboard');
    await page.getByRole('alertdialog').waitFor();
    await until('the address', () => hashOf().endsWith('?tab=upstreams'));
    await page.getByRole('alertdialog').getByRole('button', { name: 'Keep editing' }).click();
    await until('the address', () => hashOf().endsWith('?tab=upstreams'));
    expect(await address.inputValue()).toBe('198.41.128.9');
    await page.evaluate(() => window.history.back());
    await page.getByRole('alertdialog').getByRole('button', { name: 'Discard changes' }).click();
    await heading('Manage IP').waitFor();
  });
});

describe('sign-in', () => {
  it('leads back to where one was, with tab and search', async () => {
    const { page: signedOut } = await openVisitor(browser);
    await signedOut.goto(`${instance.origin}/#/domain/list/${routeId}?tab=versions`);
    await signedOut.getByLabel('E-mail address').fill(customer.email);
    await signedOut.getByLabel('Password', { exact: true }).fill(customer.password);
    await signedOut.getByRole('button', { name: 'Sign in' }).click();
    await heading('www.guarded.example', signedOut).waitFor();
    expect(await signedOut.getByRole('tab', { name: 'History' }).getAttribute('aria-selected')).toBe('true');
    expect(hashOf(signedOut)).toBe(`#/domain/list/${routeId}?tab=versions`);
    await signedOut.context().close();
  });

  it('is not asked of a second tab', async () => {
    const second = await context.newPage();
    const visited: string[] = [];
    second.on('framenavigated', (frame) => frame === second.mainFrame() && visited.push(frame.url()));
    await second.goto(`${instance.origin}/#/dashboard`);
    await heading('Dashboard', second).waitFor();
    expect(visited.filter((url) => url.includes('/pages/login'))).toEqual([]);
    await second.close();
  });

  it('is not asked on the pages that everybody may see', async () => {
    const { page: signedOut } = await openVisitor(browser);
    for (const [address, screen] of [
      ['/#/pages/test', 'Self-test'],
      ['/#/pages/404', 'This page does not exist'],
      ['/#/pages/500', 'Something went wrong on our side'],
      ['/#/unauthorized', 'You do not have access to this page'],
      ['/#/pages/unauthorized', 'You do not have access to this page'],
    ] as const) {
      await signedOut.goto('about:blank');
      await signedOut.goto(`${instance.origin}${address}`);
      await heading(screen, signedOut).waitFor();
    }
    await signedOut.context().close();
  });

  it('a failed sign-in is only logged', async () => {
    const { page: visitor, complaints } = await openPage(context);
    await visitor.goto(`${instance.origin}/?state=of-nobody&code=of-nobody#/dashboard`);
    // Signed in anew, at the start of the site: where to go was part of the answer, which no sign-in here had asked for.
    await heading('Domains', visitor).waitFor();
    expect(complaints.filter((complaint) => complaint.includes('Sign-in failed'))).toHaveLength(1);
    await visitor.close();
  });

  it('is not enough without the role', async () => {
    const lacking = await createCustomer(instance, 'roleless@example.com');
    const database = new pg.Client({ connectionString: instance.running.databaseUrl });
    await database.connect();
    await database.query("UPDATE users SET roles = array_remove(roles, 'user') WHERE email = $1", [lacking.email]);
    await database.end();
    const { page: signedOut } = await openVisitor(browser);
    await signedOut.goto(`${instance.origin}/#/domain/list`);
    await signedOut.getByLabel('E-mail address').fill(lacking.email);
    await signedOut.getByLabel('Password', { exact: true }).fill(lacking.password);
    await signedOut.getByRole('button', { name: 'Sign in' }).click();
    await heading('You do not have access to this page', signedOut).waitFor();
    expect(hashOf(signedOut)).toBe('#/unauthorized');
    await signedOut.getByRole('definition').filter({ hasText: lacking.email }).waitFor();
    // The dashboard asks for no role.
    await signedOut.goto(`${instance.origin}/#/dashboard`);
    await heading('Dashboard', signedOut).waitFor();
    await signedOut.context().close();
  });
});

describe('the session', () => {
  it('that is over takes its screen with it, also while the browser cannot leave and another address is gone to', async () => {
    const { page: user } = await openVisitor(browser);
    await signIn(user, instance.origin, customer);
    await user.context().clearCookies();
    let attempts = 0;
    await user.route(/openid-connect\/auth/, async (route) => {
      if (route.request().url().includes('prompt=none')) return route.continue();
      attempts += 1;
      // What has no content leaves the browser where it is.
      return route.fulfill({ status: 204 });
    });
    await user.goto(`${instance.origin}/favicon.svg`);
    // The attempt to leave may come before the page's load event, which then never does.
    await user.goto(`${instance.origin}/#/domain/list`, { waitUntil: 'commit' });
    await until('an attempt to leave', () => attempts > 0);
    await user.evaluate((hash) => {
      window.location.hash = hash;
    }, `#/domain/list/${routeId}`);
    await until('another', () => attempts > 1);
    await user.getByRole('status', { name: 'Loading' }).waitFor();
    expect(await user.getByRole('heading', { level: 1 }).allTextContents()).toEqual([]);
    await user.context().close();
  });

  it('is refreshed before its token ends, and sign-in is asked for once it is over', async () => {
    const { page: user } = await openVisitor(browser);
    const tokens: { grant: string; status: number }[] = [];
    user.on('response', (response) => {
      if (!response.url().endsWith('/openid-connect/token')) return;
      const grant = new URLSearchParams(response.request().postData() ?? '').get('grant_type') ?? '';
      tokens.push({ grant, status: response.status() });
    });
    await user.clock.install();
    await signIn(user, instance.origin, customer);
    expect(tokens).toEqual([{ grant: 'authorization_code', status: 200 }]);
    await user.clock.fastForward((ACCESS_TOKEN_SECONDS - 75) * 1000);
    expect(tokens).toHaveLength(1);
    await user.clock.fastForward(61_000);
    await until('the refresh', () => tokens.length === 2);
    expect(tokens[1]).toEqual({ grant: 'refresh_token', status: 200 });

    // Signed out elsewhere: what keeps the session fresh finds no session, and the form comes.
    const second = await user.context().newPage();
    await second.goto(`${instance.origin}/#/dashboard`);
    await second.getByRole('button', { name: /^Account of/ }).click();
    await second.getByRole('menuitem', { name: 'Sign out' }).click();
    await second.getByLabel('E-mail address').waitFor();
    await user.clock.fastForward(ACCESS_TOKEN_SECONDS * 1000);
    await user.getByLabel('E-mail address').waitFor();
    await user.context().close();
  });
});

describe('brands', () => {
  let branded: Browser;

  beforeAll(async () => {
    const port = instance.ports.api;
    branded = await launchBrowser(
      `--host-resolver-rules=MAP ${PALISADE} 127.0.0.1,MAP ${PARTNER} 127.0.0.1`,
      // Signing in needs what browsers give to HTTPS and to loopback only.
      `--unsafely-treat-insecure-origin-as-secure=http://${PALISADE}:${port},http://${PARTNER}:${port}`,
    );
  });
  afterAll(async () => {
    await branded?.close();
  });

  it.each([
    [PALISADE, 'en-US', 'Palisade – CDN and domain protection', 'Palisade', 'Domains'],
    [PALISADE, 'zh-CN', 'Palisade – CDN 加速与域名防护', 'Palisade', '域名'],
    [PARTNER, 'en-US', 'Domain protection console', 'Domain Console', 'Domains'],
    [PARTNER, 'zh-CN', '域名防护控制台', 'Domain Console', '域名'],
  ])(
    '%s in %s has its own title and name, and signs in under its own address',
    async (host, locale, title, name, list) => {
      const { page: user } = await openVisitor(branded, { locale });
      const origin = `http://${host}:${instance.ports.api}`;
      await user.goto(`${origin}/`);
      await user.locator('input[name=email]').fill(customer.email);
      expect(await user.title()).toBe(`${locale === 'zh-CN' ? '登录' : 'Sign in'} · ${title}`);
      expect(await user.locator('h1').textContent()).toContain(name);
      expect(await user.locator('body').textContent()).not.toContain('Cordon');
      await user.locator('input[name=password]').fill(customer.password);
      await user.locator('input[name=password]').press('Enter');
      await heading(list, user).waitFor();
      expect(new URL(user.url()).origin).toBe(origin);
      expect(await user.title()).toBe(`${list} · ${title}`);
      expect(await user.locator('body').textContent()).not.toContain('Cordon');
      const favicon = await user.locator('#favicon').getAttribute('href');
      expect(favicon).not.toBe('/favicon.svg');
      await user.context().close();
    },
  );

  it('a name that no brand has gets no console', async () => {
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const options = { host: '127.0.0.1', port: instance.ports.api, headers: { host: 'console.evil.example' } };
      request({ ...options, path: '/' }, (res) => resolve(res.resume().statusCode))
        .on('error', reject)
        .end();
    });
    expect(status).toBeGreaterThanOrEqual(400);
  });
});
