import { type EdgePrefetch, edgePrefetch, PREFETCHES_MAX } from '@cordon/contract';
import { afterAll, describe, expect, it } from 'vitest';
import { startEdgeApi } from '../../testing/edge-api.ts';
import {
  type Customer,
  createCustomer,
  createDomain,
  eventually,
  startFakeNode,
  uniqueName,
} from '../../testing/fixtures.ts';
import { createPrefetchService } from './prefetch-service.ts';

const { test, node } = await startEdgeApi();
const second = await startFakeNode(test);
afterAll(() => second.stop());
let customer: Customer;

const CACHE = { name: 'advance-proxy-cache', enabled: true, config: {} };
type Plugin = typeof CACHE;

async function settled(id: string, owner: Customer) {
  await eventually(async () => (await owner.client.getRoute({ params: { id } })).result.operation?.state !== 'running');
}

/** A domain of an account of its own, since an account may have few that run. */
async function deployed(plugins: Plugin[] = [CACHE], name = uniqueName(), plan: 'free' | 'vip' = 'vip') {
  customer = await createCustomer(test, { plan });
  const { id } = await createDomain(customer, name);
  const params = { id };
  const { draft_revision: ifMatch } = (await customer.client.updateRoute({ params, ifMatch: 1, body: { plugins } }))
    .result;
  await customer.client.deployRoute({ params, ifMatch, body: {} });
  await settled(id, customer);
  for (const one of [node, second]) await one.heartbeat();
  return { id, name, params };
}

const start = async (params: { id: string }, urls: string[], refresh = false) =>
  (await customer.client.startPrefetch({ params, body: { urls, refresh } })).result;
const get = async (params: { id: string }, prefetch_id: string) =>
  (await customer.client.getPrefetch({ params: { ...params, prefetch_id } })).result;
const refused = async (routeId: string, body: unknown, path = 'prefetch') => {
  const method = path === 'prefetch' ? 'POST' : 'PUT';
  const answer = await test.call(method, `domain/routes/${routeId}/${path}/`, { token: customer.token, body });
  return { ...answer.body, status: answer.status };
};
const partsOf = (id: string, of = node) =>
  of.prefetches.filter((one): one is EdgePrefetch => one.id === id && !('ended' in one));
const isEnded = (id: string, of = node) => of.prefetches.some((one) => one.id === id && 'ended' in one);
const sent = (id: string, of = node) => eventually(() => partsOf(id, of).length > 0 && partsOf(id, of));
const report = (id: string, values: object = {}) => ({
  ...{ id, state: 'done' as const, kept: 0, fresh: 0, unkept: 0, failed: 0 },
  ...values,
});
const queryOf = async (text: string, values: unknown[]) => (await test.api.platform.pool.query(text, values)).rows;
const service = () => createPrefetchService(test.api.platform);

describe('a prefetch', () => {
  it('reaches the live nodes, and shows what each says of it until all are done', async () => {
    const { id, name, params } = await deployed();
    const begun = await start(params, ['/a b?x=\u00fc', `HTTPS://${name}/c`, '/a%20b?x=%C3%BC'], true);
    expect(begun).toMatchObject({
      ...{ state: 'running', cause: 'call', version: null, refresh: true, visits: 3, created_by: customer.email },
      ...{ urls: ['/a b?x=\u00fc', `HTTPS://${name}/c`], url_count: 2, problems: [], ended_at: null },
    });
    expect(begun.nodes.map((one) => one.state)).toEqual(['waiting', 'waiting']);
    const [part] = await sent(begun.id);
    expect(part).toEqual({
      ...{ id: begun.id, route_id: id, part: 0, parts: 1, refresh: true, hosts: [name], devices: [], languages: [] },
      urls: [
        { scheme: null, host: null, target: '/a%20b?x=%C3%BC' },
        { scheme: 'https', host: name, target: '/c' },
      ],
    });
    expect(edgePrefetch.parse(part)).toEqual(part);
    await sent(begun.id, second);
    const problem = { url: `http://${name}/x`, device: null, language: null, status: 200, reason: 'no_store' };
    await node.reportPrefetches([report(begun.id, { state: 'running', kept: 1, unkept: 1, problems: [problem] })]);
    const [mine] = (await get(params, begun.id)).nodes.filter((one) => one.name === node.name);
    expect(mine).toEqual({ name: node.name, state: 'running', kept: 1, fresh: 0, unkept: 1, failed: 0 });
    await node.reportPrefetches([report(begun.id, { kept: 2, unkept: 1 })]);
    expect(await get(params, begun.id)).toMatchObject({
      ...{ state: 'running', ended_at: null },
      problems: [{ ...problem, node: node.name }],
    });
    await second.reportPrefetches([report(begun.id, { fresh: 3 })]);
    const ended = await get(params, begun.id);
    expect(ended).toMatchObject({ state: 'done', ended_at: expect.any(String) });
    const { results, count } = await customer.client.listPrefetches({ params });
    expect([results[0]?.id, results[0]?.first_urls.length, count]).toEqual([begun.id, 2, 1]);
    // What is over is over.
    await node.reportPrefetches([report(begun.id, { kept: 99 })]);
    expect((await get(params, begun.id)).nodes).toEqual(ended.nodes);
  });

  it('asks once for each device and language of the key, and comes in small parts', async () => {
    const key = { by_device: true, languages: ['en', 'zh-CN'] };
    const { params } = await deployed([{ ...CACHE, config: { key } }]);
    const urls = Array.from({ length: 60 }, (_, at) => `/${at}/${'x'.repeat(2_000)}`);
    const { id, visits } = await start(params, urls);
    expect(visits).toBe(60 * 2 * 3 * 2);
    const parts = await eventually(() => partsOf(id).length === partsOf(id)[0]?.parts && partsOf(id));
    expect(parts.length).toBeGreaterThan(2);
    expect(parts.map(({ part }) => part)).toEqual(parts.map((_, at) => at));
    expect(Math.max(...parts.map((part) => JSON.stringify(part).length))).toBeLessThan(40_000);
    expect(parts.flatMap((part) => part.urls.map(({ target }) => target))).toEqual(urls);
    expect(parts[1]).toMatchObject({ devices: ['mobile', 'tablet', 'desktop'], languages: ['en', 'zh-CN'] });
  });

  it('asks by HTTPS alone where visitors get nothing else, unless a URL says otherwise', async () => {
    const { id, name, params } = await deployed();
    await queryOf('UPDATE routes SET force_https = true WHERE id = $1', [id]);
    const begun = await start(params, ['/a', `http://${name}/b`]);
    expect([begun.visits, (await sent(begun.id))[0]?.urls.map(({ scheme }) => scheme)]).toEqual([2, ['https', 'http']]);
  });

  it('ends on nodes when it is cancelled, and counts for nothing there afterwards', async () => {
    const { params } = await deployed();
    const { id } = await start(params, ['/a']);
    await sent(id);
    await sent(id, second);
    const cancelled = (await customer.client.cancelPrefetch({ params: { ...params, prefetch_id: id } })).result;
    expect(cancelled).toMatchObject({ state: 'cancelled', ended_at: expect.any(String) });
    expect(cancelled.nodes.map(({ state }) => state)).toEqual(['cancelled', 'cancelled']);
    await eventually(() => isEnded(id) && isEnded(id, second));
    await node.reportPrefetches([report(id, { kept: 1 })]);
    const again = (await customer.client.cancelPrefetch({ params: { ...params, prefetch_id: id } })).result;
    expect(again).toEqual(cancelled);
  });

  it('does not wait for a node that is silent from the beginning, nor for one that becomes so', async () => {
    const { params } = await deployed();
    const gone = await startFakeNode(test);
    await queryOf(`UPDATE edge_nodes SET last_seen_at = now() - interval '1 hour' WHERE name = $1`, [gone.name]);
    const { id, nodes } = await start(params, ['/a']);
    expect(nodes.find(({ name }) => name === gone.name)?.state).toBe('silent');
    await sent(id);
    await node.reportPrefetches([report(id, { kept: 1, state: 'running' })]);
    await second.reportPrefetches([report(id, { kept: 2 })]);
    await service().look(id);
    expect((await get(params, id)).state).toBe('running');
    await queryOf(`UPDATE prefetch_nodes SET heard_at = now() - interval '31 s' WHERE prefetch_id = $1`, [id]);
    await service().look(id);
    const ended = await get(params, id);
    expect([ended.state, ended.nodes.find(({ name }) => name === node.name)]).toEqual([
      'done',
      { name: node.name, state: 'silent', kept: 1, fresh: 0, unkept: 0, failed: 0 },
    ]);
    // Should it be there again, it is to stop.
    await eventually(() => isEnded(id));
    expect(partsOf(id, gone)).toEqual([]);
    gone.stop();
    await queryOf('UPDATE edge_nodes SET revoked_at = now() WHERE name = $1', [gone.name]);
  });

  it('is over after half an hour, whatever nodes say, and is looked at by itself until then', async () => {
    const { params } = await deployed();
    const { id } = await start(params, ['/a']);
    await sent(id);
    const jobs = await queryOf(`SELECT 1 FROM graphile_worker.jobs WHERE key = $1`, [`look-at-prefetch/${id}`]);
    expect(jobs).toHaveLength(1);
    await queryOf(`UPDATE prefetches SET created_at = now() - interval '32 minutes' WHERE id = $1`, [id]);
    await node.reportPrefetches([report(id, { state: 'running' })]);
    await service().look(id);
    expect((await get(params, id)).nodes.map(({ state }) => state)).toEqual(['timed_out', 'timed_out']);
  });

  it('is told to nodes of the czone alone, and no other has a say about it', async () => {
    const { params } = await deployed();
    const { id } = await start(params, ['/a']);
    await sent(id);
    const other = await startFakeNode(test, ['free01']);
    await other.reportPrefetches([report(id, { kept: 7 })]);
    expect((await get(params, id)).nodes.map(({ kept }) => kept)).toEqual([0, 0]);
    expect(other.prefetches).toEqual([]);
    other.stop();
    await queryOf('UPDATE edge_nodes SET revoked_at = now() WHERE name = $1', [other.name]);
  });

  it.each([
    ['urls.0', 'CACHE_URL_FOREIGN', ['https://other.example/']],
    ['urls.1', 'CACHE_URL_INVALID', ['/ok', 'ftp://a/']],
    ['urls.1', 'CACHE_URL_PATTERN', ['/a%2Ab', '/a*b']],
    ['urls.1', 'TOO_LONG', ['/ok', `/${'\u4f60'.repeat(600)}`]],
    ['urls', 'REQUIRED', []],
    ['urls', 'TOO_MANY', Array.from({ length: 501 }, (_, at) => `/${at}`)],
  ])('refuses at %s with %s', async (field, code, urls) => {
    const { id } = await deployed();
    expect(await refused(id, { urls })).toMatchObject({ status: 422, [field]: code });
  });

  it('refuses more than 10,000 requests, and says how many it would be', async () => {
    const languages = ['en', 'zh-CN', 'fr', 'de', 'es', 'it', 'ja'];
    const { id } = await deployed([{ ...CACHE, config: { key: { by_device: true, languages } } }]);
    const urls = (count: number) => Array.from({ length: count }, (_, at) => `/${at}`);
    expect(await refused(id, { urls: urls(239) })).toMatchObject({
      ...{ status: 422, urls: 'PREFETCH_TOO_MANY' },
      params: { urls: { count: 239 * 2 * 21, maximum: 10_000 } },
    });
    expect(await refused(id, { urls: urls(238) })).toMatchObject({ status: 202 });
  });

  it('is refused where nothing would be kept, for free accounts, and for what is not live', async () => {
    const { id: plain } = await deployed([{ ...CACHE, enabled: false }]);
    expect(await refused(plain, { urls: ['/a'] })).toMatchObject({ status: 409, code: 'PREFETCH_NOT_CACHED' });
    const isOff = { global_default_caching: false, global_disable_cache_completely: true };
    const { id: off } = await deployed([{ ...CACHE, config: isOff }]);
    expect(await refused(off, { urls: ['/a'] })).toMatchObject({ status: 409, code: 'PREFETCH_NOT_CACHED' });
    const { id: free } = await deployed([CACHE], uniqueName(), 'free');
    expect(await refused(free, { urls: ['/a'] })).toMatchObject({
      ...{ status: 403, code: 'PREFETCH_NEEDS_PLAN', message: 'A free account cannot prefetch.' },
    });
    expect(await refused(free, { urls: ['/a'], after_deploy: true }, 'prefetch-list')).toMatchObject({
      code: 'PREFETCH_NEEDS_PLAN',
    });
    customer = await createCustomer(test, { plan: 'vip' });
    const { id: draft } = await createDomain(customer);
    expect(await refused(draft, { urls: ['/a'] })).toMatchObject({ status: 409, code: 'DOMAIN_NOT_DEPLOYED' });
  });

  it('is one of three of an account at a time', async () => {
    const { id, params } = await deployed();
    const ids: string[] = [];
    for (let at = 0; at < PREFETCHES_MAX; at++) ids.push((await start(params, [`/${at}`])).id);
    expect(await refused(id, { urls: ['/4'] })).toMatchObject({ status: 409, code: 'PREFETCHES_FULL' });
    await customer.client.cancelPrefetch({ params: { ...params, prefetch_id: ids[1] ?? '' } });
    expect(await refused(id, { urls: ['/4'] })).toMatchObject({ status: 202 });
  });

  it('is forgotten after 30 days', async () => {
    const { params } = await deployed();
    const { id } = await start(params, ['/a']);
    await queryOf(`UPDATE prefetches SET created_at = now() - interval '31 days' WHERE id = $1`, [id]);
    await service().forgetOld();
    await expect(get(params, id)).rejects.toMatchObject({ status: 404 });
  });
});

describe('the list of a domain', () => {
  const set = async (params: { id: string }, urls: string[], after_deploy = true) =>
    (await customer.client.updatePrefetchList({ params, body: { urls, after_deploy } })).result;
  const listed = async (params: { id: string }) => (await customer.client.listPrefetches({ params })).results;
  async function deploy(params: { id: string }, plugins: Plugin[] = [CACHE]) {
    const { draft_revision: before } = (await customer.client.getRoute({ params })).result;
    const changed = await customer.client.updateRoute({ params, ifMatch: before, body: { plugins } });
    await customer.client.deployRoute({ params, ifMatch: changed.result.draft_revision, body: {} });
  }

  it('is fetched when a version has reached all nodes, not before, and again with a roll-back', async () => {
    const { id, params } = await deployed();
    expect(await set(params, ['/a', '/a', '/b'])).toMatchObject({
      ...{ urls: ['/a', '/b'], after_deploy: true, skipped: null, updated_by: customer.email },
    });
    const { probe } = second;
    second.probe = () => undefined;
    await deploy(params, [{ ...CACHE, config: { cache_ttl: 77 } }]);
    await eventually(() => node.routes.get(id)?.version === 2);
    expect(await listed(params)).toEqual([]);
    second.probe = probe;
    const change = { route_id: id, revision: node.changes.findLast((one) => one.route_id === id)?.revision ?? 0 };
    await fetch(`${test.url}/api/v1/edge/receipts/`, {
      method: 'POST',
      headers: { authorization: `Bearer ${second.credential}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        receipts: [{ ...change, version: 2, applied_ms: 1, probe: { ok: true, status: 200, version: 2 } }],
      }),
    });
    const [first] = await eventually(async () => (await listed(params)).length === 1 && listed(params));
    expect(first).toMatchObject({ cause: 'deploy', version: 2, refresh: false, first_urls: ['/a', '/b'] });
    expect(await sent(first?.id ?? '', second)).toMatchObject([{ route_id: id }]);
    // By then the node has the version.
    const order = [...node.changes.map((one) => one.route?.version)];
    expect(order.at(-1)).toBe(2);
    const { draft_revision: ifMatch } = (await customer.client.getRoute({ params })).result;
    await customer.client.rollBack({ params: { id, version: 1 }, ifMatch, body: { deploy: true } });
    const [latest] = await eventually(async () => (await listed(params)).length === 2 && listed(params));
    expect(latest).toMatchObject({ cause: 'deploy', version: 3, state: 'running' });
    // The later deploy's is in its place.
    expect((await listed(params))[1]).toMatchObject({ version: 2, state: 'cancelled' });
    const { results } = await customer.client.listAuditLines({ query: { action: 'route.prefetch_cancel' } });
    expect(results.filter(({ object }) => object.id === id)).toMatchObject([
      { actor: { kind: 'system' }, details: { entries: 2, cause: 'deployed_again' } },
    ]);
  });

  it('stays where it is through pauses, and when it is not to be fetched', async () => {
    const { id, params } = await deployed();
    await set(params, ['/a']);
    await customer.client.pauseRoute({ params, body: { minutes: 15 } });
    await eventually(
      async () => (await customer.client.getRoute({ params })).result.immediate_operation?.state === 'successful',
    );
    await set(params, ['/a'], false);
    await deploy(params, [{ ...CACHE, config: { cache_ttl: 78 } }]);
    await settled(id, customer);
    const jobs = await queryOf(`SELECT 1 FROM graphile_worker.jobs WHERE key = $1`, [`prefetch-after-deploy/${id}`]);
    expect([jobs, await listed(params)]).toEqual([[], []]);
  });

  it('says why it was not fetched', async () => {
    const { params } = await deployed();
    await set(params, ['/a']);
    await deploy(params, [{ ...CACHE, enabled: false }]);
    const skipped = await eventually(
      async () => (await customer.client.getPrefetchList({ params })).result.skipped ?? undefined,
    );
    expect(skipped).toMatchObject({ code: 'PREFETCH_NOT_CACHED', params: {}, version: 2 });
    expect(await listed(params)).toEqual([]);
  });

  it('leaves out what the domain answers for no longer', async () => {
    const { id, params } = await deployed();
    const shadow = uniqueName();
    await customer.client.addShadowDomains({ params, body: { names: [shadow] } });
    await set(params, [`http://${shadow}/a`, '/b']);
    await customer.client.removeShadowDomains({ params, body: { names: [shadow] } });
    await service().startAfterDeploy({ route_id: id, version: 1, tries: 0 });
    expect((await listed(params))[0]).toMatchObject({ first_urls: ['/b'], url_count: 1, visits: 2, left_out: 1 });
  });

  it('says why none of it was fetched, where each URL is one that would be refused now', async () => {
    const { id, params } = await deployed();
    await set(params, ['/a']);
    await queryOf(`UPDATE prefetch_lists SET urls = '{/news/*,http://other.example/}' WHERE route_id = $1`, [id]);
    await service().startAfterDeploy({ route_id: id, version: 1, tries: 0 });
    const { skipped } = (await customer.client.getPrefetchList({ params })).result;
    expect([skipped?.code, await listed(params)]).toEqual(['CACHE_URL_PATTERN', []]);
  });

  it('may be there before the first deploy, and has 100 URLs of the domain at most', async () => {
    customer = await createCustomer(test, { plan: 'vip' });
    const { id } = await createDomain(customer);
    expect(await set({ id }, ['/a'])).toMatchObject({ urls: ['/a'] });
    const bad = (urls: string[]) => refused(id, { urls, after_deploy: true }, 'prefetch-list');
    expect(await bad(['/a', 'http://other.example/'])).toMatchObject({ 'urls.1': 'CACHE_URL_FOREIGN' });
    expect(await bad(Array.from({ length: 101 }, (_, at) => `/${at}`))).toMatchObject({ urls: 'TOO_MANY' });
    expect(await set({ id }, [])).toMatchObject({ urls: [] });
  });
});
