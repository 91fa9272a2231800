import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Customer,
  createCustomer,
  createDomain,
  eventually,
  startFakeNode,
  uniqueName,
  upstreamsTo,
} from '../../testing/fixtures.ts';
import { startApi, type TestApi } from '../../testing/start-api.ts';

const SITE_KEY = 'site-key-of-the-tests-0';
const SECRET_KEY = 'secret-key-of-the-tests';
const CODE = 'RECAPTCHA_NOT_SET_UP';
const FIELD = 'plugins.0.config.mode';
const challenge = (mode: string, enabled = true) => ({
  name: 'challenge',
  enabled,
  config: { mode, path: '^/account' },
});

let without: TestApi;
let withKeys: TestApi;
let customer: Customer;
let node: Awaited<ReturnType<typeof startFakeNode>>;
let bare: typeof node;

beforeAll(async () => {
  [without, withKeys] = await Promise.all([
    startApi(),
    startApi({ CORDON_RECAPTCHA_SITE_KEY: SITE_KEY, CORDON_RECAPTCHA_SECRET_KEY: SECRET_KEY }),
  ]);
  customer = await createCustomer(without, { plan: 'vip' });
  [node, bare] = await Promise.all([startFakeNode(withKeys), startFakeNode(without)]);
});
afterAll(async () => {
  node?.stop();
  bare?.stop();
  await Promise.all([without?.stop(), withKeys?.stop()]);
});

const patch = (id: string, revision: number, plugins: object[]) =>
  without.call('PATCH', `domain/routes/${id}/`, {
    token: customer.token,
    headers: { 'if-match': String(revision) },
    body: { plugins },
  });

describe('a plugin that needs what the operator has not set up', () => {
  it('is refused at its field in a draft, unless it is off', async () => {
    const { id, draft_revision: revision } = await createDomain(customer);
    const refused = await patch(id, revision, [challenge('google_recaptcha')]);
    expect(refused.status).toBe(422);
    expect(refused.body[FIELD]).toBe(CODE);
    const off = await patch(id, revision, [challenge('google_recaptcha', false)]);
    expect(off.status).toBe(200);
    const on = await patch(id, off.body.result.draft_revision, [challenge('google_recaptcha')]);
    expect(on.body[FIELD]).toBe(CODE);
    expect((await patch(id, off.body.result.draft_revision, [challenge('puzzle')])).status).toBe(200);
  });

  it('is refused with a new domain and in a template', async () => {
    const { token, cname } = customer;
    const plugins = [challenge('google_recaptcha')];
    const created = await without.call('POST', 'domain/routes/', {
      token,
      body: { cname, domain_name: uniqueName(), upstreams: upstreamsTo(), plugins },
    });
    expect(created.body[FIELD]).toBe(CODE);
    const body = { cname, name: uniqueName(), plugins };
    const template = await without.call('POST', 'domain/rules/', { token, body });
    expect(template.status).toBe(422);
    expect(template.body[FIELD]).toBe(CODE);
  });

  it('is refused in a version of before that is to come back', async () => {
    const { id, draft_revision: revision } = await createDomain(customer);
    const { token } = customer;
    const saved = await patch(id, revision, [challenge('js')]);
    await customer.client.deployRoute({
      params: { id },
      ifMatch: saved.body.result.draft_revision,
      body: { note: '' },
    });
    await eventually(() => bare.routes.get(id));
    // As it was deployed while there were keys.
    await without.api.platform.pool.query(
      `UPDATE route_versions SET config = replace(config::text, '"js"', '"google_recaptcha"')::jsonb WHERE route_id = $1`,
      [id],
    );
    const { result } = await customer.client.checkRollback({ params: { id, version: 1 } });
    expect(result.problems).toEqual([{ path: FIELD, code: CODE, params: {} }]);
    const { result: now } = await customer.client.getRoute({ params: { id } });
    const back = await without.call('POST', `domain/routes/${id}/versions/1/rollback/`, {
      token,
      headers: { 'if-match': String(now.draft_revision) },
      body: { deploy: true },
    });
    expect(back.status).toBe(422);
    expect(back.body[FIELD]).toBe(CODE);
  });

  it('is told by the diagnosis where a live version needs it', async () => {
    const { id, draft_revision: revision } = await createDomain(customer);
    const saved = await patch(id, revision, [challenge('js')]);
    await customer.client.deployRoute({
      params: { id },
      ifMatch: saved.body.result.draft_revision,
      body: { note: '' },
    });
    await eventually(() => bare.routes.get(id));
    const deployLine = () =>
      eventually(async () => {
        const { result } = await customer.client.checkDomain({ body: { route_id: id } });
        const line = result.checks.find(({ check }) => check === 'deploy');
        return line?.finding !== 'running' && line;
      });
    expect(await deployLine()).toMatchObject({ state: 'ok', finding: 'live' });
    await without.api.platform.pool.query(
      `UPDATE routes SET live = replace(live::text, '"js"', '"google_recaptcha"')::jsonb WHERE id = $1`,
      [id],
    );
    expect(await deployLine()).toMatchObject({
      state: 'warning',
      finding: 'recaptcha_missing',
      params: { plugin: 'challenge' },
      advice: 'correct_settings',
    });
  });

  it('is told to the console, and nodes have no keys', async () => {
    expect((await customer.client.getDeploymentConfig()).result.features).toEqual([]);
    expect(bare.settings?.recaptcha).toBeUndefined();
  });
});

describe('a deployment with keys of reCAPTCHA', () => {
  it('takes the mode, has its nodes get both keys with their settings, and nobody else the secret one', async () => {
    const owner = await createCustomer(withKeys, { plan: 'vip' });
    expect((await owner.client.getDeploymentConfig()).result.features).toEqual(['recaptcha']);
    const { id } = await createDomain(owner);
    const saved = await withKeys.call('PATCH', `domain/routes/${id}/`, {
      token: owner.token,
      headers: { 'if-match': '1' },
      body: { plugins: [challenge('google_recaptcha')] },
    });
    expect(saved.status).toBe(200);
    await owner.client.deployRoute({ params: { id }, ifMatch: saved.body.result.draft_revision, body: { note: '' } });
    const route = await eventually(() => node.routes.get(id));
    expect(node.settings?.recaptcha).toEqual({
      site_key: SITE_KEY,
      secret_key: SECRET_KEY,
      script_url: 'https://www.google.com/recaptcha/api.js',
      verify_url: 'https://www.google.com/recaptcha/api/siteverify',
    });
    const config = await withKeys.call('GET', 'domain/config/', { token: owner.token });
    for (const text of [JSON.stringify(route), saved.text, config.text, ...withKeys.logLines])
      expect(text).not.toContain(SECRET_KEY);
  });
});
