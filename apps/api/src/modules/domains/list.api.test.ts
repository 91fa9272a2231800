import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Customer, createCustomer, startFakeNode, upstreamsTo } from '../../testing/fixtures.ts';
import { startApi, type TestApi } from '../../testing/start-api.ts';
import { createHealthService } from '../health/service.ts';
import { createSubscriptionService } from '../subscriptions/service.ts';
import type { ListFilter } from './list-conditions.ts';
import { createRouteList } from './list-repository.ts';

let test: TestApi;
let customer: Customer;
const NAMES = [
  'alpha.example.com',
  'beta.example.com',
  'gamma.example.net',
  'delta.example.net',
  'xn--bcher-kva.example.org',
];
/** In the order of what people read: bücher between beta and delta. */
const READ = [
  'alpha.example.com',
  'beta.example.com',
  'xn--bcher-kva.example.org',
  'delta.example.net',
  'gamma.example.net',
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
        remarks: name.startsWith('beta') ? 'The 100% Shop_front of Zürich, ÖLFELD' : '',
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
    expect(page.results.map((route) => route.domain_name)).toEqual(READ);
    expect(page.results[0]).toMatchObject({
      subscription_cname: customer.cname,
      status: 'running',
      version_live: 1,
      operation: { action: 'deploy' },
    });
  });
  it('goes page by page without repeating or skipping, and says the count behind the end, too', async () => {
    const pages = await Promise.all([1, 2, 3].map((page) => list({ query: { page, perpage: 2 } })));
    expect(pages.flatMap((page) => page.names)).toEqual(READ);
    expect(await list({ query: { page: 9, perpage: 2 } })).toEqual({ names: [], count: 5 });
  });
  it.each([
    ['domain_name', 'alpha.example.com'],
    ['-domain_name', 'gamma.example.net'],
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
    expect((await list({ query: { q: 'ölFELD' } })).names).toEqual(['beta.example.com']);
    expect((await list({ query: { q: '%' } })).names).toEqual(['beta.example.com']);
    expect((await list({ query: { q: "' OR 1=1 --" } })).count).toBe(0);
  });
  it('finds what stands at the end of a long remark, in its place among the others', async () => {
    const many = await createCustomer(test, { plan: 'vip' });
    const remarks = ['short needle', `${'长'.repeat(990)} needle`, 'nothing', 'another needle'];
    for (const [index, text] of remarks.entries())
      await many.client.createRoute({
        body: {
          cname: many.cname,
          domain_name: `${index}.texts.example.com`,
          upstreams: upstreamsTo(),
          remarks: text,
        },
      });
    const found = async (query: NonNullable<Parameters<Customer['client']['listRoutes']>[0]>['query']) => {
      const { results, count } = await many.client.listRoutes({ query: { q: 'needle', ...query } });
      return `${results.map((route) => route.domain_name[0]).join(' ')} of ${count}`;
    };
    expect(await found({})).toBe('0 1 3 of 3');
    expect(await found({ sort: '-domain_name' })).toBe('3 1 0 of 3');
    expect(await found({ sort: '-created_at' })).toBe('3 1 0 of 3');
    expect(await found({ perpage: 1, page: 2 })).toBe('1 of 3');
    expect(await found({ q: 'short' })).toBe('0 of 1');
    expect(await found({ q: 'texts.example', perpage: 2, page: 2, sort: '-domain_name' })).toBe('1 0 of 4');
    expect(await found({ page: 9 })).toBe(' of 3');
    expect(await found({ status: 'running' })).toBe(' of 0');
  });
  it('finds domains by an alias, by an origin of draft or live version and by their CNAME, as pasted', async () => {
    const who = await createCustomer(test, { plan: 'vip' });
    const { result } = await who.client.createRoute({
      body: {
        cname: who.cname,
        domain_name: 'found.example.com',
        upstreams: upstreamsTo('198.41.128.7', 8443),
        deploy: true,
      },
    });
    await who.client.createRoute({
      body: { cname: who.cname, domain_name: 'beside.example.com', upstreams: upstreamsTo('198.41.128.9') },
    });
    const found = async (q: string) =>
      (await who.client.listRoutes({ query: { q } })).results.map((route) => route.domain_name);
    const alias = 'alias-of-found.example.net';
    expect(await found(alias)).toEqual([]);
    await who.client.addShadowDomains({ params: { id: result.id }, body: { names: [alias] } });
    expect(await found('alias-of')).toEqual(['found.example.com']);
    await who.client.removeShadowDomains({ params: { id: result.id }, body: { names: [alias] } });
    expect(await found(alias)).toEqual([]);
    const both = ['beside.example.com', 'found.example.com'];
    const [own = '', czone = ''] = who.cname.split('.');
    for (const q of [who.cname, `https://${who.cname}:443/`, own, `${own}.${czone}`, `${czone}.edge.cordon.test`])
      expect(await found(q), q).toEqual(both);
    expect(await found(result.cname.slice(2))).toEqual([result.domain_name]);
    expect(await found(result.cname.slice(0, -20))).toEqual([result.domain_name]);
    for (const q of ['a.edge.cordon.test', 'edge.cordon.test']) expect(await found(q), q).toEqual([]);
    expect(await found(`HTTPS://${result.domain_name.toUpperCase()}:443/x`)).toContain(result.domain_name);
    for (const q of ['http://198.41.128.7:8443/', '198.41.128.7', result.cname, `${result.cname}.`])
      expect(await found(q)).toEqual(['found.example.com']);
    await who.client.updateRoute({
      params: { id: result.id },
      ifMatch: 1,
      body: { upstreams: upstreamsTo('198.41.128.8') },
    });
    for (const q of ['198.41.128.7', '198.41.128.8']) expect(await found(q)).toEqual(['found.example.com']);
    expect(await found('198.41.128.')).toEqual(['beside.example.com', 'found.example.com']);
  });
  it('takes a dot at the end for the end of a label or of a whole name', async () => {
    const who = await createCustomer(test, { plan: 'vip' });
    const cnames: string[] = [];
    for (const [name, host] of [
      ['site1.end.example', 'origin.end.test'],
      ['www.site1.end.example', '198.41.128.1'],
      ['site10.end.example', 'origin.end.testing.test'],
      ['site1-b.end.example', '198.41.128.10'],
      ['end.example', '198.41.128.10'],
    ] as const) {
      const { result } = await who.client.createRoute({
        body: {
          cname: who.cname,
          domain_name: name,
          upstreams: upstreamsTo(host),
          remarks: `(${host}) at the very end`,
        },
      });
      cnames.push(result.cname);
    }
    const found = async (q: string) =>
      (await who.client.listRoutes({ query: { q } })).results.map((route) => route.domain_name.replace('.example', ''));
    expect(await found('site1')).toHaveLength(4);
    expect(await found('site1.')).toEqual(['site1.end', 'www.site1.end']);
    expect(await found('www.site1.')).toEqual(['www.site1.end']);
    expect(await found('Site1.end.example.')).toEqual(['site1.end', 'www.site1.end']);
    expect(await found('https://site1.end.example./x')).toEqual(['site1.end', 'www.site1.end']);
    expect(await found('end.example.')).toHaveLength(5);
    expect(await found('198.41.128.1.')).toEqual(['www.site1.end']);
    expect(await found('origin.end.test.')).toEqual(['site1.end']);
    expect(await found('very end.')).toHaveLength(5);
    expect(await found('(198.41.128.1).')).toEqual(['www.site1.end']);
    // Of the CNAME each part of it.
    const [cname = ''] = cnames;
    const [label = '', own = '', zone = ''] = cname.split('.');
    for (const q of [`${label}.`, `${label}.${own}.`, `${label}.${own}.${zone}.`, `${cname}.`])
      expect(await found(q), q).toEqual(['site1.end']);
    for (const q of [`${label}.${own.slice(0, -1)}.`, `${label.slice(0, -1)}.`, `${own.slice(0, -1)}.`])
      expect(await found(q), q).toEqual([]);
    for (const q of [`${own}.`, `${own}.${zone}.`, `${who.cname}.`]) expect(await found(q), q).toHaveLength(5);
  });
  it("finds a subscription's domains by its CNAME, and others that have it in a text, in one order", async () => {
    const who = await createCustomer(test, { plan: 'vip' });
    const second = await createSubscriptionService(test.env, test.api.platform.db).add(who.accountId, 'vip');
    const { pool } = test.api.platform;
    await pool.query(
      `INSERT INTO routes (account_id, subscription_id, czone, domain_name, domain_name_unicode, cname, status, draft, remarks)
       SELECT $1, CASE WHEN n % 2 = 0 THEN $2::uuid ELSE $3::uuid END, 'vip01', n || '.whose.example', n || '.whose.example',
         n || '.edge.test', CASE WHEN n > 5 THEN 'running' ELSE 'deactivated' END,
         '{"traffic_action":"upstream"}', CASE WHEN n = 5 THEN 'was at ' || $4 ELSE '' END
       FROM generate_series(1, 8) n`,
      [who.accountId, who.subscriptionId, second, who.cname],
    );
    const found = async (query: NonNullable<Parameters<Customer['client']['listRoutes']>[0]>['query']) => {
      const { results, count } = await who.client.listRoutes({ query: { q: who.cname, ...query } });
      return `${results.map((route) => route.domain_name[0]).join(' ')} of ${count}`;
    };
    expect(await found({})).toBe('2 4 5 6 8 of 5');
    expect(await found({ perpage: 2, page: 2 })).toBe('5 6 of 5');
    expect(await found({ perpage: 2, page: 2, sort: '-domain_name' })).toBe('5 4 of 5');
    expect(await found({ sort: 'created_at', status: 'deactivated' })).toContain('of 3');
    expect(await found({ status: 'deactivated' })).toBe('2 4 5 of 3');
    expect(await found({ cname: who.cname, status: 'running' })).toBe('6 8 of 2');
    expect(await found({ q: who.cname.slice(who.cname.indexOf('.') + 1), perpage: 3 })).toBe('1 2 3 of 8');
    await pool.query(`UPDATE routes SET status = 'deleted' WHERE account_id = $1 AND domain_name ~ '^[45]'`, [
      who.accountId,
    ]);
    expect(await found({})).toBe('2 6 8 of 3');
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
    await expect(list({ query: { cname: 'other.free01.edge.cordon.test' } })).rejects.toMatchObject({
      code: 'SUBSCRIPTION_NOT_FOUND',
    });
  });
  it('tells counters that agree with the rows', async () => {
    const { rows } = await test.api.platform.pool.query(`
      SELECT c.routes, counted.routes AS counted FROM route_counts c FULL JOIN (
        SELECT account_id, subscription_id, status, group_id, count(*)::int AS routes FROM routes WHERE status <> 'deleted' GROUP BY 1, 2, 3, 4
      ) counted USING (account_id, subscription_id, status, group_id)
      WHERE c.routes <> 0 OR counted.routes IS NOT NULL`);
    expect(rows.length).toBeGreaterThan(1);
    for (const row of rows) expect(row.routes).toBe(row.counted);
  });
  it('is downloaded whole, by name, with the filter, and runs no formula in a spreadsheet', async () => {
    const csv = await customer.client.exportRoutes();
    const lines = csv.split('\r\n');
    expect(lines[0]).toMatch(/^domain_name,domain_name_unicode,status,group,cname,subscription,/);
    expect(lines.slice(1, -1).map((line) => line.split(',')[0])).toEqual(READ);
    expect(lines[3]).toContain('bücher.example.org');
    expect(lines.at(-1)).toBe('');
    const { result } = await customer.client.getRoute({
      params: { id: (await customer.client.listRoutes({ query: { q: 'gamma' } })).results[0]?.id ?? '' },
    });
    await customer.client.updateRoute({
      params: { id: result.id },
      ifMatch: result.draft_revision,
      body: { remarks: '=HYPERLINK("http://evil.example","x")' },
    });
    const one = await customer.client.exportRoutes({ query: { q: 'gamma' } });
    expect(one.split('\r\n')).toHaveLength(3);
    expect(one).toContain(`,"'=HYPERLINK(""http://evil.example"",""x"")",off\r\n`);
    const otherCustomer = await createCustomer(test);
    expect((await otherCustomer.client.exportRoutes()).split('\r\n')).toHaveLength(2);
    const response = await fetch(`${test.url}/api/v1/domain/routes/export/`, {
      headers: { authorization: `Bearer ${customer.token}`, realm: test.env.realm },
    });
    // The mark by which spreadsheets know UTF-8.
    expect([...new Uint8Array(await response.arrayBuffer()).slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="domains-[0-9-]+.csv"$/);
  });
  it('is downloaded over several pieces without repeating or skipping', async () => {
    const many = await createCustomer(test, { plan: 'vip-enterprise' });
    await test.api.platform.pool.query(
      `INSERT INTO routes (account_id, subscription_id, czone, domain_name, domain_name_unicode, cname, status, draft)
       SELECT $1, $2, 'vip01', 'd' || n || '.example.com', CASE WHEN n % 3 = 0 THEN 'same.example' ELSE 'd' || n || '.example.com' END,
         'c' || n || '.edge.test', 'deactivated', '{}' FROM generate_series(1, 4500) n`,
      [many.accountId, many.subscriptionId],
    );
    const names = (await many.client.exportRoutes())
      .split('\r\n')
      .slice(1, -1)
      .map((line) => line.split(',')[0]);
    expect(names).toHaveLength(4500);
    expect(new Set(names).size).toBe(4500);
  });
});

const NONE = {
  status: undefined,
  subscriptionCname: undefined,
  groupId: undefined,
  domainName: undefined,
  isPending: false,
  batchId: undefined,
};

/** No node is there: what runs is unwell. */
describe('the order by health of what a search finds', () => {
  const IN_ALL = 12;
  it.each([
    ['few', 'sorted', [7, 2, 5], 20_000],
    ['many, few of them unwell', 'the unwell ones sorted, the others by an index', [7], 2],
    ['many, many of them unwell', 'all numbered by an index', [7, 2, 5], 2],
    ['many, all of them well', 'by the index', [], 2],
  ])('is the same on every page: %s (%s)', async (_found, _how, running, few) => {
    const { pool, db } = test.api.platform;
    const who = await createCustomer(test, { plan: 'vip' });
    await pool.query(
      `INSERT INTO routes (account_id, subscription_id, czone, domain_name, domain_name_unicode, cname, status, draft, version_live, remarks)
       SELECT $1, $2::uuid, 'vip01', n || '.sick.example', chr(96 + n), 'c' || n || '.' || $2::text, CASE WHEN n = ANY($4::int[]) THEN 'running' ELSE 'deactivated' END,
         '{"traffic_action":"upstream"}', 1, CASE WHEN n % 4 = 0 THEN '' ELSE 'needle' END FROM generate_series(1, $3::int) n`,
      [who.accountId, who.subscriptionId, IN_ALL, running],
    );
    const health = createHealthService(db, { txtRecord: () => ({ name: '', value: '' }) });
    const list = createRouteList(pool, health, few);
    const worst = { ...(await health.selectWorst(who.accountId)), isAll: false };
    expect(worst.countMax).toBe(running.length);
    const found = async (filter: Partial<ListFilter>, offset: number) => {
      const asked = { accountId: who.accountId, ...NONE, sort: 'health', limit: 4, worst, offset, ...filter };
      const { results, count } = await list(asked as ListFilter);
      return { count, numbers: results.map((route) => Number(route.domain_name.split('.')[0])) };
    };
    const expected = (isFound: (n: number) => boolean) => {
      const all = Array.from({ length: IN_ALL }, (_, index) => index + 1).filter(isFound);
      const unwell = running.toSorted((a, b) => a - b).filter(isFound);
      return [...unwell, ...all.filter((n) => !unwell.includes(n))];
    };
    const inCname = { subscriptionIds: [who.subscriptionId], continuedIds: [] };
    for (const [filter, isFound] of [
      [{ q: 'needle' }, (n: number) => n % 4 > 0],
      [{ q: 'sick' }, () => true],
      [{ q: undefined }, () => true],
      [{ q: 'needle', status: 'deactivated' }, (n: number) => n % 4 > 0 && !running.includes(n)],
      [{ q: 'needle', endsLabel: true }, (n: number) => n % 4 > 0],
      [{ q: 'needl', endsLabel: true }, () => false],
      [{ q: who.cname, inCname }, () => true],
      [{ q: who.cname, endsLabel: true, inCname }, () => true],
      [{ q: who.cname, inCname, isPending: true }, () => false],
    ] as [Partial<ListFilter>, (n: number) => boolean][]) {
      // Twice: a count of many is known from the second time on.
      for (const _ of [1, 2]) {
        const pages = [];
        for (const offset of [0, 4, 8, 12]) pages.push(await found(filter, offset));
        const order = expected(isFound);
        expect(pages.flatMap(({ numbers }) => numbers)).toEqual(order);
        expect(new Set(pages.map(({ count }) => count))).toEqual(new Set([order.length]));
      }
    }
  });
});

/** A search that finds more than two counts apart, and remembers: the list of two processes. */
describe('a count that is remembered', () => {
  let owner: Customer;
  let lists: ReturnType<typeof createRouteList>[];
  const pool = () => test.api.platform.pool;
  beforeAll(async () => {
    owner = await createCustomer(test, { plan: 'vip-enterprise' });
    await pool().query(
      `INSERT INTO routes (account_id, subscription_id, czone, domain_name, domain_name_unicode, cname, status, draft)
       SELECT $1, $2, 'vip01', name, name, name || '.edge.test', 'deactivated', '{}'
       FROM (SELECT n || '.kept.example.com' AS name FROM generate_series(1, 6) n) AS made`,
      [owner.accountId, owner.subscriptionId],
    );
    const health = createHealthService(test.api.platform.db, { txtRecord: () => ({ name: '', value: '' }) });
    lists = [createRouteList(pool(), health, 2), createRouteList(pool(), health, 2)];
  });
  const counts = (q: string, filter: Partial<ListFilter> = {}) =>
    Promise.all(
      lists.map(async (list) => {
        const asked = { accountId: owner.accountId, ...NONE, q, sort: 'domain_name', limit: 2, offset: 1, ...filter };
        const { results, count } = await list(asked as ListFilter);
        return `${results.map((route) => route.domain_name[0]).join(' ')} of ${count}`;
      }),
    );
  const both = (said: string) => [said, said];
  const change = (sql: string) => pool().query(`${sql} AND account_id = $1`, [owner.accountId]);

  it('is the same when asked again, on every page, in both directions', async () => {
    expect(await counts('kept')).toEqual(both('2 3 of 6'));
    expect(await counts('kept')).toEqual(both('2 3 of 6'));
    expect(await counts('kept', { offset: 5 })).toEqual(both('6 of 6'));
    expect(await counts('kept', { sort: '-domain_name' })).toEqual(both('5 4 of 6'));
    expect(await counts('kept', { status: 'running' })).toEqual(both(' of 0'));
    expect(await counts('3.kept', { offset: 0 })).toEqual(both('3 of 1'));
  });
  it.each([
    [
      'a domain was renamed',
      `UPDATE routes SET domain_name = '3.new', domain_name_unicode = '3.new' WHERE domain_name LIKE '3.%'`,
      '2 4 of 5',
    ],
    ['a remark was written', `UPDATE routes SET remarks = 'KEPT Ü' WHERE domain_name LIKE '3.%'`, '2 3 of 6'],
    ['a domain was deleted', `UPDATE routes SET status = 'deleted' WHERE domain_name LIKE '2.%'`, '3 4 of 5'],
  ])('is no longer when %s', async (_, sql, said) => {
    await counts('kept');
    await change(sql);
    expect(await counts('kept')).toEqual(both(said));
    expect(await counts('kept')).toEqual(both(said));
  });
  it('is no longer when one was added and one deleted, so that there are as many', async () => {
    await owner.client.createRoute({
      body: { cname: owner.cname, domain_name: '0.kept.example.com', upstreams: upstreamsTo() },
    });
    expect(await counts('kept')).toEqual(both('1 3 of 6'));
    await owner.client.createRoute({
      body: { cname: owner.cname, domain_name: 'other.example.com', upstreams: upstreamsTo() },
    });
    await change(`UPDATE routes SET status = 'deleted' WHERE domain_name LIKE '3.%'`);
    expect(await counts('kept')).toEqual(both('1 4 of 5'));
  });
  it('is no longer when a domain changed its status or group', async () => {
    const group = (await owner.client.createGroup({ body: { name: 'Kept' } })).result.id;
    expect(await counts('kept', { groupId: group })).toEqual(both(' of 0'));
    await change(`UPDATE routes SET group_id = '${group}' WHERE domain_name ~ '^[045]'`);
    expect(await counts('kept', { groupId: group })).toEqual(both('4 5 of 3'));
    await change(
      `UPDATE routes SET group_id = (SELECT id FROM groups WHERE account_id = $1 AND is_default) WHERE domain_name LIKE '4.%'`,
    );
    expect(await counts('kept', { groupId: group })).toEqual(both('5 of 2'));
    expect(await counts('kept', { status: 'deactivated' })).toEqual(both('1 4 of 5'));
    await change(`UPDATE routes SET status = 'running' WHERE domain_name LIKE '5.%'`);
    expect(await counts('kept', { status: 'deactivated' })).toEqual(both('1 4 of 4'));
  });
  it('is no longer when what was under way at the count is committed after it', async () => {
    const underWay = await pool().connect();
    try {
      await underWay.query('BEGIN');
      await underWay.query(
        `UPDATE routes SET domain_name = '6.gone', domain_name_unicode = '6.gone' WHERE domain_name LIKE '6.%' AND account_id = $1`,
        [owner.accountId],
      );
      // A later transaction that ends first.
      await change(`UPDATE routes SET remarks = 'later' WHERE domain_name LIKE '1.%'`);
      expect(await counts('kept')).toEqual(both('1 4 of 5'));
      await underWay.query('COMMIT');
    } finally {
      underWay.release(true);
    }
    expect(await counts('kept')).toEqual(both('1 4 of 4'));
  });
  it('is of texts that agree with the domains', async () => {
    const { rows } = await pool().query(
      `SELECT r.domain_name FROM routes r FULL JOIN route_texts t ON t.id = r.id
       WHERE coalesce(r.status, '') <> 'deleted' AND (t.account_id, t.search, t.domain_name_unicode, t.status, t.group_id, t.subscription_id) IS DISTINCT FROM
         (r.account_id, search_of(r), r.domain_name_unicode, r.status, r.group_id, r.subscription_id)`,
    );
    expect(rows).toEqual([]);
  });
});

it('leaves out one domain where that is asked, counted as listed, with a search and a page too', async () => {
  const owner = await createCustomer(test);
  const ids: string[] = [];
  for (const name of ['a', 'b', 'c'])
    ids.push(
      (
        await owner.client.createRoute({
          body: { cname: owner.cname, domain_name: `${name}.without.example.com`, upstreams: upstreamsTo() },
        })
      ).result.id,
    );
  const [, without = ''] = ids;
  const listed = async (more: object = {}) => {
    const { results, count } = await owner.client.listRoutes({ query: { without, ...more } });
    return `${results.map((route) => route.domain_name.split('.')[0]).join(' ')} of ${count}`;
  };
  expect(await listed()).toBe('a c of 2');
  expect(await listed({ q: 'without' })).toBe('a c of 2');
  expect(await listed({ q: 'without', cname: owner.cname, sort: '-domain_name', perpage: 1 })).toBe('c of 2');
  expect(await listed({ status: 'running' })).toBe(' of 0');
});

describe('what is not live', () => {
  it('is listed alone: what was never deployed, and what was changed since; with a text, a status and a count that hold', async () => {
    const owner = await createCustomer(test);
    const add = async (name: string, deploy: boolean) =>
      (
        await owner.client.createRoute({
          body: { cname: owner.cname, domain_name: `${name}.pending.example.com`, upstreams: upstreamsTo(), deploy },
        })
      ).result;
    const live = await add('live', true);
    const changed = await add('changed', true);
    await add('new', false);
    const pending = async (more: object = {}) => {
      const { results, count } = await owner.client.listRoutes({ query: { changes: 'pending', ...more } });
      return `${results.map((route) => route.domain_name.split('.')[0]).join(' ')} of ${count}`;
    };
    expect(await pending()).toBe('new of 1');
    const edit = async ({ id, draft_revision: ifMatch }: { id: string; draft_revision: number }, deploy?: true) =>
      (
        await owner.client.updateRoute({
          params: { id },
          ifMatch,
          body: { upstreams: upstreamsTo(undefined, 8081), ...(deploy ? { deploy } : {}) },
        })
      ).result;
    const edited = await edit(changed);
    expect(await pending()).toBe('changed new of 2');
    expect(await pending({ sort: '-domain_name', perpage: 1 })).toBe('new of 2');
    expect(await pending({ q: 'pending' })).toBe('changed new of 2');
    expect(await pending({ q: 'live' })).toBe(' of 0');
    expect(await pending({ sort: 'health' })).toBe('changed new of 2');
    expect(await pending({ status: 'running' })).toBe('changed of 1');
    const { result } = await owner.client.previewBulk({
      body: { action: 'deploy', selection: { filter: { changes: 'pending' } } },
    });
    expect(result.included).toBe(2);
    await edit({ ...edited, id: changed.id }, true);
    expect(await pending({ q: 'pending' })).toBe('new of 1');
    expect(live.pending_changes).toBe(0);
  });
});
