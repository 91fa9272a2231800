import { afterEach, describe, expect, it } from 'vitest';
import { startEdgeApi } from '../../testing/edge-api.ts';
import { configuredPlugins, createCustomer, createDomain, eventually, uniqueName } from '../../testing/fixtures.ts';
import { expectConsistentNames } from '../../testing/invariants.ts';

const { test, node } = await startEdgeApi();
const customer = await createCustomer(test, { plan: 'vip' });
afterEach(() => expectConsistentNames(test.api.platform.pool));

const protection = { name: 'ip-restriction', enabled: true, config: { blacklistMode: true, deny: ['8.8.8.8'] } };
const originHost = { name: 'upstream-host', enabled: true, config: { hostname: 'origin.example.net' } };

async function protectedDomain() {
  const route = await createDomain(customer);
  await customer.client.updateRoute({
    params: { id: route.id },
    ifMatch: 1,
    body: { plugins: [protection, originHost], deploy: true },
  });
  await settled(route.id);
  return route;
}
const settled = (id: string) =>
  eventually(async () => {
    const { result } = await customer.client.getRoute({ params: { id } });
    return [result.operation, result.immediate_operation].every((one) => one?.state !== 'running') ? result : undefined;
  });
const pluginsAt = (id: string) => configuredPlugins(node.routes.get(id)).map(({ name }) => name);
const auditOf = async (id: string) =>
  (
    await test.api.platform.pool.query<{ action: string; actor: string }>(
      `SELECT action, actor FROM audit_log WHERE subject = $1 AND action LIKE 'route.pause%' ORDER BY id`,
      [`route ${id}`],
    )
  ).rows;
const endJobs = async (id: string) =>
  (
    await test.api.platform.pool.query<{ run_at: string }>(
      `SELECT run_at FROM graphile_worker._private_jobs WHERE key = $1`,
      [`end-pause/${id}`],
    )
  ).rows;

describe('a pause', () => {
  it('takes all protection off at once, without a version, and brings it back', async () => {
    const route = await protectedDomain();
    expect(pluginsAt(route.id)).toEqual(['ip-restriction', 'upstream-host']);
    const { result } = await customer.client.pauseRoute({ params: { id: route.id }, body: { minutes: 15 } });
    expect(result).toMatchObject({ version_live: 1, is_paused: true, paused: { by: customer.email } });
    const minutes = (Date.parse(result.paused?.until ?? '') - Date.parse(result.paused?.since ?? '')) / 60_000;
    expect(minutes).toBeCloseTo(15, 1);
    expect(await settled(route.id)).toMatchObject({
      version_live: 1,
      pending_changes: 0,
      immediate_operation: { action: 'pause', state: 'successful' },
    });
    // Where requests go stays as it is: without its Host header the origin would not know the site.
    expect(pluginsAt(route.id)).toEqual(['upstream-host']);
    const { results } = await customer.client.listRoutes({ query: { domain_name: route.domain_name } });
    expect(results[0]?.is_paused).toBe(true);

    await customer.client.endPause({ params: { id: route.id } });
    expect(await settled(route.id)).toMatchObject({ is_paused: false, paused: null, version_live: 1 });
    expect(pluginsAt(route.id)).toEqual(['ip-restriction', 'upstream-host']);
    expect(await auditOf(route.id)).toEqual([
      { action: 'route.pause', actor: customer.email },
      { action: 'route.pause_end', actor: customer.email },
    ]);
  });

  it('ends when its time is over', async () => {
    const route = await protectedDomain();
    await customer.client.pauseRoute({ params: { id: route.id }, body: { minutes: 60 } });
    await settled(route.id);
    const planned = Date.parse((await endJobs(route.id))[0]?.run_at ?? '');
    expect(planned - Date.now()).toBeGreaterThan(59 * 60_000);
    // An hour later: its time is over, and its job is due.
    await test.api.platform.pool.query(`UPDATE routes SET paused_until = now() - interval '1 ms' WHERE id = $1`, [
      route.id,
    ]);
    await test.api.platform.pool.query(`UPDATE graphile_worker._private_jobs SET run_at = now() WHERE key = $1`, [
      `end-pause/${route.id}`,
    ]);
    await eventually(() => pluginsAt(route.id)?.includes('ip-restriction'));
    expect(await settled(route.id)).toMatchObject({ paused: null });
    expect(await auditOf(route.id)).toMatchObject([{ action: 'route.pause' }, { actor: 'Cordon' }]);
  });

  it('that was prolonged does not end at its first time', async () => {
    const route = await protectedDomain();
    await customer.client.pauseRoute({ params: { id: route.id }, body: { minutes: 15 } });
    await customer.client.pauseRoute({ params: { id: route.id }, body: { minutes: 240 } });
    expect(await endJobs(route.id)).toHaveLength(1);
    await test.api.platform.pool.query(
      `SELECT graphile_worker.add_job('end-pause', json_build_object('route_id', $1::text), job_key => 'early')`,
      [route.id],
    );
    await eventually(
      async () =>
        (await test.api.platform.pool.query(`SELECT 1 FROM graphile_worker._private_jobs WHERE key = 'early'`)).rows
          .length === 0,
    );
    expect(await settled(route.id)).toMatchObject({ is_paused: true });
    expect(pluginsAt(route.id)).toEqual(['upstream-host']);
  });

  it('without an end time lasts until a user ends it, also over a deploy', async () => {
    const route = await protectedDomain();
    const { result } = await customer.client.pauseRoute({ params: { id: route.id }, body: { minutes: null } });
    expect(result.paused).toMatchObject({ until: null });
    expect(await endJobs(route.id)).toEqual([]);
    await customer.client.deployRoute({ params: { id: route.id }, ifMatch: result.draft_revision, body: {} });
    expect(await settled(route.id)).toMatchObject({ version_live: 2, is_paused: true });
    expect(pluginsAt(route.id)).toEqual(['upstream-host']);
  });

  it('leaves the traffic action: visitors are still redirected', async () => {
    const { result } = await customer.client.createRoute({
      body: {
        cname: customer.cname,
        domain_name: uniqueName(),
        traffic_action: 'redirect',
        plugins: [
          protection,
          { name: 'redirect', enabled: true, config: { redirect_url: 'https://elsewhere.example.net/' } },
        ],
        deploy: true,
      },
    });
    await settled(result.id);
    await customer.client.pauseRoute({ params: { id: result.id }, body: { minutes: 15 } });
    await settled(result.id);
    expect(pluginsAt(result.id)).toEqual(['redirect']);
  });

  it('is for what runs, and ends with a deactivation', async () => {
    const pause = (id: string, minutes: unknown = 15) =>
      test.call('POST', `domain/routes/${id}/pause/`, { token: customer.token, body: { minutes } });
    const fresh = await createDomain(customer);
    expect((await pause(fresh.id)).body).toMatchObject({ code: 'DOMAIN_STATE_FORBIDS' });
    const route = await protectedDomain();
    expect((await pause(route.id, 7)).status).toBe(422);
    const end = await test.call('DELETE', `domain/routes/${route.id}/pause/`, { token: customer.token });
    expect(end.body).toMatchObject({ code: 'DOMAIN_STATE_FORBIDS' });
    expect((await pause(route.id)).status).toBe(202);
    await customer.client.deactivateRoute({ params: { id: route.id } });
    await settled(route.id);
    await customer.client.resumeRoute({ params: { id: route.id } });
    expect(await settled(route.id)).toMatchObject({ is_paused: false, paused: null });
    expect(pluginsAt(route.id)).toEqual(['ip-restriction', 'upstream-host']);
  });
});
