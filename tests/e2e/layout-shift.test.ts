import type { Browser, Page } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Route } from '../../packages/contract/index.ts';
import { closePages, openVisitor, sharedBrowser } from '../support/browser.ts';
import { openSignedIn } from '../support/console.ts';
import { type Customer, createCustomer } from '../support/customer.ts';
import type { Instance } from '../support/instance.ts';
import { sharedInstance } from '../support/shared-instance.ts';

const SHIFT_MAX = 0.005;
const PHONE = { width: 390, height: 844 };
const DESK = { width: 1280, height: 900 };
const LATE_MS = 600;
/** From the top of a field to a button below it, with no empty room between. */
const FIELD_TO_BUTTON_MAX = 120;

let instance: Instance;
let browser: Browser;
let customer: Customer;
let route: Route;

beforeAll(async () => {
  [instance, browser] = await Promise.all([sharedInstance(), sharedBrowser()]);
  customer = await createCustomer(instance, 'unmoved@example.com', 'vip');
  const { result } = await customer.api.createRoute({
    body: {
      cname: customer.subscriptionCname,
      domain_name: 'www.unmoved.example',
      upstreams: { protocol: 'http', targets: [{ host: '198.41.128.7', port: 80 }] },
      deploy: true,
    },
  });
  route = (
    await customer.api.updateRoute({
      params: { id: result.id },
      ifMatch: result.draft_revision,
      body: {
        plugins: [
          {
            name: 'ip-restriction',
            enabled: true,
            config: { allow: [], deny: ['198.41.129.0/24'], blacklistMode: true, whitelistMode: false },
          },
        ],
      },
    })
  ).result;
});
// A page that stays open goes on asking, and makes the next slower.
afterEach(() => closePages(browser));

it.each(['en', 'zh'])('the sign-in form stays where it is on a phone when nothing answers: %s', async (locale) => {
  const { page } = await openVisitor(browser, { viewport: PHONE, hasTouch: true, locale });
  await page.goto(`${instance.origin}/#/pages/login`);
  const field = page.locator('input[name=email]');
  await field.fill('nobody@example.com');
  await page.locator('input[name=password]').fill('not the password');
  const before = await field.boundingBox();
  await page.context().setOffline(true);
  await page.locator('button[type=submit]').click();
  await page.getByRole('alert').filter({ hasText: /\S/ }).waitFor();
  expect(await field.boundingBox()).toEqual(before);
});

/** A tab of a browser that has shown nothing yet, in which this comes late. */
async function openLate(viewport: { width: number; height: number }, late: RegExp): Promise<Page> {
  const { page } = await openSignedIn(browser, instance.origin, customer, { viewport });
  await page.route(late, async (one) => {
    await new Promise((resolve) => setTimeout(resolve, LATE_MS));
    await one.continue();
  });
  // A text: what the compiler adds to functions does not exist in the page.
  await page.addInitScript(
    'window.shift = 0; new PerformanceObserver((list) => { for (const one of list.getEntries()) if (!one.hadRecentInput) window.shift += one.value; }).observe({ type: "layout-shift", buffered: true });',
  );
  return page;
}
const shiftOf = (page: Page) => page.evaluate<number>('window.shift');

it.each([
  ['what nodes know of the origin', PHONE, /\/health\//],
  ['the card of it', PHONE, /health-card/],
  ['the card of it', DESK, /health-card/],
])('the upstreams of a domain stay where they are, where %s comes last', async (_, viewport, late) => {
  const page = await openLate(viewport, late);
  await page.goto(`${instance.origin}/#/domain/list/${route.id}?tab=upstreams`);
  await page.getByText('198.41.128.7:80', { exact: true }).first().waitFor();
  await page.getByText('Origin lock').waitFor();
  expect(await shiftOf(page)).toBeLessThan(SHIFT_MAX);
});

it.each([
  ['protection', 'their words', 'Rate-based challenge', /\/en-[^/]+\.js$/],
  ['protection', 'what they did', 'Rate-based challenge', /stats\/plugins/],
  ['access', 'their words', 'IP restriction', /\/en-[^/]+\.js$/],
  ['access', 'what they did', 'IP restriction', /stats\/plugins/],
])('the plugins of %s stay where they are on a phone, where %s come last', async (tab, _, name, late) => {
  const page = await openLate(PHONE, late);
  const effect = { requests: 1_234_567, challenged: 0, passed: null };
  const names = ['ip-restriction', 'request-limit', 'ban'];
  await page.route(/stats\/plugins/, async (one) => {
    await new Promise((resolve) => setTimeout(resolve, LATE_MS));
    // More than fits beside what it is set to.
    await one.fulfill({ json: { success: true, result: names.map((plugin) => ({ ...effect, plugin })) } });
  });
  await page.goto(`${instance.origin}/#/domain/list/${route.id}?tab=${tab}`);
  await page.getByRole('article', { name, exact: true }).waitFor();
  await page
    .getByText(/1,234,567/)
    .first()
    .waitFor();
  await page.waitForLoadState('networkidle');
  expect(await shiftOf(page)).toBeLessThan(SHIFT_MAX);
});

it.each([
  ['the changes', PHONE, /change-list/],
  ['what becomes of recent requests', PHONE, /replay\/draft/],
  ['what becomes of recent requests', DESK, /replay\/draft/],
])('head, note and buttons of a deploy stay where they are, where %s come last', async (_, viewport, late) => {
  const page = await openLate(viewport, late);
  await page.goto(`${instance.origin}/#/domain/list/${route.id}`);
  // What the page behind it did before is not the dialog's.
  const open = page.getByRole('button', { name: 'Deploy 1 change' });
  await open.waitFor();
  await page.waitForLoadState('networkidle');
  await page.evaluate('window.shift = 0');
  await open.click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Your recent requests').waitFor();
  const places = async () =>
    Promise.all(
      [dialog.getByRole('heading', { level: 2 }), dialog.getByLabel('Note'), dialog.getByText('Deploy now')].map(
        async (one) => Math.round((await one.first().boundingBox())?.y ?? -1),
      ),
    );
  const before = await places();
  const [, note = 0, confirm = 0] = before;
  expect(confirm - note).toBeLessThan(FIELD_TO_BUTTON_MAX);
  await dialog.getByRole('status').waitFor();
  expect(await places()).toEqual(before);
  expect(await shiftOf(page)).toBeLessThan(SHIFT_MAX);
});

it('the bans of a phone are as high at once as with the reason in words', async () => {
  const page = await openLate(PHONE, /\/en-[^/]+\.js$/);
  const ban = {
    id: '0190f3a0-0000-7000-8000-000000000101',
    network: '198.41.129.7',
    route_id: route.id,
    domain_name: route.domain_name,
    plugin: 'request-limit',
    reason: 'too_many_requests',
    request_id: 'a7f0c6c1d2e34f55',
    note: '',
    banned_by: 'edge-1',
    banned_at: new Date().toISOString(),
    ends_at: new Date(Date.now() + 3_600_000).toISOString(),
  };
  const bans = ['7', '8', '9'].map((last) => ({
    ...ban,
    id: ban.id.slice(0, -1) + last,
    network: `198.41.129.${last}`,
  }));
  await page.route(/\/domain\/bans\//, (one) =>
    one.fulfill({ json: { success: true, results: bans, count: bans.length, page: 1, perpage: 10 } }),
  );
  await page.goto(`${instance.origin}/#/manage-ip`);
  await page.getByText('Too many requests').first().waitFor();
  expect(await shiftOf(page)).toBeLessThan(SHIFT_MAX);
});

it('the card of templates stays where it is, where there are none', async () => {
  const page = await openLate(PHONE, /\/domain\/rules\//);
  await page.goto(`${instance.origin}/#/domain/rules`);
  await page.getByText('One template, many domains').waitFor();
  expect(await shiftOf(page)).toBeLessThan(SHIFT_MAX);
});

it.each([
  ['a phone', PHONE],
  ['a desk', DESK],
])('an address leads to a panel of the caching tab on %s, and is read once', async (_, viewport) => {
  const page = await openLate(viewport, /cache\/overview/);
  await page.goto(`${instance.origin}/#/domain/list/${route.id}?tab=caching&panel=clear`);
  const heading = (name: string) => page.getByRole('heading', { name, exact: true });
  const isLedTo = (name: string) =>
    expect
      .poll(
        async () => {
          const isFocused = await heading(name).evaluate((element) => element === document.activeElement);
          const { y = -1 } = (await heading(name).boundingBox()) ?? {};
          return isFocused && y > 0 && y < viewport.height / 2;
        },
        { timeout: 10_000 },
      )
      .toBe(true);
  await isLedTo('Clear cache');
  expect(page.url()).not.toContain('panel');
  await page.waitForLoadState('networkidle');
  await isLedTo('Clear cache');
  await page.getByRole('link', { name: 'Try a URL', exact: true }).press('Enter');
  await isLedTo('Try a URL');
});

const cachingTab = () => `${instance.origin}/#/domain/list/${route.id}?tab=caching`;
const panelHeading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true });

it.each([
  ['its words', PHONE, /\/en-[^/]+\.js$/],
  ['its figures', PHONE, /cache\/(overview|costly-paths)/],
  ['its words', DESK, /\/en-[^/]+\.js$/],
  ['its figures', DESK, /cache\/(overview|costly-paths)/],
  ['the parts below them', DESK, /(costly-paths|prefetch-panel|area-tab)-[^/]+\.js$/],
])(
  'the caching tab stays where it is, where %s come last, and when one comes back to it',
  async (_, viewport, late) => {
    const page = await openLate(viewport, late);
    await page.goto(cachingTab());
    await panelHeading(page, 'Prefetch').waitFor();
    await page.waitForLoadState('networkidle');
    expect(await shiftOf(page)).toBeLessThan(SHIFT_MAX);
    // By its address: what moves after a press is not counted.
    await page.evaluate((hash) => window.location.replace(hash), `#/domain/list/${route.id}?tab=ssl`);
    await panelHeading(page, 'Prefetch').waitFor({ state: 'detached' });
    await page.waitForLoadState('networkidle');
    await page.evaluate('window.shift = 0');
    await page.evaluate((hash) => window.location.replace(hash), `#/domain/list/${route.id}?tab=caching`);
    await panelHeading(page, 'Prefetch').waitFor();
    await page.waitForLoadState('networkidle');
    expect(await shiftOf(page)).toBeLessThan(SHIFT_MAX);
  },
);

it('nothing moves below the panel that an address leads to, where its lists come last', async () => {
  const page = await openLate(DESK, /prefetch/);
  await page.goto(`${cachingTab()}&panel=prefetch`);
  await page.getByText('Nothing was prefetched in the last 30 days.').waitFor();
  await page.waitForLoadState('networkidle');
  expect(await shiftOf(page)).toBeLessThan(SHIFT_MAX);
});

it.each([
  ['overview', 'Development mode is on for another', PHONE],
  ['overview', 'Development mode is on for another', DESK],
  ['caching', 'Nothing is served from the cache.', DESK],
])('development mode pushes nothing on the %s down when it is known last', async (tab, words, viewport) => {
  const params = { id: route.id };
  await customer.api.startDevelopmentMode({ params, body: {} });
  const page = await openLate(viewport, /development-/);
  await page.goto(`${instance.origin}/#/domain/list/${route.id}?tab=${tab}`);
  await page.getByText(words).first().waitFor();
  await page.waitForLoadState('networkidle');
  expect(await shiftOf(page)).toBeLessThan(SHIFT_MAX);
  await customer.api.endDevelopmentMode({ params });
});

describe('the card of scheduled tasks', () => {
  const at = new Date(Date.now() + 86_400_000).toISOString();
  const pieces = {
    ...{ kind: 'clear cache', clear_kind: 'all', values: [], entries: 0, soft: false, created_by: 'ann@example.com' },
    ...{ domains: 1, first_domain: 'www.unmoved.example', domain_names: ['www.unmoved.example'], failed: 0 },
  };
  const tasks = [
    { ...pieces, id: '0190f3a0-0000-7000-8000-000000000201', state: 'task_scheduled', at, batch_id: null },
    {
      ...{ ...pieces, id: '0190f3a0-0000-7000-8000-000000000202', state: 'successful' },
      ...{ at: new Date(Date.now() - 3_600_000).toISOString(), batch_id: '0190f3a0-0000-7000-8000-000000000203' },
    },
  ];
  async function openTasks(viewport: { width: number; height: number }, late: RegExp) {
    const page = await openLate(viewport, late);
    await page.route(/run\/tasks\//, (one) => one.fulfill({ json: { success: true, results: tasks } }));
    await page.goto(`${instance.origin}/#/domain/list`);
    await page.getByText('1 task scheduled').waitFor();
    await page.waitForLoadState('networkidle');
    return page;
  }

  it.each([
    ['a phone', PHONE],
    ['a desk', DESK],
  ])('has its place over the list from the first frame of the next time on %s', async (_, viewport) => {
    const page = await openTasks(viewport, /(scheduled-tasks|\/en)-[^/]+\.js$/);
    // Where the list of the outline begins.
    await page.addInitScript(
      `new MutationObserver((_, observer) => {
        const shapes = [...document.querySelectorAll('svg > rect[rx="12"]')];
        if (shapes.length === 0) return;
        observer.disconnect();
        window.outlined = Math.max(...shapes.map((one) => Number(one.getAttribute('y'))));
      }).observe(document, { childList: true, subtree: true });`,
    );
    await page.reload();
    await page.getByText('1 task scheduled').waitFor();
    await page.waitForLoadState('networkidle');
    expect(await shiftOf(page)).toBeLessThan(SHIFT_MAX);
    const card = await page.locator('main details').boundingBox();
    expect(await page.evaluate('window.outlined')).toBe(Math.round((card?.y ?? 0) + (card?.height ?? 0) + 16));
  });

  it('names on a phone what an outcome is of right before it, with the arrow beside both lines', async () => {
    const page = await openTasks(PHONE, /nothing/);
    const boxOf = async (name: string) => {
      const box = await page.locator('main summary').getByText(name, { exact: true }).boundingBox();
      return { x: box?.x ?? 0, end: (box?.x ?? 0) + (box?.width ?? 0), middle: (box?.y ?? 0) + (box?.height ?? 0) / 2 };
    };
    const [results, outcome] = [await boxOf('Results'), await boxOf('Successful')];
    expect(Math.abs(results.middle - outcome.middle)).toBeLessThan(3);
    expect(outcome.x - results.end).toBeLessThan(40);
    const arrow = await page.locator('main summary > svg').last().boundingBox();
    expect((arrow?.x ?? 0) + 16).toBeCloseTo(PHONE.width - 16 - 1 - 16, 0);
  });
});
