import type { Page } from 'playwright-core';
import { domain, named, ofCard, type Screen, type Words } from './screen.ts';

const sheet = (page: Page) => page.getByRole('dialog');

async function openForm(page: Page, words: Words, index: number) {
  await ofCard(page, words('domain.plugin.setUp')).nth(index).click();
  await sheet(page).getByRole('textbox').first().waitFor();
}

export const caching: readonly Screen[] = [
  {
    name: 'domain, caching',
    account: 'full',
    hash: domain('live', 'caching'),
    open: (page) => page.getByRole('article').nth(1).waitFor(),
  },
  {
    name: 'cache strategy',
    account: 'full',
    hash: domain('live', 'caching'),
    open: (page, words) => openForm(page, words, 0),
  },
  {
    name: 'cache strategy with rules and faults',
    account: 'full',
    hash: domain('live', 'caching'),
    async open(page, words) {
      await openForm(page, words, 0);
      const rule = sheet(page).locator('fieldset').getByRole('button').last();
      await rule.click();
      await rule.click();
      await named(page, 'button', words('domain.save.draft')).click();
      await sheet(page).locator('[aria-invalid=true]').nth(1).waitFor();
    },
  },
  {
    name: 'the key of cache strategy',
    account: 'full',
    hash: domain('live', 'caching'),
    async open(page, words) {
      await openForm(page, words, 0);
      await sheet(page).getByRole('radio').last().click();
      await sheet(page).getByRole('checkbox').last().scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'advanced cache',
    account: 'full',
    hash: domain('live', 'caching'),
    async open(page, words) {
      await openForm(page, words, 1);
      await sheet(page).getByRole('radio').nth(1).click();
    },
  },
];
