import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { openVisitor, type Visitor } from './browser.ts';
import { until } from './until.ts';

/** The console as its users handle it, in English. */

export async function signIn(page: Page, origin: string, account: { email: string; password: string }): Promise<void> {
  await page.goto(`${origin}/`);
  await page.getByLabel('E-mail address').fill(account.email);
  await page.getByLabel('Password', { exact: true }).fill(account.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Domains', level: 1 }).waitFor();
}

type Cookies = Awaited<ReturnType<BrowserContext['cookies']>>;
const sessions = new WeakMap<object, Promise<Cookies>>();

async function sessionOf(browser: Browser, origin: string, account: { email: string; password: string }) {
  const { page, close } = await openVisitor(browser);
  await signIn(page, origin, account);
  const cookies = await page.context().cookies();
  await close();
  return cookies;
}

/**
 * A browser of its own in which this account is signed in; nothing is opened yet. All of an account share the session of one sign-in,
 * as filling in the form takes more than most of what follows: where the sign-in, its end or its password is what is tested, use `signIn`.
 */
export async function openSignedIn(
  browser: Browser,
  origin: string,
  account: { email: string; password: string },
  options: BrowserContextOptions = {},
): Promise<Visitor> {
  const session = sessions.get(account) ?? sessionOf(browser, origin, account);
  sessions.set(account, session);
  return openVisitor(browser, { ...options, storageState: { cookies: await session, origins: [] } });
}

interface TypedDomain {
  name: string;
  host: string;
  port: number;
}

/** Fills the first two steps of the wizard, from the list. */
export async function fillTargets(page: Page, domain: TypedDomain): Promise<Locator> {
  await page.getByRole('button', { name: 'Add domain' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Add domain' });
  await dialog.getByLabel('Domain name').fill(domain.name);
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await dialog.getByRole('textbox', { name: 'Address' }).fill(domain.host);
  await dialog.getByLabel('Port').fill(String(domain.port));
  return dialog;
}

/** Fills the steps of the wizard; stops at the review, which is reached where the target answers. */
export async function fillWizard(page: Page, domain: TypedDomain): Promise<Locator> {
  const dialog = await fillTargets(page, domain);
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await dialog.getByText('What happens next').waitFor();
  return dialog;
}

export const notice = (page: Page, title: string | RegExp): Locator =>
  page.getByRole('region', { name: 'Notices' }).getByText(title);

export const tab = (page: Page, name: string): Locator => page.getByRole('tab', { name, exact: true });

/** Opens a list or a menu and presses what is in it until that is gone, since a press while it still opens may not count. */
async function pressIn(opener: Locator, chosen: Locator, name: string): Promise<void> {
  await opener.click();
  await chosen.click();
  await until(`it is closed after ${name}`, async () => {
    await chosen.waitFor({ state: 'hidden', timeout: 1000 }).catch(() => chosen.click({ timeout: 1000 }));
    return chosen.isHidden();
  });
}

/** Chooses from a list box. */
export const choose = (page: Page, box: Locator, name: string): Promise<void> =>
  pressIn(box, page.getByRole('option', { name }), name);

/** Chooses from a menu. */
export const chooseAction = (page: Page, opener: Locator, name: string): Promise<void> =>
  pressIn(opener, page.getByRole('menuitem', { name }), name);
