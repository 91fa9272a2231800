import { rm } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { closePages, openVisitor, sharedBrowser } from '../support/browser.ts';
import { signIn, tab } from '../support/console.ts';
import { type Customer, createCustomer, deployDomain } from '../support/customer.ts';
import { edgeRequest } from '../support/edge-request.ts';
import { SITE_KEY, startGoogle, type TestGoogle } from '../support/google.ts';
import { Instance } from '../support/instance.ts';
import { startOrigin, type TestOrigin } from '../support/origin.ts';
import { sharedInstance } from '../support/shared-instance.ts';
import { until } from '../support/until.ts';
import { accessFaults } from './screens/faults.ts';

const NAME = 'www.recaptcha.example';

let google: TestGoogle;
let instance: Instance;
let browser: Browser;
let origin: TestOrigin;
let customer: Customer;

const site = () => `http://${NAME}:${instance.ports.edgeHttp}/`;

/** The form of the plugin, of the domain that is open. */
async function openForm(page: Page, of: Instance, routeId: string) {
  await page.goto(`${of.origin}/#/domain/list/${routeId}?tab=protection`);
  await tab(page, 'Protection').waitFor();
  const card = page.getByRole('article', { name: 'Challenge', exact: true });
  await card.getByRole('button', { name: /^Set up/ }).click();
  return page.getByRole('dialog', { name: 'Challenge' });
}

beforeAll(async () => {
  [google, origin, browser] = await Promise.all([startGoogle(), startOrigin(), sharedBrowser()]);
  instance = await Instance.start({
    environment: { ...google.environment, CORDON_UPSTREAM_ALLOW: `127.0.0.1:${origin.port}` },
  });
  customer = await createCustomer(instance, 'recaptcha@example.com');
});
afterAll(async () => {
  await closePages(browser);
  await instance?.stop();
  if (instance) await rm(instance.dataDirectory, { recursive: true, force: true });
  await Promise.all([origin?.close(), google?.close()]);
});
afterEach(() => {
  google.isDown = false;
});

it('cannot be chosen where the operator has set no keys, and the form says so', async () => {
  const other = await sharedInstance();
  const owner = await createCustomer(other, 'no-keys@example.com');
  const { id } = await deployDomain(other, owner, 'www.no-keys.example', origin.port);
  const { page } = await openVisitor(browser);
  await signIn(page, other.origin, owner);
  const sheet = await openForm(page, other, id);
  await sheet.getByText('Not available: reCAPTCHA keys are not set up here. Contact support.').waitFor();
  expect(await sheet.getByRole('radio', { name: /^Google reCAPTCHA/ }).isDisabled()).toBe(true);
  expect(await accessFaults(page)).toEqual([]);
});

it('is chosen in the form, and live', async () => {
  const { id } = await deployDomain(instance, customer, NAME, origin.port);
  const { page } = await openVisitor(browser);
  await signIn(page, instance.origin, customer);
  const sheet = await openForm(page, instance, id);
  await sheet.getByRole('radio', { name: /^Google reCAPTCHA/ }).check();
  await sheet.getByRole('button', { name: 'Everything' }).click();
  await sheet.getByRole('button', { name: 'Save and deploy' }).click();
  await page.getByText('All visitors, valid for 30 min').waitFor();
  const ask = () => edgeRequest(instance.ports.edgeHttp, NAME, '/', { accept: 'text/html' });
  await until('challenges', async () => (await ask()).status === 403);
});

const WORDS = {
  'en-US': {
    title: 'Confirm that you are human',
    silent: 'Google did not answer. Your browser can do a check instead.',
    instead: 'Continue without Google',
    blocked: 'reCAPTCHA could not be loaded. Allow content from Google or check your network, then try again.',
    retry: 'Try again',
  },
  'zh-CN': {
    title: '请确认您是真人',
    silent: 'Google 没有响应，可改由您的浏览器完成验证。',
    instead: '不使用 Google，继续验证',
    blocked: '无法加载 reCAPTCHA。请允许来自 Google 的内容或检查网络，然后重试。',
    retry: '重试',
  },
};

describe.each(Object.entries(WORDS))('a visitor (%s)', (locale, { title, silent, instead, blocked, retry }) => {
  const tick = (visitor: Page) => visitor.frameLocator('iframe').getByRole('checkbox').click();

  it.each([
    [1280, 'light', 'normal'],
    [390, 'dark', 'normal'],
    [320, 'dark', 'compact'],
  ] as const)('ticks the box and is let in, at %i px (%s)', async (width, colorScheme, size) => {
    const context = await browser.newContext({ locale, colorScheme, viewport: { width, height: 760 } });
    const visitor = await context.newPage();
    const complaints: string[] = [];
    visitor.on('console', (message) => complaints.push(message.text()));
    await visitor.goto(site());
    await visitor.getByRole('heading', { name: title, level: 1 }).waitFor();
    await visitor.frameLocator('iframe').getByRole('checkbox').waitFor();
    expect(Object.fromEntries(google.boxes.at(-1) ?? [])).toMatchObject({
      sitekey: SITE_KEY,
      theme: colorScheme,
      size,
    });
    expect(await visitor.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
    const before = complaints.length;
    expect(await accessFaults(visitor)).toEqual([]);
    // Axe asks the frame, which is of another origin, and the browser says that of it.
    complaints.splice(before);
    await tick(visitor);
    await visitor.getByText('origin /').waitFor();
    // That the first answer was 403 is all that the browser has to say: the policy of the page let everything be loaded.
    expect(complaints.filter((text) => !text.includes('403'))).toEqual([]);
    await context.close();
  });

  it('is told that Google does not answer, and let in by its browser', async () => {
    google.isDown = true;
    const context = await browser.newContext({ locale, viewport: { width: 390, height: 760 } });
    const visitor = await context.newPage();
    await visitor.goto(site());
    await tick(visitor);
    await visitor.getByText(silent).waitFor();
    expect(await accessFaults(visitor)).toEqual([]);
    await visitor.getByRole('button', { name: instead }).click();
    await visitor.getByText('origin /').waitFor();
    await context.close();
  });

  it('is told where its browser cannot load Google, and may try again', async () => {
    const context = await browser.newContext({ locale });
    const visitor = await context.newPage();
    await visitor.route('**/recaptcha/api.js*', (route) => route.abort('blockedbyclient'));
    await visitor.goto(site());
    await visitor.getByText(blocked).waitFor();
    expect(await visitor.evaluate(() => document.activeElement?.tagName)).toBe('BUTTON');
    await visitor.unroute('**/recaptcha/api.js*');
    await visitor.getByRole('button', { name: retry }).click();
    await tick(visitor);
    await visitor.getByText('origin /').waitFor();
    await context.close();
  });
});
