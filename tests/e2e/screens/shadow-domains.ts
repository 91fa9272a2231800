import { domain, NAMES, named, type Screen } from './screen.ts';

export const shadowDomains: readonly Screen[] = [
  {
    name: 'domain, shadow domains',
    account: 'full',
    hash: domain('live', 'aliases'),
    open: (page) => page.getByText(NAMES.alias).first().waitFor(),
  },
  {
    name: 'domain, shadow domains, DNS record of one',
    account: 'full',
    hash: domain('live', 'aliases'),
    async open(page) {
      await page.getByText(NAMES.alias).first().click();
      await page.getByRole('dialog').getByRole('definition').first().waitFor();
    },
  },
  {
    name: 'domain, shadow domains, faults',
    account: 'full',
    hash: domain('live', 'aliases'),
    async open(page, words) {
      await named(page, 'button', words('aliases.addButton')).click();
      await page.getByRole('dialog').getByRole('textbox').fill(`${NAMES.live}, ${NAMES.long}\nhttps://x.example/`);
      await page.getByRole('dialog').locator('button[type=submit]').click();
      await page.getByRole('dialog').getByRole('alert').first().waitFor();
    },
  },
  {
    name: 'domain, shadow domains before a deploy',
    account: 'full',
    hash: domain('draft', 'aliases'),
    open: (page, words) => page.getByText(words('aliases.notDeployed.title')).waitFor(),
  },
];
