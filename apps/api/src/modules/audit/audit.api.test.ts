import {
  AUDIT_DETAILS,
  AUDIT_FIELDS,
  AUDIT_LIST_MAX,
  AUDIT_RETENTION_DAYS,
  type AuditLine,
  type Operation,
  operations,
  type Route,
  type TokenScope,
} from '@cordon/contract';
import { pluginOperations } from '@cordon/plugins/operations';
import { type RawBuilder, sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { runOperator } from '../../operator/run.ts';
import { startEdgeApi } from '../../testing/edge-api.ts';
import {
  type Customer,
  createCustomer,
  createDomain,
  eventually,
  uniqueName,
  upstreamsTo,
} from '../../testing/fixtures.ts';
import type { TestClient } from '../../testing/start-api.ts';
import { createAccountService } from '../accounts/service.ts';
import { countQuery, forgetOldest, pageQuery } from './repository.ts';
import { createAuditService } from './service.ts';

const { test, node } = await startEdgeApi({ addresses: ['203.0.113.10', '2001:db8::10'] });

const AGENT = 'audit-test/1.0';
const REFUSING = {
  name: 'ip-restriction',
  enabled: true,
  config: { deny: ['198.41.128.7'], blacklistMode: true },
};

interface Scene {
  readonly customer: Customer;
  /** Sends a user agent of its own. */
  readonly client: TestClient;
  readonly route: Route;
}
type Act = () => Promise<unknown>;

const settled = ({ client, route }: Scene) =>
  eventually(async () => {
    const { result } = await client.getRoute({ params: { id: route.id } });
    return [result.operation, result.immediate_operation].every((one) => one?.state !== 'running') && result;
  });

async function deployed(scene: Scene): Promise<Scene> {
  await scene.client.deployRoute({ params: { id: scene.route.id }, ifMatch: 1, body: {} });
  await settled(scene);
  return scene;
}

async function withShadow(scene: Scene, isProved = false): Promise<string> {
  await deployed(scene);
  const { client, route } = scene;
  const name = uniqueName();
  if (isProved) test.dns.setCname(name, route.cname);
  await client.addShadowDomains({ params: { id: route.id }, body: { names: [name] } });
  await settled(scene);
  if (isProved) await client.verifyShadowDomains({ params: { id: route.id }, body: { names: [name] } });
  return name;
}

async function scheduled({ client, route }: Scene): Promise<string> {
  const at = new Date(Date.now() + 3_600_000).toISOString();
  return (await client.runTask({ body: { kind: 'clear cache', route_ids: [route.id], at } })).result.id;
}

async function aToken({ client }: Scene): Promise<string> {
  return (await client.createToken({ body: { name: 'Deploys', scopes: ['domains:read'] } })).result.id;
}

/** Deployed with a cache. */
async function cached(scene: Scene): Promise<Scene> {
  const params = { id: scene.route.id };
  const plugins = [{ name: 'advance-proxy-cache', enabled: true, config: {} }];
  await scene.client.updateRoute({ params, ifMatch: 1, body: { plugins } });
  await scene.client.deployRoute({ params, ifMatch: 2, body: {} });
  await settled(scene);
  return scene;
}

const aRule = ({ client, customer }: Scene) =>
  client.createRule({ body: { cname: customer.cname, name: 'Template', plugins: [REFUSING] } });
async function aBan({ client }: Scene): Promise<string> {
  await client.addBans({ body: { networks: ['198.41.128.9'] } });
  return (await client.listBans({})).results[0]?.id ?? '';
}

const allow = ({ client }: Scene) => client.allowNetworks({ body: { networks: ['198.41.128.9'] } });
const empty = async ({ client }: Scene) => (await client.removeAllowedNetworks({ body: { q: '' } })).result.removal_id;

/** What each write of the contract leaves in the log: prepared first, then done once. */
const WRITES: Readonly<Record<string, { lines: string[]; prepare: (scene: Scene) => Promise<Act> }>> = {
  updateMe: {
    lines: ['user.update'],
    prepare:
      async ({ client }) =>
      () =>
        client.updateMe({ body: { name: 'Jane', time_zone: 'Asia/Shanghai' } }),
  },
  createToken: { lines: ['token.create'], prepare: async (scene) => () => aToken(scene) },
  renameToken: {
    lines: ['token.rename'],
    prepare: async (scene) => {
      const id = await aToken(scene);
      return () => scene.client.renameToken({ params: { id }, body: { name: 'CI' } });
    },
  },
  revokeToken: {
    lines: ['token.revoke'],
    prepare: async (scene) => {
      const id = await aToken(scene);
      return () => scene.client.revokeToken({ params: { id } });
    },
  },
  configureSubscription: {
    lines: ['subscription.ipv6_enable'],
    prepare:
      async ({ client, customer: { cname } }) =>
      () =>
        client.configureSubscription({ body: { cname, ipv6: true } }),
  },
  createRoute: {
    lines: ['route.create'],
    prepare:
      async ({ client, customer: { cname } }) =>
      () =>
        client.createRoute({ body: { cname, domain_name: uniqueName(), upstreams: upstreamsTo() } }),
  },
  updateRoute: {
    lines: ['route.update'],
    prepare:
      async ({ client, route: { id } }) =>
      () =>
        client.updateRoute({
          params: { id },
          ifMatch: 1,
          body: { remarks: 'shop', upstreams: upstreamsTo('8.8.8.8') },
        }),
  },
  deleteRoute: {
    lines: ['route.delete'],
    prepare:
      async ({ client, customer: { cname }, route: { id } }) =>
      () =>
        client.deleteRoute({ params: { id }, body: { cname } }),
  },
  bulkRoutes: {
    lines: ['route.move_group'],
    prepare: async ({ client, route: { domain_name } }) => {
      const { id } = (await client.createGroup({ body: { name: 'Shops' } })).result;
      return () =>
        client.bulkRoutes({ body: { action: 'move_group', selection: { names: [domain_name] }, group_id: id } });
    },
  },
  clearCache: {
    lines: ['route.cache_clear'],
    prepare: async (scene) => {
      await deployed(scene);
      return () => scene.client.clearCache({ params: { id: scene.route.id }, body: { kind: 'urls', values: ['/a'] } });
    },
  },
  fetchIntoCache: {
    lines: ['route.cache_fetch'],
    prepare: async (scene) => {
      await cached(scene);
      return () => scene.client.fetchIntoCache({ params: { id: scene.route.id }, body: { url: '/a' } });
    },
  },
  startDevelopmentMode: {
    lines: ['route.development_start'],
    prepare: async (scene) => {
      await deployed(scene);
      return () => scene.client.startDevelopmentMode({ params: { id: scene.route.id }, body: {} });
    },
  },
  endDevelopmentMode: {
    lines: ['route.development_end'],
    prepare: async (scene) => {
      const params = { id: (await deployed(scene)).route.id };
      await scene.client.startDevelopmentMode({ params, body: {} });
      return () => scene.client.endDevelopmentMode({ params });
    },
  },
  startPrefetch: {
    lines: ['route.prefetch'],
    prepare: async (scene) => {
      await cached(scene);
      return () => scene.client.startPrefetch({ params: { id: scene.route.id }, body: { urls: ['/a'] } });
    },
  },
  cancelPrefetch: {
    lines: ['route.prefetch_cancel'],
    prepare: async (scene) => {
      const params = { id: (await cached(scene)).route.id };
      const { id } = (await scene.client.startPrefetch({ params, body: { urls: ['/a'] } })).result;
      return () => scene.client.cancelPrefetch({ params: { ...params, prefetch_id: id } });
    },
  },
  updatePrefetchList: {
    lines: ['route.prefetch_list'],
    prepare:
      async ({ client, route: { id } }) =>
      () =>
        client.updatePrefetchList({ params: { id }, body: { urls: ['/a'], after_deploy: true } }),
  },
  runTask: {
    lines: ['task.schedule'],
    prepare: async (scene) => {
      await deployed(scene);
      return () => scheduled(scene);
    },
  },
  cancelTask: {
    lines: ['task.cancel'],
    prepare: async (scene) => {
      await deployed(scene);
      const id = await scheduled(scene);
      return () => scene.client.cancelTask({ params: { id } });
    },
  },
  addShadowDomains: {
    lines: ['route.shadow_add'],
    prepare: async (scene) => {
      await deployed(scene);
      return () => scene.client.addShadowDomains({ params: { id: scene.route.id }, body: { names: [uniqueName()] } });
    },
  },
  removeShadowDomains: {
    lines: ['route.shadow_remove'],
    prepare: async (scene) => {
      const name = await withShadow(scene);
      return () => scene.client.removeShadowDomains({ params: { id: scene.route.id }, body: { names: [name] } });
    },
  },
  promoteShadowDomain: {
    lines: ['route.shadow_promote'],
    prepare: async (scene) => {
      const name = await withShadow(scene, true);
      return () => scene.client.promoteShadowDomain({ params: { id: scene.route.id }, body: { name } });
    },
  },
  deployRoute: {
    lines: ['route.deploy'],
    prepare:
      async ({ client, route: { id } }) =>
      () =>
        client.deployRoute({ params: { id }, ifMatch: 1, body: { note: 'first' } }),
  },
  deactivateRoute: {
    lines: ['route.deactivate'],
    prepare: async (scene) => {
      await deployed(scene);
      return () => scene.client.deactivateRoute({ params: { id: scene.route.id } });
    },
  },
  resumeRoute: {
    lines: ['route.resume'],
    prepare: async (scene) => {
      await deployed(scene);
      await scene.client.deactivateRoute({ params: { id: scene.route.id } });
      await settled(scene);
      return () => scene.client.resumeRoute({ params: { id: scene.route.id } });
    },
  },
  rollBack: {
    lines: ['route.roll_back'],
    prepare: async (scene) => {
      await deployed(scene);
      const { id } = scene.route;
      await scene.client.updateRoute({ params: { id }, ifMatch: 1, body: { upstreams: upstreamsTo('8.8.8.8') } });
      return () => scene.client.rollBack({ params: { id, version: 1 }, ifMatch: 2, body: {} });
    },
  },
  discardDraft: {
    lines: ['route.draft_discard'],
    prepare: async (scene) => {
      await deployed(scene);
      const { id } = scene.route;
      await scene.client.updateRoute({ params: { id }, ifMatch: 1, body: { upstreams: upstreamsTo('8.8.8.8') } });
      return () => scene.client.discardDraft({ params: { id }, ifMatch: 2 });
    },
  },
  undoBatch: {
    lines: ['route.resume'],
    prepare: async (scene) => {
      await deployed(scene);
      const selection = { names: [scene.route.domain_name] };
      const { result } = await scene.client.bulkRoutes({ body: { action: 'deactivate', selection } });
      await eventually(async () => (await scene.client.listBatches({ query: { state: 'running' } })).count === 0);
      return () => scene.client.undoBatch({ params: { id: result.id } });
    },
  },
  resumeBatch: {
    lines: ['route.deactivate'],
    prepare: async (scene) => {
      await deployed(scene);
      const { id } = scene.route;
      const selection = { names: [scene.route.domain_name] };
      const { result } = await scene.client.bulkRoutes({ body: { action: 'deactivate', selection } });
      await eventually(async () => (await scene.client.listBatches({ query: { state: 'running' } })).count === 0);
      await scene.client.resumeRoute({ params: { id } });
      await settled(scene);
      // As if it had been given up before it did anything.
      const { pool } = test.api.platform;
      await pool.query(
        `UPDATE batch_items SET state = 'failed', error = '{"code":"BATCH_STOPPED"}', operation_id = NULL WHERE batch_id = $1`,
        [result.id],
      );
      await pool.query(`UPDATE batches SET state = 'failed', succeeded = 0, failed = 1, faults = 8 WHERE id = $1`, [
        result.id,
      ]);
      return () => scene.client.resumeBatch({ params: { id: result.id } });
    },
  },
  pauseRoute: {
    lines: ['route.pause'],
    prepare: async (scene) => {
      await deployed(scene);
      return () => scene.client.pauseRoute({ params: { id: scene.route.id }, body: { minutes: 15 } });
    },
  },
  updateSslConfig: {
    lines: ['route.ssl_update'],
    prepare: async (scene) => {
      const { pool } = test.api.platform;
      await pool.query('UPDATE routes SET certificate_id = gen_random_uuid() WHERE id = $1', [scene.route.id]);
      return () => scene.client.updateSslConfig({ params: { id: scene.route.id }, body: { force_https: true } });
    },
  },
  endPause: {
    lines: ['route.pause_end'],
    prepare: async (scene) => {
      await deployed(scene);
      await scene.client.pauseRoute({ params: { id: scene.route.id }, body: { minutes: 15 } });
      return () => scene.client.endPause({ params: { id: scene.route.id } });
    },
  },
  createGroup: {
    lines: ['group.create'],
    prepare:
      async ({ client }) =>
      () =>
        client.createGroup({ body: { name: 'Shops' } }),
  },
  renameGroup: {
    lines: ['group.rename'],
    prepare: async ({ client }) => {
      const { id } = (await client.createGroup({ body: { name: 'Shops' } })).result;
      return () => client.renameGroup({ params: { id }, body: { name: 'Blogs' } });
    },
  },
  deleteGroup: {
    lines: ['group.delete'],
    prepare: async ({ client }) => {
      const { id } = (await client.createGroup({ body: { name: 'Shops' } })).result;
      return () => client.deleteGroup({ params: { id } });
    },
  },
  startImport: {
    lines: ['route.create'],
    prepare:
      async ({ client, customer: { cname } }) =>
      () =>
        client.startImport({
          body: {
            cname,
            rows: [
              { row: 2, domain_name: uniqueName(), protocol: 'http', upstreams: '8.8.4.4', status: 'deactivated' },
            ],
          },
        }),
  },
  changeOriginLock: {
    lines: ['route.origin_lock.enable'],
    prepare:
      async ({ client, route: { id } }) =>
      () =>
        client.changeOriginLock({ params: { id }, body: { action: 'enable' } }),
  },
  revealOriginKey: {
    lines: ['route.origin_lock.reveal'],
    prepare: async ({ client, route: { id } }) => {
      await client.changeOriginLock({ params: { id }, body: { action: 'enable' } });
      return () => client.revealOriginKey({ params: { id } });
    },
  },
  createRule: { lines: ['rule.create'], prepare: async (scene) => () => aRule(scene) },
  updateRule: {
    lines: ['rule.update'],
    prepare: async (scene) => {
      const { id } = (await aRule(scene)).result;
      return () => scene.client.updateRule({ params: { id }, ifMatch: 1, body: { name: 'Other' } });
    },
  },
  deleteRule: {
    lines: ['rule.delete'],
    prepare: async (scene) => {
      const { id } = (await aRule(scene)).result;
      return () => scene.client.deleteRule({ params: { id }, body: { cname: scene.customer.cname } });
    },
  },
  applyRule: {
    // The template that was applied, and the draft that became another by it.
    lines: ['rule.apply', 'route.update'],
    prepare: async (scene) => {
      const { id } = (await aRule(scene)).result;
      return () => scene.client.applyRule({ params: { id }, ifMatch: 1, body: { selection: { filter: {} } } });
    },
  },
  copyPlugins: {
    lines: ['route.update'],
    prepare: async ({ client, customer, route: { id } }) => {
      await createDomain({ ...customer, client });
      await client.updateRoute({ params: { id }, ifMatch: 1, body: { plugins: [REFUSING] } });
      return () =>
        client.copyPlugins({
          params: { id },
          ifMatch: 2,
          body: { plugins: ['ip-restriction'], selection: { filter: {} } },
        });
    },
  },
  cloneRoute: {
    lines: ['route.create'],
    prepare:
      async ({ client, route: { id } }) =>
      () =>
        client.cloneRoute({ params: { id }, body: { domain_names: [uniqueName()] } }),
  },
  addBans: { lines: ['ban.add'], prepare: async (scene) => () => aBan(scene) },
  liftBans: {
    lines: ['ban.lift'],
    prepare: async (scene) => {
      const id = await aBan(scene);
      return () => scene.client.liftBans({ body: { ids: [id] } });
    },
  },
  restoreBans: {
    lines: ['ban.restore'],
    prepare: async (scene) => {
      const ids = [await aBan(scene)];
      await scene.client.liftBans({ body: { ids } });
      return () => scene.client.restoreBans({ body: { ids } });
    },
  },
  liftFoundBans: {
    lines: ['ban.lift'],
    prepare: async (scene) => {
      await aBan(scene);
      return () => scene.client.liftFoundBans({ body: { q: '' } });
    },
  },
  restoreFoundBans: {
    lines: ['ban.restore'],
    prepare: async (scene) => {
      await aBan(scene);
      const { lift_id } = (await scene.client.liftFoundBans({ body: { q: '' } })).result;
      return () => scene.client.restoreFoundBans({ body: { lift_id } });
    },
  },
  startAttackMode: {
    lines: ['under-attack.start'],
    prepare: async (scene) => () => scene.client.startAttackMode({ body: { route_id: scene.route.id } }),
  },
  endAttackMode: {
    lines: ['under-attack.end'],
    prepare: async (scene) => {
      await scene.client.startAttackMode({ body: { route_id: scene.route.id } });
      return () => scene.client.endAttackMode({ body: { route_id: scene.route.id } });
    },
  },
  restoreAttackMode: {
    lines: ['under-attack.restore'],
    prepare: async (scene) => {
      const body = { route_id: scene.route.id };
      await scene.client.startAttackMode({ body });
      await scene.client.endAttackMode({ body });
      return () => scene.client.restoreAttackMode({ body });
    },
  },
  allowNetworks: { lines: ['allow-list.add'], prepare: async (scene) => () => allow(scene) },
  removeAllowedNetworks: {
    lines: ['allow-list.remove'],
    prepare: async (scene) => {
      await allow(scene);
      return () => empty(scene);
    },
  },
  restoreAllowedNetworks: {
    lines: ['allow-list.restore'],
    prepare: async (scene) => {
      await allow(scene);
      const removal_id = await empty(scene);
      return () => scene.client.restoreAllowedNetworks({ body: { removal_id } });
    },
  },
};
/** Its line is read in `password-change.api.test.ts`, where people sign in with passwords. */
const WRITTEN_ELSEWHERE = ['changePassword'];
/** They look, preview or check. What a look at DNS finds is no action of the one who asks. */
const CHANGES_NOTHING = [
  'verifyOwnership',
  'verifyShadowDomains',
  'createPreview',
  'findDomains',
  'previewBulk',
  'previewImport',
  'previewRule',
  'previewCopy',
  'readCertificates',
  'checkDomain',
  'sendTestAttack',
  'tryCache',
  'traceRequest',
  'replayDraft',
  'replayRequests',
];

async function scene(): Promise<Scene> {
  await node.heartbeat();
  const customer = await createCustomer(test, { plan: 'vip-enterprise' });
  const client = test.clientFor(customer.token, { 'user-agent': AGENT });
  return { customer, client, route: await createDomain({ ...customer, client }) };
}

const linesOf = async (client: TestClient): Promise<AuditLine[]> =>
  (await client.listAuditLines({ query: { perpage: 100 } })).results;
const newestOf = async (client: TestClient): Promise<AuditLine> => (await linesOf(client))[0] as AuditLine;

/** Settings and details of a line that no catalog has words for. */
const wordless = ({ changes, details }: AuditLine): string[] => {
  const changed = ([details.changed ?? []].flat() as string[]).filter((path) => !path.startsWith('plugins.'));
  const fields = [...changed, ...changes.map(({ field }) => field)];
  return [
    ...fields.filter((field) => !(AUDIT_FIELDS as readonly string[]).includes(field)),
    ...Object.keys(details).filter((detail) => !(AUDIT_DETAILS as readonly string[]).includes(detail)),
  ];
};

describe('the audit log', () => {
  it('knows every call of the contract that writes', () => {
    const writing = (Object.entries({ ...operations, ...pluginOperations }) as [string, Operation][])
      .filter(([, { auth, method }]) => auth === 'user' && method !== 'GET')
      .map(([name]) => name);
    expect([...Object.keys(WRITES), ...WRITTEN_ELSEWHERE, ...CHANGES_NOTHING].sort()).toEqual(writing.sort());
  });

  it('says of which domain a clone was made', async () => {
    const { client, route } = await scene();
    const domain_names = [uniqueName()];
    await client.cloneRoute({ params: { id: route.id }, body: { domain_names } });
    const line = await eventually(async () =>
      (await linesOf(client)).find(({ object }) => object.name === domain_names[0]),
    );
    expect(line.details).toMatchObject({ cloned_from: route.domain_name });
  });

  it.each(Object.entries(WRITES))('has a line of %s: who, what, from where', async (_name, { lines, prepare }) => {
    const shown = await scene();
    const act = await prepare(shown);
    const before = new Set((await linesOf(shown.client)).map(({ id }) => id));
    await act();
    await eventually(async () => (await shown.client.listBatches({ query: { state: 'running' } })).count === 0);
    const added = (await linesOf(shown.client)).filter(({ id }) => !before.has(id));
    expect(added.map(({ action }) => action).sort()).toEqual([...lines].sort());
    for (const line of added) {
      expect(line).toMatchObject({
        actor: { kind: 'user', name: shown.customer.email },
        address: '127.0.0.1',
        user_agent: AGENT,
      });
      expect(line.object.kind).toMatch(/^(route|rule|group|task|token|subscription|user|account)$/);
      expect(wordless(line)).toEqual([]);
    }
  });

  it('has what was there before and what is there now, and of plugins only which were changed', async () => {
    const { client, route } = await scene();
    const { id, domain_name } = route;
    await client.updateRoute({
      params: { id },
      ifMatch: 1,
      body: { remarks: 'shop', upstreams: upstreamsTo('8.8.8.8'), plugins: [REFUSING] },
    });
    expect(await newestOf(client)).toMatchObject({
      action: 'route.update',
      object: { kind: 'route', id, name: domain_name, exists: true },
      details: { changed: ['upstreams.targets', 'plugins.ip-restriction'] },
      changes: [
        { field: 'upstreams.targets', before: ['8.8.4.4'], after: ['8.8.8.8'] },
        { field: 'remarks', before: '', after: 'shop' },
      ],
    });
    // Configurations of plugins may hold secrets.
    expect(JSON.stringify(await linesOf(client))).not.toContain('198.41.128.7');
    await client.deployRoute({ params: { id }, ifMatch: 2, body: { note: 'for the sale' } });
    expect(await newestOf(client)).toMatchObject({
      action: 'route.deploy',
      details: { version: 1, note: 'for the sale' },
    });
    await client.updateMe({ body: { locale: 'zh' } });
    expect((await newestOf(client)).changes).toEqual([{ field: 'locale', before: null, after: 'zh' }]);
    const count = (await linesOf(client)).length;
    await client.updateMe({ body: { locale: 'zh' } });
    expect(await linesOf(client)).toHaveLength(count);
  });

  it('has every setting of a domain but its certificates and plugins before and after', async () => {
    const { client, route } = await scene();
    const targets = [
      { host: '8.8.8.8', port: 8443, weight: 3, backup: false },
      { host: '8.8.4.4', port: null, weight: 1, backup: true },
    ];
    const upstreams = { protocol: 'https' as const, targets, connection_limit: 20, tls_verification: 'off' as const };
    await client.updateRoute({
      params: { id: route.id },
      ifMatch: 1,
      body: { wildcard_levels: 'all', upstreams },
    });
    const first = await newestOf(client);
    expect(wordless(first)).toEqual([]);
    expect(first.changes).toEqual([
      { field: 'wildcard_levels', before: 'one', after: 'all' },
      { field: 'upstreams.protocol', before: 'http', after: 'https' },
      { field: 'upstreams.targets', before: ['8.8.4.4'], after: ['8.8.8.8:8443 weight 3', '8.8.4.4 backup'] },
      { field: 'upstreams.connection_limit', before: 0, after: 20 },
      { field: 'upstreams.tls_verification', before: 'strict', after: 'off' },
    ]);
    const config = { redirect_url: 'https://new.example.com/' };
    await client.updateRoute({
      params: { id: route.id },
      ifMatch: 2,
      body: { traffic_action: 'redirect', plugins: [{ name: 'redirect', enabled: true, config }] },
    });
    expect((await newestOf(client)).changes).toEqual([
      { field: 'traffic_action', before: 'upstream', after: 'redirect' },
      { field: 'redirects_to', before: null, after: 'https://new.example.com/' },
    ]);
  });

  it('says which objects are still there, and what they were called', async () => {
    const { client, customer, route } = await scene();
    const group = (await client.createGroup({ body: { name: 'Shops' } })).result;
    await client.renameGroup({ params: { id: group.id }, body: { name: 'Blogs' } });
    const objects = async () =>
      (await linesOf(client)).map(({ action, object }) => [action, object.name, object.exists]);
    expect(await objects()).toEqual([
      ['group.rename', 'Blogs', true],
      ['group.create', 'Shops', true],
      ['route.create', route.domain_name, true],
    ]);
    await client.deleteGroup({ params: { id: group.id } });
    await client.deleteRoute({ params: { id: route.id }, body: { cname: customer.cname } });
    expect(await objects()).toEqual([
      ['route.delete', route.domain_name, false],
      ['group.delete', 'Blogs', false],
      ['group.rename', 'Blogs', false],
      ['group.create', 'Shops', false],
      ['route.create', route.domain_name, false],
    ]);
  });

  it('shows and finds international names as people write them', async () => {
    const customer = await createCustomer(test);
    const { id } = await createDomain(customer, 'www.fußweg-audit.example');
    const { client } = customer;
    const { results } = await client.listAuditLines({ query: { q: 'fußweg-audit.example' } });
    expect(results[0]?.object).toMatchObject({ kind: 'route', id, name: 'www.fußweg-audit.example' });
    expect((await client.listAuditLines({ query: { q: 'xn--fuweg-audit' } })).count).toBe(results.length);
    expect((await client.listAuditLines({ query: { q: 'fußball' } })).count).toBe(0);
  });

  it('names the domain of a ban', async () => {
    const { client, route } = await scene();
    await client.addBans({ body: { networks: ['198.41.128.9'], route_id: route.id } });
    expect(await newestOf(client)).toMatchObject({
      action: 'ban.add',
      object: { kind: 'route', id: route.id, name: route.domain_name },
      details: { networks: ['198.41.128.9'], count: 1 },
    });
    await client.addBans({ body: { networks: ['198.41.128.9'] } });
    expect((await newestOf(client)).object).toEqual({ kind: 'account', id: null, name: null, exists: false });
  });

  it("shows an operator's commands with the reason", async () => {
    const { client, route } = await scene();
    const { env, db } = test.api.platform;
    const how = { env, db, print: () => undefined, readStdin: async () => '' };
    await runOperator(how, ['suspend', 'route', route.id, '--reason', 'phishing, ticket 7']);
    expect(await newestOf(client)).toMatchObject({
      actor: { kind: 'operator', name: expect.stringMatching(/^operator \(.+\)$/) },
      action: 'operator.suspend_route',
      object: { kind: 'route', name: route.domain_name },
      reason: 'phishing, ticket 7',
      address: null,
    });
  });

  it('is opened to tokens by a scope of its own', async () => {
    const { customer } = await scene();
    const { env, db } = test.api.platform;
    const accounts = createAccountService(env, db);
    const statusWith = async (scopes: readonly TokenScope[]) => {
      const how = { accountId: customer.accountId, name: 'x', scopes, ttlSeconds: 60 };
      const { token } = await accounts.issueOperatorToken(db, how);
      const calls = ['user/audit/', 'user/audit/export/', 'user/audit/lines/1/'].map((path) =>
        test.call('GET', path, { token }),
      );
      return (await Promise.all(calls)).map(({ status }) => status);
    };
    expect(await statusWith(['audit:read'])).toEqual([200, 200, 404]);
    expect(await statusWith(['account:read', 'domains:read', 'domains:write'])).toEqual([403, 403, 403]);
  });
});

const NEWEST = new Date(Math.floor(Date.now() / 60_000 - 60) * 60_000);
/** Lines of an account: `count` of them, a second apart, the newest an hour old, by columns that differ from the usual. */
const fill = (accountId: string, count: number, columns: { action?: string; kind?: string; actor?: string } = {}) =>
  test.api.platform.pool.query(
    `INSERT INTO audit_log (account_id, actor_kind, actor, action, subject, details, at)
     SELECT $1, $3, $5, $4, 'route ' || gen_random_uuid(), jsonb_build_object('domain_name', 'site' || n || '.example.com'),
       $6::timestamptz - n * interval '1 second' FROM generate_series(1, $2::int) n`,
    [
      accountId,
      count,
      columns.kind ?? 'user',
      columns.action ?? 'route.deploy',
      columns.actor ?? 'jane@example.com',
      NEWEST,
    ],
  );

/** Blocks of 8 kB that a statement looks at. */
async function blocksReadBy(query: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>`
    EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${query}`.execute(test.api.platform.db);
  const plan = rows[0]?.['QUERY PLAN'][0].Plan ?? {};
  return (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0);
}

describe('the list', () => {
  it("has the account's own lines only", async () => {
    const [own, other] = [await createCustomer(test), await createCustomer(test)];
    await fill(own.accountId, 3);
    expect((await own.client.listAuditLines({})).count).toBe(3);
    expect(await other.client.listAuditLines({})).toMatchObject({ count: 0, results: [] });
    const csv = await test.call('GET', 'user/audit/export/', { token: other.token });
    expect(csv.text.trim().split('\r\n')).toHaveLength(1);
  });

  it("has each line under its id, and no other account's", async () => {
    const [own, other] = [await createCustomer(test), await createCustomer(test)];
    await fill(own.accountId, 2);
    const [line] = await linesOf(own.client);
    const params = { id: line?.id ?? 0 };
    expect((await own.client.getAuditLine({ params })).result).toEqual(line);
    await expect(other.client.getAuditLine({ params })).rejects.toMatchObject({ status: 404 });
    const unknown = { id: Number.MAX_SAFE_INTEGER };
    await expect(own.client.getAuditLine({ params: unknown })).rejects.toMatchObject({ status: 404 });
    expect((await test.call('GET', 'user/audit/lines/x/', { token: own.token })).status).toBe(404);
  });

  it.each([
    ['0000-01-01T00:00:00Z', 422],
    ['9999-12-31T23:59:59-23:59', 422],
    ['2026-01-01T00:00:00+23:59', 200],
  ])('takes times that there are: %s', async (time, status) => {
    const { token } = await createCustomer(test);
    for (const path of ['user/audit/', 'user/audit/export/'])
      for (const bound of ['from', 'to']) {
        const answer = await test.call('GET', `${path}?${bound}=${encodeURIComponent(time)}`, { token });
        expect([answer.status, answer.body?.[bound]], path).toEqual([status, status === 200 ? undefined : 'INVALID']);
      }
  });

  it('is filtered by text, action, kind of actor and time', async () => {
    const { accountId, client, token } = await createCustomer(test);
    await fill(accountId, 30);
    await fill(accountId, 2, { action: 'route.delete' });
    await fill(accountId, 4, { kind: 'token', actor: '100%_ci' });
    const count = async (query: NonNullable<Parameters<typeof client.listAuditLines>[0]>['query']) =>
      (await client.listAuditLines({ query })).count;
    expect(await count({})).toBe(36);
    expect(await count({ q: 'SITE3.example' })).toBe(2);
    expect(await count({ q: '100%_c' })).toBe(4);
    expect(await count({ q: '_' })).toBe(4);
    expect(await count({ action: 'route.delete' })).toBe(2);
    expect(await count({ action: 'route.delete', q: 'site2.' })).toBe(1);
    expect(await count({ actor: 'token' })).toBe(4);
    const { at } = (await client.listAuditLines({ query: { action: 'route.delete' } })).results[0] as AuditLine;
    const next = new Date(Date.parse(at) + 1).toISOString();
    // The newest of each kind is of the same second.
    expect(await count({ from: at })).toBe(3);
    expect(await count({ to: next })).toBe(36);
    expect(await count({ to: at })).toBe(33);
    expect((await test.call('GET', 'user/audit/?from=yesterday', { token })).status).toBe(422);
  });

  it('is read page by page, newest first', async () => {
    const { accountId, client } = await createCustomer(test);
    await fill(accountId, 25);
    const pages = await Promise.all(
      [1, 2, 3, 4].map((page) => client.listAuditLines({ query: { page, perpage: 10 } })),
    );
    expect(pages.map(({ results }) => results.length)).toEqual([10, 10, 5, 0]);
    const names = pages.flatMap(({ results }) => results.map(({ object }) => object.name));
    expect(names).toEqual(Array.from({ length: 25 }, (_, index) => `site${index + 1}.example.com`));
  });

  it('reads what it shows and no more, whatever is asked, however long the log is', async () => {
    const { accountId, client } = await createCustomer(test);
    const { pool } = test.api.platform;
    await fill(accountId, AUDIT_LIST_MAX + 2_000);
    await fill(accountId, 20, { action: 'group.create', kind: 'operator' });
    await pool.query('VACUUM ANALYZE audit_log');
    const first = await client.listAuditLines({});
    expect(first.count).toBe(AUDIT_LIST_MAX);
    expect((await client.listAuditLines({ query: { page: 101, perpage: 100 } })).results).toEqual([]);
    const page = { limit: 10, offset: 0 };
    for (const filter of [{}, { action: 'group.create' }, { actor: 'operator' as const }, { q: 'site11111.' }]) {
      expect(await blocksReadBy(pageQuery({ accountId, ...filter }, page)), JSON.stringify(filter)).toBeLessThan(100);
      expect(await blocksReadBy(countQuery({ accountId, ...filter })), JSON.stringify(filter)).toBeLessThan(1_000);
    }
  });
});

describe('the CSV file', () => {
  it('has the lines of the filter, and what a spreadsheet would run does not run', async () => {
    const { accountId, token } = await createCustomer(test);
    await fill(accountId, 2, { actor: '=cmd|"/C calc"!A0' });
    await fill(accountId, 3, { action: 'route.delete' });
    const { headers, text } = await test.call('GET', 'user/audit/export/?action=route.deploy', { token });
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(headers.get('content-disposition')).toMatch(/^attachment; filename="audit-log-\d{4}-\d\d-\d\d\.csv"$/);
    const lines = text.trim().split('\r\n');
    expect(lines[0]).toBe(
      'time,actor_kind,actor,action,object_kind,object_id,object_name,reason,changes,details,address,user_agent',
    );
    expect(lines.slice(1).map((line) => line.split(',').slice(1, 4).join())).toEqual([
      `user,"'=cmd|""/C calc""!A0",route.deploy`,
      `user,"'=cmd|""/C calc""!A0",route.deploy`,
    ]);
  });

  it('goes on beyond the pieces in which it is read, without a gap', async () => {
    const { accountId, token } = await createCustomer(test);
    await fill(accountId, 2_500);
    // All of one moment: only their ids part them.
    await test.api.platform.pool.query(`UPDATE audit_log SET at = now() WHERE account_id = $1`, [accountId]);
    const { text } = await test.call('GET', 'user/audit/export/', { token });
    const names = text.match(/site\d+\.example\.com/g) ?? [];
    expect([names.length, new Set(names).size]).toEqual([2_500, 2_500]);
  });
});

describe('lines of long ago', () => {
  it('are forgotten, in pieces, and no others', async () => {
    const { accountId, client } = await createCustomer(test);
    const { db, pool } = test.api.platform;
    await fill(accountId, 12);
    await pool.query(
      `UPDATE audit_log SET at = now() - make_interval(days => $2) WHERE account_id = $1
         AND id IN (SELECT id FROM audit_log WHERE account_id = $1 ORDER BY id LIMIT 7)`,
      [accountId, AUDIT_RETENTION_DAYS + 1],
    );
    // The oldest of all by their ids: lines of other tests came before.
    await pool.query('DELETE FROM audit_log WHERE account_id IS DISTINCT FROM $1', [accountId]);
    expect(await forgetOldest(db, AUDIT_RETENTION_DAYS, 5)).toBe(5);
    await createAuditService(db).forgetOld();
    expect((await client.listAuditLines({})).count).toBe(5);
  });
});
