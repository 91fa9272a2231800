import { describe, expect, it } from 'vitest';
import { newCredential, sha256, TOKEN_PREFIX } from '../../platform/secrets.ts';
import { startEdgeApi } from '../../testing/edge-api.ts';
import { createCustomer, createDomain, eventually, upstreamsTo } from '../../testing/fixtures.ts';

const { test, node } = await startEdgeApi();
const customer = await createCustomer(test, { plan: 'vip' });

const get = async (id: string) => (await customer.client.getRoute({ params: { id } })).result;
const settled = (id: string) =>
  eventually(async () => {
    const route = await get(id);
    return route.operation?.state === 'running' ? undefined : route;
  });
const restriction = (deny: string[]) => ({
  name: 'ip-restriction',
  enabled: true,
  config: { allow: [], deny, whitelistMode: false, blacklistMode: true, allow_spiders: true },
});

/** Version 1 with one target, version 2 with another and a plugin. */
async function twoVersions() {
  const { id } = await createDomain(customer);
  await customer.client.deployRoute({ params: { id }, ifMatch: 1, body: { note: 'first' } });
  await customer.client.updateRoute({
    params: { id },
    ifMatch: 1,
    body: { upstreams: upstreamsTo('9.9.9.9'), plugins: [restriction(['1.1.1.1'])], deploy: true, note: 'second' },
  });
  return settled(id);
}
const call = (method: string, path: string, body?: unknown, revision?: number) =>
  test.call(method, path, {
    token: customer.token,
    headers: revision === undefined ? {} : { 'if-match': `"${revision}"` },
    body,
  });

describe('the history of a domain', () => {
  it('says who deployed what, when and why, and whether it was a person, a token or an operator', async () => {
    const route = await twoVersions();
    const { db } = test.api.platform;
    const issue = async (name: string, userId: string | null, issuedBy: 'user' | 'operator') => {
      const token = newCredential(TOKEN_PREFIX);
      await db
        .insertInto('api_tokens')
        .values({
          account_id: customer.accountId,
          user_id: userId,
          name,
          token_hash: sha256(token),
          last_four: token.slice(-4),
          scopes: ['domains:read', 'domains:write'],
          expires_at: new Date(Date.now() + 600_000),
          issued_by: issuedBy,
        })
        .execute();
      return test.clientFor(token);
    };
    const robot = await issue('deploy robot', customer.userId, 'user');
    const staff = await issue('support', null, 'operator');
    for (const client of [robot, staff]) {
      await client.deployRoute({ params: { id: route.id }, ifMatch: 2, body: {} });
      await settled(route.id);
    }
    const { results } = await customer.client.listVersions({ params: { id: route.id } });
    expect(
      results.map(({ version, created_by, created_by_kind, note }) => [version, created_by, created_by_kind, note]),
    ).toEqual([
      [4, 'operator (support)', 'operator', ''],
      [3, 'deploy robot', 'token', ''],
      [2, customer.email, 'user', 'second'],
      [1, customer.email, 'user', 'first'],
    ]);
    expect((await get(route.id)).live_version).toEqual({ ...results[0], live: true });
  });

  it('counts what people changed: all of one plugin is one', async () => {
    const { id, draft_revision } = await twoVersions();
    const body = { plugins: [{ ...restriction(['2.2.2.2']), enabled: false }] };
    const { result } = await customer.client.updateRoute({ params: { id }, ifMatch: draft_revision, body });
    expect(result.pending_changes).toBe(1);
  });

  it('says which settings each version changed of the one before it, a rollback and an equal one too', async () => {
    const { id } = await twoVersions();
    const { result } = await customer.client.updateRoute({
      params: { id },
      ifMatch: 2,
      body: { plugins: [restriction(['2.2.2.2'])] },
    });
    await customer.client.deployRoute({ params: { id }, ifMatch: 3, body: {} });
    await settled(id);
    await customer.client.deployRoute({ params: { id }, ifMatch: 3, body: { note: 'once more' } });
    await settled(id);
    await customer.client.rollBack({ params: { id, version: 1 }, ifMatch: 3, body: { deploy: true } });
    const { results } = await customer.client.listVersions({ params: { id } });
    const told = results.map(({ version, changes, changed }) => [version, changes, changed]);
    const both = [2, ['targets', 'plugins.ip-restriction']];
    expect([result.pending_changes, ...told]).toEqual([
      1,
      [5, ...both],
      [4, 0, []],
      [3, 1, ['plugins.ip-restriction']],
      [2, ...both],
      [1, null, null],
    ]);
  });

  it('has no call that changes a note', async () => {
    const { id } = await twoVersions();
    for (const method of ['PATCH', 'PUT', 'DELETE'])
      expect((await call(method, `domain/routes/${id}/versions/1/`, { note: 'other' })).status).toBeGreaterThanOrEqual(
        404,
      );
    expect((await customer.client.getVersion({ params: { id, version: 1 } })).result.note).toBe('first');
  });
});

describe('bringing a version back', () => {
  it('makes the draft exactly what the version was, and deploys it as a new version that says so', async () => {
    const { id } = await twoVersions();
    const { result } = await customer.client.rollBack({
      params: { id, version: 1 },
      ifMatch: 2,
      body: { deploy: true, note: 'it was slower' },
    });
    expect(result).toMatchObject({ version_live: 3, pending_changes: 0, draft: { plugins: [] } });
    expect(result.draft).toEqual((await customer.client.getVersion({ params: { id, version: 1 } })).result.config);
    expect(result.live_version).toMatchObject({ version: 3, rolled_back_to: 1, note: 'it was slower' });
    await settled(id);
    expect(node.routes.get(id)).toMatchObject({ version: 3, upstream: { targets: [{ host: '8.8.4.4' }] } });
    const { rows } = await test.api.platform.pool.query(
      "SELECT details FROM audit_log WHERE subject = $1 AND action = 'route.deploy' ORDER BY id DESC LIMIT 1",
      [`route ${id}`],
    );
    expect(rows[0].details).toMatchObject({ version: 3, rolled_back_to: 1, note: 'it was slower' });
  });

  it('as a draft changes nothing for visitors', async () => {
    const { id } = await twoVersions();
    const { result } = await customer.client.rollBack({ params: { id, version: 1 }, ifMatch: 2, body: {} });
    expect(result).toMatchObject({ version_live: 2, draft_revision: 3, pending_changes: 2, draft: { plugins: [] } });
    expect(result.live?.plugins).toHaveLength(1);
  });

  it('is refused on a stale revision, with what the other changed', async () => {
    const { id } = await twoVersions();
    await customer.client.updateRoute({ params: { id }, ifMatch: 2, body: { upstreams: upstreamsTo('9.9.9.10') } });
    const response = await call('POST', `domain/routes/${id}/versions/1/rollback/`, { deploy: true }, 2);
    expect(response.status).toBe(409);
    expect(response.body).toMatchObject({
      code: 'STALE_REVISION',
      params: { STALE_REVISION: { revision: 3, changed: 'upstreams.targets', changed_by: customer.email } },
    });
  });

  it('is checked once more: what the plan of today does not have stays out, and nothing is changed', async () => {
    const { id } = await createDomain(customer);
    const names = {
      protocol: 'http' as const,
      targets: [{ host: 'origin.example.net', port: null, weight: 1, backup: false }],
    };
    await customer.client.updateRoute({ params: { id }, ifMatch: 1, body: { upstreams: names, deploy: true } });
    await customer.client.updateRoute({ params: { id }, ifMatch: 2, body: { upstreams: upstreamsTo(), deploy: true } });
    await settled(id);
    const { pool } = test.api.platform;
    await pool.query("UPDATE subscriptions SET plan = 'free' WHERE id = $1", [customer.subscriptionId]);
    try {
      const { result } = await customer.client.checkRollback({ params: { id, version: 1 } });
      const problem = { path: 'upstreams.targets.0.host', code: 'DOMAIN_UPSTREAM_NEEDS_VIP', params: {} };
      expect(result).toEqual({ gone: [], problems: [problem] });
      const response = await call('POST', `domain/routes/${id}/versions/1/rollback/`, { deploy: true }, 3);
      expect(response.status).toBe(422);
      expect(response.body['upstreams.targets.0.host']).toBe('DOMAIN_UPSTREAM_NEEDS_VIP');
      expect(await get(id)).toMatchObject({ version_live: 2, draft_revision: 3 });
    } finally {
      await pool.query("UPDATE subscriptions SET plan = 'vip' WHERE id = $1", [customer.subscriptionId]);
    }
    expect((await customer.client.checkRollback({ params: { id, version: 1 } })).result).toEqual({
      gone: [],
      problems: [],
    });
  });

  it('says first which shadow domain and which certificate are gone, and goes on only for who knows', async () => {
    const { id } = await twoVersions();
    const { pool } = test.api.platform;
    const certificate = '0190f3a0-0000-7000-8000-00000000c001';
    const shadow = (name: string) =>
      pool.query(
        "INSERT INTO names (name, account_id, route_id, subscription_id, kind) VALUES ($1, $2, $3, $4, 'shadow')",
        [name, customer.accountId, id, customer.subscriptionId],
      );
    await shadow(`kept-${id}.example`);
    await shadow(`gone-${id}.example`);
    await pool.query('UPDATE routes SET certificate_id = $2 WHERE id = $1', [id, certificate]);
    await customer.client.deployRoute({ params: { id }, ifMatch: 2, body: {} });
    await settled(id);
    const { result: third } = await customer.client.getVersion({ params: { id, version: 3 } });
    expect(third).toMatchObject({ gone_names: [], certificate_id: certificate });
    await pool.query('DELETE FROM names WHERE name = $1', [`gone-${id}.example`]);
    await pool.query('UPDATE routes SET certificate_id = NULL WHERE id = $1', [id]);

    const { result } = await customer.client.checkRollback({ params: { id, version: 3 } });
    expect(result.gone).toEqual([
      { kind: 'shadow_domain', name: `gone-${id}.example` },
      { kind: 'certificate', name: certificate },
    ]);
    const refused = await call('POST', `domain/routes/${id}/versions/3/rollback/`, { deploy: true }, 2);
    expect(refused.status).toBe(409);
    expect(refused.body).toMatchObject({ code: 'VERSION_PARTS_GONE' });
    expect((await get(id)).version_live).toBe(3);
    const accepted = await call(
      'POST',
      `domain/routes/${id}/versions/3/rollback/`,
      { deploy: true, accept_gone: true },
      2,
    );
    expect(accepted.status).toBe(200);
    expect(accepted.body.result.version_live).toBe(4);
    expect(accepted.body.result.shadow_domains).toEqual([`kept-${id}.example`]);
  });

  it('of a version that does not exist, or of another account, is not found', async () => {
    const { id } = await twoVersions();
    const otherCustomer = await createCustomer(test, { plan: 'vip' });
    for (const [token, version] of [
      [customer.token, 99],
      [otherCustomer.token, 1],
    ] as const) {
      const headers = { 'if-match': '"2"' };
      const path = `domain/routes/${id}/versions/${version}/rollback/`;
      expect((await test.call('GET', path, { token })).status).toBe(404);
      expect((await test.call('POST', path, { token, headers, body: {} })).status).toBe(404);
    }
  });
});
