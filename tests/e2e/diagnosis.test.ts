import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closePages, openVisitor, sharedBrowser } from '../support/browser.ts';
import { signIn } from '../support/console.ts';
import { type Customer, createCustomer, deployDomain } from '../support/customer.ts';
import type { DnsServer } from '../support/dns-server.ts';
import { edgeRequest } from '../support/edge-request.ts';
import type { Instance } from '../support/instance.ts';
import { startOrigin, type TestOrigin } from '../support/origin.ts';
import { sharedDns, sharedInstance } from '../support/shared-instance.ts';
import { until } from '../support/until.ts';

let instance: Instance;
let dns: DnsServer;
/** A resolver of another operator, where changes arrive later. */
let elsewhere: DnsServer;
let origin: TestOrigin;
let browser: Browser;
let owner: Customer;
let page: Page;

beforeAll(async () => {
  [{ dns, elsewhere }, origin, instance, browser] = await Promise.all([
    sharedDns(),
    startOrigin(),
    sharedInstance(),
    sharedBrowser(),
  ]);
  owner = await createCustomer(instance, 'diagnose@example.com', 'vip');
  ({ page } = await openVisitor(browser));
  await signIn(page, instance.origin, owner);
});
afterAll(async () => {
  await closePages(browser);
  await origin?.close();
});

const open = (id: string, search = '') => page.goto(`${instance.origin}/#/domain/list/${id}?tab=diagnosis${search}`);
const line = (check: string) => page.locator(`[data-check=${check}]`);
const state = (check: string) => line(check).getAttribute('data-state');

describe('the diagnosis', () => {
  it('shows the missing CNAME to copy, and turns green once it is set', async () => {
    const name = 'www.diagnosed.example';
    const { result: route } = await owner.api.createRoute({
      body: {
        cname: owner.subscriptionCname,
        domain_name: name,
        upstreams: { protocol: 'http', targets: [{ host: '127.0.0.1', port: origin.port }] },
        deploy: true,
      },
    });
    await open(route.id);
    await line('ownership').getByText(`${name} has no DNS record that points here.`).waitFor();
    await line('ownership').getByText('Add a CNAME pointing to the exclusive CNAME of this domain.').waitFor();
    expect(await line('ownership').getByRole('region', { name: 'DNS record' }).textContent()).toContain(route.cname);
    expect(await state('upstream')).toBe('ok');
    // What is fine stays in sight once it is asked for.
    await page.getByText(/checks are fine$/).click();

    dns.names.set(name, { CNAME: route.cname });
    await page.getByRole('button', { name: 'Check again' }).click();
    await line('ownership').getByText(`${name} points here.`).waitFor();
    expect(await state('ownership')).toBe('ok');
    // The other resolver has not heard of it.
    await line('propagation').getByText('1 of 2 name servers').waitFor();
    await page.getByText('CNAME set up').waitFor();
    await until('served', async () => (await edgeRequest(instance.ports.edgeHttp, name)).status === 200, 5_000);
    elsewhere.names.set(name, { CNAME: route.cname });
    await page.getByRole('button', { name: 'Check again' }).click();
    await line('propagation').getByText('2/2 name servers').waitFor();
    expect(await state('certificate')).toBe('warning');
  });
});

describe('the trace', () => {
  it('shows the block by an entry, from a pasted curl command and from the id of the block page', async () => {
    const name = 'www.traced.example';
    const route = await deployDomain(instance, owner, name, origin.port);
    const config = { allow: [], deny: ['198.41.128.0/24'], whitelistMode: false, blacklistMode: true };
    await owner.api.updateRoute({
      params: { id: route.id },
      ifMatch: route.draft_revision,
      body: { plugins: [{ name: 'ip-restriction', enabled: true, config }], deploy: true },
    });
    const from = { 'x-forwarded-for': '198.41.128.7', 'user-agent': 'Traced/1' };
    let requestId = '';
    await until('blocked', async () => {
      const answer = await edgeRequest(instance.ports.edgeHttp, name, '/shop?page=2', from);
      requestId = String(answer.headers['x-request-id']);
      return answer.status === 403;
    });

    await open(route.id, '&view=trace');
    await page.getByLabel('Address', { exact: true }).fill(`curl -A 'Agent/2' -X POST -d a=1 http://${name}/form`);
    await page.getByRole('button', { name: 'Trace', exact: true }).click();
    await page.getByText('Read from the curl command.').waitFor();
    expect(await page.getByLabel('Address', { exact: true }).inputValue()).toBe(`http://${name}/form`);
    await page.getByLabel('Visitor’s IP').fill('198.41.128.9');
    await page.getByRole('button', { name: 'Trace', exact: true }).click();
    await page.getByText('The visitor gets status 403 from the edge').waitFor();
    const step = page.locator('[data-step=ip-restriction]');
    expect(await step.getAttribute('data-outcome')).toBe('block');
    // The entry stands in the verdict above.
    await page.getByText('Blocked by IP restriction: 198.41.128.0/24').waitFor();
    expect(await step.textContent()).not.toContain('198.41.128.0/24');
    expect(await page.locator('[data-step=upstream]').getAttribute('data-outcome')).toBe('not_reached');

    await page.getByRole('button', { name: 'Trace another request' }).click();
    await page.getByLabel('Visitor’s IP').fill('9.9.9.9');
    await page.getByRole('button', { name: 'Trace', exact: true }).click();
    await page.getByText('The visitor gets your origin’s response').waitFor();
    await page.getByRole('rowheader', { name: 'X-Forwarded-For' }).waitFor();

    await until('logged', async () => {
      const { result } = await owner.api.listRecentRequests({ query: { route_id: route.id, request_id: requestId } });
      return result.length === 1;
    });
    await page.getByRole('button', { name: 'Trace another request' }).click();
    await page.getByLabel('Request ID').fill(requestId);
    await page.getByRole('button', { name: 'Find' }).click();
    await page.getByText('Blocked by IP restriction: 198.41.128.0/24').waitFor();
    await page.getByText('It would still be blocked', { exact: true }).waitFor();
    expect(await page.getByLabel('Address', { exact: true }).inputValue()).toBe(`http://${name}/shop?page=2`);
    expect(await page.getByLabel('Visitor’s IP').inputValue()).toBe('198.41.128.7');
    await page.getByRole('link', { name: 'Edit', exact: true }).click();
    await page.getByRole('dialog', { name: 'IP restriction' }).getByText('198.41.128.0/24').first().waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });

    // What has the focus leaves with the tab that the palette leads away from.
    await page.getByRole('button', { name: 'Edit IP restriction' }).focus();
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByRole('combobox').fill(requestId);
    await page.getByRole('option', { name: /403 · IP restriction/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('Blocked by IP restriction: 198.41.128.0/24').waitFor();
    await until('the focus on the heading', () =>
      page.getByRole('heading', { level: 1 }).evaluate((heading) => heading === document.activeElement),
    );
  });
});

describe('finding domains', () => {
  it('tells of many pasted names which are here, and leads there', async () => {
    const name = 'www.sought.example';
    const { result: route } = await owner.api.createRoute({
      body: {
        cname: owner.subscriptionCname,
        domain_name: name,
        upstreams: { protocol: 'http', targets: [{ host: '127.0.0.1', port: origin.port }] },
      },
    });
    await page.goto(`${instance.origin}/#/domain/list`);
    await page.getByRole('button', { name: 'Find domains', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Find domains' });
    await dialog.getByLabel('Names').fill(`${name.toUpperCase()}, www.absent.example, not_a_name`);
    await dialog.getByRole('button', { name: 'Find', exact: true }).click();
    await dialog.getByText('1 found, 2 not found.').waitFor();
    expect(await dialog.locator('[data-found]').count()).toBe(3);
    await dialog.getByRole('link', { name: route.domain_name, exact: true }).click();
    await page.waitForURL(new RegExp(`#/domain/list/${route.id}`));
  });

  it('selects those found in the list, to act on them together', async () => {
    await page.goto(`${instance.origin}/#/domain/list?q=nothing-like-it`);
    await page.getByRole('button', { name: 'Find domains', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Find domains' });
    await dialog.getByLabel('Names').fill('www.sought.example www.absent.example');
    await dialog.getByRole('button', { name: 'Find', exact: true }).click();
    await dialog.getByRole('button', { name: 'Select 1 domain in the list' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('1 domain selected').waitFor();
    await page.getByRole('button', { name: 'Move to group' }).waitFor();
  });
});

describe('a test attack', () => {
  it('shows in one press what the live protection stops, asks the origin nothing, and leads to the trace', async () => {
    const name = 'www.attacked.example';
    let asked = 0;
    const quiet = await startOrigin((req, res) => {
      // The diagnosis asks the origin, too, but not through the edge.
      if (req.headers['x-request-id'] !== undefined) asked++;
      res.end(`asked for ${req.url}`);
    });
    const route = await deployDomain(instance, owner, name, quiet.port);
    const when = { conditions: [{ field: 'path' as const, test: 'is' as const, values: ['/.env'] }] };
    await owner.api.updateRoute({
      params: { id: route.id },
      ifMatch: route.draft_revision,
      body: {
        plugins: [
          { name: 'ip-restriction', enabled: true, config: { deny: ['198.41.128.0/24'], blacklistMode: true } },
          { name: 'blackrules', enabled: true, config: { black_rules: [{ name: 'secrets', when }] } },
          { name: 'crowdsec-captcha', enabled: true, config: { maxretry: 60 } },
        ],
        deploy: true,
      },
    });
    const from = { 'x-forwarded-for': '198.41.128.7' };
    await until('blocked', async () => (await edgeRequest(instance.ports.edgeHttp, name, '/', from)).status === 403);
    asked = 0;
    await open(route.id);
    await page.getByRole('button', { name: 'Send a test attack' }).click();
    const dialog = page.getByRole('dialog', { name: 'Test attack' });
    await dialog.getByText('4 of 9 stopped').waitFor();
    const verdictOf = (attack: string) => dialog.locator(`[data-attack="${attack}"]`).getAttribute('data-verdict');
    expect(await verdictOf('testAttacks.denied')).toBe('block');
    expect(await verdictOf('testAttacks.flood')).toBe('challenge');
    expect(await verdictOf('environment_file')).toBe('block');
    expect(await verdictOf('sql_injection')).toBe('reached_origin');
    await dialog.getByText('Blocked by IP restriction · Blocked IP · 198.41.128.0/24').waitFor();
    expect(await verdictOf('scanner')).toBe('reached_origin');
    expect(asked).toBe(0);
    // By keys alone.
    await dialog.getByRole('link', { name: 'Trace: Looking for secrets: .env' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('Blocked by Custom rules: secrets').waitFor();
    expect(await page.getByLabel('Address', { exact: true }).inputValue()).toBe(`http://${name}/.env`);
    await quiet.close();
  });

  it('puts what stops the attacks into the draft, and leads to its deploy', async () => {
    const route = await deployDomain(instance, owner, 'www.defended.example', origin.port);
    await open(route.id);
    const send = page.getByRole('button', { name: 'Send a test attack' });
    await send.click();
    const dialog = page.getByRole('dialog', { name: 'Test attack' });
    await dialog.getByText('1 of 7 stopped').waitFor();
    await dialog.getByRole('button', { name: 'Block: SQL injection' }).click();
    await dialog.getByText('The draft blocks 1 more. Live once you deploy.').waitFor();
    await dialog.getByRole('button', { name: 'Block all 5' }).click();
    await dialog.getByText('The draft blocks 6 more. Live once you deploy.').waitFor();
    // By keys: what was pressed is gone.
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('dialog').getByRole('button', { name: 'Deploy now' }).click();
    await page.getByText('v2 live').first().waitFor();
    await dialog.getByText('7 of 7 stopped').waitFor();
  });
});
