import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { closePages, openVisitor, sharedBrowser } from '../support/browser.ts';
import { notice, openSignedIn, tab } from '../support/console.ts';
import { type Customer, createCustomer } from '../support/customer.ts';
import type { Instance } from '../support/instance.ts';
import { sharedInstance } from '../support/shared-instance.ts';
import { until } from '../support/until.ts';

const NETWORK = { en: 'Please check your network', zh: '请检查您的网络' };
const OFFLINE = { en: 'Offline', zh: '已离线' };
const LINE_PX_MAX = 40;
const NOTICE_MARGIN_PX = 16;
const RETRY = { en: 'Retry', zh: '重试' };
const LANGUAGES = ['en', 'zh'] as const;
type Language = (typeof LANGUAGES)[number];
const NAME = 'www.network.example';
/** A card that shows how an origin is, asks at least this often. */
const READ_AGAIN_MS = 5_000;
const API = /\/(api|auth)\//;

let instance: Instance;
let browser: Browser;
let customer: Customer;
let id: string;
/** Each save enters another address than the one before. */
let nextHost = 20;

beforeAll(async () => {
  [instance, browser] = await Promise.all([sharedInstance(), sharedBrowser()]);
  customer = await createCustomer(instance, 'network@example.com', 'vip');
  const { result } = await customer.api.createRoute({
    body: {
      cname: customer.subscriptionCname,
      domain_name: NAME,
      upstreams: { protocol: 'http', targets: [{ host: '198.41.128.10', port: null }] },
    },
  });
  id = result.id;
});
afterAll(() => closePages(browser));

/** A signed-in customer, and the writes that their page asks the API for. */
async function openConsole(language: Language = 'en', prepare?: (page: Page) => Promise<void>) {
  const locale = language === 'zh' ? 'zh-CN' : 'en-US';
  const { page } = await openSignedIn(browser, instance.origin, customer, { locale });
  await prepare?.(page);
  await page.goto(`${instance.origin}/`);
  await page.getByRole('heading', { name: language === 'zh' ? '域名' : 'Domains', level: 1 }).waitFor();
  await page.getByRole('link', { name: NAME }).first().waitFor();
  const writes: string[] = [];
  page.on('request', (request) => {
    if (request.method() !== 'GET' && request.url().includes('/api/v1/')) writes.push(request.url());
  });
  return { page, writes };
}
const goTo = (page: Page, hash: string) => page.evaluate(`location.hash = '${hash}'`);
const retry = (page: Page, language: Language = 'en') =>
  page.getByRole('button', { name: RETRY[language], exact: true });

async function expectOnePage(page: Page) {
  expect(await page.locator('main').count()).toBe(1);
  expect(await page.locator('h1').count()).toBe(1);
  expect(await page.title()).toContain(String(await page.locator('h1').textContent()));
}

it.each([
  ['no network', undefined, NETWORK.en],
  ['an API that refuses connections', 'connectionrefused', NETWORK.en],
  ['only what stands before the API', 503, 'The service is not available right now. Try again shortly.'],
] as const)(
  'keeps what was typed where a save meets %s, and sends nothing by itself',
  async (_what, failure, reason) => {
    const { page, writes } = await openConsole('en', (one) => one.clock.install());
    await goTo(page, `#/domain/list/${id}?tab=upstreams`);
    const address = page.getByRole('textbox', { name: 'Address' });
    await tab(page, 'Upstreams').waitFor();
    // What else the page reads is there: it would say the same reason.
    await page.waitForLoadState('networkidle');
    const typed = `198.41.128.${nextHost++}`;
    await address.fill(typed);
    const isWrite = /\/domain\/routes\/[^/]+\/$/;
    if (failure === undefined) await page.context().setOffline(true);
    else
      await page.route(isWrite, (route) => {
        if (route.request().method() === 'GET') return route.continue();
        return failure === 503 ? route.fulfill({ status: 503, body: '<html>' }) : route.abort(failure);
      });
    await page.getByRole('button', { name: 'Save as draft' }).click();
    await page.getByRole('alert').getByText(reason).waitFor();
    expect(await address.inputValue()).toBe(typed);
    expect(await page.getByText(reason).count()).toBe(1);
    const sent = writes.length;
    await page.context().setOffline(false);
    await page.unroute(isWrite);
    // Reads come back by themselves: after one of them a write would have come, too.
    await Promise.all([
      page.waitForResponse((response) => response.url().includes('/api/v1/')),
      page.clock.fastForward(READ_AGAIN_MS),
    ]);
    expect(writes.length).toBe(sent);
    await retry(page).click();
    await notice(page, 'Saved as draft. Not live until you deploy.').waitFor();
    expect(writes.length).toBe(sent + 1);
    await page.context().close();
  },
);

it.each(LANGUAGES)('says why a search found nothing, and searches again (%s)', async (language) => {
  const { page } = await openConsole(language);
  await page.context().setOffline(true);
  await page.locator('main input[type=search], main input[type=text]').first().fill('network');
  await page.locator('main').getByRole('alert').waitFor();
  // Said once, with the one Retry, by the line over the screen.
  await page.getByRole('status').getByText(NETWORK[language]).waitFor();
  expect(await page.getByText(NETWORK[language]).count()).toBe(1);
  expect(await page.getByRole('link', { name: NAME }).count()).toBe(0);
  expect(await retry(page, language).count()).toBe(1);
  await page.context().setOffline(false);
  await page.getByRole('link', { name: NAME }).first().waitFor();
  await page.keyboard.press('Control+k');
  const dialog = page.getByRole('dialog');
  await dialog.getByText(NAME).first().waitFor();
  await page.context().setOffline(true);
  await page.keyboard.type('network');
  await dialog.getByRole('alert').getByText(NETWORK[language]).waitFor();
  await page.context().setOffline(false);
  await dialog.getByRole('button', { name: RETRY[language] }).click();
  await dialog.getByRole('alert').waitFor({ state: 'detached' });
  await page.context().close();
});

it.each(LANGUAGES)(
  'shows in the shell why a screen is not there, and the screen once there is a network (%s)',
  async (language) => {
    // Intercepted, so that no cache can have the screen.
    const { page } = await openConsole(language, async (one) => {
      await one.route(/rules-screen-/, (route) => route.continue());
    });
    await page.context().setOffline(true);
    await goTo(page, '#/domain/rules');
    await page.locator('main h1:focus').waitFor();
    await expectOnePage(page);
    await page.getByRole('navigation').first().waitFor();
    await page.getByRole('status').getByText(OFFLINE[language]).waitFor();
    await page.getByRole('status').getByText(NETWORK[language]).waitFor();
    expect(await page.getByText(NETWORK[language]).count()).toBe(1);
    expect(await retry(page, language).count()).toBe(1);
    await page.locator('main a[href="#/dashboard"]').waitFor();
    expect(await page.evaluate('document.activeElement.tagName')).toBe('H1');
    await page.context().setOffline(false);
    await page.getByRole('heading', { name: language === 'en' ? 'Templates' : '配置模板', level: 1 }).waitFor();
    await page.context().close();
  },
);

it('moves the screen by the height of the line alone when it says that there is no network, and back', async () => {
  const { page } = await openConsole();
  await page.setViewportSize({ width: 390, height: 844 });
  const placeOfRow = async () => (await page.getByRole('link', { name: NAME }).first().boundingBox())?.y;
  let before = await placeOfRow();
  // What comes with the rows, and the font, have settled.
  await until('the row at rest', async () => {
    const [former, now] = [before, await page.waitForTimeout(300).then(placeOfRow)];
    before = now;
    return former === now;
  });
  await page.context().setOffline(true);
  await page.getByText(OFFLINE.en).waitFor();
  const moved = ((await placeOfRow()) ?? 0) - (before ?? 0);
  expect(moved).toBeGreaterThan(0);
  expect(moved).toBeLessThanOrEqual(LINE_PX_MAX);
  await page.context().setOffline(false);
  await page.getByText(OFFLINE.en).waitFor({ state: 'detached' });
  expect(await placeOfRow()).toBe(before);
  await page.context().close();
});

it('offers to reload where a newer release has taken the place of the files', async () => {
  const { page } = await openConsole();
  await page.route(/\/assets\/rules-screen-/, (route) => route.fulfill({ status: 404, body: '' }));
  await page.route(`${instance.origin}/`, (route) =>
    route.fulfill({ contentType: 'text/html', body: '<html></html>' }),
  );
  await goTo(page, '#/domain/rules');
  await page.getByText('The console was updated.').waitFor();
  await expectOnePage(page);
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Reload the page' }).click();
  await page.getByRole('heading', { name: 'Templates', level: 1 }).waitFor();
  await page.context().close();
});

it('leaves the screen and its selection where a dialog cannot be loaded, and opens it on Retry', async () => {
  const { page, writes } = await openConsole();
  // What shows notices comes a while after the first screen.
  await until('the notices', () =>
    page.evaluate<boolean>(
      "performance.getEntriesByType('resource').some((one) => one.name.includes('/notice-list-'))",
    ),
  );
  await page.getByRole('checkbox', { name: `Select ${NAME}` }).check();
  await page.getByRole('button', { name: 'Deactivate' }).waitFor();
  await page.context().setOffline(true);
  await page.getByRole('button', { name: 'Deactivate' }).click();
  await notice(page, NETWORK.en).waitFor();
  await page.getByText('1 domain selected').waitFor();
  await page.context().setOffline(false);
  await notice(page, 'Retry').click();
  await page.getByRole('alertdialog').waitFor();
  expect(writes.filter((url) => !url.endsWith('/preview/'))).toEqual([]);
  await page.context().close();
});

it('says why a dialog cannot be loaded beside the navigation, also where what shows notices did not come', async () => {
  const { page } = await openConsole('en', async (one) => {
    await one.route(/\/assets\/notice-list-/, (route) => route.abort());
  });
  await page.getByRole('checkbox', { name: `Select ${NAME}` }).check();
  await page.getByRole('button', { name: 'Deactivate' }).waitFor();
  await page.context().setOffline(true);
  await page.getByRole('button', { name: 'Deactivate' }).click();
  const card = page.getByRole('alert').filter({ hasText: NETWORK.en }).locator('.shadow-float');
  const main = page.locator('main');
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 800 });
    await card.waitFor();
    const [box, within] = [await card.boundingBox(), await main.boundingBox()];
    expect(box && within && [box.x - within.x, 800 - box.y - box.height]).toEqual([NOTICE_MARGIN_PX, NOTICE_MARGIN_PX]);
    expect(box && box.x + box.width).toBeLessThanOrEqual(width - NOTICE_MARGIN_PX);
  }
  await page.context().close();
});

it.each(LANGUAGES)('signs nobody out because the API does not answer a reload (%s)', async (language) => {
  const { page } = await openConsole(language);
  await page.route(API, (route) => route.abort('connectionrefused'));
  await page.reload();
  await page.locator('main').getByText(NETWORK[language]).waitFor();
  await expectOnePage(page);
  await Promise.all([page.waitForEvent('requestfailed'), retry(page, language).click()]);
  await page.locator('main').getByText(NETWORK[language]).waitFor();
  await page.unroute(API);
  await retry(page, language).click();
  await page.getByRole('link', { name: NAME }).first().waitFor();
  await page.context().close();
});

it('keeps the sign-in form, and the way back from it, through a broken network', async () => {
  const { page } = await openVisitor(browser);
  await page.goto(`${instance.origin}/#/domain/list/${id}`);
  await page.getByLabel('E-mail address').fill(customer.email);
  await page.getByLabel('Password', { exact: true }).fill(customer.password);
  await page.context().setOffline(true);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('alert').getByText(NETWORK.en).waitFor();
  expect(await page.getByLabel('E-mail address').inputValue()).toBe(customer.email);
  await page.context().setOffline(false);
  await page.route(/\/token$/, (route) => route.abort('connectionrefused'));
  await retry(page).click();
  await page.getByRole('heading', { name: 'Your sign-in could not be checked' }).waitFor();
  await expectOnePage(page);
  await page.unroute(/\/token$/);
  await retry(page).click();
  await page.getByRole('heading', { name: NAME, level: 1 }).waitFor();
  await page.context().close();
});
