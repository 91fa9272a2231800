import type { ImportRow } from '@cordon/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Customer, createCustomer, createDomain, startFakeNode, uniqueName } from '../../testing/fixtures.ts';
import { startApi, type TestApi } from '../../testing/start-api.ts';

let test: TestApi;
let free: Customer;
let vip: Customer;
beforeAll(async () => {
  test = await startApi();
  (await startFakeNode(test, ['free01'], { addresses: ['198.41.0.4'] })).stop();
});
afterAll(() => test.stop());
beforeEach(async () => {
  free = await createCustomer(test);
  vip = await createCustomer(test, { plan: 'vip' });
});

const row = (cells: Partial<ImportRow> = {}, at = 2): ImportRow => ({
  row: at,
  domain_name: uniqueName(),
  protocol: 'http',
  upstreams: '8.8.4.4',
  status: 'running',
  ...cells,
});

async function preview(customer: Customer, rows: ImportRow[]) {
  const { result } = await customer.client.previewImport({ body: { cname: customer.cname, rows } });
  return result;
}
/** `row column: CODE` of each problem. */
const problemsOf = async (customer: Customer, rows: ImportRow[]) =>
  (await preview(customer, rows)).problems.map((one) => `${one.row} ${one.column}: ${one.code}`);

describe('the preview of an import', () => {
  it.each([
    ['Shops', 'shops', true],
    ['σασ', 'ΣΑΣ', true],
    ['İstanbul', 'i̇stanbul', false],
    ['Shops', 'Shop', false],
  ])('finds a group %s as %s as names of groups are told apart: %s', async (made, named, isFound) => {
    await vip.client.createGroup({ body: { name: made } });
    const name = uniqueName();
    expect(await problemsOf(vip, [row({ domain_name: name, group: named })])).toEqual(
      isFound ? [] : ['2 group: IMPORT_GROUP_UNKNOWN'],
    );
    // What is not found can be made, and is found then.
    const status = await vip.client.createGroup({ body: { name: named } }).then(
      () => 201,
      (error: { status: number }) => error.status,
    );
    expect(status).toBe(isFound ? 422 : 201);
    expect(await problemsOf(vip, [row({ domain_name: name, group: named })])).toEqual([]);
  });

  it('accepts what is right and writes nothing', async () => {
    const count = async () =>
      (
        await sql`SELECT (SELECT count(*) FROM routes) AS routes, (SELECT count(*) FROM names) AS names,
        (SELECT sum(names_used) FROM subscriptions) AS used, (SELECT count(*) FROM audit_log) AS audit`.execute(
          test.api.platform.db,
        )
      ).rows[0];
    const before = await count();
    const result = await preview(vip, [row(), row({ status: 'deactivated', remarks: '-' }, 3)]);
    expect(result).toMatchObject({ rows: 2, valid: 2, problems: [], names: { needed: 2 } });
    expect(result.names.left).toBeGreaterThan(2);
    expect(await count()).toEqual(before);
  });

  it.each([
    [{ domain_name: '' }, 'domain_name: IMPORT_CELL_EMPTY'],
    [{ remarks: ' ' }, 'remarks: IMPORT_CELL_EMPTY'],
    [{ status: 'live' }, 'status: IMPORT_STATUS_UNKNOWN'],
    [{ protocol: 'tcp' }, 'protocol: IMPORT_PROTOCOL_UNKNOWN'],
    [{ domain_name: 'wildcard.example.com' }, 'domain_name: WILDCARD_LABEL_RESERVED'],
    [{ domain_name: 'a_b.example.com' }, 'domain_name: DOMAIN_NAME_INVALID'],
    [{ domain_name: `${'a'.repeat(64)}.example.com` }, 'domain_name: DOMAIN_LABEL_TOO_LONG'],
    [{ domain_name: 'co.uk' }, 'domain_name: PUBLIC_SUFFIX'],
    [{ domain_name: 'cordon.test' }, 'domain_name: OWN_HOST'],
    [{ shadow_domains: 'co.uk' }, 'shadow_domains: PUBLIC_SUFFIX'],
    [
      { shadow_domains: 'shop.example.com', status: 'deactivated' },
      'shadow_domains: IMPORT_SHADOW_DOMAINS_NEED_RUNNING',
    ],
    [{ upstreams: '-' }, 'upstreams: UPSTREAM_REQUIRED'],
    [{ upstreams: '0.0.0.0/0' }, 'upstreams: UPSTREAM_MASK_ZERO'],
    [{ group: 'x'.repeat(101) }, 'group: TOO_LONG'],
    [{ upstreams: '10.0.0.1' }, 'upstreams: UPSTREAM_FORBIDDEN'],
    [{ upstreams: '127.0.0.1' }, 'upstreams: UPSTREAM_FORBIDDEN'],
    [{ upstreams: '169.254.169.254' }, 'upstreams: UPSTREAM_FORBIDDEN'],
    [{ upstreams: '224.0.0.1' }, 'upstreams: UPSTREAM_FORBIDDEN'],
    [{ upstreams: '[::]:80' }, 'upstreams: UPSTREAM_FORBIDDEN'],
    [{ upstreams: '203.0.113.10' }, 'upstreams: UPSTREAM_FORBIDDEN'],
    [{ upstreams: '198.41.0.4' }, 'upstreams: UPSTREAM_FORBIDDEN'],
    [{ upstreams: '8.8.4.4:25' }, 'upstreams: PORT_NOT_WEB'],
    [{ upstreams: '8.8.4.4:8080', protocol: 'http_https' }, 'upstreams: PORT_FORBIDDEN'],
    [{ upstreams: '8.8.4.4 8.8.4.4' }, 'upstreams: UPSTREAM_DUPLICATE'],
  ])('tells %j with its row and column', async (cells, problem) => {
    expect(await problemsOf(vip, [row(), row(cells, 9)])).toEqual([`9 ${problem}`]);
  });

  it('tells all faults of a row at once', async () => {
    const cells = { domain_name: 'a_b.example.com', upstreams: '10.0.0.1', group: 'Nowhere', shadow_domains: 'co.uk' };
    expect((await problemsOf(vip, [row(cells, 9)])).toSorted()).toEqual([
      '9 domain_name: DOMAIN_NAME_INVALID',
      '9 group: IMPORT_GROUP_UNKNOWN',
      '9 shadow_domains: PUBLIC_SUFFIX',
      '9 upstreams: UPSTREAM_FORBIDDEN',
    ]);
  });

  it('tells which target of a cell is wrong', async () => {
    const { problems } = await preview(vip, [row({ upstreams: '8.8.4.4; 10.0.0.1:81' })]);
    expect(problems).toEqual([
      { row: 2, column: 'upstreams', code: 'UPSTREAM_FORBIDDEN', params: { target: '10.0.0.1' } },
    ]);
  });

  it('knows what the plan leaves out', async () => {
    expect(
      await problemsOf(free, [
        row({ domain_name: '*.example.com' }),
        row({ upstreams: 'origin.example.net' }, 3),
        row({ shadow_domains: '*.shop.example.com' }, 4),
      ]),
    ).toEqual([
      '2 domain_name: WILDCARD_NEEDS_VIP',
      '3 upstreams: DOMAIN_UPSTREAM_NEEDS_VIP',
      '4 shadow_domains: WILDCARD_NEEDS_VIP',
    ]);
    expect(
      await problemsOf(vip, [row({ domain_name: `*.${uniqueName()}` }), row({ upstreams: 'origin.example.net' }, 3)]),
    ).toEqual([]);
  });

  it('asks DNS once for targets that rows share, and does not say where they lead', async () => {
    test.dns.setAddresses('inside.example.net', ['10.0.0.7']);
    const asked = vi.spyOn(test.dns, 'addresses');
    const rows = Array.from({ length: 40 }, (_, at) => row({ upstreams: 'inside.example.net' }, at + 2));
    expect(await problemsOf(vip, rows)).toEqual([]);
    expect(asked.mock.calls.filter(([name]) => name === 'inside.example.net')).toHaveLength(1);
  });

  it('finds names given twice, names of the account and names of others', async () => {
    const mine = await createDomain(vip);
    const theirs = await createDomain(free);
    const twice = uniqueName();
    const problems = await problemsOf(vip, [
      row({ domain_name: twice }, 2),
      row({ domain_name: twice.toUpperCase() }, 3),
      row({ domain_name: mine.domain_name }, 4),
      row({ domain_name: theirs.domain_name }, 5),
      row({ domain_name: `*.${theirs.domain_name.slice(theirs.domain_name.indexOf('.') + 1)}` }, 6),
    ]);
    expect(problems).toEqual([
      '3 domain_name: IMPORT_NAME_REPEATED',
      '4 domain_name: DOMAIN_NAME_YOURS',
      '5 domain_name: DOMAIN_NAME_TAKEN',
      '6 domain_name: WILDCARD_SPANS_OTHERS',
    ]);
  });

  it("lets a name below another account's wildcard, or a taken one, pass with the TXT proof only", async () => {
    const parent = uniqueName();
    await createDomain(vip, `*.${parent}`);
    const other = await createCustomer(test, { plan: 'vip' });
    const { problems } = await preview(other, [row({ domain_name: `www.${parent}` })]);
    expect(problems).toMatchObject([{ code: 'WILDCARD_SPANS_OTHERS', params: { txt_value: expect.any(String) } }]);
    test.dns.setTexts(String(problems[0]?.params?.txt_name), [String(problems[0]?.params?.txt_value)]);
    expect(await problemsOf(other, [row({ domain_name: `www.${parent}` })])).toEqual([]);
  });

  it('tells shadow domains that are taken, lead back, or find no room', async () => {
    const { domain_name: mine } = await createDomain(vip);
    const { domain_name: theirs } = await createDomain(free);
    const rows = [
      row({ shadow_domains: `${mine} ${theirs}` }),
      row({ upstreams: 'origin.example.net', shadow_domains: 'origin.example.net' }, 3),
      row(
        {
          shadow_domains: Array.from({ length: 200 }, (_, at) => `a${at}.room.example`)
            .join(' ')
            .slice(0, 1990),
        },
        4,
      ),
    ];
    const { problems, names } = await preview(vip, rows);
    expect(problems.map(({ row: at, column, code, params }) => [at, column, code, params?.target])).toEqual(
      expect.arrayContaining([
        [2, 'shadow_domains', 'DOMAIN_NAME_YOURS', mine],
        [2, 'shadow_domains', 'DOMAIN_NAME_TAKEN', theirs],
        [3, 'shadow_domains', 'UPSTREAM_LOOP', 'origin.example.net'],
        [4, null, 'QUOTA_REACHED', undefined],
      ]),
    );
    expect(names.needed).toBeGreaterThan(names.left);
  });

  it('tells from which row on the quota does not reach', async () => {
    const { left } = (await preview(free, [row()])).names;
    const rows = Array.from({ length: left + 2 }, (_, at) => row(at === 0 ? { status: 'no' } : {}, at + 2));
    const result = await preview(free, rows);
    expect(result.problems.map((one) => `${one.row} ${one.column}: ${one.code}`)).toEqual([
      '2 status: IMPORT_STATUS_UNKNOWN',
      `${left + 3} null: QUOTA_REACHED`,
    ]);
    expect(result).toMatchObject({ valid: left, names: { needed: left + 1, left } });
  });

  it("refuses another account's subscription", async () => {
    await expect(vip.client.previewImport({ body: { cname: free.cname, rows: [row()] } })).rejects.toMatchObject({
      status: 404,
      code: 'SUBSCRIPTION_NOT_FOUND',
    });
  });

  it('is bounded in rows, cells and size', async () => {
    const send = (body: unknown) => test.call('POST', 'domain/import/preview/', { token: vip.token, body });
    expect((await send({ cname: vip.cname, rows: [] })).body).toMatchObject({ rows: 'IMPORT_EMPTY' });
    const many = Array.from({ length: 5_001 }, (_, at) => row({}, at + 2));
    expect((await send({ cname: vip.cname, rows: many })).body).toMatchObject({
      rows: 'TOO_MANY',
      params: { rows: { maximum: 5_000 } },
    });
    expect((await send({ cname: vip.cname, rows: [row({ remarks: 'x'.repeat(2_001) })] })).body).toMatchObject({
      'rows.0.remarks': 'TOO_LONG',
    });
    // More than any other call may carry, and more than this one may.
    const wide = Array.from({ length: 4_000 }, (_, at) => row({ remarks: 'x'.repeat(700) }, at + 2));
    expect((await send({ cname: vip.cname, rows: wide })).status).toBe(200);
    expect((await send({ cname: vip.cname, rows: [...wide, ...wide] })).status).toBe(413);
  });

  it('looks at 5,000 rows while others are answered', async () => {
    const rows = Array.from({ length: 5_000 }, (_, at) => row({}, at + 2));
    let answered = 0;
    let isDone = false;
    const others = (async () => {
      while (!isDone) {
        expect((await test.call('GET', 'user/info/', { token: free.token })).status).toBe(200);
        answered += 1;
      }
    })();
    const result = await preview(vip, rows);
    isDone = true;
    await others;
    expect(result.rows).toBe(5_000);
    // In one go, two at most: one before and one behind it.
    expect(answered).toBeGreaterThan(5);
  });
});
