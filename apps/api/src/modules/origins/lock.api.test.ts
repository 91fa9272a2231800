import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { startEdgeApi } from '../../testing/edge-api.ts';
import { createCustomer, createDomain, eventually } from '../../testing/fixtures.ts';

const { test, node } = await startEdgeApi();
const customer = await createCustomer(test, { plan: 'vip' });

type Action = 'enable' | 'disable' | 'prepare' | 'switch' | 'cancel';
const change = (id: string, action: Action) =>
  test.call('POST', `domain/routes/${id}/origin-lock/`, { token: customer.token, body: { action } });
const reveal = async (id: string) => (await customer.client.revealOriginKey({ params: { id } })).result;
/** The header value that a node makes of the seed and the key it was sent. */
const sent = (id: string): string | undefined => {
  const seed = node.routes.get(id)?.origin_key_seed;
  const key = Buffer.from(node.settings?.origin_key ?? '', 'base64url');
  return seed === undefined ? undefined : createHmac('sha256', key).update(`${id} ${seed}`).digest('base64url');
};
async function live(): Promise<string> {
  const { id } = await createDomain(customer);
  await customer.client.deployRoute({ params: { id }, ifMatch: 1, body: {} });
  await eventually(() => node.routes.get(id));
  return id;
}

describe('the origin lock', () => {
  it('is sent by the nodes at once, with the very value that is revealed, and without a version', async () => {
    const id = await live();
    expect((await change(id, 'enable')).body.result).toMatchObject({ state: 'on' });
    const value = await eventually(() => sent(id));
    expect(await reveal(id)).toEqual({ header: 'Cordon-Origin-Key', value, next_value: null });
    expect(Buffer.from(value, 'base64url')).toHaveLength(32);
    const { result } = await customer.client.getRoute({ params: { id } });
    expect(result).toMatchObject({ version_live: 1, draft_revision: 1, pending_changes: 0 });
    await change(id, 'disable');
    await eventually(() => sent(id) === undefined);
    await change(id, 'enable');
    expect(await eventually(() => sent(id))).not.toBe(value);
  });

  it('rotates without a gap: both values are known before the new one is sent', async () => {
    const id = await live();
    await change(id, 'enable');
    const first = await eventually(() => sent(id));
    expect((await change(id, 'prepare')).body.result).toMatchObject({ state: 'rotating' });
    const { value, next_value } = await reveal(id);
    expect(value).toBe(first);
    expect(sent(id)).toBe(first);
    expect((await change(id, 'switch')).body.result).toMatchObject({ state: 'on' });
    await eventually(() => sent(id) === next_value);
    expect(await reveal(id)).toMatchObject({ value: next_value, next_value: null });
    await change(id, 'prepare');
    expect((await change(id, 'cancel')).body.result).toMatchObject({ state: 'on' });
    expect(await reveal(id)).toMatchObject({ value: next_value, next_value: null });
  });

  it('refuses what does not fit its state', async () => {
    const id = await live();
    for (const action of ['disable', 'prepare', 'switch', 'cancel'] as const)
      expect(await change(id, action)).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
    const hidden = await test.call('POST', `domain/routes/${id}/origin-lock/reveal/`, { token: customer.token });
    expect(hidden.status).toBe(409);
    await change(id, 'enable');
    for (const action of ['enable', 'switch', 'cancel'] as const) expect((await change(id, action)).status).toBe(409);
  });

  it('keeps the value out of the database, the log, versions and answers, and notes who saw it', async () => {
    const id = await live();
    await change(id, 'enable');
    const { value } = await reveal(id);
    await customer.client.deployRoute({ params: { id }, ifMatch: 1, body: {} });
    const { pool } = test.api.platform;
    const { rows: tables } = await pool.query<{ name: string }>(
      `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`,
    );
    const tablesWith = async (text: string) => {
      const found: string[] = [];
      for (const { name } of tables) {
        const { rowCount } = await pool.query(`SELECT 1 FROM "${name}" t WHERE t::text LIKE $1 LIMIT 1`, [`%${text}%`]);
        if (rowCount !== 0) found.push(name);
      }
      return found;
    };
    expect(await tablesWith(id)).toEqual(expect.arrayContaining(['audit_log', 'route_versions', 'routes']));
    expect(await tablesWith(value)).toEqual([]);
    const seed = node.routes.get(id)?.origin_key_seed as string;
    const answers = await Promise.all(
      ['', 'versions/', 'versions/2/', 'origin-access/', 'health/'].map(
        async (part) => (await test.call('GET', `domain/routes/${id}/${part}`, { token: customer.token })).text,
      ),
    );
    for (const text of [...answers, ...test.logLines]) {
      expect(text).not.toContain(value);
      expect(text).not.toContain(seed);
    }
    const { rows } = await pool.query<{ action: string; actor: string }>(
      `SELECT action, actor FROM audit_log WHERE subject = $1 AND action LIKE 'route.origin_lock.%' ORDER BY id`,
      [`route ${id}`],
    );
    expect(rows).toEqual([
      { action: 'route.origin_lock.enable', actor: customer.email },
      { action: 'route.origin_lock.reveal', actor: customer.email },
    ]);
  });

  it('waits with a domain that is not live, and comes with its deploy', async () => {
    const { id } = await createDomain(customer);
    await change(id, 'enable');
    expect(node.routes.get(id)).toBeUndefined();
    await customer.client.deployRoute({ params: { id }, ifMatch: 1, body: {} });
    const { value } = await reveal(id);
    await eventually(() => sent(id) === value);
  });

  it('tells the addresses that requests come from', async () => {
    const id = await live();
    const { result } = await customer.client.getOriginAccess({ params: { id } });
    expect(result).toMatchObject({ addresses: ['203.0.113.10'], lock: { state: 'off', changed_at: null } });
  });
});
