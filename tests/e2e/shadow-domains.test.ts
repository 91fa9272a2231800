import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Route } from '../../packages/contract/index.ts';
import { closePages, sharedBrowser } from '../support/browser.ts';
import { notice, openSignedIn, tab } from '../support/console.ts';
import { type Customer, createCustomer, deployDomain } from '../support/customer.ts';
import type { DnsServer } from '../support/dns-server.ts';
import { edgeRequest } from '../support/edge-request.ts';
import type { Instance } from '../support/instance.ts';
import { startOrigin, type TestOrigin } from '../support/origin.ts';
import { sharedDns, sharedInstance } from '../support/shared-instance.ts';
import { until } from '../support/until.ts';
import { accessFaults } from './screens/faults.ts';

/** Whole flows, on a machine that may be busy. */
const FLOW_MS_MAX = 120_000;
const MAIN = 'www.shop.example';
const SHADOW = 'www.shop-alias.example';
const OTHER = 'www.other-alias.example';

let instance: Instance;
let dns: DnsServer;
let origin: TestOrigin;
let browser: Browser;
let vip: Customer;
let free: Customer;
let route: Route;

beforeAll(async () => {
  [{ dns }, origin, instance, browser] = await Promise.all([
    sharedDns(),
    startOrigin(),
    sharedInstance(),
    sharedBrowser(),
  ]);
  [vip, free] = await Promise.all([
    createCustomer(instance, 'aliases-vip@example.com', 'vip'),
    createCustomer(instance, 'aliases-free@example.com'),
  ]);
  route = await deployDomain(instance, vip, MAIN, origin.port);
  // The page looks at DNS every 30 s: that the name counts as proved would not last.
  dns.names.set(MAIN, { CNAME: route.cname });
});
afterAll(async () => {
  await closePages(browser);
  await origin?.close();
});

async function openShadowDomains(customer: Customer, id: string): Promise<Page> {
  const { page } = await openSignedIn(browser, instance.origin, customer);
  await page.goto(`${instance.origin}/#/domain/list/${id}`);
  await tab(page, 'Aliases').click();
  return page;
}

async function paste(page: Page, text: string) {
  const dialog = page.getByRole('dialog', { name: /^Add aliases/ });
  if ((await dialog.count()) === 0) await page.getByRole('button', { name: 'Add aliases' }).click();
  await dialog.getByLabel('Names').fill(text);
  await dialog.locator('button[type=submit]').click();
  return dialog;
}

async function menuOf(page: Page, name: string, item: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${name}` }).click();
  await page.getByRole('menuitem', { name: item }).click();
}

const isServed = async (name: string) => (await edgeRequest(instance.ports.edgeHttp, name, '/x')).body === 'origin /x';
const statusOf = async (name: string) => (await edgeRequest(instance.ports.edgeHttp, name)).status;
const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });

const expectAccessible = async (page: Page) => expect(await accessFaults(page)).toEqual([]);

describe('shadow domains', { timeout: FLOW_MS_MAX }, () => {
  it('are pasted, proved one by one, promoted and removed', async () => {
    const page = await openShadowDomains(vip, route.id);
    await page.getByText('No aliases yet').waitFor();

    // What is wrong is named, and can be left out; nothing was added.
    const dialog = await paste(page, `${SHADOW}, ${OTHER}\n${MAIN}\nhttps://somewhere.example/path`);
    await dialog.getByText('The main domain cannot be an alias').waitFor();
    await dialog.getByText('https://somewhere.example/path').last().waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Skip them' }).click();
    await dialog.getByRole('button', { name: 'Add 2 names' }).click();
    await notice(page, 'Aliases added successfully').waitFor();
    await rowOf(page, SHADOW).getByText('Waiting for DNS').waitFor();
    expect(await statusOf(SHADOW)).toBe(421);
    expect((await vip.api.listSubscriptions()).results[0]?.usage.domains).toBe(3);

    // One is pointed here: only that one is served.
    await rowOf(page, SHADOW).click();
    const sheet = page.getByRole('dialog', { name: SHADOW });
    await sheet.getByText(route.cname).waitFor();
    await expectAccessible(page);
    dns.names.set(SHADOW, { CNAME: route.cname });
    await sheet.getByRole('button', { name: 'Check now' }).click();
    await sheet.getByText(`${SHADOW} points here and is served.`).waitFor();
    await until(`${SHADOW} served`, () => isServed(SHADOW), 5_000);
    expect(await statusOf(OTHER)).toBe(421);

    // It becomes the main domain; the main domain becomes a shadow domain and is served on.
    await sheet.getByRole('button', { name: 'Promote to main domain' }).click();
    const question = page.getByRole('alertdialog', { name: `Make ${SHADOW} the main domain?` });
    await question.getByText(`${MAIN} its alias`).waitFor();
    await question.getByRole('button', { name: 'Promote' }).click();
    await page.getByRole('heading', { level: 1, name: SHADOW }).waitFor();
    await notice(page, 'Promoted successfully').waitFor();
    await rowOf(page, MAIN).getByText('CNAME set up').waitFor();
    expect([await isServed(SHADOW), await isServed(MAIN)]).toEqual([true, true]);
    expect((await vip.api.getRoute({ params: { id: route.id } })).result.version_live).toBe(1);

    // What is not proved cannot become the main domain.
    await page.getByRole('button', { name: `Actions for ${OTHER}` }).click();
    const promote = page.getByRole('menuitem', { name: 'Promote to main domain' });
    await promote.getByText('It does not point here yet').waitFor();
    expect(await promote.getAttribute('aria-disabled')).toBe('true');
    await page.keyboard.press('Escape');
    await promote.waitFor({ state: 'detached' });

    await menuOf(page, MAIN, 'Remove');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
    await notice(page, 'Aliases removed successfully').waitFor();
    await expect.poll(() => rowOf(page, MAIN).count()).toBe(0);
    await until(`${MAIN} is gone`, async () => (await statusOf(MAIN)) === 421, 5_000);
    expect(await isServed(SHADOW)).toBe(true);
  });

  it('come after the first deploy, and stay within the plan', async () => {
    const add = (name: string, deploy: boolean) =>
      free.api.createRoute({
        body: {
          cname: free.subscriptionCname,
          domain_name: name,
          upstreams: { protocol: 'http', targets: [{ host: '127.0.0.1', port: origin.port }] },
          deploy,
        },
      });
    const { result: fresh } = await add('www.fresh.example', false);
    const page = await openShadowDomains(free, fresh.id);
    await page.getByText('Aliases can be added once the domain is deployed.').waitFor();
    expect(await page.getByRole('button', { name: 'Add aliases' }).isDisabled()).toBe(true);

    const { result: live } = await add('www.small.example', true);
    await page.goto(`${instance.origin}/#/domain/list/${live.id}?tab=shadow-domains`);
    const dialog = await paste(page, 'a.small.example b.small.example');
    await dialog.getByText('Aliases exceed your available domains').waitFor();
    await dialog.getByText(/Upgrade it to add more/).waitFor();
    await paste(page, '*.small.example');
    await dialog.getByText('VIP plans cover wildcards').waitFor();
    expect((await free.api.listSubscriptions()).results[0]?.usage.domains).toBe(2);
  });
});

describe('a pause', { timeout: FLOW_MS_MAX }, () => {
  it('lets everybody through at once, shows what is left, and is ended by hand', async () => {
    const name = 'www.pausing.example';
    const pausing = await deployDomain(instance, vip, name, origin.port);
    await vip.api.updateRoute({
      params: { id: pausing.id },
      ifMatch: pausing.draft_revision,
      body: {
        plugins: [{ name: 'ip-restriction', enabled: true, config: { whitelistMode: true, allow: ['198.41.128.7'] } }],
        deploy: true,
      },
    });
    await until('visitors are refused', async () => (await statusOf(name)) === 403);
    const { page } = await openSignedIn(browser, instance.origin, vip);
    await page.goto(`${instance.origin}/#/domain/list/${pausing.id}`);
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Pause protection' }).click();
    const dialog = page.getByRole('dialog', { name: `Pause the protection of ${name}?` });
    await dialog.getByRole('radio', { name: '1 hour' }).check({ force: true });
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Pause protection' }).click();
    await page.getByRole('status').filter({ hasText: 'Protection is paused' }).waitFor();
    await dialog.waitFor({ state: 'detached' });
    expect(await page.getByRole('timer').textContent()).toMatch(/^(1:00:00|59:\d\d)$/);
    await expectAccessible(page);
    await until('everybody passes', () => isServed(name), 5_000);

    // Loaded anew, the banner comes with the head: the tabs stay where they are.
    await page.addInitScript(() => {
      const tops: number[] = [];
      (window as unknown as { tops: number[] }).tops = tops;
      const look = () => {
        const isHeadShown = document.querySelector('[aria-label="More actions"]') !== null;
        const tabs = document.querySelector('[role=tablist]');
        if (isHeadShown && tabs) tops.push(tabs.getBoundingClientRect().top);
        requestAnimationFrame(look);
      };
      look();
    });
    await page.reload();
    await page.getByRole('status').filter({ hasText: 'Protection is paused' }).waitFor();
    const tops = await page.evaluate(() => (window as unknown as { tops: number[] }).tops);
    expect(new Set(tops).size).toBe(1);

    await page.getByRole('button', { name: 'Resume protection' }).click();
    await until('visitors are refused again', async () => (await statusOf(name)) === 403, 5_000);
    await expect.poll(() => page.getByRole('status').filter({ hasText: 'Protection is paused' }).count()).toBe(0);
    expect((await vip.api.getRoute({ params: { id: pausing.id } })).result.version_live).toBe(2);
  });
});

describe('IPv6', { timeout: FLOW_MS_MAX }, () => {
  it('is explained to free accounts, and enabled for good on VIP', async () => {
    const [theirs] = (await free.api.listRoutes()).results;
    const { page } = await openSignedIn(browser, instance.origin, free);
    await page.goto(`${instance.origin}/#/domain/list/${theirs?.id}`);
    await page.getByText('IPv6 needs a VIP plan').waitFor();

    const other = await openSignedIn(browser, instance.origin, vip);
    await other.page.goto(`${instance.origin}/#/domain/list/${route.id}`);
    await other.page.getByRole('button', { name: 'Enable IPv6' }).click();
    const question = other.page.getByRole('alertdialog', { name: 'Enable IPv6 permanently?' });
    await question.getByText('Once enabled, IPv6 cannot be disabled').waitFor();
    await question.getByRole('button', { name: 'Enable IPv6' }).click();
    await other.page.getByText('No node in your zone has an IPv6 address').waitFor();
    expect((await vip.api.getRoute({ params: { id: route.id } })).result.ipv6).toBe(true);
  });
});
