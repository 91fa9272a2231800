import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** The system's Chromium, headless. */
export function launchBrowser(...moreArgs: string[]): Promise<Browser> {
  return chromium.launch({ executablePath: '/usr/bin/chromium', args: [...ARGS, ...moreArgs] });
}

export interface Visitor {
  readonly page: Page;
  /** What the page has complained about so far: console errors and exceptions, without failed requests. */
  readonly complaints: string[];
  close(): Promise<void>;
}

/** A browser of its own, as far as sites can tell: cookies, storage and one page. */
export async function openVisitor(browser: Browser, options: BrowserContextOptions = {}): Promise<Visitor> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 900 },
    locale: 'en-US',
    timezoneId: 'Europe/Berlin',
    ...options,
  });
  context.setDefaultTimeout(20_000);
  const complaints: string[] = [];
  const listen = (page: Page) => {
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(`${message.text()} (${message.location().url})`);
    });
  };
  context.on('page', listen);
  const page = await context.newPage();
  return { page, complaints, close: () => context.close() };
}
