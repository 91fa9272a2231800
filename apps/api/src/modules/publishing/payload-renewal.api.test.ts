import type { Route, RouteConfig } from '@cordon/contract';
import { describe, expect, it } from 'vitest';
import { createApi } from '../../app.ts';
import { createLog } from '../../platform/log.ts';
import { startEdgeApi } from '../../testing/edge-api.ts';
import { configuredPlugins, createCustomer, createDomain, eventually } from '../../testing/fixtures.ts';

/** What was stored before an upgrade, shown by rows that lack a field as if it had come later. */

const { test, node } = await startEdgeApi();
const customer = await createCustomer(test, { plan: 'vip' });

const CONFIG = { blacklist_countries: ['AQ'], whitelist_countries: [], mode: 'Blacklist', whitelist_ips: [] };
const OLD = { name: 'geoip', enabled: true, config: CONFIG };
const REFUSED = { ...OLD, config: { ...CONFIG, since_removed: 1 } };
const TODAY = { name: 'geoip', config: { ...CONFIG, combine_geoip: false } };
const pluginsAtNode = ({ id }: Route) => configuredPlugins(node.routes.get(id));

/** The domain's draft as it would have been stored before the field was there. */
async function storeDraft({ id }: Route, plugin: RouteConfig['plugins'][number]): Promise<void> {
  await test.api.platform.pool.query(
    `UPDATE routes SET draft = jsonb_set(draft, '{plugins}', $2::jsonb) WHERE id = $1`,
    [id, JSON.stringify([plugin])],
  );
}

async function deploy({ id }: Route): Promise<void> {
  const { result } = await customer.client.getRoute({ params: { id } });
  await customer.client.deployRoute({ params: { id }, ifMatch: result.draft_revision, body: {} });
  await eventually(() => node.routes.has(id));
}

/** Puts before the nodes what they had been sent of the domain before the upgrade; without what is always on. */
async function storeLive({ id }: Route, plugin: RouteConfig['plugins'][number]): Promise<void> {
  const { pool } = test.api.platform;
  await pool.query(`UPDATE routes SET live = jsonb_set(live, '{plugins}', $2::jsonb) WHERE id = $1`, [
    id,
    JSON.stringify([plugin]),
  ]);
  const sent = JSON.stringify([{ name: plugin.name, config: plugin.config }]);
  await pool.query(`UPDATE edge_routes SET payload = jsonb_set(payload, '{plugins}', $2::jsonb) WHERE route_id = $1`, [
    id,
    sent,
  ]);
  await eventually(() => JSON.stringify(node.routes.get(id)?.plugins).length === sent.length);
}

describe('what nodes are sent', () => {
  it('has the defaults of fields that came after the draft was saved', async () => {
    const route = await createDomain(customer);
    await storeDraft(route, OLD);
    await deploy(route);
    expect(pluginsAtNode(route)).toEqual([TODAY]);
  });

  it('is brought to the schemas of today when an upgraded process starts, and what they refuse stays as it was', async () => {
    const { env } = test.api.platform;
    const { pool } = test.api.platform;
    const [old, refused, current] = await Promise.all([1, 2, 3].map(() => createDomain(customer)));
    if (!old || !refused || !current) throw new Error('no domains');
    for (const route of [old, refused, current]) await deploy(route);
    await storeLive(old, OLD);
    await storeLive(refused, REFUSED);
    await pool.query(`UPDATE deployment SET value = 'of another release' WHERE name = 'edge_payload_schemas'`);
    const sentBefore = node.changes.length;

    const lines: string[] = [];
    const log = createLog('debug', { write: (line) => lines.push(line) });
    const upgraded = await createApi({ env: { ...env, port: 0 }, log, resolver: test.dns });
    await upgraded.start();
    try {
      await eventually(() => pluginsAtNode(old)[0]?.config.combine_geoip === false);
      expect(pluginsAtNode(old)).toEqual([TODAY]);
      const always = (route: Route) => node.routes.get(route.id)?.plugins.map(({ name }) => name);
      expect(always(old)).toContain('ban');
      await eventually(() => always(refused)?.includes('ban'));
      expect(pluginsAtNode(refused)).toEqual([{ name: 'geoip', config: REFUSED.config }]);
      await eventually(async () => {
        const { rows } = await pool.query(
          `SELECT 1 FROM deployment WHERE name = 'edge_payload_schemas' AND value <> 'of another release'`,
        );
        return rows.length > 0;
      });
      const sent = node.changes.slice(sentBefore).map((change) => change.route_id);
      expect(sent.sort()).toEqual([old.id, refused.id].sort());
      const all = [...lines, ...test.logLines].filter((line) => line.includes('is refused by the schema'));
      expect(all.some((line) => line.includes(refused.id) && line.includes('geoip'))).toBe(true);
      expect(all.some((line) => line.includes(old.id))).toBe(false);
    } finally {
      await upgraded.stop();
    }
    await node.heartbeat();
    const { result } = await customer.client.checkDomain({ body: { route_id: refused.id } });
    expect(result.checks.find(({ check }) => check === 'deploy')).toMatchObject({
      state: 'warning',
      finding: 'settings_refused',
      params: { plugin: 'geoip', more: 0 },
      advice: 'correct_settings',
    });
  });
});
