import type { BatchItem, Route } from '@cordon/contract';
import { beforeEach, describe, expect, it } from 'vitest';
import { startEdgeApi } from '../../testing/edge-api.ts';
import {
  type Customer,
  configuredPlugins,
  createCustomer,
  createDomain,
  eventually,
  uniqueName,
  upstreamsTo,
} from '../../testing/fixtures.ts';

const { test, node } = await startEdgeApi();
let customer: Customer;
beforeEach(async () => {
  await node.heartbeat();
  customer = await createCustomer(test, { plan: 'vip' });
});

const refusing = {
  name: 'ip-restriction',
  enabled: true,
  config: { allow: [], deny: ['198.41.128.7'], whitelistMode: false, blacklistMode: true, allow_spiders: true },
};
const get = async (id: string | null | undefined): Promise<Route> =>
  (await customer.client.getRoute({ params: { id: id ?? '' } })).result;

async function source(): Promise<Route> {
  const body = {
    cname: customer.cname,
    domain_name: uniqueName(),
    upstreams: upstreamsTo('8.8.4.4', 8443),
    plugins: [refusing],
    remarks: 'The shop',
    deploy: true,
  };
  const { id } = (await customer.client.createRoute({ body })).result;
  return eventually(async () => {
    const route = await get(id);
    // Live, and its name looked at: nothing changes it any more.
    return route.operation?.state === 'successful' && route.ownership.checked_at !== null && route;
  });
}
async function clone(id: string, body: object): Promise<BatchItem[]> {
  const started = await test.call('POST', `domain/routes/${id}/clone/`, { token: customer.token, body });
  expect(started.status, started.text).toBe(202);
  const params = { id: started.body.result.id };
  await eventually(async () => (await customer.client.getBatch({ params })).result.state !== 'running');
  return (await customer.client.listBatchItems({ params })).results;
}

describe('a clone', () => {
  it('has the configuration of the draft, and nothing else of the source', async () => {
    const from = await source();
    const [first, second] = [uniqueName(), uniqueName()];
    const items = await clone(from.id, { domain_names: [first, second] });
    expect(items.map(({ name, state }) => [name, state])).toEqual([
      [first, 'successful'],
      [second, 'successful'],
    ]);
    const made = await get(items[0]?.route_id);
    expect(made).toMatchObject({
      domain_name: first,
      draft: from.draft,
      subscription_cname: from.subscription_cname,
      remarks: '',
      status: 'deactivated',
      version_live: null,
      live: null,
      last_deployed: null,
      draft_revision: 1,
      draft_updated_by: customer.email,
      shadow_domains: [],
    });
    expect(made.ownership.state).toBe('pending');
    expect(new Set([from.cname, made.cname, (await get(items[1]?.route_id)).cname]).size).toBe(3);
    expect((await customer.client.listVersions({ params: { id: made.id } })).count).toBe(0);
    expect(await get(from.id)).toEqual(from);
  });

  it('is deployed if asked', async () => {
    const from = await source();
    const [item] = await clone(from.id, { domain_names: [uniqueName()], deploy: true, remarks: 'Copy' });
    expect(item).toMatchObject({ state: 'successful', result: { deployed: true } });
    expect(await get(item?.route_id)).toMatchObject({
      status: 'running',
      version_live: 1,
      remarks: 'Copy',
      live: from.draft,
      operation: { state: 'successful' },
    });
    expect(configuredPlugins(node.routes.get(item?.route_id ?? ''))).toEqual([
      { name: 'ip-restriction', config: refusing.config },
    ]);
  });

  it('onto a name that is taken is refused at that name, and adds none', async () => {
    const from = await source();
    const otherCustomer = await createCustomer(test);
    const { domain_name: taken } = await createDomain(otherCustomer);
    const body = { domain_names: [uniqueName(), taken, from.domain_name] };
    const answer = await test.call('POST', `domain/routes/${from.id}/clone/`, { token: customer.token, body });
    expect(answer.status).toBe(422);
    expect(answer.body).toMatchObject({
      'domain_names.1': 'DOMAIN_NAME_TAKEN',
      'domain_names.2': 'DOMAIN_NAME_YOURS',
    });
    expect((await customer.client.listRoutes()).count).toBe(1);
  });

  it('stops at the names that the plan has left', async () => {
    customer = await createCustomer(test);
    const from = await createDomain(customer);
    const names = [uniqueName(), uniqueName(), uniqueName()];
    const items = await clone(from.id, { domain_names: names });
    expect(items.filter(({ state }) => state === 'successful')).toHaveLength(2);
    expect(items.find(({ state }) => state === 'failed')?.error).toMatchObject({ code: 'QUOTA_REACHED' });
    expect((await customer.client.listRoutes()).count).toBe(3);
  });

  it('of a redirect to a name is refused for that name: it would lead back to itself', async () => {
    const name = uniqueName();
    const plugins = [{ name: 'redirect', enabled: true, config: { redirect_url: `https://${name}/` } }];
    const body = { cname: customer.cname, domain_name: uniqueName(), traffic_action: 'redirect' as const, plugins };
    const { id } = (await customer.client.createRoute({ body })).result;
    const [item] = await clone(id, { domain_names: [name] });
    expect(item?.error).toMatchObject({ fields: { 'plugins.0.config.redirect_url': 'REDIRECT_LOOP' } });
  });

  it.each([
    [{ domain_names: [] }, 'domain_names', 'TOO_FEW'],
    [{ domain_names: ['https://shop.example'] }, 'domain_names.0', 'DOMAIN_NAME_IS_URL'],
    [{ domain_names: ['a.example', 'A.example'] }, 'domain_names.1', 'DUPLICATE_ENTRY'],
  ])('asked for with %j is refused at once', async (body, field, code) => {
    const { id } = await createDomain(customer);
    const answer = await test.call('POST', `domain/routes/${id}/clone/`, { token: customer.token, body });
    expect(answer.status).toBe(422);
    expect(answer.body).toMatchObject({ [field]: code });
  });

  it('goes to no subscription of another account', async () => {
    const { id } = await createDomain(customer);
    const otherCustomer = await createCustomer(test);
    const body = { domain_names: [uniqueName()], cname: otherCustomer.cname };
    const answer = await test.call('POST', `domain/routes/${id}/clone/`, { token: customer.token, body });
    expect([answer.status, answer.body.code]).toEqual([404, 'SUBSCRIPTION_NOT_FOUND']);
  });
});
