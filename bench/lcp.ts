import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { launchBrowser } from '../tests/support/browser.ts';
import { signIn } from '../tests/support/console.ts';
import { Instance } from '../tests/support/instance.ts';

/**
 * `npx tsx bench/lcp.ts [rounds]`: the first visit to the built console with demo data, from the address that people
 * type (`/`) to what they came for, redirects included, on Lighthouse's mobile profile (slow 4G: 1.6 Mbit/s down,
 * 150 ms for every request, redirects too; processor four times slower; 412 × 823), with an empty cache: signed out to
 * the sign-in, signed in to the list of domains. The median of five. Bars: largest contentful paint 2.5 s, blocking time
 * 200 ms, layout shift 0.02. Besides: when the form or the first domain itself stood there, so that a skeleton does not
 * pass for content. With `CORDON_WATERFALL=1` the requests of the last round are listed.
 */
const rounds = Number(process.argv[2] ?? 5);
const BARS = { lcp: 2_500, blocking: 200, shift: 0.02 };
const MOBILE = { width: 412, height: 823 };
const SLOW_4G = {
  offline: false,
  latency: 150,
  downloadThroughput: 1_600_000 / 8,
  uploadThroughput: 750_000 / 8,
  connectionType: 'cellular4g' as const,
};
const PROCESSOR_SLOWER = 4;
const LONG_TASK_MS = 50;

const EMAIL = 'demo@cordon.test';
const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/**
 * Keeps the newest candidate of the largest paint, what blocked and what shifted, and the moment at which `selector`
 * first matched, all since the first document of the visit was asked for.
 */
const watch = (selector: string) => `
  if (window === window.top) {
    sessionStorage.visitStart ??= performance.timeOrigin;
    const before = performance.timeOrigin - Number(sessionStorage.visitStart);
    const visit = (window.__visit = { lcp: 0, what: '', seen: 0, tasks: [], fcp: Infinity, shift: 0, shifts: [] });
    const observe = (type, take) =>
      new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true });
    observe('largest-contentful-paint', (entry) => {
      visit.lcp = before + entry.startTime;
      visit.what = (entry.element?.tagName ?? '') + ' ' + (entry.element?.textContent ?? '').slice(0, 40);
    });
    observe('paint', (entry) => {
      if (entry.name === 'first-contentful-paint') visit.fcp = entry.startTime;
    });
    observe('longtask', (entry) => visit.tasks.push([entry.startTime, entry.duration]));
    observe('layout-shift', (entry) => {
      if (entry.hadRecentInput) return;
      visit.shift += entry.value;
      for (const { node } of entry.sources) visit.shifts.push((node?.nodeName ?? '') + ' ' + (node?.className ?? '').slice?.(0, 40));
    });
    new MutationObserver((_, observer) => {
      if (!document.querySelector(${JSON.stringify(selector)})) return;
      observer.disconnect();
      requestAnimationFrame(() => { visit.seen = before + performance.now(); });
    }).observe(document, { childList: true, subtree: true });
  }
`;

interface Visit {
  readonly lcp: number;
  readonly what: string;
  readonly seen: number;
  /** First contentful paint of the last document. */
  readonly fcp: number;
  /** Begin and length of each task over 50 ms. */
  readonly tasks: readonly (readonly [number, number])[];
  readonly shift: number;
  readonly shifts: readonly string[];
}

/** Total blocking time: what tasks took over 50 ms after the first contentful paint. */
const blockingOf = ({ tasks, fcp }: Visit): number =>
  tasks.reduce((sum, [begin, length]) => sum + Math.max(0, begin + length - Math.max(begin + LONG_TASK_MS, fcp)), 0);

async function throttle(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', SLOW_4G);
  await session.send('Emulation.setCPUThrottlingRate', { rate: PROCESSOR_SLOWER });
}

interface Request {
  readonly path: string;
  readonly begin: number;
  readonly end: number;
  readonly bytes: number;
}

/** The requests of a visit, redirects and frames included, as the browser's network saw them. */
function recordRequests(page: Page): Request[] {
  const requests: Request[] = [];
  const begin = Date.now();
  page.on('requestfinished', async (request) => {
    const end = Date.now() - begin;
    const { pathname, search } = new URL(request.url());
    const path = (pathname.replace('/assets/', '') + search).slice(0, 60);
    const sizes = await request.sizes().catch(() => undefined);
    const bytes = (sizes?.responseBodySize ?? 0) + (sizes?.responseHeadersSize ?? 0);
    requests.push({ path, begin: request.timing().startTime - begin, end, bytes });
  });
  return requests;
}

function printWaterfall(requests: readonly Request[]): void {
  for (const { path, begin, end, bytes } of [...requests].sort((a, b) => a.begin - b.begin)) {
    const at = `${begin.toFixed(0).padStart(6)} – ${end.toFixed(0).padStart(6)} ms`;
    process.stdout.write(`    ${at} ${(bytes / 1000).toFixed(1).padStart(7)} kB  ${path}\n`);
  }
}

/** Goes to an address as for the first time; returns when its largest content and `selector` stood there. */
async function visit(context: BrowserContext, address: string, selector: string, isLast: boolean): Promise<Visit> {
  const page = await context.newPage();
  try {
    await page.addInitScript(watch(selector));
    await throttle(page);
    const requests = recordRequests(page);
    await page.goto(address, { waitUntil: 'commit', timeout: 60_000 });
    await page.locator(selector).first().waitFor({ timeout: 60_000 });
    await page.waitForLoadState('networkidle', { timeout: 60_000 });
    if (isLast && process.env.CORDON_WATERFALL) printWaterfall(requests);
    return (await page.evaluate('window.__visit')) as Visit;
  } finally {
    await page.close();
  }
}

function report(name: string, visits: readonly Visit[]): boolean {
  const line = (what: string, values: readonly number[], bar: number, write: (value: number) => string) => {
    const value = median(values);
    const isMet = value <= bar;
    const all = values.map(write).join(' ');
    process.stdout.write(`${name}: ${what} ${write(value)} (bar ${write(bar)}, ${isMet ? 'met' : 'MISSED'}; ${all})\n`);
    return isMet;
  };
  const seconds = (ms: number) => (ms / 1000).toFixed(2);
  const seen = median(visits.map((one) => one.seen));
  const shifted = [...new Set(visits.flatMap((one) => one.shifts))];
  const areMet = [
    line(
      'LCP in s',
      visits.map((one) => one.lcp),
      BARS.lcp,
      seconds,
    ),
    line('blocking time in ms', visits.map(blockingOf), BARS.blocking, (ms) => ms.toFixed(0)),
    line(
      'layout shift',
      visits.map((one) => one.shift),
      BARS.shift,
      (shift) => shift.toFixed(3),
    ),
  ];
  process.stdout.write(`${name}: largest is ${visits.at(-1)?.what.trim()}; content after ${seconds(seen)} s\n`);
  if (shifted.length > 0) process.stdout.write(`${name}: shifted ${shifted.join(', ')}\n`);
  return areMet.every(Boolean);
}

const instance = await Instance.start({ args: ['--demo'] });
const browser = await launchBrowser();
try {
  const password = readFileSync(join(instance.dataDirectory, 'demo-password'), 'utf8').trim();
  const device = { viewport: MOBILE, deviceScaleFactor: 1.75, isMobile: true, hasTouch: true, locale: 'en-US' };
  const address = `${instance.origin}/`;
  const signInVisits: Visit[] = [];
  const listVisits: Visit[] = [];
  const before = await browser.newContext(device);
  await signIn(await before.newPage(), instance.origin, { email: EMAIL, password });
  // Who was here before, on a device whose cache is empty.
  const storageState = await before.storageState();
  await before.close();
  for (let round = 0; round < rounds; round++) {
    const isLast = round === rounds - 1;
    const visitor = await browser.newContext(device);
    signInVisits.push(await visit(visitor, address, 'input[name=password]', isLast));
    await visitor.close();
    const user = await browser.newContext({ ...device, storageState });
    listVisits.push(await visit(user, address, 'a[href*="#/domain/list/"]', isLast));
    await user.close();
  }
  const areMet = [report('sign-in', signInVisits), report('domains', listVisits)];
  if (!areMet.every(Boolean)) process.exitCode = 1;
} finally {
  await browser.close();
  await instance.stop();
}
