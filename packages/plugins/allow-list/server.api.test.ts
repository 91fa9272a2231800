import { randomUUID } from 'node:crypto';
import type { Route } from '@cordon/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { startEdgeApi } from '../../../apps/api/src/testing/edge-api.ts';
import {
  type Customer,
  createCustomer,
  eventually,
  startFakeNode,
  uniqueName,
  upstreamsTo,
} from '../../../apps/api/src/testing/fixtures.ts';

const { test, node } = await startEdgeApi();
let customer: Customer;
let route: Route;

async function liveCustomer(plan: 'free' | 'vip') {
  const who = await createCustomer(test, { plan });
  const body = { cname: who.cname, domain_name: uniqueName(), upstreams: upstreamsTo() };
  const { result } = await who.client.createRoute({ body });
  await who.client.deployRoute({ params: { id: result.id }, ifMatch: 1, body: {} });
  await eventually(() => node.routes.has(result.id));
  return { who, route: result };
}

beforeAll(async () => {
  ({ who: customer, route } = await liveCustomer('vip'));
});

const key = (network: string, who = customer) => `allowed ${who.accountId} ${network}`;
const page = async (q?: string, who = customer) =>
  who.client.listAllowedNetworks({ query: { ...(q === undefined ? {} : { q }), perpage: 100 } });
const found = async (q?: string, who = customer) => (await page(q, who)).results.map(({ network }) => network).sort();
const allow = async (networks: string[], more: { note?: string; ends_at?: string | null } = {}, who = customer) =>
  (await who.client.allowNetworks({ body: { networks, ...more } })).result;
const nothing = { added: 0, replaced: 0, merged: 0, ignored: 0, overridden_bans: 0 };
const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();

describe('an entry of the allow list', () => {
  it('is with all nodes at once, gone at once when it is removed, and back as it was', async () => {
    const other = await startFakeNode(test);
    const endsAt = inSeconds(3600);
    expect(await allow(['8.1.1.1', '2606:4700:1::7/64'], { note: 'office', ends_at: endsAt })).toEqual({
      ...nothing,
      added: 2,
    });
    await eventually(() => node.feeds.has(key('8.1.1.1')) && other.feeds.has(key('8.1.1.1')));
    expect(node.feeds.get(key('2606:4700:1::/64'))).toBe(Math.ceil(Date.parse(endsAt) / 1000));
    const { results } = await page('office');
    expect(results.map(({ network }) => network).sort()).toEqual(['2606:4700:1::/64', '8.1.1.1']);
    expect(results[0]).toMatchObject({ note: 'office', added_by: customer.email, ends_at: endsAt });

    const ids = results.map(({ id }) => id);
    const { result } = await customer.client.removeAllowedNetworks({ body: { ids: [...ids, randomUUID()] } });
    expect(result.removed).toBe(2);
    await eventually(() => !node.feeds.has(key('8.1.1.1')) && !other.feeds.has(key('8.1.1.1')));
    expect(await found('office')).toEqual([]);

    const restored = await customer.client.restoreAllowedNetworks({ body: { removal_id: result.removal_id } });
    expect(restored.result).toEqual({ restored: 2, ended: 0, replaced: 0 });
    await eventually(() => node.feeds.has(key('8.1.1.1')));
    // With its end, at the nodes too.
    for (const network of ['8.1.1.1', '2606:4700:1::/64'])
      expect(node.feeds.get(key(network))).toBe(Math.ceil(Date.parse(endsAt) / 1000));
    expect((await page('office')).results).toEqual(results);
    other.stop();
  });

  it('given again is the newer one', async () => {
    await allow(['8.1.2.1'], { note: 'first' });
    expect(await allow(['8.1.2.1', '8.1.2.2'], { note: 'second' })).toEqual({ ...nothing, added: 1, replaced: 1 });
    expect((await page('8.1.2.1')).results).toMatchObject([{ note: 'second' }]);
  });

  it('that says nothing new is merged, and what no visitor comes from is left out', async () => {
    const given = ['8.1.3.0/24', '8.1.3.7', '8.1.3.0/24', '8.1.3.128/25', '8.1.3.9/24', '10.0.0.1', '2606:4700:3::/48'];
    expect(await allow([...given, '2606:4700:3:1::/64', '::ffff:8.1.3.1'])).toEqual({
      ...nothing,
      added: 2,
      merged: 6,
      ignored: 1,
    });
    expect(await found('8.1.3.0/24')).toEqual(['8.1.3.0/24']);
    expect(await allow(['8.1.3.77'])).toEqual({ ...nothing, merged: 1 });
    // What ends earlier holds none that lasts longer.
    await allow(['8.1.4.0/24'], { ends_at: inSeconds(60) });
    expect(await allow(['8.1.4.1'], { ends_at: inSeconds(30) })).toEqual({ ...nothing, merged: 1 });
    expect(await allow(['8.1.4.1'])).toEqual({ ...nothing, added: 1 });
    expect(await allow(['127.0.0.1'])).toEqual({ ...nothing, ignored: 1 });
  });

  it('that is no address, or all addresses, is refused at its place, and nothing is kept of the rest', async () => {
    await expect(allow(['8.1.5.1', 'nonsense', '0.0.0.0/0', '::/0'])).rejects.toMatchObject({
      status: 422,
      fields: { 'networks.1': 'ADDRESS_INVALID', 'networks.2': 'RANGE_TOO_WIDE', 'networks.3': 'RANGE_TOO_WIDE' },
    });
    await expect(allow([])).rejects.toMatchObject({ status: 422 });
    await expect(allow(['8.1.5.1'], { ends_at: inSeconds(-5) })).rejects.toMatchObject({
      fields: { ends_at: 'INVALID' },
    });
    expect(await found('8.1.5.1')).toEqual([]);
  });

  it('is found by an address that it holds, by a range that it lies in, and by words of its note', async () => {
    await allow(['8.1.6.0/28', '8.1.6.99'], { note: 'Uptime 100%_ probes' });
    expect(await found('8.1.6.3')).toEqual(['8.1.6.0/28']);
    expect(await found('8.1.6.')).toEqual(['8.1.6.0/28', '8.1.6.99']);
    expect(await found('8.1.6.50')).toEqual([]);
    expect(await found('100%_ PROBES')).toEqual(['8.1.6.0/28', '8.1.6.99']);
    expect(await found('100 probes')).toEqual([]);
  });

  it('ends by itself, in lists and with nodes', async () => {
    await allow(['8.1.7.1'], { ends_at: inSeconds(1) });
    expect(await found('8.1.7.1')).toEqual(['8.1.7.1']);
    await eventually(async () => (await found('8.1.7.1')).length === 0);
    // Added anew it is new, not a change of what has ended.
    expect(await allow(['8.1.7.1'])).toEqual({ ...nothing, added: 1 });
  });

  it('wins over bans, and both calls say so', async () => {
    await customer.client.addBans({ body: { networks: ['8.1.8.8'], route_id: route.id } });
    await customer.client.addBans({ body: { networks: ['8.1.8.9', '8.1.9.9'] } });
    expect(await allow(['8.1.8.0/28'])).toEqual({ ...nothing, added: 1, overridden_bans: 2 });
    // Of this call only.
    expect(await allow(['8.1.10.1'])).toEqual({ ...nothing, added: 1 });
    const ban = async (networks: string[]) => (await customer.client.addBans({ body: { networks } })).result;
    expect(await ban(['8.1.8.3', '8.1.9.3'])).toMatchObject({ banned: 2, allowed: 1 });
    // A wider ban keeps out all but those.
    expect(await ban(['8.1.8.0/23'])).toMatchObject({ banned: 1, allowed: 0 });
  });

  it("is the account's own: another sees, removes and restores none", async () => {
    const other = await createCustomer(test, { plan: 'vip' });
    await allow(['8.1.11.1']);
    const [entry] = (await page('8.1.11.1')).results;
    expect((await page(undefined, other)).count).toBe(0);
    const theirs = await other.client.removeAllowedNetworks({ body: { ids: [entry?.id ?? ''] } });
    expect(theirs.result.removed).toBe(0);
    const all = await other.client.removeAllowedNetworks({ body: { q: '' } });
    expect(all.result.removed).toBe(0);
    const mine = await customer.client.removeAllowedNetworks({ body: { ids: [entry?.id ?? ''] } });
    const restoring = other.client.restoreAllowedNetworks({ body: { removal_id: mine.result.removal_id } });
    await expect(restoring).rejects.toMatchObject({ status: 404, code: 'NOT_FOUND' });
    expect(await found('8.1.11.1')).toEqual([]);
  });

  it('is a line of the audit log', async () => {
    await allow(['8.1.12.1'], { note: 'why' });
    const { rows } = await test.api.platform.pool.query(
      `SELECT actor, details FROM audit_log WHERE account_id = $1 AND action = 'allow-list.add' ORDER BY id DESC LIMIT 1`,
      [customer.accountId],
    );
    expect(rows[0]).toMatchObject({
      actor: customer.email,
      details: { networks: ['8.1.12.1'], count: 1, note: 'why' },
    });
  });

  it('that was added anew since its removal stays the newer one', async () => {
    await allow(['8.1.13.1', '8.1.13.2'], { note: 'old' });
    const { result } = await customer.client.removeAllowedNetworks({ body: { q: '8.1.13.0/24' } });
    await allow(['8.1.13.1'], { note: 'new' });
    const restored = await customer.client.restoreAllowedNetworks({ body: { removal_id: result.removal_id } });
    expect(restored.result).toEqual({ restored: 1, ended: 0, replaced: 1 });
    const { results } = await page('8.1.13.0/24');
    expect(Object.fromEntries(results.map(({ network, note }) => [network, note]))).toEqual({
      '8.1.13.1': 'new',
      '8.1.13.2': 'old',
    });
  });

  it('is removed by ids or by a search, and not by both or neither', async () => {
    for (const body of [{}, { ids: [randomUUID()], q: 'x' }])
      await expect(customer.client.removeAllowedNetworks({ body })).rejects.toMatchObject({ status: 422 });
  });
});

describe('the whole list', () => {
  it('of a free plan has a thousand entries', async () => {
    const who = await createCustomer(test, { plan: 'free' });
    const networks = Array.from({ length: 1000 }, (_, at) => `8.2.${at >> 8}.${at & 255}`);
    expect(await allow(networks, {}, who)).toEqual({ ...nothing, added: 1000 });
    expect(await allow(networks.slice(0, 3), {}, who)).toEqual({ ...nothing, replaced: 3 });
    await expect(allow(['8.2.9.9'], {}, who)).rejects.toMatchObject({
      fields: { networks: 'TOO_MANY' },
      body: { params: { networks: { maximum: 1000 } } },
    });
    const maxima = await Promise.all([who, customer].map(({ client }) => client.listAllowedNetworks({})));
    expect(maxima.map(({ maximum }) => maximum)).toEqual([1000, 100_000]);
    // By their number, before any of them is read.
    const unread = Array.from({ length: 1001 }, (_, at) => `no address ${at}`);
    await expect(allow(unread, {}, who)).rejects.toMatchObject({ fields: { networks: 'TOO_MANY' } });
    expect(await allow([...networks, ...networks], {}, who)).toEqual({ ...nothing, replaced: 1000, merged: 1000 });
    const { result } = await who.client.removeAllowedNetworks({ body: { q: '8.2.0.0/24' } });
    expect(result.removed).toBe(256);
    await allow(['8.2.9.9'], {}, who);
    await expect(who.client.restoreAllowedNetworks({ body: { removal_id: result.removal_id } })).rejects.toMatchObject({
      fields: { removal_id: 'TOO_MANY' },
    });
    expect((await page(undefined, who)).count).toBe(745);
  });

  it('of a paid plan takes 100,000 at once, which nodes have within a moment, and goes and comes back whole', async () => {
    const { who } = await liveCustomer('vip');
    const networks = Array.from({ length: 100_000 }, (_, at) => `8.${16 + (at >> 16)}.${(at >> 8) & 255}.${at & 255}`);
    expect(await allow(networks, { note: 'partners' }, who)).toEqual({ ...nothing, added: 100_000 });
    const last = key(networks.at(-1) ?? '', who);
    const held = () => [...node.feeds.keys()].filter((each) => each.startsWith(`allowed ${who.accountId} `)).length;
    await eventually(() => node.feeds.has(last) && held() === 100_000);
    await expect(allow(['8.3.0.1'], {}, who)).rejects.toMatchObject({ fields: { networks: 'TOO_MANY' } });
    const { result } = await who.client.removeAllowedNetworks({ body: { q: '' } });
    expect(result.removed).toBe(100_000);
    await eventually(() => held() === 0);
    const restored = await who.client.restoreAllowedNetworks({ body: { removal_id: result.removal_id } });
    expect(restored.result.restored).toBe(100_000);
    await eventually(() => held() === 100_000);
  }, 120_000);
});
