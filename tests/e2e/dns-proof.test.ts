import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closePages, sharedBrowser } from '../support/browser.ts';
import { fillTargets, fillWizard, openSignedIn } from '../support/console.ts';
import { type Customer, createCustomer } from '../support/customer.ts';
import type { DnsServer } from '../support/dns-server.ts';
import { edgeRequest } from '../support/edge-request.ts';
import type { Instance } from '../support/instance.ts';
import { startInside, startOrigin, type TestOrigin } from '../support/origin.ts';
import { sharedDns, sharedInstance } from '../support/shared-instance.ts';
import { until } from '../support/until.ts';

/** The page asks every 30 s, the API every 15 s. */
const GREEN_WITHIN_MS = 30_000;

let instance: Instance;
let dns: DnsServer;
let origin: TestOrigin;
/** On loopback and not excepted: nothing of ours may ever connect to it. */
let inside: TestOrigin;
let browser: Browser;
let owner: Customer;
let squatter: Customer;

beforeAll(async () => {
  [{ dns }, origin, inside, instance, browser] = await Promise.all([
    sharedDns(),
    startOrigin(),
    startInside(),
    sharedInstance(),
    sharedBrowser(),
  ]);
  [owner, squatter] = await Promise.all([
    createCustomer(instance, 'owner@example.com', 'vip'),
    createCustomer(instance, 'squatter@example.com'),
  ]);
});
afterAll(async () => {
  await closePages(browser);
  await Promise.all([origin?.close(), inside?.close()]);
});

async function openConsole(customer: Customer): Promise<Page> {
  const { page } = await openSignedIn(browser, instance.origin, customer);
  await page.goto(`${instance.origin}/`);
  return page;
}

async function addAndDeploy(page: Page, name: string): Promise<void> {
  const dialog = await fillWizard(page, { name, host: '127.0.0.1', port: origin.port });
  await dialog.getByRole('button', { name: 'Save and deploy' }).click();
  await page.getByText('v1 live').waitFor();
  await page.getByText(/no record found/).waitFor();
  expect((await edgeRequest(instance.ports.edgeHttp, name)).status).toBe(421);
}

/** The record that the page asks to set: type, name and values. */
async function recordOn(page: Page, label: string): Promise<{ type: string; name: string; values: string[] }> {
  const fields = page.getByRole('region', { name: label, exact: true }).locator('dd');
  await fields.last().waitFor();
  const cells = await fields.allTextContents();
  const [type = '', name = '', ...values] = cells.map((text) => text.trim());
  return { type, name, values };
}

async function servedWithoutHeader(page: Page, name: string): Promise<void> {
  await page.getByText('CNAME set up').waitFor({ timeout: GREEN_WITHIN_MS });
  await page.getByText(`${name} points here.`).waitFor();
  // Only now: the page must not be green before visitors are served.
  await until(
    `${name} served`,
    async () => (await edgeRequest(instance.ports.edgeHttp, name, '/x')).body === 'origin /x',
    5_000,
  );
}

describe.concurrent('who sets the record that the page shows', () => {
  it('sees the page turn green without a reload, and the name is served', async () => {
    const name = 'www.pointed.example';
    const page = await openConsole(owner);
    await addAndDeploy(page, name);
    await page.getByRole('heading', { name: 'Point your domain here' }).waitFor();
    const record = await recordOn(page, 'DNS record');
    expect(record.type).toBe('CNAME');
    expect(record.name).toBe(name);
    expect(record.values).toHaveLength(1);

    // Another customer's exclusive name proves nothing.
    dns.names.set(name, { CNAME: 'abcdefghijklmnop.other.free01.edge.cordon.test' });
    await page.getByRole('button', { name: 'Check now' }).click();
    await page.getByText(/found abcdefghijklmnop/).waitFor();
    expect((await edgeRequest(instance.ports.edgeHttp, name)).status).toBe(421);

    dns.names.set(name, { CNAME: record.values[0] ?? '' });
    await servedWithoutHeader(page, name);
  });

  it('at the root of a zone proves it by addresses and TXT, not by addresses alone', async () => {
    const name = 'rooted.example';
    const page = await openConsole(owner);
    await addAndDeploy(page, name);
    const [record, txt] = await Promise.all([recordOn(page, 'DNS record'), recordOn(page, 'TXT record')]);
    expect(record).toEqual({ type: 'A', name, values: ['127.0.0.1'] });
    dns.names.set(name, { A: record.values });
    await page.getByRole('button', { name: 'Check now' }).click();
    await page.getByText(/found 127\.0\.0\.1/).waitFor();
    expect((await edgeRequest(instance.ports.edgeHttp, name)).status).toBe(421);

    expect(txt.name).toBe(`_cordon-challenge.${name}`);
    dns.names.set(txt.name, { TXT: [txt.values[0] ?? ''] });
    await servedWithoutHeader(page, name);
  });

  it('takes a name from the account that sits on it by a TXT record', async () => {
    const name = 'www.squatted.example';
    const squatted = await squatter.api.createRoute({
      body: {
        cname: squatter.subscriptionCname,
        domain_name: name,
        upstreams: { protocol: 'http', targets: [{ host: '127.0.0.1', port: origin.port }] },
        deploy: true,
      },
    });
    const page = await openConsole(owner);
    const dialog = await fillWizard(page, { name, host: '127.0.0.1', port: origin.port });
    await dialog.getByRole('button', { name: 'Save and deploy' }).click();
    await dialog.getByText('Another account uses this name').first().waitFor();
    // Neither the page nor the API says whose it is.
    expect(await dialog.textContent()).not.toContain('squatter');
    const txt = await recordOn(page, 'TXT record');
    dns.names.set(txt.name, { TXT: ['cordon-verify=of-another-account', txt.values[0] ?? ''] });

    await dialog.getByRole('button', { name: 'Continue' }).click();
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await dialog.getByRole('button', { name: 'Save and deploy' }).click();
    await page.getByText('v1 live').waitFor();
    await until('the squatter has lost it', () =>
      squatter.api.getRoute({ params: { id: squatted.result.id } }).then(
        ({ result }) => result.status === 'deleting' || result.status === 'deleted',
        (error: { status?: number }) => error.status === 404,
      ),
    );
    const record = await recordOn(page, 'DNS record');
    dns.names.set(name, { CNAME: record.values[0] ?? '' });
    await servedWithoutHeader(page, name);
    const { results } = await owner.api.listRoutes({ query: { domain_name: name } });
    expect(results).toHaveLength(1);
  });
});

describe('an upstream by name', () => {
  it.each([
    ['loopback', { A: ['127.0.0.1'] }],
    ['metadata', { A: ['169.254.169.254'] }],
    ['half inside', { A: ['93.184.215.14', '127.0.0.1'] }],
    ['loopback over IPv6', { AAAA: ['::1'] }],
    ['loopback behind an alias', { CNAME: 'loopback.hosts.example' }],
    ['mapped loopback', { AAAA: ['::ffff:7f00:1'] }],
  ])('that leads to %s is answered as one that does not exist, and nothing connects to it', async (kind, records) => {
    const host = `${kind.replaceAll(' ', '-').toLowerCase()}.hosts.example`;
    dns.names.set(host, records);
    dns.names.set('loopback.hosts.example', { A: ['127.0.0.1'] });
    const upstreams = [host, 'nowhere.hosts.example'].map((name) => `${name}:${inside.port}`);
    const { result } = await owner.api.verifyUpstreamProtocol({ query: { upstreams } });
    expect(result[0]).toMatchObject({ error: 'UPSTREAM_UNREACHABLE', suggested: null });
    expect({ ...result[0], upstream: '' }).toEqual({ ...result[1], upstream: '' });
    const name = `${kind.replaceAll(' ', '-').toLowerCase()}.refused.example`;
    const { result: route } = await owner.api.createRoute({
      body: {
        cname: owner.subscriptionCname,
        domain_name: name,
        upstreams: { protocol: 'http', targets: [{ host, port: inside.port }] },
        deploy: true,
      },
    });
    dns.names.set(name, { CNAME: route.cname });
    await owner.api.verifyOwnership({ params: { id: route.id } });
    await until(`${name} served`, async () => (await edgeRequest(instance.ports.edgeHttp, name)).status === 502);
    expect(inside.seen).toEqual([]);
  });

  it('that turns to the inside after its draft was saved is not connected to', async () => {
    const host = 'turning.hosts.example';
    const name = 'www.turning.example';
    dns.names.set(host, { A: ['93.184.215.14'] });
    const { result: route } = await owner.api.createRoute({
      body: {
        cname: owner.subscriptionCname,
        domain_name: name,
        upstreams: { protocol: 'http', targets: [{ host, port: inside.port }] },
      },
    });
    dns.names.set(host, { A: ['127.0.0.1'] });
    await owner.api.deployRoute({ params: { id: route.id }, ifMatch: route.draft_revision, body: {} });
    dns.names.set(name, { CNAME: route.cname });
    await owner.api.verifyOwnership({ params: { id: route.id } });
    await until(`${name} served`, async () => (await edgeRequest(instance.ports.edgeHttp, name)).status === 502);
    expect(inside.seen).toEqual([]);
  });

  it('that is an address inside is refused in the wizard in words, at its field; a name that leads there does not answer', async () => {
    dns.names.set('loopback.hosts.example', { A: ['127.0.0.1'] });
    const page = await openConsole(owner);
    const dialog = await fillTargets(page, { name: 'www.inside.example', host: '169.254.169.254', port: inside.port });
    const address = dialog.getByRole('textbox', { name: 'Address' });
    const forward = dialog.getByRole('button', { name: 'Continue' });
    await forward.click();
    await dialog
      .getByText('Private or reserved address: the edge cannot reach it. Enter your origin’s public address')
      .first()
      .waitFor();
    expect(await address.getAttribute('aria-invalid')).toBe('true');
    expect(await address.evaluate((field) => field === document.activeElement)).toBe(true);
    expect(await dialog.getByRole('button', { name: 'Keep anyway' }).count()).toBe(0);

    await address.fill('loopback.hosts.example');
    await forward.click();
    await dialog.getByText('No answer from this address on the public Internet').waitFor();
    await dialog.getByRole('button', { name: 'Keep anyway' }).click();
    await dialog.getByText('What happens next').waitFor();
    expect(inside.seen).toEqual([]);
  });
});
