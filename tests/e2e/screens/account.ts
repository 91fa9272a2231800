import { NAMES, named, type Screen } from './screen.ts';

export const account: readonly Screen[] = [
  {
    name: 'profile',
    account: 'full',
    hash: '#/user/info',
    open: (page, words) => named(page, 'button', words('accounts.profile.save')).waitFor(),
  },
  {
    name: 'audit log, full',
    account: 'full',
    hash: '#/user/info?tab=audit&perpage=50',
    open: (page) => page.getByText(NAMES.long).first().waitFor(),
  },
  {
    name: 'audit log, one line',
    account: 'full',
    hash: '#/user/info?tab=audit&action=route.update',
    async open(page, words) {
      await page.locator('[data-row]').first().getByRole('button').click();
      await page.getByRole('dialog').getByText(words('audit.detail.address')).waitFor();
    },
  },
  {
    name: 'audit log, nothing matches',
    account: 'empty',
    hash: '#/user/info?tab=audit&q=unknown&actor=operator&period=24h',
    open: (page, words) => page.getByText(words('audit.noMatches')).waitFor(),
  },
  {
    name: 'audit log, not loaded',
    account: 'full',
    hash: '#/user/info?tab=audit',
    complains: /500/,
    prepare: (page) =>
      page.route('**/api/v1/user/audit/**', (route) =>
        route.fulfill({ status: 500, json: { success: false, code: 'INTERNAL', request_id: 'r-1' } }),
      ),
    open: (page, words) => named(page, 'button', words('ui.retry')).waitFor(),
  },
];
