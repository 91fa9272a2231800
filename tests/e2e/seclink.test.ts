import { execFileSync } from 'node:child_process';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closePages, openVisitor, sharedBrowser } from '../support/browser.ts';
import { signIn, tab } from '../support/console.ts';
import { type Customer, createCustomer, deployDomain } from '../support/customer.ts';
import { edgeRequest } from '../support/edge-request.ts';
import type { Instance } from '../support/instance.ts';
import { startOrigin, type TestOrigin } from '../support/origin.ts';
import { sharedInstance } from '../support/shared-instance.ts';
import { until } from '../support/until.ts';
import { accessFaults } from './screens/faults.ts';

const NAME = 'www.signing.example';

/** Long enough to look at the page meanwhile, on a busy machine too. */
const WAIT_SECONDS = 10;
let instance: Instance;
let browser: Browser;
let page: Page;
let customer: Customer;
let origin: TestOrigin;
let routeId: string;
let secret = '';
/** The sample in Bash, as the form shows it. */
let sample = '';

/** Signed by the customer's own program. */
function newLink(): string {
  const env = { ...process.env, LINK_SECRET: secret };
  const link = execFileSync('bash', ['-c', sample], { encoding: 'utf8', env });
  return `http://${NAME}:${instance.ports.edgeHttp}${link.trim()}`;
}

const card = () => page.getByRole('article', { name: 'Signed links', exact: true });
const sheet = () => page.getByRole('dialog', { name: 'Signed links' });
const field = () => sheet().getByRole('textbox', { name: 'Secret', exact: true });

beforeAll(async () => {
  [instance, browser, origin] = await Promise.all([sharedInstance(), sharedBrowser(), startOrigin()]);
  customer = await createCustomer(instance, 'signing@example.com');
  routeId = (await deployDomain(instance, customer, NAME, origin.port)).id;
  page = (await openVisitor(browser)).page;
  await signIn(page, instance.origin, customer);
});
afterAll(async () => {
  await closePages(browser);
  await origin?.close();
});

it('is set up in its form, with a secret that the browser makes', async () => {
  await page.goto(`${instance.origin}/#/domain/list/${routeId}?tab=access`);
  await tab(page, 'Access').waitFor();
  await card()
    .getByRole('button', { name: /^Set up/ })
    .click();
  await sheet().getByRole('button', { name: 'Downloads' }).click();
  await sheet().getByRole('button', { name: 'Generate' }).click();
  secret = await field().inputValue();
  sample = (await sheet().locator('pre').textContent()) ?? '';
  await sheet().getByRole('spinbutton', { name: 'Wait', exact: true }).fill(String(WAIT_SECONDS));
  await sheet().getByRole('button', { name: 'Save and deploy' }).click();
  await card().getByText('^/download/ needs a signed link').waitFor();
  await until(
    'needs a link',
    async () => (await edgeRequest(instance.ports.edgeHttp, NAME, '/download/a.pdf')).status === 403,
  );
  expect((await edgeRequest(instance.ports.edgeHttp, NAME, '/')).status).toBe(200);
});

it('does not show the secret again, and keeps it through a change', async () => {
  await page.reload();
  await card().getByRole('button', { name: /^Edit/ }).click();
  expect(await field().inputValue()).toBe('Set. It is not shown again.');
  expect(await page.content()).not.toContain(secret);
  await sheet().getByRole('spinbutton', { name: 'Valid for' }).fill('10');
  await sheet().getByRole('button', { name: 'Save and deploy' }).click();
  await card().getByText('valid for 10 minutes').waitFor();
});

describe.each([
  ['en-US', 'light', 'One moment', 'The page could not be opened', 'Allow JavaScript to continue', 'Try again'],
  ['zh-CN', 'dark', '请稍候', '页面未能打开', '启用 JavaScript 后继续访问', '重试'],
] as const)('a visitor of a link (%s, %s)', (locale, colorScheme, title, stopped, noScript, retry) => {
  it('waits, and gets the file by itself', async () => {
    const context = await browser.newContext({ locale, colorScheme, viewport: { width: 390, height: 760 } });
    const visitor = await context.newPage();
    const url = newLink();
    const statuses: number[] = [];
    visitor.on('response', (response) => {
      if (response.url() === url) statuses.push(response.status());
    });
    await visitor.goto(url);
    await visitor.getByRole('heading', { name: title, level: 1 }).waitFor();
    const left = Number.parseInt((await visitor.getByRole('timer').textContent()) ?? '', 10);
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThanOrEqual(WAIT_SECONDS);
    expect(await visitor.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
    expect(await accessFaults(visitor)).toEqual([]);
    await visitor.getByText('origin /download/report').waitFor();
    await visitor.reload();
    expect(statuses).toEqual([403, 200, 200]);
    await context.close();
  });

  it('reads what to do where cookies are refused', async () => {
    const context = await browser.newContext({ locale, colorScheme });
    const visitor = await context.newPage();
    await visitor.addInitScript(() => Object.defineProperty(navigator, 'cookieEnabled', { get: () => false }));
    await visitor.goto(newLink());
    await visitor.getByText('Cookie').first().waitFor();
    expect(await visitor.evaluate(() => document.activeElement?.tagName)).toBe('BUTTON');
    expect(await visitor.title()).toBe(stopped);
    expect(await visitor.getByRole('heading', { level: 1 }).allTextContents()).toEqual([stopped]);
    expect(await visitor.locator('#about').isVisible()).toBe(false);
    expect(await accessFaults(visitor)).toEqual([]);
    await context.close();
  });

  it('reads that JavaScript is needed where there is none, and nothing of a page that opens by itself', async () => {
    const context = await browser.newContext({ locale, colorScheme, javaScriptEnabled: false });
    const visitor = await context.newPage();
    const url = newLink();
    await visitor.goto(url);
    expect(await visitor.getByRole('heading', { level: 1 }).allTextContents()).toEqual([noScript]);
    expect(await visitor.getByRole('timer').count()).toBe(0);
    const [again] = await Promise.all([
      visitor.waitForResponse(url),
      visitor.getByRole('link', { name: retry }).click(),
    ]);
    expect(again.status()).toBe(403);
    await context.close();
  });
});

it('is shown among the latest requests, with what was asked of the visitor', async () => {
  await page.goto(`${instance.origin}/#/domain/list/${routeId}`);
  await page.getByTitle('Signed links · Wait before the link opens').first().waitFor();
});
