import { cases } from '@cordon/plugins/cases';
import { definitions } from '@cordon/plugins/definitions';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type Customer,
  createCustomer,
  createDomain,
  startFakeNode,
  uniqueName,
  upstreamsTo,
} from '../../testing/fixtures.ts';
import { startApi, type TestApi } from '../../testing/start-api.ts';

let test: TestApi;
let free: Customer;
let vip: Customer;
beforeAll(async () => {
  test = await startApi({ CORDON_UPSTREAM_ALLOW: '127.0.0.1:18411' }, { withQueue: false });
  (await startFakeNode(test, ['free01'], { addresses: ['198.41.0.4'] })).stop();
});
afterAll(() => test.stop());
beforeEach(async () => {
  free = await createCustomer(test);
  vip = await createCustomer(test, { plan: 'vip' });
});

/** Everything that adding a domain writes. */
async function written(): Promise<unknown> {
  const { rows } = await sql`SELECT (SELECT count(*) FROM routes) AS routes, (SELECT count(*) FROM names) AS names,
    (SELECT count(*) FROM route_drafts) AS drafts, (SELECT count(*) FROM exclusive_labels) AS labels, (SELECT count(*) FROM route_versions) AS versions,
    (SELECT coalesce(sum(names_used), 0) FROM subscriptions) AS used, (SELECT count(*) FROM edge_routes) AS edge, (SELECT count(*) FROM operations) AS operations,
    (SELECT count(*) FROM audit_log) AS audit, (SELECT count(*) FROM events) AS events,
    (SELECT count(*) FROM graphile_worker.jobs) AS jobs`.execute(test.api.platform.db);
  return rows[0];
}

/** Adds a domain that must be refused; answers the body after making sure that nothing was written. */
async function refused(customer: Customer, body: Record<string, unknown> | string, status = 422) {
  const before = await written();
  const whole =
    typeof body === 'string'
      ? body
      : { cname: customer.cname, domain_name: uniqueName(), upstreams: upstreamsTo(), ...body };
  const response = await test.call('POST', 'domain/routes/', { token: customer.token, body: whole });
  expect(response.status, response.text).toBe(status);
  expect(response.body).toMatchObject({
    success: false,
    request_id: expect.stringMatching(/^[0-9a-f]{32}$/),
    message: expect.any(String),
  });
  expect(await written()).toEqual(before);
  return response.body;
}

/** Every plugin that needs a VIP plan, with a configuration of its cases. */
const vipPlugins = () =>
  definitions
    .filter(({ tier }) => tier === 'vip')
    .map(({ name }) => ({ name, enabled: true, config: cases[name]?.[0]?.config as Record<string, unknown> }));

describe('a body that is none', () => {
  it.each(['{', '', '{"a":1,}', 'null garbage', '{"__proto__":{"x":1}}'])(
    '%j is answered as malformed',
    async (body) => {
      expect(await refused(free, body, 400)).toMatchObject({ code: 'MALFORMED_JSON' });
    },
  );
  it.each(['[]', '"text"', '5', 'null'])('%s is no domain', async (body) => {
    await refused(free, body);
  });
  it('must be JSON by its media type', async () => {
    const response = await test.call('POST', 'domain/routes/', {
      token: free.token,
      body: 'a=b',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(response.status).toBe(415);
    expect(response.body).toMatchObject({ success: false, code: 'UNSUPPORTED_MEDIA_TYPE' });
  });
  it('is nested deeper than any configuration is refused, with a key for repeating it as well', async () => {
    const deep = `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`;
    const body = `{"cname":"${free.cname}","domain_name":"deep.example.com","upstreams":{"protocol":"http","targets":[]},
      "plugins":[{"name":"ip-restriction","enabled":true,"config":${deep}}]}`;
    const send = (headers: Record<string, string>) =>
      test.call('POST', 'domain/routes/', { token: free.token, body, headers });
    const [once, repeatable] = [await send({}), await send({ 'idempotency-key': 'deep' })];
    for (const { status, body: answer } of [once, repeatable]) {
      expect([status, answer.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
      expect(answer.message).toBe('Objects and lists may lie in each other 32 deep.');
    }
  });
  it('may not be larger than what any configuration needs', async () => {
    const response = await test.call('POST', 'domain/routes/', {
      token: free.token,
      body: { remarks: 'x'.repeat(5 * 1024 * 1024) },
    });
    expect(response.status).toBe(413);
    expect(response.body).toMatchObject({ success: false, code: 'PAYLOAD_TOO_LARGE' });
  });
});

describe('fields', () => {
  it('that are unknown are refused by name, at every level', async () => {
    expect(await refused(free, { colour: 'red' })).toMatchObject({ colour: 'UNKNOWN_FIELD' });
    const target = { host: '8.8.4.4', colour: 'red' };
    expect(await refused(free, { upstreams: { protocol: 'http', targets: [target] } })).toMatchObject({
      'upstreams.targets.0.colour': 'UNKNOWN_FIELD',
    });
  });
  it('that are missing or of another type are told', async () => {
    const response = await test.call('POST', 'domain/routes/', { token: free.token, body: {} });
    expect(response.body).toMatchObject({ cname: 'REQUIRED', domain_name: 'REQUIRED', upstreams: 'REQUIRED' });
    expect(await refused(free, { domain_name: 5 })).toMatchObject({ domain_name: 'INVALID_TYPE' });
  });
  it('that are too long are refused with their bound', async () => {
    expect(await refused(free, { remarks: 'x'.repeat(1001) })).toMatchObject({
      remarks: 'TOO_LONG',
      params: { remarks: { maximum: 1000 } },
    });
    expect(await refused(free, { cname: 'x'.repeat(256) })).toMatchObject({ cname: 'TOO_LONG' });
    expect(await refused(free, { domain_name: `${'a'.repeat(2000)}.com` })).toMatchObject({ domain_name: 'TOO_LONG' });
  });
  it('of the query are checked as well', async () => {
    expect((await test.call('GET', 'domain/routes/?page=0', { token: free.token })).body).toMatchObject({
      page: 'TOO_SMALL',
    });
    expect((await test.call('GET', 'domain/routes/?perpage=101', { token: free.token })).body).toMatchObject({
      perpage: 'TOO_LARGE',
    });
    expect((await test.call('GET', 'domain/routes/?sort=password', { token: free.token })).body).toMatchObject({
      sort: 'NOT_ALLOWED',
    });
    expect((await test.call('GET', 'domain/routes/?colour=red', { token: free.token })).body).toMatchObject({
      colour: 'UNKNOWN_FIELD',
    });
  });
});

describe('a domain name', () => {
  it.each([
    ['example.com.', 'DOMAIN_NAME_TRAILING_DOT'],
    ['exa mple.com', 'DOMAIN_NAME_INVALID'],
    ['exa_mple.com', 'DOMAIN_NAME_INVALID'],
    ['-a.example.com', 'DOMAIN_LABEL_HYPHEN'],
    [`${'a'.repeat(64)}.example.com`, 'DOMAIN_LABEL_TOO_LONG'],
    [`${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(63)}.com`, 'DOMAIN_NAME_TOO_LONG'],
    ['localhost', 'DOMAIN_NAME_NEEDS_DOT'],
    ['192.0.2.1', 'DOMAIN_NAME_IS_ADDRESS'],
    ['https://example.com/', 'DOMAIN_NAME_IS_URL'],
    ['wildcard.example.com', 'WILDCARD_LABEL_RESERVED'],
    ['a.*.example.com', 'WILDCARD_MALFORMED'],
    ['', 'REQUIRED'],
    ['co.uk', 'PUBLIC_SUFFIX'],
    ['github.io', 'PUBLIC_SUFFIX'],
    ['com.cn', 'PUBLIC_SUFFIX'],
    ['cordon.test', 'OWN_HOST'],
    ['free01.edge.cordon.test', 'OWN_HOST'],
    ['x.free01.edge.cordon.test', 'OWN_HOST'],
  ])('%s is refused as %s', async (name, code) => {
    expect(await refused(vip, { domain_name: name })).toMatchObject({ domain_name: code });
  });
  it('that is a wildcard over a public suffix or over us is refused', async () => {
    expect(await refused(vip, { domain_name: '*.co.uk' })).toMatchObject({ domain_name: 'WILDCARD_OF_PUBLIC_SUFFIX' });
    expect(await refused(vip, { domain_name: '*.cordon.test' })).toMatchObject({ domain_name: 'OWN_HOST' });
  });
  it('in Unicode is kept as A-labels and shown as people read it', async () => {
    const route = await createDomain(vip, 'Bücher.Example.com');
    expect(route).toMatchObject({
      domain_name: 'xn--bcher-kva.example.com',
      domain_name_unicode: 'bücher.example.com',
    });
    const chinese = await createDomain(vip, '例子.测试.example.net');
    expect(chinese.domain_name_unicode).toBe('例子.测试.example.net');
    expect(await refused(vip, { domain_name: 'xn--bcher-kva.example.com' })).toMatchObject({
      domain_name: 'DOMAIN_NAME_YOURS',
    });
  });
  it('that is mine already is told so; another account only hears that it is taken', async () => {
    const mine = await createDomain(vip);
    expect(await refused(vip, { domain_name: mine.domain_name.toUpperCase() })).toMatchObject({
      domain_name: 'DOMAIN_NAME_YOURS',
    });
    const body = await refused(free, { domain_name: mine.domain_name });
    expect(body).toMatchObject({ domain_name: 'DOMAIN_NAME_TAKEN' });
    expect(JSON.stringify(body)).not.toContain(vip.accountId);
    expect(JSON.stringify(body)).not.toContain(vip.email);
    expect(JSON.stringify(body)).not.toContain(mine.cname);
  });
  it('that is a wildcard needs VIP', async () => {
    expect(await refused(free, { domain_name: '*.wild.example.org' })).toMatchObject({
      domain_name: 'WILDCARD_NEEDS_VIP',
    });
  });
  it("may not span another account's name, in either direction", async () => {
    await createDomain(free, 'shop.spanned.example.org');
    expect(await refused(vip, { domain_name: '*.spanned.example.org' })).toMatchObject({
      domain_name: 'WILDCARD_SPANS_OTHERS',
    });
    await createDomain(vip, '*.covered.example.org');
    expect(await refused(free, { domain_name: 'a.b.covered.example.org' })).toMatchObject({
      domain_name: 'WILDCARD_SPANS_OTHERS',
    });
    await createDomain(vip, 'own.covered.example.org');
    await createDomain(free, 'covered.example.org');
  });
});

describe('upstreams', () => {
  const to = (...targets: unknown[]) => ({ upstreams: { protocol: 'http', targets } });
  it.each([
    [{ host: '127.0.0.1' }, 'host', 'UPSTREAM_FORBIDDEN'],
    [{ host: '127.0.0.1', port: 18412 }, 'host', 'UPSTREAM_FORBIDDEN'],
    [{ host: '10.1.2.3' }, 'host', 'UPSTREAM_FORBIDDEN'],
    [{ host: '169.254.169.254' }, 'host', 'UPSTREAM_FORBIDDEN'],
    [{ host: '100.64.0.1' }, 'host', 'UPSTREAM_FORBIDDEN'],
    [{ host: '0.0.0.0' }, 'host', 'UPSTREAM_FORBIDDEN'],
    [{ host: '224.0.0.1' }, 'host', 'UPSTREAM_FORBIDDEN'],
    [{ host: '::1' }, 'host', 'UPSTREAM_FORBIDDEN'],
    [{ host: '[::ffff:10.0.0.1]' }, 'host', 'UPSTREAM_FORBIDDEN'],
    [{ host: '64:ff9b::a00:1' }, 'host', 'UPSTREAM_FORBIDDEN'],
    [{ host: 'fe80::1' }, 'host', 'UPSTREAM_FORBIDDEN'],
    [{ host: '198.41.0.4' }, 'host', 'UPSTREAM_FORBIDDEN'],
    [{ host: '8.8.4.4', port: 25 }, 'port', 'PORT_NOT_WEB'],
    [{ host: '8.8.4.4', port: 0 }, 'port', 'PORT_RANGE'],
    [{ host: '8.8.4.4', port: 65536 }, 'port', 'PORT_RANGE'],
    [{ host: '8.8.4.4', port: 1.5 }, 'port', 'NOT_INTEGER'],
    [{ host: '8.8.4.4', weight: 0 }, 'weight', 'TOO_SMALL'],
    [{ host: '8.8.4.0/24' }, 'host', 'UPSTREAM_MASK'],
    [{ host: '0.0.0.0/0' }, 'host', 'UPSTREAM_MASK_ZERO'],
    [{ host: 'http://origin.example.net' }, 'host', 'UPSTREAM_IS_URL'],
    [{ host: 'origin.example.net:80' }, 'host', 'UPSTREAM_HAS_PORT'],
    [{ host: '' }, 'host', 'UPSTREAM_REQUIRED'],
  ])('%j is refused at its %s', async (target, field, code) => {
    expect(await refused(vip, to(target))).toMatchObject({ [`upstreams.targets.0.${field}`]: code });
  });
  it('that resolve to a forbidden address are answered like those that do not exist', async () => {
    test.dns.setAddresses('inside.example.net', ['10.0.0.5']);
    const body = await refused(
      vip,
      to({ host: '10.0.0.5' }, { host: 'inside.example.net' }, { host: 'nowhere.example.net' }),
    );
    const fields = Object.entries(body).filter(([name]) => name.startsWith('upstreams'));
    expect(fields).toEqual([['upstreams.targets.0.host', 'UPSTREAM_FORBIDDEN']]);
  });
  it('are asked about again with each deploy, but not with a draft that leaves them', async () => {
    const host = `${uniqueName('origin')}.example.net`;
    const { addresses } = test.dns;
    let asked = 0;
    test.dns.addresses = async (name) => {
      if (name !== host) return addresses(name);
      asked++;
      return ['8.8.8.8'];
    };
    try {
      const { result: made } = await vip.client.createRoute({
        body: { cname: vip.cname, domain_name: uniqueName('asked.example'), ...to({ host }), deploy: true },
      } as never);
      const save = async (more: object) => {
        const { result } = await vip.client.getRoute({ params: { id: made.id } });
        const before = asked;
        await vip.client.updateRoute({ params: { id: made.id }, ifMatch: result.draft_revision, body: more } as never);
        return asked > before;
      };
      expect(asked).toBeGreaterThan(0);
      const plugins = [{ name: 'ip-restriction', enabled: true, config: { blacklistMode: true, deny: ['9.9.9.9'] } }];
      expect(await save({ plugins })).toBe(false);
      expect(await save(to({ host, weight: 2 }))).toBe(true);
      expect(await save({ plugins: [], deploy: true })).toBe(true);
    } finally {
      test.dns.addresses = addresses;
    }
  });
  it('by name need VIP', async () => {
    expect(await refused(free, to({ host: 'origin.example.net' }))).toMatchObject({
      'upstreams.targets.0.host': 'DOMAIN_UPSTREAM_NEEDS_VIP',
    });
  });
  it('that lead back to us are refused', async () => {
    const body = await refused(vip, {
      domain_name: 'loop.example.org',
      ...to({ host: 'loop.example.org' }, { host: 'x.free01.edge.cordon.test' }),
    });
    expect(body).toMatchObject({
      'upstreams.targets.0.host': 'UPSTREAM_LOOP',
      'upstreams.targets.1.host': 'UPSTREAM_LOOP',
    });
  });
  it('are needed, differ, have a protocol, and have no port with http_https', async () => {
    expect(await refused(vip, to())).toMatchObject({ 'upstreams.targets': 'UPSTREAM_REQUIRED' });
    expect(await refused(vip, to({ host: '8.8.4.4' }, { host: '8.8.4.4', port: 80 }))).toMatchObject({
      'upstreams.targets.1.host': 'UPSTREAM_DUPLICATE',
    });
    expect(await refused(vip, { upstreams: { targets: [] } })).toMatchObject({
      'upstreams.protocol': 'PROTOCOL_REQUIRED',
    });
    expect(await refused(vip, { upstreams: { protocol: 'ftp', targets: [] } })).toMatchObject({
      'upstreams.protocol': 'NOT_ALLOWED',
    });
    expect(
      await refused(vip, { upstreams: { protocol: 'http_https', targets: [{ host: '8.8.4.4', port: 80 }] } }),
    ).toMatchObject({ 'upstreams.targets.0.port': 'PORT_FORBIDDEN' });
    expect(await refused(vip, to({ host: '8.8.4.4', backup: true }))).toMatchObject({
      'upstreams.targets': 'UPSTREAM_ONLY_BACKUP',
    });
  });
  it('that are allowed by exact address and port may be used, and no others', async () => {
    const allowed = { cname: free.cname, domain_name: uniqueName(), upstreams: upstreamsTo('127.0.0.1', 18411) };
    expect((await test.call('POST', 'domain/routes/', { token: free.token, body: allowed })).status).toBe(201);
  });
});

describe('plugins', () => {
  it.each([
    [{ deny: ['1.1.1.1', '2.2.2.2', '3.3.3.3', 'nonsense'] }, 'deny.3', 'ADDRESS_INVALID'],
    [{ deny: ['1.1.1.1', '0.0.0.0/0'] }, 'deny.1', 'RANGE_TOO_WIDE'],
    [{ deny: ['1.1.1.1', '1.1.1.1/32'] }, 'deny.1', 'DUPLICATE_ENTRY'],
    [{ deny: ['8.8.8.0/24', '8.8.8.8'] }, 'deny.1', 'ADDRESS_CONFLICT'],
    [{ allow: ['1.1.1.1'], deny: ['1.1.1.1'] }, 'allow.0', 'IP_RESTRICTION_ALSO_DENIED'],
    [{ deny: [] }, 'deny', 'IP_RESTRICTION_EMPTY'],
    [{ deny: ['10.0.0.1', '127.0.0.1', 'fe80::1', 'ff02::1', '::', '240.0.0.1'] }, 'deny', 'IP_RESTRICTION_EMPTY'],
    [{ blacklistMode: false, deny: ['1.1.1.1'] }, 'whitelistMode', 'IP_RESTRICTION_NO_MODE'],
  ])('have their faults told at the entry: %j', async (fields, place, code) => {
    const plugin = { name: 'ip-restriction', enabled: true, config: { blacklistMode: true, ...fields } };
    expect(await refused(free, { plugins: [plugin] })).toMatchObject({ [`plugins.0.config.${place}`]: code });
  });
  it.each(vipPlugins())('of VIP plans are refused to a free one while they are on: $name', async (plugin) => {
    expect(await refused(free, { plugins: [plugin] })).toMatchObject({ 'plugins.0.enabled': 'PLUGIN_NEEDS_VIP' });
    for (const [customer, enabled] of [[free, false] as const, [vip, true] as const]) {
      const plugins = [{ ...plugin, enabled }];
      const body = { cname: customer.cname, domain_name: uniqueName(), upstreams: upstreamsTo(), plugins };
      expect((await customer.client.createRoute({ body })).result.draft.plugins).toMatchObject([{ enabled }]);
    }
  });
  it('that are unknown, or given twice, are refused', async () => {
    expect(await refused(free, { plugins: [{ name: 'teleport', enabled: true, config: {} }] })).toMatchObject({
      'plugins.0.name': 'PLUGIN_UNKNOWN',
    });
    const plugin = { name: 'ip-restriction', enabled: true, config: { blacklistMode: true, deny: ['1.1.1.1'] } };
    expect(await refused(free, { plugins: [plugin, plugin] })).toMatchObject({ 'plugins.1.name': 'DUPLICATE_ENTRY' });
  });
  it('are kept with every default written out', async () => {
    const plugin = { name: 'ip-restriction', enabled: true, config: { blacklistMode: true, deny: ['1.1.1.1'] } };
    const { result } = await free.client.createRoute({
      body: { cname: free.cname, domain_name: uniqueName(), upstreams: upstreamsTo(), plugins: [plugin] },
    });
    expect(result.draft.plugins[0]?.config).toEqual({
      allow: [],
      deny: ['1.1.1.1'],
      whitelistMode: false,
      blacklistMode: true,
      allow_spiders: true,
    });
  });
  it('are told at their place in a change, not in the draft', async () => {
    const plugin = { name: 'ip-restriction', enabled: true, config: { blacklistMode: true, deny: ['1.1.1.1'] } };
    const { result } = await free.client.createRoute({
      body: { cname: free.cname, domain_name: uniqueName(), upstreams: upstreamsTo(), plugins: [plugin] },
    });
    const response = await test.call('PATCH', `domain/routes/${result.id}/`, {
      token: free.token,
      headers: { 'if-match': '"1"' },
      body: { plugins: [{ ...plugin, config: { ...plugin.config, deny: ['x'] } }] },
    });
    expect(response.body).toMatchObject({ 'plugins.0.config.deny.0': 'ADDRESS_INVALID' });
    expect((await free.client.getRoute({ params: { id: result.id } })).result).toMatchObject({
      draft_revision: 1,
      draft: { plugins: [{ config: { deny: ['1.1.1.1'] } }] },
    });
  });
});

describe('a subscription', () => {
  it('of another account, or none, is not found', async () => {
    expect(await refused(free, { cname: vip.cname }, 404)).toMatchObject({ code: 'SUBSCRIPTION_NOT_FOUND' });
    expect(await refused(free, { cname: 'nothing.free01.edge.cordon.test' }, 404)).toMatchObject({
      code: 'SUBSCRIPTION_NOT_FOUND',
    });
  });
  it('that is full takes no more', async () => {
    for (let count = 0; count < 3; count++) await createDomain(free);
    expect(await refused(free, {}, 403)).toMatchObject({ code: 'QUOTA_REACHED' });
  });
});

describe('the address of a call', () => {
  it('that leads nowhere answers in our shape', async () => {
    expect((await test.call('GET', 'domain/nothing/', { token: free.token })).body).toMatchObject({
      success: false,
      code: 'NOT_FOUND',
    });
    const wrongMethod = await test.call('PUT', 'domain/routes/', { token: free.token, body: {} });
    expect(wrongMethod.status).toBe(405);
    expect(wrongMethod.headers.get('allow')).toContain('POST');
    expect((await test.call('GET', 'domain/routes/not-an-id/', { token: free.token })).status).toBe(404);
    expect((await test.call('GET', `domain/routes/${'a'.repeat(500)}/`, { token: free.token })).status).toBe(404);
    expect((await test.call('GET', 'domain/routes/%zz/', { token: free.token })).body).toMatchObject({
      success: false,
    });
  });
  it('is the same without the slash at its end', async () => {
    expect((await test.call('GET', 'domain/routes', { token: free.token })).status).toBe(200);
  });
  it('of an unknown host is refused', async () => {
    const { request } = await import('node:http');
    const status = await new Promise<number | undefined>((resolve) => {
      request(`${test.url}/api/v1/brand/`, { headers: { host: 'evil.example.com' } }, (res) =>
        resolve(res.resume().statusCode),
      ).end();
    });
    expect(status).toBe(421);
  });
});
