import { domain, named, type Screen } from './screen.ts';

export const domainPage: readonly Screen[] = [
  {
    name: 'domain, remarks',
    account: 'full',
    hash: domain('live'),
    async open(page, words) {
      await named(page, 'button', words('domain.page.remarks.add')).click();
      await page
        .getByRole('textbox', { name: words('domain.page.remarks.label') })
        .fill('The shop of the north '.repeat(12));
    },
  },
  {
    name: 'domain, live',
    account: 'full',
    hash: domain('live'),
    async open(page) {
      await page.getByText('/path/0').first().waitFor();
    },
  },
  {
    name: 'domain, waiting for DNS, with a long name',
    account: 'full',
    hash: domain('long'),
    async open(page, words) {
      await page.locator('summary').first().click();
      await named(page, 'button', words('domain.preview.create')).click();
      await page.getByRole('figure').first().waitFor();
    },
  },
  {
    name: 'domain, never deployed',
    account: 'full',
    hash: domain('draft'),
    open: (page) => page.locator('[data-health=off]').waitFor(),
  },
  {
    name: 'domain, gone',
    account: 'full',
    hash: '#/domain/list/00000000-0000-4000-8000-000000000000',
    complains: /status of 404/,
    open: (page, words) => page.getByText(words('domain.page.goneBody')).waitFor(),
  },
];
