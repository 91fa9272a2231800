import { beforeEach, expect, it } from 'vitest';
import { startEdgeApi } from '../../testing/edge-api.ts';
import { type Customer, createCustomer, createDomain, eventually } from '../../testing/fixtures.ts';

const { test, node } = await startEdgeApi();
/** In a free subscription: the mode is for all, and there is one domain. */
let customer: Customer;
beforeEach(async () => {
  customer = await createCustomer(test);
});

async function deployed() {
  const params = { id: (await createDomain(customer)).id };
  await deploy(params);
  return params;
}
async function deploy(params: { readonly id: string }) {
  await customer.client.deployRoute({ params, ifMatch: 1, body: {} });
  await eventually(async () => (await customer.client.getRoute({ params })).result.operation?.state !== 'running');
}
/** Until when the node has the domain in the mode, in seconds. */
const until = ({ id }: { readonly id: string }) => node.feeds.get(`development ${id} 0.0.0.0/0`);
const now = () => Date.now() / 1000;
const call = (method: string, id: string, { token = customer.token, body }: { token?: string; body?: unknown } = {}) =>
  test.call(method, `domain/routes/${id}/development-mode/`, { token, body });
const lines = async () =>
  (await customer.client.listAuditLines({})).results.filter(({ action }) => action.startsWith('route.development'));

it('is on at nodes for as long as it was asked for, three hours by default, and says until when', async () => {
  const params = await deployed();
  expect((await customer.client.getDevelopmentMode({ params })).result).toEqual({ ends_at: null });
  const { result } = await customer.client.startDevelopmentMode({ params, body: {} });
  const end = Date.parse(result.ends_at ?? '') / 1000;
  expect(Math.abs(end - now() - 10_800)).toBeLessThan(10);
  await eventually(() => until(params) === end);
  expect((await customer.client.getDevelopmentMode({ params })).result).toEqual(result);
  const longer = await customer.client.startDevelopmentMode({ params, body: { seconds: 86_400 } });
  await eventually(() => until(params) === Date.parse(longer.result.ends_at ?? '') / 1000);
  expect(until(params)).toBeGreaterThan(end + 70_000);
});

it('ends at once when it is told to, and has nothing to end then', async () => {
  const params = await deployed();
  await customer.client.startDevelopmentMode({ params, body: { seconds: 600 } });
  await eventually(() => until(params) !== undefined);
  expect((await customer.client.endDevelopmentMode({ params })).result).toEqual({ ended: true });
  await eventually(() => until(params) === undefined);
  expect((await customer.client.getDevelopmentMode({ params })).result).toEqual({ ends_at: null });
  expect((await customer.client.endDevelopmentMode({ params })).result).toEqual({ ended: false });
  const [ended, started, ...others] = await lines();
  expect(others).toEqual([]);
  expect(ended?.action).toBe('route.development_end');
  expect(started).toMatchObject({
    action: 'route.development_start',
    details: { seconds: 600, until: expect.any(String) },
  });
});

it('stands with the domain, in the list too, until it ends', async () => {
  const params = await deployed();
  const { client } = customer;
  const ends = async () => {
    const [{ result }, { results }] = await Promise.all([
      client.getRoute({ params }),
      client.listRoutes({ query: {} }),
    ]);
    return [result.development_ends_at, ...results.map((route) => route.development_ends_at)];
  };
  expect(await ends()).toEqual([null, null]);
  const { ends_at: end } = (await client.startDevelopmentMode({ params, body: {} })).result;
  expect(await ends()).toEqual([end, end]);
  await test.api.platform.pool.query(`UPDATE feed_entries SET ends_at = now() WHERE scope = $1`, [params.id]);
  expect(await ends()).toEqual([null, null]);
});

it('tells consoles when it begins and ends', async () => {
  const params = await deployed();
  const told = async () => {
    const { rows } = await test.api.platform.pool.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM events WHERE slot = 'domain' AND subject_id = $1`,
      [params.id],
    );
    return rows[0]?.count ?? 0;
  };
  const before = await told();
  await customer.client.startDevelopmentMode({ params, body: {} });
  expect(await told()).toBe(before + 1);
  await customer.client.endDevelopmentMode({ params });
  expect(await told()).toBe(before + 2);
  await customer.client.endDevelopmentMode({ params });
  expect(await told()).toBe(before + 2);
});

it('says nothing of a mode whose time is over', async () => {
  const params = await deployed();
  await customer.client.startDevelopmentMode({ params, body: {} });
  await test.api.platform.pool.query(`UPDATE feed_entries SET ends_at = now() WHERE scope = $1`, [params.id]);
  expect((await customer.client.getDevelopmentMode({ params })).result).toEqual({ ends_at: null });
  expect((await customer.client.endDevelopmentMode({ params })).result).toEqual({ ended: false });
});

it.each([599, 86_401, 600.5, '600', null])('refuses %j seconds at the field, and changes nothing', async (seconds) => {
  const params = await deployed();
  const { status, body } = await call('PUT', params.id, { body: { seconds } });
  expect(status).toBe(422);
  expect(body).toHaveProperty('seconds');
  expect((await customer.client.getDevelopmentMode({ params })).result).toEqual({ ends_at: null });
});

it('is refused for a domain that is not deployed, is suspended or being deleted', async () => {
  const { id } = await createDomain(customer);
  expect((await call('PUT', id, { body: {} })).body).toMatchObject({ code: 'DOMAIN_NOT_DEPLOYED' });
  await deploy({ id });
  const { pool } = test.api.platform;
  await pool.query('UPDATE routes SET suspended_at = now() WHERE id = $1', [id]);
  expect((await call('PUT', id, { body: {} })).body).toMatchObject({ code: 'DOMAIN_STATE_FORBIDS' });
  await pool.query(`UPDATE routes SET suspended_at = NULL, status = 'deleting' WHERE id = $1`, [id]);
  expect((await call('PUT', id, { body: {} })).body).toMatchObject({ code: 'DOMAIN_STATE_FORBIDS' });
  await pool.query(`UPDATE routes SET status = 'running' WHERE id = $1`, [id]);
  expect((await call('PUT', id, { body: {} })).status).toBe(200);
});

it("is never another account's to see, begin or end", async () => {
  const params = await deployed();
  await customer.client.startDevelopmentMode({ params, body: {} });
  const { token } = await createCustomer(test);
  for (const method of ['GET', 'PUT', 'DELETE']) {
    const { status, body } = await call(method, params.id, { token, body: method === 'PUT' ? {} : undefined });
    expect([status, body.code], method).toEqual([404, 'NOT_FOUND']);
  }
  expect((await customer.client.getDevelopmentMode({ params })).result.ends_at).not.toBeNull();
  expect(await lines()).toHaveLength(1);
});
