import { beforeEach, expect, it } from 'vitest';
import { startEdgeApi } from '../../testing/edge-api.ts';
import { type Customer, createCustomer, createDomain } from '../../testing/fixtures.ts';

const { test } = await startEdgeApi();
let customer: Customer;
beforeEach(async () => {
  customer = await createCustomer(test);
});

/** Of what is off with its defaults a draft keeps nothing. */
const config = { cache_ttl: 60 };
const strategy = (enabled = true) => ({ name: 'proxy-cache', enabled, config });
const advanced = (enabled = true) => ({ name: 'advance-proxy-cache', enabled, config });

async function change(id: string, ...plugins: { name: string; enabled: boolean; config: object }[]) {
  const { result } = await customer.client.getRoute({ params: { id } });
  const headers = { 'if-match': `"${result.draft_revision}"` };
  const response = await test.call('PATCH', `domain/routes/${id}/`, {
    token: customer.token,
    body: { plugins },
    headers,
  });
  return { status: response.status, body: response.body as Record<string, unknown> };
}

it('tells that advanced cache and the cache strategy cannot both be enabled, at the one that was sent', async () => {
  const { id } = await createDomain(customer);
  expect((await change(id, strategy())).status).toBe(200);
  const second = await change(id, advanced());
  expect(second.status).toBe(422);
  expect(second.body).toMatchObject({ 'plugins.0.enabled': 'PLUGIN_EXCLUDED' });
  // In the order of the draft it is the first one that was sent here.
  await change(id, strategy(false), advanced());
  const first = await change(id, strategy());
  expect(first.body).toMatchObject({ 'plugins.0.enabled': 'PLUGIN_EXCLUDED' });
  const both = await change(id, advanced(), strategy());
  expect(Object.entries(both.body).filter(([, code]) => code === 'PLUGIN_EXCLUDED')).toHaveLength(1);
});

it('takes both where one is switched off, and one in place of the other at once', async () => {
  const { id } = await createDomain(customer);
  expect((await change(id, strategy(), advanced(false))).status).toBe(200);
  const { status, body } = await change(id, advanced(), strategy(false));
  expect(status, JSON.stringify(body)).toBe(200);
  const { result } = await customer.client.getRoute({ params: { id } });
  expect(Object.fromEntries(result.draft.plugins.map(({ name, enabled }) => [name, enabled]))).toEqual({
    'proxy-cache': false,
    'advance-proxy-cache': true,
  });
});

it('keeps no template with both', async () => {
  const body = { cname: customer.cname, name: 'Both', plugins: [strategy(), advanced()] };
  const answer = await test.call('POST', 'domain/rules/', { token: customer.token, body });
  expect(answer.status).toBe(422);
  expect(answer.body).toMatchObject({ 'plugins.1.enabled': 'PLUGIN_EXCLUDED' });
});
