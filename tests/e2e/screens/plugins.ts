import { domain, named, ofCard, type Screen } from './screen.ts';

export const plugins: readonly Screen[] = [
  {
    name: 'domain, access',
    account: 'full',
    hash: domain('live', 'access'),
    open: (page, words) => ofCard(page, words('domain.plugin.edit')).waitFor(),
  },
  {
    name: 'plugin sheet with faults and notices',
    account: 'full',
    hash: domain('live', 'access'),
    async open(page, words) {
      await ofCard(page, words('domain.plugin.edit')).click();
      const list = page.getByRole('dialog').getByRole('textbox').last();
      await list.fill('300.1.1.1 198.41.128.0/24');
      await list.press('Enter');
      await named(page, 'button', words('domain.save.draft')).click();
      await page.getByRole('dialog').locator('[aria-invalid=true]').first().waitFor();
    },
  },
  {
    name: 'countries, one chosen and more to choose from',
    account: 'full',
    hash: domain('live', 'access'),
    async open(page, words) {
      await ofCard(page, words('domain.plugin.setUp')).first().click();
      const countries = page.getByRole('dialog').locator('input[role=combobox]');
      await countries.fill('DE');
      await page.getByRole('option').first().click();
      await countries.fill('B');
      await page.getByRole('option').nth(3).waitFor();
    },
  },
  {
    name: 'a new secret, and samples of programs',
    account: 'full',
    hash: domain('live', 'access'),
    async open(page, words) {
      await ofCard(page, words('domain.plugin.setUp')).nth(1).click();
      await named(page, 'button', words('domain.plugin.secret.generate')).click();
      await page.getByRole('dialog').locator('pre').waitFor();
    },
  },
  {
    name: 'domain, headers',
    account: 'full',
    hash: domain('live', 'headers'),
    open: (page) => page.getByRole('article').nth(1).waitFor(),
  },
  {
    name: 'a header that was suggested',
    account: 'full',
    hash: domain('live', 'headers'),
    async open(page, words) {
      await page.getByRole('main').getByText(words('domain.plugin.overview.add'), { exact: true }).last().click();
      await page.getByRole('dialog').locator('[aria-disabled=true]').waitFor();
    },
  },
  {
    name: 'domain, error pages',
    account: 'full',
    hash: domain('live', 'error-pages'),
    open: (page) => page.getByRole('main').getByRole('row').nth(6).waitFor(),
  },
  {
    name: 'headers with faults',
    account: 'full',
    hash: domain('live', 'headers'),
    async open(page, words) {
      await ofCard(page, words('domain.plugin.setUp')).first().click();
      const cells = page.getByRole('dialog').getByRole('textbox');
      await cells.first().fill('X Wrong');
      await named(page, 'button', words('domain.rows.add')).click();
      await cells.nth(2).fill('Host');
      await named(page, 'button', words('domain.save.draft')).click();
      await page.getByRole('dialog').locator('[aria-invalid=true]').nth(2).waitFor();
    },
  },
  {
    name: 'error pages with a fault',
    account: 'full',
    hash: domain('live', 'error-pages'),
    async open(page, words) {
      await ofCard(page, words('domain.plugin.setUp')).click();
      await page.getByRole('dialog').getByRole('textbox').first().fill('pages.example/401');
      await named(page, 'button', words('domain.save.draft')).click();
      await page.getByRole('dialog').locator('[aria-invalid=true]').first().waitFor();
    },
  },
];
