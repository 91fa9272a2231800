import { randomUUID } from 'node:crypto';
import { type Operation, operations, scopesOf, type TokenScope, TRAFFIC_SORTS, tokenScope } from '@cordon/contract';
import { pluginOperations } from '@cordon/plugins/operations';
import { SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Customer, createCustomer, eventually } from '../testing/fixtures.ts';
import { startApi, type TestApi } from '../testing/start-api.ts';
import { newCredential, sha256, TOKEN_PREFIX } from './secrets.ts';

let test: TestApi;
let customer: Customer;
beforeAll(async () => {
  test = await startApi();
  customer = await createCustomer(test);
});
afterAll(() => test.stop());

const list = (token: string, headers: Record<string, string> = {}) =>
  test.call('GET', 'domain/routes/', { token, headers });

async function apiToken(scopes: string[], expiresAt = new Date(Date.now() + 600_000)): Promise<string> {
  const token = newCredential(TOKEN_PREFIX);
  await test.api.platform.db
    .insertInto('api_tokens')
    .values({
      account_id: customer.accountId,
      user_id: customer.userId,
      name: 'ci',
      token_hash: sha256(token),
      last_four: token.slice(-4),
      scopes,
      expires_at: expiresAt,
      issued_by: 'user',
    })
    .execute();
  return token;
}

describe('an access token', () => {
  it('counts only from our issuer, for our audience, signed and in time', async () => {
    expect((await list(customer.token)).status).toBe(200);
    const wrong = await Promise.all([
      test.tokenFor(customer.userId, { audience: 'https://elsewhere.test/api/v1/' }),
      test.tokenFor(customer.userId, { issuer: 'https://elsewhere.test/auth' }),
      test.tokenFor(customer.userId, { expiresIn: '-1m' }),
      test.tokenFor(randomUUID()),
      new SignJWT({})
        .setProtectedHeader({ alg: 'HS256' })
        .setSubject(customer.userId)
        .setIssuer(test.env.oidcIssuer)
        .setAudience(test.env.oidcAudience)
        .setExpirationTime('5m')
        .sign(Buffer.alloc(32)),
    ]);
    const none = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${customer.token.split('.')[1]}.`;
    for (const token of [...wrong, none, 'x', customer.token.slice(0, -3)])
      expect((await list(token)).status).toBe(401);
  });

  it('needs the realm beside it', async () => {
    expect((await list(customer.token, { realm: 'other' })).body).toMatchObject({ code: 'REALM_MISMATCH' });
    const response = await fetch(`${test.url}/api/v1/domain/routes/`, {
      headers: { authorization: `Bearer ${customer.token}` },
    });
    expect(response.status).toBe(401);
  });

  it('gives the roles that the user has now, not those of when it was issued', async () => {
    const other = await createCustomer(test);
    expect((await list(other.token)).status).toBe(200);
    const { db } = test.api.platform;
    await db
      .updateTable('users')
      .set({ roles: ['view-attack'] })
      .where('id', '=', other.userId)
      .execute();
    await eventually(async () => (await list(other.token)).body.code === 'ROLE_MISSING', 2_000);
    await db.updateTable('users').set({ disabled_at: new Date() }).where('id', '=', other.userId).execute();
    await eventually(async () => (await list(other.token)).status === 401, 2_000);
  });

  it('of a suspended account may look, but change nothing', async () => {
    const other = await createCustomer(test);
    await test.api.platform.db
      .updateTable('accounts')
      .set({ suspended_at: new Date() })
      .where('id', '=', other.accountId)
      .execute();
    await eventually(
      async () =>
        (await test.call('PATCH', 'user/info/', { token: other.token, body: {} })).body.code === 'ACCOUNT_SUSPENDED',
      2_000,
    );
    expect((await list(other.token)).status).toBe(200);
    expect((await test.call('GET', 'user/info/', { token: other.token })).body.result.account.suspended).toBe(true);
  });
});

describe('a personal API token', () => {
  it('opens its scopes only, without a realm', async () => {
    const token = await apiToken(['domains:read']);
    const call = (method: string, path: string, body?: unknown) =>
      fetch(`${test.url}/api/v1/${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) },
        body: body ? JSON.stringify(body) : undefined,
      });
    expect((await call('GET', 'domain/routes/')).status).toBe(200);
    const refused = await call('POST', 'domain/routes/', {});
    expect(refused.status).toBe(403);
    expect(await refused.json()).toMatchObject({ code: 'SCOPE_MISSING' });
    expect((await call('GET', 'user/info/')).status).toBe(403);
    // An operation that names no scope is not for tokens.
    expect((await call('PATCH', 'user/info/', {})).status).toBe(403);
  });

  const ofUsers = (Object.entries({ ...operations, ...pluginOperations }) as [string, Operation][]).filter(
    ([, { auth }]) => auth === 'user',
  );
  const scopesOfUsers = ofUsers.flatMap(([name, operation]) =>
    (scopesOf(operation).length > 0 ? scopesOf(operation) : [undefined]).map((scope) => ({ name, operation, scope })),
  );
  it.each(scopesOfUsers)('with every scope but $scope does not open $name', async ({ operation, scope }) => {
    const token = await apiToken(
      tokenScope.options.filter((other) => other !== scope && other !== operation.narrowScope),
    );
    const { method, path } = operation;
    const answer = await test.call(method, path.replace(/\{\w+\}/g, randomUUID()), { token });
    expect([answer.status, answer.body]).toMatchObject([
      403,
      { code: 'SCOPE_MISSING', params: { SCOPE_MISSING: { scope: scope ?? 'none' } } },
    ]);
  });

  it.each<[TokenScope, string[]]>([
    ['cache:clear', ['cancelTask', 'clearCache', 'getCacheClear', 'listCacheClears', 'listTasks', 'runTask']],
    ['cache:prefetch', ['cancelPrefetch', 'getPrefetch', 'listPrefetches', 'startPrefetch']],
  ])('with %s alone opens these calls of all: %j', async (scope, opened) => {
    const token = await apiToken([scope]);
    const answers = await Promise.all(
      ofUsers.map(async ([name, { method, path }]) => {
        const { body } = await test.call(method, path.replace(/\{\w+\}/g, randomUUID()), { token });
        return body.code === 'SCOPE_MISSING' ? [] : [name];
      }),
    );
    expect(answers.flat().sort()).toEqual(opened);
  });

  const samples = ['replayRequests', 'replayDraft', 'getOriginHealth'] as const;
  it.each(samples)('needs the scope of traffic for %s, which tells of requests of visitors', (name) => {
    expect(scopesOf(operations[name])).toEqual(['domains:read', 'traffic:read']);
  });

  it.each(TRAFFIC_SORTS)('needs it for the list by %s, too', async (sort) => {
    const by = async (scopes: TokenScope[], order: string) =>
      test.call('GET', `domain/routes/?sort=${order}`, { token: await apiToken(scopes) });
    const refused = await by(['domains:read'], sort);
    expect(refused.status).toBe(403);
    expect(refused.body).toMatchObject({
      code: 'SCOPE_MISSING',
      params: { SCOPE_MISSING: { scope: 'traffic:read' } },
    });
    expect((await by(['domains:read', 'traffic:read'], sort)).body.code).not.toBe('SCOPE_MISSING');
    expect((await by(['domains:read'], '-created_at')).status).toBe(200);
  });

  it('ends with its time and when it is revoked, and is kept hashed only', async () => {
    expect((await list(await apiToken(['domains:read'], new Date(Date.now() - 1000)))).status).toBe(401);
    const token = await apiToken(['domains:read']);
    expect((await list(token)).status).toBe(200);
    await test.api.platform.db
      .updateTable('api_tokens')
      .set({ revoked_at: new Date() })
      .where('token_hash', '=', sha256(token))
      .execute();
    await eventually(async () => (await list(token)).status === 401, 2_000);
    const { rows } = await test.api.platform.pool.query('SELECT t::text FROM api_tokens t');
    expect(JSON.stringify(rows)).not.toContain(token.slice(4));
  });
});

describe('what is logged', () => {
  it('holds no token, even when a call fails', async () => {
    const token = await apiToken(['domains:read']);
    await list(token);
    await list(customer.token);
    await test.call('GET', `domain/routes/?q=${token}`, { token });
    await test.call('POST', 'domain/routes/', { token: customer.token, body: { password: 'hunter2-hunter2' } });
    const lines = test.logLines.join('\n');
    expect(lines).toContain('domain/routes/');
    for (const secret of [token, customer.token, 'hunter2']) expect(lines).not.toContain(secret);
  });

  it('holds what went wrong under the id that the caller got', async () => {
    const original = test.api.platform.pool.query;
    test.api.platform.pool.query = (() => Promise.reject(new Error('kaputt: password=hunter2'))) as never;
    const response = await list(customer.token);
    test.api.platform.pool.query = original;
    expect(response.status).toBe(500);
    expect(response.body).toMatchObject({
      success: false,
      code: 'INTERNAL',
      request_id: response.headers.get('x-request-id'),
    });
    expect(response.text).not.toContain('kaputt');
    expect(test.logLines.find((line) => line.includes(response.body.request_id))).toContain('kaputt');
  });
});

describe('headers', () => {
  it('forbid what the console does not need', async () => {
    const response = await fetch(`${test.url}/api/v1/brand/`);
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).not.toContain("script-src 'self' 'unsafe");
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
  });
});
