import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { closePages, openVisitor, sharedBrowser } from '../support/browser.ts';
import { openSignedIn, signIn } from '../support/console.ts';
import { type Customer, createCustomer } from '../support/customer.ts';
import type { Instance } from '../support/instance.ts';
import { sharedInstance } from '../support/shared-instance.ts';

let instance: Instance;
let browser: Browser;
let customer: Customer;

beforeAll(async () => {
  [instance, browser] = await Promise.all([sharedInstance(), sharedBrowser()]);
  customer = await createCustomer(instance, 'offline-reload@example.com', 'vip');
});
afterAll(() => closePages(browser));

it.each([
  ['en', 'light', 'Please check your network', 'Retry', 'Domains'],
  ['zh', 'dark', '请检查您的网络', '重试', '域名'],
] as const)(
  'says why where a reload meets no network, and comes back by itself (%s, %s)',
  async (locale, colorScheme, reason, retry, title) => {
    const { page, complaints } = await openSignedIn(browser, instance.origin, customer, {
      serviceWorkers: 'allow',
      colorScheme,
    });
    await page.goto(`${instance.origin}/`);
    await page.getByRole('heading', { name: 'Domains', level: 1 }).waitFor();
    // With the first act comes the worker.
    await page.keyboard.press('Shift');
    await page.evaluate((chosen) => localStorage.setItem('locale', chosen), locale);
    await page.evaluate('navigator.serviceWorker.ready');
    const place = '#/domain/list?page=1';
    await page.evaluate((hash) => {
      location.hash = hash;
    }, place);
    complaints.length = 0;
    await page.context().setOffline(true);
    await page.reload();
    await page.getByRole('alert').getByText(reason).waitFor();
    expect(await page.locator('main').count()).toBe(1);
    expect(await page.locator('h1').count()).toBe(1);
    const background = await page.evaluate("getComputedStyle(document.querySelector('main')).colorScheme");
    expect(background).toBe('light dark');
    const button = page.getByRole('button', { name: retry });
    // It looks by itself every 3 s, but not within one turn: what asks in this one is the press.
    const asked = await button.evaluate((pressed: HTMLElement) => {
      const { fetch } = window;
      const addresses: unknown[] = [];
      window.fetch = (address, ...more) => {
        addresses.push(address);
        return fetch(address, ...more);
      };
      pressed.click();
      window.fetch = fetch;
      return addresses;
    });
    expect(asked).toEqual(['/']);
    await button.press('Enter');
    await page.getByRole('alert').getByText(reason).waitFor();
    expect(complaints.filter((text) => /Content Security Policy|TypeError/.test(text))).toEqual([]);
    await page.context().setOffline(false);
    await page.getByRole('heading', { name: title, level: 1 }).waitFor();
    expect(new URL(page.url()).hash).toBe(place);
    await page.context().close();
  },
);

it('costs the first screen nothing, keeps nothing, and touches neither the API nor the sign-in', async () => {
  const { page } = await openVisitor(browser, { serviceWorkers: 'allow' });
  const asked: string[] = [];
  page.context().on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.goto(`${instance.origin}/`, { waitUntil: 'networkidle' });
  const email = page.getByLabel('E-mail address');
  await email.waitFor();
  expect(asked).not.toContain('/offline-worker.js');
  // Before one is signed in, so that no reload after that comes too early; and the sign-in goes on past it.
  await email.press('a');
  await page.evaluate('navigator.serviceWorker.ready');
  expect(asked).toContain('/offline-worker.js');
  await signIn(page, instance.origin, customer);
  expect(await page.evaluate('caches.keys()')).toEqual([]);
  await page.reload();
  await page.getByRole('heading', { name: 'Domains', level: 1 }).waitFor();
  const { headers } = await fetch(`${instance.origin}/offline-worker.js`);
  expect(headers.get('cache-control')).toBe('no-cache');
  expect(headers.get('content-security-policy')).toContain("worker-src 'self'");
  for (const path of ['/auth/realms/cordon/.well-known/openid-configuration', '/api/v1/brand/']) {
    const response = await page.goto(instance.origin + path);
    expect([response?.status(), response?.fromServiceWorker()]).toEqual([200, false]);
  }
  await page.context().close();
});
