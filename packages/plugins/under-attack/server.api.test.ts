import type { Route } from '@cordon/contract';
import type { BusyRoute } from '@cordon/plugin-kit/server';
import { beforeAll, describe, expect, it } from 'vitest';
import { createFeedService } from '../../../apps/api/src/modules/edge-nodes/feed-service.ts';
import { createPluginServersModule } from '../../../apps/api/src/modules/plugin-servers/module.ts';
import { startEdgeApi } from '../../../apps/api/src/testing/edge-api.ts';
import {
  type Customer,
  createCustomer,
  eventually,
  uniqueName,
  upstreamsTo,
} from '../../../apps/api/src/testing/fixtures.ts';

const { test, node } = await startEdgeApi();
let customer: Customer;
let route: Route;

beforeAll(async () => {
  customer = await createCustomer(test, { plan: 'vip' });
  const body = { cname: customer.cname, domain_name: uniqueName(), upstreams: upstreamsTo() };
  const { result } = await customer.client.createRoute({ body });
  await customer.client.deployRoute({ params: { id: result.id }, ifMatch: 1, body: {} });
  await eventually(() => node.routes.has(result.id));
  route = result;
});

const isKnown = (scope: string) =>
  ['0.0.0.0/0', '::/0'].every((network) => node.feeds.has(`under-attack ${scope} ${network}`));
const list = async (query = {}) => (await customer.client.listAttackModes({ query })).result;
const changeEnded = (change: Readonly<Record<string, Date>>) =>
  test.api.platform.db
    .updateTable('ended_attack_modes' as never)
    .set(change as never)
    .where('scope' as never, '=', route.id as never)
    .execute();
const secondsLeft = (time: string | undefined) => (Date.parse(time ?? '') - Date.now()) / 1000;

describe('Under Attack mode', () => {
  it('of a domain is with the nodes at once, without a version, and gone at once when it is ended', async () => {
    const body = { route_id: route.id, seconds: 600 };
    const { result } = await customer.client.startAttackMode({ body });
    expect(result).toMatchObject({
      route_id: route.id,
      domain_name: route.domain_name,
      started_by: customer.email,
    });
    await eventually(() => isKnown(route.id));
    expect(await list()).toEqual([result]);
    expect(await list({ route_id: route.id })).toEqual([result]);
    expect(secondsLeft(result.ends_at)).toBeGreaterThan(590);
    expect((await customer.client.getRoute({ params: { id: route.id } })).result.version_live).toBe(1);

    const ended = await customer.client.endAttackMode({ body: { route_id: route.id } });
    expect(ended.result).toEqual({ ended: true, rests: false, holding: [] });
    await eventually(() => !isKnown(route.id));
    expect(await list()).toEqual([]);
    expect((await customer.client.endAttackMode({ body: { route_id: route.id } })).result.ended).toBe(false);
  });

  it('of the account holds for each of its domains', async () => {
    await customer.client.startAttackMode({ body: { seconds: 600 } });
    await eventually(() => isKnown(customer.accountId));
    expect(await list({ route_id: route.id })).toMatchObject([{ route_id: null, domain_name: null }]);
    await customer.client.endAttackMode({ body: {} });
    await eventually(() => !isKnown(customer.accountId));
  });

  it('is made longer or shorter by another start, and keeps its beginning', async () => {
    const first = await customer.client.startAttackMode({ body: { route_id: route.id, seconds: 600 } });
    const second = await customer.client.startAttackMode({ body: { route_id: route.id, seconds: 60 } });
    expect(second.result.started_at).toBe(first.result.started_at);
    expect(secondsLeft((await list())[0]?.ends_at)).toBeLessThanOrEqual(60);
    await customer.client.endAttackMode({ body: { route_id: route.id } });
  });

  it.each([59, 7 * 86_400 + 1, 1.5])('is not started for %s seconds', async (seconds) => {
    const start = customer.client.startAttackMode({ body: { route_id: route.id, seconds } });
    await expect(start).rejects.toMatchObject({ fields: { seconds: expect.any(String) } });
    expect(await list()).toEqual([]);
  });

  it('of another account is neither seen nor changed', async () => {
    const stranger = await createCustomer(test);
    await customer.client.startAttackMode({ body: { route_id: route.id, seconds: 600 } });
    const ofRoute = { route_id: route.id };
    for (const call of [
      () => stranger.client.listAttackModes({ query: ofRoute }),
      () => stranger.client.startAttackMode({ body: { ...ofRoute, seconds: 60 } }),
      () => stranger.client.endAttackMode({ body: ofRoute }),
      () => stranger.client.restoreAttackMode({ body: ofRoute }),
    ])
      await expect(call()).rejects.toMatchObject({ status: 404 });
    expect((await stranger.client.listAttackModes({ query: {} })).result).toEqual([]);
    expect(secondsLeft((await list())[0]?.ends_at)).toBeGreaterThan(500);
    await customer.client.endAttackMode({ body: ofRoute });
  });

  it('goes on as it was where its end is taken back, once', async () => {
    const body = { route_id: route.id };
    await customer.client.startAttackMode({ body: { ...body, seconds: 600 } });
    const before = await list();
    await customer.client.endAttackMode({ body });
    await eventually(() => !isKnown(route.id));
    expect((await customer.client.restoreAttackMode({ body })).result).toEqual({ restored: true });
    expect(await list()).toEqual(before);
    await eventually(() => isKnown(route.id));
    const [line] = (await customer.client.listAuditLines({ query: {} })).results;
    expect(line).toMatchObject({ action: 'under-attack.restore', actor: { name: customer.email } });
    await expect(customer.client.restoreAttackMode({ body })).rejects.toMatchObject({ status: 404 });
    await customer.client.endAttackMode({ body });
  });

  it.each([
    ['that has been turned on anew stays as it is', { seconds: 3600 }, 3000],
    ['whose time is over meanwhile stays off, and rests', undefined, 0],
  ] as const)('%s where an end is taken back', async (_, again, least) => {
    const body = { route_id: route.id };
    await customer.client.startAttackMode({ body: { ...body, seconds: 60 } });
    await customer.client.endAttackMode({ body });
    if (again) await customer.client.startAttackMode({ body: { ...body, ...again } });
    else await changeEnded({ ends_at: new Date() });
    expect((await customer.client.restoreAttackMode({ body })).result).toEqual({ restored: false });
    const modes = await list();
    expect(modes).toHaveLength(again ? 1 : 0);
    expect(modes.every(({ ends_at }) => secondsLeft(ends_at) > least)).toBe(true);
    const { until } = (await customer.client.getAttackRest({ query: body })).result;
    expect(until === null).toBe(again !== undefined);
    await customer.client.endAttackMode({ body });
  });

  it('goes on where its end is taken back and what was started in between is over by its time', async () => {
    const body = { route_id: route.id };
    await customer.client.startAttackMode({ body: { ...body, seconds: 3600 } });
    await customer.client.endAttackMode({ body });
    await customer.client.startAttackMode({ body: { ...body, seconds: 60 } });
    await test.api.platform.pool.query('UPDATE attack_modes SET ends_at = now() WHERE scope = $1', [route.id]);
    expect((await customer.client.restoreAttackMode({ body })).result).toEqual({ restored: true });
    expect(secondsLeft((await list())[0]?.ends_at)).toBeGreaterThan(3000);
    await customer.client.endAttackMode({ body });
  });

  it('cannot be taken back from an end of more than ten minutes ago', async () => {
    const body = { route_id: route.id };
    await customer.client.startAttackMode({ body: { ...body, seconds: 3600 } });
    await customer.client.endAttackMode({ body });
    await changeEnded({ ended_at: new Date(Date.now() - 601_000) });
    await expect(customer.client.restoreAttackMode({ body })).rejects.toMatchObject({ status: 404 });
  });

  it('is in the audit log, by whom and for how long', async () => {
    await customer.client.startAttackMode({ body: { route_id: route.id, seconds: 120 } });
    await customer.client.endAttackMode({ body: { route_id: route.id } });
    const { results } = await customer.client.listAuditLines({ query: {} });
    expect(results.slice(0, 2)).toMatchObject([
      { action: 'under-attack.end', actor: { name: customer.email } },
      { action: 'under-attack.start', actor: { name: customer.email }, details: { seconds: 120 } },
    ]);
  });
});

describe('Under Attack mode that starts by itself', () => {
  let busy: BusyRoute[] = [];
  let isSuspended = false;
  const servers = createPluginServersModule({
    platform: test.api.platform,
    feeds: createFeedService(),
    subscriptions: { tierOf: () => Promise.reject(new Error('no tier is asked for here')) },
    accounts: {
      findSuspension: async () => ({
        suspended_at: isSuspended ? new Date().toISOString() : null,
        suspended_reason: null,
      }),
    },
    traffic: { listBusyRoutes: async (least) => busy.filter(({ requests }) => requests >= least) },
  });
  const watch = () => servers.jobs?.['watch-traffic']?.({} as never);
  let automatic: Route;
  const surge = (requests: number, usual: number | null, routeId = automatic.id) => {
    busy = [{ account_id: customer.accountId, route_id: routeId, requests, usual }];
    return watch();
  };
  const ofRoute = () => ({ route_id: automatic.id });
  const { db } = test.api.platform;
  const forgetPauses = () => db.deleteFrom('attack_pauses' as never).execute();
  const end = (body = {}) => customer.client.endAttackMode({ body });
  const startLines = () =>
    db
      .selectFrom('audit_log')
      .select('id')
      .where('subject', '=', `route ${automatic.id}`)
      .where('action', '=', 'under-attack.start')
      .execute();

  beforeAll(async () => {
    const plugins = [{ name: 'under-attack', enabled: true, config: { automatic: true } }];
    const body = { cname: customer.cname, domain_name: uniqueName(), upstreams: upstreamsTo(), plugins };
    const { result } = await customer.client.createRoute({ body });
    await customer.client.deployRoute({ params: { id: result.id }, ifMatch: 1, body: {} });
    await eventually(() => node.routes.has(result.id));
    automatic = result;
  });

  it.each([
    [599, 1],
    [4999, 1000],
    [5999, null],
  ])('does not for %i requests a minute where %j are usual', async (requests, usual) => {
    await surge(requests, usual);
    expect(await list()).toEqual([]);
  });

  it('does not for a domain that does not ask for it', async () => {
    await surge(100_000, 1, route.id);
    expect(await list()).toEqual([]);
  });

  it('says what for, goes on while the surge does, and keeps its beginning', async () => {
    await surge(5000, 1000);
    await eventually(() => isKnown(automatic.id));
    const [first] = await list();
    expect(first).toMatchObject({ started_by: '', requests_per_minute: 5000, usual_per_minute: 1000 });
    expect(secondsLeft(first?.ends_at)).toBeGreaterThan(890);
    await surge(9000, 1000);
    const [later] = await list();
    expect(later).toMatchObject({ started_at: first?.started_at, requests_per_minute: 5000 });
    expect(Date.parse(later?.ends_at ?? '')).toBeGreaterThan(Date.parse(first?.ends_at ?? ''));
    const { results } = await customer.client.listAuditLines({ query: {} });
    const lines = results.filter(({ object }) => object.id === automatic.id);
    expect(lines[0]).toMatchObject({ action: 'under-attack.start', actor: { kind: 'system' } });
    expect(lines.filter(({ action }) => action === 'under-attack.start')).toHaveLength(1);
  });

  it('is ended in the audit log, once, where its time is over', async () => {
    const endLines = async () =>
      (await customer.client.listAuditLines({ query: {} })).results.filter(
        ({ object, action }) => object.id === automatic.id && action === 'under-attack.end',
      );
    const runOut = () =>
      db
        .updateTable('attack_modes' as never)
        .set({ ends_at: new Date() } as never)
        .where('scope' as never, '=', automatic.id as never)
        .execute();
    const before = (await endLines()).length;
    busy = [];
    await watch();
    expect(await endLines()).toHaveLength(before);
    await runOut();
    await Promise.all([watch(), watch()]);
    await watch();
    const lines = await endLines();
    expect(lines).toHaveLength(before + 1);
    expect(lines[0]).toMatchObject({ actor: { kind: 'system', name: 'Cordon' } });
    // The next surge comes before the watch has seen the end.
    await surge(5000, 1000);
    await runOut();
    await customer.client.startAttackMode({ body: { ...ofRoute(), seconds: 600 } });
    expect(await endLines()).toHaveLength(before + 2);
    // A user's start says when it ends.
    await runOut();
    await watch();
    expect(await endLines()).toHaveLength(before + 2);
    // A press of End comes too late.
    await surge(5000, 1000);
    await runOut();
    await end(ofRoute());
    expect(await endLines()).toHaveLength(before + 3);
    await surge(5000, 1000);
    expect(await list()).toMatchObject([{ started_by: '' }]);
  });

  it('starts by itself again, and goes on with the surge, where its end is taken back', async () => {
    await end(ofRoute());
    await forgetPauses();
    await surge(5000, 1000);
    const [before] = await list();
    // Of all domains and of this one: what is taken back is one of them.
    for (const ended of [ofRoute(), {}]) {
      if (!('route_id' in ended)) await customer.client.startAttackMode({ body: { seconds: 600 } });
      await end(ended);
      expect((await customer.client.restoreAttackMode({ body: ended })).result).toEqual({ restored: true });
      if (!('route_id' in ended)) {
        await customer.client.startAttackMode({ body: { seconds: 600 } });
        await forgetPauses();
        await end({});
        await forgetPauses();
      }
    }
    expect(await list()).toMatchObject([{ ...before, ends_at: expect.any(String) }]);
    await surge(9000, 1000);
    const [later] = await list();
    expect(later).toMatchObject({ started_by: '', started_at: before?.started_at });
    expect(Date.parse(later?.ends_at ?? '')).toBeGreaterThan(Date.parse(before?.ends_at ?? ''));
    // And after it has ended by its time.
    await end(ofRoute());
    expect((await customer.client.restoreAttackMode({ body: ofRoute() })).result).toEqual({ restored: true });
    await db.deleteFrom('attack_modes' as never).execute();
    await surge(9000, 1000);
    expect(await list()).toMatchObject([{ started_by: '' }]);
  });

  it.each<[string, () => object, () => object]>([
    ['of the domain', ofRoute, () => ({})],
    ['of all domains', () => ({}), ofRoute],
  ])('rests on by the end %s where the other one is taken back', async (_, kept, takenBack) => {
    await end({});
    await end(ofRoute());
    await forgetPauses();
    for (const body of [kept(), takenBack()])
      await customer.client.startAttackMode({ body: { ...body, seconds: 600 } });
    for (const body of [kept(), takenBack()]) await end(body);
    await customer.client.restoreAttackMode({ body: takenBack() });
    // What goes on is over by its time: not ended by hand.
    await db.deleteFrom('attack_modes' as never).execute();
    await surge(50_000, 1000);
    expect(await list()).toEqual([]);
    await forgetPauses();
    await surge(50_000, 1000);
    expect(await list()).toMatchObject([{ started_by: '' }]);
  });

  it('measures by what was usual when it started, as long as it holds', async () => {
    const [before] = await list();
    await surge(5000, 5000);
    const [after] = await list();
    expect(Date.parse(after?.ends_at ?? '')).toBeGreaterThan(Date.parse(before?.ends_at ?? ''));
    await surge(4999, 1);
    expect((await list())[0]?.ends_at).toBe(after?.ends_at);
    await end(ofRoute());
    await forgetPauses();

    await surge(6000, null);
    const [fresh] = await list();
    await surge(6000, 6000);
    const [later] = await list();
    expect(Date.parse(later?.ends_at ?? '')).toBeGreaterThan(Date.parse(fresh?.ends_at ?? ''));
    await surge(5999, 1);
    expect((await list())[0]?.ends_at).toBe(later?.ends_at);
  });

  it.each<[string, () => unknown]>([
    ['it had started by itself', () => surge(50_000, 1000)],
    ['the user had started it', () => customer.client.startAttackMode({ body: { ...ofRoute(), seconds: 600 } })],
    [
      'the user had made it longer',
      async () => {
        await surge(50_000, 1000);
        await customer.client.startAttackMode({ body: { ...ofRoute(), seconds: 3600 } });
      },
    ],
  ])('rests for an hour after a user has ended it: %s', async (_, start) => {
    await end(ofRoute());
    await forgetPauses();
    await start();
    expect(await list()).toHaveLength(1);
    await end(ofRoute());
    await surge(50_000, 1000);
    expect(await list()).toEqual([]);
    const pauses = (await db
      .selectFrom('attack_pauses' as never)
      .selectAll()
      .execute()) as { until: string }[];
    expect(pauses.map(({ until }) => Math.round(secondsLeft(until) / 60))).toEqual([60]);
    await forgetPauses();
    await surge(50_000, 1000);
    const [mode] = await list();
    // And ends a quarter of an hour after the last surge.
    expect(Math.round(secondsLeft(mode?.ends_at) / 60)).toBe(15);
  });

  it('rests no longer once a user has turned the mode on, and its time is over', async () => {
    await end(ofRoute());
    await forgetPauses();
    await surge(50_000, 1000);
    await end(ofRoute());
    await customer.client.startAttackMode({ body: { ...ofRoute(), seconds: 60 } });
    await db.deleteFrom('attack_modes' as never).execute();
    await surge(50_000, 1000);
    expect(await list()).toMatchObject([{ started_by: '' }]);
  });

  it('rests, too, after a user has ended the mode of the account', async () => {
    await end(ofRoute());
    await forgetPauses();
    await customer.client.startAttackMode({ body: { seconds: 600 } });
    const rest = async () => (await customer.client.getAttackRest({ query: ofRoute() })).result.until;
    expect(await rest()).toBeNull();
    await end();
    expect(Math.round(secondsLeft((await rest()) ?? '') / 60)).toBe(60);
    await surge(50_000, 1000);
    expect(await list()).toEqual([]);
    await db
      .updateTable('attack_pauses' as never)
      .set({ until: new Date() } as never)
      .execute();
    expect(await rest()).toBeNull();
    await surge(50_000, 1000);
    expect(await list()).toHaveLength(1);
  });

  it.each([
    ['its own', () => automatic.id],
    ['the account’s', () => customer.accountId],
  ])('rests after two ends until the later one says, also where %s says less', async (_, shorter) => {
    await customer.client.startAttackMode({ body: { seconds: 600 } });
    await customer.client.startAttackMode({ body: { ...ofRoute(), seconds: 600 } });
    await end(ofRoute());
    await end();
    await db
      .updateTable('attack_pauses' as never)
      .set({ until: new Date(Date.now() + 600_000) } as never)
      .where('ended_scope' as never, '=', shorter() as never)
      .execute();
    const { until } = (await customer.client.getAttackRest({ query: ofRoute() })).result;
    expect(Math.round(secondsLeft(until ?? '') / 60)).toBe(60);
    await forgetPauses();
  });

  it('says what is on still after an end, and whether it rests', async () => {
    const start = (body = {}) => customer.client.startAttackMode({ body: { ...body, seconds: 600 } });
    await start();
    await start(ofRoute());
    const ofBoth = { ended: true, rests: true };
    expect((await end(ofRoute())).result).toMatchObject({ ...ofBoth, holding: [{ route_id: null }] });
    await start(ofRoute());
    expect((await end()).result).toMatchObject({ ...ofBoth, holding: [{ route_id: automatic.id }] });
    expect((await end(ofRoute())).result).toEqual({ ...ofBoth, holding: [] });
    await start({ route_id: route.id });
    expect((await end({ route_id: route.id })).result).toEqual({ ended: true, rests: false, holding: [] });
    expect((await end(ofRoute())).result).toEqual({ ended: false, rests: false, holding: [] });
  });

  it('is the user’s once a user has started it, and no surge changes when it ends', async () => {
    await customer.client.startAttackMode({ body: { ...ofRoute(), seconds: 60 } });
    await surge(50_000, 1000);
    const [mode] = await list();
    expect(mode).toMatchObject({ started_by: customer.email });
    expect(secondsLeft(mode?.ends_at)).toBeLessThanOrEqual(60);
    await customer.client.endAttackMode({ body: ofRoute() });
  });

  it('starts once where several see the surge at once', async () => {
    await forgetPauses();
    const before = (await startLines()).length;
    busy = [{ account_id: customer.accountId, route_id: automatic.id, requests: 50_000, usual: 1000 }];
    await Promise.all(Array.from({ length: 8 }, watch));
    expect(await startLines()).toHaveLength(before + 1);
    await end(ofRoute());
  });

  it.each([
    ['is deactivated', { status: 'deactivated' }, { status: 'running' }],
    ['is suspended', { suspended_at: new Date() }, { suspended_at: null }],
    ['has its protection paused', { paused_at: new Date() }, { paused_at: null }],
  ])('does not for a domain that %s', async (_, change, back) => {
    const set = (values: object) =>
      db
        .updateTable('routes')
        .set(values as never)
        .where('id', '=', automatic.id)
        .execute();
    await forgetPauses();
    await set(change);
    await surge(50_000, 1000);
    expect(await list()).toEqual([]);
    await set(back);
  });

  it('does not for a suspended account, and not for a domain that has the plugin off', async () => {
    await forgetPauses();
    isSuspended = true;
    await surge(50_000, 1000);
    isSuspended = false;
    expect(await list()).toEqual([]);

    const { result } = await customer.client.getRoute({ params: { id: automatic.id } });
    const plugins = [{ name: 'under-attack', enabled: false, config: { automatic: true } }];
    const params = { id: automatic.id };
    const saved = await customer.client.updateRoute({ params, ifMatch: result.draft_revision, body: { plugins } });
    await customer.client.deployRoute({ params, ifMatch: saved.result.draft_revision, body: {} });
    await surge(50_000, 1000);
    expect(await list()).toEqual([]);
  });
});
