import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { closePages, openVisitor, sharedBrowser } from '../support/browser.ts';
import { notice, signIn } from '../support/console.ts';
import { type Customer, createCustomer } from '../support/customer.ts';
import type { Instance } from '../support/instance.ts';
import { sharedInstance } from '../support/shared-instance.ts';

let instance: Instance;
let browser: Browser;
let customer: Customer;
let id: string;

beforeAll(async () => {
  [instance, browser] = await Promise.all([sharedInstance(), sharedBrowser()]);
  customer = await createCustomer(instance, 'tabs@example.com', 'vip');
  const { result } = await customer.api.createRoute({
    body: {
      cname: customer.subscriptionCname,
      domain_name: 'www.tabs.example',
      upstreams: { protocol: 'http', targets: [{ host: '198.41.128.10', port: null }] },
    },
  });
  id = result.id;
});
afterAll(() => closePages(browser));

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Account of/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByLabel('E-mail address').waitFor();
}
const whyOut = (page: Page) => page.getByText('You signed out in another tab.');
const LIVE_DOWN = 'Live updates are interrupted.';

it('in one of three tabs ends another at sign-in, and keeps what is not saved in the third until its user is back or discards it', async () => {
  const { page: first } = await openVisitor(browser);
  await signIn(first, instance.origin, customer);
  const [typed, idle] = await Promise.all([first.context().newPage(), first.context().newPage()]);
  await typed.goto(`${instance.origin}/#/domain/list/${id}?tab=error-pages`);
  await idle.goto(`${instance.origin}/#/dashboard`);
  await idle.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor();
  await typed.getByRole('button', { name: 'Set up Error pages' }).click();
  const sheet = typed.getByRole('dialog', { name: 'Error pages' });
  const field = sheet.getByLabel('Not found (404)');
  await field.fill('https://pages.example/404.html');

  await signOut(first);
  await whyOut(idle).waitFor();
  expect(await whyOut(first).count()).toBe(0);
  await notice(typed, 'You are no longer signed in').waitFor();
  expect(await field.inputValue()).toBe('https://pages.example/404.html');

  await signIn(idle, instance.origin, customer);
  await notice(typed, 'You are no longer signed in').waitFor({ state: 'detached' });
  await typed.getByText(LIVE_DOWN).waitFor({ state: 'detached' });
  expect(await field.inputValue()).toBe('https://pages.example/404.html');

  await signOut(idle);
  await notice(typed, 'You are no longer signed in').waitFor();
  await typed.keyboard.press('Escape');
  await typed.getByRole('alertdialog').getByRole('button', { name: 'Discard changes' }).click();
  await whyOut(typed).waitFor();
  await first.context().close();
});
