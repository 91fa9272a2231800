import { domain, filled, named, ofCard, type Screen } from './screen.ts';

export const bans: readonly Screen[] = [
  {
    name: 'bans, empty',
    account: 'empty',
    hash: '#/manage-ip',
    open: (page, words) => page.getByText(words('bans.empty.title')).waitFor(),
  },
  {
    name: 'bans, full',
    account: 'full',
    hash: '#/manage-ip',
    open: (page) => page.getByText('2606:4700:1234:5678:9abc:def0:1234:5678').waitFor(),
  },
  {
    name: 'bans, two selected, of one domain',
    account: 'full',
    hash: () => `#/manage-ip?domain=${filled.ids.live}`,
    async open(page, words) {
      const boxes = page.locator('[data-row] input[type=checkbox]');
      await boxes.nth(1).waitFor();
      await boxes.nth(0).check();
      await boxes.nth(1).check();
      await page.getByRole('button', { name: words('bans.add.button') }).waitFor();
    },
  },
  {
    name: 'bans, not loaded',
    account: 'full',
    hash: '#/manage-ip',
    complains: /500/,
    prepare: (page) =>
      page.route('**/api/v1/domain/bans/**', (route) =>
        route.fulfill({ status: 500, json: { success: false, code: 'INTERNAL', request_id: 'r-1' } }),
      ),
    open: (page, words) => named(page, 'button', words('ui.retry')).waitFor(),
  },
  {
    name: 'addresses to ban, with faults',
    account: 'full',
    hash: '#/manage-ip?add=true',
    async open(page, words) {
      const dialog = page.getByRole('dialog');
      const list = dialog.getByRole('textbox').first();
      await list.fill('198.41.130.0/24 198.41.130.7 300.1.1.1 2606:4700:1234:5678:9abc:def0:1234:5679');
      await list.press('Enter');
      await dialog.getByRole('radio').nth(1).check({ force: true });
      await dialog.getByRole('radio').last().check({ force: true });
      await dialog.getByRole('spinbutton').fill('0');
      await dialog.locator('button[type=submit]').click();
      await dialog.getByText(words('bans.add.lengthBounds')).waitFor();
    },
  },
  {
    name: 'allow list, empty',
    account: 'empty',
    hash: '#/manage-ip?tab=allowed',
    async open(page, words) {
      await page.getByText(words('bans.allowList.empty.title')).waitFor();
    },
  },
  {
    name: 'edge IPs',
    account: 'empty',
    hash: '#/manage-ip?tab=edge',
    open: (page) => page.locator('figure pre').waitFor(),
  },
  {
    name: 'allow list, one selected',
    account: 'full',
    hash: '#/manage-ip?tab=allowed',
    async open(page, words) {
      const boxes = page.locator('[data-row] input[type=checkbox]');
      await boxes.nth(0).check();
      await named(page, 'button', words('bans.allowList.removeAll.button', { number: '2' })).waitFor();
    },
  },
  {
    name: 'allow list, all to be removed',
    account: 'full',
    hash: '#/manage-ip?tab=allowed',
    async open(page, words) {
      await page.locator('[data-row] input[type=checkbox]').nth(0).check();
      await named(page, 'button', words('bans.allowList.removeAll.button', { number: '2' })).click();
      await page.getByRole('alertdialog').getByText(words('bans.allowList.removeAll.all')).waitFor();
    },
  },
  {
    name: 'allow list, not loaded',
    account: 'full',
    hash: '#/manage-ip?tab=allowed',
    complains: /500/,
    prepare: (page) =>
      page.route('**/api/v1/domain/whitelist/**', (route) =>
        route.fulfill({ status: 500, json: { success: false, code: 'INTERNAL', request_id: 'r-1' } }),
      ),
    open: (page, words) => named(page, 'button', words('ui.retry')).waitFor(),
  },
  {
    name: 'addresses for the allow list, with faults',
    account: 'full',
    hash: '#/manage-ip?tab=allowed&add=true',
    async open(page, words) {
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('textbox').first().fill('198.41.130.0/24\n300.1.1.1\n0.0.0.0/0');
      await dialog.getByRole('radio').last().check({ force: true });
      await dialog.getByRole('spinbutton').fill('0');
      await dialog.locator('button[type=submit]').click();
      await dialog.getByText(words('bans.allowList.add.lengthBounds')).waitFor();
    },
  },
  {
    name: 'domain, protection',
    account: 'full',
    hash: domain('live', 'protection'),
    open: (page, words) => page.getByText(words('domain.plugin.byDefault')).first().waitFor(),
  },
  {
    name: 'what a level of protection would change',
    account: 'full',
    hash: domain('live', 'protection'),
    async open(page, words) {
      const level = page.getByRole('region', { name: words('domain.level.title') });
      await level.getByRole('button').last().click();
      await page.getByRole('dialog').getByRole('status').first().waitFor();
    },
  },
  {
    name: 'form of a limit, with faults',
    account: 'full',
    hash: domain('live', 'protection'),
    async open(page, words) {
      // After custom rules.
      await ofCard(page, words('domain.plugin.setUp')).nth(1).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('textbox').first().fill('^/(login');
      await dialog.getByRole('spinbutton').nth(2).fill('99');
      await named(page, 'button', words('domain.save.draft')).click();
      await dialog.locator('[aria-invalid=true]').first().waitFor();
    },
  },
];
