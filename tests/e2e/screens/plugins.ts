import { domain, named, type Screen } from './screen.ts';

export const plugins: readonly Screen[] = [
  {
    name: 'domain, access',
    account: 'full',
    hash: domain('live', 'access'),
    open: (page, words) => named(page, 'button', words('domain.plugin.edit')).waitFor(),
  },
  {
    name: 'plugin sheet with faults and notices',
    account: 'full',
    hash: domain('live', 'access'),
    async open(page, words) {
      await named(page, 'button', words('domain.plugin.edit')).click();
      const list = page.getByRole('dialog').getByRole('textbox').last();
      await list.fill('300.1.1.1 198.41.128.0/24');
      await list.press('Enter');
      await named(page, 'button', words('domain.save.draft')).click();
      await page.getByRole('dialog').getByRole('alert').first().waitFor({ state: 'attached' });
    },
  },
];
