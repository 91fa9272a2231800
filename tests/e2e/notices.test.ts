import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closePages, sharedBrowser } from '../support/browser.ts';
import { notice, openSignedIn } from '../support/console.ts';
import { type Customer, createCustomer, deployDomain } from '../support/customer.ts';
import type { Instance } from '../support/instance.ts';
import { startOrigin, type TestOrigin } from '../support/origin.ts';
import { sharedInstance } from '../support/shared-instance.ts';
import { settled } from './screens/faults.ts';

const restriction = {
  name: 'ip-restriction',
  enabled: true,
  config: { blacklistMode: true, deny: ['198.41.128.7'] },
};

let instance: Instance;
let origin: TestOrigin;
let customer: Customer;
let routeId: string;
let liveId: string;
let restrictedId: string;

beforeAll(async () => {
  [instance, origin] = await Promise.all([sharedInstance(), startOrigin()]);
  customer = await createCustomer(instance, 'notices@example.com', 'vip');
  for (let index = 0; index < 12; index += 1) {
    const { result } = await customer.api.createRoute({
      body: {
        cname: customer.subscriptionCname,
        domain_name: `notices${index}.example.com`,
        upstreams: { protocol: 'http', targets: [{ host: '127.0.0.1', port: origin.port }] },
        plugins: index === 0 ? [restriction] : [],
        deploy: false,
      },
    });
    routeId = result.id;
    if (index === 0) restrictedId = result.id;
  }
  ({ id: liveId } = await deployDomain(instance, customer, 'notices-live.example.com', origin.port));
});
afterAll(async () => {
  await closePages(await sharedBrowser());
  await origin?.close();
});

const OPERATIONS = [
  { id: 'notices-done', state: 'successful', error: null },
  { id: 'notices-failed', state: 'failed', error: 'NODES_NOT_REACHED' },
];

/** A console that is opened at one screen after the other, in which the two operations end when told: one notice of success, one of an error. */
async function openConsole(width: number, height: number) {
  const viewport = { width, height };
  const { page } = await openSignedIn(await sharedBrowser(), instance.origin, customer, { viewport });
  page.on('dialog', (dialog) => dialog.accept());
  let areOver = false;
  for (const { id, ...end } of OPERATIONS)
    await page.route(`**/${id}/**`, (route) => {
      const operation = { id, action: 'deploy', state: 'running', error: null, ...(areOver && end) };
      return route.fulfill({ json: { success: true, result: { id, operation, status: 'active' } } });
    });
  // What was kept in a tab is forgotten where another account is signed in: from now on it is this one.
  await page.goto(`${instance.origin}/`);
  await page.getByRole('heading', { name: 'Domains', level: 1 }).waitFor();
  return {
    page,
    async open(hash: string) {
      areOver = false;
      // Something else of the same origin: the page is loaded anew in the same process.
      await page.goto(`${instance.origin}/favicon.svg`);
      await page.evaluate(
        (ids) =>
          window.sessionStorage.setItem(
            'domains.operations',
            JSON.stringify(ids.map((id) => [id, { routeId: id, name: `${id}.example.com`, action: 'deploy' }])),
          ),
        OPERATIONS.map(({ id }) => id),
      );
      await page.goto(`${instance.origin}/#${hash}`);
    },
    async end(hasRoom: boolean) {
      areOver = true;
      await notice(page, 'Deploy of notices-failed.example.com failed').waitFor();
      if (hasRoom) await notice(page, /notices-done.example.com/).waitFor();
    },
  };
}

/** The names of what could be pressed, were no notice before it; on a phone, which has no room, wherever it is scrolled to. */
const hidden = (page: Page) =>
  page.evaluate(() => {
    const isHidden = (control: Element) => {
      const { left, top, width, height } = control.getBoundingClientRect();
      const stack = document.elementsFromPoint(left + width / 2, top + height / 2);
      const before = stack.find((one) => !one.closest('[data-notices]'));
      return stack[0] !== before && before && (control.contains(before) || before.contains(control));
    };
    const isPhone = window.innerWidth < 760;
    return [...document.querySelectorAll('a[href], button, input, select, textarea, summary, [role=menuitem]')]
      .filter((control) => !control.matches(':disabled, [data-notices] *') && isHidden(control))
      .filter((control) => {
        if (!isPhone) return isHidden(control);
        return [1 / 2, 1 / 4, 3 / 4].every((share) => {
          const { top, height } = control.getBoundingClientRect();
          window.scrollBy(0, top + height / 2 - window.innerHeight * share);
          return isHidden(control);
        });
      })
      .map((control) => control.getAttribute('aria-label') ?? control.textContent);
  });

/** Whether a notice touches it where it stands now, or it is out of sight. */
const isCovered = async (control: Locator): Promise<boolean> =>
  control.evaluate((element) => {
    const box = element.getBoundingClientRect();
    const notices = [...document.querySelectorAll('[data-notice]')].map((notice) => notice.getBoundingClientRect());
    const isInSight = box.width > 0 && box.top >= 0 && box.bottom <= window.innerHeight;
    const isTouched = notices.some(
      ({ left, top, right, bottom }) => left < box.right && right > box.left && top < box.bottom && bottom > box.top,
    );
    return !isInSight || isTouched;
  });

interface Screen {
  readonly name: string;
  hash(): string;
  open(page: Page): Promise<void>;
  /** What one presses next, most likely: no notice touches it, also on a phone, where others may need a scroll. */
  next(page: Page): Locator;
  /** A phone has no room there for two notices. */
  readonly isFullOnPhones?: boolean;
}

const SCREENS: readonly Screen[] = [
  {
    name: 'the list of domains',
    hash: () => '/domain/list?sort=domain_name',
    open: (page) =>
      page
        .getByRole('link', { name: /notices11/ })
        .first()
        .waitFor(),
    next: (page) => page.locator('main').getByRole('button', { name: 'Add domain' }).first(),
  },
  {
    name: 'a selection of the list',
    hash: () => '/domain/list?sort=domain_name',
    async open(page) {
      await page.getByRole('checkbox', { name: /notices11/ }).check();
      await page.getByRole('button', { name: 'Clear selection' }).waitFor();
    },
    next: (page) => page.getByRole('button', { name: 'Deploy', exact: true }).first(),
  },
  {
    name: 'the end of the list',
    hash: () => '/domain/list?sort=domain_name',
    async open(page) {
      await page.getByRole('button', { name: 'Next page' }).scrollIntoViewIfNeeded();
    },
    next: (page) => page.getByRole('button', { name: 'Next page' }),
  },
  {
    name: 'a tab with a summary and an action',
    hash: () => `/domain/list/${liveId}?tab=protection`,
    async open(page) {
      const action = page.getByRole('button', { name: 'Send a test attack' });
      await action.waitFor();
      // To where notices stand on a phone if nothing is in the way.
      await action.evaluate((button) => window.scrollBy(0, button.getBoundingClientRect().top - 140));
    },
    // Its numbers are read next, too.
    next: (page) => page.getByText(/^\d of \d on/).locator('xpath=..'),
  },
  {
    name: 'a form that waits for being saved',
    hash: () => `/domain/list/${routeId}?tab=upstreams`,
    async open(page) {
      await page.getByRole('textbox', { name: 'Address' }).first().fill('127.0.0.2');
      await page.getByRole('button', { name: 'Save as draft' }).waitFor();
    },
    // The buttons that save stand below the form on a phone: what failed is said, and nothing beside it.
    isFullOnPhones: true,
    next: (page) => page.getByRole('textbox', { name: 'Address' }).first(),
  },
  {
    name: 'a dialog',
    hash: () => '/domain/list?add=true',
    open: (page) =>
      page.getByRole('dialog', { name: 'Add domain' }).getByRole('button', { name: 'Continue' }).waitFor(),
    next: (page) => page.getByRole('dialog', { name: 'Add domain' }).getByRole('button', { name: 'Continue' }),
  },
  {
    name: 'a question',
    hash: () => `/domain/list/${routeId}`,
    async open(page) {
      await page.getByRole('button', { name: 'More' }).click();
      await page.getByRole('menuitem', { name: 'Delete' }).click();
      await page.getByRole('alertdialog', { name: /notices11/ }).waitFor();
    },
    next: (page) => page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }),
  },
  {
    name: 'a sheet',
    hash: () => `/domain/list/${routeId}?tab=access`,
    isFullOnPhones: true,
    async open(page) {
      await page
        .getByRole('button', { name: /^Set up/ })
        .first()
        .click();
      await page.getByRole('dialog').getByRole('button', { name: 'Save as draft' }).waitFor();
    },
    next: (page) => page.getByRole('dialog').getByRole('button', { name: 'Save as draft' }),
  },
  {
    name: 'a sheet that has nothing to save yet',
    hash: () => `/domain/list/${restrictedId}?tab=access`,
    isFullOnPhones: true,
    async open(page) {
      await page.getByRole('button', { name: /^Edit IP restriction/ }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Save as draft', disabled: true }).waitFor();
    },
    next: (page) => page.getByRole('dialog').getByRole('button', { name: 'Save as draft' }),
  },
];

describe.each([
  [1280, 900],
  [390, 844],
])('notices at %i px', (width, height) => {
  let console: Awaited<ReturnType<typeof openConsole>>;

  beforeAll(async () => {
    console = await openConsole(width, height);
  });

  it.each(SCREENS)('cover nothing that is pressed next of $name', async (screen) => {
    const { page, open, end } = console;
    await open(screen.hash());
    await screen.open(page);
    await end(!(screen.isFullOnPhones && width < 760));
    await settled(page);
    expect(await isCovered(screen.next(page))).toBe(false);
    expect(await hidden(page)).toEqual([]);
  });

  it('stands clear of what is pressed next where it comes with the end of a dialog', async () => {
    const { page, open } = console;
    await open('/manage-ip');
    const ban = page.locator('main').getByRole('button', { name: 'Ban addresses' }).first();
    const dialog = page.getByRole('dialog', { name: /^Ban addresses/ });
    for (const host of [1, 2, 3]) {
      await ban.click();
      await dialog
        .getByRole('textbox')
        .first()
        .fill(`198.41.${width % 250}.${host}`);
      await dialog.getByRole('button', { name: /^Ban/ }).last().click();
      await dialog.waitFor({ state: 'detached' });
      await notice(page, /is banned/).waitFor();
      // It is placed anew once the dialog has left.
      await expect.poll(() => isCovered(ban), { timeout: 1_000 }).toBe(false);
      await page.locator('[data-notice]').getByRole('button', { name: 'Dismiss' }).first().click();
      await page.locator('[data-notice]').waitFor({ state: 'detached' });
    }
  });
});
