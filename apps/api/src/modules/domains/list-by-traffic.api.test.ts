import { type AccessLogRow, API_BASE, type CacheOutcome } from '@cordon/contract';
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
  return send('sorted', lines);
}

async function send(batch: string, lines: readonly AccessLogRow[]) {
  const response = await fetch(`${test.url}${API_BASE}edge/logs/?batch=${batch}`, {
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

describe('the list by the hit ratio of the last 24 hours', () => {
  let cacher: Customer;
  let neighbour: Customer;
  let cached: Map<string, string>;
  const FROM_CACHE = { upstream_address: '', upstream_status: 0, upstream_ms: 0 } as const;
  const BLOCKED = { ...FROM_CACHE, plugin: 'waf', action: 'block', reason: 'sqli' } as const;

  /** So many requests of each outcome; without a name, of what an origin answered and no cache had to do with. */
  function rowsOf(
    routeId: string,
    counts: Partial<Record<CacheOutcome, number>>,
    change: Partial<AccessLogRow> = {},
  ): AccessLogRow[] {
    return Object.entries(counts).flatMap(([outcome, count]) =>
      Array.from({ length: count }, () =>
        rowOf({
          route_id: routeId,
          time: Date.now() / 1000,
          cache: outcome as CacheOutcome,
          ...((outcome === 'hit' || outcome === 'stale') && FROM_CACHE),
          ...change,
        }),
      ),
    );
  }

  beforeAll(async () => {
    [cacher, neighbour] = [await createCustomer(test), await createCustomer(test)];
    cached = await addDomains(cacher);
    const others = await addDomains(neighbour);
    const of = (name: string) => cached.get(name) as string;
    const rows = [
      // A third, of many; what was blocked could be no hit.
      ...rowsOf(of('a'), { hit: 10, stale: 2, revalidated: 1, miss: 20, expired: 3, bypass: 3 }),
      ...rowsOf(of('a'), { '': 50 }, BLOCKED),
      // Nothing from the cache, though one was on.
      ...rowsOf(of('b'), { miss: 2, bypass: 1 }),
      // A third of few, and more without a cache at the time.
      ...rowsOf(of('bücher'), { hit: 1, miss: 1, '': 1 }),
      // No cache on; all was blocked; and only in the hours before.
      ...rowsOf(of('c'), { '': 90 }),
      ...rowsOf(of('d'), { '': 5 }, BLOCKED),
      ...rowsOf(of('d'), { hit: 9 }, { time: Date.now() / 1000 - DAY - 3_600 }),
      ...rowsOf(of('gone'), { hit: 9 }),
      ...rowsOf(of('z'), { hit: 1 }),
      ...rowsOf(others.get('a') as string, { hit: 1_000 }),
      ...rowsOf(others.get('c') as string, { miss: 1, hit: 3 }),
    ];
    await eventually(() => send('hits', rows));
  });

  it.each([
    ['hit_ratio', 'b c a bücher z d of 6'],
    ['-hit_ratio', 'z a bücher b c d of 6'],
  ] as const)(
    'by %s has domains without a ratio at its end, and by name those with the same, over all pages',
    async (sort, said) => {
      expect(await list({ sort }, cacher)).toBe(said);
      const pages = await Promise.all([1, 2, 3].map((page) => list({ sort, page, perpage: 2 }, cacher)));
      expect(pages.map((page) => page.replace(/ of 6$/, '')).join(' ')).toBe(said.replace(/ of 6$/, ''));
      expect(await list({ sort, page: 4, perpage: 2 }, cacher)).toBe(' of 6');
    },
  );

  it.each([
    [{ status: 'deactivated' }, 'b d of 2'],
    [{ q: 'sorted', perpage: 3 }, 'b c a of 6'],
    [{ q: 'ü' }, 'bücher of 1'],
  ] as const)('holds with the filter %j', async (filter, said) => {
    expect(await list({ ...filter, sort: 'hit_ratio' }, cacher)).toBe(said);
  });

  it('is that of its own account', async () => {
    expect(await list({ sort: '-hit_ratio' }, neighbour)).toBe('a c b bücher d z of 6');
    expect(await list({ sort: 'hit_ratio' }, neighbour)).toBe('c a b bücher d z of 6');
    expect(await list({ sort: 'hit_ratio' }, await createCustomer(test))).toBe(' of 0');
  });

  it('goes by what each row shows, which is what the figures of its cache and the overview of the domain have', async () => {
    const { client } = cacher;
    const route_ids = [...cached.values()].join();
    const { result } = await client.listDomainTraffic({ query: { route_ids } });
    const rowsOfNames = ['a', 'b', 'bücher', 'c', 'd', 'z'].map((name) =>
      result.find(({ route_id }) => route_id === cached.get(name)),
    );
    expect(rowsOfNames.map((row) => row?.cached)).toEqual([true, true, true, false, false, true]);
    const ratioOf = (name: string) => result.find(({ route_id }) => route_id === cached.get(name))?.hit_ratio;
    expect(['a', 'b', 'bücher', 'c', 'd', 'z'].map(ratioOf)).toEqual([13 / 39, 0, 1 / 3, 0, null, 1]);
    for (const name of ['a', 'b', 'bücher', 'c', 'd', 'z']) {
      const id = cached.get(name) as string;
      const { result: figures } = await client.getCacheOverview({ params: { id }, query: { range: '24h' } });
      const { result: overview } = await client.getTrafficOverview({ query: { route_id: id, range: '24h' } });
      expect([figures.totals.hit_ratio, overview.cache.totals.hit_ratio]).toEqual([ratioOf(name), ratioOf(name)]);
    }
    expect((await neighbour.client.listDomainTraffic({ query: { route_ids } })).result).toEqual([]);
  });
});
