import { API_BASE, type Operation, operations } from '@cordon/contract';
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
const isRead = ({ scope }: Operation) => scope?.endsWith(':read') === true;

/** Calls it with an Idempotency-Key whose answer is kept. */
async function callAgain(operation: Operation, handler: () => Promise<never>) {
  const principal = { kind: 'token', account_id: 'a', roles: ['user', 'operator'], scopes: 'all' };
  const app = Fastify();
  const mount = createMount(app, {
    env: {},
    authenticator: { authenticateUser: async () => principal as unknown as UserPrincipal },
    idempotency: { run: async () => ({ status: 200, payload: '"kept"', isReplay: true }) },
    rates: { of: () => ({ take: async () => true }) },
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

it('keeps the calls of one account from holding those of others, however many it makes', async () => {
  const app = Fastify();
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
    rates: { of: () => ({ take: async () => true }) },
    checkResponses: false,
  } as unknown as MountOptions);
  const running: Record<string, number> = {};
  let release: () => void = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const operation = {
    method: 'GET',
    path: 'slow/',
    auth: 'user',
    scope: 'domains:read',
    rate: 'none',
    ok: z.unknown(),
  };
  mount({ slow: operation as unknown as Operation }, {
    slow: async ({ principal }: { principal: { account_id: string } }) => {
      running[principal.account_id] = (running[principal.account_id] ?? 0) + 1;
      await released;
    },
  } as never);
  const call = (account: string) =>
    app.inject({ url: `${API_BASE}slow/`, headers: { authorization: `Bearer ${account}` } });
  const all = [...Array.from({ length: 30 }, () => call('a')), call('b')];
  await vi.waitFor(() => expect(running.b).toBe(1));
  expect(running.a).toBe(8);
  release();
  expect((await Promise.all(all)).map(({ statusCode }) => statusCode)).toEqual(Array(31).fill(200));
  expect(running.a).toBe(30);
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
    rates: { of: () => ({ take: async () => true }) },
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
