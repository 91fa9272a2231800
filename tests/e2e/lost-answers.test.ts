import type { Route } from '@cordon/contract';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { closePages, sharedBrowser } from '../support/browser.ts';
import { chooseAction, notice, openSignedIn, tab } from '../support/console.ts';
import { type Customer, createCustomer, deployDomain } from '../support/customer.ts';
import type { Instance } from '../support/instance.ts';
import { startOrigin, type TestOrigin } from '../support/origin.ts';
import { sharedInstance } from '../support/shared-instance.ts';

/* The API did what it was asked, and its answer never came. */

const NETWORK = 'Please check your network';
/** Longer than the key of a write is kept for its own sake. */
const LATE_MS = 60_000;
const CHANGED = '198.41.128.20';
let instance: Instance;
let browser: Browser;
let customer: Customer;
let origin: TestOrigin;

beforeAll(async () => {
  origin = await startOrigin((_req, res) => void res.end('ok'));
  [instance, browser] = await Promise.all([sharedInstance(), sharedBrowser()]);
  customer = await createCustomer(instance, 'lost@example.com', 'vip');
});
afterEach(() => closePages(browser));
afterAll(async () => {
  await closePages(browser);
  await origin?.close();
});

async function open(route: Route, search = ''): Promise<Page> {
  const { page } = await openSignedIn(browser, instance.origin, customer);
  await page.clock.install();
  await page.goto(`${instance.origin}/#/domain/list/${route.id}${search}`);
  await page.getByRole('heading', { name: route.domain_name, level: 1 }).waitFor();
  return page;
}

/** The next write to such an address is carried out, and its answer dropped. */
async function loseAnswer(page: Page, address: RegExp, method: string): Promise<void> {
  let isLost = false;
  await page.route(address, async (route) => {
    if (isLost || route.request().method() !== method) return route.continue();
    isLost = true;
    await route.fetch();
    await route.abort('connectionreset');
  });
}

const versionsOf = async ({ id }: Route): Promise<number[]> =>
  (await customer.api.listVersions({ params: { id }, query: {} })).results.map(({ version }) => version);

const draftOf = async ({ id }: Route) => {
  const { draft, pending_changes } = (await customer.api.getRoute({ params: { id } })).result;
  return { host: draft.upstreams.targets[0]?.host, pending_changes };
};

async function changeDraft({ id }: Route): Promise<void> {
  const { draft_revision } = (await customer.api.getRoute({ params: { id } })).result;
  const upstreams = { protocol: 'http' as const, targets: [{ host: CHANGED, port: origin.port }] };
  await customer.api.updateRoute({ params: { id }, ifMatch: draft_revision, body: { upstreams } });
}

it('deploys once, however late it is pressed again, and so does a roll-back', async () => {
  const route = await deployDomain(instance, customer, 'deploy.lost.example', origin.port);
  await changeDraft(route);
  const page = await open(route);
  await page.getByRole('button', { name: 'Deploy 1 change' }).click();
  const deploy = page.getByRole('dialog', { name: `Deploy ${route.domain_name}` });
  await deploy.getByText(CHANGED).first().waitFor();
  await loseAnswer(page, /\/deploy\/$/, 'POST');
  await deploy.getByRole('button', { name: 'Deploy now' }).click();
  await deploy.getByText(NETWORK).waitFor();
  await page.getByText('v2 live').waitFor();
  await page.clock.fastForward(LATE_MS);
  await deploy.getByRole('button', { name: 'Deploy now' }).click();
  await notice(page, `Deploy of ${route.domain_name} successful`).waitFor();
  await deploy.waitFor({ state: 'detached' });
  expect(await versionsOf(route)).toEqual([2, 1]);

  await tab(page, 'History').click();
  await page.getByRole('button', { name: 'Roll back to version 1' }).click();
  const back = page.getByRole('dialog', { name: 'Roll back to version 1' });
  await loseAnswer(page, /\/rollback\/$/, 'POST');
  await back.getByRole('button', { name: 'Roll back to version 1' }).click();
  await back.getByText(NETWORK).waitFor();
  await page.getByText('v3 live').waitFor();
  await page.clock.fastForward(LATE_MS);
  await back.getByRole('button', { name: 'Roll back to version 1' }).click();
  await notice(page, `${route.domain_name} rolled back to version 1`).waitFor();
  await back.waitFor({ state: 'detached' });
  expect(await versionsOf(route)).toEqual([3, 2, 1]);
});

it.each([
  ['is asked for again', '', 'Discard draft'],
  ['is given up', '', 'Cancel'],
  ['goes with the row of the draft', '?tab=versions', undefined],
])('brings back a draft from another screen where its discard %s', async (what, search, press) => {
  const name = `${what.replaceAll(' ', '-')}.lost.example`;
  const route = await deployDomain(instance, customer, name, origin.port);
  await changeDraft(route);
  const page = await open(route, search);
  if (search) await page.getByRole('button', { name: 'Discard draft' }).click();
  else await chooseAction(page, page.getByRole('button', { name: 'More actions' }), 'Discard draft');
  const question = page.getByRole('alertdialog');
  await question.getByRole('definition').filter({ hasText: CHANGED }).waitFor();
  await loseAnswer(page, /\/draft\/$/, 'DELETE');
  await question.getByRole('button', { name: 'Discard draft' }).click();
  if (press) {
    await question.getByText(NETWORK).waitFor();
    await question.getByRole('button', { name: press }).click();
  }
  await notice(page, `1 pending change of ${name} discarded`).waitFor();
  expect(await draftOf(route)).toEqual({ host: '127.0.0.1', pending_changes: 0 });
  await page.evaluate("location.hash = '#/domain/list'");
  await page.getByRole('heading', { name: 'Domains', level: 1 }).waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await notice(page, `The draft of ${route.domain_name} is back`).waitFor();
  expect(await draftOf(route)).toEqual({ host: CHANGED, pending_changes: 1 });
});

it('saves what was typed since over the save whose answer was lost, and asks nothing', async () => {
  const route = await deployDomain(instance, customer, 'save.lost.example', origin.port);
  const page = await open(route, '?tab=upstreams');
  const address = page.getByRole('textbox', { name: 'Address' });
  await address.fill(CHANGED);
  await loseAnswer(page, /\/domain\/routes\/[^/]+\/$/, 'PATCH');
  await page.getByRole('button', { name: 'Save as draft' }).click();
  await page.getByRole('alert').getByText(NETWORK).waitFor();
  expect(await draftOf(route)).toMatchObject({ pending_changes: 1 });
  await address.fill('198.41.128.21');
  await page.getByRole('button', { name: 'Save as draft' }).click();
  await notice(page, 'Saved as draft. Not live until you deploy.').waitFor();
  expect(await draftOf(route)).toEqual({ host: '198.41.128.21', pending_changes: 1 });
});
