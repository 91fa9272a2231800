import { API_BASE } from '@cordon/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestClickHouse, type TestClickHouse } from '../../testing/clickhouse.ts';
import { type Customer, createCustomer, eventually, type FakeNode, startFakeNode } from '../../testing/fixtures.ts';
import { startApi, type TestApi } from '../../testing/start-api.ts';
import { rowOf } from '../traffic/testing/start-traffic.ts';

let engine: TestClickHouse;
let test: TestApi;
let node: FakeNode;
let owner: Customer;
let otherCustomer: Customer;
let ids: Map<string, string>;

const DOMAINS = ['a', 'b', 'bücher', 'c', 'd', 'gone', 'z'];
const DAY = 86_400;

async function addDomains(customer: Customer) {
  const { rows } = await test.api.platform.pool.query<{ id: string; name: string }>(
    `INSERT INTO routes (account_id, subscription_id, czone, domain_name, domain_name_unicode, cname, status, version_live, draft)
     SELECT $1, $2::uuid, 'free01', name || '.sorted.example', name || '.sorted.example', name || '.' || $2::uuid || '.edge.test',
       CASE WHEN name IN ('b', 'd') THEN 'deactivated' WHEN name = 'gone' THEN 'deleted' ELSE 'running' END,
       CASE WHEN name NOT IN ('b', 'd') THEN 1 END,
       '{"traffic_action":"upstream"}'
     FROM unnest($3::text[]) AS name RETURNING id, split_part(domain_name, '.', 1) AS name`,
    [customer.accountId, customer.subscriptionId, DOMAINS],
  );
  return new Map(rows.map(({ id, name }) => [name, id]));
}

async function store(
  ...rows: [of: Map<string, string>, name: string, count: number, blocked?: number, age?: number][]
) {
  const lines = rows.flatMap(([of, name, count, blocked = 0, age = 0]) =>
    Array.from({ length: count }, (_, index) =>
      rowOf({
        route_id: of.get(name) as string,
        time: Date.now() / 1000 - age,
        ...(index < blocked && { plugin: 'waf', action: 'block', reason: 'sqli' }),
      }),
    ),
  );
  const response = await fetch(`${test.url}${API_BASE}edge/logs/?batch=sorted`, {
    method: 'POST',
    headers: { authorization: `Bearer ${node.credential}`, 'content-type': 'application/x-ndjson' },
    body: lines.map((line) => JSON.stringify(line)).join('\n'),
  });
  return response.ok;
}

beforeAll(async () => {
  engine = await startTestClickHouse();
  test = await startApi({ CLICKHOUSE_URL: engine.url });
  node = await startFakeNode(test);
  [owner, otherCustomer] = [await createCustomer(test), await createCustomer(test)];
  ids = await addDomains(owner);
  const others = await addDomains(otherCustomer);
  await eventually(() =>
    store(
      [ids, 'a', 3],
      [ids, 'b', 12, 2],
      [ids, 'bücher', 3, 1],
      [ids, 'c', 50, 50, DAY + 3_600],
      [ids, 'gone', 70, 70],
      [ids, 'z', 3, 1, DAY - 3_600],
      [others, 'c', 9, 9],
    ),
  );
});
afterAll(async () => {
  node.stop();
  await test.stop();
  await engine.stop();
});

type Query = NonNullable<Parameters<Customer['client']['listRoutes']>[0]>['query'];
const list = async (query: Query, who = owner) => {
  const { results, count } = await who.client.listRoutes({ query });
  return `${results.map((route) => route.domain_name_unicode.split('.')[0]).join(' ')} of ${count}`;
};

describe('the list by the traffic of the last 24 hours', () => {
  it.each([
    ['-requests', 'b a bücher z c d of 6'],
    ['requests', 'c d a bücher z b of 6'],
    ['-blocked', 'b bücher z a c d of 6'],
    ['blocked', 'a c d bücher z b of 6'],
  ] as const)('by %s has those with none at its end, and by name those with the same number', async (sort, said) => {
    expect(await list({ sort })).toBe(said);
    const pages = await Promise.all([1, 2, 3, 4].map((page) => list({ sort, page, perpage: 2 })));
    expect(pages.map((page) => page.replace(/ ?of 6$/, ''))).toEqual([
      ...[0, 2, 4].map((from) =>
        said
          .split(' ')
          .slice(from, from + 2)
          .join(' '),
      ),
      '',
    ]);
  });
  it.each([
    [{ status: 'running' }, 'a bücher z c of 4'],
    [{ status: 'deactivated' }, 'b d of 2'],
    [{ health: 'off' }, 'b d of 2'],
    [{ health: 'attention' }, 'a bücher z c of 4'],
    [{ q: 'ü' }, 'bücher of 1'],
    [{ q: 'sorted', perpage: 3 }, 'b a bücher of 6'],
    [{ q: 'sorted', status: 'running', perpage: 3, page: 2 }, 'c of 4'],
    [{ domain_name: 'c.sorted.example' }, ' of 0'],
    [{ changes: 'pending' }, 'b d of 2'],
  ] as const)('holds with the filter %j', async (filter, said) => {
    expect(await list({ ...filter, sort: '-requests' })).toBe(said);
  });
  it('is that of its own account, whatever others have', async () => {
    expect(await list({ sort: '-requests' }, otherCustomer)).toBe('c a b bücher d z of 6');
    expect(await list({ sort: '-requests' }, await createCustomer(test))).toBe(' of 0');
  });
  it('says that it cannot be told while the traffic store is away; other orders hold', async () => {
    await engine.kill();
    const fresh = await createCustomer(test);
    await expect(list({ sort: '-requests' }, fresh)).rejects.toMatchObject({ code: 'TRAFFIC_UNAVAILABLE' });
    expect(await list({ sort: 'domain_name' })).toBe('a b bücher c d z of 6');
    await engine.restart();
    await eventually(async () => (await list({ sort: '-blocked' }, otherCustomer)) === 'c a b bücher d z of 6');
  });
});
