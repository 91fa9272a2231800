import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContext, CDPSession, Page } from 'playwright-core';
import { launchBrowser } from '../tests/support/browser.ts';
import { signIn } from '../tests/support/console.ts';
import { Instance } from '../tests/support/instance.ts';

/**
 * `npx tsx bench/lcp.ts [rounds]`: largest contentful paint of the built console with demo data on Lighthouse's mobile
 * profile (slow 4G: 1.6 Mbit/s down, 150 ms round trip; processor four times slower; 412 × 823), everything uncached,
 * the median of five. Bars: sign-in 2.5 s, domains 3.0 s. Besides: when the first domain itself stood there, so that
 * a skeleton does not pass for content. With `CORDON_WATERFALL=1` the requests of the last round are listed.
 */
const rounds = Number(process.argv[2] ?? 5);
const MOBILE = { width: 412, height: 823 };
const SLOW_4G = {
  offline: false,
  latency: 150,
  downloadThroughput: 1_600_000 / 8,
  uploadThroughput: 750_000 / 8,
  connectionType: 'cellular4g' as const,
};
const PROCESSOR_SLOWER = 4;

const EMAIL = 'demo@cordon.test';
const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** Keeps the newest candidate of the largest paint, and the moment at which `selector` first matched. */
const watch = (selector: string) => `
  window.__lcp = 0; window.__seen = 0; window.__what = '';
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      window.__lcp = entry.startTime;
      window.__what = (entry.element?.tagName ?? '') + ' ' + (entry.element?.textContent ?? '').slice(0, 40);
    }
  }).observe({ type: 'largest-contentful-paint', buffered: true });
  new MutationObserver((_, observer) => {
    if (!document.querySelector(${JSON.stringify(selector)})) return;
    observer.disconnect();
    requestAnimationFrame(() => { window.__seen = performance.now(); });
  }).observe(document, { childList: true, subtree: true });
`;

interface Paint {
  readonly lcp: number;
  readonly seen: number;
  readonly what: string;
}
const read = (page: Page): Promise<Paint> =>
  page.evaluate('({ lcp: window.__lcp, seen: window.__seen, what: window.__what })') as Promise<Paint>;

async function throttled(page: Page): Promise<CDPSession> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });
  await session.send('Network.emulateNetworkConditions', SLOW_4G);
  await session.send('Emulation.setCPUThrottlingRate', { rate: PROCESSOR_SLOWER });
  return session;
}

interface Timing {
  readonly name: string;
  readonly startTime: number;
  readonly responseEnd: number;
  readonly transferSize: number;
}
async function printWaterfall(page: Page): Promise<void> {
  const timings = (await page.evaluate(
    `performance.getEntriesByType('resource').map(({ name, startTime, responseEnd, transferSize }) => ({ name, startTime, responseEnd, transferSize }))`,
  )) as Timing[];
  for (const { name, startTime, responseEnd, transferSize } of timings) {
    const path = new URL(name).pathname.replace('/assets/', '');
    const at = `${startTime.toFixed(0).padStart(6)} – ${responseEnd.toFixed(0).padStart(6)} ms`;
    process.stdout.write(`    ${at} ${(transferSize / 1000).toFixed(1).padStart(7)} kB  ${path}\n`);
  }
}

/** Loads an address as for the first time and returns when its largest content and `selector` stood there. */
async function load(context: BrowserContext, address: string, selector: string, isLast: boolean): Promise<Paint> {
  const page = await context.newPage();
  try {
    await page.addInitScript(watch(selector));
    await throttled(page);
    await page.goto(address, { waitUntil: 'commit', timeout: 60_000 });
    await page.locator(selector).first().waitFor({ timeout: 60_000 });
    await page.waitForLoadState('networkidle', { timeout: 60_000 });
    if (isLast && process.env.CORDON_WATERFALL) await printWaterfall(page);
    return await read(page);
  } finally {
    await page.close();
  }
}

function report(name: string, paints: readonly Paint[], bar: number): boolean {
  const lcp = median(paints.map((paint) => paint.lcp));
  const seen = median(paints.map((paint) => paint.seen));
  const all = paints.map((paint) => (paint.lcp / 1000).toFixed(2)).join(' ');
  const isMet = lcp <= bar;
  process.stdout.write(
    `${name}: LCP ${(lcp / 1000).toFixed(2)} s (bar ${bar / 1000} s, ${isMet ? 'met' : 'MISSED'}; ${all}; ${paints.at(-1)?.what}), content after ${(seen / 1000).toFixed(2)} s\n`,
  );
  return isMet;
}

const instance = await Instance.start({ args: ['--demo'] });
const browser = await launchBrowser();
try {
  const password = readFileSync(join(instance.dataDirectory, 'demo-password'), 'utf8').trim();
  const device = { viewport: MOBILE, deviceScaleFactor: 1.75, isMobile: true, hasTouch: true, locale: 'en-US' };
  const signInPaints: Paint[] = [];
  const domainPaints: Paint[] = [];
  for (let round = 0; round < rounds; round++) {
    const isLast = round === rounds - 1;
    const visitor = await browser.newContext(device);
    // Where the provider sends an unauthenticated visitor: the address that is then measured.
    const first = await visitor.newPage();
    await first.goto(`${instance.origin}/`);
    await first.locator('input[name=password]').waitFor();
    const address = first.url();
    await first.close();
    signInPaints.push(await load(visitor, address, 'input[name=password]', isLast));
    await visitor.close();

    const user = await browser.newContext(device);
    const page = await user.newPage();
    await signIn(page, instance.origin, { email: EMAIL, password });
    await page.close();
    const list = `${instance.origin}/#/domain/list`;
    domainPaints.push(await load(user, list, 'a[href*="#/domain/list/"]', isLast));
    await user.close();
  }
  const isMet = [report('sign-in', signInPaints, 2_500), report('domains', domainPaints, 3_000)].every(Boolean);
  if (!isMet) process.exitCode = 1;
} finally {
  await browser.close();
  await instance.stop();
}
