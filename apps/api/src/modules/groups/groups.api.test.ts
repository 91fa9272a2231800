import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Customer, createCustomer, createDomain, eventually } from '../../testing/fixtures.ts';
import { startApi, type TestApi } from '../../testing/start-api.ts';

let test: TestApi;
let customer: Customer;
beforeAll(async () => {
  test = await startApi();
  customer = await createCustomer(test, { plan: 'vip' });
});
afterAll(() => test.stop());

const groups = async (who = customer) => (await who.client.listGroups()).results;
const move = async (names: string[], groupId: string) => {
  const { result } = await customer.client.bulkRoutes({
    body: { action: 'move_group', selection: { names }, group_id: groupId },
  });
  return eventually(async () => {
    const { result: now } = await customer.client.getBatch({ params: { id: result.id } });
    return now.state !== 'running' && now;
  });
};

describe('groups', () => {
  it('begin with a default one, where new domains go; it can be renamed and not deleted', async () => {
    const [first, ...others] = await groups();
    expect(others).toEqual([]);
    expect(first).toMatchObject({ name: 'Default', default_group: true, domains: 0 });
    const id = first?.id ?? '';
    expect((await createDomain(customer)).group_id).toBe(id);
    expect((await groups())[0]).toMatchObject({ domains: 1 });
    const { result } = await customer.client.renameGroup({ params: { id }, body: { name: 'Everything' } });
    expect(result).toMatchObject({ name: 'Everything', default_group: true });
    await expect(customer.client.deleteGroup({ params: { id } })).rejects.toMatchObject({
      status: 409,
      code: 'GROUP_IS_DEFAULT',
    });
  });

  it('hold the domains moved into them, and give them back to the default one when deleted', async () => {
    const [standard] = await groups();
    const { result: shops } = await customer.client.createGroup({ body: { name: '  Shops ' } });
    expect(shops).toMatchObject({ name: 'Shops', default_group: false, domains: 0 });
    const routes = [await createDomain(customer), await createDomain(customer)];
    const names = routes.map((route) => route.domain_name);
    expect(await move(names, shops.id)).toMatchObject({ state: 'successful', succeeded: 2 });
    const inShops = await customer.client.listRoutes({ query: { group: shops.id } });
    expect(inShops.count).toBe(2);
    expect(inShops.results.map((route) => route.domain_name).sort()).toEqual([...names].sort());
    expect(inShops.results.every((route) => route.group_id === shops.id)).toBe(true);
    expect((await customer.client.getGroup({ params: { id: shops.id } })).result.domains).toBe(2);
    expect((await customer.client.listRoutes({ query: { group: shops.id, status: 'running' } })).count).toBe(0);
    const everywhere = (await customer.client.listRoutes()).count;
    expect((await customer.client.listRoutes({ query: { group: standard?.id ?? '' } })).count).toBe(everywhere - 2);
    await customer.client.deleteGroup({ params: { id: shops.id } });
    expect((await groups()).map(({ domains }) => domains)).toEqual([everywhere]);
    const { result } = await customer.client.getRoute({ params: { id: routes[0]?.id ?? '' } });
    expect(result.group_id).toBe(standard?.id);
  });

  it('have names of their own, in any case', async () => {
    const { result } = await customer.client.createGroup({ body: { name: 'Blogs' } });
    await expect(customer.client.createGroup({ body: { name: 'BLOGS' } })).rejects.toMatchObject({
      status: 422,
      fields: { name: 'GROUP_NAME_TAKEN' },
    });
    const { result: other } = await customer.client.createGroup({ body: { name: 'Others' } });
    await expect(
      customer.client.renameGroup({ params: { id: other.id }, body: { name: 'blogs' } }),
    ).rejects.toMatchObject({ fields: { name: 'GROUP_NAME_TAKEN' } });
    // Another account's names are no hindrance.
    const otherCustomer = await createCustomer(test);
    await otherCustomer.client.createGroup({ body: { name: 'Blogs' } });
    await customer.client.renameGroup({ params: { id: result.id }, body: { name: 'blogs' } });
    await expect(customer.client.createGroup({ body: { name: '   ' } })).rejects.toMatchObject({
      fields: { name: 'REQUIRED' },
    });
  });

  it('of another account take no domains in, and show none of theirs', async () => {
    const otherCustomer = await createCustomer(test);
    const [theirs] = await groups(otherCustomer);
    const route = await createDomain(customer);
    await expect(move([route.domain_name], theirs?.id ?? '')).rejects.toMatchObject({ status: 404 });
    expect((await customer.client.listRoutes({ query: { group: theirs?.id ?? '' } })).count).toBe(0);
    const own = (await groups())[0]?.id ?? '';
    expect((await otherCustomer.client.listRoutes({ query: { group: own } })).count).toBe(0);
  });

  it('that are gone when the batch comes to it leave the domain where it is', async () => {
    const route = await createDomain(customer);
    const { result: doomed } = await customer.client.createGroup({ body: { name: 'Doomed' } });
    const { pool } = test.api.platform;
    const client = await pool.connect();
    await client.query('BEGIN');
    await client.query('SELECT 1 FROM routes WHERE id = $1 FOR UPDATE', [route.id]);
    const { result: batch } = await customer.client.bulkRoutes({
      body: { action: 'move_group', selection: { names: [route.domain_name] }, group_id: doomed.id },
    });
    await customer.client.deleteGroup({ params: { id: doomed.id } });
    await client.query('COMMIT');
    client.release();
    const done = await eventually(async () => {
      const { result } = await customer.client.getBatch({ params: { id: batch.id } });
      return result.state !== 'running' && result;
    });
    expect(done).toMatchObject({ failed: 1 });
    expect((await customer.client.getRoute({ params: { id: route.id } })).result.group_id).toBe(route.group_id);
  });
});
