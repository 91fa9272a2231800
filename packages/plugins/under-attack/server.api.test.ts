import type { Route } from '@cordon/contract';
import type { BusyRoute } from '@cordon/plugin-kit/server';
import { beforeAll, describe, expect, it } from 'vitest';
import { createFeedService } from '../../../apps/api/src/modules/edge-nodes/feed-service.ts';
import { createPluginServersModule } from '../../../apps/api/src/modules/plugin-servers/module.ts';
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

describe('Under Attack mode that starts by itself', () => {
  let busy: BusyRoute[] = [];
  const servers = createPluginServersModule({
    platform: test.api.platform,
    feeds: createFeedService(),
    subscriptions: { tierOf: () => Promise.reject(new Error('no tier is asked for here')) },
    traffic: { listBusyRoutes: async (least) => busy.filter(({ requests }) => requests >= least) },
  });
  const watch = () => servers.jobs?.['watch-traffic']?.({} as never);
  let automatic: Route;
  const surge = (requests: number, usual: number | null, routeId = automatic.id) => {
    busy = [{ account_id: customer.accountId, route_id: routeId, requests, usual }];
    return watch();
  };
  const ofRoute = () => ({ route_id: automatic.id });

  beforeAll(async () => {
    const plugins = [{ name: 'under-attack', enabled: true, config: { automatic: true } }];
    const body = { cname: customer.cname, domain_name: uniqueName(), upstreams: upstreamsTo(), plugins };
    const { result } = await customer.client.createRoute({ body });
    await customer.client.deployRoute({ params: { id: result.id }, ifMatch: 1, body: {} });
    await eventually(() => node.routes.has(result.id));
    automatic = result;
  });

  it.each([
    [599, 1],
    [4999, 1000],
    [5999, null],
  ])('does not for %i requests a minute where %j are usual', async (requests, usual) => {
    await surge(requests, usual);
    expect(await list()).toEqual([]);
  });

  it('does not for a domain that does not ask for it', async () => {
    await surge(100_000, 1, route.id);
    expect(await list()).toEqual([]);
  });

  it('says what for, goes on while the surge does, and keeps its beginning', async () => {
    await surge(5000, 1000);
    await eventually(() => isKnown(automatic.id));
    const [first] = await list();
    expect(first).toMatchObject({ started_by: '', requests_per_minute: 5000, usual_per_minute: 1000 });
    expect(secondsLeft(first?.ends_at)).toBeGreaterThan(890);
    await surge(9000, 1000);
    const [later] = await list();
    expect(later).toMatchObject({ started_at: first?.started_at, requests_per_minute: 5000 });
    expect(Date.parse(later?.ends_at ?? '')).toBeGreaterThan(Date.parse(first?.ends_at ?? ''));
    const { results } = await customer.client.listAuditLines({ query: {} });
    const lines = results.filter(({ object }) => object.id === automatic.id);
    expect(lines[0]).toMatchObject({ action: 'under-attack.start', actor: { kind: 'system' } });
    expect(lines.filter(({ action }) => action === 'under-attack.start')).toHaveLength(1);
  });

  it('rests for an hour after a user has ended it', async () => {
    await customer.client.endAttackMode({ body: ofRoute() });
    await surge(50_000, 1000);
    expect(await list()).toEqual([]);
    await test.api.platform.db.deleteFrom('attack_pauses' as never).execute();
    await surge(50_000, 1000);
    expect(await list()).toHaveLength(1);
  });

  it('is the user’s once a user has started it, and no surge changes when it ends', async () => {
    await customer.client.startAttackMode({ body: { ...ofRoute(), seconds: 60 } });
    await surge(50_000, 1000);
    const [mode] = await list();
    expect(mode).toMatchObject({ started_by: customer.email });
    expect(secondsLeft(mode?.ends_at)).toBeLessThanOrEqual(60);
    await customer.client.endAttackMode({ body: ofRoute() });
  });
});
