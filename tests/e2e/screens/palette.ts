import { domain, NAMES, type Screen } from './screen.ts';

export const palette: readonly Screen[] = [
  {
    name: 'command palette',
    account: 'full',
    hash: domain('live'),
    async open(page) {
      await page.getByRole('heading', { level: 1, name: NAMES.live }).waitFor();
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox').fill('shop');
      await page.getByRole('option').filter({ hasText: 'shop-1.example' }).waitFor();
    },
  },
  {
    name: 'command palette, a choice without match',
    account: 'full',
    hash: '#/domain/list',
    async open(page, words) {
      await page.getByRole('link', { name: NAMES.long }).waitFor();
      await page.keyboard.press('Control+k');
      await page
        .getByRole('option')
        .filter({ hasText: words('commands.choose.deactivate') })
        .click();
      await page.getByRole('combobox').fill('nothing-like-it');
      await page.getByText(words('palette.nothing')).waitFor();
    },
  },
  {
    name: 'keyboard shortcuts',
    account: 'full',
    hash: '#/domain/list',
    async open(page, words) {
      await page.getByRole('link', { name: NAMES.long }).waitFor();
      await page.keyboard.press('?');
      await page.getByRole('dialog', { name: words('palette.shortcutsDialog.title') }).waitFor();
    },
  },
];
