import type { Page } from 'playwright-core';
import { NAMES, named, type Screen, type Words } from './screen.ts';

async function wizard(page: Page, words: Words, steps: 1 | 2 | 3): Promise<void> {
  const next = () => named(page, 'button', words('domain.add.continue')).click();
  await page.locator('input[name=domain_name]').fill(steps === 1 ? 'not a name' : 'www.new.example');
  await next();
  if (steps === 1) return void (await page.locator('input[name=domain_name][aria-invalid=true]').waitFor());
  await page.locator('input[name="upstreams.targets.0.host"]').fill(steps === 2 ? '10.0.0.1' : '198.41.128.10');
  if (steps === 3) {
    // What answers at an address of the Internet is not for a test to know.
    const silent = { upstream: '198.41.128.10', protocols: [], suggested: null, error: 'UPSTREAM_UNREACHABLE' };
    const detection = '**/domain/verify-upstream-protocol/**';
    await page.route(detection, (route) => route.fulfill({ json: { success: true, result: [silent] } }));
    await next();
    await named(page, 'button', words('domain.add.silent.keep')).click();
    await page.unroute(detection);
    return page.getByText(words('domain.add.review.next.title'), { exact: true }).waitFor();
  }
  await named(page, 'button', words('domain.upstreams.verify')).click();
  await page.getByText(words('fieldErrors.UPSTREAM_FORBIDDEN')).first().waitFor();
}

export const domainList: readonly Screen[] = [
  {
    name: 'domains, empty',
    account: 'empty',
    hash: '#/domain/list',
    open: (page, words) => page.getByText(words('domain.list.empty.title')).waitFor(),
  },
  {
    name: 'domains, full',
    account: 'full',
    hash: '#/domain/list',
    open: (page) => page.getByRole('link', { name: NAMES.long }).waitFor(),
  },
  {
    name: 'domains, no match',
    account: 'full',
    hash: '#/domain/list?q=nothing-like-it',
    open: (page, words) => page.getByText(words('ui.table.noMatches')).waitFor(),
  },
  {
    name: 'domains, failing',
    account: 'full',
    hash: '#/domain/list',
    complains: /ERR_FAILED/,
    prepare: (page) => page.route(/\/api\/v1\/domain\/routes\/\?/, (route) => route.abort()),
    open: (page, words) => named(page, 'button', words('ui.retry')).waitFor({ timeout: 30_000 }),
  },
  {
    name: 'add wizard, name',
    account: 'full',
    hash: '#/domain/list?add=true',
    open: (page, words) => wizard(page, words, 1),
  },
  {
    name: 'add wizard, traffic',
    account: 'full',
    hash: '#/domain/list?add=true',
    open: (page, words) => wizard(page, words, 2),
  },
  {
    name: 'add wizard, review',
    account: 'full',
    hash: '#/domain/list?add=true',
    open: (page, words) => wizard(page, words, 3),
  },
  {
    name: 'menu of the top bar',
    account: 'full',
    hash: '#/domain/list',
    async open(page, words) {
      await named(page, 'button', words('shell.theme.label')).click();
      await page.getByRole('menuitemradio').first().waitFor();
    },
  },
  {
    name: 'find domains',
    account: 'full',
    hash: '#/domain/list?find=true',
    async open(page, words) {
      await page.getByRole('dialog').getByRole('textbox').fill(`${NAMES.live} ${NAMES.long} absent.example not_a_name`);
      await named(page, 'button', words('find.find')).click();
      await page.locator('[data-found]').first().waitFor();
    },
  },
  {
    name: 'discard?',
    account: 'full',
    hash: '#/domain/list?add=true',
    async open(page) {
      await page.locator('input[name=domain_name]').fill('www.new.example');
      await page.keyboard.press('Escape');
      await page.getByRole('alertdialog').waitFor();
    },
  },
  {
    name: 'menu of the row',
    account: 'full',
    hash: '#/domain/list',
    async open(page, words) {
      await named(page, 'button', words('domain.list.actionsOf', { name: 'shop-1.example' })).click();
      await page.getByRole('menu').waitFor();
    },
  },
];
