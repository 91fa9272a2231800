import type { Page } from 'playwright-core';
import { domain, named, type Screen, type Words } from './screen.ts';

async function askFor(page: Page, words: Words, action: 'deactivate' | 'delete'): Promise<void> {
  await named(page, 'button', words('domain.page.more')).click();
  await named(page, 'menuitem', words(`domain.action.${action}`)).click();
  await page.getByRole('alertdialog').waitFor();
}

export const publishing: readonly Screen[] = [
  {
    name: 'domain, history',
    account: 'full',
    hash: domain('live', 'versions'),
    open: (page) => page.getByText('Scrapers').waitFor(),
  },
  {
    name: 'domain, two versions',
    account: 'full',
    hash: domain('live', 'versions'),
    async open(page, words) {
      await named(page, 'button', words('versions.compare')).last().click();
      await page.getByText(words('versions.back.body')).waitFor();
      await page.getByRole('dialog').getByRole('definition').first().waitFor();
    },
  },
  {
    name: 'domain, two versions as JSON',
    account: 'full',
    hash: domain('live', 'versions'),
    async open(page, words) {
      await named(page, 'button', words('versions.compare')).last().click();
      await page.getByRole('radio', { name: words('domain.changes.json') }).check({ force: true });
      await page.getByRole('region', { name: words('domain.changes.json') }).waitFor();
    },
  },
  {
    name: 'domain, protection paused',
    account: 'full',
    hash: domain('long', 'upstreams'),
    open: (page, words) =>
      page
        .getByRole('status')
        .filter({ hasText: words('pause.banner.title') })
        .waitFor(),
  },
  {
    name: 'pause?',
    account: 'full',
    hash: domain('live'),
    async open(page, words) {
      await named(page, 'button', words('domain.page.more')).click();
      await named(page, 'menuitem', words('domain.action.pause')).click();
      await page.getByRole('dialog').getByRole('radio').first().waitFor();
    },
  },
  {
    name: 'what a deploy changes',
    account: 'full',
    hash: domain('live', 'upstreams'),
    async open(page) {
      await page
        .locator('main header, main')
        .getByRole('button', { name: /^(Deploy|部署)/ })
        .first()
        .click();
      await page.getByRole('dialog').getByText('198.41.128.9').first().waitFor();
    },
  },
  {
    name: 'deactivate?',
    account: 'full',
    hash: domain('live'),
    open: (page, words) => askFor(page, words, 'deactivate'),
  },
  { name: 'delete?', account: 'full', hash: domain('long'), open: (page, words) => askFor(page, words, 'delete') },
  {
    name: 'resume?',
    account: 'full',
    hash: domain('paused'),
    async open(page, words) {
      await named(page, 'button', words('domain.action.resume')).first().click();
      await page.getByRole('alertdialog').waitFor();
    },
  },
];
