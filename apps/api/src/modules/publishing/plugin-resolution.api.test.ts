import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type Customer,
  createCustomer,
  eventually,
  type FakeNode,
  startFakeNode,
  uniqueName,
  upstreamsTo,
} from '../../testing/fixtures.ts';
import { startApi, type TestApi } from '../../testing/start-api.ts';

/** What a plugin fetches when a configuration is deployed, shown by pages in place of errors. */

let test: TestApi;
let node: FakeNode;
let customer: Customer;
const asked: string[] = [];
const pages = new Map<string, string>();
const server = createServer((req, res) => {
  asked.push(req.url ?? '');
  const page = pages.get(req.url ?? '');
  if (page === undefined) res.writeHead(302, { location: '/elsewhere' }).end();
  else res.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page);
});
const addressOf = (path: string) => `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  test = await startApi({ CORDON_UPSTREAM_ALLOW: `127.0.0.1:${(server.address() as AddressInfo).port}` });
  node = await startFakeNode(test);
});
afterAll(async () => {
  node.stop();
  server.close();
  await test.stop();
});
beforeEach(async () => {
  customer = await createCustomer(test, { plan: 'vip' });
});

/** A page under a path of its own, and the plugin that shows it. */
function errorPage(body: string) {
  const path = `/${pages.size}.html`;
  pages.set(path, body);
  return { path, plugin: pluginOf(addressOf(path)) };
}
const pluginOf = (url: string, enabled = true) => ({
  name: 'custom-error-page',
  enabled,
  config: { error_404: url },
});

async function add(body: Record<string, unknown>) {
  const whole = { cname: customer.cname, domain_name: uniqueName(), upstreams: upstreamsTo(), ...body };
  return test.call('POST', 'domain/routes/', { token: customer.token, body: whole });
}
const revisionOf = async (id: string) => (await customer.client.getRoute({ params: { id } })).result.draft_revision;
const timesAsked = (path: string) => asked.filter((one) => one === path).length;

/** The page that the node has for a version of the domain. */
const pageAtNode = (id: string, version: number) =>
  eventually(() => {
    const route = node.routes.get(id);
    if (route?.version !== version) return undefined;
    const plugin = route.plugins.find(({ name }) => name === 'custom-error-page');
    return (plugin?.resolved as { pages: { status: number; body: string }[] } | undefined)?.pages[0];
  });

describe('what a plugin fetches', () => {
  it('reaches the nodes with the version, and is asked for once by a save and the deploy that follows', async () => {
    const { path, plugin } = errorPage('<h1>Gone</h1>');
    const added = await add({ plugins: [plugin] });
    expect(added.status, JSON.stringify(added.body)).toBe(201);
    const { id } = (added.body as { result: { id: string } }).result;
    expect(timesAsked(path)).toBe(0);
    await customer.client.deployRoute({ params: { id }, ifMatch: await revisionOf(id), body: {} });
    expect(await pageAtNode(id, 1)).toEqual({
      status: 404,
      contentType: 'text/html; charset=utf-8',
      body: '<h1>Gone</h1>',
    });
    expect(timesAsked(path)).toBe(1);
    const { result } = await customer.client.getRoute({ params: { id } });
    expect(JSON.stringify(result)).not.toContain('<h1>Gone</h1>');
  });

  it('stays as it was deployed when the domain changes without a version, whatever the address has now', async () => {
    const { path, plugin } = errorPage('first');
    const added = await add({ plugins: [plugin], deploy: true });
    const { id } = (added.body as { result: { id: string } }).result;
    expect((await pageAtNode(id, 1))?.body).toBe('first');
    pages.set(path, 'second');
    await test.api.platform.db.deleteFrom('plugin_resolutions').execute();
    const changes = node.changes.length;
    await customer.client.addShadowDomains({ params: { id }, body: { names: [uniqueName()] } });
    await eventually(() => node.changes.slice(changes).some((change) => change.route?.hosts.length === 2));
    expect((await pageAtNode(id, 1))?.body).toBe('first');
    await customer.client.deployRoute({ params: { id }, ifMatch: await revisionOf(id), body: {} });
    expect((await pageAtNode(id, 2))?.body).toBe('second');
  });

  it('is fetched for many domains of one account once', async () => {
    const { path, plugin } = errorPage('shared');
    const ids: string[] = [];
    for (let count = 0; count < 3; count++) {
      const added = await add({ plugins: [plugin] });
      ids.push((added.body as { result: { id: string } }).result.id);
    }
    const names = await Promise.all(
      ids.map(async (id) => (await customer.client.getRoute({ params: { id } })).result.domain_name),
    );
    await customer.client.bulkRoutes({ body: { action: 'deploy', selection: { names } } });
    for (const id of ids) expect((await pageAtNode(id, 1))?.body).toBe('shared');
    expect(timesAsked(path)).toBe(1);
  });

  it('is not asked for by the preview of a rule, which changes nothing', async () => {
    const { path, plugin } = errorPage('previewed');
    const added = await add({});
    const { cname } = customer;
    const { result: rule } = await customer.client.createRule({ body: { cname, name: 'Pages', plugins: [plugin] } });
    const { domain_name } = (added.body as { result: { domain_name: string } }).result;
    const names = { selection: { names: [domain_name] } };
    const { results } = await customer.client.previewRule({ params: { id: rule.id }, body: names });
    expect(results).toMatchObject([{ changed: ['custom-error-page'], error: null }]);
    expect(timesAsked(path)).toBe(0);
  });

  it.each([
    ['a page that leads elsewhere', () => addressOf('/missing'), 'ERROR_PAGE_REDIRECTS'],
    ['a port of this machine that is not excepted', () => 'http://127.0.0.1:1/', 'ERROR_PAGE_UNREACHABLE'],
    ['a private address', () => 'http://10.0.0.1/', 'ERROR_PAGE_UNREACHABLE'],
    ['a name that does not exist', () => 'http://nowhere.example.net/', 'ERROR_PAGE_UNREACHABLE'],
  ])('refuses %s at its field, and saves nothing', async (_, url, code) => {
    const domain_name = uniqueName();
    const refused = await add({ domain_name, plugins: [pluginOf(url())], deploy: true });
    expect(refused.status).toBe(422);
    expect(refused.body).toMatchObject({ 'plugins.0.config.error_404': code });
    expect((await customer.client.listRoutes({ query: { domain_name } })).count).toBe(0);
  });

  it('may be missing in a draft, which is deployed once all of it is there', async () => {
    const missing = addressOf('/missing');
    const broken = [{ ...pluginOf(missing), config: { error_404: missing, error_502: `${missing}?too` } }];
    const added = await add({ plugins: broken });
    expect(added.status, JSON.stringify(added.body)).toBe(201);
    const { id } = (added.body as { result: { id: string } }).result;
    const faults = {
      'plugins.0.config.error_404': 'ERROR_PAGE_REDIRECTS',
      'plugins.0.config.error_502': 'ERROR_PAGE_REDIRECTS',
    };
    const named = {
      'plugins.custom-error-page.config.error_404': 'ERROR_PAGE_REDIRECTS',
      'plugins.custom-error-page.config.error_502': 'ERROR_PAGE_REDIRECTS',
    };
    const change = async (body: Record<string, unknown>) =>
      test.call('PATCH', `domain/routes/${id}/`, {
        token: customer.token,
        body,
        headers: { 'if-match': `"${await revisionOf(id)}"` },
      });
    expect((await change({ plugins: broken, deploy: true })).body).toMatchObject(faults);
    expect((await change({ plugins: broken, remarks: 'kept' })).status).toBe(200);
    await expect(
      customer.client.deployRoute({ params: { id }, ifMatch: await revisionOf(id), body: {} }),
    ).rejects.toMatchObject({ fields: named });
    // What was not sent has no position in the request, whatever else was.
    for (const sent of [
      { upstreams: upstreamsTo('1.1.1.1') },
      { plugins: [{ name: 'redirect', enabled: false, config: {} }] },
    ])
      expect((await change({ ...sent, deploy: true })).body).toMatchObject(named);
    const { plugin } = errorPage('there');
    expect((await change({ plugins: [plugin], deploy: true })).status).toBe(200);
    expect((await pageAtNode(id, 1))?.body).toBe('there');
  });

  it('is not fetched for a plugin that is switched off', async () => {
    const { path, plugin } = errorPage('off');
    expect((await add({ plugins: [{ ...plugin, enabled: false }], deploy: true })).status).toBe(201);
    expect(timesAsked(path)).toBe(0);
  });

  it('is another account’s own: nothing of one is given to another', async () => {
    const { path, plugin } = errorPage('mine');
    await add({ plugins: [plugin], deploy: true });
    expect(timesAsked(path)).toBe(1);
    customer = await createCustomer(test, { plan: 'vip' });
    pages.set(path, 'yours');
    const added = await add({ plugins: [plugin], deploy: true });
    const { id } = (added.body as { result: { id: string } }).result;
    expect((await pageAtNode(id, 1))?.body).toBe('yours');
  });
});
