import { ApiError, type Batch, type BatchItem, type ImportRow } from '@cordon/contract';
import { sql } from 'kysely';
import { beforeEach, expect, it } from 'vitest';
import { startEdgeApi } from '../../testing/edge-api.ts';
import { type Customer, createCustomer, createDomain, eventually, uniqueName } from '../../testing/fixtures.ts';

const { test, node } = await startEdgeApi();
let free: Customer;
let vip: Customer;
beforeEach(async () => {
  await node.heartbeat();
  free = await createCustomer(test);
  vip = await createCustomer(test, { plan: 'vip' });
});

const row = (at: number, cells: Partial<ImportRow> = {}): ImportRow => ({
  row: at,
  domain_name: uniqueName(),
  protocol: 'http',
  upstreams: '8.8.4.4',
  status: 'running',
  ...cells,
});

async function start(customer: Customer, rows: ImportRow[], idempotencyKey?: string): Promise<Batch> {
  const input = { body: { cname: customer.cname, rows } };
  return (await customer.client.startImport(idempotencyKey ? { ...input, idempotencyKey } : input)).result;
}

async function finish(customer: Customer, batch: Batch): Promise<{ batch: Batch; items: BatchItem[] }> {
  const ended = await eventually(async () => {
    const { result } = await customer.client.getBatch({ params: { id: batch.id } });
    return result.state !== 'running' && result;
  }, 20_000);
  const { results } = await customer.client.listBatchItems({ params: { id: batch.id }, query: { perpage: 100 } });
  return { batch: ended, items: results };
}

it('adds a row with its shadow domains, which version 1 has and the nodes serve', async () => {
  const [shop, other] = [uniqueName(), `*.${uniqueName()}`];
  const rows = [row(2, { shadow_domains: `${shop}, ${other}` }), row(3, { shadow_domains: '-' })];
  const before = (await vip.client.listSubscriptions()).results[0]?.usage.domains ?? 0;
  const { batch, items } = await finish(vip, await start(vip, rows));
  expect(batch).toMatchObject({ state: 'successful', succeeded: 2 });
  const id = items[0]?.route_id ?? '';
  const { result } = await vip.client.getRoute({ params: { id } });
  expect([...result.shadow_domains].sort()).toEqual([shop, other].sort());
  expect(result).toMatchObject({ version_live: 1, immediate_operation: null });
  expect(node.routes.get(id)?.hosts.map(({ name }) => name)).toEqual(
    expect.arrayContaining([rows[0]?.domain_name, shop, other]),
  );
  expect((await vip.client.listSubscriptions()).results[0]?.usage.domains).toBe(before + 4);
  // What is a shadow domain here is taken for the next file.
  const again = await finish(vip, await start(vip, [row(2, { shadow_domains: shop })]));
  expect(again.items[0]?.error).toMatchObject({
    fields: { 'shadow_domains.0': 'DOMAIN_NAME_YOURS' },
    params: { 'shadow_domains.0': { name: shop } },
  });
});

it('adds neither a row nor its shadow domains when there is no room for all of them', async () => {
  const names = Array.from({ length: 3 }, () => uniqueName());
  const { batch, items } = await finish(free, await start(free, [row(2, { shadow_domains: names.join(' ') })]));
  expect(batch).toMatchObject({ state: 'failed', failed: 1 });
  expect(items[0]?.error?.code).toBe('QUOTA_REACHED');
  expect((await free.client.listRoutes()).count).toBe(0);
});

it('adds every row, deploys those that are to run, and only those', async () => {
  const rows = [
    row(2, { remarks: 'Shop' }),
    row(3, { status: 'deactivated', upstreams: '8.8.4.4:8080 8.8.8.8', remarks: '-' }),
    row(4, { domain_name: `*.${uniqueName()}`, protocol: 'https', upstreams: 'origin.example.net' }),
  ];
  const { batch, items } = await finish(vip, await start(vip, rows));
  expect(batch).toMatchObject({ kind: 'import', state: 'successful', total: 3, succeeded: 3, failed: 0 });
  expect(items.map(({ name, result }) => [name, result])).toEqual(
    rows.map(({ domain_name, row: at }) => [domain_name, { row: at }]),
  );
  const proved = { version: 1, live_ms: expect.any(Number) };
  expect(items.map(({ deployed }) => deployed)).toEqual([proved, null, proved]);
  const routes = await Promise.all(
    items.map(async ({ route_id }) => (await vip.client.getRoute({ params: { id: route_id ?? '' } })).result),
  );
  expect(routes.map(({ status, version_live, remarks }) => [status, version_live, remarks])).toEqual([
    ['running', 1, 'Shop'],
    ['deactivated', null, ''],
    ['running', 1, ''],
  ]);
  expect(routes[1]?.draft.upstreams.targets.map(({ host, port }) => [host, port])).toEqual([
    ['8.8.4.4', 8080],
    ['8.8.8.8', null],
  ]);
  expect(node.routes.get(routes[0]?.id ?? '')?.hosts.map(({ name }) => name)).toEqual([rows[0]?.domain_name]);
  expect(node.routes.has(routes[1]?.id ?? '')).toBe(false);
});

it('has what waits of it deployed by its batch, and tells what was changed later', async () => {
  const rows = [2, 3, 4, 5, 6].map((at) => row(at, { status: at === 6 ? 'running' : 'deactivated' }));
  const { batch, items } = await finish(vip, await start(vip, rows));
  const [untouched, changed, remarked, deployed, running] = items.map(({ route_id }) => route_id ?? '');
  const change = async (id = '', body: Parameters<typeof vip.client.updateRoute>[0]['body'] = {}) => {
    const { result } = await vip.client.getRoute({ params: { id } });
    await vip.client.updateRoute({ params: { id }, ifMatch: result.draft_revision, body });
  };
  const later = { upstreams: { protocol: 'http' as const, targets: [{ host: '8.8.8.8' }] } };
  await change(changed, later);
  await change(remarked, { remarks: 'Later' });
  await change(deployed, { deploy: true });
  await eventually(
    async () => (await vip.client.getRoute({ params: { id: deployed ?? '' } })).result.version_live === 1,
  );
  for (const id of [deployed, running]) await change(id, later);
  const filter = { batch: batch.id, changes: 'pending' as const };
  const { result } = await vip.client.previewBulk({ body: { action: 'deploy', selection: { filter } } });
  expect(new Map(result.items.map(({ route_id, changed_since }) => [route_id, changed_since]))).toEqual(
    new Map([
      [untouched, false],
      [changed, true],
      [remarked, false],
    ]),
  );
  expect(result).toMatchObject({ total: 3, changed_since: 1 });
  // A selection by anything else knows of no later.
  const named = { names: [rows[1]?.domain_name ?? ''] };
  const byName = await vip.client.previewBulk({ body: { action: 'deploy', selection: named } });
  expect(byName.result).toMatchObject({ changed_since: 0, items: [{ changed_since: false }] });
});

it('puts domains into groups by name, in any case and with any blanks, and refuses groups that are not there', async () => {
  const shops = (await vip.client.createGroup({ body: { name: 'Läden  Ost' } })).result;
  await free.client.createGroup({ body: { name: 'Theirs' } });
  const rows = [row(2, { group: ' LÄDEN\u00a0\tOST' }), row(3, { group: '-' }), row(4, { group: 'Theirs' })];
  const { problems } = (await vip.client.previewImport({ body: { cname: vip.cname, rows } })).result;
  expect(problems).toEqual([{ row: 4, column: 'group', code: 'IMPORT_GROUP_UNKNOWN' }]);
  const { items } = await finish(vip, await start(vip, rows));
  expect(items.map(({ state, error }) => [state, error?.fields ?? null])).toEqual([
    ['successful', null],
    ['successful', null],
    ['failed', { group: 'IMPORT_GROUP_UNKNOWN' }],
  ]);
  const { results } = await vip.client.listRoutes({ query: { perpage: 100 } });
  const groupOf = (at: number) => results.find(({ domain_name }) => domain_name === rows[at]?.domain_name)?.group_id;
  expect(groupOf(0)).toBe(shops.id);
  expect(groupOf(1)).not.toBe(shops.id);
});

it('tells for each row why it failed, and adds the others', async () => {
  const theirs = await createDomain(free);
  const mine = await createDomain(vip);
  const rows = [
    row(2),
    row(3, { domain_name: theirs.domain_name }),
    row(4, { domain_name: mine.domain_name }),
    row(5, { upstreams: '10.0.0.1' }),
    row(6, { domain_name: 'co.uk' }),
    row(7),
  ];
  const { batch, items } = await finish(vip, await start(vip, rows));
  expect(batch).toMatchObject({ state: 'failed', succeeded: 2, failed: 4 });
  expect(items.map(({ state, error }) => [state, error?.fields ?? null])).toEqual([
    ['successful', null],
    ['failed', { domain_name: 'DOMAIN_NAME_TAKEN' }],
    ['failed', { domain_name: 'DOMAIN_NAME_YOURS' }],
    ['failed', { 'upstreams.targets.0.host': 'UPSTREAM_FORBIDDEN' }],
    ['failed', { domain_name: 'PUBLIC_SUFFIX' }],
    ['successful', null],
  ]);
  expect(items.map((item) => item.row)).toEqual([2, 3, 4, 5, 6, 7]);
  const lines = (await vip.client.exportBatch({ params: { id: batch.id } })).trimEnd().split('\r\n');
  expect(lines[0]).toBe('row,domain_name,state,error,message,result');
  expect(lines[2]).toMatch(`3,${theirs.domain_name},failed,domain_name: DOMAIN_NAME_TAKEN,`);
  expect(lines.slice(1).map((line) => line.split(',')[0])).toEqual(['2', '3', '4', '5', '6', '7']);
});

it('goes as far as the quota reaches, and takes no name for what it does not add', async () => {
  const { left } = (await free.client.previewImport({ body: { cname: free.cname, rows: [row(2)] } })).result.names;
  const rows = Array.from({ length: left + 3 }, (_, at) => row(at + 2));
  const { batch, items } = await finish(free, await start(free, rows));
  expect(batch).toMatchObject({ state: 'failed', succeeded: left, failed: 3 });
  expect(items.filter(({ error }) => error?.code === 'QUOTA_REACHED')).toHaveLength(3);
  const { rows: counted } = await sql<{ used: number; names: number }>`
    SELECT names_used AS used, (SELECT count(*)::int FROM names WHERE subscription_id = s.id) AS names
    FROM subscriptions s WHERE id = ${free.subscriptionId}`.execute(test.api.platform.db);
  expect(counted[0]).toEqual({ used: left, names: left });
});

it('is refused as a whole when a single cell is wrong, with each cell named', async () => {
  const twice = uniqueName();
  const rows = [
    row(2, { domain_name: twice }),
    row(3, { status: 'on', upstreams: '' }),
    row(9, { domain_name: twice }),
  ];
  const error = await start(vip, rows).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ApiError);
  expect((error as ApiError).status).toBe(422);
  expect((error as ApiError).fields).toEqual({
    'rows.1.upstreams': 'IMPORT_CELL_EMPTY',
    'rows.1.status': 'IMPORT_STATUS_UNKNOWN',
    'rows.2.domain_name': 'IMPORT_NAME_REPEATED',
  });
  expect((await vip.client.listBatches()).count).toBe(0);
  expect((await vip.client.listRoutes()).count).toBe(0);
});

it('started twice with the same key is one import', async () => {
  const rows = [row(2), row(3)];
  const first = await start(vip, rows, 'the-same-file');
  const second = await start(vip, rows, 'the-same-file');
  expect(second.id).toBe(first.id);
  await finish(vip, first);
  expect((await vip.client.listBatches()).count).toBe(1);
  await expect(start(vip, [row(2)], 'the-same-file')).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
});

it("is for the account's own subscriptions, and seen by the account alone", async () => {
  const body = { cname: free.cname, rows: [row(2)] };
  await expect(vip.client.startImport({ body })).rejects.toMatchObject({ code: 'SUBSCRIPTION_NOT_FOUND' });
  const batch = await start(free, [row(2)]);
  await expect(vip.client.getBatch({ params: { id: batch.id } })).rejects.toMatchObject({ status: 404 });
  await finish(free, batch);
});

it('gives names that two files want at once to one of them', async () => {
  const names = Array.from({ length: 30 }, () => uniqueName());
  const other = await createCustomer(test, { plan: 'vip' });
  const rows = names.map((domain_name, at) => row(at + 2, { domain_name, status: 'deactivated' }));
  const batches = await Promise.all([start(vip, rows), start(other, [...rows].reverse())]);
  const ended = [await finish(vip, batches[0] as Batch), await finish(other, batches[1] as Batch)];
  expect(ended.reduce((sum, { batch }) => sum + batch.succeeded, 0)).toBe(names.length);
  const errors = ended.flatMap(({ items }) => items.map(({ error }) => error).filter((error) => error !== null));
  expect(errors).toHaveLength(names.length);
  for (const { fields } of errors) expect(fields).toEqual({ domain_name: 'DOMAIN_NAME_TAKEN' });
});
