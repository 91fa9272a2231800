import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Customer, createCustomer, startFakeNode, upstreamsTo } from '../../testing/fixtures.ts';
import { startApi, type TestApi } from '../../testing/start-api.ts';

let test: TestApi;
let customer: Customer;
const NAMES = [
  'alpha.example.com',
  'beta.example.com',
  'gamma.example.net',
  'delta.example.net',
  'xn--bcher-kva.example.org',
];
beforeAll(async () => {
  test = await startApi();
  const node = await startFakeNode(test);
  node.stop();
  customer = await createCustomer(test, { plan: 'vip' });
  for (const name of NAMES) {
    await customer.client.createRoute({
      body: {
        cname: customer.cname,
        domain_name: name,
        upstreams: upstreamsTo(),
        remarks: name.startsWith('beta') ? 'The 100% Shop_front' : '',
        deploy: name.startsWith('a'),
      },
    });
  }
});
afterAll(() => test.stop());

const list = async (query: Parameters<Customer['client']['listRoutes']>[0] = {}) => {
  const { results, count } = await customer.client.listRoutes(query);
  return { names: results.map((route) => route.domain_name), count };
};

describe('the list of domains', () => {
  it('has ten a page by name, and says how many there are', async () => {
    const page = await customer.client.listRoutes();
    expect(page).toMatchObject({ success: true, count: 5, page: 1, perpage: 10 });
    expect(page.results.map((route) => route.domain_name)).toEqual([...NAMES].sort());
    expect(page.results[0]).toMatchObject({
      subscription_cname: customer.cname,
      status: 'running',
      version_live: 1,
      operation: { action: 'deploy' },
    });
  });
  it('goes page by page without repeating or skipping, and says the count behind the end, too', async () => {
    const pages = await Promise.all([1, 2, 3].map((page) => list({ query: { page, perpage: 2 } })));
    expect(pages.flatMap((page) => page.names)).toEqual([...NAMES].sort());
    expect(await list({ query: { page: 9, perpage: 2 } })).toEqual({ names: [], count: 5 });
  });
  it.each([
    ['domain_name', 'alpha.example.com'],
    ['-domain_name', 'xn--bcher-kva.example.org'],
    ['created_at', 'alpha.example.com'],
    ['-created_at', 'xn--bcher-kva.example.org'],
    ['-last_deployed', 'alpha.example.com'],
  ] as const)('is sorted by %s', async (sort, first) => {
    expect((await list({ query: { sort } })).names[0]).toBe(first);
  });
  it('never deployed counts as deployed longest ago', async () => {
    expect((await list({ query: { sort: 'last_deployed' } })).names.at(-1)).toBe('alpha.example.com');
  });
  it('finds parts of names, of their Unicode form and of remarks, wildcards of SQL taken literally', async () => {
    expect(await list({ query: { q: 'example.net' } })).toEqual({
      names: ['delta.example.net', 'gamma.example.net'],
      count: 2,
    });
    expect((await list({ query: { q: 'BÜCHER' } })).names).toEqual(['xn--bcher-kva.example.org']);
    expect((await list({ query: { q: '100% shop_' } })).names).toEqual(['beta.example.com']);
    expect((await list({ query: { q: '%' } })).names).toEqual(['beta.example.com']);
    expect((await list({ query: { q: "' OR 1=1 --" } })).count).toBe(0);
  });
  it('finds exactly one name, as typed', async () => {
    expect((await list({ query: { domain_name: 'Alpha.Example.com' } })).names).toEqual(['alpha.example.com']);
    expect((await list({ query: { domain_name: 'bücher.example.org' } })).count).toBe(1);
    expect((await list({ query: { domain_name: 'example.com' } })).count).toBe(0);
  });
  it('filters by status and subscription, counted alike', async () => {
    expect(await list({ query: { status: 'running' } })).toEqual({ names: ['alpha.example.com'], count: 1 });
    expect((await list({ query: { status: 'deactivated' } })).count).toBe(4);
    expect((await list({ query: { cname: customer.cname, q: 'example', status: 'deactivated' } })).count).toBe(4);
    expect((await list({ query: { cname: 'other.free01.edge.cordon.test' } })).count).toBe(0);
  });
  it('tells counters that agree with the rows', async () => {
    const { rows } =
      await test.api.platform.pool.query(`SELECT c.routes, (SELECT count(*)::int FROM routes r WHERE r.account_id = c.account_id
      AND r.subscription_id = c.subscription_id AND r.status = c.status) AS counted FROM route_counts c`);
    for (const row of rows) expect(row.routes).toBe(row.counted);
  });
});
