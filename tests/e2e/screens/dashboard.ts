import { NAMES, type Screen } from './screen.ts';

export const dashboard: readonly Screen[] = [
  {
    name: 'dashboard, empty',
    account: 'empty',
    hash: '#/dashboard',
    open: (page, words) => page.getByLabel(words('overview.steps.label')).waitFor(),
  },
  {
    name: 'dashboard, full',
    account: 'full',
    hash: '#/dashboard?range=1h',
    async open(page, words) {
      await page
        .getByRole('list', { name: words('traffic.domains.title') })
        .getByText(NAMES.live)
        .waitFor();
      await page.locator('.uplot').first().waitFor();
    },
  },
  {
    name: 'dashboard, choosing a domain',
    account: 'full',
    hash: '#/dashboard?range=1h',
    async open(page, words) {
      await page.getByRole('combobox', { name: words('traffic.filter.label') }).click();
      await page.getByRole('option').first().waitFor();
    },
  },
  {
    name: 'dashboard, the domains behind a country',
    account: 'full',
    hash: '#/dashboard?range=1h&country=',
    open: (page, words) =>
      page
        .getByRole('dialog')
        .getByRole('list', { name: words('traffic.top.title') })
        .getByText(NAMES.live)
        .waitFor(),
  },
  {
    name: 'dashboard, the domains behind a class of status',
    account: 'full',
    hash: '#/dashboard?range=1h&status=2xx',
    open: (page, words) => page.getByRole('dialog', { name: words('traffic.status.2xx') }).waitFor(),
  },
];
