import type { PluginEntry } from '@cordon/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Customer, createCustomer, createDomain, uniqueName, upstreamsTo } from '../../testing/fixtures.ts';
import { startApi, type TestApi } from '../../testing/start-api.ts';
import { createSubscriptionService } from '../subscriptions/service.ts';

let test: TestApi;
let customer: Customer;
beforeAll(async () => {
  test = await startApi();
});
afterAll(() => test.stop());
beforeEach(async () => {
  customer = await createCustomer(test, { plan: 'vip' });
});

const refusing = (...deny: string[]): PluginEntry => ({
  name: 'ip-restriction',
  enabled: true,
  config: { allow: [], deny, whitelistMode: false, blacklistMode: true, allow_spiders: true },
});
const host = (hostname: string): PluginEntry => ({ name: 'upstream-host', enabled: true, config: { hostname } });

const create = async (plugins: PluginEntry[], name = 'Scrapers') =>
  (await customer.client.createRule({ body: { cname: customer.cname, name, plugins } })).result;
const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  test.call(method, path, { token: customer.token, body, headers });
const change = async (id: string, plugins: PluginEntry[]) => {
  const { result } = await customer.client.getRoute({ params: { id } });
  return (await customer.client.updateRoute({ params: { id }, ifMatch: result.draft_revision, body: { plugins } }))
    .result;
};

describe('a rule', () => {
  it('is kept with every default written out, listed by name, found, changed and deleted', async () => {
    const body = {
      cname: customer.cname,
      name: ' Scrapers ',
      description: 'Known scrapers',
      plugins: [{ name: 'ip-restriction', enabled: true, config: { deny: ['198.41.128.7'], blacklistMode: true } }],
    };
    const { result } = await customer.client.createRule({ body });
    expect(result).toMatchObject({
      name: 'Scrapers',
      description: 'Known scrapers',
      subscription_cname: customer.cname,
      revision: 1,
      lists: 'replace',
      plugin_names: ['ip-restriction'],
      plugins: [refusing('198.41.128.7')],
      domains: 0,
      differing: 0,
      updated_by: customer.email,
    });
    await create([host('origin.example.net')], 'another origin');
    const listed = await customer.client.listRules();
    expect(listed.results.map(({ name }) => name)).toEqual(['another origin', 'Scrapers']);
    expect((await customer.client.listRules({ query: { q: 'KNOWN' } })).results.map(({ id }) => id)).toEqual([
      result.id,
    ]);
    expect(await customer.client.listRules({ query: { q: '%' } })).toMatchObject({ count: 0 });
    expect(await customer.client.listRules({ query: { perpage: 1, page: 2 } })).toMatchObject({
      count: 2,
      results: [{ name: 'Scrapers' }],
    });
    const { id } = result;
    const changed = await customer.client.updateRule({ params: { id }, ifMatch: 1, body: { name: 'Crawlers' } });
    expect(changed.result).toMatchObject({ name: 'Crawlers', description: 'Known scrapers', revision: 2 });
    const stale = await send('PATCH', `domain/rules/${id}/`, { name: 'Late' }, { 'if-match': '"1"' });
    expect([stale.status, stale.body.code]).toEqual([409, 'STALE_REVISION']);
    expect((await send('PATCH', `domain/rules/${id}/`, { name: 'Blind' })).status).toBe(428);
    expect((await send('DELETE', `domain/rules/${id}/`, { cname: customer.cname })).status).toBe(200);
    expect((await send('GET', `domain/rules/${id}/`)).status).toBe(404);
  });

  it('may only switch a setting off, and says so in the list', async () => {
    const off = { name: 'ip-restriction', enabled: false, config: {} };
    const { id } = await create([off, host('origin.example.net')]);
    expect((await customer.client.getRule({ params: { id } })).result.plugins).toEqual([
      off,
      host('origin.example.net'),
    ]);
    expect((await customer.client.listRules()).results[0]).toMatchObject({
      plugin_names: ['ip-restriction', 'upstream-host'],
      switched_off: ['ip-restriction'],
    });
    // With settings of its own it is held to them.
    const half = { ...off, config: { blacklistMode: true } };
    const body = { cname: customer.cname, name: 'Half', plugins: [half] };
    expect((await send('POST', 'domain/rules/', body)).body).toMatchObject({
      'plugins.0.config.deny': 'IP_RESTRICTION_EMPTY',
    });
  });

  it('has a name of its own in its subscription', async () => {
    await create([refusing('198.41.128.7')]);
    const again = await send('POST', 'domain/rules/', {
      cname: customer.cname,
      name: 'SCRAPERS',
      plugins: [refusing('198.41.128.7')],
    });
    expect([again.status, again.body.name]).toEqual([422, 'RULE_NAME_TAKEN']);
    const other = await create([refusing('198.41.128.7')], 'Other');
    const renamed = await send('PATCH', `domain/rules/${other.id}/`, { name: 'scrapers' }, { 'if-match': '"1"' });
    expect([renamed.status, renamed.body.name]).toEqual([422, 'RULE_NAME_TAKEN']);
  });

  it.each([
    [{ plugins: [] }, 'plugins', 'TOO_FEW'],
    [{}, 'plugins', 'REQUIRED'],
    [{ plugins: [refusing('1.1.1.1'), refusing('8.8.8.8')] }, 'plugins.1.name', 'DUPLICATE_ENTRY'],
    [{ plugins: [{ name: 'no-such', enabled: true, config: {} }] }, 'plugins.0.name', 'PLUGIN_UNKNOWN'],
    [{ plugins: [refusing('300.1.1.1')] }, 'plugins.0.config.deny.0', 'ADDRESS_INVALID'],
    [{ name: ' ', plugins: [refusing('1.1.1.1')] }, 'name', 'REQUIRED'],
    [{ name: 'n'.repeat(101), plugins: [refusing('1.1.1.1')] }, 'name', 'TOO_LONG'],
  ])('is refused where it is wrong: %j', async (part, field, code) => {
    const body = { cname: customer.cname, name: 'Template', ...part };
    const { status, body: answer } = await send('POST', 'domain/rules/', body);
    expect(status).toBe(422);
    expect(answer).toMatchObject({ [field]: code });
  });

  it('cannot hold what the plan does not include', async () => {
    const free = await createCustomer(test);
    const body = { cname: free.cname, name: 'Bucket', plugins: [host('bucket.example.net')] };
    const { status, body: answer } = await test.call('POST', 'domain/rules/', { token: free.token, body });
    expect(status).toBe(422);
    expect(answer).toMatchObject({ 'plugins.0.enabled': 'PLUGIN_NEEDS_VIP' });
  });

  it('is made from a domain of the same subscription', async () => {
    const { id } = await createDomain(customer);
    const body = { cname: customer.cname, name: 'From', from_route: id };
    expect((await send('POST', 'domain/rules/', body)).body).toMatchObject({ from_route: 'RULE_SOURCE_EMPTY' });
    await change(id, [refusing('198.41.128.7'), host('origin.example.net')]);
    const made = await customer.client.createRule({ body });
    expect(made.result.plugins).toEqual([refusing('198.41.128.7'), host('origin.example.net')]);
    const otherCustomer = await createCustomer(test, { plan: 'vip' });
    const taken = await test.call('POST', 'domain/rules/', {
      token: otherCustomer.token,
      body: { ...body, cname: otherCustomer.cname },
    });
    expect([taken.status, taken.body.code]).toEqual([404, 'NOT_FOUND']);
  });
});

describe('the subscription of a rule', () => {
  it('named wrongly is 404, and nothing is deleted', async () => {
    const { id } = await create([refusing('198.41.128.7')]);
    const otherCustomer = await createCustomer(test);
    for (const cname of ['no-such.free01.edge.cordon.test', otherCustomer.cname]) {
      const { status, body } = await send('DELETE', `domain/rules/${id}/`, { cname });
      expect([status, body.code]).toEqual([404, 'SUBSCRIPTION_NOT_FOUND']);
    }
    expect((await send('DELETE', `domain/rules/${id}/`)).status).toBe(422);
    expect((await send('GET', `domain/rules/${id}/`)).status).toBe(200);
    const foreign = { cname: otherCustomer.cname, name: 'X', plugins: [refusing('1.1.1.1')] };
    expect((await send('POST', 'domain/rules/', foreign)).body).toMatchObject({ code: 'SUBSCRIPTION_NOT_FOUND' });
    await expect(customer.client.listRules({ query: { cname: otherCustomer.cname } })).rejects.toMatchObject({
      code: 'SUBSCRIPTION_NOT_FOUND',
    });
  });
});

describe('with a second subscription', () => {
  it('a rule belongs to its own, and so do the domains it knows', async () => {
    const { env, db } = test.api.platform;
    const subscriptions = createSubscriptionService(env, db);
    const added = await subscriptions.add(customer.accountId, 'vip');
    const { cname } = await subscriptions.get(customer.accountId, { id: added });
    const { id } = await create([refusing('198.41.128.7')]);
    const wrong = await send('DELETE', `domain/rules/${id}/`, { cname });
    expect([wrong.status, wrong.body.code]).toEqual([404, 'SUBSCRIPTION_NOT_FOUND']);
    expect((await send('GET', `domain/rules/${id}/`)).status).toBe(200);
    const there = await createDomain({ ...customer, cname });
    const answer = await send('POST', `domain/rules/${id}/preview/`, { selection: { names: [there.domain_name] } });
    expect(answer.body).toMatchObject({ 'selection.names.0': 'DOMAIN_UNKNOWN' });
    const all = await send('POST', `domain/rules/${id}/preview/`, { selection: { filter: {} } });
    expect(all.body.count).toBe(0);
    const from = { cname: customer.cname, name: 'From there', from_route: there.id };
    expect((await send('POST', 'domain/rules/', from)).status).toBe(404);
    // The same name once in each.
    await customer.client.createRule({ body: { cname, name: 'Scrapers', plugins: [refusing('1.1.1.1')] } });
    expect((await customer.client.listRules({ query: { cname } })).count).toBe(1);
  });
});

describe('a preview', () => {
  const preview = async (id: string, selection: object, query = '') => {
    const { status, body } = await send('POST', `domain/rules/${id}/preview/${query}`, { selection });
    return { status, body };
  };

  it('tells for each domain what changes, and changes nothing', async () => {
    const plain = await createDomain(customer, uniqueName('alpha.example'));
    const set = await createDomain(customer, uniqueName('beta.example'));
    const before = await change(set.id, [refusing('198.41.128.7'), host('origin.example.net')]);
    const { id } = await create([refusing('104.16.0.0/13')]);
    const { status, body } = await preview(id, { names: [set.domain_name, plain.domain_name] });
    expect(status).toBe(200);
    const [of, to] = [plain, set].map(({ id: one }) => body.results.find(({ route_id }: never) => route_id === one));
    expect(of).toMatchObject({
      before: { traffic_action: 'upstream', plugins: [] },
      after: { traffic_action: 'upstream', plugins: [refusing('104.16.0.0/13')] },
      changed: ['ip-restriction'],
      error: null,
      deploys: false,
    });
    expect(to).toMatchObject({
      before: { plugins: [refusing('198.41.128.7')] },
      after: { plugins: [refusing('104.16.0.0/13')] },
      changed: ['ip-restriction'],
    });
    expect((await customer.client.getRoute({ params: { id: set.id } })).result).toMatchObject({
      draft: before.draft,
      draft_revision: before.draft_revision,
    });
  });

  it('names what would be refused, per domain', async () => {
    const name = uniqueName();
    const looping = await createDomain(customer, name);
    const fine = await createDomain(customer);
    const to = { name: 'redirect', enabled: true, config: { redirect_url: `https://${name}/new` } };
    const { id } = await create([to]);
    const { body } = await preview(id, { names: [name, fine.domain_name] });
    const results = new Map(body.results.map((one: { route_id: string }) => [one.route_id, one]));
    expect(results.get(looping.id)).toMatchObject({
      error: { code: null, fields: { 'plugins.0.config.redirect_url': 'REDIRECT_LOOP' } },
      changed: [],
    });
    expect(results.get(fine.id)).toMatchObject({
      error: null,
      changed: ['traffic_action', 'redirect'],
      after: { traffic_action: 'redirect' },
    });
  });

  it('goes page by page over what matches a filter', async () => {
    for (const name of ['a', 'b', 'c']) await createDomain(customer, `${name}.${uniqueName('page.example')}`);
    await createDomain(customer, uniqueName('other.example'));
    const { id } = await create([refusing('1.1.1.1')]);
    const { body } = await preview(id, { filter: { q: 'page.example' } }, '?perpage=2&page=2');
    expect(body).toMatchObject({ count: 3, page: 2, perpage: 2 });
    expect(body.results.map((one: { domain_name: string }) => one.domain_name)).toEqual([
      expect.stringMatching(/^c\./),
    ]);
    expect((await preview(id, { filter: { status: 'running' } })).body.count).toBe(0);
    expect((await preview(id, { filter: {} })).body.count).toBe(4);
    expect((await preview(id, { filter: { cname: customer.cname } })).body.count).toBe(4);
    const otherCustomer = await createCustomer(test);
    expect((await preview(id, { filter: { cname: otherCustomer.cname } })).body.count).toBe(0);
    const { results } = await customer.client.listRoutes({ query: { q: 'other.example' } });
    const exactly = { domain_name: results[0]?.domain_name };
    expect((await preview(id, { filter: exactly })).body.count).toBe(1);
  });

  it.each([
    [{}, 'selection', 'SELECTION_REQUIRED'],
    [{ names: ['a.example'], filter: {} }, 'selection', 'SELECTION_REQUIRED'],
    [{ names: [] }, 'selection.names', 'TOO_FEW'],
    [{ names: ['no.such.example'] }, 'selection.names.0', 'DOMAIN_UNKNOWN'],
    [
      { names: Array.from({ length: 10 }, (_, at) => `${at}${'x'.repeat(180)}`) },
      'selection.names',
      'SELECTION_TOO_LONG',
    ],
  ])('of %j is refused', async (selection, field, code) => {
    const { id } = await create([refusing('1.1.1.1')]);
    const { status, body } = await preview(id, selection);
    expect(status).toBe(422);
    expect(body).toMatchObject({ [field]: code });
  });

  it('knows only domains of its subscription, whatever the account has besides', async () => {
    const otherCustomer = await createCustomer(test, { plan: 'vip' });
    const theirs = await createDomain(otherCustomer);
    const { id } = await create([refusing('1.1.1.1')]);
    const { body } = await preview(id, { names: [theirs.domain_name] });
    expect(body).toMatchObject({ 'selection.names.0': 'DOMAIN_UNKNOWN' });
    expect((await preview(id, { filter: {} })).body.count).toBe(0);
  });

  it('is not fooled by a draft that was kept before a field existed', async () => {
    const { id: routeId, domain_name } = await createDomain(customer);
    await change(routeId, [refusing('1.1.1.1')]);
    await test.api.platform.pool.query(
      `UPDATE routes SET draft = jsonb_set(draft, '{plugins,0,config}', (draft #> '{plugins,0,config}') - 'allow_spiders') WHERE id = $1`,
      [routeId],
    );
    const { id } = await create([refusing('1.1.1.1')]);
    const { body } = await preview(id, { names: [domain_name] });
    expect(body.results[0]).toMatchObject({ changed: [], before: { plugins: [refusing('1.1.1.1')] } });
  });

  it('says what else waits in the draft of a running domain', async () => {
    const { id: routeId, domain_name } = await createDomain(customer);
    await customer.client.deployRoute({ params: { id: routeId }, ifMatch: 1, body: {} });
    const { result } = await customer.client.getRoute({ params: { id: routeId } });
    await customer.client.updateRoute({
      params: { id: routeId },
      ifMatch: result.draft_revision,
      // The rule's own plugin is replaced: only the other setting goes along.
      body: { upstreams: upstreamsTo('8.8.8.8'), plugins: [refusing('9.9.9.9')] },
    });
    const { id } = await create([refusing('1.1.1.1')]);
    const { body } = await preview(id, { names: [domain_name] });
    expect(body.results[0]).toMatchObject({ deploys: true, also_deploys: 1, changed: ['ip-restriction'] });
  });

  it('says whether visitors have it already, or a draft that waits to be deployed', async () => {
    const { id: routeId, domain_name } = await createDomain(customer);
    await change(routeId, [refusing('1.1.1.1')]);
    const { id } = await create([refusing('1.1.1.1')]);
    const shown = async () => (await preview(id, { names: [domain_name] })).body.results[0];
    const revision = async () => (await customer.client.getRoute({ params: { id: routeId } })).result.draft_revision;
    expect(await shown()).toMatchObject({ changed: [], deploys: false, is_live: false });
    await customer.client.deployRoute({ params: { id: routeId }, ifMatch: await revision(), body: {} });
    expect(await shown()).toMatchObject({ changed: [], deploys: true, is_live: true });
    await change(routeId, [refusing('9.9.9.9')]);
    expect(await shown()).toMatchObject({ changed: ['ip-restriction'], is_live: true });
    await customer.client.deployRoute({ params: { id: routeId }, ifMatch: await revision(), body: {} });
    await change(routeId, [refusing('1.1.1.1')]);
    expect(await shown()).toMatchObject({ changed: [], deploys: true, is_live: false });
  });
});
