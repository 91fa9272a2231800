import type { Page } from 'playwright-core';
import { askOfAll } from './batches.ts';
import { domain, named, type Screen, type Words } from './screen.ts';

const base = { account: 'full', hash: domain('live', 'caching') } as const;
const panel = (page: Page, words: Words) => page.getByRole('region', { name: words('caching.title'), exact: true });

async function chooseKind(page: Page, words: Words, kind: string) {
  await named(panel(page, words), 'radio', words(kind)).click();
  await panel(page, words).getByRole('textbox').waitFor();
}
const press = (page: Page, words: Words) => named(panel(page, words), 'button', words('caching.clear')).click();

export const clearCache: readonly Screen[] = [
  {
    name: 'clear cache by URL, with faults',
    ...base,
    async open(page, words) {
      await chooseKind(page, words, 'domain.clears.kind.urls');
      await panel(page, words).getByRole('textbox').fill('/css/site.css\nhttps://www.other.example/\n/a#b');
      await press(page, words);
      await panel(page, words).locator('[aria-invalid=true]').waitFor();
    },
  },
  {
    name: 'clear cache, with its result and the line for scripts',
    ...base,
    async open(page, words) {
      await chooseKind(page, words, 'domain.clears.kind.tags');
      await panel(page, words).getByRole('textbox').fill('shop');
      await press(page, words);
      await panel(page, words)
        .getByRole('list', { name: words('caching.nodes') })
        .waitFor();
      await panel(page, words).locator('summary').click();
      await panel(page, words).getByRole('list').last().scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'clear cache at a time, with a fault',
    ...base,
    async open(page, words) {
      // What another screen has chosen is kept.
      await named(panel(page, words), 'radio', words('domain.clears.kind.all')).click();
      await named(panel(page, words), 'radio', words('domain.tasks.schedule.later')).click();
      await panel(page, words)
        .getByRole('textbox', { name: words('domain.tasks.schedule.day') })
        .fill('2020-01-01');
      await panel(page, words).locator('[aria-invalid=true]').waitFor();
      await panel(page, words)
        .getByRole('region', { name: words('domain.tasks.title') })
        .waitFor();
    },
  },
  {
    name: 'clear cache by prefix at a time',
    ...base,
    async open(page, words) {
      await chooseKind(page, words, 'domain.clears.kind.prefixes');
      await named(panel(page, words), 'radio', words('domain.tasks.schedule.later')).click();
      await panel(page, words)
        .getByRole('textbox', { name: words('domain.clears.kind.prefixes') })
        .fill('/images/\n/a?b');
      await named(panel(page, words), 'button', words('caching.schedule')).click();
      await panel(page, words).locator('[aria-invalid=true]').waitFor();
      await panel(page, words)
        .getByRole('button', { name: new RegExp(`^${words('domain.clears.showValues')}`) })
        .first()
        .click();
    },
  },
  {
    name: 'cancel a scheduled clear, from the list of domains',
    account: 'full',
    hash: '#/domain/list',
    async open(page, words) {
      await page.locator('summary').click();
      await page
        .getByRole('list', { name: words('domain.tasks.title') })
        .locator('[data-cancel]')
        .first()
        .click();
      await page.getByRole('alertdialog').waitFor();
    },
  },
  {
    name: 'scheduled clears over the list of domains',
    account: 'full',
    hash: '#/domain/list',
    async open(page, words) {
      await page.locator('summary').click();
      await page.getByRole('list', { name: words('domain.tasks.title') }).waitFor();
    },
  },
  {
    name: 'clear the cache of many at a time',
    account: 'full',
    hash: '#/domain/list',
    async open(page, words) {
      const dialog = await askOfAll(page, words, 'clear_cache');
      await named(dialog, 'radio', words('domain.tasks.schedule.later')).click();
      await dialog.getByRole('textbox', { name: words('domain.tasks.schedule.time') }).waitFor();
    },
  },
  {
    name: 'clear a part of the caches of many, with faults',
    account: 'full',
    hash: '#/domain/list',
    async open(page, words) {
      const dialog = await askOfAll(page, words, 'clear_cache');
      await named(dialog, 'radio', words('domain.clears.kind.urls')).click();
      await dialog
        .getByRole('textbox', { name: words('domain.clears.kind.urls') })
        .fill('/news/\nhttps://www.live.example/a');
      await named(dialog, 'radio', words('domain.tasks.schedule.later')).click();
      await dialog.locator('[aria-invalid=true]').waitFor();
    },
  },
  {
    name: 'clear everything of a domain',
    ...base,
    async open(page, words) {
      // What another screen chose in this tab is kept.
      await named(panel(page, words), 'radio', words('domain.clears.kind.all')).click();
      await named(panel(page, words), 'radio', words('domain.tasks.schedule.now')).click();
      await press(page, words);
      await page.getByRole('alertdialog').waitFor();
    },
  },
];
