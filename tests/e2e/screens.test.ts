import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser, newContext, openPage, openVisitor, type Visitor } from '../support/browser.ts';
import { signIn } from '../support/console.ts';
import { type Customer, createCustomer, deployDomain } from '../support/customer.ts';
import { edgeRequest } from '../support/edge-request.ts';
import { Instance } from '../support/instance.ts';
import { startOrigin, type TestOrigin } from '../support/origin.ts';
import { until } from '../support/until.ts';

/** A directory to keep a picture of every screen in; none are taken without it. */
const PICTURES = process.env.CORDON_SCREENSHOTS;
/** Several are looked at side by side. */
const SCREEN_MS_MAX = 120_000;
const LOCALES = ['en', 'zh'] as const;
const NAMES = {
  live: 'www.live.example',
  long: 'a-rather-long-label-that-somebody-chose-for-their-shop.deep.below.another-label.example',
  alias: 'a-rather-long-alias-of-the-shop.that-nobody-would-ever-type.in-one-go.example',
} as const;

let instance: Instance;
let browser: Browser;
let origin: TestOrigin;
const states: Partial<Record<'empty' | 'full', Awaited<ReturnType<typeof stateOf>>>> = {};
const ids: Record<Exclude<keyof typeof NAMES, 'alias'> | 'draft' | 'paused', string> = {
  live: '',
  long: '',
  draft: '',
  paused: '',
};

async function stateOf(customer: Customer) {
  const { page } = await openVisitor(browser);
  await signIn(page, instance.origin, customer);
  const state = await page.context().storageState();
  await page.context().close();
  return state;
}

let ruleId = '';
/** A template that was applied to two domains, of which one has drifted, and one that fits no domain. */
async function fillTemplates(customer: Customer): Promise<void> {
  const restriction = { allow: [], deny: ['198.41.128.7'], whitelistMode: false, blacklistMode: true };
  const plugins = [{ name: 'ip-restriction', enabled: true, config: restriction }];
  const cname = customer.subscriptionCname;
  const description = 'Addresses that copy our shops; reviewed by the security team every month';
  const { result } = await customer.api.createRule({ body: { cname, name: 'Scrapers', description, plugins } });
  ruleId = result.id;
  const applied = await customer.api.applyRule({
    params: { id: ruleId },
    ifMatch: 1,
    body: { selection: { names: [NAMES.long, 'shop-1.example'] } },
  });
  await until('the template is applied', async () => {
    const { result: batch } = await customer.api.getBatch({ params: { id: applied.result.id } });
    return batch.state !== 'running';
  });
  const drifted = (await customer.api.getRoute({ params: { id: ids.long } })).result;
  await customer.api.updateRoute({
    params: { id: ids.long },
    ifMatch: drifted.draft_revision,
    body: { plugins: [{ name: 'ip-restriction', enabled: false, config: restriction }] },
  });
}

async function fill(customer: Customer): Promise<void> {
  const upstreams = { protocol: 'http' as const, targets: [{ host: '127.0.0.1', port: origin.port }] };
  const add = async (domain_name: string, deploy: boolean) =>
    (
      await customer.api.createRoute({
        body: { cname: customer.subscriptionCname, domain_name, upstreams, deploy },
      })
    ).result;
  const live = await deployDomain(instance, customer, NAMES.live, origin.port);
  ids.live = live.id;
  const restriction = { allow: [], deny: ['198.41.128.7', '10.0.0.0/8'], whitelistMode: false, blacklistMode: true };
  await customer.api.updateRoute({
    params: { id: live.id },
    ifMatch: live.draft_revision,
    body: { plugins: [{ name: 'ip-restriction', enabled: true, config: restriction }], deploy: true, note: 'Scrapers' },
  });
  ids.long = (await add(NAMES.long, true)).id;
  ids.draft = (await add('bücher.example', false)).id;
  const paused = await add('www.paused.example', true);
  ids.paused = paused.id;
  for (let count = 1; count <= 9; count++) await add(`shop-${count}.example`, count % 2 === 0);
  await until('the deploys are done', async () => {
    const { results } = await customer.api.listRoutes({ query: { perpage: 100 } });
    return results.every(({ operation }) => operation?.state !== 'running');
  });
  await customer.api.deactivateRoute({ params: { id: paused.id } });
  await customer.api.addShadowDomains({ params: { id: live.id }, body: { names: [NAMES.alias, 'live.example'] } });
  await customer.api.pauseRoute({ params: { id: ids.long }, body: { minutes: 60 } });
  const latest = (await customer.api.getRoute({ params: { id: live.id } })).result;
  await customer.api.updateRoute({
    params: { id: live.id },
    ifMatch: latest.draft_revision,
    body: {
      upstreams: {
        protocol: 'http',
        targets: [
          { host: '127.0.0.1', port: origin.port, weight: 3 },
          { host: '198.41.128.9', port: null, weight: 1 },
        ],
      },
    },
  });
  await fillTemplates(customer);
  for (const [index, address] of ['1.1.1.1', '8.8.8.8', '198.41.128.7', '2606:4700::1111'].entries()) {
    for (let count = 0; count <= index; count++)
      await edgeRequest(instance.ports.edgeHttp, NAMES.live, `/path/${count}?with=a-query&and=more`, {
        'x-forwarded-for': address,
      });
  }
}

beforeAll(async () => {
  origin = await startOrigin();
  [instance, browser] = await Promise.all([
    Instance.start({
      environment: { CORDON_UPSTREAM_ALLOW: `127.0.0.1:${origin.port}`, CORDON_TRUSTED_PROXIES: '127.0.0.1' },
    }),
    launchBrowser(),
  ]);
  const [empty, full] = await Promise.all([
    createCustomer(instance, 'empty@example.com'),
    createCustomer(instance, 'full@example.com', 'vip'),
  ]);
  await fill(full);
  [states.empty, states.full] = await Promise.all([stateOf(empty), stateOf(full)]);
});
afterAll(async () => {
  await browser?.close();
  await instance?.stop();
  await origin?.close();
});

type Words = (path: string, values?: Record<string, string>) => string;
const files: Record<string, (locale: string) => string> = {
  domains: (locale) => `src/domain/locales/${locale}.json`,
  apply: (locale) => `src/features/rules/apply/locales/${locale}.json`,
  diagnose: (locale) => `src/features/diagnosis/locales/${locale}.json`,
  find: (locale) => `src/features/names/find/locales/${locale}.json`,
  groups: (locale) => `src/features/groups/locales/${locale}.json`,
  bulk: (locale) => `src/features/domains/bulk/locales/${locale}.json`,
  batches: (locale) => `src/domain/batches/locales/${locale}.json`,
  copies: (locale) => `src/features/rules/copies/locales/${locale}.json`,
  templates: (locale) => `src/features/rules/locales/${locale}.json`,
  aliases: (locale) => `src/features/names/shadow-domains/locales/${locale}.json`,
  pause: (locale) => `src/features/publishing/pause/locales/${locale}.json`,
  commands: (locale) => `src/features/domains/commands/locales/${locale}.json`,
  import: (locale) => `src/features/imports/locales/${locale}.json`,
  history: (locale) => `src/features/publishing/versions/locales/${locale}.json`,
  origin: (locale) => `src/features/origins/locales/${locale}.json`,
  upstreams: (locale) => `src/domain/upstreams/locales/${locale}.json`,
  identity: (locale) => `src/features/identity/locales/${locale}.json`,
};

/** The catalogs' words; plurals are not read. */
function wordsOf(locale: string): Words {
  return (path, values = {}) => {
    const [catalog = '', ...keys] = path.split('.');
    const file = files[catalog]?.(locale) ?? `src/locales/${locale}/${catalog}.json`;
    const root = JSON.parse(readFileSync(join(import.meta.dirname, '../../apps/console', file), 'utf8'));
    const text: unknown = keys.reduce((node, key) => node?.[key], root);
    if (typeof text !== 'string') throw new Error(`${file} has no ${keys.join('.')}`);
    return Object.entries(values).reduce((filled, [key, value]) => filled.replaceAll(`{${key}}`, value), text);
  };
}

interface Screen {
  readonly name: string;
  readonly account?: 'empty' | 'full';
  readonly hash: string | (() => string);
  /** What browsers complain about by themselves here: a request that this screen makes fail. */
  readonly complains?: RegExp;
  readonly prepare?: (page: Page) => Promise<unknown>;
  /** Until what is meant is on the screen. */
  readonly open: (page: Page, words: Words) => Promise<unknown>;
}

const named = (page: Page | Locator, role: 'button' | 'menuitem' | 'tab' | 'dialog' | 'alertdialog', name: string) =>
  page.getByRole(role, { name, exact: true });
const title = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 }).waitFor();
const domain = (key: keyof typeof ids, tab?: string) => () =>
  `#/domain/list/${ids[key]}${tab === undefined ? '' : `?tab=${tab}`}`;

async function askFor(page: Page, words: Words, action: 'deactivate' | 'delete'): Promise<void> {
  await named(page, 'button', words('domains.page.more')).click();
  await named(page, 'menuitem', words(`domains.action.${action}`)).click();
  await page.getByRole('alertdialog').waitFor();
}

async function wizard(page: Page, words: Words, steps: 1 | 2 | 3): Promise<void> {
  const next = () => named(page, 'button', words('domains.add.continue')).click();
  await page.locator('input[name=domain_name]').fill(steps === 1 ? 'not a name' : 'www.new.example');
  await next();
  if (steps === 1) return void (await page.locator('input[name=domain_name][aria-invalid=true]').waitFor());
  await page.locator('input[name="upstreams.targets.0.host"]').fill(steps === 2 ? '10.0.0.1' : '198.41.128.10');
  if (steps === 3) {
    await next();
    return page.getByText(words('domains.add.review.next.title')).waitFor();
  }
  await named(page, 'button', words('domains.upstreams.detect')).click();
  await page.getByText(words('errors.fields.UPSTREAM_FORBIDDEN')).first().waitFor();
}

const chooseFile = (page: Page, text: string) =>
  page
    .locator('input[type=file]')
    .setInputFiles({ name: 'domains.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });

/** A batch over the list, as the API would tell of it: a real one ends before anybody has looked. */
async function showBatch(page: Page, state: 'running' | 'failed'): Promise<void> {
  const id = '00000000-0000-4000-8000-00000000000b';
  const at = '2026-11-20T10:00:00Z';
  const counts =
    state === 'running' ? { total: 1000, succeeded: 412, failed: 1 } : { total: 12, succeeded: 11, failed: 1 };
  const ended = { created_by: 'full@example.com', created_at: at, finished_at: state === 'running' ? null : at };
  const batch = { id, kind: 'deploy', state, ...counts, ...ended };
  const error = { code: 'QUOTA_REACHED', message: 'No', fields: {}, params: {} };
  const item = { position: 3, route_id: ids.long, name: NAMES.long, state: 'failed', error };
  const items = [{ ...item, operation_id: null, result: null }];
  const listOf = (results: unknown[]) => ({ success: true, results, count: results.length, page: 1, perpage: 20 });
  // Kept from an earlier visit, so that it is there once it has ended, too.
  await page.addInitScript((kept) => window.sessionStorage.setItem('domains.batches', JSON.stringify([kept])), id);
  await page.route(/\/api\/v1\/domain\/batches\//, (route) => {
    const { pathname } = new URL(route.request().url());
    if (pathname.endsWith('/items/')) return route.fulfill({ json: listOf(items) });
    if (pathname.endsWith(`/${id}/`)) return route.fulfill({ json: { success: true, result: batch } });
    return route.fulfill({ json: listOf(state === 'running' ? [batch] : []) });
  });
}
/** The bar over the list, with everything on the page in it. */
async function selectAll(page: Page, words: Words): Promise<void> {
  await page.locator('[data-row]').first().waitFor();
  await page.getByRole('checkbox', { name: words('ui.table.selectAll') }).check();
  await named(page, 'button', words('bulk.move')).waitFor();
}

const screens: readonly Screen[] = [
  { name: 'sign-in', hash: '', open: (page) => page.locator('input[name=password]').waitFor() },
  {
    name: 'sign-in, refused',
    hash: '',
    complains: /status of 4\d\d/,
    async open(page, words) {
      await page.locator('input[name=email]').fill('nobody@example.com');
      await page.locator('input[name=password]').fill('not-a-password');
      await page.locator('input[name=password]').press('Enter');
      await page.getByText(words('identity.errors.CREDENTIALS_WRONG')).waitFor();
    },
  },
  {
    name: 'register',
    hash: '',
    async open(page, words) {
      await page.locator('a[href*="/pages/register"]').click();
      await named(page, 'button', words('identity.register.submit')).click();
      await page.getByText(words('identity.errors.TERMS_REQUIRED')).waitFor();
    },
  },
  {
    name: 'domains, empty',
    account: 'empty',
    hash: '#/domain/list',
    open: (page, words) => page.getByText(words('domains.list.empty.title')).waitFor(),
  },
  {
    name: 'domains, full',
    account: 'full',
    hash: '#/domain/list',
    open: (page) => page.getByRole('link', { name: NAMES.long }).waitFor(),
  },
  {
    name: 'domains, no match',
    account: 'full',
    hash: '#/domain/list?q=nothing-like-it',
    open: (page, words) => page.getByText(words('ui.table.noMatches')).waitFor(),
  },
  {
    name: 'domains, selected',
    account: 'full',
    hash: '#/domain/list',
    open: selectAll,
  },
  {
    name: 'domains, selected, while a batch runs',
    account: 'full',
    hash: '#/domain/list',
    prepare: (page) => showBatch(page, 'running'),
    async open(page, words) {
      await selectAll(page, words);
      await page.getByText(words('batches.failures')).waitFor();
    },
  },
  {
    name: 'domains, selected, after a batch that failed in part',
    account: 'full',
    hash: '#/domain/list',
    prepare: (page) => showBatch(page, 'failed'),
    async open(page, words) {
      await selectAll(page, words);
      await page.getByText(words('batches.failures')).waitFor();
    },
  },
  {
    name: 'domains, deploy all that are selected?',
    account: 'full',
    hash: '#/domain/list',
    async open(page, words) {
      await selectAll(page, words);
      await named(page, 'button', words('bulk.deploy')).click();
      await page.getByRole('alertdialog').waitFor();
    },
  },
  {
    name: 'groups',
    account: 'full',
    hash: '#/domain/list',
    complains: /status of 4\d\d/,
    async open(page, words) {
      await page.getByRole('link', { name: NAMES.long }).waitFor();
      await named(page, 'button', words('domains.list.more')).click();
      await named(page, 'menuitem', words('domains.list.groups')).click();
      const dialog = named(page, 'dialog', words('groups.manage'));
      await dialog.getByLabel(words('groups.newName')).fill('Default');
      await named(dialog, 'button', words('groups.add')).click();
      await dialog.locator('[aria-invalid=true]').waitFor();
    },
  },
  {
    name: 'domain, remarks',
    account: 'full',
    hash: domain('live'),
    async open(page, words) {
      await named(page, 'button', words('domains.page.remarks.add')).click();
      await page
        .getByRole('textbox', { name: words('domains.page.remarks.label') })
        .fill('The shop of the north '.repeat(12));
    },
  },
  {
    name: 'domains, failing',
    account: 'full',
    hash: '#/domain/list',
    complains: /ERR_FAILED/,
    prepare: (page) => page.route(/\/api\/v1\/domain\/routes\/\?/, (route) => route.abort()),
    open: (page, words) => named(page, 'button', words('ui.retry')).waitFor({ timeout: 30_000 }),
  },
  {
    name: 'add wizard, name',
    account: 'full',
    hash: '#/domain/list?add=true',
    open: (page, words) => wizard(page, words, 1),
  },
  {
    name: 'add wizard, traffic',
    account: 'full',
    hash: '#/domain/list?add=true',
    open: (page, words) => wizard(page, words, 2),
  },
  {
    name: 'add wizard, review',
    account: 'full',
    hash: '#/domain/list?add=true',
    open: (page, words) => wizard(page, words, 3),
  },
  {
    name: 'domain, live',
    account: 'full',
    hash: domain('live'),
    async open(page, words) {
      await page.getByText(words('domains.dns.badge.verified')).waitFor();
      await page.getByText('/path/0').first().waitFor();
    },
  },
  {
    name: 'domain, waiting for DNS, with a long name',
    account: 'full',
    hash: domain('long'),
    async open(page, words) {
      await page.locator('summary').first().click();
      await named(page, 'button', words('domains.preview.create')).click();
      await page.getByRole('figure').first().waitFor();
    },
  },
  {
    name: 'domain, never deployed',
    account: 'full',
    hash: domain('draft'),
    open: (page, words) => page.getByText(words('domains.overview.working.answer.new')).waitFor(),
  },
  {
    name: 'domain, upstreams',
    account: 'full',
    hash: domain('live', 'upstreams'),
    async open(page, words) {
      await page.getByText(words('origin.forwarded.show')).click();
      await page.getByText('set_real_ip_from 127.0.0.1;').waitFor();
      await named(page, 'button', words('origin.lock.enable')).waitFor();
      await page.getByRole('radio', { name: words('domains.upstreams.protocol.https') }).check({ force: true });
      await page.getByRole('radio', { name: words('upstreams.connection.mode.custom') }).check({ force: true });
      await page.getByText(words('upstreams.ca.hint')).waitFor();
    },
  },
  {
    name: 'domain, access',
    account: 'full',
    hash: domain('live', 'access'),
    open: (page, words) => named(page, 'button', words('domains.plugin.edit')).waitFor(),
  },
  {
    name: 'domain, history',
    account: 'full',
    hash: domain('live', 'versions'),
    open: (page) => page.getByText('Scrapers').waitFor(),
  },
  {
    name: 'domain, two versions',
    account: 'full',
    hash: domain('live', 'versions'),
    async open(page, words) {
      await named(page, 'button', words('history.compare')).last().click();
      await page.getByText(words('history.back.body')).waitFor();
      await page.getByRole('dialog').getByRole('definition').first().waitFor();
    },
  },
  {
    name: 'domain, two versions as JSON',
    account: 'full',
    hash: domain('live', 'versions'),
    async open(page, words) {
      await named(page, 'button', words('history.compare')).last().click();
      await page.getByRole('radio', { name: words('domains.changes.json') }).check({ force: true });
      await page.getByRole('region', { name: words('domains.changes.json') }).waitFor();
    },
  },
  {
    name: 'domain, shadow domains',
    account: 'full',
    hash: domain('live', 'shadow-domains'),
    open: (page) => page.getByText(NAMES.alias).first().waitFor(),
  },
  {
    name: 'domain, shadow domains, DNS record of one',
    account: 'full',
    hash: domain('live', 'shadow-domains'),
    async open(page) {
      await page.getByText(NAMES.alias).first().click();
      await page.getByRole('dialog').getByRole('definition').first().waitFor();
    },
  },
  {
    name: 'domain, shadow domains, faults',
    account: 'full',
    hash: domain('live', 'shadow-domains'),
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
    hash: domain('draft', 'shadow-domains'),
    open: (page, words) => page.getByText(words('aliases.notDeployed.title')).waitFor(),
  },
  {
    name: 'domain, protection paused',
    account: 'full',
    hash: domain('long', 'upstreams'),
    open: (page, words) =>
      page
        .getByRole('status')
        .filter({ hasText: words('pause.banner.title') })
        .waitFor(),
  },
  {
    name: 'pause?',
    account: 'full',
    hash: domain('live'),
    async open(page, words) {
      await named(page, 'button', words('domains.page.more')).click();
      await named(page, 'menuitem', words('domains.action.pause')).click();
      await page.getByRole('dialog').getByRole('radio').first().waitFor();
    },
  },
  {
    name: 'domain, diagnosed',
    account: 'full',
    hash: domain('live', 'diagnosis'),
    open: (page) => page.locator('[data-diagnosis]').waitFor(),
  },
  {
    name: 'domain, diagnosed while waiting for DNS, with a long name',
    account: 'full',
    hash: domain('long', 'diagnosis'),
    async open(page) {
      await page.locator('[data-diagnosis]').waitFor();
      await page.locator('[data-check=ownership][data-state=error] dl').waitFor();
    },
  },
  {
    name: 'domain, a traced request that is refused',
    account: 'full',
    hash: () => `${domain('live', 'diagnosis')()}&view=trace`,
    async open(page, words) {
      await page.getByLabel(words('diagnose.trace.client')).fill('198.41.128.7');
      await named(page, 'button', words('diagnose.trace.run')).click();
      await page.locator('[data-answer=block]').waitFor();
    },
  },
  {
    name: 'domain, a traced request that goes on',
    account: 'full',
    hash: () => `${domain('long', 'diagnosis')()}&view=trace`,
    async open(page, words) {
      await page.getByLabel(words('diagnose.trace.headers')).fill('X-Forwarded-For: 10.0.0.1\nAccept: text/html');
      await named(page, 'button', words('diagnose.trace.run')).click();
      await page.locator('[data-answer=origin]').waitFor();
    },
  },
  {
    name: 'find domains',
    account: 'full',
    hash: '#/domain/list?find=true',
    async open(page, words) {
      await page.getByRole('dialog').getByRole('textbox').fill(`${NAMES.live} ${NAMES.long} absent.example not_a_name`);
      await named(page, 'button', words('find.find')).click();
      await page.locator('[data-found]').first().waitFor();
    },
  },
  {
    name: 'domain, gone',
    account: 'full',
    hash: '#/domain/list/00000000-0000-4000-8000-000000000000',
    complains: /status of 404/,
    open: (page, words) => page.getByText(words('domains.page.goneTitle')).waitFor(),
  },
  {
    name: 'plugin sheet with faults and notices',
    account: 'full',
    hash: domain('live', 'access'),
    async open(page, words) {
      await named(page, 'button', words('domains.plugin.edit')).click();
      const list = page.getByRole('dialog').getByRole('textbox').last();
      await list.fill('300.1.1.1 198.41.128.0/24');
      await list.press('Enter');
      await named(page, 'button', words('domains.save.draft')).click();
      await page.getByRole('dialog').getByRole('alert').first().waitFor({ state: 'attached' });
    },
  },
  {
    name: 'templates, empty',
    account: 'empty',
    hash: '#/domain/rules',
    open: (page, words) => page.getByText(words('templates.list.empty.title')).waitFor(),
  },
  {
    name: 'templates, full',
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
      await named(page, 'button', words('templates.editor.create')).click();
      await page.getByText(words('templates.editor.pluginsRequired')).waitFor();
    },
  },
  {
    name: 'template with drift',
    account: 'full',
    hash: () => `#/domain/rules?rule=${ruleId}`,
    async open(page, words) {
      await page.getByRole('article').waitFor();
      await page.getByText(words('templates.applied.state.drifted')).waitFor();
    },
  },
  {
    name: 'template, choosing domains',
    account: 'full',
    hash: () => `#/domain/rules?rule=${ruleId}`,
    async open(page, words) {
      await named(page, 'button', words('templates.apply.button')).click();
      await page.getByRole('dialog').getByRole('checkbox').nth(2).check();
    },
  },
  {
    name: 'template, what changes where',
    account: 'full',
    hash: () => `#/domain/rules?rule=${ruleId}`,
    async open(page, words) {
      await named(page, 'button', words('templates.apply.button')).click();
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
      await named(page, 'button', words('domains.page.more')).click();
      await named(page, 'menuitem', words('domains.action.clone')).click();
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
      await named(page, 'button', words('domains.page.more')).click();
      await named(page, 'menuitem', words('domains.action.compare')).click();
      await page.getByRole('dialog').getByRole('list').getByRole('button').first().click();
      await page.getByRole('dialog').getByRole('heading', { level: 3 }).first().waitFor();
    },
  },
  {
    name: 'what a deploy changes',
    account: 'full',
    hash: domain('live', 'upstreams'),
    async open(page) {
      await page
        .locator('main header, main')
        .getByRole('button', { name: /^(Deploy|部署)/ })
        .first()
        .click();
      await page.getByRole('dialog').getByText('198.41.128.9').first().waitFor();
    },
  },
  {
    name: 'deactivate?',
    account: 'full',
    hash: domain('live'),
    open: (page, words) => askFor(page, words, 'deactivate'),
  },
  { name: 'delete?', account: 'full', hash: domain('long'), open: (page, words) => askFor(page, words, 'delete') },
  {
    name: 'resume?',
    account: 'full',
    hash: domain('paused'),
    async open(page, words) {
      await named(page, 'button', words('domains.action.resume')).click();
      await page.getByRole('alertdialog').waitFor();
    },
  },
  {
    name: 'discard?',
    account: 'full',
    hash: '#/domain/list?add=true',
    async open(page) {
      await page.locator('input[name=domain_name]').fill('www.new.example');
      await page.keyboard.press('Escape');
      await page.getByRole('alertdialog').waitFor();
    },
  },
  {
    name: 'dashboard, empty',
    account: 'empty',
    hash: '#/dashboard',
    open: (page, words) => page.getByText(words('dashboard.empty.title')).waitFor(),
  },
  {
    name: 'dashboard, full',
    account: 'full',
    hash: '#/dashboard?range=1h',
    async open(page, words) {
      await page
        .getByRole('list', { name: words('dashboard.domains.title') })
        .getByText(NAMES.live)
        .waitFor();
      await page.locator('.uplot').first().waitFor();
    },
  },
  {
    name: 'menu of the row',
    account: 'full',
    hash: '#/domain/list',
    async open(page, words) {
      await named(page, 'button', words('domains.list.actionsOf', { name: 'shop-1.example' })).click();
      await page.getByRole('menu').waitFor();
    },
  },
  {
    name: 'command palette',
    account: 'full',
    hash: domain('live'),
    async open(page, words) {
      await page.getByText(words('domains.dns.badge.verified')).waitFor();
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox').fill('shop');
      await page.getByRole('option').filter({ hasText: 'shop-1.example' }).waitFor();
    },
  },
  {
    name: 'command palette, a choice without match',
    account: 'full',
    hash: '#/domain/list',
    async open(page, words) {
      await page.getByRole('link', { name: NAMES.long }).waitFor();
      await page.keyboard.press('Control+k');
      await page
        .getByRole('option')
        .filter({ hasText: words('commands.choose.deactivate') })
        .click();
      await page.getByRole('combobox').fill('nothing-like-it');
      await page.getByText(words('palette.nothing')).waitFor();
    },
  },
  {
    name: 'keyboard shortcuts',
    account: 'full',
    hash: '#/domain/list',
    async open(page, words) {
      await page.getByRole('link', { name: NAMES.long }).waitFor();
      await page.keyboard.press('?');
      await page.getByRole('dialog', { name: words('palette.shortcutsDialog.title') }).waitFor();
    },
  },
  {
    name: 'import, empty',
    account: 'empty',
    hash: '#/domain/import',
    async open(page, words) {
      await page.getByText(words('import.rules.empty')).waitFor();
      await named(page, 'button', words('import.drop.paste')).click();
      await page.getByLabel(words('import.drop.pasteLabel')).waitFor();
    },
  },
  {
    name: 'import, refused file',
    account: 'full',
    hash: '#/domain/import',
    async open(page, words) {
      await chooseFile(page, 'a,b\n1,2\n');
      await page.getByText(words('import.file.HEADER_MISSING')).waitFor();
    },
  },
  {
    name: 'import, rows with faults',
    account: 'full',
    hash: '#/domain/import',
    async open(page, words) {
      const rows = [
        'www.right.example,http,198.41.128.7,running,-',
        `${NAMES.long},ftp,10.0.0.1,live,`,
        'x,http,10.0.0.1,running,-',
      ];
      await chooseFile(page, ['domain_name,protocol,upstreams,status,remarks', ...rows].join('\n'));
      await page.getByText(words('errors.fields.IMPORT_CELL_EMPTY')).waitFor();
      await page.getByText(words('errors.fields.DOMAIN_NAME_NEEDS_DOT')).waitFor();
    },
  },
  { name: '404', hash: '#/pages/404', open: (page, words) => title(page, words('pages.notFound.title')) },
  { name: '500', hash: '#/pages/500', open: (page, words) => title(page, words('pages.serverError.title')) },
  {
    name: '500 after sign-in failed',
    hash: '#/pages/500?reason=sign-in',
    open: (page, words) => title(page, words('pages.signInFailed.title')),
  },
  {
    name: 'unauthorized',
    account: 'full',
    hash: '#/unauthorized',
    open: (page, words) => title(page, words('pages.unauthorized.title')),
  },
  {
    name: 'self-test',
    account: 'full',
    hash: '#/pages/test',
    open: (page) => page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' }),
  },
];

/** Nothing moves any more: a colour half-way is not the colour that is meant. */
const settled = (page: Page) =>
  page.evaluate(async () => {
    const finite = document
      .getAnimations()
      .filter((animation) => animation.effect?.getComputedTiming().iterations !== Number.POSITIVE_INFINITY);
    await Promise.all(finite.map((animation) => animation.finished.catch(() => {})));
  });

/** Every rule in the light; in the dark those that look at colours, as nothing else is different. */
async function seriousFaults(page: Page, colorScheme: 'light' | 'dark'): Promise<string[]> {
  // No page has frames; the other mode opens one more page for each analysis.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] });
  if (colorScheme === 'dark') axe.withRules(['color-contrast', 'link-in-text-block']);
  const { violations } = await axe.analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html.slice(0, 200)} ${node.failureSummary ?? ''}`));
}

/** What sticks out of the screen, unless it lies in something that scrolls sideways by itself. */
const stickingOut = (page: Page) =>
  page.evaluate(() => {
    const width = document.documentElement.clientWidth;
    const found: string[] = [];
    if (document.documentElement.scrollWidth > width) found.push(`document: ${document.documentElement.scrollWidth}`);
    for (const element of document.querySelectorAll('body *')) {
      const scrollsDown = /\boverflow-y-auto\b/.test(element.getAttribute('class') ?? '');
      if (scrollsDown && element.scrollWidth > element.clientWidth + 1)
        found.push(`scrolls sideways: ${element.outerHTML.slice(0, 160)}`);
      if (element instanceof SVGElement && element.ownerSVGElement) continue;
      const { left, right, width: own, height } = element.getBoundingClientRect();
      if (own <= 1 || height <= 1 || (left >= -1 && right <= width + 1)) continue;
      let parent = element.parentElement;
      while (parent && getComputedStyle(parent).overflowX === 'visible') parent = parent.parentElement;
      if (parent && parent !== document.documentElement && parent !== document.body) continue;
      found.push(`${element.outerHTML.slice(0, 160)} from ${Math.round(left)} to ${Math.round(right)}`);
    }
    return found;
  });

const contexts = new Map<string, Promise<BrowserContext>>();

/**
 * A page for one screen. Pages of an account share what a browser keeps between pages, as tabs do: above all, the
 * program is read and compiled once. Strangers share nothing.
 */
async function openScreen(account: Screen['account'], options: BrowserContextOptions): Promise<Visitor> {
  if (account === undefined) return openVisitor(browser, options);
  const key = `${account} ${options.locale}`;
  if (!contexts.has(key)) contexts.set(key, newContext(browser, { ...options, storageState: states[account] }));
  return openPage(await (contexts.get(key) as Promise<BrowserContext>));
}

describe.concurrent.each(LOCALES)('in %s', (locale) => {
  const words = wordsOf(locale);

  it.each(screens)(
    '$name',
    async (screen) => {
      const options: BrowserContextOptions = {
        locale: locale === 'zh' ? 'zh-CN' : 'en-US',
        viewport: { width: 1440, height: 900 },
        colorScheme: 'light',
        reducedMotion: 'reduce',
      };
      const { page, complaints, close } = await openScreen(screen.account, options);
      await screen.prepare?.(page);
      const hash = typeof screen.hash === 'string' ? screen.hash : screen.hash();
      await page.goto(`${instance.origin}/${hash}`);
      await screen.open(page, words);

      const faults: string[] = [];
      const picture = (how: string) =>
        PICTURES && page.screenshot({ path: join(PICTURES, `${screen.name}, ${locale}, ${how}.png`) });
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await settled(page);
        for (const fault of await seriousFaults(page, colorScheme)) faults.push(`${colorScheme}: ${fault}`);
        await picture(colorScheme);
      }
      await page.setViewportSize({ width: 390, height: 844 });
      await settled(page);
      for (const fault of await stickingOut(page)) faults.push(`390 px: ${fault}`);
      await picture('phone dark');
      await page.emulateMedia({ colorScheme: 'light' });
      await picture('phone light');
      const { complains } = screen;
      for (const complaint of complaints) if (!complains?.test(complaint)) faults.push(`console: ${complaint}`);
      await close();
      expect(faults).toEqual([]);
    },
    SCREEN_MS_MAX,
  );
});
