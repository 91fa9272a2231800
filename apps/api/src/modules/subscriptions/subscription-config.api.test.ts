import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Customer, createCustomer, createDomain, startFakeNode } from '../../testing/fixtures.ts';
import { startApi, type TestApi } from '../../testing/start-api.ts';
import { createSubscriptionService } from './service.ts';

let test: TestApi;
beforeAll(async () => {
  test = await startApi();
});
afterAll(() => test.stop());

const PATH = 'domain/configure/subscription/';
const configure = (customer: Customer, body: object) => test.call('POST', PATH, { token: customer.token, body });

describe('IPv6 of a subscription', () => {
  it('is enabled for all its domains, and never off again', async () => {
    const node = await startFakeNode(test, ['vip01', 'vip02'], { addresses: ['203.0.113.10', '2001:db8::10'] });
    try {
      const customer = await createCustomer(test, { plan: 'vip' });
      const route = await createDomain(customer);
      expect(route.ipv6).toBe(false);
      expect((await customer.client.getSubscriptionConfig()).result).toEqual({
        cname: customer.cname,
        ipv6: false,
        can_enable_ipv6: true,
        ipv6_addresses: ['2001:db8::10'],
      });
      expect((await configure(customer, { ipv6: false })).body.result.ipv6).toBe(false);
      expect((await configure(customer, { ipv6: true })).body.result.ipv6).toBe(true);
      // Asked again it stays; only taking it away is refused.
      expect((await configure(customer, { ipv6: true, cname: customer.cname })).status).toBe(200);
      expect(await configure(customer, { ipv6: false })).toMatchObject({
        status: 422,
        body: { ipv6: 'IPV6_CANNOT_DISABLE' },
      });
      expect((await customer.client.getRoute({ params: { id: route.id } })).result.ipv6).toBe(true);
      expect((await customer.client.listSubscriptions()).results[0]?.ipv6).toBe(true);
      const { rows } = await test.api.platform.pool.query(`SELECT action FROM audit_log WHERE account_id = $1`, [
        customer.accountId,
      ]);
      expect(rows.filter(({ action }) => action === 'subscription.ipv6_enable')).toHaveLength(1);
      // Nor by any other way.
      await expect(
        test.api.platform.pool.query('UPDATE subscriptions SET ipv6 = false WHERE id = $1', [customer.subscriptionId]),
      ).rejects.toThrow(/cannot be disabled/);
    } finally {
      node.stop();
    }
  });

  it('is for VIP plans only', async () => {
    const customer = await createCustomer(test);
    expect((await customer.client.getSubscriptionConfig()).result).toMatchObject({ can_enable_ipv6: false });
    expect(await configure(customer, { ipv6: true })).toMatchObject({ status: 403, body: { code: 'PLAN_REQUIRED' } });
    expect((await customer.client.getSubscriptionConfig()).result.ipv6).toBe(false);
  });

  it("is the first subscription's unless a cname says which; another account's is not found", async () => {
    const customer = await createCustomer(test, { plan: 'vip' });
    const subscriptions = createSubscriptionService(test.env, test.api.platform.db);
    const second = await subscriptions.get(customer.accountId, {
      id: await subscriptions.add(customer.accountId, 'vip'),
    });
    await configure(customer, { ipv6: true, cname: second.cname });
    const { results } = await customer.client.listSubscriptions();
    expect(results.map(({ cname, ipv6 }) => [cname, ipv6])).toEqual([
      [customer.cname, false],
      [second.cname, true],
    ]);
    expect((await customer.client.getSubscriptionConfig()).result.cname).toBe(customer.cname);
    const otherCustomer = await createCustomer(test, { plan: 'vip' });
    expect(await configure(otherCustomer, { ipv6: true, cname: customer.cname })).toMatchObject({
      status: 404,
      body: { code: 'SUBSCRIPTION_NOT_FOUND' },
    });
    expect((await test.call('GET', `${PATH}?cname=${customer.cname}`, { token: otherCustomer.token })).status).toBe(
      404,
    );
  });
});
