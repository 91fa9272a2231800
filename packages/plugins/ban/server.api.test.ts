import { randomUUID } from 'node:crypto';
import type { EdgeBan, Route } from '@cordon/contract';
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

async function liveRoute(plugins: { name: string; enabled: boolean; config: Record<string, unknown> }[] = []) {
  const body = { cname: customer.cname, domain_name: uniqueName(), upstreams: upstreamsTo(), plugins };
  const { result } = await customer.client.createRoute({ body });
  await customer.client.deployRoute({ params: { id: result.id }, ifMatch: 1, body: {} });
  await eventually(() => node.routes.has(result.id));
  return result;
}

beforeAll(async () => {
  customer = await createCustomer(test, { plan: 'vip' });
  route = await liveRoute();
});

const key = (scope: string, network: string) => `bans ${scope} ${network}`;
const list = async (query = {}, who = customer) => (await who.client.listBans({ query })).results;
const secondsFromNow = (time: string | null) => (time === null ? null : (Date.parse(time) - Date.now()) / 1000);
const nodeBan = (network: string, change: Partial<EdgeBan> = {}): EdgeBan => ({
  route_id: route.id,
  network,
  at: Date.now() / 1000,
  seconds: 600,
  plugin: 'request-limit',
  reason: 'too_many_requests',
  request_id: randomUUID().replaceAll('-', ''),
  ...change,
});

describe('a ban by hand', () => {
  it('is with all nodes at once, and gone at once when it is lifted', async () => {
    const other = await startFakeNode(test);
    await customer.client.addBans({
      body: { networks: ['9.9.9.9', '2606:4700::7/64'], route_id: route.id, seconds: 60, note: 'scans' },
    });
    await eventually(() => node.feeds.has(key(route.id, '9.9.9.9')) && other.feeds.has(key(route.id, '9.9.9.9')));
    expect(node.feeds.has(key(route.id, '2606:4700::/64'))).toBe(true);
    const bans = await list({ route_id: route.id });
    expect(bans.map(({ network }) => network).sort()).toEqual(['2606:4700::/64', '9.9.9.9']);
    expect(bans[0]).toMatchObject({
      route_id: route.id,
      domain_name: route.domain_name,
      plugin: null,
      reason: null,
      note: 'scans',
      banned_by: customer.email,
    });
    expect(secondsFromNow(bans[0]?.ends_at ?? null)).toBeGreaterThan(50);

    const { result } = await customer.client.liftBans({ body: { ids: [...bans.map(({ id }) => id), randomUUID()] } });
    expect(result).toEqual({ lifted: 2, restored: 0 });
    await eventually(() => !node.feeds.has(key(route.id, '9.9.9.9')) && !other.feeds.has(key(route.id, '9.9.9.9')));
    expect(await list({ route_id: route.id })).toEqual([]);
    other.stop();
  });

  it('is gone from nodes when it is lifted, also while something older is being written and ended entries are forgotten', async () => {
    const networks = ['9.1.1.1'];
    await customer.client.addBans({ body: { networks, route_id: route.id } });
    await eventually(() => node.feeds.has(key(route.id, '9.1.1.1')));
    const [ban] = await list({ q: '9.1.1.1' });
    const older = await test.api.platform.pool.connect();
    try {
      await older.query('BEGIN');
      await older.query('SELECT pg_current_xact_id()');
      await customer.client.liftBans({ body: { ids: [ban?.id ?? ''] } });
      await test.api.platform.pool.query(`SELECT graphile_worker.add_job('forget-feed-entries')`);
      const waiting = `SELECT count(*)::int AS count FROM graphile_worker.jobs WHERE task_identifier = 'forget-feed-entries'`;
      await eventually(async () => (await test.api.platform.pool.query(waiting)).rows[0].count === 0);
      await eventually(() => !node.feeds.has(key(route.id, '9.1.1.1')));
      await older.query('COMMIT');
    } finally {
      older.release();
    }
  });

  it('of a node is of one client that is no special address, and by a plugin that bans, or is left out', async () => {
    const wide = ['0.0.0.0/0', '::/0', '10.0.0.0/8', '9.1.7.9/24', '2606:4700::/48', '2606:4700::1', '9.1.7.4/32', 'x'];
    const special = ['127.0.0.1', '0.0.0.0', '255.255.255.255', '10.1.7.1', '::/64', '64:ff9b::/64', 'fe80::/64'];
    const taken = [nodeBan('9.1.7.1'), nodeBan('2606:4701::/64')];
    await node.ban([
      ...[...wide, ...special].map((network) => nodeBan(network)),
      nodeBan('9.1.7.2', { plugin: 'challenge' }),
      ...taken,
    ]);
    await eventually(() => node.feeds.has(key(route.id, '9.1.7.1')));
    const all = (await list({ route_id: route.id })).map(({ network }) => network);
    expect(
      all.filter((network) => [...wide, ...special, '9.1.7.2', '9.1.7.4', '9.1.7.0/24'].includes(network)),
    ).toEqual([]);
    expect(all).toEqual(expect.arrayContaining(['9.1.7.1', '2606:4701::/64']));
  });

  it('of a node stays lifted when the node reports it late or once more, and does not when it is given anew', async () => {
    const network = '9.1.1.2';
    const reported = nodeBan(network);
    await node.ban([reported]);
    const [ban] = await list({ q: network });
    await customer.client.liftBans({ body: { ids: [ban?.id ?? ''] } });
    await eventually(() => !node.feeds.has(key(route.id, network)));
    // What the node that reports knows of itself goes as well.
    const readsEnd = `SELECT extract(epoch FROM ends_at) < extract(epoch FROM now()) AS is_ended FROM feed_entries WHERE network = '${network}'`;
    await node.ban([reported]);
    expect(await list({ q: network })).toEqual([]);
    expect((await test.api.platform.pool.query(readsEnd)).rows).toEqual([{ is_ended: true }]);
    await node.ban([nodeBan(network, { at: Date.now() / 1000 + 1 })]);
    expect(await list({ q: network })).toHaveLength(1);
    await eventually(() => node.feeds.has(key(route.id, network)));
    // A late report changes nothing about what holds now.
    await node.ban([reported]);
    expect(await list({ q: network })).toHaveLength(1);
    expect((await test.api.platform.pool.query(readsEnd)).rows).toEqual([{ is_ended: false }]);
  });

  it.each([
    ['fast', 3600],
    ['slow', -300],
  ])('of a node whose clock is %s stays lifted, and does not when the node has heard of that', async (_, error) => {
    const network = `9.1.3.${error > 0 ? 1 : 2}`;
    const at = Date.now() / 1000 + error;
    await node.ban([nodeBan(network, { at, feeds_cursor: '1' })]);
    const [ban] = await list({ q: network });
    await customer.client.liftBans({ body: { ids: [ban?.id ?? ''] } });
    const { rows } = await test.api.platform.pool.query('SELECT lifted_txid FROM lifted_bans WHERE id = $1', [ban?.id]);
    const liftedIn: number = rows[0].lifted_txid;
    await node.ban([nodeBan(network, { at, feeds_cursor: String(liftedIn) })]);
    expect(await list({ q: network })).toEqual([]);
    await node.ban([nodeBan(network, { at, feeds_cursor: String(liftedIn + 1) })]);
    expect(await list({ q: network })).toHaveLength(1);
  });

  it('of a node stays lifted when the same offence is reported once more, however much the node has heard since', async () => {
    const network = '9.1.4.1';
    const reported = nodeBan(network);
    await node.ban([reported]);
    const [ban] = await list({ q: network });
    await customer.client.liftBans({ body: { ids: [ban?.id ?? ''] } });
    const late = { at: Date.now() / 1000 + 60, feeds_cursor: '999999999999999' };
    await node.ban([{ ...reported, ...late }]);
    expect(await list({ q: network })).toEqual([]);
    await node.ban([nodeBan(network, late)]);
    expect(await list({ q: network })).toHaveLength(1);
  });

  it('of a node holds that is reported together with the one before it, which was lifted', async () => {
    const [network, other] = ['9.1.4.2', '9.1.4.3'];
    const first = nodeBan(network, { feeds_cursor: '1' });
    await node.ban([first]);
    const [ban] = await list({ q: network });
    await customer.client.liftBans({ body: { ids: [ban?.id ?? ''] } });
    await node.ban([first, first]);
    expect(await list({ q: network })).toEqual([]);
    await node.ban([first, nodeBan(network, { feeds_cursor: '999999999999999' }), nodeBan(other)]);
    expect(await list({ q: network })).toHaveLength(1);
    expect(await list({ q: other })).toHaveLength(1);
    await eventually(() => node.feeds.has(key(route.id, network)) && node.feeds.has(key(route.id, other)));
  });

  it('of a node whose clock is ahead lasts no longer', async () => {
    const network = '9.1.4.4';
    await node.ban([nodeBan(network, { at: 4_102_444_800 })]);
    const [ban] = await list({ q: network });
    expect(secondsFromNow(ban?.ends_at ?? null)).toBeLessThanOrEqual(600);
    expect(secondsFromNow(ban?.ends_at ?? null)).toBeGreaterThan(500);
  });

  it('is lifted once by two calls at once, after what is being done to bans of the account', async () => {
    const { pool } = test.api.platform;
    await customer.client.addBans({ body: { networks: ['9.1.2.1', '9.1.2.2', '9.1.2.3'] } });
    const ids = (await list({ q: '9.1.2.0/24' })).map(({ id }) => id);
    const lift = async (given: string[]) => (await customer.client.liftBans({ body: { ids: given } })).result.lifted;
    const report = await pool.connect();
    let lifts: Promise<number[]>;
    try {
      // As a report of a node that has looked for lifts and writes its bans next.
      await report.query('BEGIN');
      await report.query(`SELECT pg_advisory_xact_lock(hashtextextended('bans ' || $1, 0))`, [customer.accountId]);
      lifts = Promise.all([lift(ids), lift(ids.toReversed())]);
      const waiting = `SELECT count(*)::int AS count FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
      await eventually(async () => (await pool.query(waiting)).rows[0].count === 2);
      expect(await list({ q: '9.1.2.0/24' })).toHaveLength(3);
      await report.query('COMMIT');
    } finally {
      report.release();
    }
    expect((await lifts).toSorted()).toEqual([0, 3]);
    expect(await list({ q: '9.1.2.0/24' })).toEqual([]);
    const kept = await pool.query('SELECT 1 FROM lifted_bans WHERE id = ANY($1)', [ids]);
    expect(kept.rowCount).toBe(3);
  });

  it('lasts as long as the domain says, as is asked for, or until it is lifted', async () => {
    const own = await liveRoute([{ name: 'ban', enabled: true, config: { default_timeout: 120 } }]);
    const ban = async (network: string, body: { route_id?: string; seconds?: number | null }) => {
      const { result } = await customer.client.addBans({ body: { networks: [network], ...body } });
      return secondsFromNow(result.ends_at);
    };
    const about = (seconds: number) => expect.closeTo(seconds, -1);
    expect(await ban('9.9.9.1', { route_id: own.id })).toEqual(about(120));
    expect(await ban('9.9.9.2', { route_id: route.id })).toEqual(about(3600));
    expect(await ban('9.9.9.3', {})).toEqual(about(3600));
    expect(await ban('9.9.9.4', { route_id: own.id, seconds: 10 })).toEqual(about(10));
    expect(await ban('9.9.9.5', { seconds: null })).toBeNull();
    await eventually(() => node.feeds.get(key(customer.accountId, '9.9.9.5')) === null);
    expect((await list({ route_id: own.id })).map(({ network }) => network).sort()).toEqual([
      '9.9.9.1',
      '9.9.9.3',
      '9.9.9.4',
      '9.9.9.5',
    ]);
  });

  it('is lifted by the id that banning it answers, also where it replaces another', async () => {
    const { client } = customer;
    const networks = ['9.9.7.1', '9.9.7.4/30'];
    const { ids } = (await client.addBans({ body: { networks } })).result;
    expect(ids).toHaveLength(2);
    const again = (await client.addBans({ body: { networks: ['9.9.7.2', ...networks] } })).result;
    expect(again).toMatchObject({ banned: 3, replaced: 2 });
    expect([...again.replaced_ids].sort()).toEqual([...ids].sort());
    expect((await client.liftBans({ body: { ids: again.ids } })).result).toEqual({ lifted: 3, restored: 0 });
    expect(await list({ q: '9.9.7.0/24' })).toEqual([]);
  });

  it('that is lifted again leaves what it replaced as it was, in the same moment', async () => {
    const { client } = customer;
    const add = async (networks: string[], seconds: number | null, note: string) =>
      (await client.addBans({ body: { networks, seconds, note } })).result;
    await add(['9.8.6.1'], null, 'for ever');
    await node.ban([nodeBan('9.8.6.2')]);
    const before = await list({ q: '9.8.6.0/24' });
    expect(before).toHaveLength(2);
    const byNode = await client.addBans({ body: { networks: ['9.8.6.2'], route_id: route.id, seconds: 20 } });
    const { ids, replaced, replaced_ids: replacedIds } = await add(['9.8.6.1', '9.8.6.3'], 3600, 'an hour');
    expect([replaced, byNode.result.replaced]).toEqual([1, 1]);
    const entry = key(customer.accountId, '9.8.6.1');
    await eventually(() => (node.feeds.get(entry) ?? 0) > Date.now() / 1000);
    const undone = await client.liftBans({
      body: { ids: [...ids, ...byNode.result.ids], restore: [...replacedIds, ...byNode.result.replaced_ids] },
    });
    expect(undone.result).toEqual({ lifted: 3, restored: 2 });
    expect(await list({ q: '9.8.6.0/24' })).toEqual(before);
    await eventually(() => node.feeds.get(entry) === null && !node.feeds.has(key(customer.accountId, '9.8.6.3')));
    // Those of nobody else, and no more than are lifted: the rate counts these.
    const other = await createCustomer(test);
    const taken = await add(['9.8.6.1'], 60, '');
    const [id] = taken.ids as [string];
    const restored = await other.client.liftBans({ body: { ids: [id], restore: taken.replaced_ids } });
    expect(restored.result).toEqual({ lifted: 0, restored: 0 });
    await expect(
      client.liftBans({ body: { ids: [id], restore: [...taken.replaced_ids, randomUUID()] } }),
    ).rejects.toMatchObject({ status: 422, fields: { restore: 'INVALID' } });
  });

  it('given again is the newer one', async () => {
    const body = { networks: ['9.9.8.1'], route_id: route.id };
    await customer.client.addBans({ body: { ...body, seconds: 3600, note: 'first' } });
    await customer.client.addBans({ body: { ...body, seconds: 60, note: 'second' } });
    const bans = await list({ q: '9.9.8.1' });
    expect(bans).toHaveLength(1);
    expect(bans[0]?.note).toBe('second');
    await eventually(() => (node.feeds.get(key(route.id, '9.9.8.1')) ?? 0) < Date.now() / 1000 + 120);
  });

  it('refuses what is no address, at its place, and keeps nothing of the rest', async () => {
    const networks = ['9.9.7.1', 'nonsense', '0.0.0.0/0', '9.9.7.1'];
    await expect(customer.client.addBans({ body: { networks } })).rejects.toMatchObject({
      status: 422,
      fields: { 'networks.1': 'ADDRESS_INVALID', 'networks.2': 'RANGE_TOO_WIDE' },
    });
    await expect(customer.client.addBans({ body: { networks: [] } })).rejects.toMatchObject({ status: 422 });
    await expect(customer.client.addBans({ body: { networks: ['9.9.7.1'], seconds: 9 } })).rejects.toMatchObject({
      fields: { seconds: 'TOO_SMALL' },
    });
    expect(await list({ q: '9.9.7.1' })).toEqual([]);
  });

  it('takes each address once, none inside a range of the call, and none that no visitor comes from', async () => {
    const networks = ['9.9.6.7', '9.9.6.0/24', '127.0.0.1', '9.9.5.1', '9.9.5.1/32', '10.0.0.0/8'];
    const { result } = await customer.client.addBans({ body: { networks } });
    expect(result).toMatchObject({ banned: 2, merged: 2, ignored: 2 });
    expect(result.ids).toHaveLength(2);
    expect((await list({ q: '9.9.5.0/24, 9.9.6.0/24' })).map(({ network }) => network).sort()).toEqual([
      '9.9.5.1',
      '9.9.6.0/24',
    ]);
    await eventually(() => node.feeds.has(key(customer.accountId, '9.9.6.0/24')));
    for (const left of ['9.9.6.7', '127.0.0.1', '10.0.0.0/8'])
      expect(node.feeds.has(key(customer.accountId, left))).toBe(false);
    await customer.client.liftBans({ body: { ids: result.ids } });
    const none = await customer.client.addBans({ body: { networks: ['127.0.0.1'] } });
    expect(none.result).toMatchObject({ banned: 0, ignored: 1, ids: [] });
  });

  it('is found by an address that it holds, and by a range that it lies in', async () => {
    await customer.client.addBans({ body: { networks: ['8.7.6.0/24', '8.7.9.1'] } });
    const found = async (q: string) => (await list({ q })).map(({ network }) => network).sort();
    expect(await found('8.7.6.5')).toEqual(['8.7.6.0/24']);
    expect(await found('8.7.0.0/16')).toEqual(['8.7.6.0/24', '8.7.9.1']);
    expect(await found('8.7.7.1')).toEqual([]);
    expect(await found('eight')).toEqual([]);
    expect(await found('8.7.9')).toEqual(['8.7.9.1']);
    expect(await found('8.7.9.')).toEqual(['8.7.9.1']);
    expect(await found('8.7.')).toEqual(['8.7.6.0/24', '8.7.9.1']);
    expect(await found('8.7.9.1, 8.7.6.9')).toEqual(['8.7.6.0/24', '8.7.9.1']);
  });

  it('is listed in the order of addresses among others of the same moment', async () => {
    const who = await createCustomer(test, { plan: 'vip' });
    const networks = ['9.2.0.30', '9.2.0.4', '2606:4700::9', '9.2.0.100', '9.2.0.0/30'];
    await who.client.addBans({ body: { networks } });
    expect((await list({}, who)).map(({ network }) => network)).toEqual([
      '9.2.0.0/30',
      '9.2.0.4',
      '9.2.0.30',
      '9.2.0.100',
      '2606:4700::9',
    ]);
  });

  it('is found by words of its note, the reason or the plugin, as they stand, in the own account only', async () => {
    const otherCustomer = await createCustomer(test, { plan: 'vip' });
    await otherCustomer.client.addBans({ body: { networks: ['8.4.0.9'], note: 'Scans 100%_ of us' } });
    await customer.client.addBans({ body: { networks: ['8.4.0.1'], note: 'Scans 100%_ of us' } });
    await customer.client.addBans({ body: { networks: ['8.4.0.2'], note: 'scans 1000 of us' } });
    await node.ban([nodeBan('8.4.0.3', { reason: 'odd_reason' })]);
    const found = async (q: string) => (await list({ q })).map(({ network }) => network).sort();
    expect(await found('sCANS')).toEqual(['8.4.0.1', '8.4.0.2']);
    expect(await found('100%_ of')).toEqual(['8.4.0.1']);
    expect(await found('odd reason')).toEqual(['8.4.0.3']);
    expect(await found('odd_reason')).toEqual(['8.4.0.3']);
    expect(await found('request limit')).toContain('8.4.0.3');
    expect(await found('request limit')).not.toContain('8.4.0.1');
    expect(await found('nothing of this')).toEqual([]);
    await expect(list({ q: 'nothing of \0 this' })).rejects.toMatchObject({ fields: { q: 'TEXT_INVALID' } });
    await expect(list({ q: 'x'.repeat(201) })).rejects.toMatchObject({ fields: { q: 'TOO_LONG' } });
  });

  it("is the account's own: another sees and lifts none", async () => {
    const otherCustomer = await createCustomer(test, { plan: 'vip' });
    await customer.client.addBans({ body: { networks: ['8.6.5.4'] } });
    const [ban] = await list({ q: '8.6.5.4' });
    expect(await list({}, otherCustomer)).toEqual([]);
    const { result } = await otherCustomer.client.liftBans({ body: { ids: [ban?.id ?? ''] } });
    expect(result).toEqual({ lifted: 0, restored: 0 });
    expect(await list({ q: '8.6.5.4' })).toHaveLength(1);
  });

  it('is a line of the audit log', async () => {
    await customer.client.addBans({ body: { networks: ['8.5.4.3'], note: 'why' } });
    const { rows } = await test.api.platform.pool.query(
      `SELECT actor, details FROM audit_log WHERE account_id = $1 AND action = 'ban.add' ORDER BY id DESC LIMIT 1`,
      [customer.accountId],
    );
    expect(rows[0]).toMatchObject({ actor: customer.email, details: { networks: ['8.5.4.3'], note: 'why' } });
  });
});

describe('a lifted ban', () => {
  const lift = async (...ids: string[]) => (await customer.client.liftBans({ body: { ids } })).result;
  const restore = async (ids: string[], who = customer) => (await who.client.restoreBans({ body: { ids } })).result;
  const only = async (q: string) => {
    const found = await list({ q });
    expect(found).toHaveLength(1);
    return found[0] as (typeof found)[number];
  };
  const age = (id: string, change: string) =>
    test.api.platform.pool.query(`UPDATE lifted_bans SET ${change} WHERE id = $1`, [id]);

  it('comes back as it was, with all nodes at once, and once only', async () => {
    await node.ban([nodeBan('3.3.3.1')]);
    const before = await only('3.3.3.1');
    const until = await eventually(() => node.feeds.get(key(route.id, '3.3.3.1')));
    await lift(before.id);
    await eventually(() => !node.feeds.has(key(route.id, '3.3.3.1')));
    expect(await list({ q: '3.3.3.1' })).toEqual([]);
    expect(await restore([before.id, randomUUID()])).toEqual({ restored: 1, ended: 0, replaced: 0 });
    await eventually(() => node.feeds.has(key(route.id, '3.3.3.1')));
    expect(node.feeds.get(key(route.id, '3.3.3.1'))).toBe(until);
    expect(await only('3.3.3.1')).toEqual(before);
    expect(await restore([before.id])).toEqual({ restored: 0, ended: 0, replaced: 0 });
    expect(await only('3.3.3.1')).toEqual(before);
  });

  it('comes back with a thousand others in one call', async () => {
    const networks = Array.from({ length: 1000 }, (_, at) => `3.4.${at >> 8}.${at & 255}`);
    await customer.client.addBans({ body: { networks, seconds: null } });
    const ids: string[] = [];
    for (let page = 1; ids.length < 1000; page++)
      ids.push(...(await list({ q: '3.4.0.0/16', page, perpage: 100 })).map(({ id }) => id));
    expect(await lift(...ids)).toEqual({ lifted: 1000, restored: 0 });
    expect(await restore(ids)).toEqual({ restored: 1000, ended: 0, replaced: 0 });
    await eventually(() => networks.every((network) => node.feeds.get(key(customer.accountId, network)) === null));
  });

  it('of another account is as one that is not there', async () => {
    const otherCustomer = await createCustomer(test, { plan: 'vip' });
    await customer.client.addBans({ body: { networks: ['3.3.3.2'] } });
    const { id } = await only('3.3.3.2');
    await lift(id);
    expect(await restore([id], otherCustomer)).toEqual({ restored: 0, ended: 0, replaced: 0 });
    expect(await list({ q: '3.3.3.2' }, otherCustomer)).toEqual([]);
    expect(await restore([id])).toMatchObject({ restored: 1 });
  });

  it('stays away where its time has ended, or where the same was banned anew', async () => {
    await customer.client.addBans({ body: { networks: ['3.3.3.3', '3.3.3.4'], seconds: 600 } });
    const [ended, replaced] = [await only('3.3.3.3'), await only('3.3.3.4')];
    await lift(ended.id, replaced.id);
    await age(ended.id, `ends_at = now() - interval '1 second'`);
    await customer.client.addBans({ body: { networks: ['3.3.3.4'], seconds: 60, note: 'anew' } });
    expect(await restore([ended.id, replaced.id])).toEqual({ restored: 0, ended: 1, replaced: 1 });
    expect(await list({ q: '3.3.3.3' })).toEqual([]);
    expect(await only('3.3.3.4')).toMatchObject({ note: 'anew' });
  });

  it('comes back in place of a ban that has ended, and the last where it was lifted twice', async () => {
    const body = { networks: ['3.3.3.5'], seconds: 600 };
    await customer.client.addBans({ body: { ...body, note: 'first' } });
    const first = await only('3.3.3.5');
    await lift(first.id);
    await age(first.id, `lifted_at = now() - interval '1 second'`);
    await customer.client.addBans({ body: { ...body, note: 'second' } });
    const second = await only('3.3.3.5');
    await lift(second.id);
    await customer.client.addBans({ body: { ...body, note: 'ended' } });
    const ended = await only('3.3.3.5');
    await test.api.platform.pool.query(`UPDATE bans SET ends_at = now() - interval '1 second' WHERE id = $1`, [
      ended.id,
    ]);
    expect(await restore([first.id, second.id])).toEqual({ restored: 1, ended: 0, replaced: 1 });
    expect(await only('3.3.3.5')).toEqual(second);
  });

  it('can be brought back for ten minutes, and is forgotten after a day', async () => {
    await customer.client.addBans({ body: { networks: ['3.3.3.6', '3.3.3.7'] } });
    const [late, inTime] = [await only('3.3.3.6'), await only('3.3.3.7')];
    await lift(late.id, inTime.id);
    await age(late.id, `lifted_at = now() - interval '11 minutes'`);
    await age(inTime.id, `lifted_at = now() - interval '9 minutes'`);
    expect(await restore([late.id])).toEqual({ restored: 0, ended: 0, replaced: 0 });
    await age(late.id, `lifted_at = now() - interval '25 hours'`);
    await test.api.platform.pool.query(`SELECT graphile_worker.add_job('forget-plugin-records')`);
    const kept = async () =>
      (
        await test.api.platform.pool.query<{ id: string }>(`SELECT id FROM lifted_bans WHERE id = ANY($1)`, [
          [late.id, inTime.id],
        ])
      ).rows.map(({ id }) => id);
    await eventually(async () => (await kept()).length < 2);
    expect(await kept()).toEqual([inTime.id]);
    expect(await restore([inTime.id])).toMatchObject({ restored: 1 });
  });
});

describe('bans that a search finds', () => {
  const networksOf = (count: number) => Array.from({ length: count }, (_, at) => `31.${at >> 8}.${at & 255}.1`);

  it('are lifted in one call, however many, gone from nodes, and come back in one, as they were and once only', async () => {
    const who = await createCustomer(test, { plan: 'vip' });
    await who.client.addBans({ body: { networks: ['9.9.9.1', '9.9.9.2'], seconds: null, note: 'kept' } });
    await test.api.platform.pool.query(
      `INSERT INTO bans (account_id, network, note, banned_by)
       SELECT $1, '31.' || n / 65536 || '.' || n / 256 % 256 || '.' || n % 256, 'mistake', 'node' FROM generate_series(1, 5001) n`,
      [who.accountId],
    );
    const before = await list({ q: 'mistake', perpage: 100 }, who);
    const { result } = await who.client.liftFoundBans({ body: { q: 'mistake' } });
    expect(result.lifted).toBe(5001);
    expect((await list({}, who)).map(({ network }) => network).sort()).toEqual(['9.9.9.1', '9.9.9.2']);
    const restore = () => who.client.restoreFoundBans({ body: { lift_id: result.lift_id } });
    expect((await restore()).result).toEqual({ restored: 5001, ended: 0, replaced: 0 });
    expect(await list({ q: 'mistake', perpage: 100 }, who)).toEqual(before);
    await expect(restore()).rejects.toMatchObject({ status: 404 });
    const audited = (await who.client.listAuditLines({ query: {} })).results;
    expect(audited.slice(0, 2).map(({ action, details }) => [action, details.count])).toEqual([
      ['ban.restore', 5001],
      ['ban.lift', 5001],
    ]);
  });

  it('are those of the list: of a domain with the account-wide ones, of the own account, all where nothing is asked for', async () => {
    const [one, other] = [await liveRoute(), await liveRoute()];
    const add = (networks: string[], route_id: string | null, who = customer) =>
      who.client.addBans({ body: { networks, route_id, seconds: 600 } });
    await customer.client.liftFoundBans({ body: { q: '' } });
    await add(networksOf(3), one.id);
    await add(['32.1.1.1'], other.id);
    await add(['33.1.1.1'], null);
    await eventually(() => node.feeds.has(key(one.id, '31.0.0.1')));
    const stranger = await createCustomer(test, { plan: 'vip' });
    await add(['34.1.1.1'], null, stranger);
    await expect(stranger.client.liftFoundBans({ body: { q: '', route_id: one.id } })).rejects.toMatchObject({
      status: 404,
    });
    const { result } = await customer.client.liftFoundBans({ body: { q: '', route_id: one.id } });
    expect(result.lifted).toBe(4);
    expect((await list()).map(({ network }) => network)).toEqual(['32.1.1.1']);
    await eventually(() => !node.feeds.has(key(one.id, '31.0.0.1')));
    await expect(stranger.client.restoreFoundBans({ body: { lift_id: result.lift_id } })).rejects.toMatchObject({
      status: 404,
    });
    // Banned anew meanwhile, or ended.
    await add(['31.0.0.1'], one.id);
    await test.api.platform.pool.query(
      `UPDATE lifted_bans SET ends_at = now() WHERE lift_id = $1 AND network = '31.0.1.1'`,
      [result.lift_id],
    );
    expect((await customer.client.restoreFoundBans({ body: { lift_id: result.lift_id } })).result).toEqual({
      restored: 2,
      ended: 1,
      replaced: 1,
    });
    await eventually(() => node.feeds.has(key(one.id, '31.0.2.1')));
    expect((await list({}, stranger)).map(({ network }) => network)).toEqual(['34.1.1.1']);
    expect((await customer.client.liftFoundBans({ body: { q: '' } })).result.lifted).toBe(4);
  });

  it('can be brought back for ten minutes', async () => {
    await customer.client.addBans({ body: { networks: ['35.1.1.1'], seconds: 600 } });
    const { result } = await customer.client.liftFoundBans({ body: { q: '35.1.1.1' } });
    await test.api.platform.pool.query(
      `UPDATE lifted_bans SET lifted_at = now() - interval '601 seconds' WHERE lift_id = $1`,
      [result.lift_id],
    );
    await expect(customer.client.restoreFoundBans({ body: { lift_id: result.lift_id } })).rejects.toMatchObject({
      status: 404,
    });
  });
});

describe('a ban of a node', () => {
  it('is with all nodes at once, and listed once with its reason', async () => {
    const other = await startFakeNode(test);
    const ban = nodeBan('7.7.7.7');
    expect(await node.ban([ban, { ...ban, seconds: 60 }])).toBe(200);
    expect(await node.ban([ban])).toBe(200);
    const until = await eventually(() => other.feeds.get(key(route.id, '7.7.7.7')));
    expect(until).toBe(Math.ceil(ban.at + 600));
    expect(await list({ q: '7.7.7.7' })).toMatchObject([
      { plugin: 'request-limit', reason: 'too_many_requests', request_id: ban.request_id, banned_by: node.name },
    ]);
    other.stop();
  });

  it('does not shorten one that ends later', async () => {
    await customer.client.addBans({ body: { networks: ['7.7.6.1'], route_id: route.id, seconds: null } });
    await customer.client.addBans({ body: { networks: ['7.7.6.2'], route_id: route.id, seconds: 3600 } });
    await node.ban([nodeBan('7.7.6.1'), nodeBan('7.7.6.2'), nodeBan('7.7.6.3')]);
    await eventually(() => node.feeds.has(key(route.id, '7.7.6.3')));
    expect(node.feeds.get(key(route.id, '7.7.6.1'))).toBeNull();
    expect(node.feeds.get(key(route.id, '7.7.6.2'))).toBeGreaterThan(Date.now() / 1000 + 3000);
    expect((await list({ q: '7.7.6.2' }))[0]?.plugin).toBeNull();
  });

  it('counts for routes that the node serves only', async () => {
    const elsewhere = await startFakeNode(test, ['free01']);
    expect(await elsewhere.ban([nodeBan('7.7.5.1')])).toBe(200);
    expect(await node.ban([nodeBan('7.7.5.2', { route_id: randomUUID() }), nodeBan('no network')])).toBe(200);
    await node.ban([nodeBan('7.7.5.3')]);
    expect((await list({ q: '7.7.5.0/24' })).map(({ network }) => network)).toEqual(['7.7.5.3']);
    elsewhere.stop();
  });
});

describe('nodes', () => {
  it('get what holds with their snapshot, and what has changed since with their stream', async () => {
    await customer.client.addBans({ body: { networks: ['6.6.6.1', '6.6.6.2'], seconds: null } });
    const bans = await list({ q: '6.6.6.0/24' });
    await customer.client.liftBans({ body: { ids: [bans.find(({ network }) => network === '6.6.6.2')?.id ?? ''] } });
    const late = await startFakeNode(test);
    expect(late.feeds.has(key(customer.accountId, '6.6.6.1'))).toBe(true);
    expect(late.feeds.has(key(customer.accountId, '6.6.6.2'))).toBe(false);
    late.stop();
  });

  it('get the feeds of the routes of their czones and of their accounts only', async () => {
    const free = await createCustomer(test);
    const domain = await free.client.createRoute({
      body: { cname: free.cname, domain_name: uniqueName(), upstreams: upstreamsTo() },
    });
    const freeRoute = domain.result;
    await free.client.deployRoute({ params: { id: freeRoute.id }, ifMatch: 1, body: {} });
    await eventually(() => node.routes.has(freeRoute.id));
    const czoneOf = (id: string) => node.routes.get(id)?.czone ?? '';
    const [ofFree, ofPaid] = [
      await startFakeNode(test, [czoneOf(freeRoute.id)]),
      await startFakeNode(test, [czoneOf(route.id)]),
    ];
    const ban = async (who: Customer, network: string, routeId: string) => {
      await who.client.addBans({ body: { networks: [`6.1.1.${network}`], route_id: routeId, seconds: null } });
      await who.client.addBans({ body: { networks: [`6.1.2.${network}`], seconds: null } });
    };
    await ban(free, '1', freeRoute.id);
    await ban(customer, '2', route.id);
    const freeKeys = [key(freeRoute.id, '6.1.1.1'), key(free.accountId, '6.1.2.1')];
    const paidKeys = [key(route.id, '6.1.1.2'), key(customer.accountId, '6.1.2.2')];
    const has = (who: typeof node, keys: readonly string[]) => keys.map((each) => who.feeds.has(each));
    // What was given first comes first: who has the last has passed the others over.
    await eventually(() => has(ofFree, freeKeys).every(Boolean) && has(ofPaid, paidKeys).every(Boolean));
    await eventually(() => has(node, [...freeKeys, ...paidKeys]).every(Boolean));
    const late = await startFakeNode(test, [czoneOf(freeRoute.id)]);
    expect(has(late, [...freeKeys, ...paidKeys])).toEqual([true, true, false, false]);
    expect(has(ofPaid, freeKeys)).toEqual([false, false]);
    await free.client.liftBans({ body: { ids: (await list({}, free)).map(({ id }) => id) } });
    await eventually(() => !has(ofFree, freeKeys).some(Boolean));
    expect(has(ofFree, paidKeys)).toEqual([false, false]);
    for (const each of [ofFree, ofPaid, late]) each.stop();
  });

  it('get the feeds of a route and its account before the route, and what was lifted while it was off', async () => {
    const other = await createCustomer(test);
    const { result } = await other.client.createRoute({
      body: { cname: other.cname, domain_name: uniqueName(), upstreams: upstreamsTo() },
    });
    const params = { id: result.id };
    const keys = [key(result.id, '6.2.1.1'), key(other.accountId, '6.2.2.1'), key(other.accountId, '6.2.2.2')];
    const known = () => keys.map((each) => node.feeds.has(each));
    await other.client.addBans({ body: { networks: ['6.2.1.1'], route_id: result.id, seconds: null } });
    await other.client.addBans({ body: { networks: ['6.2.2.1', '6.2.2.2'], seconds: null } });
    const seen: boolean[][] = [];
    const { probe } = node;
    node.probe = (change) => {
      if (change.route_id === result.id && change.route) seen.push(known());
      return probe(change);
    };
    await other.client.deployRoute({ params, ifMatch: 1, body: {} });
    await eventually(() => node.routes.has(result.id));
    // A route may come more than once.
    expect(seen[0]).toEqual([true, true, true]);

    await other.client.deactivateRoute({ params });
    await eventually(() => node.routes.get(result.id)?.off === 'deactivated');
    const [ban] = await list({ q: '6.2.2.2' }, other);
    await other.client.liftBans({ body: { ids: [ban?.id ?? ''] } });
    await other.client.deployRoute({
      params,
      ifMatch: (await other.client.getRoute({ params })).result.draft_revision,
      body: {},
    });
    await eventually(() => node.routes.get(result.id)?.off === undefined);
    // By a message of its own: a deploy waits for no feed of a route that the node has.
    await eventually(() => !known().at(-1));
    expect(known()).toEqual([true, true, false]);
    node.probe = probe;
  });

  it('are told of more than fits into one message', async () => {
    const ranges = Array.from({ length: 6 }, (_, block) =>
      Array.from({ length: 1000 }, (_, at) => `5.${block}.${at >> 8}.${at & 255}`),
    );
    for (const networks of ranges) await customer.client.addBans({ body: { networks, seconds: null } });
    const all = ranges.flat();
    const late = await startFakeNode(test);
    for (const who of [node, late])
      await eventually(() => all.every((network) => who.feeds.has(key(customer.accountId, network))));
    late.stop();
  });
});

it('is enforced on domains that do not configure it, and not on those that switch it off', async () => {
  expect(node.routes.get(route.id)?.plugins).toContainEqual({ name: 'ban', config: { default_timeout: 3600 } });
  const off = await liveRoute([{ name: 'ban', enabled: false, config: { default_timeout: 60 } }]);
  expect(node.routes.get(off.id)?.plugins.map(({ name }) => name)).not.toContain('ban');
});

it('shows in the trace of a request', async () => {
  await customer.client.addBans({ body: { networks: ['4.4.0.0/16'], route_id: route.id } });
  const trace = async (from: string) =>
    (
      await customer.client.traceRequest({
        params: { id: route.id },
        body: { url: '/', client_address: from, version: 'live', preview: true },
      })
    ).result.steps.find(({ plugin }) => plugin === 'ban');
  expect(await trace('4.4.1.2')).toMatchObject({ outcome: 'block', reason: 'banned', rule: '4.4.0.0/16' });
  expect(await trace('4.5.1.2')).toMatchObject({ outcome: 'pass' });
});
