import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closePages, openVisitor, sharedBrowser } from '../support/browser.ts';
import { notice, signIn, tab } from '../support/console.ts';
import { type Customer, createCustomer } from '../support/customer.ts';
import type { Instance } from '../support/instance.ts';
import { startOrigin, type TestOrigin } from '../support/origin.ts';
import { sharedInstance } from '../support/shared-instance.ts';
import { until } from '../support/until.ts';

const REFUSED = '198.41.128.7';
const NAMES = ['first.shop.example', 'second.shop.example', 'third.shop.example'] as const;

let instance: Instance;
let browser: Browser;
let origin: TestOrigin;
let customer: Customer;
let page: Page;
const ids: Record<string, string> = {};

const deny = (...addresses: string[]) => ({
  name: 'ip-restriction',
  enabled: true,
  config: { allow: [], deny: addresses, whitelistMode: false, blacklistMode: true, allow_spiders: true },
});
const get = async (name: string) => (await customer.api.getRoute({ params: { id: ids[name] ?? '' } })).result;

beforeAll(async () => {
  origin = await startOrigin();
  [instance, browser] = await Promise.all([sharedInstance(), sharedBrowser()]);
  customer = await createCustomer(instance, 'templates@example.com', 'vip');
  for (const name of NAMES) {
    const { result } = await customer.api.createRoute({
      body: {
        cname: customer.subscriptionCname,
        domain_name: name,
        upstreams: { protocol: 'http', targets: [{ host: '127.0.0.1', port: origin.port }] },
        plugins: name === NAMES[0] ? [deny(REFUSED)] : [],
        deploy: true,
      },
    });
    ids[name] = result.id;
  }
  await until('the deploys are done', async () => {
    const { results } = await customer.api.listRoutes();
    return results.every(({ operation }) => operation?.state === 'successful');
  });
  page = (await openVisitor(browser)).page;
  await signIn(page, instance.origin, customer);
});
afterAll(async () => {
  await closePages(browser);
  await origin?.close();
});

const open = async (name: string, search = '') => {
  await page.goto(`${instance.origin}/#/domain/list/${ids[name]}${search}`);
  await page.getByRole('heading', { name, level: 1 }).waitFor();
};
const dialog = (name: string | RegExp): Locator => page.getByRole('dialog', { name });
const choose = (inside: Locator, name: string) => inside.getByRole('checkbox', { name: new RegExp(name) }).check();
const row = (name: string) => page.getByRole('row').filter({ hasText: name });

describe('a configuration template', () => {
  it('is made for domains that are selected in the list, which it does not lose', async () => {
    await page.goto(`${instance.origin}/#/domain/list`);
    for (const name of [NAMES[1], NAMES[2]]) await row(name).getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Apply template' }).click();
    await dialog('Apply a template').getByRole('link', { name: 'New template' }).click();
    await page.getByText('Create the template, then review what changes on the 2 selected domains.').waitFor();
    // Nor over a reload.
    await page.reload();
    await page.getByLabel(/^Name/).fill('For the selected');
    await page.getByRole('button', { name: 'Add setting' }).click();
    await page.getByRole('menuitem', { name: 'Request limit', exact: true }).click();
    await dialog(/Request limit/)
      .getByRole('button', { name: 'Add to template' })
      .click();
    await page.getByRole('button', { name: 'Create template' }).click();
    const apply = dialog('Apply “For the selected”');
    await apply.getByText('2 domains', { exact: true }).waitFor();
    for (const name of [NAMES[1], NAMES[2]]) await apply.getByText(name, { exact: true }).waitFor();
    await apply.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Apply to the 2 selected domains' }).waitFor();
    const [made] = (await customer.api.listRules()).results;
    await customer.api.deleteRule({ params: { id: made?.id ?? '' }, body: { cname: customer.subscriptionCname } });
  });

  it('is made from a domain', async () => {
    await open(NAMES[0]);
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Save as template' }).click();
    await page.getByRole('heading', { name: 'New template', level: 1 }).waitFor();
    await page.getByRole('article', { name: 'IP restriction' }).getByText('Blocks 1 IP or range').waitFor();
    await page.getByLabel(/^Name/).fill('Known scrapers');
    await page.getByRole('button', { name: 'Create template' }).click();
    await notice(page, 'Template saved').waitFor();
    const title = page.getByRole('heading', { name: 'Known scrapers', level: 1 });
    await title.waitFor();
    // The button that was pressed is gone.
    await until('the focus on the title', () => title.evaluate((element) => element === document.activeElement));
    await page.getByText('Not applied yet').waitFor();
  });

  it('is applied to two domains, after showing what changes on each', async () => {
    await page.getByRole('button', { name: 'Apply to domains' }).click();
    const apply = dialog('Apply “Known scrapers”');
    await choose(apply, NAMES[1]);
    await choose(apply, NAMES[2]);
    await apply.getByText(/2 domains chosen/).waitFor();
    await apply.getByRole('button', { name: 'Continue' }).click();
    await apply.getByText('2 domains', { exact: true }).waitFor();
    await until('what changes on both', async () => (await apply.getByText(REFUSED).count()) === 2);
    await apply.getByRole('button', { name: 'Apply and deploy' }).click();
    await apply.getByText('Successful', { exact: true }).waitFor();
    await apply.getByRole('button', { name: 'Close', exact: true }).last().click();
    for (const name of [NAMES[1], NAMES[2]]) {
      expect(await get(name)).toMatchObject({ version_live: 2, live: { plugins: [deny(REFUSED)] } });
      await row(name).getByText('Matches the template').waitFor();
    }
  });

  it('shows which domain drifted, and is applied to it again', async () => {
    const { draft_revision } = await get(NAMES[1]);
    await customer.api.updateRoute({
      params: { id: ids[NAMES[1]] ?? '' },
      ifMatch: draft_revision,
      body: { plugins: [deny('8.8.8.8')] },
    });
    await page.reload();
    await row(NAMES[1]).getByText('Changed on the domain').waitFor();
    await row(NAMES[1]).getByText('Changed since: IP restriction').waitFor();
    await row(NAMES[2]).getByText('Matches the template').waitFor();
    await page.getByText('1 of 2 differs from the template.').waitFor();
    await row(NAMES[1])
      .getByRole('button', { name: `Apply again to ${NAMES[1]}` })
      .click();
    const apply = dialog('Apply “Known scrapers”');
    await apply.getByText('8.8.8.8').waitFor();
    await apply.getByRole('button', { name: 'Apply as drafts' }).click();
    await apply.getByText('Successful', { exact: true }).waitFor();
    await apply.getByRole('button', { name: 'Close', exact: true }).last().click();
    await page.getByText('All 2 domains match the template.').waitFor();
  });

  it('is applied from the list, which has the focus afterwards', async () => {
    const { draft_revision } = await get(NAMES[2]);
    await customer.api.updateRoute({
      params: { id: ids[NAMES[2]] ?? '' },
      ifMatch: draft_revision,
      body: { plugins: [deny('8.8.4.4')] },
    });
    await page.goto(`${instance.origin}/#/domain/list`);
    await row(NAMES[2]).getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Apply template' }).click();
    await dialog('Apply a template')
      .getByRole('button', { name: /Known scrapers/ })
      .click();
    const apply = dialog('Apply “Known scrapers”');
    // What changes takes room above the buttons when it comes.
    await apply.getByText('8.8.4.4').waitFor();
    await apply.getByRole('button', { name: 'Apply as drafts' }).click();
    await apply.getByText('Successful', { exact: true }).waitFor();
    await apply.getByRole('button', { name: 'Close', exact: true }).last().press('Enter');
    await apply.waitFor({ state: 'detached' });
    const title = page.getByRole('heading', { name: 'Domains', level: 1 });
    await until('the focus on the title', () => title.evaluate((element) => element === document.activeElement));
    await page.goBack();
    await page.getByRole('heading', { name: 'Known scrapers', level: 1 }).waitFor();
  });

  it('is deleted; the domains keep what they have', async () => {
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Delete template' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete template' }).click();
    await notice(page, '“Known scrapers” is deleted').waitFor();
    await page.getByText('One template, many domains').waitFor();
    expect((await get(NAMES[2])).draft.plugins).toEqual([deny(REFUSED)]);
  });
});

describe('one domain’s settings for others', () => {
  it('are copied from the card of a plugin', async () => {
    await open(NAMES[0], '?tab=access');
    await tab(page, 'Access').waitFor();
    const { draft_revision } = await get(NAMES[0]);
    await customer.api.updateRoute({
      params: { id: ids[NAMES[0]] ?? '' },
      ifMatch: draft_revision,
      body: { plugins: [deny('1.1.1.1')] },
    });
    await page.reload();
    await page.getByRole('button', { name: 'Copy to other domains: “IP restriction”' }).click();
    const copy = dialog(`Copy “IP restriction” of ${NAMES[0]}`);
    await copy.getByText('All that match').click();
    await copy.getByRole('button', { name: 'Continue' }).click();
    await copy.getByText('2 domains', { exact: true }).waitFor();
    await copy.getByRole('button', { name: 'Apply as drafts' }).click();
    await copy.getByText('Successful', { exact: true }).waitFor();
    await copy.getByRole('button', { name: 'Close', exact: true }).last().click();
    for (const name of [NAMES[1], NAMES[2]]) expect((await get(name)).draft.plugins).toEqual([deny('1.1.1.1')]);
  });

  it('are compared with another’s', async () => {
    const { draft_revision } = await get(NAMES[1]);
    await customer.api.updateRoute({
      params: { id: ids[NAMES[1]] ?? '' },
      ifMatch: draft_revision,
      body: { plugins: [deny('1.1.1.1', '9.9.9.9')] },
    });
    await open(NAMES[0]);
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Compare with another domain' }).click();
    const compare = dialog('Compare two domains');
    await compare.getByRole('button', { name: NAMES[1] }).click();
    await compare.getByRole('heading', { name: 'IP restriction' }).waitFor();
    await compare.getByText('9.9.9.9').waitFor();
    expect(await compare.getByText('1.1.1.1').count()).toBe(0);
    await compare.getByText('Live versions').click();
    await compare.getByText('No differences.').waitFor();
    await page.keyboard.press('Escape');
  });

  it('are cloned to a new name, and go live with it', async () => {
    await page.goto(`${instance.origin}/#/domain/list`);
    await page.getByRole('button', { name: `Actions for ${NAMES[0]}` }).click();
    await page.getByRole('menuitem', { name: 'Clone' }).click();
    const clone = dialog(`Clone ${NAMES[0]}`);
    const names = clone.getByRole('textbox', { name: /Names of the new domains/ });
    await names.fill('fourth.shop.example not_a_name');
    await names.press('Enter');
    await clone.getByRole('button', { name: 'Clone and deploy' }).click();
    await clone.getByRole('button', { name: 'Remove not_a_name' }).click();
    await clone.getByRole('button', { name: 'Clone and deploy' }).click();
    await clone.getByRole('link', { name: 'fourth.shop.example', exact: true }).click();
    await page.getByRole('heading', { name: 'fourth.shop.example', level: 1 }).waitFor();
    await page.getByText('v1 live').waitFor();
    const { results } = await customer.api.listRoutes({ query: { domain_name: 'fourth.shop.example' } });
    ids.fourth = results[0]?.id ?? '';
    expect((await get('fourth')).live).toEqual((await get(NAMES[0])).draft);
  });
});
