import { API_BASE, type Operation, operations } from '@cordon/contract';
import { pluginOperations } from '@cordon/plugins/operations';
import Fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import type { UserPrincipal } from './auth.ts';
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
