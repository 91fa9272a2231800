import { randomUUID } from 'node:crypto';
import { API_BASE, type ApiToken, TOKENS_MAX, type TokenScope, taskKind, tokenScope } from '@cordon/contract';
import { describe, expect, it } from 'vitest';
import { createApi } from '../../app.ts';
import { newCredential, sha256, TOKEN_PREFIX } from '../../platform/secrets.ts';
import { startEdgeApi } from '../../testing/edge-api.ts';
import { type Customer, createCustomer, createDomain, eventually } from '../../testing/fixtures.ts';
import { createTokenService } from './token-service.ts';

const { test, node } = await startEdgeApi();
const customer = await createCustomer(test, { plan: 'vip-enterprise' });

type Made = ApiToken & { secret: string };
const make = async (of: Customer, scopes: readonly TokenScope[], days = 90): Promise<Made> =>
  (await of.client.createToken({ body: { name: randomUUID(), scopes: [...scopes], days } })).result;
/** As a script calls: without a realm. */
const callWith = async (secret: string, method: string, path: string, body?: unknown, url = test.url) => {
  const response = await fetch(`${url}${API_BASE}${path}`, {
    method,
    headers: { authorization: `Bearer ${secret}`, ...(body ? { 'content-type': 'application/json' } : {}) },
    body: body ? JSON.stringify(body) : undefined,
  });
  return { status: response.status, body: (await response.json()) as { code?: string } };
};
const listed = async (of: Customer) => (await of.client.listTokens({})).results;
const create = (body: unknown, token = customer.token, headers: Record<string, string> = {}) =>
  test.call('POST', 'user/tokens/', { token, body, headers });
const wholeDatabase = async () => {
  const { rows } = await test.api.platform.pool.query<{ t: string }>(
    `SELECT t::text FROM api_tokens t UNION ALL SELECT a::text FROM audit_log a UNION ALL SELECT i::text FROM idempotency_keys i`,
  );
  return rows.map(({ t }) => t).join('\n');
};

describe('a personal API token', () => {
  it('opens its scopes, and its secret is in the answer that made it alone', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const body = { name: 'Deploys', scopes: ['domains:read'], days: 30 };
    const { status, body: made } = await create(body, customer.token, headers);
    expect(status).toBe(201);
    const { secret, ...token } = made.result as Made;
    expect(secret).toMatch(/^cdn_[\w-]{43}$/);
    expect(token).toMatchObject({
      name: 'Deploys',
      hint: `cdn_…${secret.slice(-4)}`,
      scopes: ['domains:read'],
      last_used_at: null,
      last_used_from: null,
    });
    expect(Date.parse(token.expires_at) - Date.now()).toBeCloseTo(30 * 86_400_000, -5);
    expect((await callWith(secret, 'GET', 'domain/routes/')).status).toBe(200);
    expect((await callWith(secret, 'POST', 'domain/groups/', { name: 'x' })).body).toMatchObject({
      code: 'SCOPE_MISSING',
    });

    const list = await test.call('GET', 'user/tokens/', { token: customer.token });
    expect(list.body.results[0]).toMatchObject({ id: token.id, name: 'Deploys' });
    const lines = JSON.stringify((await customer.client.listAuditLines({})).results);
    expect(lines).toContain('token.create');
    // Asked again with its key, the answer is the same; it is kept sealed.
    expect((await create(body, customer.token, headers)).body.result.secret).toBe(secret);
    for (const text of [list.text, lines, await wholeDatabase(), test.logLines.join('\n')]) {
      expect(text.length).toBeGreaterThan(0);
      expect(text).not.toContain(secret.slice(4, -4));
    }
  });

  it('ends after 90 days unless it is said, within a day and a year', async () => {
    const daysOf = async (days?: number) => {
      const { result } = (await create({ name: randomUUID(), scopes: ['audit:read'], days })).body;
      return Math.round((Date.parse(result.expires_at) - Date.now()) / 86_400_000);
    };
    expect([await daysOf(), await daysOf(1), await daysOf(365)]).toEqual([90, 1, 365]);
  });

  it.each([
    ['no name', { name: ' ' }, { name: 'REQUIRED' }],
    ['no scope', { scopes: [] }, { scopes: 'TOO_FEW' }],
    ['a scope that there is not', { scopes: ['everything'] }, { 'scopes.0': 'NOT_ALLOWED' }],
    ['no time', { days: 0 }, { days: 'TOO_SMALL' }],
    ['more than a year', { days: 366 }, { days: 'TOO_LARGE' }],
    ['part of a day', { days: 1.5 }, { days: 'NOT_INTEGER' }],
  ])('with %s is refused at the field, and is not made', async (_what, wrong, refused) => {
    const before = await listed(customer);
    const answer = await create({ name: randomUUID(), scopes: ['audit:read'], ...wrong });
    expect([answer.status, answer.body]).toMatchObject([422, refused]);
    expect(await listed(customer)).toEqual(before);
  });

  it('has a name that no other of its user has, in any case', async () => {
    const name = randomUUID();
    expect((await create({ name, scopes: ['audit:read'] })).status).toBe(201);
    const same = await create({ name: name.toUpperCase(), scopes: ['audit:read'] });
    expect([same.status, same.body]).toMatchObject([422, { name: 'TOKEN_NAME_TAKEN' }]);
    const other = await make(customer, ['audit:read']);
    const params = { id: other.id };
    await expect(customer.client.renameToken({ params, body: { name } })).rejects.toMatchObject({ status: 422 });
    const { result } = await customer.client.renameToken({ params, body: { name: `${name} 2` } });
    expect(result).toMatchObject({ id: other.id, name: `${name} 2`, hint: other.hint });
  });

  it('is made, listed, renamed and revoked by people only', async () => {
    const { id, secret } = await make(customer, tokenScope.options);
    const calls = [
      await callWith(secret, 'GET', 'user/tokens/'),
      await callWith(secret, 'POST', 'user/tokens/', { name: 'more', scopes: ['audit:read'] }),
      await callWith(secret, 'PATCH', `user/tokens/${id}/`, { name: 'more' }),
      await callWith(secret, 'DELETE', `user/tokens/${id}/`),
    ];
    expect(calls.map(({ status, body }) => [status, body.code])).toEqual(Array(4).fill([403, 'SCOPE_MISSING']));
    expect((await callWith(secret, 'GET', 'domain/routes/')).status).toBe(200);
  });

  it('is revoked at once, also for a process that has just let it in', async () => {
    const { id, secret } = await make(customer, ['domains:read']);
    const { env, log } = test.api.platform;
    const other = await createApi({ env: { ...env, port: 0 }, log, resolver: test.dns, withQueue: false });
    const urls = [test.url, await other.start()];
    try {
      const statuses = () =>
        Promise.all(urls.map(async (url) => (await callWith(secret, 'GET', 'domain/routes/', undefined, url)).status));
      expect(await statuses()).toEqual([200, 200]);
      await customer.client.revokeToken({ params: { id } });
      // Principals are kept for 5 s: this is sooner than that.
      await eventually(async () => (await statuses()).every((status) => status === 401), 1_000);
      expect((await listed(customer)).some((token) => token.id === id)).toBe(false);
      await expect(customer.client.revokeToken({ params: { id } })).rejects.toMatchObject({ status: 404 });
    } finally {
      await other.stop();
    }
  });

  it('never opens more than its user may, and nothing once the user is disabled', async () => {
    const other = await createCustomer(test);
    const { secret } = await make(other, ['domains:read']);
    const look = () => callWith(secret, 'GET', 'domain/routes/');
    expect((await look()).status).toBe(200);
    const { db } = test.api.platform;
    await db
      .updateTable('users')
      .set({ roles: ['view-attack'] })
      .where('id', '=', other.userId)
      .execute();
    await eventually(async () => (await look()).body.code === 'ROLE_MISSING', 2_000);
    await db.updateTable('users').set({ disabled_at: new Date() }).where('id', '=', other.userId).execute();
    await eventually(async () => (await look()).status === 401, 2_000);
  });

  it('is its user’s own, within the account, too', async () => {
    const { id } = await make(customer, ['domains:read']);
    const { rows } = await test.api.platform.pool.query<{ id: string }>(
      `INSERT INTO users (id, account_id, subject, email, roles)
       SELECT mate, $1, mate::text, mate || '@customer.test', '{user}' FROM gen_random_uuid() mate RETURNING id`,
      [customer.accountId],
    );
    const mate = test.clientFor(await test.tokenFor(rows[0]?.id ?? ''));
    expect((await mate.listTokens({})).results).toEqual([]);
    const params = { id };
    await expect(mate.renameToken({ params, body: { name: 'mine' } })).rejects.toMatchObject({ status: 404 });
    await expect(mate.revokeToken({ params })).rejects.toMatchObject({ status: 404 });
    expect((await listed(customer)).find((token) => token.id === id)?.name).not.toBe('mine');
  });

  it('is one of 50 at most, however many are made at once', async () => {
    const other = await createCustomer(test);
    await test.api.platform.pool.query(
      `INSERT INTO api_tokens (account_id, user_id, name, token_hash, last_four, scopes, expires_at)
       SELECT $1, $2, 'token ' || n, sha256(('many' || n)::bytea), 'abcd', '{audit:read}', now() + interval '1 day'
       FROM generate_series(1, $3::int) n`,
      [other.accountId, other.userId, TOKENS_MAX - 1],
    );
    const answers = await Promise.all(
      ['a', 'b', 'c'].map((name) => create({ name, scopes: ['audit:read'] }, other.token)),
    );
    expect(answers.map(({ status, body }) => body.code ?? status).sort()).toEqual([201, 'TOKENS_FULL', 'TOKENS_FULL']);
    expect(await listed(other)).toHaveLength(TOKENS_MAX);
  });

  it('shows when and from where it was used last, written once a minute', async () => {
    const { id, secret } = await make(customer, ['domains:read']);
    const use = async () => (await listed(customer)).find((token) => token.id === id);
    // Refused or not: somebody has it.
    await callWith(secret, 'POST', 'domain/groups/', { name: 'x' });
    const used = await eventually(async () => {
      const token = await use();
      return token?.last_used_at ? token : undefined;
    });
    expect(used.last_used_from).toBe('127.0.0.1');
    const { rows: before } = await test.api.platform.pool.query('SELECT xmin::text FROM api_tokens WHERE id = $1', [
      id,
    ]);
    for (let calls = 0; calls < 5; calls++) await callWith(secret, 'GET', 'domain/routes/');
    // Another process, which has not noted it yet, does not write it either.
    const { env, log } = test.api.platform;
    const other = await createApi({ env: { ...env, port: 0 }, log, resolver: test.dns, withQueue: false });
    try {
      expect((await callWith(secret, 'GET', 'domain/routes/', undefined, await other.start())).status).toBe(200);
    } finally {
      // Ends once its statements have.
      await other.stop();
    }
    const { rows: after } = await test.api.platform.pool.query('SELECT xmin::text FROM api_tokens WHERE id = $1', [id]);
    expect(after).toEqual(before);
  });

  it('is listed for 30 days after its end, then forgotten', async () => {
    const other = await createCustomer(test);
    const ended = async (days: number) => {
      const secret = newCredential(TOKEN_PREFIX);
      await test.api.platform.db
        .insertInto('api_tokens')
        .values({
          account_id: other.accountId,
          user_id: other.userId,
          name: `${days}`,
          token_hash: sha256(secret),
          last_four: secret.slice(-4),
          scopes: ['domains:read'],
          expires_at: new Date(Date.now() - days * 86_400_000),
          issued_by: 'user',
        })
        .execute();
      return secret;
    };
    const secrets = [await ended(29), await ended(31)];
    for (const secret of secrets) expect((await callWith(secret, 'GET', 'domain/routes/')).status).toBe(401);
    expect(await listed(other)).toHaveLength(2);
    await createTokenService(test.api.platform.db).forgetEnded();
    expect((await listed(other)).map(({ name }) => name)).toEqual(['29']);
  });
});

/** A domain with a cache, live on the node. */
async function deployed(): Promise<string> {
  const { id } = await createDomain(customer);
  const params = { id };
  const plugins = [{ name: 'advance-proxy-cache', enabled: true, config: {} }];
  await customer.client.updateRoute({ params, ifMatch: 1, body: { plugins } });
  await customer.client.deployRoute({ params, ifMatch: 2, body: {} });
  await eventually(async () => (await customer.client.getRoute({ params })).result.operation?.state !== 'running');
  await node.heartbeat();
  return id;
}

describe('the scope cache:clear', () => {
  it('clears the cache of a domain, now or later, and opens nothing else', async () => {
    const id = await deployed();
    const { secret } = await make(customer, ['cache:clear']);
    const path = `domain/routes/${id}/clear-cache/`;
    const cleared = await callWith(secret, 'POST', path, { kind: 'urls', values: ['/a'] });
    expect(cleared.status).toBe(200);
    const { clear } = cleared.body as { clear: { id: string } };
    const at = new Date(Date.now() + 3_600_000).toISOString();
    const opened = [
      await callWith(secret, 'GET', path),
      await callWith(secret, 'GET', `${path}${clear.id}/`),
      await callWith(secret, 'POST', 'domain/run/tasks/', { kind: 'clear cache', route_ids: [id], at }),
    ];
    expect(opened.map(({ status }) => status)).toEqual([200, 200, 202]);
    // What it has scheduled it also sees and cancels.
    const tasks = () => callWith(secret, 'GET', `domain/run/tasks/?route_id=${id}`);
    const { body } = await tasks();
    expect(body).toMatchObject({ results: [{ at }] });
    const [task] = (body as unknown as { results: { id: string }[] }).results;
    expect((await callWith(secret, 'DELETE', `domain/run/tasks/${task?.id}/`)).status).toBe(200);
    expect((await tasks()).body).toMatchObject({ results: [] });
    const closed = [
      await callWith(secret, 'GET', 'domain/routes/'),
      await callWith(secret, 'GET', `domain/routes/${id}/`),
      await callWith(secret, 'DELETE', `domain/routes/${id}/`, { cname: customer.cname }),
      await callWith(secret, 'POST', 'domain/routes/bulk/', { action: 'clear_cache', selection: { filter: {} } }),
      await callWith(secret, 'GET', `domain/routes/${id}/cache/overview/`),
      await callWith(secret, 'POST', `domain/routes/${id}/prefetch/`, { urls: ['/a'] }),
      await callWith(secret, 'GET', `domain/routes/${id}/prefetch/`),
    ];
    expect(closed.map(({ body }) => body.code)).toEqual(Array(7).fill('SCOPE_MISSING'));
    // Another kind must not come by this scope unseen.
    expect(taskKind.options).toEqual(['clear cache']);
  });

  it('finds out nothing of domains by filters of tasks, which it may not list', async () => {
    const id = await deployed();
    const { domain_name: name } = (await customer.client.getRoute({ params: { id } })).result;
    const at = new Date(Date.now() + 3_600_000).toISOString();
    const run = async (scopes: TokenScope[], selection: object) => {
      const { secret } = await make(customer, scopes);
      const { status, body } = await callWith(secret, 'POST', 'domain/run/tasks/', {
        ...{ kind: 'clear cache', at, selection },
      });
      return status === 202 ? status : body;
    };
    const filter = { q: name };
    const missing = { SCOPE_MISSING: { scope: 'domains:read' } };
    const refused = expect.objectContaining({ code: 'SCOPE_MISSING', params: missing });
    expect(await run(['cache:clear'], { filter })).toEqual(refused);
    expect(await run(['cache:clear'], { filter: { health: 'attention' } })).toEqual(refused);
    expect(await run(['cache:clear', 'domains:read'], { filter })).toBe(202);
    expect(await run(['domains:write'], { filter })).toBe(202);
    expect(await run(['cache:clear'], { filter: {} })).toBe(202);
    expect(await run(['cache:clear'], { names: [name] })).toBe(202);
  });

  it('is not needed beside domains:write, which clears as before', async () => {
    const { id } = await createDomain(customer);
    const { secret } = await make(customer, ['domains:write']);
    const answer = await callWith(secret, 'POST', `domain/routes/${id}/clear-cache/`, { kind: 'all' });
    expect(answer.body.code).toBe('DOMAIN_NOT_DEPLOYED');
  });
});

describe('the scope cache:prefetch', () => {
  it('starts, sees and cancels prefetches of a domain, and opens nothing else', async () => {
    const id = await deployed();
    const { secret } = await make(customer, ['cache:prefetch']);
    const path = `domain/routes/${id}/prefetch/`;
    const started = await callWith(secret, 'POST', path, { urls: ['/a'] });
    expect(started.status).toBe(202);
    const { result } = started.body as { result: { id: string } };
    const opened = [
      await callWith(secret, 'GET', path),
      await callWith(secret, 'GET', `${path}${result.id}/`),
      await callWith(secret, 'DELETE', `${path}${result.id}/`),
    ];
    expect(opened.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(opened[2]?.body).toMatchObject({ result: { state: 'cancelled' } });
    const closed = [
      await callWith(secret, 'GET', 'domain/routes/'),
      await callWith(secret, 'GET', `domain/routes/${id}/`),
      // It would go on after the token's end.
      await callWith(secret, 'PUT', `domain/routes/${id}/prefetch-list/`, { urls: ['/a'], after_deploy: true }),
      await callWith(secret, 'GET', `domain/routes/${id}/prefetch-list/`),
      await callWith(secret, 'POST', `domain/routes/${id}/clear-cache/`, { kind: 'all' }),
      await callWith(secret, 'GET', `domain/routes/${id}/clear-cache/`),
      await callWith(secret, 'POST', `domain/routes/${id}/cache/try/fetch/`, { url: '/a' }),
      await callWith(secret, 'POST', 'domain/run/tasks/', { kind: 'clear cache', route_ids: [id] }),
      await callWith(secret, 'GET', 'domain/run/tasks/'),
    ];
    expect(closed.map(({ body }) => body.code)).toEqual(Array(9).fill('SCOPE_MISSING'));
  });

  it('is not needed beside domains:write, which prefetches as before', async () => {
    const id = await deployed();
    const { secret } = await make(customer, ['domains:write']);
    expect((await callWith(secret, 'POST', `domain/routes/${id}/prefetch/`, { urls: ['/a'] })).status).toBe(202);
  });
});
