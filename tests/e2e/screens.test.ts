import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page, ViewportSize } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closePages, openVisitor, sharedBrowser, type Visitor } from '../support/browser.ts';
import { signIn } from '../support/console.ts';
import { type Customer, createCustomer } from '../support/customer.ts';
import type { Instance } from '../support/instance.ts';
import { startOrigin, type TestOrigin } from '../support/origin.ts';
import { sharedInstance } from '../support/shared-instance.ts';
import { account } from './screens/account.ts';
import { bans } from './screens/bans.ts';
import { batches } from './screens/batches.ts';
import { caching } from './screens/caching.ts';
import { clearCache } from './screens/clear-cache.ts';
import { dashboard } from './screens/dashboard.ts';
import { diagnosis } from './screens/diagnosis.ts';
import { domainList } from './screens/domain-list.ts';
import { domainPage } from './screens/domain-page.ts';
import { accessFaults, settled, smallTargets, stickingOutForGood } from './screens/faults.ts';
import { fill } from './screens/fill.ts';
import { groups } from './screens/groups.ts';
import { identity } from './screens/identity.ts';
import { imports } from './screens/imports.ts';
import { origins } from './screens/origins.ts';
import { pages } from './screens/pages.ts';
import { palette } from './screens/palette.ts';
import { plugins } from './screens/plugins.ts';
import { prefetch } from './screens/prefetch.ts';
import { publishing } from './screens/publishing.ts';
import { rules } from './screens/rules.ts';
import { named, type Screen, type Words, wordsOf } from './screens/screen.ts';
import { shadowDomains } from './screens/shadow-domains.ts';
import { ssl } from './screens/ssl.ts';
import { tokens } from './screens/tokens.ts';

/** A directory to keep a picture of every screen in; none are taken without it. */
const PICTURES = process.env.CORDON_SCREENSHOTS;
/** Several are looked at side by side. */
const SCREEN_MS_MAX = 240_000;
const LEAVE_MS_MAX = 15_000;
const LOCALES = ['en', 'zh'] as const;
const COLOR_SCHEMES = ['light', 'dark'] as const;

const screens: readonly Screen[] = [
  ...[
    identity,
    domainList,
    batches,
    groups,
    domainPage,
    origins,
    plugins,
    caching,
    clearCache,
    prefetch,
    publishing,
    shadowDomains,
    ssl,
    bans,
  ],
  ...[diagnosis, rules, imports, dashboard, palette, pages, account, tokens],
].flat();

let instance: Instance;
let browser: Browser;
let origin: TestOrigin;
const states: Partial<Record<'empty' | 'full', Awaited<ReturnType<typeof stateOf>>>> = {};

async function stateOf(customer: Customer) {
  const { page } = await openVisitor(browser);
  await signIn(page, instance.origin, customer);
  const state = await page.context().storageState();
  await page.context().close();
  return state;
}

beforeAll(async () => {
  [origin, instance, browser] = await Promise.all([startOrigin(), sharedInstance(), sharedBrowser()]);
  const [empty, full] = await Promise.all([
    createCustomer(instance, 'empty@example.com'),
    createCustomer(instance, 'full@example.com', 'vip'),
  ]);
  await fill(instance, origin, full);
  [states.empty, states.full] = await Promise.all([stateOf(empty), stateOf(full)]);
});
afterAll(async () => {
  await closePages(browser);
  await origin?.close();
});

const idle = new Map<string, Visitor[]>();

/**
 * From a screen to one without the shell, by the address and without loading: dialogs, menus and forms are gone with it.
 * False: the console did not get there.
 */
async function leave(page: Page, words: Words): Promise<boolean> {
  const away = page.getByRole('heading', { name: words('pages.unauthorized.title'), level: 1 });
  const discard = named(page.getByRole('alertdialog'), 'button', words('ui.unsaved.discard'));
  await page.evaluate(() => {
    window.location.hash = '#/unauthorized';
  });
  try {
    await away.or(discard).first().waitFor({ timeout: LEAVE_MS_MAX });
    if (await discard.isVisible()) await discard.click();
    await away.waitFor({ timeout: LEAVE_MS_MAX });
    await page.waitForFunction(() => !document.querySelector('[role=dialog], [role=alertdialog]'));
    return true;
  } catch {
    return false;
  }
}

/**
 * A tab for one screen, and how to give it back when nothing went wrong there. A tab of an account and a language takes
 * one screen after the other without loading the console anew, which costs more than the screen. It has a window of its
 * own, as what lies behind other tabs is not drawn. One that is prepared for a screen is closed after it, and so are
 * those of visitors who are not signed in.
 */
async function openScreen(screen: Screen, options: BrowserContextOptions, words: Words): Promise<Visitor> {
  if (screen.account === undefined) return openVisitor(browser, options);
  const key = `${screen.account} ${options.locale}`;
  const free = idle.get(key) ?? [];
  idle.set(key, free);
  const tab =
    (screen.prepare ? undefined : free.pop()) ??
    (await openTab({ ...options, storageState: states[screen.account] as BrowserContextOptions['storageState'] }));
  const { page, complaints } = tab;
  await page.setViewportSize(options.viewport as ViewportSize);
  await page.emulateMedia({ colorScheme: 'light' });
  const close = async () => {
    if (screen.prepare) return tab.close();
    // Something else of the same origin: the tab keeps its process.
    if (!(await leave(page, words))) await page.goto(`${instance.origin}/favicon.svg`);
    await page.evaluate(() => window.sessionStorage.clear());
    complaints.length = 0;
    free.push(tab);
  };
  return { page, complaints, close };
}

async function openTab(options: BrowserContextOptions): Promise<Visitor> {
  const tab = await openVisitor(browser, options);
  tab.page.on('dialog', (dialog) => (dialog.type() === 'beforeunload' ? dialog.accept() : dialog.dismiss()));
  return tab;
}

describe.concurrent.each(LOCALES)('in %s', (locale) => {
  const words = wordsOf(locale);
  // Language changes lengths, which are looked at in each; what axe looks at it hardly changes: every screen once.
  const isForAxe = (screen: Screen) => LOCALES[screens.indexOf(screen) % LOCALES.length] === locale;

  it.each(screens)(
    '$name',
    async (screen) => {
      const options: BrowserContextOptions = {
        locale: locale === 'zh' ? 'zh-CN' : 'en-US',
        viewport: { width: 1440, height: 900 },
        colorScheme: 'light',
      };
      const { page, complaints, close } = await openScreen(screen, options, words);
      await screen.prepare?.(page);
      const hash = typeof screen.hash === 'string' ? screen.hash : screen.hash();
      await page.goto(`${instance.origin}/${hash}`);
      await screen.open(page, words);

      const faults: string[] = [];
      const picture = (how: string) =>
        PICTURES && page.screenshot({ path: join(PICTURES, `${screen.name}, ${locale}, ${how}.png`) });
      for (const colorScheme of isForAxe(screen) || PICTURES ? COLOR_SCHEMES : []) {
        await page.emulateMedia({ colorScheme });
        await settled(page);
        // By all rules dark, too, where it is narrow.
        const rules = colorScheme === 'dark' ? 'colors' : 'all';
        if (isForAxe(screen))
          for (const fault of await accessFaults(page, rules)) faults.push(`${colorScheme}: ${fault}`);
        await picture(colorScheme);
      }
      await page.setViewportSize({ width: 390, height: 844 });
      await settled(page);
      for (const fault of await stickingOutForGood(page)) faults.push(`390 px: ${fault}`);
      if (isForAxe(screen)) for (const fault of await accessFaults(page)) faults.push(`390 px: ${fault}`);
      await picture('phone dark');
      await page.emulateMedia({ colorScheme: 'light' });
      await picture('phone light');
      if (isForAxe(screen)) for (const fault of await smallTargets(page)) faults.push(`390 px: small ${fault}`);
      // The picture between two screens names no icon, so that browsers look for this one.
      const complains = screen.complains ?? /\/favicon\.ico\)$/;
      for (const complaint of complaints) if (!complains.test(complaint)) faults.push(`console: ${complaint}`);
      await close();
      expect(faults).toEqual([]);
    },
    SCREEN_MS_MAX,
  );
});
