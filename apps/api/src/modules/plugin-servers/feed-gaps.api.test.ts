import { describe, expect, it } from 'vitest';
import { startEdgeApi } from '../../testing/edge-api.ts';
import { type Customer, createCustomer, eventually, uniqueName, upstreamsTo } from '../../testing/fixtures.ts';

const { test, node } = await startEdgeApi();
const customer = await createCustomer(test, { plan: 'vip' });

async function deploy({ client, cname }: Customer, plugin: string, enabled: boolean) {
  const plugins = [{ name: plugin, enabled, config: {} }];
  const body = { cname, domain_name: uniqueName(), upstreams: upstreamsTo(), plugins };
  const { result } = await client.createRoute({ body });
  await client.deployRoute({ params: { id: result.id }, ifMatch: 1, body: {} });
  await eventually(() => node.routes.has(result.id));
  return result;
}
const gaps = async (query: { feed: string; route_id?: string }, { client } = customer) =>
  (await client.listFeedGaps({ query })).result;

describe('domains where a feed has no effect', () => {
  it('are those that are live with its plugin off, and no others', async () => {
    expect(await gaps({ feed: 'bans' })).toEqual({ plugin: 'ban', count: 0, domains: [] });
    const on = await deploy(customer, 'ban', true);
    const off = await deploy(customer, 'ban', false);
    const named = { id: off.id, domain_name: off.domain_name, is_paused: false };
    expect(await gaps({ feed: 'bans' })).toEqual({ plugin: 'ban', count: 1, domains: [named] });
    expect(await gaps({ feed: 'bans', route_id: off.id })).toMatchObject({ count: 1, domains: [named] });
    expect(await gaps({ feed: 'bans', route_id: on.id })).toMatchObject({ count: 0, domains: [] });
    expect(await gaps({ feed: 'allowed' })).toMatchObject({ plugin: 'allow-list', count: 0 });
  });

  it('are judged by what is live, not by the draft', async () => {
    const own = await createCustomer(test, { plan: 'vip' });
    const off = await deploy(own, 'under-attack', false);
    const plugins = [{ name: 'under-attack', enabled: true, config: {} }];
    const { result } = await own.client.updateRoute({
      params: { id: off.id },
      ifMatch: (await own.client.getRoute({ params: { id: off.id } })).result.draft_revision,
      body: { plugins },
    });
    expect(await gaps({ feed: 'under-attack' }, own)).toMatchObject({ plugin: 'under-attack', count: 1 });
    await own.client.deployRoute({ params: { id: off.id }, ifMatch: result.draft_revision, body: {} });
    await eventually(async () => (await gaps({ feed: 'under-attack' }, own)).count === 0);
  });

  it('are those, too, whose protection is paused, until it is resumed or the pause is over', async () => {
    const own = await createCustomer(test, { plan: 'vip' });
    const { id } = await deploy(own, 'ban', true);
    const names = async () =>
      (await gaps({ feed: 'bans' }, own)).domains.map((domain) => [domain.id, domain.is_paused]);
    await own.client.pauseRoute({ params: { id }, body: { minutes: null } });
    expect(await names()).toEqual([[id, true]]);
    expect(await gaps({ feed: 'bans', route_id: id }, own)).toMatchObject({ count: 1 });
    await own.client.endPause({ params: { id } });
    expect(await names()).toEqual([]);
    await own.client.pauseRoute({ params: { id }, body: { minutes: 15 } });
    const ended = `UPDATE routes SET paused_until = now() - interval '1 ms' WHERE id = $1`;
    await test.api.platform.pool.query(ended, [id]);
    expect(await names()).toEqual([]);
  });

  it('of another account are not told', async () => {
    const stranger = await createCustomer(test);
    const { id } = await deploy(customer, 'ban', false);
    expect(await gaps({ feed: 'bans' }, stranger)).toMatchObject({ count: 0 });
    await expect(gaps({ feed: 'bans', route_id: id }, stranger)).rejects.toMatchObject({ status: 404 });
  });

  it('of a feed that there is not are refused', async () => {
    await expect(gaps({ feed: 'none' })).rejects.toMatchObject({ fields: { feed: 'INVALID' } });
  });
});
