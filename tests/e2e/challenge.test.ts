import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closePages, openVisitor, sharedBrowser } from '../support/browser.ts';
import { signIn, tab } from '../support/console.ts';
import { type Customer, createCustomer, deployDomain } from '../support/customer.ts';
import { edgeRequest } from '../support/edge-request.ts';
import type { Instance } from '../support/instance.ts';
import { startOrigin, type TestOrigin } from '../support/origin.ts';
import { sharedInstance } from '../support/shared-instance.ts';
import { until } from '../support/until.ts';
import { accessFaults } from './screens/faults.ts';

const NAME = 'www.proving.example';
const CALM = 'www.calm.example';
const BROWSER = { accept: 'text/html' };

let instance: Instance;
let browser: Browser;
let page: Page;
let customer: Customer;
let origin: TestOrigin;
let routeId: string;

const site = () => `http://${NAME}:${instance.ports.edgeHttp}/`;
const card = () => page.getByRole('article', { name: 'Challenge', exact: true });

beforeAll(async () => {
  [instance, browser, origin] = await Promise.all([sharedInstance(), sharedBrowser(), startOrigin()]);
  customer = await createCustomer(instance, 'proving@example.com');
  routeId = (await deployDomain(instance, customer, NAME, origin.port)).id;
  page = (await openVisitor(browser)).page;
  await signIn(page, instance.origin, customer);
});
afterAll(async () => {
  await closePages(browser);
  await origin?.close();
});

it('is set up in its form, and live', async () => {
  await page.goto(`${instance.origin}/#/domain/list/${routeId}?tab=protection`);
  await tab(page, 'Protection').waitFor();
  await card()
    .getByRole('button', { name: /^Set up/ })
    .click();
  const sheet = page.getByRole('dialog', { name: 'Challenge' });
  await sheet.getByRole('button', { name: 'Everything' }).click();
  await sheet.getByRole('button', { name: 'Save and deploy' }).click();
  await card().getByText('All visitors, valid for 30 min').waitFor();
  await until(
    'challenges',
    async () => (await edgeRequest(instance.ports.edgeHttp, NAME, '/', BROWSER)).status === 403,
  );
});

interface Words {
  title: string;
  stopped: string;
  cookies: string;
  network: string;
  noScript: string;
  retry: string;
  puzzle: string;
  confirm: string;
  missed: string;
  misses: string;
  unseen: RegExp;
  left: RegExp;
}
const WORDS = {
  'en-US': {
    title: 'Checking your browser',
    stopped: 'The check was not completed',
    cookies: 'This check needs cookies. Allow them for this site, then try again.',
    network: 'The site could not be reached. Check your network, then try again.',
    noScript: 'Allow JavaScript to continue',
    retry: 'Try again',
    puzzle: 'Solve the puzzle to continue',
    confirm: 'Confirm',
    missed: 'Not quite. Try this one.',
    misses: 'The piece was not in the gap. Try again.',
    unseen: /^I cannot see the picture/,
    left: /^About \d+ seconds left$/,
  },
  'zh-CN': {
    title: '正在检查您的浏览器',
    stopped: '验证未完成',
    cookies: '此验证需要 Cookie。请为本站允许 Cookie，然后重试。',
    network: '无法连接到本站，请检查您的网络，然后重试。',
    noScript: '启用 JavaScript 后继续访问',
    retry: '重试',
    puzzle: '完成拼图后继续访问',
    confirm: '确认',
    missed: '位置有偏差，请再试一次',
    misses: '拼图块未对准缺口，请重试。',
    unseen: /^看不到图片/,
    left: /^大约还需 \d+ 秒$/,
  },
} satisfies Record<string, Words>;
const LOCALES = Object.entries(WORDS);

const PROOFS = '**/.well-known/cordon/challenge';

/** Cuts the way of proofs until it is given back. */
async function cutProofs(visitor: Page) {
  await visitor.route(PROOFS, (route) => route.abort('internetdisconnected'));
  return () => visitor.unroute(PROOFS);
}

/** Has proofs wait until they are let go. */
async function holdProofs(visitor: Page) {
  let letGo = () => {};
  const isOver = new Promise<void>((resolve) => (letGo = resolve));
  await visitor.route(PROOFS, async (route) => {
    await isOver;
    await route.continue();
  });
  return () => letGo();
}

/** Title, heading, and whether it is still said what the page does by itself. */
const headOf = async (visitor: Page) => [
  await visitor.title(),
  await visitor.getByRole('heading', { level: 1 }).textContent(),
  await visitor.locator('#about').isVisible(),
];

describe.each(LOCALES)('a visitor (%s)', (locale, { title, stopped, cookies, network, noScript, retry }) => {
  it('reads that JavaScript is needed where there is none, and nothing of a check that never ends', async () => {
    const context = await browser.newContext({ locale, javaScriptEnabled: false });
    const visitor = await context.newPage();
    await visitor.goto(site());
    expect(await visitor.getByRole('heading', { level: 1 }).allTextContents()).toEqual([noScript]);
    expect(await visitor.getByRole('status').count()).toBe(0);
    const [again] = await Promise.all([
      visitor.waitForResponse(site()),
      visitor.getByRole('link', { name: retry }).click(),
    ]);
    expect(again.status()).toBe(403);
    await context.close();
  });

  it('reads that the network failed, and goes on with the same proof once it is back', async () => {
    const context = await browser.newContext({ locale });
    const visitor = await context.newPage();
    const giveBack = await cutProofs(visitor);
    await visitor.goto(site());
    await visitor.getByText(network).waitFor();
    expect(await headOf(visitor)).toEqual([stopped, stopped, false]);
    await giveBack();
    const letGo = await holdProofs(visitor);
    await visitor.getByRole('button', { name: retry }).click();
    expect(await headOf(visitor)).toEqual([title, title, true]);
    letGo();
    await visitor.getByText('origin /').waitFor();
    await context.close();
  });

  it('is let in by its browser alone, and not asked again', async () => {
    const context = await browser.newContext({ locale });
    const visitor = await context.newPage();
    const statuses: number[] = [];
    visitor.on('response', (response) => {
      if (response.url() === site()) statuses.push(response.status());
    });
    await visitor.goto(site());
    await visitor.getByText('origin /').waitFor();
    await visitor.reload();
    expect(statuses).toEqual([403, 200, 200]);
    await context.close();
  });

  it.each(['light', 'dark'] as const)(
    'reads why it waits (%s), and what to do where cookies are refused',
    async (colorScheme) => {
      const context = await browser.newContext({ locale, colorScheme, viewport: { width: 390, height: 760 } });
      const visitor = await context.newPage();
      await visitor.addInitScript(() => Object.defineProperty(navigator, 'cookieEnabled', { get: () => false }));
      await visitor.goto(site());
      await visitor.getByText(cookies).waitFor();
      expect(await headOf(visitor)).toEqual([stopped, stopped, false]);
      expect(await visitor.evaluate(() => document.activeElement?.tagName)).toBe('BUTTON');
      expect(await visitor.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
      expect(await accessFaults(visitor)).toEqual([]);
      await context.close();
    },
  );
});

it('goes on to a puzzle that a rule asks for right after the work of another', async () => {
  const { result } = await customer.api.getRoute({ params: { id: routeId } });
  const condition = { field: 'path', test: 'begins_with', values: ['/'] };
  const rule = { name: 'all', action: 'challenge', when: { conditions: [condition] } };
  await customer.api.updateRoute({
    params: { id: routeId },
    ifMatch: result.draft_revision,
    body: {
      deploy: true,
      plugins: [
        { name: 'blackrules', enabled: true, config: { black_rules: [rule] } },
        { name: 'challenge', enabled: true, config: { mode: 'puzzle', path: '.*', pass_time: '30m' } },
      ],
    },
  });
  await until('puzzles', async () => {
    const receipt = await customer.api.getReceipt({ params: { id: routeId } });
    return receipt.result?.state === 'successful' && receipt.result.version > 2;
  });
  const context = await browser.newContext({ locale: 'en-US' });
  const visitor = await context.newPage();
  await visitor.goto(site());
  await visitor.getByRole('slider', { name: /Drag the piece/ }).waitFor();
  await context.close();
});

it.each(LOCALES)(
  'is headed by what the puzzle asks for (%s), which stays through a failed network',
  async (...given) => {
    const [locale, { puzzle, confirm, network, retry }] = given;
    const context = await browser.newContext({ locale, viewport: { width: 390, height: 760 } });
    const visitor = await context.newPage();
    await visitor.goto(site());
    await visitor.getByRole('heading', { name: puzzle, level: 1 }).waitFor();
    await visitor.getByRole('slider').waitFor();
    expect(await visitor.title()).toBe(puzzle);
    expect(await visitor.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
    const giveBack = await cutProofs(visitor);
    await visitor.getByRole('button', { name: confirm }).click();
    await visitor.getByText(network).waitFor();
    await giveBack();
    const [answer] = await Promise.all([
      visitor.waitForResponse('**/.well-known/cordon/challenge'),
      visitor.getByRole('button', { name: retry }).click(),
    ]);
    expect(answer.ok()).toBe(false);
    await context.close();
  },
);

it.each(LOCALES)('shows the next puzzle at once after one that was missed (%s), until the third', async (...given) => {
  const [locale, { missed, misses, stopped }] = given;
  const context = await browser.newContext({ locale, viewport: { width: 390, height: 760 } });
  const visitor = await context.newPage();
  await visitor.goto(site());
  const slider = visitor.getByRole('slider');
  await slider.waitFor();
  let loads = 0;
  visitor.on('response', (response) => response.url() === site() && loads++);
  for (let round = 0; round < 2; round++) {
    await slider.press('Enter');
    await visitor.getByRole('heading', { name: missed, level: 1 }).waitFor();
    await slider.waitFor();
    await until('the focus', () => slider.evaluate((it) => it === document.activeElement));
    expect(await headOf(visitor)).toEqual([missed, missed, true]);
  }
  await slider.press('Enter');
  await visitor.getByText(misses).waitFor();
  expect(await headOf(visitor)).toEqual([stopped, stopped, false]);
  expect(loads).toBe(0);
  await context.close();
});

it.each(LOCALES)(
  'tells who cannot see the puzzle (%s) what goes on, and how long it takes, where its focus is',
  async (...given) => {
    const [locale, { title, unseen, left }] = given;
    const context = await browser.newContext({ locale, viewport: { width: 390, height: 760 } });
    const visitor = await context.newPage();
    // Long enough to be read, however fast this browser is.
    await visitor.addInitScript(() => {
      const ask = self.fetch;
      self.fetch = async (...of) => {
        const answer = await ask(...of);
        const told = await answer.json();
        return Response.json(told.work ? { work: { ...told.work, bits: 22 } } : told, { status: answer.status });
      };
    });
    await visitor.goto(site());
    await visitor.getByRole('slider').waitFor();
    const announced: string[] = [];
    await visitor.exposeFunction('announce', (text: string) => announced.push(text));
    await visitor.evaluate(() => {
      const say = (text: string) => (self as unknown as { announce: (text: string) => void }).announce(text);
      for (const status of document.querySelectorAll('[role=status]'))
        new MutationObserver(() => say(status.textContent ?? '')).observe(status, { childList: true });
    });
    await visitor.getByRole('button', { name: unseen }).press('Enter');
    await visitor.getByRole('timer').getByText(left).waitFor();
    expect(await headOf(visitor)).toEqual([title, title, true]);
    expect(await visitor.evaluate(() => document.activeElement?.tagName)).toBe('H1');
    // The time left changes each second, and is not read out as often.
    const shown = await visitor.getByRole('timer').textContent();
    await until('another second', async () => (await visitor.getByRole('timer').textContent()) !== shown);
    expect(announced.filter((text) => left.test(text))).toHaveLength(1);
    expect(await visitor.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
    expect(await accessFaults(visitor)).toEqual([]);
    await context.close();
  },
);

it.each([1280, 390])('lets the piece itself be dragged, with its slider below it, at %i px', async (width) => {
  const isPhone = width < 760;
  const context = await browser.newContext({ locale: 'en-US', viewport: { width, height: 760 }, hasTouch: isPhone });
  const visitor = await context.newPage();
  await visitor.goto(site());
  const slider = visitor.getByRole('slider');
  await slider.waitFor();
  const piece = visitor.locator('#piece');
  const from = await piece.boundingBox();
  if (from === null) throw new Error('no piece');
  const [x, y] = [from.x + 20, from.y + 20];
  if (isPhone) {
    const client = await context.newCDPSession(visitor);
    await client.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y }] });
    // A finger drifts: the page must not take the movement for scrolling.
    for (const moved of [20, 60, 90])
      await client.send('Input.dispatchTouchEvent', {
        type: 'touchMove',
        touchPoints: [{ x: x + moved, y: y - moved / 2 }],
      });
    await client.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  } else {
    await visitor.mouse.move(x, y);
    await visitor.mouse.down();
    await visitor.mouse.move(x + 90, y, { steps: 5 });
    await visitor.mouse.up();
    await visitor.mouse.move(x + 150, y);
  }
  expect(await slider.inputValue()).toBe('90');
  expect((await piece.boundingBox())?.x).toBe(from.x + 90);
  await visitor.keyboard.press('ArrowRight');
  expect(await slider.inputValue()).toBe('94');
  expect((await piece.boundingBox())?.x).toBe(from.x + 94);
  await visitor.keyboard.press('Shift+ArrowRight');
  expect(await slider.inputValue()).toBe('95');
  const track = await slider.boundingBox();
  expect(track?.height).toBeGreaterThanOrEqual(40);
  // The thumb stands below the piece: its middle takes hold of the slider without moving it.
  await visitor.mouse.move((track?.x ?? 0) + 95 + 22, (track?.y ?? 0) + 20);
  await visitor.mouse.down();
  await visitor.mouse.up();
  expect(await slider.inputValue()).toBe('95');
  expect(await accessFaults(visitor)).toEqual([]);
  await context.close();
});

it('says why a visitor was asked, and that it came in, by the id of the request', async () => {
  await page.goto(`${instance.origin}/#/domain/list/${routeId}`);
  await page.getByTitle('Challenge · Check required').first().waitFor();
});

describe('Under Attack mode', () => {
  const visit = async () => (await edgeRequest(instance.ports.edgeHttp, CALM, '/', BROWSER)).status;

  it('has visitors prove themselves at once, without a deploy, until it is ended', async () => {
    const { id } = await deployDomain(instance, customer, CALM, origin.port);
    expect(await visit()).toBe(200);
    await page.goto(`${instance.origin}/#/domain/list/${id}`);
    await page.getByRole('button', { name: 'Under Attack mode', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: `Under Attack mode for ${CALM}?` });
    await dialog.getByRole('button', { name: 'Turn on' }).click();
    await page.getByText(/^Under Attack · .* left$/).waitFor();
    await until('challenges', async () => (await visit()) === 403);
    await page.getByRole('button', { name: 'End now' }).click();
    await until('visits', async () => (await visit()) === 200);
    await page.getByText(/^Under Attack · .* left$/).waitFor({ state: 'detached' });
  });

  it('of the account is turned on from the dashboard, and holds for each of its domains', async () => {
    await page.getByRole('navigation').getByRole('link', { name: 'Dashboard' }).click();
    await page.getByRole('button', { name: 'Under Attack mode' }).click();
    const dialog = page.getByRole('dialog', { name: 'Under Attack mode for all domains?' });
    await dialog.getByRole('button', { name: 'Turn on' }).click();
    await page.getByText(/^Under Attack, all domains · /).waitFor();
    await until('challenges', async () => (await visit()) === 403);
    await page.getByRole('button', { name: 'End for all domains' }).click();
    await until('visits', async () => (await visit()) === 200);
  });
});

it('comes and goes with the level of protection, which says what it changes', async () => {
  const name = 'www.levels.example';
  const { id } = await deployDomain(instance, customer, name, origin.port);
  const visit = async () => (await edgeRequest(instance.ports.edgeHttp, name, '/', BROWSER)).status;
  await page.goto(`${instance.origin}/#/domain/list/${id}?tab=protection`);
  const bar = page.getByRole('region', { name: 'Protection level' });
  for (const [level, status] of [
    ['High', 403],
    ['Low', 200],
  ] as const) {
    await bar.getByRole('button', { name: level }).click();
    const sheet = page.getByRole('dialog', { name: `Protection level: ${level}` });
    await sheet.getByRole('heading', { name: 'Challenge', exact: true }).waitFor();
    await sheet.getByText('All visitors, valid for 30 min').waitFor();
    await sheet.getByRole('button', { name: 'Save and deploy' }).click();
    await sheet.waitFor({ state: 'detached' });
    await bar.locator('button[aria-pressed=true]', { hasText: level }).waitFor();
    await until(`the level ${level}`, async () => (await visit()) === status);
  }
});
