import type { EdgeLook, EdgeLookResult, EdgeStoredObject, Route } from '@cordon/contract';
import { beforeEach, describe, expect, it } from 'vitest';
import { startEdgeApi } from '../../testing/edge-api.ts';
import {
  type Customer,
  createCustomer,
  NOTHING_STORED,
  startFakeNode,
  uniqueName,
  upstreamsTo,
  VISITED,
} from '../../testing/fixtures.ts';

const { test, node } = await startEdgeApi();

const STORED: EdgeStoredObject = {
  ...{ status: 200, content_type: 'text/css', content_encoding: 'br', bytes: 900, is_sliced: false },
  ...{ made_at: 1_790_000_000, fresh_until: 1_790_003_600 },
  ...{ stale_while_revalidate_until: 1_790_003_600, stale_if_error_until: 1_790_090_000 },
  ...{ tags: ['front'], etag: '"one"', last_modified: '', vary: 'Accept-Encoding' },
};
const VISIT = { ...VISITED, cache_status: `Other; hit, ${VISITED.cache_status}` };
const withStored = (more: Partial<EdgeLookResult> = {}): EdgeLookResult => ({
  ...NOTHING_STORED,
  objects: { br: STORED, gzip: null, identity: null },
  ...more,
});

beforeEach(async () => {
  await node.heartbeat();
  node.looks.length = 0;
  node.answerLook = () => withStored();
});

const strategy = { name: 'proxy-cache', enabled: true, config: { cache_paths: ['/static'], cache_postfixes: ['css'] } };
const advanced = (config: object = {}) => ({ name: 'advance-proxy-cache', enabled: true, config });
const key = { query: 'only', query_names: ['id'], by_device: true, languages: ['en', 'de'] };

/** Of a customer of its own: fetches have a rate. */
async function deployed(plugins: unknown[] = [advanced()], deploy = true) {
  const who = await createCustomer(test, { plan: 'vip-enterprise' });
  const body = { cname: who.cname, domain_name: uniqueName(), upstreams: upstreamsTo(), plugins, deploy };
  const { result: route } = await who.client.createRoute({ body: body as never });
  return { route, who, params: { id: route.id } };
}
interface Deployed {
  readonly route: Pick<Route, 'id'>;
  readonly who: Customer;
}
const call = ({ route, who }: Deployed, body: unknown, path = '') =>
  test.call('POST', `domain/routes/${route.id}/cache/try/${path}`, { token: who.token, body });
const tried = async (made: Awaited<ReturnType<typeof deployed>>, body: object) =>
  (await made.who.client.tryCache({ params: made.params, body: body as never })).result;

describe('trying a URL', () => {
  it('says what happens before the cache, that it is looked for, by which key, for how long, and what nodes have', async () => {
    const made = await deployed([advanced({ key, cache_ttl: 7200 })]);
    const { domain_name: name } = made.route;
    const answer = await tried(made, { url: '/shop/list.html?utm=1&id=7', device: 'mobile', language: 'de-AT' });
    expect(answer).toMatchObject({
      ...{ version: 1, is_paused: false, plugin: 'advance-proxy-cache', bypass: null },
      request: { scheme: 'https', host: name, path: '/shop/list.html', query: 'utm=1&id=7' },
      key: { query: 'id=7', left_out: ['utm=1'], device: 'mobile', language: 'de', languages: ['en', 'de'] },
      policy: { default_seconds: 7200, is_default_forced: false, stale_while_revalidate_seconds: 0 },
      nodes: [{ name: node.name, state: 'answered', objects: { br: STORED, gzip: null, identity: null } }],
    });
    const [asked] = node.looks;
    expect(asked).toMatchObject({
      ...{ route_id: made.route.id, scheme: 'https', host: name, path: '/shop/list.html' },
      target: '/shop/list.html?utm=1&id=7',
    });
    expect(asked?.fetch).toBeUndefined();
    const fields = Object.fromEntries((asked?.headers ?? []).map(({ name: field, value }) => [field, value]));
    expect(fields).toMatchObject({
      'User-Agent': expect.stringContaining('Mobile'),
      'Accept-Encoding': 'gzip, deflate, br, zstd',
      'Accept-Language': 'de-AT',
    });
  });

  it('says by which headers a node has copies for others, where none is for this request', async () => {
    const made = await deployed();
    expect((await tried(made, { url: '/' })).nodes[0]).not.toHaveProperty('varies_by');
    node.answerLook = () => ({ ...NOTHING_STORED, varies_by: 'x-kind' });
    expect((await tried(made, { url: '/' })).nodes[0]).toMatchObject({ varies_by: 'x-kind' });
  });

  it('says why the request passes by the cache, by the handler that the edge has', async () => {
    const made = await deployed([strategy]);
    expect(await tried(made, { url: '/account' })).toMatchObject({ plugin: 'proxy-cache', bypass: 'path' });
    expect(await tried(made, { url: '/static/a' })).toMatchObject({ bypass: null });
    const ruled = await deployed([advanced({ bypass_rules: [{ on: 'argument', name: 'preview' }] })]);
    expect(await tried(ruled, { url: '/?preview=1' })).toMatchObject({ bypass: 'rule' });
    expect(await tried(await deployed([]), { url: '/' })).toMatchObject({ plugin: null, bypass: null, key: null });
    await made.who.client.startDevelopmentMode({ params: made.params, body: {} });
    expect(await tried(made, { url: '/static/a' })).toMatchObject({ bypass: 'development' });
  });

  it.each(['X-HTTP-Method-Override', 'x-http-method', 'X-Method-Override'])(
    'says that a request with %s passes by the cache, in development mode too, as nodes have it',
    async (name) => {
      const made = await deployed();
      const body = { url: '/', headers: [{ name, value: 'DELETE' }] };
      expect(await tried(made, body)).toMatchObject({ bypass: 'request' });
      await made.who.client.startDevelopmentMode({ params: made.params, body: {} });
      expect(await tried(made, body)).toMatchObject({ bypass: 'request' });
      expect(await tried(made, { url: '/' })).toMatchObject({ bypass: 'development' });
    },
  );

  it('says that large files are in slices where no directives of requests are obeyed', async () => {
    const slicedOf = async (config: object) =>
      (await tried(await deployed([advanced(config)]), { url: '/film.mp4' })).key?.is_sliced;
    expect(await slicedOf({})).toBe(true);
    expect(await slicedOf({ enable_cache_control: true })).toBe(false);
  });

  it('says what the request itself asks of the cache, where that is obeyed', async () => {
    const body = {
      url: '/',
      headers: [
        { name: 'Cache-Control', value: 'max-age=x, ONLY-IF-CACHED' },
        { name: 'cache-control', value: 'max-stale' },
        { name: 'Pragma', value: 'no-cache' },
      ],
    };
    const obeying = await deployed([advanced({ enable_cache_control: true })]);
    expect((await tried(obeying, body)).asked).toEqual({
      ...{ no_store: false, no_cache: false, no_transform: false, only_if_cached: true },
      ...{ max_age: -1, max_stale: 2 ** 31, min_fresh: null, stale_if_error: null },
    });
    const pragma = { url: '/', headers: [{ name: 'Pragma', value: 'no-cache' }] };
    expect((await tried(obeying, pragma)).asked).toMatchObject({ no_cache: true });
    expect((await tried(obeying, { url: '/' })).asked).toBeNull();
    expect((await tried(await deployed(), body)).asked).toBeNull();
  });

  it('names what stops a visitor before the cache', async () => {
    const made = await deployed([
      advanced(),
      { name: 'challenge', enabled: true, config: { mode: 'js', path: '^/account', pass_time: '30m' } },
    ]);
    expect((await tried(made, { url: '/account' })).before).toMatchObject({
      ...{ outcome: 'block', step: 'ownership', reason: 'not_verified' },
    });
    test.dns.setCname(made.route.domain_name, made.route.cname);
    await made.who.client.verifyOwnership({ params: made.params });
    expect((await tried(made, { url: '/account' })).before).toMatchObject({
      ...{ outcome: 'challenge', step: 'plugin', plugin: 'challenge', status: 403 },
    });
    expect((await tried(made, { url: '/' })).before).toMatchObject({ outcome: 'pass', plugin: '' });
  });

  it('asks for what a browser would send of a URL, and reads it as clears do', async () => {
    const made = await deployed();
    const { domain_name: name } = made.route;
    const { request } = await tried(made, { url: `http://${name.toUpperCase()}//a/../caf%C3%A9//b c?q=ä` });
    expect(request).toMatchObject({ scheme: 'http', host: name, path: '/caf%C3%A9/b%20c' });
    expect(node.looks[0]).toMatchObject({ scheme: 'http', target: '//caf%C3%A9//b%20c?q=%C3%A4' });
    expect(node.looks[0]?.headers).toContainEqual({ name: 'Accept-Encoding', value: 'gzip, deflate' });
  });

  it('says which nodes are silent, and waits 2 s for one that is live', async () => {
    const other = await startFakeNode(test);
    const made = await deployed();
    other.answerLook = () => undefined;
    const startedAt = performance.now();
    const { nodes } = await tried(made, { url: '/' });
    expect(performance.now() - startedAt).toBeGreaterThan(1_900);
    expect(Object.fromEntries(nodes.map(({ name, state, objects }) => [name, [state, objects === null]]))).toEqual({
      [node.name]: ['answered', false],
      [other.name]: ['silent', true],
    });
    other.stop();
    await test.api.platform.pool.query('UPDATE edge_nodes SET revoked_at = now() WHERE name = $1', [other.name]);
    const { rows } = await test.api.platform.pool.query('SELECT id FROM edge_looks');
    expect(rows).toEqual([]);
  });
});

describe('fetching it once', () => {
  it('is done by a live node as a visitor would, and says what became of it and what is stored then', async () => {
    const made = await deployed();
    node.answerLook = (look: EdgeLook) => withStored(look.fetch ? { visit: VISIT } : {});
    const { result } = await made.who.client.fetchIntoCache({ params: made.params, body: { url: '/', refresh: true } });
    expect(result).toMatchObject({
      ...{ node: node.name, status: 200, cache_control: 'max-age=3600', age: null, sets_cookie: false, bytes: 900 },
      cache: { is_hit: false, forward: 'uri-miss', forward_status: 200, is_stored: true, ttl: 3600, detail: null },
      nodes: [{ name: node.name, state: 'answered' }],
    });
    expect(node.looks.map(({ fetch }) => fetch)).toEqual([{ refresh: true }, undefined]);
  });

  it('is in the audit log before the node has answered, without the query, and not where no node is asked', async () => {
    const made = await deployed();
    const { client, email } = made.who;
    const lines = async () => (await client.listAuditLines({ query: { action: 'route.cache_fetch' } })).results;
    await node.heartbeat('down');
    const body = { url: '/reports//a b?token=s3cret' };
    await expect(client.fetchIntoCache({ params: made.params, body })).rejects.toThrow();
    expect(await lines()).toEqual([]);
    await node.heartbeat();
    const seen: unknown[] = [];
    node.answerLook = async (look: EdgeLook) => {
      if (look.fetch) seen.push(...(await lines()));
      return withStored(look.fetch ? { visit: VISIT } : {});
    };
    await client.fetchIntoCache({ params: made.params, body });
    expect(seen).toEqual(await lines());
    expect(seen).toMatchObject([
      {
        ...{ actor: { kind: 'user', name: email }, object: { kind: 'route', name: made.route.domain_name } },
        details: { url: `https://${made.route.domain_name}/reports/a%20b?…`, node: node.name, refresh: false },
      },
    ]);
  });

  it.each([
    ['Cordon; hit; ttl=-5', { is_hit: true, forward: null, ttl: -5, is_stored: false }],
    ['Cordon; fwd=uri-miss; fwd-status=200; detail=set_cookie', { is_stored: false, detail: 'set_cookie' }],
    ['Cordon; fwd=bypass; detail=rule', { forward: 'bypass', detail: 'rule' }],
    ['', null],
  ])('says in parts what Cache-Status says: %j', async (cache_status, cache) => {
    const made = await deployed();
    node.answerLook = ({ fetch }) => withStored(fetch ? { visit: { ...VISIT, cache_status, status: 0 } } : {});
    const { result } = await made.who.client.fetchIntoCache({ params: made.params, body: { url: '/' } });
    expect(result.status).toBeNull();
    expect(result.cache).toEqual(cache === null ? null : expect.objectContaining(cache));
  });

  it('is refused where no node can, and asks an origin so often only', async () => {
    const made = await deployed();
    node.answerLook = (look) => (look.fetch ? undefined : withStored());
    await node.heartbeat('down');
    expect(await call(made, { url: '/' }, 'fetch/')).toMatchObject({ body: { code: 'GATEWAY_CONNECTION_ERROR' } });
    await node.heartbeat();
    node.answerLook = (look) => withStored(look.fetch ? { visit: VISIT } : {});
    const statuses: number[] = [];
    for (let sent = 0; sent < 25; sent++) statuses.push((await call(made, { url: '/' }, 'fetch/')).status);
    expect(statuses).toContain(429);
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(15);
  });
});

describe.each(['', 'fetch/'])('neither is done (%s)', (path) => {
  it.each([
    ['ftp://x.test/', 'CACHE_URL_INVALID'],
    ['/a#b', 'CACHE_URL_FRAGMENT'],
    ['https://elsewhere.test/', 'CACHE_URL_FOREIGN'],
    ['', 'REQUIRED'],
    [`/${'ä'.repeat(3_000)}`, 'TOO_LONG'],
  ])('for %j', async (url, code) => {
    expect(await call(await deployed(), { url }, path)).toMatchObject({ status: 422, body: { url: code } });
    expect(node.looks).toEqual([]);
  });

  it.each(['Host', 'cordon-visit', 'Range', 'X-Forwarded-For', 'If-None-Match'])('with the field %s', async (name) => {
    const made = await deployed();
    const headers = [
      { name: 'X-Kind', value: 'a' },
      { name, value: '1' },
    ];
    expect(await call(made, { url: '/', headers }, path)).toMatchObject({
      body: { 'headers.1.name': 'NOT_ALLOWED' },
    });
  });

  it('of another account, before a deploy, or while it is off', async () => {
    const made = await deployed();
    expect(await call({ ...made, who: await createCustomer(test) }, { url: '/' }, path)).toMatchObject({ status: 404 });
    expect((await call(await deployed([], false), { url: '/' }, path)).body).toMatchObject({
      code: 'DOMAIN_NOT_DEPLOYED',
    });
    await made.who.client.deactivateRoute({ params: made.params });
    expect((await call(made, { url: '/' }, path)).body).toMatchObject({ code: 'DOMAIN_STATE_FORBIDS' });
    expect(node.looks).toEqual([]);
  });
});
