import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closePages, openVisitor, sharedBrowser } from '../support/browser.ts';
import { notice, signIn, tab } from '../support/console.ts';
import { type Customer, createCustomer, deployDomain } from '../support/customer.ts';
import { edgeRequest } from '../support/edge-request.ts';
import type { Instance } from '../support/instance.ts';
import { startOrigin, type TestOrigin } from '../support/origin.ts';
import { sharedInstance } from '../support/shared-instance.ts';
import { until } from '../support/until.ts';

const NAME = 'www.banning.example';
const BY_HAND = '198.41.129.7';
const GUESSER = '198.41.129.8';
const OTHER = '198.41.129.9';

let instance: Instance;
let browser: Browser;
let page: Page;
let customer: Customer;
let origin: TestOrigin;
let routeId: string;

const visit = async (from: string, path = '/') =>
  (await edgeRequest(instance.ports.edgeHttp, NAME, path, { 'x-forwarded-for': from })).status;
const isAnswered = (from: string, status: number) =>
  until(`${status} for ${from}`, async () => (await visit(from)) === status);
const row = (network: string) => page.getByRole('row').filter({ hasText: network });
const card = (name: string) => page.getByRole('article', { name, exact: true });

beforeAll(async () => {
  [instance, browser, origin] = await Promise.all([sharedInstance(), sharedBrowser(), startOrigin()]);
  customer = await createCustomer(instance, 'banning@example.com');
  routeId = (await deployDomain(instance, customer, NAME, origin.port)).id;
  page = (await openVisitor(browser)).page;
  await signIn(page, instance.origin, customer);
});
afterAll(async () => {
  await closePages(browser);
  await origin?.close();
});

describe('an address', () => {
  it('is banned by hand from one domain, and refused at once', async () => {
    expect(await visit(BY_HAND)).toBe(200);
    await page.getByRole('navigation').getByRole('link', { name: 'Manage IP' }).click();
    await page.getByText('No addresses are banned').waitFor();
    await page.getByRole('button', { name: 'Ban addresses' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Ban addresses' });
    const list = dialog.getByRole('textbox', { name: /Addresses/ });
    await list.fill(`${BY_HAND} 300.1.1.1`);
    await list.press('Enter');
    await dialog.getByText('Enter an IP address or a range').waitFor();
    await dialog.getByRole('button', { name: 'Remove 300.1.1.1' }).click();
    await dialog.getByRole('radio', { name: 'One domain' }).check({ force: true });
    await dialog.getByRole('combobox', { name: 'Domain' }).fill('banning');
    await page.getByRole('option', { name: NAME }).click();
    await dialog.getByRole('textbox', { name: 'Note' }).fill('Tries every door');
    await dialog.getByRole('button', { name: 'Ban', exact: true }).click();
    await row(BY_HAND).getByText('Tries every door').waitFor();
    await row(BY_HAND).getByRole('link', { name: NAME }).waitFor();
    await isAnswered(BY_HAND, 403);
    expect(await visit(OTHER)).toBe(200);
    // It offers to undo the ban.
    await page.getByRole('region', { name: 'Notices' }).getByRole('button', { name: 'Dismiss' }).first().click();
  });

  it('is lifted with one press, and Undo brings the ban back', async () => {
    await page.getByRole('button', { name: `Unban ${BY_HAND}` }).click();
    await isAnswered(BY_HAND, 200);
    await page.getByRole('button', { name: 'Undo' }).press('Enter');
    await until('the focus on the heading once the notice is gone', () =>
      page.getByRole('heading', { level: 1 }).evaluate((heading) => heading === document.activeElement),
    );
    await notice(page, 'Ban restored').waitFor();
    await isAnswered(BY_HAND, 403);
    await row(BY_HAND).getByText('Tries every door').waitFor();
    await row(BY_HAND).getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Unban 1 entry' }).click();
    await page.getByText('No addresses are banned').waitFor();
    await isAnswered(BY_HAND, 200);
  });
});

describe('a visitor that sends too many requests', () => {
  it('is kept out by a limit that was set up in its form', async () => {
    await page.goto(`${instance.origin}/#/domain/list/${routeId}?tab=protection`);
    await tab(page, 'Protection').waitFor();
    await card('Request limit')
      .getByRole('button', { name: /^Set up/ })
      .click();
    const sheet = page.getByRole('dialog', { name: 'Request limit' });
    await sheet.getByRole('button', { name: 'Login pages' }).click();
    await sheet.getByRole('spinbutton', { name: 'Requests' }).fill('3');
    await sheet.getByRole('spinbutton', { name: 'Within' }).fill('1');
    await sheet.getByRole('spinbutton', { name: 'Ban duration' }).fill('2');
    await sheet.getByRole('button', { name: 'Save and deploy' }).click();
    await card('Request limit').getByText('3 requests to login pages in 1 minute ban a visitor for 2 hours').waitFor();
    await until('the limit live', async () => {
      const { result } = await customer.api.getRoute({ params: { id: routeId } });
      return result.operation?.state === 'successful' && result.version_live === 2;
    });
    await card('Bans').getByText('On by default').waitFor();
    await card('Bans').getByRole('link', { name: 'Banned addresses' }).click();
    await page.getByRole('heading', { name: 'Manage IP', level: 1 }).waitFor();
    await page.getByText('Nothing matches').waitFor();
    expect([await visit(GUESSER, '/login'), await visit(GUESSER, '/login')]).toEqual([200, 200]);
    expect(await visit(GUESSER, '/login')).toBe(429);
    expect(await visit(GUESSER)).toBe(403);
  });

  it('appears in the list without a reload, with the reason and the request', async () => {
    await row(GUESSER).getByText('Too many requests').waitFor();
    await row(GUESSER)
      .getByTitle(/Request limit: Too many requests · /)
      .waitFor();
    await until('the request logged', async () => {
      const { result } = await customer.api.listRecentRequests({ query: { route_id: routeId, limit: 20 } });
      return result.some(({ status }) => status === 429);
    });
    await row(GUESSER).getByRole('link', { name: 'View request' }).click();
    const verdict = page
      .locator('[data-happened=block]')
      .filter({ hasText: /Blocked by Request limit.*Too many requests/ });
    await verdict.waitFor();
    await until('the verdict in sight', () =>
      verdict.evaluate((note) => note.getBoundingClientRect().bottom <= window.innerHeight),
    );
    const refused = page.locator('[data-outcome=block]');
    await refused.getByText('Banned IP').waitFor();
    await refused.getByRole('link', { name: 'Show the ban' }).click();
    await page.getByRole('heading', { name: 'Manage IP', level: 1 }).waitFor();
    await row(GUESSER).getByText('Too many requests').waitFor();
  });

  it('is let in again once the ban is lifted', async () => {
    await page.goto(`${instance.origin}/#/manage-ip?q=${encodeURIComponent('"198.41.129.0/24"')}`);
    await page.getByRole('button', { name: `Unban ${GUESSER}` }).click();
    await isAnswered(GUESSER, 200);
  });
});

it('Manage IP keeps its tabs in their place whichever is shown, on a phone too', async () => {
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 800 });
    const tops: number[] = [];
    for (const name of [/^Banned/, /^Allow list/, /^Edge IPs/]) {
      await page.goto(`${instance.origin}/#/manage-ip`);
      await page.getByRole('tab', { name }).click();
      await page.locator('[role=tab][aria-selected=true]').filter({ hasText: name }).waitFor();
      await page.getByRole('tabpanel').waitFor();
      tops.push(Math.round((await page.getByRole('tab', { name }).boundingBox())?.y ?? Number.NaN));
    }
    expect(tops, `${width} px`).toEqual(Array(3).fill(tops[0]));
  }
});
