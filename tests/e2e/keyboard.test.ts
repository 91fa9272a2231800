import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closePages, openPage, openVisitor, sharedBrowser } from '../support/browser.ts';
import { notice, tab } from '../support/console.ts';
import { type Customer, createCustomer, deployDomain } from '../support/customer.ts';
import { edgeRequest } from '../support/edge-request.ts';
import type { Instance } from '../support/instance.ts';
import { operate } from '../support/operator.ts';
import { startOrigin, type TestOrigin } from '../support/origin.ts';
import { sharedInstance } from '../support/shared-instance.ts';
import { until } from '../support/until.ts';
import { settled } from './screens/faults.ts';

const NAME = 'www.keyboard.example';
const TABS_MAX = 60;

let instance: Instance;
let browser: Browser;
let customer: Customer;
let origin: TestOrigin;
let page: Page;

beforeAll(async () => {
  origin = await startOrigin();
  [instance, browser] = await Promise.all([sharedInstance(), sharedBrowser()]);
  customer = await createCustomer(instance, 'keyboard@example.com', 'vip');
  page = (await openVisitor(browser)).page;
});
afterAll(async () => {
  await closePages(browser);
  await origin?.close();
});

const press = (...keys: string[]) =>
  keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve());
const type = (text: string) => page.keyboard.type(text);
const isFocused = (target: Locator) => target.evaluate((element) => element === document.activeElement);
/** Waits for the focus; the error names where it is instead. */
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
    // At once: a key that is held does not wait until the focus has been led back.
    if (!(await isInside())) throw new Error(`${key} leaves ${dialog}`);
  }
}

/** A key until the focus is there: how many steps lie between is not what is tested. */
async function pressUntil(key: string, target: Locator): Promise<void> {
  for (let count = 0; count < TABS_MAX; count++) {
    if ((await target.count()) === 1 && (await isFocused(target))) return;
    await press(key);
  }
  throw new Error(`${key} does not reach ${target}`);
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
    await page.getByText('v1 live').waitFor();
    // Not on the body, from where Tab would begin at the top and a screen reader would say nothing.
    await focused('the heading of the new screen', page.getByRole('heading', { name: NAME, level: 1 }));
    const { results } = await customer.api.listRoutes();
    await operate(instance, 'names', 'verify', results[0]?.id ?? '', '--reason', 'test');
    await until('it is served', async () => (await edgeRequest(instance.ports.edgeHttp, NAME)).status === 200);
  });

  it('skips to the content, and / goes to the search', async () => {
    const before = page.url();
    await page.goto(`${instance.origin}/#/domain/list`);
    await page.getByRole('link', { name: NAME }).first().waitFor();
    await page.reload();
    await page.getByRole('link', { name: NAME }).first().waitFor();
    await press('Tab');
    await focused('the first stop of a new page', page.getByRole('link', { name: 'Skip to content' }));
    await press('Enter');
    await focused('the content', page.locator('#main'));
    await press('/');
    await focused('the search', page.getByLabel('Name, CNAME, origin…'));
    await page.goto(before);
    await page.getByRole('heading', { name: NAME, level: 1 }).waitFor();
  });

  it('edits the IP restriction and deploys', async () => {
    await tabTo(tab(page, 'Overview'));
    // However many tabs lie before it.
    await pressUntil('ArrowRight', tab(page, 'Access'));
    const card = page.getByRole('article', { name: 'IP restriction' });
    await tabTo(button('Set up IP restriction', card));
    await press('Enter');
    const sheet = page.getByRole('dialog', { name: 'IP restriction' });
    await expectTrapped(sheet);
    await tabTo(sheet.getByRole('textbox', { name: 'Blocked IPs' }));
    await type('198.41.128.7');
    await press('Enter');
    await press('Escape');
    const question = page.getByRole('alertdialog', { name: 'Discard your changes?' });
    await question.waitFor();
    await press('Escape');
    await question.waitFor({ state: 'detached' });
    await sheet.getByText('198.41.128.7').first().waitFor();
    await press('Escape');
    await question.waitFor();
    await question.evaluate((asked) => asked.setAttribute('data-first', ''));
    await page.goBack();
    await page.locator('[role=alertdialog]:not([data-first])').waitFor();
    await page.locator('[data-first]').waitFor({ state: 'detached' });
    await expectTrapped(question);
    await press('Escape');
    await question.waitFor({ state: 'detached' });
    await sheet.getByText('198.41.128.7').first().waitFor();
    await tabTo(button('Save and deploy', sheet));
    await press('Enter');
    await sheet.waitFor({ state: 'detached' });
    await notice(page, `Deploy of ${NAME} successful`).waitFor();
    await focused('the button that opened it', button('Edit IP restriction', card));
  });

  it('deactivates and resumes', async () => {
    await tabTo(button('More actions'));
    await press('Enter');
    await page.getByRole('menu').waitFor();
    await focused('the first action', page.getByRole('menuitem').first());
    await pressUntil('ArrowDown', page.getByRole('menuitem', { name: 'Deactivate' }));
    await press('Enter');
    const question = page.getByRole('alertdialog', { name: `Deactivate ${NAME}?` });
    await expectTrapped(question);
    await press('Escape');
    await question.waitFor({ state: 'detached' });
    await focused('the menu button', button('More actions'));
    await press('Enter');
    await focused('the first action', page.getByRole('menuitem').first());
    await pressUntil('ArrowDown', page.getByRole('menuitem', { name: 'Deactivate' }));
    await press('Enter');
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
    await press('Enter');
    await page.getByRole('menuitem', { name: 'Delete' }).waitFor();
    await press('End');
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

it('goes on at the heading where what was pressed leaves with its form', async () => {
  await page.goto(`${instance.origin}/#/domain/import`);
  await page.getByRole('button', { name: 'Paste rows' }).press('Enter');
  await page.getByRole('textbox').first().fill('domain_name\tprotocol\tupstreams\nread.example\thttp\t198.41.128.9\n');
  await page.getByRole('button', { name: 'Read rows' }).press('Enter');
  await focused('the heading', page.getByRole('heading', { name: 'Import domains', level: 1 }));
  await page.getByRole('button', { name: 'Another file' }).press('Enter');
  await focused('the heading', page.getByRole('heading', { name: 'Import domains', level: 1 }));
});

describe('the command palette', () => {
  const IDN = 'bücher.example';
  const palette = () => page.getByRole('dialog', { name: 'Search and commands' });
  const input = () => palette().getByRole('combobox');
  const chosen = () => palette().locator('[role=option][data-highlighted]');
  let id = '';

  async function find(query: string, expected: string | RegExp): Promise<void> {
    await press('Control+k');
    await focused('the palette', input());
    await type(query);
    // Enter takes what is highlighted, so it is waited for.
    await chosen().filter({ hasText: expected }).waitFor();
  }

  it('finds a domain by a few letters, also an internationalised one without its accents', async () => {
    id = (await deployDomain(instance, customer, 'xn--bcher-kva.example', origin.port)).id;
    await page.goto(`${instance.origin}/#/domain/list`);
    await page.getByRole('link', { name: IDN }).waitFor();
    await find('bucher', IDN);
    await press('Enter');
    await page.getByRole('tab', { name: 'Overview' }).waitFor();
    await focused('the heading of the domain', page.getByRole('heading', { name: IDN, level: 1 }));
    // As DNS writes it; the server finds it too.
    await page.getByRole('link', { name: 'Dashboard' }).press('Enter');
    await page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor();
    await find('xn--bcher', IDN);
    await press('Enter');
    await page.getByRole('heading', { name: IDN, level: 1 }).waitFor();
  });

  it('keeps the focus, says how much it found, and gives the focus back', async () => {
    const more = button('More actions');
    await tabTo(more);
    await press('Control+k');
    await expectTrapped(palette());
    await focused('the palette', input());
    await type('zzzzzz');
    await palette().getByText('Nothing matches').waitFor();
    await until('it is announced', async () =>
      /No results/.test((await palette().locator('[aria-live=polite]').allTextContents()).join(' ')),
    );
    await press('Escape');
    await palette().waitFor({ state: 'detached' });
    await focused('what had it before', more);
  });

  it('opens by its button, which names the keys', async () => {
    const opener = page.getByRole('banner').getByRole('button', { name: 'Search or run a command' });
    expect(await opener.getAttribute('aria-keyshortcuts')).toContain('Control+K');
    await opener.press('Enter');
    await focused('the palette', input());
    await press('Control+k');
    await palette().waitFor({ state: 'detached' });
    await focused('the button', opener);
  });

  it('leads to what is used of the plan', async () => {
    await find('quota', 'Plan and quota');
    await press('Enter');
    const used = page.getByRole('menuitemradio', { name: /domains used, aliases included/ });
    await focused('what is used', used);
    await press('Escape');
    await used.waitFor({ state: 'detached' });
    await focused('its button', page.getByRole('banner').getByRole('button', { name: /^Subscription / }));
  });

  it('closes when the screen behind it is left', async () => {
    await press('Control+k');
    await focused('the palette', input());
    await page.goBack();
    await palette().waitFor({ state: 'detached' });
    await page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor();
    await page.goForward();
    await page.getByRole('heading', { name: IDN, level: 1 }).waitFor();
  });

  it('leaves the shell as it is when its file does not arrive, says so, and opens the next time', async () => {
    const other = await openPage(page.context());
    try {
      let isHeld = true;
      await other.page.route(/\/assets\/palette-[^/]+\.js$/, (route) => (isHeld ? route.abort() : route.continue()));
      await other.page.goto(`${instance.origin}/#/domain/list`);
      await other.page.getByRole('link', { name: IDN }).waitFor();
      await other.page.keyboard.press('Control+k');
      await notice(other.page, /^A file is missing/).waitFor();
      await other.page.getByRole('link', { name: IDN }).waitFor();
      isHeld = false;
      await other.page.keyboard.press('Control+k');
      await other.page.getByRole('dialog', { name: 'Search and commands' }).waitFor();
    } finally {
      await other.close();
    }
  });

  it('asks before it deactivates, and deactivates nothing unasked', async () => {
    await find(`deactivate ${IDN}`, `Deactivate ${IDN}`);
    await press('Enter');
    const question = page.getByRole('alertdialog', { name: `Deactivate ${IDN}?` });
    await expectTrapped(question);
    await press('Escape');
    await question.waitFor({ state: 'detached' });
    expect((await customer.api.getRoute({ params: { id } })).result.status).toBe('running');
  });

  it('copies a CNAME', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const { cname } = (await customer.api.getRoute({ params: { id } })).result;
    await find('copy cname bucher', `Copy the CNAME of ${IDN}`);
    await press('Enter');
    await notice(page, `Copied ${cname}`).waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(cname);
  });

  it('lets one choose what to do, then to which domain, and Backspace goes one step back', async () => {
    const highlight = async (label: string) => {
      await palette().getByRole('option', { name: label }).waitFor();
      const isChosen = async () => (await chosen().filter({ hasText: label }).count()) === 1;
      for (let count = 0; count < TABS_MAX && !(await isChosen()); count++) await press('ArrowDown');
      expect(await isChosen()).toBe(true);
    };
    await find('history of', `History of ${IDN}`);
    await highlight('History of…');
    await press('Enter');
    const choice = palette().getByRole('combobox', { name: 'History of…' });
    await focused('the choice of a domain', choice);
    expect(await choice.inputValue()).toBe('');
    // What the API finds, which knows letters only as they are written, is not all. Letters that were not asked for before.
    await Promise.all([
      page.waitForResponse((response) => new URL(response.url()).searchParams.get('q') === 'uch'),
      type('uch'),
    ]);
    await chosen().filter({ hasText: IDN }).waitFor();
    await press('Backspace', 'Backspace', 'Backspace');
    expect(await choice.inputValue()).toBe('');
    await focused('the choice of a domain', choice);
    await press('Backspace');
    await focused('the palette', palette().getByRole('combobox', { name: 'Search and commands' }));
    await type('versions of');
    await highlight('History of…');
    await press('Enter');
    await focused('the choice of a domain', choice);
    await type('bucher');
    await chosen().filter({ hasText: IDN }).waitFor();
    await press('Enter');
    await palette().waitFor({ state: 'detached' });
    await page.getByRole('tab', { name: 'History', selected: true }).waitFor();
    expect(page.url()).toContain(`/domain/list/${id}?tab=versions`);
  });
});

describe('everywhere', () => {
  it('switches the language', async () => {
    const language = () => page.evaluate(() => document.documentElement.lang);
    const banner = page.getByRole('banner');
    await tabTo(button('Language', banner), 'Shift+Tab');
    await press('Enter');
    await focused('the first language', page.getByRole('menuitemradio').first());
    await pressUntil('ArrowDown', page.getByRole('menuitemradio', { name: '简体中文' }));
    await press('Enter');
    await page.getByRole('tab', { name: '历史' }).waitFor();
    expect(await language()).toMatch(/^zh/);
    await focused('the button, in the other language', button('语言', banner));
    await press('Control+k');
    await focused('the palette', page.getByRole('combobox', { name: '搜索与命令' }));
    const highlighted = page.locator('[role=option][data-highlighted]');
    await type('english');
    await highlighted.filter({ hasText: '语言' }).waitFor();
    await press('Enter');
    await type('english');
    await highlighted.filter({ hasText: 'English' }).waitFor();
    await press('Enter');
    await tab(page, 'History').waitFor();
    expect(await language()).toMatch(/^en/);
    await focused('the button again', button('Language', banner));
  });

  it('tells its shortcuts by ?, and gives the focus back', async () => {
    const more = button('More actions');
    const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await tabTo(more);
    await type('?');
    await expectTrapped(dialog);
    await press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await focused('what had it before', more);
  });

  it('does not take ? from a field', async () => {
    await page.getByRole('link', { name: 'Domains' }).first().press('Enter');
    const search = page.getByLabel('Name, CNAME, origin…');
    await search.waitFor();
    await press('/');
    await focused('the search', search);
    await type('?');
    expect(await search.inputValue()).toBe('?');
    expect(await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).count()).toBe(0);
    await press('Backspace');
  });
});

describe("a domain's page", () => {
  const NAME = 'www.steady.example';
  const WIDTHS = [1280, 390];
  let id = '';
  const heading = () => page.getByRole('heading', { name: NAME, level: 1 });
  /** Where the head and the tabs below it are. */
  const places = async () => ({
    head: await page.locator('main header').first().boundingBox(),
    tabs: await page.getByRole('tablist').boundingBox(),
  });

  it.each(WIDTHS)('keeps its head in place while the data arrive, at %i px', async (width) => {
    id ||= (await deployDomain(instance, customer, NAME, origin.port)).id;
    await page.setViewportSize({ width, height: 900 });
    await page.goto(`${instance.origin}/#/domain/list`);
    // Nothing is known of the domain from the other width.
    await page.reload();
    const row = page.locator('[data-row]').filter({ hasText: NAME });
    await row.waitFor();
    let arrive = () => {};
    const held = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    const data = /\/api\/v1\/(domain\/routes\/[^/]+|stats)\//;
    const answered: Promise<unknown>[] = [];
    await page.route(data, async (route) => {
      const request = route.request();
      const finished = request.response().then((response) => response?.finished());
      // One that is asked for again after the last look ends with its page.
      finished.catch(() => undefined);
      answered.push(finished);
      await held;
      await route.continue();
    });
    await row.focus();
    await press('Enter');
    await heading().waitFor();
    const before = await places();
    expect(before.tabs).not.toBeNull();
    arrive();
    await page.getByText(/^Live on 1\/1 nodes/).waitFor();
    await Promise.all(answered);
    await settled(page);
    await page.unroute(data);
    expect(await places()).toEqual(before);
  });

  it('brings a version back from its history', async () => {
    await page.setViewportSize({ width: 1280, height: 900 });
    const { result } = await customer.api.getRoute({ params: { id } });
    await customer.api.updateRoute({
      params: { id },
      ifMatch: result.draft_revision,
      body: { upstreams: { ...result.draft.upstreams, connection_limit: 7 }, deploy: true },
    });
    await page.getByText('v2 live').waitFor();
    await tabTo(tab(page, 'Overview'));
    await pressUntil('ArrowRight', tab(page, 'History'));
    const first = page.locator('[data-row]').filter({ hasText: /^v1/ });
    const compare = button('Compare', page.locator('tr').filter({ has: page.getByText('v1', { exact: true }) }));
    await first.waitFor();
    await tabTo(compare);
    await press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Compare versions' });
    await expectTrapped(dialog);
    await tabTo(dialog.getByLabel('Note for the history (optional)'));
    await type('The limit was too low');
    await press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await notice(page, `${NAME} rolled back to version 1`).waitFor();
    await page.getByText('v3 live').waitFor();
    await page.getByText('The limit was too low').waitFor();
    await focused('the button that opened it', compare);
    expect((await customer.api.getRoute({ params: { id } })).result.draft.upstreams.connection_limit).not.toBe(7);
  });
});
