import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { closePages, openVisitor, sharedBrowser } from '../support/browser.ts';
import { openSignedIn, signIn } from '../support/console.ts';
import { type Customer, createCustomer, deployDomain } from '../support/customer.ts';
import type { Instance } from '../support/instance.ts';
import { startOrigin, type TestOrigin } from '../support/origin.ts';
import { sharedInstance } from '../support/shared-instance.ts';
import { until } from '../support/until.ts';

const SLOW_MS = 700;
/** Product design, budgets. */
const SHIFT_MAX = 0.02;
/** Of a list without a row. */
const EMPTY_SHIFT_MAX = 0.005;
/** A text: what the compiler adds to functions does not exist in the page. */
const OBSERVE_SHIFT =
  'window.shift = 0; new PerformanceObserver((list) => { for (const one of list.getEntries()) if (!one.hadRecentInput) window.shift += one.value; }).observe({ type: "layout-shift", buffered: true });';
let instance: Instance;
let browser: Browser;
let customer: Customer;
let origin: TestOrigin;
let page: Page;

beforeAll(async () => {
  [instance, browser, origin] = await Promise.all([sharedInstance(), sharedBrowser(), startOrigin()]);
  customer = await createCustomer(instance, 'list@example.com', 'vip');
  const ids: string[] = [];
  for (const label of ['one', 'two', 'three']) {
    const { result } = await customer.api.createRoute({
      body: {
        cname: customer.subscriptionCname,
        domain_name: `${label}.list.example`,
        upstreams: { protocol: 'https', targets: [{ host: '198.41.128.10', port: null }] },
      },
    });
    ids.push(result.id);
  }
  await customer.api.startAttackMode({ body: { route_id: ids[0] ?? '', seconds: 3600 } });
  page = (await openVisitor(browser, { viewport: { width: 390, height: 844 } })).page;
  await signIn(page, instance.origin, customer);
});
afterAll(async () => {
  await closePages(browser);
  await origin?.close();
});

it('stays where it is on a phone while everything comes late, also what tells of an attack', async () => {
  await page.route(/\/api\/v1\/(domain|stats|groups?)\//, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, SLOW_MS));
    // The test may be over.
    await route.continue().catch(() => undefined);
  });
  await page.addInitScript(OBSERVE_SHIFT);
  await page.goto('about:blank');
  await page.goto(`${instance.origin}/#/domain/list`);
  await page.getByRole('row').filter({ hasText: 'two.list.example' }).waitFor();
  await page
    .getByRole('row')
    .filter({ hasText: 'one.list.example' })
    .getByText(/^Under Attack mode/)
    .last()
    .waitFor();
  await until('the numbers', async () => (await page.locator('tbody .skeleton').count()) === 0);
  expect(await page.evaluate<number>('window.shift')).toBeLessThan(SHIFT_MAX);
  await page.unroute(/\/api\/v1\/(domain|stats|groups?)\//);
});

it('asks about a selection on a phone in a dialog as high before its preview has come', async () => {
  const PREVIEW = /\/preview\//;
  await page.route(PREVIEW, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, SLOW_MS));
    await route.continue();
  });
  for (const label of ['one', 'two', 'three'])
    await page.getByRole('checkbox', { name: `Select ${label}.list.example` }).check();
  await page.getByRole('button', { name: 'Deploy', exact: true }).click();
  const dialog = page.getByRole('alertdialog');
  const heightOf = () => dialog.evaluate((one) => one.clientHeight);
  await dialog.locator('[aria-hidden] li').getByText('three.list.example').waitFor();
  const before = await heightOf();
  await dialog.getByRole('status').waitFor();
  expect(await heightOf()).toBe(before);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.unroute(PREVIEW);
  await page.reload();
});

it('has rows of one height on a wide screen, also with a domain under attack', async () => {
  const wide = (await openVisitor(browser, { viewport: { width: 1280, height: 800 } })).page;
  await signIn(wide, instance.origin, customer);
  const attacked = wide.locator('tbody').getByRole('row').filter({ hasText: 'one.list.example' });
  await attacked.getByText(/^Under Attack mode/).waitFor();
  for (const row of await wide.locator('tbody').getByRole('row').all())
    expect((await row.boundingBox())?.height).toBe(44);
  await wide.context().close();
});

it('moves nothing on a phone where it turns out late that a new account has no domain', async () => {
  const newcomer = await createCustomer(instance, 'list-newcomer@example.com');
  const phone = (await openVisitor(browser, { viewport: { width: 390, height: 844 } })).page;
  await phone.route(/\/api\/v1\//, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, SLOW_MS));
    await route.continue();
  });
  await phone.addInitScript(OBSERVE_SHIFT);
  await signIn(phone, instance.origin, newcomer);
  await phone.getByRole('link', { name: 'Add domain' }).waitFor();
  expect(await phone.evaluate<number>('window.shift')).toBeLessThan(EMPTY_SHIFT_MAX);
  await phone.context().close();
});

it('is searched and narrowed while rows are selected', async () => {
  await page.getByRole('checkbox', { name: 'Select one.list.example' }).check();
  await page.getByText('1 domain selected').waitFor();
  await page.getByLabel('Name, CNAME, origin…').fill('two.list');
  await until('one row', async () => (await page.locator('tbody tr').count()) === 1);
  await page.getByText('1 domain selected').waitFor();
  expect(await page.locator('tbody tr').textContent()).toContain('two.list.example');
});

it('is sorted by requests and hit ratio with the keyboard, and from the menu of a phone', async () => {
  const busy = await deployDomain(instance, customer, 'visited.list.example', origin.port);
  await until('its request is counted', async () => {
    const { result } = await customer.api.listDomainTraffic({ query: { route_ids: busy.id } });
    return (result[0]?.requests ?? 0) > 0;
  });
  const nameAt = (place: number) => page.locator('tbody tr').nth(place).getByRole('link').first().textContent();
  const isSorted = (sort: string, place: number) =>
    until(`${sort} in the address, and the busy one at ${place}`, async () => {
      const [, asked] = /[?&]sort=([^&]+)/.exec(page.url()) ?? [];
      return asked === sort && (await nameAt(place)) === 'visited.list.example';
    });
  await page.goto('about:blank');
  // What is found of names meanwhile takes room.
  await page.setViewportSize({ width: 1600, height: 800 });
  await page.goto(`${instance.origin}/#/domain/list?sort=domain_name`);
  await isSorted('domain_name', 3);
  const head = page.getByRole('columnheader', { name: 'Requests' });
  // In its own column, not in that of the origins beside it.
  const [cell, sign] = await Promise.all([head.boundingBox(), head.locator('svg').boundingBox()]);
  expect(sign?.x).toBeGreaterThanOrEqual(cell?.x ?? Number.POSITIVE_INFINITY);
  await head.getByRole('button').focus();
  await page.keyboard.press('Enter');
  await isSorted('-requests', 0);
  expect(await head.getAttribute('aria-sort')).toBe('descending');
  await page.keyboard.press('Enter');
  await isSorted('requests', 3);
  // Without a cache it has no ratio, and comes last in both directions.
  const ratio = page.getByRole('columnheader', { name: 'Hit ratio' });
  await ratio.getByRole('button').focus();
  await page.keyboard.press('Enter');
  await isSorted('hit_ratio', 3);
  expect(await ratio.getAttribute('aria-sort')).toBe('ascending');
  await page.keyboard.press('Enter');
  await isSorted('-hit_ratio', 3);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.locator('tbody tr').nth(3).getByText('Hit ratio').waitFor();
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await page.getByRole('menuitemradio', { name: 'Requests' }).click();
  await isSorted('-requests', 0);
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Descending' }).click();
  await isSorted('requests', 3);
});

it('keeps the wizard of a new domain in its place while its name is typed, and asks once whether it is discarded', async () => {
  await page.goto('about:blank');
  await page.goto(`${instance.origin}/#/domain/list`);
  await page.getByRole('button', { name: 'Add domain' }).first().click();
  const name = page.getByRole('textbox', { name: /Domain name/ });
  await page.getByText(/^Such as www\.example\.com/).waitFor();
  const top = async () => (await page.getByRole('dialog').getByText('Subscription', { exact: true }).boundingBox())?.y;
  await until('the wizard stands still', async () => {
    const before = await top();
    await page.evaluate('new Promise(requestAnimationFrame)');
    return before !== undefined && before === (await top());
  });
  const sheet = await page.getByRole('dialog').boundingBox();
  await name.fill('www.fourth.example');
  await page.getByText('Covers www.fourth.example only.').waitFor();
  expect(await page.getByRole('dialog').boundingBox()).toEqual(sheet);
  await page.keyboard.press('Escape');
  const question = page.getByRole('alertdialog');
  await question.waitFor();
  const first = await question.elementHandle();
  await page.evaluate('history.back()');
  await until('the screen asks instead', async () => !(await first?.evaluate((one) => one.isConnected)));
  // By the elements: what lies below another dialog has no role.
  expect(await page.locator('[role=alertdialog]').count()).toBe(1);
  await question.locator(':focus').waitFor();
  await question.getByRole('button', { name: 'Keep editing' }).click();
  await question.waitFor({ state: 'detached' });
  expect(await name.inputValue()).toBe('www.fourth.example');
});

it('keeps the choice of columns in sight where the filters have no room', async () => {
  const narrow = (await openVisitor(browser, { viewport: { width: 1000, height: 700 } })).page;
  await signIn(narrow, instance.origin, customer);
  const name = `${'a-long-label-'.repeat(4)}shop.list.example`;
  await narrow.goto(`${instance.origin}/#/domain/list?domain_name=${name}`);
  await narrow
    .getByRole('button', { name: `Exactly ${name}` })
    .or(narrow.getByText(name).first())
    .first()
    .waitFor();
  const box = await narrow.getByRole('button', { name: 'Columns' }).boundingBox();
  expect((box?.x ?? 0) + (box?.width ?? 1000)).toBeLessThan(1000);
  await narrow.context().close();
});

it('has a group in the line of a name of two lines, in a row as high as the others, and room to filter by it', async () => {
  const label = 'checkout.customer-shop-with-long-name-1.international';
  const { result: group } = await customer.api.createGroup({ body: { name: 'Shop group' } });
  await customer.api.createRoute({
    body: {
      cname: customer.subscriptionCname,
      domain_name: `${label}.list.example`,
      upstreams: { protocol: 'https', targets: [{ host: '198.41.128.10', port: null }] },
    },
  });
  const selection = { names: [`${label}.list.example`] };
  await customer.api.bulkRoutes({ body: { action: 'move_group', selection, group_id: group.id } });
  const wide = (await openVisitor(browser, { viewport: { width: 1280, height: 800 } })).page;
  await signIn(wide, instance.origin, customer);
  const row = wide.locator('tbody').getByRole('row').filter({ hasText: label });
  await row.getByText('Shop group').waitFor();
  expect((await row.boundingBox())?.height).toBe(44);
  await wide.setViewportSize({ width: 1000, height: 700 });
  const filter = wide.getByRole('button', { name: 'All groups' });
  expect(
    await filter.evaluate((button) => {
      const line = button.closest('.overflow-x-auto');
      return line && line.scrollWidth - line.clientWidth;
    }),
  ).toBe(0);
  await wide.context().close();
});

const STATS = /\/api\/v1\/stats\//;
const TABLET = { width: 768, height: 900 };
/** Without numbers, which come to a domain that was visited. */
const notAvailable = {
  status: 503,
  json: { success: false, code: 'TRAFFIC_UNAVAILABLE', message: 'Not available.', request_id: 'a'.repeat(32) },
};

it.each(['en', 'zh'])(
  'has every filter whole at 768 px beside what tells that there are no numbers: %s',
  async (locale) => {
    const tablet = (await openSignedIn(browser, instance.origin, customer, { viewport: TABLET, locale })).page;
    await tablet.route(STATS, (route) => route.fulfill(notAvailable));
    await tablet.goto(`${instance.origin}/#/domain/list`);
    const again = tablet.getByRole('button', { name: locale === 'en' ? 'No traffic data: Retry' : '无流量数据：重试' });
    await again.waitFor({ timeout: 20_000 });
    const filter = tablet.getByRole('button', { name: locale === 'en' ? 'Status' : '状态', exact: true });
    const box = await filter.boundingBox();
    const { x = 0, width: noteWidth = 0 } = (await again.boundingBox()) ?? {};
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(x);
    expect(noteWidth).toBeGreaterThanOrEqual(32);
    await tablet.context().close();
  },
);

it.each([
  ['en', { width: 1280, height: 800 }, 'Last 24 hours'],
  ['zh', { width: 1280, height: 800 }, '近 24 小时'],
  ['en', TABLET, 'Traffic in the last 24 hours'],
  ['zh', TABLET, '近 24 小时的流量数据'],
  ['en', { width: 390, height: 844 }, 'Traffic in the last 24 hours'],
  ['zh', { width: 390, height: 844 }, '近 24 小时的流量数据'],
])('says in %s at %j of which time its numbers are, whatever it is sorted by', async (locale, viewport, said) => {
  const small = (await openSignedIn(browser, instance.origin, customer, { viewport, locale })).page;
  await small.addInitScript(OBSERVE_SHIFT);
  await small.goto(`${instance.origin}/#/domain/list`);
  await small.getByRole('row').filter({ hasText: 'two.list.example' }).waitFor();
  await small.waitForLoadState('networkidle');
  const box = await small.getByText(said, { exact: true }).boundingBox();
  const isSeen = await small.getByText(said, { exact: true }).evaluate((one) => {
    const { x, y, width, height } = one.getBoundingClientRect();
    return document.elementFromPoint(x + width / 2, y + height / 2) === one;
  });
  expect([box !== null, isSeen]).toEqual([true, true]);
  expect(await small.evaluate<number>('window.shift')).toBeLessThan(SHIFT_MAX);
  await small.context().close();
});
