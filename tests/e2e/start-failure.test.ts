import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { closePages, openVisitor, sharedBrowser } from '../support/browser.ts';
import type { Instance } from '../support/instance.ts';
import { sharedInstance } from '../support/shared-instance.ts';

let instance: Instance;
let browser: Browser;

beforeAll(async () => {
  [instance, browser] = await Promise.all([sharedInstance(), sharedBrowser()]);
});
afterAll(async () => {
  await closePages(browser);
});

it.each([
  ['the first file', /\/assets\/index-[^/]+\.js$/, '/#/domain/list'],
  ['a file that the first one needs', /\/assets\/react-[^/]+\.js$/, '/#/domain/list'],
  ['the program of the console', /\/assets\/start-console-[^/]+\.js$/, '/#/pages/test'],
  ['the program of the sign-in', /\/assets\/start-identity-[^/]+\.js$/, '/#/pages/login?interaction=x'],
])('says so where %s does not arrive, and tries again', async (_what, file, address) => {
  const { page } = await openVisitor(browser);
  let failures = 0;
  await page.route(file, (route) => {
    failures += 1;
    return route.abort();
  });
  await page.goto(`${instance.origin}${address}`);
  await page.getByRole('alert').getByText('Some of its files could not be loaded.').waitFor();
  expect(failures).toBeGreaterThan(0);
  await page.unroute(file);
  await page.getByRole('button', { name: 'Retry' }).click();
  await page.getByRole('button', { name: 'Retry' }).waitFor({ state: 'detached' });
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.context().close();
});

it.each([
  ['the list', '/#/domain/list'],
  ['the sign-in', '/#/pages/login?interaction=x'],
])(
  'draws the outline of %s before its styles and program have arrived, in place of nothing',
  async (_what, address) => {
    const { page } = await openVisitor(browser);
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(/\/assets\//, async (route) => {
      await released;
      await route.continue();
    });
    await page.goto(`${instance.origin}${address}`, { waitUntil: 'commit' });
    const outline = page.locator('body > [aria-hidden] > svg');
    await outline.waitFor();
    const isPainted = () => page.evaluate(() => performance.getEntriesByName('first-contentful-paint').length);
    await expect.poll(isPainted).toBe(1);
    release();
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await outline.count()).toBe(0);
    await page.context().close();
  },
);
