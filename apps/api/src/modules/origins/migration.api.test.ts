import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createCustomer, createDomain } from '../../testing/fixtures.ts';
import { startApi, type TestApi } from '../../testing/start-api.ts';

let test: TestApi;
beforeAll(async () => {
  test = await startApi();
});
afterAll(() => test.stop());

const OLD = (protocol: string) => ({
  traffic_action: 'upstream',
  upstreams: { protocol, targets: [{ host: '198.41.128.7', port: null, weight: 1, backup: false }] },
  plugins: [],
});

it('leaves origins that were served unverified as they were, and gives the others the default of new domains', async () => {
  const customer = await createCustomer(test, { plan: 'vip' });
  const { pool } = test.api.platform;
  const file = join(import.meta.dirname, '../../../migrations/0014-origin-settings.sql');
  const [statements = ''] = readFileSync(file, 'utf8').split('-- The value of Cordon-Origin-Key');
  const ids = new Map<string, string>();
  for (const protocol of ['http', 'https', 'http_https']) {
    const { id } = await createDomain(customer);
    ids.set(protocol, id);
    await customer.client.deployRoute({ params: { id }, ifMatch: 1, body: {} });
    const old = JSON.stringify(OLD(protocol));
    await pool.query('UPDATE routes SET draft = $2, live = $2 WHERE id = $1', [id, old]);
    await pool.query('UPDATE route_versions SET config = $2 WHERE route_id = $1', [id, old]);
    await pool.query('UPDATE route_drafts SET config = $2 WHERE route_id = $1', [id, old]);
  }
  const never = await createDomain(customer);
  await pool.query('UPDATE routes SET draft = $2 WHERE id = $1', [never.id, JSON.stringify(OLD('https'))]);
  await pool.query(statements);

  for (const [protocol, id] of ids) {
    const { result } = await customer.client.getRoute({ params: { id } });
    const tls_verification = protocol === 'http' ? 'strict' : 'off';
    const upstreams = { ...OLD(protocol).upstreams, connection_limit: 0, tls_verification, tls_ca: null };
    expect(result.draft.upstreams).toEqual(upstreams);
    expect(result.live?.upstreams).toEqual(upstreams);
    const version = await customer.client.getVersion({ params: { id, version: 1 } });
    expect(version.result.config.upstreams).toEqual(upstreams);
    const { rows } = await pool.query('SELECT config FROM route_drafts WHERE route_id = $1', [id]);
    expect(rows[0]?.config.upstreams).toEqual(upstreams);
  }
  const { result } = await customer.client.getRoute({ params: { id: never.id } });
  expect(result).toMatchObject({ live: null, draft: { upstreams: { tls_verification: 'off' } } });
});
