import { randomUUID } from 'node:crypto';
import type { EdgeBan } from '@cordon/contract';
import { describe, expect, it } from 'vitest';
import { startEdgeApi } from '../../../apps/api/src/testing/edge-api.ts';
import {
  type Customer,
  createCustomer,
  eventually,
  uniqueName,
  upstreamsTo,
} from '../../../apps/api/src/testing/fixtures.ts';

const { test, node } = await startEdgeApi();

const FREE_MAX = 1000;
const key = (scope: string, network: string) => `bans ${scope} ${network}`;
const ban = (who: Customer, networks: string[]) => who.client.addBans({ body: { networks, seconds: null } });
const bansOf = async (who: Customer, q?: string) => (await who.client.listBans({ query: { q } })).count;

/** As if banned in many calls. */
const fill = (who: Customer, count: number, plugin: string | null = null) =>
  test.api.platform.pool.query(
    `INSERT INTO bans (account_id, network, plugin, banned_by)
     SELECT $1, '12.' || ($3::text IS NOT NULL)::int || '.' || number / 256 || '.' || number % 256, $3, 'fill'
     FROM generate_series(0, $2 - 1) number`,
    [who.accountId, count, plugin],
  );

async function liveRoute(customer: Customer) {
  const { result } = await customer.client.createRoute({
    body: { cname: customer.cname, domain_name: uniqueName(), upstreams: upstreamsTo() },
  });
  await customer.client.deployRoute({ params: { id: result.id }, ifMatch: 1, body: {} });
  await eventually(() => node.routes.has(result.id));
  return result;
}

const nodeBan = (routeId: string, network: string, seconds = 600): EdgeBan => ({
  route_id: routeId,
  network,
  at: Date.now() / 1000,
  seconds,
  plugin: 'request-limit',
  reason: 'too_many_requests',
  request_id: randomUUID().replaceAll('-', ''),
});

describe('how many bans an account may have', () => {
  it('goes by its best plan, and the error says how many', async () => {
    const free = await createCustomer(test);
    const paid = await createCustomer(test, { plan: 'vip' });
    await Promise.all([fill(free, FREE_MAX), fill(paid, FREE_MAX)]);
    await expect(ban(free, ['9.9.9.9'])).rejects.toMatchObject({
      status: 422,
      body: { networks: 'TOO_MANY', params: { networks: { maximum: FREE_MAX } } },
    });
    expect(await bansOf(free, '9.9.9.9')).toBe(0);
    await ban(paid, ['9.9.9.9']);
    expect(await bansOf(paid, '9.9.9.9')).toBe(1);
  });

  it('does not count again what is banned already', async () => {
    const free = await createCustomer(test);
    await fill(free, FREE_MAX - 1);
    await ban(free, ['12.0.0.1', '9.9.9.9']);
    await ban(free, ['12.0.0.1', '9.9.9.9']);
    await expect(ban(free, ['12.0.0.1', '9.9.9.8'])).rejects.toMatchObject({ fields: { networks: 'TOO_MANY' } });
    expect(await bansOf(free)).toBe(FREE_MAX);
  });

  it('is not passed by calls at the same time', async () => {
    const free = await createCustomer(test);
    await fill(free, FREE_MAX - 5);
    const calls = Array.from({ length: 20 }, (_, at) => ban(free, [`9.9.9.${at}`]));
    const results = await Promise.allSettled(calls);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
    expect(await bansOf(free)).toBe(FREE_MAX);
  });

  it.each([
    ['by hand', null],
    ['by nodes', 'request-limit'],
  ])('is not passed by bringing back those %s that were lifted', async (_, plugin) => {
    const free = await createCustomer(test);
    await fill(free, FREE_MAX, plugin);
    const { results } = await free.client.listBans({ query: { perpage: 10 } });
    const ids = results.map(({ id }) => id);
    await free.client.liftBans({ body: { ids } });
    await test.api.platform.pool.query(
      `INSERT INTO bans (account_id, network, plugin, banned_by)
       SELECT $1, '11.0.0.' || number, $2, 'fill' FROM generate_series(1, 10) number`,
      [free.accountId, plugin],
    );
    await expect(free.client.restoreBans({ body: { ids } })).rejects.toMatchObject({
      status: 422,
      body: { ids: 'TOO_MANY', params: { ids: { maximum: FREE_MAX } } },
    });
    expect(await bansOf(free)).toBe(FREE_MAX);
  });

  it('counts and lists none of a domain that is deleted', async () => {
    const free = await createCustomer(test);
    const route = await liveRoute(free);
    await fill(free, FREE_MAX - 1);
    await free.client.addBans({ body: { networks: ['9.9.9.9'], route_id: route.id, seconds: null } });
    await expect(ban(free, ['9.9.9.8'])).rejects.toMatchObject({ fields: { networks: 'TOO_MANY' } });
    await free.client.deleteRoute({ params: { id: route.id }, body: { cname: free.cname } });
    await eventually(async () => (await bansOf(free, '9.9.9.9')) === 0);
    await ban(free, ['9.9.9.8']);
    expect(await bansOf(free)).toBe(FREE_MAX);
  });

  it('keeps none of a domain that is deleted', async () => {
    const { pool } = test.api.platform;
    const free = await createCustomer(test);
    const [route, stays] = [await liveRoute(free), await liveRoute(free)];
    const networks = Array.from({ length: 500 }, (_, at) => `13.0.${at >> 8}.${at & 255}`);
    for (const route_id of [route.id, stays.id, undefined])
      await free.client.addBans({
        body: { networks: route_id === route.id ? networks : ['9.9.9.9'], route_id, seconds: null },
      });
    await pool.query(
      `INSERT INTO bans (account_id, route_id, network, banned_by)
       SELECT $1, $2, '14.0.' || number / 256 || '.' || number % 256, 'fill' FROM generate_series(0, 999) number`,
      [free.accountId, route.id],
    );
    await free.client.deleteRoute({ params: { id: route.id }, body: { cname: free.cname } });
    await eventually(async () => (await bansOf(free)) === 2);
    await pool.query(`SELECT graphile_worker.add_job('forget-plugin-records')`);
    const count = async (table: string, more = '') =>
      (await pool.query(`SELECT count(*)::int AS count FROM ${table} WHERE scope = $1 ${more}`, [route.id])).rows[0]
        .count;
    await eventually(async () => (await count('bans')) === 0);
    // Sent as ended, so that they are forgotten in turn.
    expect(await count('feed_entries', 'AND (ends_at IS NULL OR ends_at > now())')).toBe(0);
    expect(await count('feed_entries')).toBe(1500);
    expect(await bansOf(free, '9.9.9.9')).toBe(2);
    await eventually(() => node.feeds.has(key(stays.id, '9.9.9.9')) && node.feeds.has(key(free.accountId, '9.9.9.9')));
  });

  it('leaves nodes a share of their own, which has an end as well', async () => {
    const free = await createCustomer(test);
    const route = await liveRoute(free);
    await Promise.all([fill(free, FREE_MAX), fill(free, FREE_MAX - 1, 'request-limit')]);
    expect(await node.ban([nodeBan(route.id, '9.9.9.1')])).toBe(200);
    await eventually(() => node.feeds.has(key(route.id, '9.9.9.1')));
    expect(await node.ban([nodeBan(route.id, '9.9.9.1', 3600), nodeBan(route.id, '9.9.9.2')])).toBe(200);
    await eventually(() => (node.feeds.get(key(route.id, '9.9.9.1')) ?? 0) > Date.now() / 1000 + 3000);
    expect([await bansOf(free, '9.9.9.1'), await bansOf(free, '9.9.9.2')]).toEqual([1, 0]);
  });
});

it('counts networks against the rate of an account, in whichever call they come, and says how long to wait', async () => {
  const [busy, other] = [await createCustomer(test, { plan: 'vip' }), await createCustomer(test, { plan: 'vip' })];
  const ids = Array.from({ length: 1000 }, () => randomUUID());
  const networks = Array.from({ length: 1000 }, (_, at) => `12.0.${at >> 8}.${at & 255}`);
  const calls = [
    () => busy.client.liftBans({ body: { ids } }),
    () => busy.client.restoreBans({ body: { ids } }),
    () => busy.client.addBans({ body: { networks } }),
  ];
  // Ten thousand at once; a little comes back meanwhile.
  const results: PromiseSettledResult<unknown>[] = [];
  for (let at = 0; at < 15; at++) results.push(...(await Promise.allSettled([calls[at % 3]?.()])));
  expect(results.slice(0, 10).map(({ status }) => status)).toEqual(Array(10).fill('fulfilled'));
  expect(results.filter(({ status }) => status === 'rejected').length).toBeGreaterThan(0);
  const answer = await fetch(`${test.url}/api/v1/domain/bans/lift/`, {
    method: 'POST',
    headers: { authorization: `Bearer ${busy.token}`, realm: test.env.realm, 'content-type': 'application/json' },
    body: JSON.stringify({ ids }),
  });
  expect(answer.status).toBe(429);
  const seconds = Number(answer.headers.get('retry-after'));
  expect([seconds > 0, seconds <= 12]).toEqual([true, true]);
  expect(await answer.json()).toMatchObject({ code: 'TOO_MANY_REQUESTS', params: { TOO_MANY_REQUESTS: { seconds } } });
  await other.client.addBans({ body: { networks } });
});

it("tells nodes again of a ban that lasts longer than a node's", async () => {
  const free = await createCustomer(test);
  const route = await liveRoute(free);
  await free.client.addBans({ body: { networks: ['9.9.9.9'], route_id: route.id, seconds: null } });
  await eventually(() => node.feeds.get(key(route.id, '9.9.9.9')) === null);
  // As a node that knows of its own ban only.
  node.feeds.delete(key(route.id, '9.9.9.9'));
  expect(await node.ban([nodeBan(route.id, '9.9.9.9')])).toBe(200);
  await eventually(() => node.feeds.get(key(route.id, '9.9.9.9')) === null);
});
