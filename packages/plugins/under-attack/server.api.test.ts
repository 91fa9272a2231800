import type { Route } from '@cordon/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { startEdgeApi } from '../../../apps/api/src/testing/edge-api.ts';
import {
  type Customer,
  createCustomer,
  eventually,
  uniqueName,
  upstreamsTo,
} from '../../../apps/api/src/testing/fixtures.ts';

const { test, node } = await startEdgeApi();
let customer: Customer;
let route: Route;

beforeAll(async () => {
  customer = await createCustomer(test, { plan: 'vip' });
  const body = { cname: customer.cname, domain_name: uniqueName(), upstreams: upstreamsTo() };
  const { result } = await customer.client.createRoute({ body });
  await customer.client.deployRoute({ params: { id: result.id }, ifMatch: 1, body: {} });
  await eventually(() => node.routes.has(result.id));
  route = result;
});

const isKnown = (scope: string) =>
  ['0.0.0.0/0', '::/0'].every((network) => node.feeds.has(`under-attack ${scope} ${network}`));
const list = async (query = {}) => (await customer.client.listAttackModes({ query })).result;
const secondsLeft = (time: string | undefined) => (Date.parse(time ?? '') - Date.now()) / 1000;

describe('Under Attack mode', () => {
  it('of a domain is with the nodes at once, without a version, and gone at once when it is ended', async () => {
    const body = { route_id: route.id, seconds: 600 };
    const { result } = await customer.client.startAttackMode({ body });
    expect(result).toMatchObject({
      route_id: route.id,
      domain_name: route.domain_name,
      started_by: customer.email,
    });
    await eventually(() => isKnown(route.id));
    expect(await list()).toEqual([result]);
    expect(await list({ route_id: route.id })).toEqual([result]);
    expect(secondsLeft(result.ends_at)).toBeGreaterThan(590);
    expect((await customer.client.getRoute({ params: { id: route.id } })).result.version_live).toBe(1);

    const ended = await customer.client.endAttackMode({ body: { route_id: route.id } });
    expect(ended.result).toEqual({ ended: true });
    await eventually(() => !isKnown(route.id));
    expect(await list()).toEqual([]);
    expect((await customer.client.endAttackMode({ body: { route_id: route.id } })).result).toEqual({ ended: false });
  });

  it('of the account holds for each of its domains', async () => {
    await customer.client.startAttackMode({ body: { seconds: 600 } });
    await eventually(() => isKnown(customer.accountId));
    expect(await list({ route_id: route.id })).toMatchObject([{ route_id: null, domain_name: null }]);
    await customer.client.endAttackMode({ body: {} });
    await eventually(() => !isKnown(customer.accountId));
  });

  it('is made longer or shorter by another start, and keeps its beginning', async () => {
    const first = await customer.client.startAttackMode({ body: { route_id: route.id, seconds: 600 } });
    const second = await customer.client.startAttackMode({ body: { route_id: route.id, seconds: 60 } });
    expect(second.result.started_at).toBe(first.result.started_at);
    expect(secondsLeft((await list())[0]?.ends_at)).toBeLessThanOrEqual(60);
    await customer.client.endAttackMode({ body: { route_id: route.id } });
  });

  it.each([59, 7 * 86_400 + 1, 1.5])('is not started for %s seconds', async (seconds) => {
    const start = customer.client.startAttackMode({ body: { route_id: route.id, seconds } });
    await expect(start).rejects.toMatchObject({ fields: { seconds: expect.any(String) } });
    expect(await list()).toEqual([]);
  });

  it('of another account is neither seen nor changed', async () => {
    const stranger = await createCustomer(test);
    await customer.client.startAttackMode({ body: { route_id: route.id, seconds: 600 } });
    const ofRoute = { route_id: route.id };
    for (const call of [
      () => stranger.client.listAttackModes({ query: ofRoute }),
      () => stranger.client.startAttackMode({ body: { ...ofRoute, seconds: 60 } }),
      () => stranger.client.endAttackMode({ body: ofRoute }),
    ])
      await expect(call()).rejects.toMatchObject({ status: 404 });
    expect((await stranger.client.listAttackModes({ query: {} })).result).toEqual([]);
    expect(secondsLeft((await list())[0]?.ends_at)).toBeGreaterThan(500);
    await customer.client.endAttackMode({ body: ofRoute });
  });

  it('is in the audit log, by whom and for how long', async () => {
    await customer.client.startAttackMode({ body: { route_id: route.id, seconds: 120 } });
    await customer.client.endAttackMode({ body: { route_id: route.id } });
    const { results } = await customer.client.listAuditLines({ query: {} });
    expect(results.slice(0, 2)).toMatchObject([
      { action: 'under-attack.end', actor: { name: customer.email } },
      { action: 'under-attack.start', actor: { name: customer.email }, details: { seconds: 120 } },
    ]);
  });
});
