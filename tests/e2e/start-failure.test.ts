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
  await page.getByRole('alert').getByText('Part of it did not arrive.').waitFor();
  expect(failures).toBeGreaterThan(0);
  await page.unroute(file);
  await page.getByRole('button', { name: 'Retry' }).click();
  await page.getByRole('button', { name: 'Retry' }).waitFor({ state: 'detached' });
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.context().close();
});
