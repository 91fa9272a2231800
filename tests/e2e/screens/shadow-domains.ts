import { domain, NAMES, named, type Screen } from './screen.ts';

export const shadowDomains: readonly Screen[] = [
  {
    name: 'domain, shadow domains',
    account: 'full',
    hash: domain('live', 'shadow-domains'),
    open: (page) => page.getByText(NAMES.shadow).first().waitFor(),
  },
  {
    name: 'domain, shadow domains, DNS record of one',
    account: 'full',
    hash: domain('live', 'shadow-domains'),
    async open(page) {
      await page.getByText(NAMES.shadow).first().click();
      await page.getByRole('dialog').getByRole('definition').first().waitFor();
    },
  },
  {
    name: 'domain, shadow domains, faults',
    account: 'full',
    hash: domain('live', 'shadow-domains'),
    async open(page, words) {
      await named(page, 'button', words('shadow-domains.addButton')).click();
      await page.getByRole('dialog').getByRole('textbox').fill(`${NAMES.live}, ${NAMES.long}\nhttps://x.example/`);
      await page.getByRole('dialog').locator('button[type=submit]').click();
      await page.getByRole('dialog').getByRole('alert').first().waitFor();
    },
  },
  {
    name: 'domain, shadow domains before a deploy',
    account: 'full',
    hash: domain('draft', 'shadow-domains'),
    open: (page, words) => page.getByText(words('shadow-domains.notDeployed.title')).waitFor(),
  },
];
