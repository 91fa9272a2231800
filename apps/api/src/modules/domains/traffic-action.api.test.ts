import { beforeEach, describe, expect, it } from 'vitest';
import { startEdgeApi } from '../../testing/edge-api.ts';
import {
  type Customer,
  configuredPlugins,
  createCustomer,
  createDomain,
  eventually,
  uniqueName,
  upstreamsTo,
} from '../../testing/fixtures.ts';

const { test, node } = await startEdgeApi();
let free: Customer;
let vip: Customer;
beforeEach(async () => {
  free = await createCustomer(test);
  vip = await createCustomer(test, { plan: 'vip' });
});

const redirectTo = (redirect_url: unknown, enabled = true) => ({ name: 'redirect', enabled, config: { redirect_url } });

async function add(customer: Customer, body: Record<string, unknown>) {
  const whole = { cname: customer.cname, domain_name: uniqueName(), ...body };
  const response = await test.call('POST', 'domain/routes/', { token: customer.token, body: whole });
  return { status: response.status, body: response.body as Record<string, unknown> & { result: never } };
}
async function change(customer: Customer, id: string, body: Record<string, unknown>) {
  const { result } = await customer.client.getRoute({ params: { id } });
  const headers = { 'if-match': `"${result.draft_revision}"` };
  const response = await test.call('PATCH', `domain/routes/${id}/`, { token: customer.token, body, headers });
  return { status: response.status, body: response.body as Record<string, unknown> };
}

describe('redirecting', () => {
  it('needs no upstream, and reaches the nodes without one', async () => {
    const plugins = [redirectTo('https://New.example.org')];
    const { status, body } = await add(free, { traffic_action: 'redirect', plugins, deploy: true });
    expect(status, JSON.stringify(body)).toBe(201);
    const route = body.result as { id: string };
    expect(route).toMatchObject({
      traffic_action: 'redirect',
      upstream_summary: 'https://new.example.org/',
      draft: {
        upstreams: { protocol: 'http', targets: [] },
        plugins: [
          {
            name: 'redirect',
            enabled: true,
            config: { redirect_url: 'https://new.example.org/', preserve_path: false },
          },
        ],
      },
    });
    const edge = await eventually(() => node.routes.get(route.id));
    expect(edge).toMatchObject({ traffic_action: 'redirect', upstream: null });
    expect(configuredPlugins(edge)).toEqual([
      { name: 'redirect', config: { redirect_url: 'https://new.example.org/', preserve_path: false } },
    ]);
    await eventually(async () => {
      const { result } = await free.client.getReceipt({ params: { id: route.id } });
      return result?.state === 'successful' && result.version === 1;
    });
    const list = await free.client.listRoutes({ query: {} });
    expect(list.results).toMatchObject([{ traffic_action: 'redirect', upstream_summary: 'https://new.example.org/' }]);
  });

  it.each([
    ['nothing that redirects', []],
    ['a redirect that is switched off', [redirectTo('https://new.example.org/', false)]],
  ])('with %s is told at the traffic action', async (_, plugins) => {
    const { status, body } = await add(free, { traffic_action: 'redirect', plugins });
    expect(status).toBe(422);
    expect(body).toMatchObject({ traffic_action: 'REDIRECT_REQUIRED' });
    expect(body).not.toHaveProperty('upstreams');
  });

  it.each([
    [undefined, 'REQUIRED'],
    ['new.example.org', 'URL_INVALID'],
    ['javascript:alert(1)', 'URL_INVALID'],
    ['https://new.example.org/\r\nSet-Cookie: a=b', 'URL_INVALID'],
    ['https://user:secret@new.example.org/', 'URL_CREDENTIALS'],
  ])('to %j is told at the address', async (url, code) => {
    const { status, body } = await add(free, { traffic_action: 'redirect', plugins: [redirectTo(url)] });
    expect(status).toBe(422);
    expect(body).toMatchObject({ 'plugins.0.config.redirect_url': code });
    expect(body).not.toHaveProperty('traffic_action');
  });
});

describe('serving from upstreams', () => {
  it('needs one', async () => {
    expect((await add(free, {})).body).toMatchObject({ upstreams: 'REQUIRED' });
    const none = { protocol: 'http', targets: [] };
    expect((await add(free, { upstreams: none })).body).toMatchObject({ 'upstreams.targets': 'UPSTREAM_REQUIRED' });
  });
  it('does not go together with a redirect that is switched on', async () => {
    const plugins = [redirectTo('https://new.example.org/')];
    const { status, body } = await add(free, { upstreams: upstreamsTo(), plugins });
    expect(status).toBe(422);
    expect(body).toMatchObject({ 'plugins.0.enabled': 'REDIRECT_UNUSED' });
    const kept = await add(free, {
      upstreams: upstreamsTo(),
      plugins: [redirectTo('https://new.example.org/', false)],
    });
    expect(kept.status).toBe(201);
  });
});

describe('a change of the traffic action', () => {
  it('switches the redirect with it, and keeps what each needs', async () => {
    const { id } = await createDomain(free);
    expect((await change(free, id, { traffic_action: 'redirect' })).body).toMatchObject({
      traffic_action: 'REDIRECT_REQUIRED',
    });
    const url = 'https://new.example.org/';
    const there = await change(free, id, { traffic_action: 'redirect', plugins: [redirectTo(url)] });
    expect(there.body, JSON.stringify(there.body)).toMatchObject({ result: { upstream_summary: url } });
    const back = await change(free, id, { traffic_action: 'upstream' });
    expect(back.body).toMatchObject({
      result: {
        upstream_summary: 'http://8.8.4.4',
        draft: { plugins: [{ name: 'redirect', enabled: false, config: { redirect_url: url } }] },
      },
    });
    const again = await change(free, id, { traffic_action: 'redirect' });
    expect(again.body).toMatchObject({ result: { draft: { plugins: [{ name: 'redirect', enabled: true }] } } });
    // Targets that are kept do not reach the nodes.
    await change(free, id, { deploy: true });
    expect((await eventually(() => node.routes.get(id))).upstream).toBeNull();
  });
  it('alone on either side is told where it is wrong', async () => {
    const { id } = await createDomain(free);
    const url = 'https://new.example.org/';
    expect((await change(free, id, { plugins: [redirectTo(url)] })).body).toMatchObject({
      'plugins.0.enabled': 'REDIRECT_UNUSED',
    });
    await change(free, id, { traffic_action: 'redirect', plugins: [redirectTo(url)] });
    expect((await change(free, id, { plugins: [redirectTo(url, false)] })).body).toMatchObject({
      traffic_action: 'REDIRECT_REQUIRED',
    });
    expect((await change(free, id, { upstreams: { protocol: 'http', targets: [] } })).status).toBe(200);
    expect((await change(free, id, { traffic_action: 'upstream' })).body).toMatchObject({
      'upstreams.targets': 'UPSTREAM_REQUIRED',
    });
  });
});

describe('a redirect that leads back to the domain', () => {
  const looping = (name: string, url: string) => ({
    domain_name: name,
    traffic_action: 'redirect',
    plugins: [redirectTo(url)],
  });
  it.each(['http://NAME/', 'https://NAME:8443/new', 'https://NAME./', 'https://nAmE/'])(
    'as %s is refused',
    async (url) => {
      const name = uniqueName();
      const { status, body } = await add(
        free,
        looping(name, url.replace('NAME', name).replace('nAmE', name.toUpperCase())),
      );
      expect(status).toBe(422);
      expect(body).toMatchObject({ 'plugins.0.config.redirect_url': 'REDIRECT_LOOP' });
    },
  );
  it('is refused when the domain exists, on deploy as well', async () => {
    const { id, domain_name } = await createDomain(free);
    const body = { traffic_action: 'redirect', plugins: [redirectTo(`https://${domain_name}/new`)] };
    expect((await change(free, id, body)).body).toMatchObject({ 'plugins.0.config.redirect_url': 'REDIRECT_LOOP' });
    expect((await change(free, id, { ...body, plugins: [redirectTo(`https://www.${domain_name}/`)] })).status).toBe(
      200,
    );
  });
  it('through a wildcard is refused, unless a nearer name is another domain', async () => {
    const parent = uniqueName();
    const toShop = looping(`*.${parent}`, `https://shop.${parent}/`);
    expect((await add(vip, toShop)).body).toMatchObject({ 'plugins.0.config.redirect_url': 'REDIRECT_LOOP' });
    await createDomain(vip, `shop.${parent}`);
    const added = await add(vip, toShop);
    expect(added.status, JSON.stringify(added.body)).toBe(201);
    const { id } = added.body.result as { id: string };
    const toOther = { plugins: [redirectTo(`https://a.b.${parent}/`)] };
    // A wildcard answers for one level, unless the domain takes all.
    expect((await change(vip, id, toOther)).status).toBe(200);
    expect((await change(vip, id, { ...toOther, wildcard_levels: 'all' })).body).toMatchObject({
      'plugins.0.config.redirect_url': 'REDIRECT_LOOP',
    });
    // The bare name below which the wildcard stands is not covered by it.
    expect((await change(vip, id, { plugins: [redirectTo(`https://${parent}/`)] })).status).toBe(200);
  });
});

describe('another name for the origin', () => {
  const plugins = [{ name: 'upstream-host', enabled: true, config: { hostname: 'Bucket.storage.example' } }];
  it('reaches the nodes as it is sent', async () => {
    const { body } = await add(vip, { upstreams: upstreamsTo(), plugins, deploy: true });
    const { id } = body.result as { id: string };
    expect(configuredPlugins(await eventually(() => node.routes.get(id)))).toEqual([
      { name: 'upstream-host', config: { hostname: 'bucket.storage.example' } },
    ]);
  });
  it('is told what is wrong with it', async () => {
    const faulty = [{ ...plugins[0], config: { hostname: 'https://bucket.storage.example/' } }];
    expect((await add(vip, { upstreams: upstreamsTo(), plugins: faulty })).body).toMatchObject({
      'plugins.0.config.hostname': 'DOMAIN_NAME_IS_URL',
    });
  });
});
