import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { closePages, sharedBrowser } from '../support/browser.ts';
import { openSignedIn } from '../support/console.ts';
import { type Customer, createCustomer } from '../support/customer.ts';
import type { Instance } from '../support/instance.ts';
import { sharedInstance } from '../support/shared-instance.ts';

/** What console.md has for every screen. */
const SHIFT_MAX = 0.02;
let instance: Instance;
let browser: Browser;
let customer: Customer;

beforeAll(async () => {
  [instance, browser] = await Promise.all([sharedInstance(), sharedBrowser()]);
  customer = await createCustomer(instance, 'shift@example.com', 'vip');
  await customer.api.createRoute({
    body: {
      cname: customer.subscriptionCname,
      domain_name: 'www.shift.example',
      upstreams: { protocol: 'http', targets: [{ host: '198.41.128.7', port: 80 }] },
    },
  });
  await customer.api.startAttackMode({ body: { route_id: null, seconds: 3600 } });
});
afterAll(() => closePages(browser));

it.each([
  ['the attack', 'attack'],
  ['the health', 'health'],
  ['the numbers', 'overview'],
])('stays where it is in a browser that has never shown it, on a phone, where %s comes last', async (_, late) => {
  const { page } = await openSignedIn(browser, instance.origin, customer, { viewport: { width: 390, height: 844 } });
  await page.route(new RegExp(`/api/v1/.*${late}`), async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 600));
    await route.continue();
  });
  // A text: what the compiler adds to functions does not exist in the page.
  await page.addInitScript(
    'window.shift = 0; new PerformanceObserver((list) => { for (const one of list.getEntries()) if (!one.hadRecentInput) window.shift += one.value; }).observe({ type: "layout-shift", buffered: true });',
  );
  await page.goto(`${instance.origin}/#/dashboard`);
  await page.getByText(/^Under Attack, all · /).waitFor();
  await page.getByText(/ of 1 domain is healthy$|^Your domain is healthy$/).waitFor();
  await page.getByText('No traffic yet').waitFor();
  await page.getByRole('link', { name: 'Open domain' }).waitFor();
  expect(await page.evaluate<number>('window.shift')).toBeLessThan(SHIFT_MAX);
});

it('has the first step of a newcomer in whole lines on a phone, with its presses below', async () => {
  const newcomer = await createCustomer(instance, 'newcomer@example.com');
  const { page } = await openSignedIn(browser, instance.origin, newcomer, { viewport: { width: 390, height: 844 } });
  await page.goto(`${instance.origin}/#/dashboard`);
  const text = await page.getByText('The name your visitors use').boundingBox();
  const press = await page.getByRole('link', { name: 'Add domain' }).boundingBox();
  expect(text?.width).toBeGreaterThan(250);
  expect(press?.y).toBeGreaterThanOrEqual((text?.y ?? 0) + (text?.height ?? 0));
});
