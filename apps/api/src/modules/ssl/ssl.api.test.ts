import { describe, expect, it } from 'vitest';
import { startEdgeApi } from '../../testing/edge-api.ts';
import {
  type Customer,
  createCustomer,
  createDomain,
  eventually,
  uniqueName,
  upstreamsTo,
} from '../../testing/fixtures.ts';

const { test, node } = await startEdgeApi();
const customer = await createCustomer(test, { plan: 'vip' });

const run = (text: string, ...values: unknown[]) => test.api.platform.pool.query(text, values);
const YEAR = { max_age_seconds: 31_536_000, include_subdomains: true, preload: true };
const DAY = { max_age_seconds: 86_400, include_subdomains: false, preload: false };
const FORGET = { ...DAY, max_age_seconds: 0 };

const settled = (id: string, { client }: Customer = customer) =>
  eventually(async () => {
    const { result } = await client.getRoute({ params: { id } });
    return [result.operation, result.immediate_operation].every((one) => one?.state !== 'running') ? result : undefined;
  });
async function deployed(of: Customer = customer, name?: string): Promise<string> {
  const { id } = await createDomain(of, name);
  await of.client.deployRoute({ params: { id }, ifMatch: 1, body: {} });
  await settled(id, of);
  return id;
}
/** One that was registered itself. */
const registered = () => `${uniqueName().split('.')[0]}.example`;
const certify = (id: string) => run('UPDATE routes SET certificate_id = gen_random_uuid() WHERE id = $1', id);
async function certified(of: Customer = customer, name?: string): Promise<string> {
  const id = await deployed(of, name);
  await certify(id);
  return id;
}
const patch = (id: string, body: object, { token }: Customer = customer) =>
  test.call('PATCH', `domain/routes/${id}/ssl-config/`, { token, body });
/** Fields that were refused, by code; empty where it was done. */
async function refused(id: string, body: object): Promise<Record<string, unknown>> {
  const answer = await patch(id, body);
  if (answer.status === 202) return {};
  const { success, message, params: _params, request_id, ...fields } = answer.body as Record<string, unknown>;
  expect([answer.status, success, typeof message, typeof request_id]).toEqual([422, false, 'string', 'string']);
  return fields;
}
const config = async (id: string, { client }: Customer = customer) =>
  (await client.getSslConfig({ params: { id } })).result;
const atNode = (id: string) => node.routes.get(id)?.https;
const linesOf = async (id: string) =>
  (
    await run(
      `SELECT actor, changes FROM audit_log WHERE subject = $1 AND action = 'route.ssl_update' ORDER BY id`,
      `route ${id}`,
    )
  ).rows;

describe('force HTTPS', () => {
  it('needs a certificate', async () => {
    const id = await deployed();
    expect(await config(id)).toMatchObject({ has_certificate: false, force_https: false, hsts: null, change: null });
    expect(await refused(id, { force_https: true })).toEqual({ force_https: 'CERTIFICATE_REQUIRED' });
    expect(await refused(id, { force_https: true, hsts: DAY })).toEqual({ force_https: 'CERTIFICATE_REQUIRED' });
    expect([await config(id), await linesOf(id), atNode(id)]).toMatchObject([{ force_https: false }, [], undefined]);
    await certify(id);
    expect(await refused(id, { force_https: true })).toEqual({});
    // One that is gone keeps nobody from switching it off.
    await run('UPDATE routes SET certificate_id = NULL WHERE id = $1', id);
    expect(await refused(id, { force_https: false })).toEqual({});
  });

  it.each([
    ['a good one of its name', true, {}],
    ['one that expires soon', true, { finding: 'expires_soon' }],
    ['one that browsers do not trust', false, { finding: 'not_trusted' }],
    ['one that is over since', false, { days: -1 }],
    ['one of another name', false, { name: 'other.example.com' }],
    ['none', false, { days: null }],
  ])('takes %s that visitors were shown for a certificate: %s', async (_what, isTaken, seen) => {
    const id = await deployed();
    const { days = 30, name = null, finding } = seen as { days?: number | null; name?: string; finding?: string };
    const findings = finding
      ? [{ check: 'certificate', state: 'warning', finding, params: {}, advice: null, since: null }]
      : [];
    await run(
      `INSERT INTO route_looks (route_id, account_id, looked_at, version, domain_name, ownership_state, findings, certificate_expires_at)
        SELECT id, account_id, now(), 1, coalesce($2, domain_name), ownership_state, $3, now() + make_interval(days => $4) FROM routes WHERE id = $1
        ON CONFLICT (route_id) DO UPDATE SET domain_name = excluded.domain_name, ownership_state = excluded.ownership_state,
          findings = excluded.findings, certificate_expires_at = excluded.certificate_expires_at, certificate_id = NULL, due_at = NULL`,
      ...[id, name, JSON.stringify(findings), days],
    );
    expect((await config(id)).has_certificate).toBe(isTaken);
    expect(await refused(id, { force_https: true })).toEqual(isTaken ? {} : { force_https: 'CERTIFICATE_REQUIRED' });
  });

  it.each(['vip', 'free'] as const)('is live at once on a %s plan, without a version, with a receipt', async (plan) => {
    const owner = await createCustomer(test, { plan });
    const id = await certified(owner);
    const { result } = await owner.client.updateSslConfig({ params: { id }, body: { force_https: true } });
    expect(result).toMatchObject({ force_https: true, has_certificate: true, hsts: null });
    expect(result.change?.state).toMatch(/running|successful/);
    expect(await settled(id, owner)).toMatchObject({
      version_live: 1,
      pending_changes: 0,
      ssl_config: { force_https: true },
      immediate_operation: { action: 'enable_force_https', state: 'successful' },
    });
    expect(atNode(id)).toEqual({ force: true });
    const { change } = await config(id, owner);
    expect(change).toMatchObject({ state: 'successful', nodes: [{ state: 'live', version: 1, probe_status: 200 }] });
    expect(change?.nodes[0]?.live_ms).toBeGreaterThan(0);
    await owner.client.updateSslConfig({ params: { id }, body: { force_https: false } });
    expect((await settled(id, owner)).immediate_operation).toMatchObject({ action: 'disable_force_https' });
    expect(atNode(id)).toBeUndefined();
    expect(await linesOf(id)).toEqual([
      { actor: owner.email, changes: [{ field: 'force_https', before: false, after: true }] },
      { actor: owner.email, changes: [{ field: 'force_https', before: true, after: false }] },
    ]);
  });

  it('that is asked for again, or nothing, changes nothing', async () => {
    const id = await certified();
    await patch(id, { force_https: true, hsts: DAY });
    const first = (await settled(id)).immediate_operation?.id;
    for (const body of [{ force_https: true }, { hsts: DAY }, {}]) expect((await patch(id, body)).status).toBe(202);
    expect((await settled(id)).immediate_operation?.id).toBe(first);
    expect(await linesOf(id)).toHaveLength(1);
  });

  it('is no part of drafts and versions: neither a deploy, nor a roll-back, nor an absence changes it', async () => {
    const id = await certified();
    await patch(id, { force_https: true, hsts: DAY });
    const expected = { force: true, hsts: 'max-age=86400' };
    const steps: readonly (() => Promise<unknown>)[] = [
      () =>
        customer.client.updateRoute({
          params: { id },
          ifMatch: 1,
          body: { upstreams: upstreamsTo('9.9.9.9'), deploy: true },
        }),
      () =>
        customer.client.rollBack({ params: { id, version: 1 }, ifMatch: 2, body: { deploy: true, accept_gone: true } }),
      () => customer.client.pauseRoute({ params: { id }, body: { minutes: 15 } }),
      async () => {
        await customer.client.deactivateRoute({ params: { id } });
        await settled(id);
        await customer.client.resumeRoute({ params: { id } });
      },
    ];
    for (const step of steps) {
      await step();
      await settled(id);
      expect(atNode(id)).toEqual(expected);
    }
    expect(await config(id)).toMatchObject({ force_https: true, hsts: DAY });
  });

  it('says no more of its receipt once something else was changed at once', async () => {
    const id = await certified();
    await patch(id, { force_https: true });
    await settled(id);
    expect((await config(id)).change).not.toBeNull();
    await customer.client.pauseRoute({ params: { id }, body: { minutes: 15 } });
    expect((await config(id)).change).toBeNull();
  });

  it('is kept of a domain that is off, and refused of one that is suspended or being deleted', async () => {
    const id = await certified();
    await customer.client.deactivateRoute({ params: { id } });
    await settled(id);
    expect(await refused(id, { force_https: true })).toEqual({});
    await customer.client.resumeRoute({ params: { id } });
    await settled(id);
    expect(atNode(id)).toEqual({ force: true });
    for (const state of [`suspended_at = now()`, `suspended_at = NULL, status = 'deleting'`]) {
      await run(`UPDATE routes SET ${state} WHERE id = $1`, id);
      const answer = await patch(id, { force_https: false });
      expect([answer.status, answer.body]).toMatchObject([409, { code: 'DOMAIN_STATE_FORBIDS' }]);
    }
    expect(atNode(id)).toEqual({ force: true });
  });
});

describe('HSTS', () => {
  it('needs HTTPS to be forced, which it keeps on; 0 seconds and none do not', async () => {
    const id = await certified(customer, registered());
    expect(await refused(id, { hsts: DAY })).toEqual({ hsts: 'FORCE_HTTPS_REQUIRED' });
    expect(await refused(id, { force_https: true, hsts: DAY })).toEqual({});
    expect(await refused(id, { force_https: false })).toEqual({ force_https: 'HSTS_IS_ON' });
    expect(await refused(id, { force_https: false, hsts: YEAR })).toEqual({ hsts: 'FORCE_HTTPS_REQUIRED' });
    expect(await refused(id, { hsts: FORGET })).toEqual({});
    expect(await refused(id, { force_https: false })).toEqual({});
    await settled(id);
    expect(atNode(id)).toEqual({ force: false, hsts: 'max-age=0' });
    expect(await refused(id, { force_https: true, hsts: DAY })).toEqual({});
    expect(await refused(id, { force_https: false, hsts: null })).toEqual({});
    await settled(id);
    expect(atNode(id)).toBeUndefined();
  });

  it('is for preload lists only where the domain serves a name that was registered itself, as they take no subdomains', async () => {
    const name = registered();
    const id = await certified(customer, `www.${name}`);
    await patch(id, { force_https: true });
    expect((await config(id)).preload_of).toEqual({ name, is_served: false });
    expect(await refused(id, { hsts: YEAR })).toEqual({ 'hsts.preload': 'NOT_ALLOWED' });
    expect(await refused(id, { hsts: { ...YEAR, preload: false } })).toEqual({});
    // An alias serves it as well.
    await customer.client.addShadowDomains({ params: { id }, body: { names: [name] } });
    expect((await config(id)).preload_of).toEqual({ name, is_served: true });
    expect(await refused(id, { hsts: YEAR })).toEqual({});
    await customer.client.removeShadowDomains({ params: { id }, body: { names: [name] } });
    // What was taken before may be changed and taken back.
    expect(await refused(id, { hsts: { ...YEAR, max_age_seconds: 63_072_000 } })).toEqual({});
    expect(await refused(id, { hsts: DAY })).toEqual({});
    expect(await refused(id, { hsts: YEAR })).toEqual({ 'hsts.preload': 'NOT_ALLOWED' });
  });

  it.each([
    ['*.{}.example', '{}.example', false],
    ['{}.co.uk', '{}.co.uk', true],
    ['{}.github.io', '{}.github.io', true],
    ['a.{}.github.io', '{}.github.io', false],
    ['{}-bücher.example', '{}-bücher.example', true],
  ])('of %s, preload lists take %s, which it serves: %j', async (asked, taken, is_served) => {
    const label = uniqueName().split('.')[0] ?? '';
    const { id } = await createDomain(customer, asked.replace('{}', label));
    expect((await config(id)).preload_of).toEqual({ name: taken.replace('{}', label), is_served });
  });

  it('reaches nodes as its header field, and the audit log too', async () => {
    const id = await certified(customer, registered());
    await patch(id, { force_https: true });
    await patch(id, { hsts: YEAR });
    expect((await settled(id)).immediate_operation).toMatchObject({ action: 'change_hsts', state: 'successful' });
    expect(atNode(id)).toEqual({ force: true, hsts: 'max-age=31536000; includeSubDomains; preload' });
    expect((await linesOf(id)).at(-1)).toMatchObject({
      changes: [{ field: 'hsts', before: null, after: 'max-age=31536000; includeSubDomains; preload' }],
    });
  });

  it('is not turned on without a certificate, also where HTTPS is forced from before; it can be taken back', async () => {
    const id = await certified();
    await patch(id, { force_https: true, hsts: DAY });
    await run('UPDATE routes SET certificate_id = NULL WHERE id = $1', id);
    expect(await refused(id, { hsts: null })).toEqual({});
    expect(await refused(id, { hsts: DAY })).toEqual({ hsts: 'CERTIFICATE_REQUIRED' });
  });

  it.each<[string, unknown, object]>([
    ['preload without subdomains', { ...YEAR, include_subdomains: false }, { 'hsts.preload': 'HSTS_PRELOAD_BOUNDS' }],
    [
      'preload of less than a year',
      { ...YEAR, max_age_seconds: 31_535_999 },
      { 'hsts.preload': 'HSTS_PRELOAD_BOUNDS' },
    ],
    ['preload of 0 seconds', { ...YEAR, max_age_seconds: 0 }, { 'hsts.preload': 'HSTS_PRELOAD_BOUNDS' }],
    ['no time', { include_subdomains: true }, { 'hsts.max_age_seconds': 'REQUIRED' }],
    ['a part of a second', { ...DAY, max_age_seconds: 1.5 }, { 'hsts.max_age_seconds': 'NOT_INTEGER' }],
    ['what it does not know', { ...DAY, subdomains: true }, { 'hsts.subdomains': 'UNKNOWN_FIELD' }],
    ['a text', 'max-age=1', { hsts: 'INVALID_TYPE' }],
  ])('refuses %s', async (_what, hsts, fields) => {
    const id = await certified();
    expect(await refused(id, { force_https: true, hsts })).toEqual(fields);
    expect(await config(id)).toMatchObject({ force_https: false, hsts: null });
  });

  it.each([
    [-1, 'TOO_SMALL'],
    [63_072_001, 'TOO_LARGE'],
  ])('refuses %i seconds', async (max_age_seconds, code) => {
    const { body } = await patch(await certified(), { hsts: { ...DAY, max_age_seconds } });
    expect(body).toMatchObject({ 'hsts.max_age_seconds': code });
  });
});
