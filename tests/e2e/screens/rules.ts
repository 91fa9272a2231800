import { domain, filled, named, type Screen } from './screen.ts';

export const rules: readonly Screen[] = [
  {
    name: 'rules, empty',
    account: 'empty',
    hash: '#/domain/rules',
    open: (page, words) => page.getByText(words('rules.list.empty.title')).waitFor(),
  },
  {
    name: 'rules, full',
    account: 'full',
    hash: '#/domain/rules',
    open: (page) => page.getByRole('link', { name: 'Scrapers' }).waitFor(),
  },
  {
    name: 'template, new, with faults',
    account: 'full',
    hash: '#/domain/rules?new=true',
    async open(page, words) {
      await page.locator('textarea[name=description]').fill('Only this');
      await named(page, 'button', words('rules.editor.create')).click();
      await page.getByText(words('rules.editor.pluginsRequired')).waitFor();
    },
  },
  {
    name: 'template, new, choosing a setting',
    account: 'full',
    hash: '#/domain/rules?new=true',
    async open(page, words) {
      await named(page, 'button', words('rules.editor.addPlugin')).click();
      await page.getByRole('menuitem').nth(8).waitFor();
    },
  },
  {
    name: 'template with drift',
    account: 'full',
    hash: () => `#/domain/rules?rule=${filled.ruleId}`,
    async open(page, words) {
      await page.getByRole('article').waitFor();
      await page.getByText(words('rules.applied.state.drifted')).waitFor();
    },
  },
  {
    name: 'template, choosing domains',
    account: 'full',
    hash: () => `#/domain/rules?rule=${filled.ruleId}`,
    async open(page, words) {
      await named(page, 'button', words('rules.apply.button')).click();
      await page.getByRole('dialog').getByRole('checkbox').nth(2).check();
    },
  },
  {
    name: 'template, what changes where',
    account: 'full',
    hash: () => `#/domain/rules?rule=${filled.ruleId}`,
    async open(page, words) {
      await named(page, 'button', words('rules.apply.button')).click();
      await page.getByRole('dialog').getByText(words('apply.choose.filter')).click();
      await named(page, 'button', words('apply.continue')).click();
      await page.getByRole('dialog').locator('summary').nth(1).click();
      await page.getByRole('dialog').getByRole('heading', { level: 3 }).first().waitFor();
    },
  },
  {
    name: 'clone, with a fault',
    account: 'full',
    hash: domain('live'),
    async open(page, words) {
      await named(page, 'button', words('domain.page.more')).click();
      await named(page, 'menuitem', words('domain.action.clone')).click();
      const names = page.getByRole('dialog').getByRole('textbox').first();
      await names.fill('www.clone.example not_a_name');
      await names.press('Enter');
      await page.getByRole('dialog').getByText('not_a_name').first().waitFor();
    },
  },
  {
    name: 'two domains compared',
    account: 'full',
    hash: domain('live'),
    async open(page, words) {
      await named(page, 'button', words('domain.page.more')).click();
      await named(page, 'menuitem', words('domain.action.compare')).click();
      await page.getByRole('dialog').getByRole('list').getByRole('button').first().click();
      await page.getByRole('dialog').getByRole('heading', { level: 3 }).first().waitFor();
    },
  },
];
