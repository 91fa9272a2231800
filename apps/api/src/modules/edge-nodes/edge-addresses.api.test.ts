import { expect, it } from 'vitest';
import { startEdgeApi } from '../../testing/edge-api.ts';
import { createCustomer } from '../../testing/fixtures.ts';

const { test } = await startEdgeApi();

const addressesOf = async (czone: string) => {
  const { rows } = await test.api.platform.pool.query<{ address: string }>(
    `SELECT DISTINCT address FROM edge_nodes, unnest(addresses) AS address WHERE $1 = ANY(czones) AND revoked_at IS NULL
     ORDER BY 1`,
    [czone],
  );
  return rows.map(({ address }) => address);
};

it('the addresses that requests to origins come from are those of the nodes of the subscription', async () => {
  const customer = await createCustomer(test, { plan: 'vip' });
  const other = await createCustomer(test, { plan: 'free' });
  const { results } = await customer.client.listSubscriptions({ query: {} });
  const expected = await addressesOf(results[0]?.czone ?? '');
  expect(expected).not.toEqual([]);
  const read = async (query: { cname?: string }, who = customer) =>
    (await who.client.listEdgeAddresses({ query })).result.addresses;
  expect(await read({})).toEqual(expected);
  expect(await read({ cname: customer.cname })).toEqual(expected);
  await expect(read({ cname: customer.cname }, other)).rejects.toMatchObject({ status: 404 });
});
