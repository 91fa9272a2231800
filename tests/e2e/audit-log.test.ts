import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closePages, openVisitor, sharedBrowser } from '../support/browser.ts';
import { signIn } from '../support/console.ts';
import { type Customer, createCustomer, deployDomain } from '../support/customer.ts';
import type { Instance } from '../support/instance.ts';
import { startOrigin, type TestOrigin } from '../support/origin.ts';
import { sharedInstance } from '../support/shared-instance.ts';
import { until } from '../support/until.ts';

const NAME = 'www.audited.example';

let instance: Instance;
let browser: Browser;
let page: Page;
let customer: Customer;
let origin: TestOrigin;

const row = (text: string) => page.getByRole('row').filter({ hasText: text });

beforeAll(async () => {
  [instance, browser, origin] = await Promise.all([sharedInstance(), sharedBrowser(), startOrigin()]);
  customer = await createCustomer(instance, 'audited@example.com');
  const { id, draft_revision } = await deployDomain(instance, customer, NAME, origin.port);
  await customer.api.updateRoute({ params: { id }, ifMatch: draft_revision, body: { remarks: 'The shop' } });
  page = (await openVisitor(browser)).page;
  await signIn(page, instance.origin, customer);
});
afterAll(async () => {
  await closePages(browser);
  await origin?.close();
});

describe('the audit log', () => {
  it('is reached from the menu of the user, and says who did what from where', async () => {
    await page.getByRole('button', { name: /^Account of/ }).click();
    await page.getByRole('menuitem', { name: 'Audit log' }).click();
    await until('the title of the tab', async () => (await page.title()).startsWith('Audit log · Account · '));
    for (const text of ['Signed in', 'Domain changed', 'Domain deployed', 'Domain added']) await row(text).waitFor();
    await row('Signed in').getByText('audited@example.com').waitFor();
    expect(await row('Signed in').getByText('127.0.0.1').count()).toBe(1);
    await row('Domain changed').getByRole('button').click();
    const sheet = page.getByRole('dialog', { name: 'Domain changed' });
    await sheet.getByText('Before and after').waitFor();
    expect(await page.title()).toMatch(/^Domain changed · Audit log · Account · /);
    expect(await sheet.locator('section dd').textContent()).toMatch(/not set[\s\S]*The shop/);
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'detached' });
  });

  it('is searched by name, filtered by action and downloaded', async () => {
    await page.getByRole('searchbox').fill(NAME);
    await row('Signed in').waitFor({ state: 'detached' });
    await page.getByRole('combobox', { name: 'Action' }).click();
    await page.getByRole('option', { name: 'Domain deployed' }).click();
    await row('Domain added').waitFor({ state: 'detached' });
    expect(await page.locator('[data-row]').count()).toBe(1);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^audit-log-\d{4}-\d\d-\d\d\.csv$/);
    await page.locator('[data-row]').getByRole('link', { name: NAME }).click();
    await page.getByRole('heading', { name: NAME, level: 1 }).waitFor();
  });

  it('has the change of a profile, with what was there before and after', async () => {
    await page.goto(`${instance.origin}/#/user/info`);
    await until('the title of the tab', async () => (await page.title()).startsWith('Profile · Account · '));
    await page.getByRole('textbox', { name: 'Name' }).fill('Jane');
    await page.getByRole('combobox', { name: 'Time zone' }).fill('Shanghai');
    await page.getByRole('option', { name: 'Asia/Shanghai' }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Profile saved').waitFor();
    await page.getByRole('tab', { name: 'Audit log' }).click();
    await row('Profile changed').getByRole('button').click();
    const changes = page.getByRole('dialog', { name: 'Profile changed' }).locator('section dd');
    expect((await changes.allInnerTexts()).join('\n')).toMatch(/Jane[\s\S]*UTC[\s\S]*Asia\/Shanghai/);
  });
});
