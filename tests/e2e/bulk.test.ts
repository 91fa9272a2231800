import { readFile } from 'node:fs/promises';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closePages, openVisitor, sharedBrowser } from '../support/browser.ts';
import { choose, chooseAction, notice, signIn } from '../support/console.ts';
import { type Customer, createCustomer } from '../support/customer.ts';
import { hold } from '../support/hold.ts';
import type { Instance } from '../support/instance.ts';
import { operate } from '../support/operator.ts';
import { startOrigin, type TestOrigin } from '../support/origin.ts';
import { sharedInstance } from '../support/shared-instance.ts';
import { until } from '../support/until.ts';

const DOMAINS = 13;
let instance: Instance;
let browser: Browser;
let customer: Customer;
let origin: TestOrigin;
let page: Page;

beforeAll(async () => {
  origin = await startOrigin();
  [instance, browser] = await Promise.all([sharedInstance(), sharedBrowser()]);
  customer = await createCustomer(instance, 'bulk@example.com', 'vip');
  const upstreams = { protocol: 'http' as const, targets: [{ host: '127.0.0.1', port: origin.port }] };
  for (let index = 1; index <= DOMAINS; index += 1)
    await customer.api.createRoute({
      body: {
        cname: customer.subscriptionCname,
        domain_name: `d${String(index).padStart(2, '0')}.bulk.example`,
        upstreams,
        remarks: index === 1 ? '=1+1' : '',
      },
    });
  page = (await openVisitor(browser)).page;
  await signIn(page, instance.origin, customer);
});
afterAll(async () => {
  await closePages(browser);
  await origin?.close();
});

const pick = (name: string) => page.getByRole('checkbox', { name: `Select ${name}`, exact: true }).check();
const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
const confirm = (name: string) => page.getByRole('alertdialog').getByRole('button', { name, exact: true }).click();
/** The list as it is when one comes to it: nothing of a test before is selected or open, and no rows of another page are still shown. */
async function list() {
  await page.goto('about:blank');
  await page.goto(`${instance.origin}/#/domain/list?sort=domain_name`);
  await page.locator('[data-row]').first().getByRole('link', { name: 'd01.bulk.example' }).first().waitFor();
}
const running = async () => (await customer.api.listRoutes({ query: { status: 'running' } })).count;

describe('many domains at once', () => {
  it('are picked over pages and deployed; the progress is shown, then that it was successful', async () => {
    await pick('d01.bulk.example');
    await pick('d02.bulk.example');
    await page.getByRole('button', { name: 'Next page' }).click();
    await pick('d11.bulk.example');
    await page.getByText('3 domains selected').waitFor();
    await press('Deploy');
    await page.getByRole('alertdialog', { name: 'Deploy 3 domains?' }).waitFor();
    const question = page.getByRole('alertdialog');
    await question.getByText('d11.bulk.example').waitFor();
    // The names are there before what happens to them.
    await question.getByText('never deployed: goes live').nth(2).waitFor();
    expect(await question.getByText('never deployed: goes live').count()).toBe(3);
    await confirm('Deploy 3 domains');
    const progress = page.getByRole('region', { name: /^Deploy 3 domains$|^3 domains deployed$/ });
    await progress.getByText('Successful', { exact: true }).waitFor();
    await notice(page, '3 domains deployed').waitFor();
    await progress.getByText('3 successful').waitFor();
    expect(await running()).toBe(3);
    await progress.getByRole('button', { name: 'Dismiss' }).click();
    await progress.waitFor({ state: 'detached' });
  });

  it('that match are selected all together, and what failed is told by name after a reload, too', async () => {
    await list();
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
    await press(`Select all ${DOMAINS} that match`);
    await page.getByText(`All ${DOMAINS} domains that match are selected`).waitFor();
    await operate(instance, 'suspend', 'route', 'd03.bulk.example', '--reason', 'phishing, ticket 7');
    await press('Deploy');
    const question = page.getByRole('alertdialog');
    await question.getByText(`${DOMAINS - 4} will change`).waitFor();
    await question.getByText('1 will fail').waitFor();
    await question.getByText('3 skipped').waitFor();
    await confirm(`Deploy ${DOMAINS - 4} domains`);
    const progress = page.getByRole('region', { name: `${DOMAINS - 4} of ${DOMAINS - 3} domains deployed` });
    await progress.getByText('1 failed').first().waitFor();
    await progress.getByRole('link', { name: 'd03.bulk.example' }).waitFor();
    await progress.getByText('The provider has suspended this domain. Contact support.').waitFor();
    expect(await running()).toBe(DOMAINS - 1);
    await page.reload();
    await progress.getByRole('link', { name: 'd03.bulk.example' }).waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      progress.getByRole('button', { name: 'Results as CSV' }).click(),
    ]);
    const csv = await readFile(await download.path(), 'utf8');
    expect(csv.split('\r\n')).toHaveLength(DOMAINS - 3 + 1);
    expect(csv).toMatch(/^d03\.bulk\.example,failed,\S/m);
    await operate(instance, 'unsuspend', 'route', 'd03.bulk.example', '--reason', 'cleaned');
    await progress.getByRole('button', { name: 'Dismiss' }).click();
  });

  it('move to a group made here, which then filters the list', async () => {
    await list();
    await press('More');
    await page.getByRole('menuitem', { name: 'Manage groups' }).click();
    const dialog = page.getByRole('dialog', { name: 'Manage groups' });
    await dialog.getByLabel('New group').fill('Shops');
    await dialog.getByRole('button', { name: 'Add group' }).click();
    await dialog.getByText('Shops', { exact: true }).waitFor();
    expect(await dialog.getByRole('button', { name: 'Delete Default' }).count()).toBe(0);
    await dialog.getByLabel('New group').fill('shops');
    await dialog.getByRole('button', { name: 'Add group' }).click();
    await dialog.getByText('You already have a group with this name').waitFor();
    await page.keyboard.press('Escape');
    await pick('d04.bulk.example');
    await press('Move to group');
    await choose(page, page.getByRole('alertdialog').getByRole('combobox'), 'Shops');
    await confirm('Move 1 domain');
    await notice(page, '1 domain moved to another group').waitFor();
    await page.getByRole('button', { name: 'All groups' }).click();
    await page.getByRole('menuitemradio', { name: 'Shops' }).click();
    await until('one row', async () => (await page.locator('[data-row]').count()) === 1);
    await page.getByRole('link', { name: 'd04.bulk.example' }).first().waitFor();
    expect(page.url()).toMatch(/group=/);
    await page.reload();
    await until('one row', async () => (await page.locator('[data-row]').count()) === 1);
  });

  it('show one panel where a button is pressed twice, of the question and of Undo', async () => {
    await list();
    const panels = page.getByRole('button', { name: 'Dismiss' });
    for (let left = await panels.count(); left > 0; left--) await panels.first().click();
    const twice = async (button: Locator) => {
      // It is open once what it does was shown.
      await button.click({ trial: true });
      await button.evaluate((element: HTMLElement) => {
        element.click();
        element.click();
      });
    };
    const panel = (name: string) => page.getByRole('region', { name });
    await pick('d02.bulk.example');
    await press('Deactivate');
    await twice(page.getByRole('alertdialog').getByRole('button', { name: 'Deactivate 1 domain', exact: true }));
    await panel('1 domain deactivated').first().getByText('Successful', { exact: true }).waitFor();
    expect(await panel('1 domain deactivated').count()).toBe(1);
    await twice(panel('1 domain deactivated').getByRole('button', { name: 'Undo' }));
    await panel('Undone: 1 domain brought back').first().getByText('Successful', { exact: true }).waitFor();
    expect(await panel('Undone: 1 domain brought back').count()).toBe(1);
    await until('all run again', async () => (await running()) === DOMAINS - 1);
    const dismiss = page.getByRole('button', { name: 'Dismiss' });
    // A notice among them may go by itself before it is pressed.
    await until('no panel', async () => {
      await dismiss
        .first()
        .click({ timeout: 1000 })
        .catch(() => undefined);
      return (await dismiss.count()) === 0;
    });
  });

  it.each([1280, 390])('leave the list in its place when their progress arrives, at %i px', async (width) => {
    await page.setViewportSize({ width, height: 900 });
    await list();
    await page.locator('[data-row]').nth(2).waitFor();
    // Only one panel will be there.
    for (const panel of await page.getByRole('button', { name: 'Dismiss' }).all()) await panel.click();
    let arrive = () => {};
    const held = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    const progress = /\/domain\/batches\/[^/?]+\/$/;
    await page.route(progress, async (route) => {
      await held;
      await route.continue();
    });
    const topOfList = async () => (await page.locator('[data-row]').first().boundingBox())?.y;
    await pick(`d0${width === 1280 ? 5 : 6}.bulk.example`);
    if (width === 1280) await press('Move to group');
    else {
      // A phone has no room for all of them.
      await chooseAction(page, page.getByRole('button', { name: 'More actions', exact: true }), 'Move to group');
    }
    await choose(page, page.getByRole('alertdialog').getByRole('combobox'), 'Shops');
    await confirm('Move 1 domain');
    await page.locator('[data-batch-outline]').waitFor();
    await page.getByRole('alertdialog').waitFor({ state: 'detached' });
    // Led to, from where the row was.
    const heading = page.getByRole('heading', { name: 'Domains', level: 1 });
    await until('the heading is in sight', async () => ((await heading.boundingBox())?.y ?? 0) >= 56);
    const before = await topOfList();
    arrive();
    const panel = page.getByRole('region', { name: '1 domain moved to another group' });
    await panel.getByRole('button', { name: 'Dismiss' }).waitFor();
    await page.unroute(progress);
    expect(await topOfList()).toBe(before);
    await panel.getByRole('button', { name: 'Dismiss' }).click();
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  it('show their result and Undo where one looks, also from a list that was scrolled', async () => {
    await page.setViewportSize({ width: 390, height: 600 });
    await list();
    await page.locator('[data-row]').nth(8).waitFor();
    await pick('d09.bulk.example');
    await chooseAction(page, page.getByRole('button', { name: 'More actions', exact: true }), 'Deactivate');
    await confirm('Deactivate 1 domain');
    const undo = page.getByRole('region', { name: '1 domain deactivated' }).getByRole('button', { name: 'Undo' });
    await undo.waitFor();
    const isInSight = (one: Locator) =>
      one.evaluate((element) => {
        const { left, top, width, height } = element.getBoundingClientRect();
        return element.contains(document.elementFromPoint(left + width / 2, top + height / 2));
      });
    await expect.poll(() => isInSight(undo), { timeout: 2000 }).toBe(true);
    expect(await isInSight(page.locator(':focus'))).toBe(true);
    await undo.click();
    const undone = page.getByRole('region', { name: 'Undone: 1 domain brought back' });
    await undone.getByText('Successful', { exact: true }).waitFor();
    await undone.getByRole('button', { name: 'Dismiss' }).click();
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  it('are downloaded as they are filtered, and no cell is a formula', async () => {
    await page.goto(`${instance.origin}/#/domain/list?q=d01`);
    await until('one row', async () => (await page.locator('[data-row]').count()) === 1);
    await press('More');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'Export as CSV' }).click(),
    ]);
    const csv = await readFile(await download.path(), 'utf8');
    expect(csv.charCodeAt(0)).toBe(0xfeff);
    const lines = csv.split('\r\n');
    expect(lines).toHaveLength(3);
    expect(lines[1]).toMatch(/^d01\.bulk\.example,.*,'=1\+1,error$/);
  });
});

describe('the list by keyboard', () => {
  it('walks by j and k, selects by x, opens by Enter, searches by /', async () => {
    await list();
    await page.locator('[data-row]').nth(2).waitFor();
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    const at = () => page.evaluate(() => document.activeElement?.textContent?.slice(0, 3));
    await page.keyboard.press('j');
    expect(await at()).toBe('d01');
    await page.keyboard.press('j');
    expect(await at()).toBe('d02');
    await page.keyboard.press('k');
    expect(await at()).toBe('d01');
    await page.keyboard.press('x');
    await page.getByText('1 domain selected').waitFor();
    await page.keyboard.press('x');
    await page.keyboard.press('/');
    await page.keyboard.type('d07');
    await until('one row', async () => (await page.locator('[data-row]').count()) === 1);
    await page.locator('[data-row]').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'd07.bulk.example', level: 1 }).waitFor();
  });
});

describe('the table of domains', () => {
  it.each([780, 1000, 1200, 1280])("keeps each row's menu in sight at %i px", async (width) => {
    await page.setViewportSize({ width, height: 900 });
    await list();
    const menu = page.getByRole('button', { name: 'Actions for d02.bulk.example' });
    await menu.waitFor();
    const at = await menu.boundingBox();
    const table = await page.getByRole('table', { name: 'Domains' }).boundingBox();
    const card = await page.getByRole('table', { name: 'Domains' }).locator('..').boundingBox();
    expect(table?.width).toBeLessThanOrEqual(card?.width ?? 0);
    expect((at?.x ?? 0) + (at?.width ?? 0)).toBeLessThanOrEqual((card?.x ?? 0) + (card?.width ?? 0));
    await page.setViewportSize({ width: 1280, height: 900 });
  });
});

describe('an operation', () => {
  it('that was started before a reload is told as successful after it', async () => {
    const { results } = await customer.api.listRoutes({ query: { q: 'd08' } });
    const id = results[0]?.id ?? '';
    const { draft, draft_revision: ifMatch } = (await customer.api.getRoute({ params: { id } })).result;
    const upstreams = { ...draft.upstreams, connection_limit: 7 };
    await customer.api.updateRoute({ params: { id }, ifMatch, body: { upstreams } });
    await page.goto(`${instance.origin}/#/domain/list/${id}`);
    const deploy = page.getByRole('button', { name: 'Deploy 1 change' });
    // It comes with the domain itself; the heading may be the list's.
    await deploy.waitFor();
    // No node answers before the page is loaded anew: the operation lasts until then.
    const letGo = hold(() => [instance.pid('edge')]);
    try {
      await deploy.click();
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /^Deploy/ })
        .click();
      await until('the operation kept', () =>
        page.evaluate(() => (window.sessionStorage.getItem('domains.operations') ?? '[]') !== '[]'),
      );
      // Until the page before the reload is gone: it would show the result of the operation, and forget it.
      await page.reload({ waitUntil: 'commit' });
    } finally {
      letGo();
    }
    await notice(page, 'Deploy of d08.bulk.example successful').waitFor();
  });
});
