import { randomUUID } from 'node:crypto';
import { type Operation, operations } from '@cordon/contract';
import { pluginOperations } from '@cordon/plugins/operations';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { rowOf } from './modules/traffic/testing/start-traffic.ts';
import { startTestClickHouse, type TestClickHouse } from './testing/clickhouse.ts';
import {
  type Customer,
  createCustomer,
  eventually,
  type FakeNode,
  startFakeNode,
  uniqueName,
  upstreamsTo,
} from './testing/fixtures.ts';
import { startApi, type TestApi } from './testing/start-api.ts';

/**
 * Guarantee: a caller who knows the id of another account's object learns and changes nothing by it. Walks over every
 * operation of the contract that takes an id; an operation added later is included, and fails here until its
 * kinds of parameters have a fixture.
 */
let test: TestApi;
let clickhouse: TestClickHouse;
let owner: Customer;
let otherCustomer: Customer;
let node: FakeNode;
beforeAll(async () => {
  clickhouse = await startTestClickHouse();
  test = await startApi({ CLICKHOUSE_URL: clickhouse.url });
  node = await startFakeNode(test);
  owner = await createCustomer(test, { plan: 'vip-enterprise' });
  otherCustomer = await createCustomer(test, { plan: 'vip' });
});
afterAll(async () => {
  node.stop();
  await test.stop();
  await clickhouse.stop();
});

/** Objects of the owner, by where a parameter of this kind stands. */
interface Objects {
  readonly routeId: string;
  readonly batchId: string;
  readonly groupId: string;
  readonly ruleId: string;
  /** Of the route's cache. */
  readonly clearId: string;
  /** Of the route. */
  readonly prefetchId: string;
  readonly taskId: string;
  /** Of an API token. */
  readonly tokenId: string;
  readonly auditLineId: number;
  /** Of entries of the allow list. */
  readonly removalId: string;
  /** Of bans. */
  readonly liftId: string;
  /** A name that leads to the route. */
  readonly shadow: string;
}
type Fixture = (objects: Objects) => string;

const PARAMETERS: readonly { path: RegExp; name: string; value: Fixture }[] = [
  { path: /^domain\/routes\//, name: 'id', value: ({ routeId }) => routeId },
  { path: /^domain\/routes\//, name: 'version', value: () => '1' },
  { path: /^domain\/routes\//, name: 'clear_id', value: ({ clearId }) => clearId },
  { path: /^domain\/routes\//, name: 'prefetch_id', value: ({ prefetchId }) => prefetchId },
  { path: /^domain\/run\/tasks\//, name: 'id', value: ({ taskId }) => taskId },
  { path: /^user\/tokens\//, name: 'id', value: ({ tokenId }) => tokenId },
  { path: /^domain\/groups\//, name: 'id', value: ({ groupId }) => groupId },
  { path: /^domain\/batches\//, name: 'id', value: ({ batchId }) => batchId },
  { path: /^domain\/rules\//, name: 'id', value: ({ ruleId }) => ruleId },
  { path: /^user\/audit\/lines\//, name: 'id', value: ({ auditLineId }) => String(auditLineId) },
];
const QUERIES: Readonly<Record<string, Fixture>> = { route_id: ({ routeId }) => routeId };
/** What a query must have besides ids. */
const NEEDED: Readonly<Record<string, string>> = { listFeedGaps: 'feed=bans' };
/** Bodies of operations that do not take an empty one. `cname` is the caller's own: the refusal must be the id's. */
const BODIES: Readonly<Record<string, (caller: Customer, objects: Objects) => unknown>> = {
  checkDomain: (_caller, { routeId }) => ({ route_id: routeId }),
  traceRequest: () => ({ url: '/' }),
  tryCache: () => ({ url: '/' }),
  fetchIntoCache: () => ({ url: '/' }),
  replayRequests: () => ({
    plugin: { name: 'ip-restriction', enabled: true, config: { deny: ['198.41.128.7'], blacklistMode: true } },
  }),
  addShadowDomains: () => ({ names: [uniqueName()] }),
  removeShadowDomains: (_caller, { shadow }) => ({ names: [shadow] }),
  promoteShadowDomain: (_caller, { shadow }) => ({ name: shadow }),
  verifyShadowDomains: (_caller, { shadow }) => ({ names: [shadow] }),
  clearCache: () => ({ kind: 'all' }),
  startPrefetch: () => ({ urls: ['/a'] }),
  updatePrefetchList: () => ({ urls: ['/a'], after_deploy: true }),
  pauseRoute: () => ({ minutes: 15 }),
  updateSslConfig: () => ({ hsts: { max_age_seconds: 0 } }),
  deleteRoute: (caller) => ({ cname: caller.cname }),
  deleteRule: (caller) => ({ cname: caller.cname }),
  previewRule: () => ({ selection: { filter: {} } }),
  applyRule: () => ({ selection: { filter: {} } }),
  cloneRoute: () => ({ domain_names: [uniqueName()] }),
  previewCopy: () => ({ plugins: ['ip-restriction'], selection: { filter: {} } }),
  copyPlugins: () => ({ plugins: ['ip-restriction'], selection: { filter: {} } }),
  bulkRoutes: (_caller, { groupId }) => ({ action: 'move_group', selection: { filter: {} }, group_id: groupId }),
  previewBulk: (_caller, { groupId }) => ({ action: 'move_group', selection: { filter: {} }, group_id: groupId }),
  changeOriginLock: () => ({ action: 'enable' }),
  renameGroup: () => ({ name: 'changed' }),
  renameToken: () => ({ name: randomUUID() }),
  restoreAllowedNetworks: (_caller, { removalId }) => ({ removal_id: removalId }),
  liftFoundBans: (_caller, { routeId }) => ({ route_id: routeId, q: '' }),
  restoreFoundBans: (_caller, { liftId }) => ({ lift_id: liftId }),
  updateRoute: () => ({ remarks: 'changed', upstreams: upstreamsTo('9.9.9.9'), deploy: true }),
};

const names = (schema: z.ZodType | undefined): string[] =>
  schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
const isId = (name: string) => name === 'id' || name.endsWith('_id');
/** A request's id is no object: it filters among the caller's own rows. */
const NO_OBJECTS = new Set(['request_id']);

const walked = (Object.entries({ ...operations, ...pluginOperations }) as [string, Operation][]).filter(
  ([, operation]) =>
    operation.auth === 'user' &&
    (operation.params !== undefined ||
      [...names(operation.query), ...names(operation.body)].some((name) => isId(name) && !NO_OBJECTS.has(name))),
);

/** The example that an operation declares of its body, with the objects' ids in it. */
function exampleOf({ body }: Operation, objects: Objects): unknown {
  const [example] = (body?.meta()?.examples ?? []) as Record<string, unknown>[];
  return (
    example &&
    Object.fromEntries(Object.entries(example).map(([key, value]) => [key, QUERIES[key]?.(objects) ?? value]))
  );
}

function requestFor(name: string, operation: Operation, caller: Customer, objects: Objects) {
  let path: string = operation.path;
  for (const parameter of names(operation.params)) {
    const fixture = PARAMETERS.find((entry) => entry.path.test(operation.path) && entry.name === parameter);
    if (!fixture) throw new Error(`no fixture for {${parameter}} of ${name} (${operation.path})`);
    path = path.replace(`{${parameter}}`, fixture.value(objects));
  }
  if (NEEDED[name]) path += `?${NEEDED[name]}`;
  const query = names(operation.query).filter((key) => isId(key) && !NO_OBJECTS.has(key));
  for (const key of query) {
    const fixture = QUERIES[key];
    if (!fixture) throw new Error(`no fixture for ?${key} of ${name}`);
    path += `${path.includes('?') ? '&' : '?'}${key}=${fixture(objects)}`;
  }
  const body = BODIES[name]?.(caller, objects) ?? exampleOf(operation, objects) ?? (operation.body ? {} : undefined);
  if (operation.body && !operation.body.safeParse(body).success) throw new Error(`no fixture for the body of ${name}`);
  return {
    path,
    options: {
      token: caller.token,
      body,
      headers: (operation.ifMatch ? { 'if-match': '"1"' } : {}) as Record<string, string>,
    },
  };
}

async function liveRoute(): Promise<string> {
  const plugins = [{ name: 'ip-restriction', enabled: true, config: { deny: ['198.41.128.7'], blacklistMode: true } }];
  const body = { cname: owner.cname, domain_name: uniqueName(), upstreams: upstreamsTo(), plugins };
  const { id } = (await owner.client.createRoute({ body })).result;
  await owner.client.deployRoute({ params: { id }, ifMatch: 1, body: {} });
  return id;
}

async function shadowDomainOf(routeId: string): Promise<string> {
  const shadow = uniqueName();
  const { result } = await owner.client.addShadowDomains({ params: { id: routeId }, body: { names: [shadow] } });
  test.dns.setCname(shadow, result.cname);
  // Nothing but the calls of this walk changes anything: the watchers of names wait, and those at work end.
  const { pool } = test.api.platform;
  await pool.query(
    `UPDATE graphile_worker._private_jobs SET run_at = now() + interval '1 day' WHERE key LIKE 'watch-%'`,
  );
  await eventually(async () => {
    const { rowCount } = await pool.query(`SELECT 1 FROM graphile_worker._private_jobs WHERE locked_at IS NOT NULL`);
    return rowCount === 0;
  });
  return shadow;
}

/** A request to the owner's route, as its node reports it. */
async function logRequest(routeId: string): Promise<void> {
  const row = rowOf({ route_id: routeId, account_id: owner.accountId, host: `${routeId}.example` });
  await eventually(async () => {
    const response = await fetch(`${test.url}/api/v1/edge/logs/?batch=tenants`, {
      method: 'POST',
      headers: { authorization: `Bearer ${node.credential}`, 'content-type': 'application/x-ndjson' },
      body: JSON.stringify(row),
    });
    return response.ok;
  });
}

/** A batch that has ended. */
async function batchOf(accountId: string): Promise<string> {
  const { rows } = await test.api.platform.pool.query<{ id: string }>(
    `INSERT INTO batches (account_id, kind, state, total, created_by, created_by_kind)
     VALUES ($1, 'deploy', 'successful', 0, $2, 'user') RETURNING id`,
    [accountId, owner.email],
  );
  return rows[0]?.id ?? '';
}

async function rule(): Promise<string> {
  const plugins = [{ name: 'ip-restriction', enabled: true, config: { deny: ['198.41.128.7'], blacklistMode: true } }];
  const { result } = await owner.client.createRule({ body: { cname: owner.cname, name: randomUUID(), plugins } });
  return result.id;
}

async function prefetchOf(routeId: string): Promise<string> {
  const { rows } = await test.api.platform.pool.query<{ id: string }>(
    `INSERT INTO prefetches (account_id, route_id, czone, shown, urls, hosts, devices, languages, refresh, visits, created_by, ended_at)
     SELECT account_id, id, czone, '{/a}', '[]', '{}', '{}', '{}', false, 2, $2, now() FROM routes WHERE id = $1 RETURNING id`,
    [routeId, owner.email],
  );
  return rows[0]?.id ?? '';
}

async function scheduledTask(routeId: string): Promise<string> {
  const at = new Date(Date.now() + 3_600_000).toISOString();
  return (await owner.client.runTask({ body: { kind: 'clear cache', route_ids: [routeId], at } })).result.id;
}

async function apiToken(): Promise<string> {
  return (await owner.client.createToken({ body: { name: randomUUID(), scopes: ['audit:read'] } })).result.id;
}

/** Every row of every table that names the account or the object, except where nodes report and callers are counted. */
async function stateOf(ids: readonly string[]): Promise<Record<string, string>> {
  const { pool } = test.api.platform;
  const { rows: tables } = await pool.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`,
  );
  const state: Record<string, string> = {};
  for (const { name } of tables.filter(
    (table) => !['edge_nodes', 'events', 'deploy_receipts', 'operations'].includes(table.name),
  )) {
    const { rows } = await pool.query<{ digest: string }>(
      `SELECT md5(coalesce(string_agg(t::text, '|' ORDER BY t::text), '')) AS digest FROM "${name}" t WHERE t::text LIKE ANY($1)`,
      [ids.map((id) => `%${id}%`)],
    );
    state[name] = rows[0]?.digest ?? '';
  }
  return state;
}

/** What can be brought back: once for all, as these calls are few in a minute. */
async function takeOff(): Promise<Pick<Objects, 'removalId' | 'liftId'>> {
  await owner.client.allowNetworks({ body: { networks: ['198.41.129.1'] } });
  await owner.client.addBans({ body: { networks: ['198.41.130.1'] } });
  return {
    removalId: (await owner.client.removeAllowedNetworks({ body: { q: '' } })).result.removal_id,
    liftId: (await owner.client.liftFoundBans({ body: { q: '' } })).result.lift_id,
  };
}
let takenOff: ReturnType<typeof takeOff> | undefined;
/** What a call needs to have something to do. */
const PREPARED: Readonly<Record<string, (routeId: string) => Promise<unknown>>> = {
  async restoreAttackMode(routeId) {
    const body = { route_id: routeId };
    await owner.client.startAttackMode({ body });
    await owner.client.endAttackMode({ body });
  },
};

describe("another account's objects", () => {
  it('are what this walk looks at', () => {
    expect(walked.map(([name]) => name)).toEqual(
      expect.arrayContaining(['getRoute', 'updateRoute', 'deleteRoute', 'getVersion', 'getTrafficOverview']),
    );
  });

  it.each(walked)('%s answers 404 and changes nothing', async (name, operation) => {
    takenOff ??= takeOff();
    const routeId = await liveRoute();
    const objects = {
      routeId,
      shadow: await shadowDomainOf(routeId),
      batchId: await batchOf(owner.accountId),
      groupId: (await owner.client.createGroup({ body: { name: randomUUID() } })).result.id,
      ruleId: await rule(),
      clearId: (await owner.client.clearCache({ params: { id: routeId }, body: { kind: 'all' } })).clear.id,
      prefetchId: await prefetchOf(routeId),
      // A minute takes fewer of them than there are operations.
      taskId: operation.path.startsWith('domain/run/tasks/') ? await scheduledTask(routeId) : randomUUID(),
      tokenId: operation.path.startsWith('user/tokens/') ? await apiToken() : randomUUID(),
      auditLineId: (await owner.client.listAuditLines()).results[0]?.id ?? 0,
      ...(await takenOff),
    };
    await PREPARED[name]?.(routeId);
    // The job that looks at domains would change what the call must not.
    await test.api.platform.pool.query('UPDATE route_looks SET due_at = NULL WHERE account_id = $1', [owner.accountId]);
    const { auditLineId: _short, ...named } = objects;
    const ids = [owner.accountId, ...Object.values(named)];
    const own = requestFor(name, operation, owner, objects);
    const foreign = requestFor(name, operation, otherCustomer, objects);
    const before = await stateOf(ids);
    const response = await test.call(operation.method, foreign.path, foreign.options);
    expect(response.status, response.text).toBe(404);
    expect(response.body).toMatchObject({ success: false, code: 'NOT_FOUND' });
    for (const secret of [owner.accountId, owner.email, owner.cname]) expect(response.text).not.toContain(secret);
    expect(await stateOf(ids)).toEqual(before);
    // Silent for 15 s, it counts as gone.
    await node.heartbeat();
    // The same call is refused for another customer's objects, and for nothing else.
    const control = await test.call(operation.method, own.path, own.options);
    expect([200, 201, 202, 409], control.text).toContain(control.status);
    // What it started must not be taken for what the next call changes.
    await eventually(async () => (await owner.client.listBatches({ query: { state: 'running' } })).count === 0);
    await eventually(async () => {
      const { rowCount } = await test.api.platform.pool.query(
        `SELECT 1 FROM routes WHERE account_id = $1 AND status = 'deleting'`,
        [owner.accountId],
      );
      return rowCount === 0;
    });
  });

  it('do not appear in lists', async () => {
    const routeId = await liveRoute();
    await logRequest(routeId);
    const shownToOwner: string[] = [];
    const lists = (Object.entries({ ...operations, ...pluginOperations }) as [string, Operation][]).filter(
      ([name, { auth, method, params }]) =>
        auth === 'user' &&
        method === 'GET' &&
        !params &&
        !['verifyUpstreamProtocol', 'getPluginEffects', 'listDomainTraffic', 'getAttackRest'].includes(name),
    );
    for (const [name, operation] of lists) {
      const path = operation.path + (NEEDED[name] ? `?${NEEDED[name]}` : '');
      const [foreign, own] = [
        await test.call('GET', path, { token: otherCustomer.token }),
        await test.call('GET', path, { token: owner.token }),
      ];
      expect([foreign.status, own.status], name).toEqual([200, 200]);
      for (const secret of [routeId, owner.accountId, owner.cname]) expect(foreign.text, name).not.toContain(secret);
      if ([routeId, owner.accountId, owner.cname].some((secret) => own.text.includes(secret))) shownToOwner.push(name);
    }
    expect(shownToOwner).toEqual(
      expect.arrayContaining(['getMe', 'listRoutes', 'listSubscriptions', 'getTrafficOverview', 'listRecentRequests']),
    );
    expect((await otherCustomer.client.listDomainTraffic({ query: { route_ids: routeId } })).result).toEqual([]);
    const { id } = (await owner.client.getRoute({ params: { id: routeId } })).result;
    const byName = await otherCustomer.client.listRoutes({ query: { q: id } });
    expect(byName.count).toBe(0);
    for (const path of ['routes/', 'routes/export/', 'rules/', 'find-domain/'])
      for (const cname of [owner.cname, 'unknown.free01.edge.cordon.test']) {
        const isFind = path === 'find-domain/';
        const { status, body } = await test.call(isFind ? 'POST' : 'GET', `domain/${path}?cname=${cname}`, {
          token: otherCustomer.token,
          body: isFind ? { names: ['a.example'] } : undefined,
        });
        expect({ status, code: body.code }, `${path} ${cname}`).toEqual({
          status: 404,
          code: 'SUBSCRIPTION_NOT_FOUND',
        });
      }
  });
});

describe('calls without a right to them', () => {
  const guarded = (Object.entries({ ...operations, ...pluginOperations }) as [string, Operation][]).filter(
    ([, operation]) => operation.auth !== 'public',
  );
  it.each(guarded)('%s needs a token', async (_name, operation) => {
    const path = operation.path.replace(/\{\w+\}/g, '00000000-0000-4000-8000-000000000000');
    const anonymous = await test.call(operation.method, path);
    expect(anonymous.status).toBe(401);
    expect(anonymous.body).toMatchObject({ success: false, code: 'UNAUTHENTICATED' });
    const wrongKind = operation.auth === 'machine' ? owner.token : node.credential;
    expect((await test.call(operation.method, path, { token: wrongKind })).status).toBe(401);
  });
});
