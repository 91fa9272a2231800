import { API_BASE, type Operation, operations, scopesOf } from '@cordon/contract';
import { pluginOperations } from '@cordon/plugins/operations';
import Fastify from 'fastify';
import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import type { UserPrincipal } from './auth.ts';
import { type AppError, errorBody } from './errors.ts';
import { createMount, type MountOptions } from './mount.ts';

const posts = Object.entries<Operation>({ ...operations, ...pluginOperations }).filter(
  ([, { method, auth }]) => method !== 'GET' && auth === 'user',
);
const isRead = (operation: Operation) => scopesOf(operation)[0]?.endsWith(':read') === true;

/** Calls it with an Idempotency-Key whose answer is kept. */
async function callAgain(operation: Operation, handler: () => Promise<never>) {
  const principal = { kind: 'token', account_id: 'a', roles: ['user', 'operator'], scopes: 'all' };
  const app = Fastify();
  const mount = createMount(app, {
    env: {},
    authenticator: { authenticateUser: async () => principal as unknown as UserPrincipal },
    idempotency: { run: async () => ({ status: 200, payload: '"kept"', isReplay: true }) },
    rates: { of: () => ({ take: async () => true, require: async () => undefined }) },
    checkResponses: true,
  } as unknown as MountOptions);
  // What is in the request is no matter here.
  const { params, query, body, itemRate, ...bare } = operation;
  mount({ bare: bare as Operation }, { bare: handler });
  return app.inject({
    method: operation.method as 'POST',
    url: API_BASE + operation.path,
    headers: { authorization: 'Bearer x', 'idempotency-key': 'k', 'if-match': '"1"' },
  });
}

describe.each(posts.filter(([, operation]) => !isRead(operation)))('%s', (_name, operation) => {
  it('with an Idempotency-Key is answered by what keeps the first answer', async () => {
    const response = await callAgain(operation, () => Promise.reject(new Error('done a second time')));
    expect(response.body).toBe('"kept"');
    expect(response.headers['idempotent-replayed']).toBe('true');
  });
});

describe.each(posts.filter(([, operation]) => isRead(operation)))('%s, which only reads', (_name, operation) => {
  it('is answered anew, and nothing of it is kept', async () => {
    const response = await callAgain(operation, () => Promise.reject(new Error('read again')));
    expect(response.body).toContain('read again');
  });
});

/** Operations that are answered once they are released, and how many calls of each run, by account. */
async function startSlow(given: Record<string, Partial<Operation>>) {
  const app = Fastify();
  app.setErrorHandler((error: AppError, _req, reply) => reply.code(error.status).send(errorBody(error, 'id')));
  const mount = createMount(app, {
    env: {},
    authenticator: {
      authenticateUser: async (account: string) => ({
        kind: 'token',
        account_id: account,
        roles: ['user', 'operator'],
        scopes: 'all',
      }),
    },
    rates: { of: () => ({ take: async () => true, require: async () => undefined }) },
    checkResponses: false,
  } as unknown as MountOptions);
  const running: Record<string, number> = {};
  let release: () => void = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  for (const [name, more] of Object.entries(given)) {
    const operation = { method: 'GET', path: `${name}/`, auth: 'user', scope: 'domains:read', rate: 'none', ...more };
    mount({ [name]: { ok: z.unknown(), ...operation } as unknown as Operation }, {
      [name]: async ({ principal }: { principal: { account_id: string } }) => {
        const key = `${principal.account_id} ${name}`;
        running[key] = (running[key] ?? 0) + 1;
        await released;
      },
    } as never);
  }
  const call = (account: string, name: string, search = '') =>
    app.inject({
      method: (given[name]?.method ?? 'GET') as 'GET',
      url: `${API_BASE}${name}/${search}`,
      headers: { authorization: `Bearer ${account}` },
    });
  return { call, running, release: () => release() };
}
const times = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make);

it('keeps the calls of one account from holding those of others, however many it makes', async () => {
  const { call, running, release } = await startSlow({ write: { method: 'POST', scope: 'domains:write' } });
  const all = [...times(30, () => call('a', 'write')), call('b', 'write')];
  await vi.waitFor(() => expect(running['b write']).toBe(1));
  expect(running['a write']).toBe(8);
  release();
  expect((await Promise.all(all)).map(({ statusCode }) => statusCode)).toEqual(Array(31).fill(200));
  expect(running['a write']).toBe(30);
});

const sorted = {
  query: z.strictObject({ sort: z.string().optional() }),
  scopeByQuery: { field: 'sort', values: ['requests'], scope: 'traffic:read' },
} as const;

it.each<[what: string, outside: Partial<Operation>, search: string]>([
  ['that read traffic', { scope: 'traffic:read' }, ''],
  ['that need it besides', { method: 'POST', scope: ['domains:read', 'traffic:read'] }, ''],
  ['that are sorted by it', sorted, '?sort=requests'],
  ['that look at the network', { method: 'POST', scope: 'domains:write', looks: true }, ''],
])(
  'calls %s hold neither writes nor plain reads of their account, and are refused beyond a queue',
  async (_what, outside, search) => {
    const { call, running, release } = await startSlow({
      outside,
      read: {},
      write: { method: 'POST', scope: 'domains:write' },
    });
    const slow = times(100, () => call('a', 'outside', search));
    await vi.waitFor(() => expect(running['a outside']).toBe(4));
    const others = [...times(30, () => call('a', 'read')), ...times(2, () => call('a', 'write'))];
    await vi.waitFor(() => expect(running).toEqual({ 'a outside': 4, 'a read': 2, 'a write': 2 }));
    release();
    const answers = await Promise.all(slow);
    const refused = answers.filter(({ statusCode }) => statusCode === 429);
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(44);
    expect(refused).toHaveLength(56);
    expect(refused[0]?.json()).toMatchObject({ params: { TOO_MANY_REQUESTS: { seconds: 2 } } });
    expect((await Promise.all(others)).map(({ statusCode }) => statusCode)).toEqual(Array(32).fill(200));
  },
);

it('a list in another order is a plain read', async () => {
  const { call, running, release } = await startSlow({ list: sorted });
  const all = times(10, () => call('a', 'list', '?sort=name'));
  await vi.waitFor(() => expect(running['a list']).toBe(6));
  release();
  await Promise.all(all);
});

it.each([
  ['takes no query', undefined],
  ['takes one', z.strictObject({ page: z.string().optional() })],
])('names what it does not know in the query of an operation that %s', async (_what, query) => {
  const app = Fastify();
  app.setErrorHandler((error: AppError, _req, reply) => reply.code(error.status).send(errorBody(error, 'id')));
  const mount = createMount(app, {
    env: {},
    authenticator: {
      authenticateUser: async () => ({ kind: 'token', account_id: 'a', roles: ['user'], scopes: 'all' }),
    },
    rates: { of: () => ({ take: async () => true, require: async () => undefined }) },
    checkResponses: false,
  } as unknown as MountOptions);
  const operation = {
    method: 'GET',
    path: 'x/',
    auth: 'user',
    scope: 'domains:read',
    rate: 'none',
    ok: z.unknown(),
    query,
  };
  mount({ x: operation as unknown as Operation }, { x: async () => 'done' } as never);
  const call = (search: string) =>
    app.inject({ url: `${API_BASE}x/${search}`, headers: { authorization: 'Bearer x' } });
  expect((await call('')).statusCode).toBe(200);
  expect((await call('?route_id=1')).body).toContain('"route_id":"UNKNOWN_FIELD"');
});
