import { existsSync } from 'node:fs';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Playwright's own list, which this replaces, and what makes the browser draw its own tab strip with a renderer for
  // each window: half of the processes of a test.
  `--disable-features=${[
    ...['AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose', 'HttpsUpgrades', 'LensOverlay'],
    ...['HttpsFirstBalancedModeAutoEnable', 'MediaRouter', 'NetworkTimeServiceQuerying', 'OptimizationHints'],
    ...['PaintHolding', 'PreconnectToSearch', 'ThirdPartyStoragePartitioning', 'Translate', 'PreloadTopChromeWebUI'],
    ...['TabSearchToolbarButton', 'TabOrganization', 'WebUITabStrip', 'SidePanelPinning', 'WebUIOmniboxPopup'],
    ...['WebUIReloadButton', 'InitialWebUI', 'OmniboxPopupInWebUI', 'WebUIOmniboxPopupSelectionControl'],
    ...['WebUIOmniboxAimPopup', 'AimWebUI', 'ContextualTasks'],
  ].join(',')}`,
];

const SHELL = '/usr/bin/chromium-headless-shell';
/** What the shell does not know. */
const NOT_OF_SHELL = /^--unsafely-treat-insecure-origin-as-secure=/;

/**
 * The system's Chromium without a window: its shell, which takes a sixth less of the processors. The whole browser, headless,
 * where there is none, and for an argument that only it knows.
 */
export function launchBrowser(...moreArgs: string[]): Promise<Browser> {
  const isForShell = existsSync(SHELL) && !moreArgs.some((arg) => NOT_OF_SHELL.test(arg));
  const executablePath = isForShell ? SHELL : '/usr/bin/chromium';
  return chromium.launch({ executablePath, args: [...ARGS, ...moreArgs] });
}

let shared: Promise<Browser> | undefined;

/** The browser of this worker, which finds domains at the edge as if their DNS pointed there; it ends with it. A file closes its own pages by `closePages`. */
export function sharedBrowser(): Promise<Browser> {
  shared ??= launchBrowser('--host-resolver-rules=MAP *.example 127.0.0.1');
  return shared;
}

/** Forgets all that a file did in the shared browser. */
export async function closePages(browser: Browser | undefined): Promise<void> {
  await Promise.all((browser?.contexts() ?? []).map((context) => context.close()));
}

export interface Visitor {
  readonly page: Page;
  /** What the page has complained about so far: console errors and exceptions, without failed requests. */
  readonly complaints: string[];
  close(): Promise<void>;
}

const tabs = new Set<Visitor>();

/** Tabs of this worker that are open now, those opened last first. */
export const openTabs = (): Visitor[] => [...tabs].reverse();

/** A browser of its own, as sites see it: with its own cookies and storage. */
export async function newContext(browser: Browser, options: BrowserContextOptions = {}): Promise<BrowserContext> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 900 },
    locale: 'en-US',
    timezoneId: 'Europe/Berlin',
    // A sixth less of the processors, and a press need not wait until a dialog has come to rest.
    reducedMotion: 'reduce',
    // What it says without a network is tried where it is let in; elsewhere it must change nothing.
    serviceWorkers: 'block',
    ...options,
  });
  context.setDefaultTimeout(40_000);
  return context;
}

/** One more tab, and what it and the windows that it opens complain about. */
export async function openPage(context: BrowserContext): Promise<Visitor> {
  const complaints: string[] = [];
  const listen = (page: Page) => {
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(`${message.text()} (${message.location().url})`);
    });
    page.on('popup', listen);
  };
  const page = await context.newPage();
  listen(page);
  const visitor: Visitor = { page, complaints, close: () => page.close() };
  tabs.add(visitor);
  page.on('close', () => tabs.delete(visitor));
  return visitor;
}

/** A browser of its own with one page. */
export async function openVisitor(browser: Browser, options: BrowserContextOptions = {}): Promise<Visitor> {
  const context = await newContext(browser, options);
  return { ...(await openPage(context)), close: () => context.close() };
}
