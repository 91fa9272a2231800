import { type Operation, operations } from '@cordon/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import {
  type Customer,
  createCustomer,
  createDomain,
  type FakeNode,
  startFakeNode,
  upstreamsTo,
} from './testing/fixtures.ts';
import { startApi, type TestApi } from './testing/start-api.ts';

/**
 * Guarantee: whoever knows the id of another account's object learns and changes nothing by it. Walks over every
 * operation of the contract that takes an id; an operation added later joins by itself, and fails here until its
 * kinds of parameters have a fixture.
 */
let test: TestApi;
let owner: Customer;
let stranger: Customer;
let node: FakeNode;
beforeAll(async () => {
  // Nothing answers there: what gets as far as the traffic store is 503, which is neither 404 nor data.
  test = await startApi({ CLICKHOUSE_URL: 'http://cordon:secret@127.0.0.1:9' });
  node = await startFakeNode(test);
  owner = await createCustomer(test, { plan: 'vip-enterprise' });
  stranger = await createCustomer(test, { plan: 'vip' });
});
afterAll(async () => {
  node.stop();
  await test.stop();
});

/** Objects of the owner, by where a parameter of this kind stands. */
interface Objects {
  readonly routeId: string;
}
type Fixture = (objects: Objects) => string;

const PARAMETERS: readonly { path: RegExp; name: string; value: Fixture }[] = [
  { path: /^domain\/routes\//, name: 'id', value: ({ routeId }) => routeId },
  { path: /^domain\/routes\//, name: 'version', value: () => '1' },
];
const QUERIES: Readonly<Record<string, Fixture>> = { route_id: ({ routeId }) => routeId };
/** Bodies of operations that do not take an empty one. `cname` is the caller's own: the refusal must be the id's. */
const BODIES: Readonly<Record<string, (caller: Customer) => unknown>> = {
  deleteRoute: (caller) => ({ cname: caller.cname }),
  updateRoute: () => ({ remarks: 'changed', upstreams: upstreamsTo('9.9.9.9'), deploy: true }),
};

const names = (schema: z.ZodObject | undefined): string[] => Object.keys(schema?.shape ?? {});
const isId = (name: string) => name === 'id' || name.endsWith('_id');
/** A request's id is no object: it filters among the caller's own rows. */
const NO_OBJECTS = new Set(['request_id']);

const walked = (Object.entries(operations) as [string, Operation][]).filter(
  ([, operation]) =>
    operation.auth === 'user' &&
    (operation.params !== undefined || names(operation.query).some((name) => isId(name) && !NO_OBJECTS.has(name))),
);

function requestFor(name: string, operation: Operation, caller: Customer, objects: Objects) {
  let path: string = operation.path;
  for (const parameter of names(operation.params)) {
    const fixture = PARAMETERS.find((entry) => entry.path.test(operation.path) && entry.name === parameter);
    if (!fixture) throw new Error(`no fixture for {${parameter}} of ${name} (${operation.path})`);
    path = path.replace(`{${parameter}}`, fixture.value(objects));
  }
  const query = names(operation.query).filter((key) => isId(key) && !NO_OBJECTS.has(key));
  for (const key of query) {
    const fixture = QUERIES[key];
    if (!fixture) throw new Error(`no fixture for ?${key} of ${name}`);
    path += `${path.includes('?') ? '&' : '?'}${key}=${fixture(objects)}`;
  }
  const body = BODIES[name]?.(caller) ?? (operation.body ? {} : undefined);
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
  const { id } = await createDomain(owner);
  await owner.client.deployRoute({ params: { id }, ifMatch: 1, body: {} });
  return id;
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

describe("another account's objects", () => {
  it('are what this walk looks at', () => {
    expect(walked.map(([name]) => name)).toEqual(
      expect.arrayContaining(['getRoute', 'updateRoute', 'deleteRoute', 'getVersion', 'getTrafficOverview']),
    );
  });

  it.each(walked)('%s answers 404 and changes nothing', async (name, operation) => {
    const routeId = await liveRoute();
    const own = requestFor(name, operation, owner, { routeId });
    const foreign = requestFor(name, operation, stranger, { routeId });
    const before = await stateOf([owner.accountId, routeId]);
    const response = await test.call(operation.method, foreign.path, foreign.options);
    expect(response.status, response.text).toBe(404);
    expect(response.body).toMatchObject({ success: false, code: 'NOT_FOUND' });
    for (const secret of [owner.accountId, owner.email, owner.cname]) expect(response.text).not.toContain(secret);
    expect(await stateOf([owner.accountId, routeId])).toEqual(before);
    // The same call is refused for being a stranger's, and for nothing else.
    const control = await test.call(operation.method, own.path, own.options);
    expect([200, 201, 202, 409, 503], control.text).toContain(control.status);
  });

  it('do not appear in lists', async () => {
    const routeId = await liveRoute();
    for (const [name, operation] of Object.entries(operations) as [string, Operation][]) {
      if (
        operation.auth !== 'user' ||
        operation.method !== 'GET' ||
        operation.params ||
        name === 'verifyUpstreamProtocol' ||
        name === 'getPluginEffects'
      )
        continue;
      const response = await test.call('GET', operation.path, { token: stranger.token });
      expect(response.text, name).not.toContain(routeId);
      expect(response.text, name).not.toContain(owner.accountId);
    }
    const { id } = (await owner.client.getRoute({ params: { id: routeId } })).result;
    const byName = await stranger.client.listRoutes({ query: { q: id } });
    expect(byName.count).toBe(0);
    expect((await stranger.client.listRoutes({ query: { cname: owner.cname } })).count).toBe(0);
  });
});

describe('calls without a right to them', () => {
  const guarded = (Object.entries(operations) as [string, Operation][]).filter(
    ([, operation]) => operation.auth !== 'public',
  );
  it.each(guarded)('%s needs a token', async (_name, operation) => {
    const path = operation.path.replace(/\{\w+\}/g, '00000000-0000-4000-8000-000000000000');
    const anonymous = await test.call(operation.method, path);
    expect(anonymous.status).toBe(401);
    expect(anonymous.body).toMatchObject({ success: false, code: 'UNAUTHENTICATED' });
    const wrongKind = operation.auth === 'node' ? owner.token : node.credential;
    expect((await test.call(operation.method, path, { token: wrongKind })).status).toBe(401);
  });
});
