import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser, openVisitor } from '../support/browser.ts';
import { notice, tab } from '../support/console.ts';
import { type Customer, createCustomer } from '../support/customer.ts';
import { edgeRequest } from '../support/edge-request.ts';
import { Instance } from '../support/instance.ts';
import { startOrigin, type TestOrigin } from '../support/origin.ts';
import { until } from '../support/until.ts';

const NAME = 'www.keyboard.example';
const TABS_MAX = 60;

let instance: Instance;
let browser: Browser;
let customer: Customer;
let origin: TestOrigin;
let page: Page;

beforeAll(async () => {
  origin = await startOrigin();
  [instance, browser] = await Promise.all([
    Instance.start({ environment: { CORDON_UPSTREAM_ALLOW: `127.0.0.1:${origin.port}` } }),
    launchBrowser(),
  ]);
  customer = await createCustomer(instance, 'keyboard@example.com');
  page = (await openVisitor(browser)).page;
});
afterAll(async () => {
  await browser?.close();
  await instance?.stop();
  await origin?.close();
});

const press = (...keys: string[]) =>
  keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve());
const type = (text: string) => page.keyboard.type(text);
const isFocused = (target: Locator) => target.evaluate((element) => element === document.activeElement);
/** Waits for the focus; tells where it is instead. */
async function focused(what: string, target: Locator): Promise<void> {
  const isThere = async () => (await target.count()) === 1 && isFocused(target);
  await until(`the focus on ${what}`, isThere, 5_000).catch(async (error: Error) => {
    error.message += `; it is on ${await page.evaluate(() => document.activeElement?.outerHTML.slice(0, 300))}`;
    throw error;
  });
}

/** Tab until the focus is there; a target that Tab does not reach fails. */
async function tabTo(target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await target.waitFor();
  for (let count = 0; count < TABS_MAX; count++) {
    if (await isFocused(target)) return;
    await press(key);
  }
  throw new Error(`Tab does not reach ${target}`);
}

/** Tab goes round inside, forwards and backwards, and shows where it is. */
async function expectTrapped(dialog: Locator): Promise<void> {
  const isInside = () => dialog.evaluate((element) => element.contains(document.activeElement));
  await until('the focus in the dialog', isInside, 5_000);
  for (const key of [...Array<string>(12).fill('Tab'), ...Array<string>(12).fill('Shift+Tab')]) {
    await press(key);
    // At the edges the focus is led back.
    await until(`the focus inside after ${key}`, isInside, 1_000);
  }
}

const button = (name: string, within: Page | Locator = page) => within.getByRole('button', { name, exact: true });

describe('the main flow with the keyboard alone', () => {
  it('signs in', async () => {
    await page.goto(`${instance.origin}/`);
    await focused('the e-mail address', page.getByLabel('E-mail address'));
    await type(customer.email);
    await press('Tab');
    await type(customer.password);
    await press('Enter');
    await page.getByRole('heading', { name: 'Domains', level: 1 }).waitFor();
    await page.getByText('Add your first domain').waitFor();
  });

  it('skips to the content, and / goes to the search', async () => {
    await tabTo(page.getByRole('link', { name: 'Skip to content' }), 'Shift+Tab');
    await press('Enter');
    await focused('the content', page.locator('#main'));
    await press('/');
    await focused('the search', page.getByLabel('Search domains and remarks'));
  });

  it('asks before what was typed is lost, and gives the focus back', async () => {
    const add = page.locator('main').getByRole('button', { name: 'Add domain' }).first();
    await tabTo(add);
    await press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Add domain' });
    await focused('the name', dialog.getByLabel('Domain name'));
    await expectTrapped(dialog);
    await press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await focused('the button that opened it', add);

    await press('Enter');
    await focused('the name', dialog.getByLabel('Domain name'));
    await type('www.unsaved.example');
    await press('Escape');
    const question = page.getByRole('alertdialog', { name: 'Discard your changes?' });
    await expectTrapped(question);
    await press('Escape');
    await question.waitFor({ state: 'detached' });
    await focused('the name again', dialog.getByLabel('Domain name'));
    expect(await dialog.getByLabel('Domain name').inputValue()).toBe('www.unsaved.example');
    await press('Escape');
    await tabTo(button('Discard changes', question));
    await press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await focused('the button that opened it', add);
  });

  it('adds and deploys a domain', async () => {
    await press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Add domain' });
    await focused('the name', dialog.getByLabel('Domain name'));
    await type(NAME);
    await press('Enter');
    await tabTo(dialog.getByRole('textbox', { name: 'Address' }));
    await type('127.0.0.1');
    await press('Tab');
    await type(String(origin.port));
    await press('Enter');
    await dialog.getByText('What happens next').waitFor();
    await tabTo(button('Save and deploy', dialog));
    await press('Enter');
    await page.getByText('Version 1 live').waitFor();
    // Not on the body, from where Tab would begin at the top and a screen reader would say nothing.
    await focused('the heading of the new screen', page.getByRole('heading', { name: NAME, level: 1 }));
    const { results } = await customer.api.listRoutes();
    await instance.operator('names', 'verify', results[0]?.id ?? '', '--reason', 'test');
    await until('it is served', async () => (await edgeRequest(instance.ports.edgeHttp, NAME)).status === 200);
  });

  it('edits the IP restriction and deploys', async () => {
    await tabTo(tab(page, 'Overview'));
    await press('ArrowRight', 'ArrowRight');
    await focused('the tab', tab(page, 'Access'));
    await tabTo(button('Set up'));
    await press('Enter');
    const sheet = page.getByRole('dialog', { name: 'IP restriction' });
    await expectTrapped(sheet);
    await tabTo(sheet.getByLabel('Keep refused addresses out'));
    await press('Space');
    await tabTo(sheet.getByRole('textbox', { name: 'Refused addresses' }));
    await type('198.41.128.7');
    await press('Enter');
    await press('Escape');
    const question = page.getByRole('alertdialog', { name: 'Discard your changes?' });
    await question.waitFor();
    await press('Escape');
    await question.waitFor({ state: 'detached' });
    await sheet.getByText('198.41.128.7').first().waitFor();
    await tabTo(button('Save and deploy', sheet));
    await press('Enter');
    await sheet.waitFor({ state: 'detached' });
    await notice(page, `Deploy of ${NAME} successful`).waitFor();
    await focused('the button that opened it', button('Edit'));
  });

  it('deactivates and resumes', async () => {
    await tabTo(button('More actions'));
    await press('Enter');
    await focused('the first action', page.getByRole('menuitem', { name: 'Deactivate' }));
    await press('Enter');
    const question = page.getByRole('alertdialog', { name: `Deactivate ${NAME}?` });
    await expectTrapped(question);
    await press('Escape');
    await question.waitFor({ state: 'detached' });
    await focused('the menu button', button('More actions'));
    await press('Enter', 'Enter');
    await tabTo(button('Deactivate', question));
    await press('Enter');
    await notice(page, `${NAME} is deactivated`).waitFor();

    await tabTo(button('Resume'));
    await press('Enter');
    const resume = page.getByRole('alertdialog', { name: `Resume ${NAME}?` });
    await tabTo(button('Resume', resume));
    await press('Enter');
    await notice(page, `${NAME} is live again`).waitFor();
  });

  it('deletes with the name typed', async () => {
    await tabTo(button('More actions'));
    await press('Enter', 'End');
    await focused('the last action', page.getByRole('menuitem', { name: 'Delete' }));
    await press('Enter');
    const question = page.getByRole('alertdialog', { name: `Delete ${NAME}?` });
    await focused('the field for the name', question.getByRole('textbox'));
    await press('Enter');
    expect(await question.isVisible()).toBe(true);
    await type(NAME);
    await press('Enter');
    await notice(page, `${NAME} is deleted`).waitFor();
    await page.getByRole('heading', { name: 'Domains', level: 1 }).waitFor();
  });
});

describe('a form on the screen', () => {
  it('asks before another screen takes its place', async () => {
    await customer.api.createRoute({
      body: {
        cname: customer.subscriptionCname,
        domain_name: 'www.leaving.example',
        upstreams: { protocol: 'http', targets: [{ host: '127.0.0.1', port: origin.port }] },
      },
    });
    const row = page.getByRole('row').filter({ hasText: 'www.leaving.example' });
    await row.waitFor();
    await row.focus();
    await press('Enter');
    await tabTo(tab(page, 'Overview'));
    await press('ArrowRight');
    await tabTo(page.getByRole('textbox', { name: 'Address' }));
    await press('End');
    await type('7');
    await tabTo(page.getByRole('link', { name: 'Dashboard' }), 'Shift+Tab');
    await press('Enter');
    const question = page.getByRole('alertdialog', { name: 'Discard your changes?' });
    await expectTrapped(question);
    await tabTo(button('Keep editing', question));
    await press('Enter');
    expect(await page.getByRole('textbox', { name: 'Address' }).inputValue()).toBe('127.0.0.17');
    await tabTo(page.getByRole('link', { name: 'Dashboard' }), 'Shift+Tab');
    await press('Enter');
    await tabTo(button('Discard changes', question));
    await press('Enter');
    await page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor();
  });
});
