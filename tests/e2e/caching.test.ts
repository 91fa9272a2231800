import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { closePages, openVisitor, sharedBrowser } from '../support/browser.ts';
import { signIn, tab } from '../support/console.ts';
import { type Customer, createCustomer, deployDomain } from '../support/customer.ts';
import { edgeRequest } from '../support/edge-request.ts';
import type { Instance } from '../support/instance.ts';
import { startOrigin, type TestOrigin } from '../support/origin.ts';
import { sharedInstance } from '../support/shared-instance.ts';
import { until } from '../support/until.ts';

/** The Caching tab steers what visitors get of real nodes. */

const NAME = 'www.cached.example';
let instance: Instance;
let browser: Browser;
let page: Page;
let customer: Customer;
let origin: TestOrigin;
/** Of what the origin answers. */
let edition = 0;

const visit = async (path: string) => {
  const { headers, body } = await edgeRequest(instance.ports.edgeHttp, NAME, path);
  return { status: String(headers['cache-status'] ?? ''), body };
};
const isHit = async (path: string) => (await visit(path)).status.startsWith('Cordon; hit');
const panel = (title: string) =>
  page.locator('section').filter({ has: page.getByRole('heading', { name: title, exact: true }) });

beforeAll(async () => {
  origin = await startOrigin((req, res) =>
    res
      .writeHead(200, { 'content-type': 'text/css', 'cache-control': 'max-age=3600', 'cache-tag': 'styles' })
      .end(`${req.url} ${edition}`),
  );
  [instance, browser] = await Promise.all([sharedInstance(), sharedBrowser()]);
  customer = await createCustomer(instance, 'cached@example.com', 'vip');
  const { id } = await deployDomain(instance, customer, NAME, origin.port);
  page = (await openVisitor(browser)).page;
  await signIn(page, instance.origin, customer);
  await page.goto(`${instance.origin}/#/domain/list/${id}?tab=caching`);
  await tab(page, 'Caching').waitFor();
});
afterAll(async () => {
  await closePages(browser);
  await origin?.close();
});

it('is turned on in its form, and visitors are answered from the cache', async () => {
  expect((await visit('/a.css')).status).toBe('');
  await page
    .getByRole('article', { name: 'Advanced cache', exact: true })
    .getByRole('button', { name: /^Set up/ })
    .click();
  await page.getByRole('dialog', { name: 'Advanced cache' }).getByRole('button', { name: 'Save and deploy' }).click();
  await until('a hit', () => isHit('/a.css'));
  await until('another hit', () => isHit('/b.css'));
});

it('shows what is stored of a URL on each node', async () => {
  const card = panel('Try a URL');
  await card.getByRole('textbox', { name: 'URL or path' }).fill(`http://${NAME}/a.css`);
  await card.getByRole('button', { name: 'Try it' }).click();
  await card
    .getByText(/fresh for/)
    .first()
    .waitFor();
  await card.getByRole('textbox', { name: 'URL or path' }).fill('/unknown.css');
  await card.getByRole('button', { name: 'Try it' }).click();
  await card.getByText('The node has no cached copy.').waitFor();
});

it('clears one URL, and no other, with the milliseconds of each node', async () => {
  edition++;
  const card = panel('Clear cache');
  await card.getByRole('radio', { name: 'URLs' }).check({ force: true });
  await card.getByRole('textbox', { name: 'URLs' }).fill('/a.css');
  await card.getByRole('button', { name: 'Clear cache', exact: true }).click();
  await card
    .getByText(/^Cleared on 1 of 1 node in \d+\sms/)
    .first()
    .waitFor();
  expect(await visit('/a.css')).toMatchObject({ body: '/a.css 1', status: expect.stringContaining('fwd=uri-miss') });
  expect((await visit('/b.css')).body).toBe('/b.css 0');
});

it('clears everything, after a question', async () => {
  edition++;
  const card = panel('Clear cache');
  await card.getByRole('radio', { name: 'Everything' }).check({ force: true });
  await card.getByRole('button', { name: 'Clear cache', exact: true }).click();
  expect((await visit('/a.css')).body).toBe('/a.css 1');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Clear cache' }).click();
  await until('all is cleared', async () => (await visit('/b.css')).body === '/b.css 2');
  expect((await visit('/a.css')).body).toBe('/a.css 2');
});

it('is passed by in development mode, and serves again afterwards what it had', async () => {
  expect(await isHit('/a.css')).toBe(true);
  edition++;
  const card = panel('Development mode');
  await card.getByRole('button', { name: 'Turn on', exact: true }).click();
  await until('the origin is asked', async () => (await visit('/a.css')).body === '/a.css 3');
  expect((await visit('/a.css')).status).toContain('fwd=bypass');
  await card.getByRole('button', { name: 'Turn off', exact: true }).click();
  await until('copies serve again', async () => (await visit('/a.css')).body === '/a.css 2');
});
