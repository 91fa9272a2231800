import { describe, expect, it, vi } from 'vitest';
import { startEdgeApi } from '../../testing/edge-api.ts';
import {
  type Customer,
  createCustomer,
  createDomain,
  eventually,
  startFakeNode,
  uniqueName,
  upstreamsTo,
} from '../../testing/fixtures.ts';
import { startApi } from '../../testing/start-api.ts';

const { test, node } = await startEdgeApi({ addresses: ['198.41.0.4'] });

const verify = async (customer: Customer, id: string) =>
  (await customer.client.verifyOwnership({ params: { id } })).result.ownership;

describe('a name', () => {
  it('is proved by pointing to its own exclusive CNAME, and the edge hears of it without a version', async () => {
    const customer = await createCustomer(test);
    const route = await createDomain(customer);
    await customer.client.deployRoute({ params: { id: route.id }, ifMatch: 1, body: {} });
    expect(route.ownership.record).toEqual({ type: 'CNAME', name: route.domain_name, value: [route.cname] });
    expect((await verify(customer, route.id)).state).toBe('pending');
    test.dns.setCname(route.domain_name, 'shadow.example.net');
    test.dns.setCname('shadow.example.net', route.cname);
    expect(await verify(customer, route.id)).toMatchObject({
      state: 'verified',
      method: 'cname',
      seen: ['shadow.example.net', route.cname],
    });
    await eventually(() => node.routes.get(route.id)?.hosts[0]?.verified);
    expect(node.routes.get(route.id)?.version).toBe(1);
  });

  it('that DNS does not answer for is not said to have no record, and keeps its proof', async () => {
    const customer = await createCustomer(test);
    const route = await createDomain(customer);
    const silent = vi.spyOn(test.dns, 'cnames').mockRejectedValue(new Error('queryCname ETIMEOUT'));
    const health = async () => (await customer.client.getRoute({ params: { id: route.id } })).result.health.findings;
    try {
      expect(await verify(customer, route.id)).toMatchObject({ state: 'pending', seen: null });
      expect(await health()).toContainEqual(
        expect.objectContaining({ check: 'ownership', state: 'error', finding: 'no_answer', advice: 'retry' }),
      );
      silent.mockRestore();
      expect(await verify(customer, route.id)).toMatchObject({ state: 'pending', seen: [] });
      expect(await health()).toContainEqual(expect.objectContaining({ check: 'ownership', finding: 'no_record' }));
      test.dns.setCname(route.domain_name, route.cname);
      expect((await verify(customer, route.id)).state).toBe('verified');
      vi.spyOn(test.dns, 'cnames').mockRejectedValue(new Error('queryCname ETIMEOUT'));
      expect(await verify(customer, route.id)).toMatchObject({ state: 'verified', method: 'cname', seen: null });
    } finally {
      vi.restoreAllMocks();
    }
  });

  it('that is seen otherwise than before is told to open consoles, and no other', async () => {
    const customer = await createCustomer(test);
    const route = await createDomain(customer);
    const events = async () =>
      (await test.api.platform.pool.query('SELECT id FROM events WHERE subject_id = $1', [route.id])).rows.length;
    await verify(customer, route.id);
    const before = await events();
    test.dns.setAddresses(route.domain_name, ['192.0.32.10', '192.0.32.11']);
    await verify(customer, route.id);
    expect(await events()).toBe(before + 1);
    test.dns.setAddresses(route.domain_name, ['192.0.32.11', '192.0.32.10']);
    await verify(customer, route.id);
    expect(await events()).toBe(before + 1);
  });

  it("is not proved by another route's CNAME", async () => {
    const [mine, other] = [await createCustomer(test), await createCustomer(test)];
    const [route, foreign] = [await createDomain(mine), await createDomain(other)];
    test.dns.setCname(foreign.domain_name, route.cname);
    expect((await verify(other, foreign.id)).state).toBe('pending');
  });

  it('at an apex is proved by the addresses together with the TXT record, by neither alone', async () => {
    const customer = await createCustomer(test);
    const name = `apex${Date.now()}.com`;
    const route = await createDomain(customer, name);
    expect(route.ownership.record).toEqual({ type: 'A', name, value: ['198.41.0.4'] });
    test.dns.setAddresses(name, ['198.41.0.4']);
    expect((await verify(customer, route.id)).state).toBe('pending');
    test.dns.setAddresses(name, ['192.0.32.10']);
    test.dns.setTexts(route.ownership.txt.name, [route.ownership.txt.value]);
    expect((await verify(customer, route.id)).state).toBe('pending');
    test.dns.setAddresses(name, ['198.41.0.4']);
    expect(await verify(customer, route.id)).toMatchObject({ state: 'verified', method: 'address_and_txt' });
  });

  it('at an apex has a record of its own for IPv6, where that is on', async () => {
    const customer = await createCustomer(test, { plan: 'vip' });
    const { pool } = test.api.platform;
    const name = `apex6${Date.now()}.com`;
    const route = await createDomain(customer, name);
    await customer.client.deployRoute({ params: { id: route.id }, ifMatch: 1, body: {} });
    const shadow = `www${name}`;
    await customer.client.addShadowDomains({ params: { id: route.id }, body: { names: [shadow] } });
    const read = async () => (await customer.client.getRoute({ params: { id: route.id } })).result.ownership;
    const shadowDomainOf = async () =>
      (await customer.client.listShadowDomains({ params: { id: route.id } })).results[0]?.ownership;
    await pool.query(`UPDATE edge_nodes SET addresses = addresses || '{2001:500:2::c}'`);
    try {
      const a = { type: 'A', value: ['198.41.0.4'] };
      const aaaa = { type: 'AAAA', value: ['2001:500:2::c'] };
      expect(await read()).toMatchObject({ record: { ...a, name }, record_ipv6: null });
      await pool.query('UPDATE subscriptions SET ipv6 = true WHERE id = $1', [customer.subscriptionId]);
      expect(await read()).toMatchObject({ record: { ...a, name }, record_ipv6: { ...aaaa, name } });
      expect(await shadowDomainOf()).toMatchObject({
        record: { ...a, name: shadow },
        record_ipv6: { ...aaaa, name: shadow },
      });
      const below = await createDomain(customer, `www.${name}`);
      expect(below.ownership).toMatchObject({ record: { type: 'CNAME' }, record_ipv6: null });
      // Both kinds count as pointing here; one that leads elsewhere does not.
      test.dns.setTexts(route.ownership.txt.name, [route.ownership.txt.value]);
      test.dns.setAddresses(name, ['198.41.0.4', '2001:500:2::d']);
      expect((await verify(customer, route.id)).state).toBe('pending');
      test.dns.setAddresses(name, ['198.41.0.4', '2001:500:2::c']);
      expect((await verify(customer, route.id)).state).toBe('verified');
    } finally {
      await pool.query(`UPDATE edge_nodes SET addresses = array_remove(addresses, '2001:500:2::c')`);
    }
  });

  it('that a squatter holds moves to who proves it by TXT', async () => {
    const [squatter, owner] = [await createCustomer(test), await createCustomer(test)];
    const held = await createDomain(squatter);
    await squatter.client.deployRoute({ params: { id: held.id }, ifMatch: 1, body: {} });
    await eventually(() => node.routes.has(held.id));
    const add = () =>
      test.call('POST', 'domain/routes/', {
        token: owner.token,
        body: { cname: owner.cname, domain_name: held.domain_name, upstreams: upstreamsTo() },
      });
    const refused = await add();
    expect(refused.body).toMatchObject({ domain_name: 'DOMAIN_NAME_TAKEN' });
    const { txt_name, txt_value } = refused.body.params.domain_name;
    test.dns.setTexts(txt_name, ['cordon-verify=wrong']);
    expect((await add()).status).toBe(422);
    test.dns.setTexts(txt_name, ['v=spf1 -all', txt_value]);
    expect((await add()).status).toBe(201);
    await eventually(() => !node.routes.has(held.id));
    await eventually(
      async () => (await test.call('GET', `domain/routes/${held.id}/`, { token: squatter.token })).status === 404,
    );
    expect((await squatter.client.listSubscriptions()).results[0]?.usage.domains).toBe(0);
  });

  it('below a wildcard goes to who proves the wildcard, unless it was proved itself', async () => {
    const [squatter, tenant] = [await createCustomer(test), await createCustomer(test)];
    const owner = await createCustomer(test, { plan: 'vip' });
    const parent = uniqueName();
    const held = await createDomain(squatter, `shop.${parent}`);
    const proved = await createDomain(tenant, `blog.${parent}`);
    test.dns.setCname(proved.domain_name, proved.cname);
    expect((await verify(tenant, proved.id)).state).toBe('verified');
    await squatter.client.deployRoute({ params: { id: held.id }, ifMatch: 1, body: {} });
    await eventually(() => node.routes.has(held.id));
    const add = () =>
      test.call('POST', 'domain/routes/', {
        token: owner.token,
        body: { cname: owner.cname, domain_name: `*.${parent}`, upstreams: upstreamsTo() },
      });
    const refused = await add();
    expect(refused.body).toMatchObject({ domain_name: 'WILDCARD_SPANS_OTHERS' });
    const { txt_name, txt_value } = refused.body.params.domain_name;
    test.dns.setTexts(txt_name, [txt_value]);
    expect((await add()).status).toBe(201);
    await eventually(() => !node.routes.has(held.id));
    const { rows } = await test.api.platform.pool.query('SELECT name FROM names WHERE name LIKE $1 ORDER BY name', [
      `%.${parent}`,
    ]);
    expect(rows.map((row) => row.name)).toEqual([`*.${parent}`, `blog.${parent}`]);
  });

  it("that was another account's needs the TXT proof for thirty days", async () => {
    const [before, after] = [await createCustomer(test), await createCustomer(test)];
    const name = uniqueName();
    const first = await createDomain(before, name);
    test.dns.setCname(name, first.cname);
    expect((await verify(before, first.id)).state).toBe('verified');
    await before.client.deleteRoute({ params: { id: first.id }, body: { cname: before.cname } });
    const second = await createDomain(after, name);
    test.dns.setCname(name, second.cname);
    expect(await verify(after, second.id)).toMatchObject({ state: 'pending', taken_elsewhere: true });
    test.dns.setTexts(second.ownership.txt.name, [second.ownership.txt.value]);
    expect((await verify(after, second.id)).state).toBe('verified');
  });

  it('is checked periodically, without a request', async () => {
    const customer = await createCustomer(test);
    const route = await createDomain(customer);
    const ownership = async () => (await customer.client.getRoute({ params: { id: route.id } })).result.ownership;
    await eventually(async () => (await ownership()).checked_at !== null);
    test.dns.setCname(route.domain_name, route.cname);
    // The next look is planned; what it does is done here at once instead of waiting for its time.
    await eventually(
      async () =>
        (
          await test.api.platform.pool.query(
            'UPDATE graphile_worker._private_jobs SET run_at = now() WHERE key = $1 AND run_at > now()',
            [`watch-ownership/${route.id}`],
          )
        ).rowCount === 1,
    );
    await eventually(async () => (await ownership()).state === 'verified');
  });
});

describe('a preview', () => {
  it('is signed for one route, and only for what is live', async () => {
    const customer = await createCustomer(test);
    const route = await createDomain(customer);
    const early = await test.call('POST', `domain/routes/${route.id}/preview/`, { token: customer.token });
    expect(early.body).toMatchObject({ code: 'DOMAIN_NOT_DEPLOYED' });
    await customer.client.deployRoute({ params: { id: route.id }, ifMatch: 1, body: {} });
    await node.heartbeat();
    const { result } = await customer.client.createPreview({ params: { id: route.id } });
    const [id, expiry, signature] = result.token.split('.');
    const { createHmac } = await import('node:crypto');
    const key = Buffer.from(node.settings?.preview_key ?? '', 'base64url');
    expect(id).toBe(route.id);
    expect(signature).toBe(createHmac('sha256', key).update(`${id}.${expiry}`).digest('base64url'));
    expect(result.curl).toContain(`--resolve '${route.domain_name}:8443:198.41.0.4'`);
    // No name server runs here.
    expect(result.dig).toBeNull();
  });

  it('is refused as no connection to the gateway while no node of the czone is live', async () => {
    const customer = await createCustomer(test);
    const route = await createDomain(customer);
    await customer.client.deployRoute({ params: { id: route.id }, ifMatch: 1, body: {} });
    await test.api.platform.pool.query(`UPDATE edge_nodes SET last_seen_at = now() - interval '1 minute'`);
    const preview = () => test.call('POST', `domain/routes/${route.id}/preview/`, { token: customer.token });
    expect(await preview()).toMatchObject({ status: 502, body: { code: 'GATEWAY_CONNECTION_ERROR' } });
    await node.heartbeat();
    expect((await preview()).status).toBe(200);
  });

  it('comes with the dig command for the exclusive CNAME, at this name server: loopback has no delegation', async () => {
    const other = await startApi({ CORDON_DNS_PORT: '5399' });
    try {
      const customer = await createCustomer(other);
      const live = await startFakeNode(other);
      const route = await createDomain(customer);
      await customer.client.deployRoute({ params: { id: route.id }, ifMatch: 1, body: {} });
      const { result } = await customer.client.createPreview({ params: { id: route.id } });
      expect(result.dig).toBe(`dig @127.0.0.1 -p 5399 +short ${route.cname}`);
      live.stop();
    } finally {
      await other.stop();
    }
  });
});

describe('the demo', () => {
  it('takes every name as proved', async () => {
    const demo = await startApi({ CORDON_DEMO: '1' });
    try {
      const customer = await createCustomer(demo);
      expect((await createDomain(customer)).ownership).toMatchObject({ state: 'verified', method: 'demo' });
    } finally {
      await demo.stop();
    }
  });
});
