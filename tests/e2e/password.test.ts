import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { closePages, openVisitor, sharedBrowser } from '../support/browser.ts';
import { notice, signIn } from '../support/console.ts';
import { type Customer, createCustomer } from '../support/customer.ts';
import type { Instance } from '../support/instance.ts';
import { sharedInstance } from '../support/shared-instance.ts';

const NEXT = 'seven quiet herons wade';

let instance: Instance;
let browser: Browser;
let customer: Customer;
let page: Page;
let otherDevice: Page;

beforeAll(async () => {
  [instance, browser] = await Promise.all([sharedInstance(), sharedBrowser()]);
  customer = await createCustomer(instance, 'password@example.com');
  page = (await openVisitor(browser)).page;
  otherDevice = (await openVisitor(browser)).page;
  await signIn(page, instance.origin, customer);
  await signIn(otherDevice, instance.origin, customer);
});
afterAll(() => closePages(browser));

async function change(current: string, next: string): Promise<void> {
  await page.getByLabel('Current password', { exact: true }).fill(current);
  await page.getByLabel('New password', { exact: true }).fill(next);
  await page.getByRole('button', { name: 'Change password' }).click();
}
it('is changed in the profile by who knows the current one, with each fault at its field', async () => {
  await page.goto(`${instance.origin}/#/user/info`);
  await change('', 'short');
  await page.getByText('Use at least 10 characters').waitFor();
  expect(await page.locator('[aria-invalid=true]').count()).toBe(2);
  await change('not my password', NEXT);
  await page.getByText('Your current password is wrong').waitFor();
  expect(await page.locator('[aria-invalid=true]').count()).toBe(1);
  await change(customer.password, NEXT);
  await notice(page, /^Password changed/).waitFor();
  expect(await page.getByLabel('New password', { exact: true }).inputValue()).toBe('');
});

it('ends the sessions of all other devices, and not this one', async () => {
  await page.goto(`${instance.origin}/#/domain/list`);
  await page.getByRole('heading', { name: 'Domains', level: 1 }).waitFor();
  await otherDevice.reload();
  await otherDevice.getByRole('heading', { name: /^Sign in to/ }).waitFor();
  await signIn(otherDevice, instance.origin, { email: customer.email, password: NEXT });
});
