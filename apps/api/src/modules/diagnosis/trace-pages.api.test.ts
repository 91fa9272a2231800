import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Customer, createCustomer, uniqueName, upstreamsTo } from '../../testing/fixtures.ts';
import { startApi, type TestApi } from '../../testing/start-api.ts';

/** The trace of a blocked visitor's request, where the plugin of error pages has fetched one, or would. */

let test: TestApi;
let customer: Customer;
const asked: string[] = [];
const pages = new Map<string, string>();
const server = createServer((req, res) => {
  asked.push(req.url ?? '');
  const page = pages.get(req.url ?? '');
  if (page === undefined) res.writeHead(302, { location: '/elsewhere' }).end();
  else res.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page);
});
const portOf = () => (server.address() as AddressInfo).port;
const addressOf = (path: string) => `http://127.0.0.1:${portOf()}${path}`;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  test = await startApi({ CORDON_UPSTREAM_ALLOW: `127.0.0.1:${portOf()}` });
  customer = await createCustomer(test, { plan: 'vip' });
});
afterAll(async () => {
  server.close();
  await test.stop();
});

/** A page under a path of its own. */
function errorPage(body: string): string {
  const path = `/${pages.size}.html`;
  pages.set(path, body);
  return path;
}
const revisionOf = async (id: string) => (await customer.client.getRoute({ params: { id } })).result.draft_revision;
const timesAsked = (path: string) => asked.filter((one) => one === path).length;

const BLOCKED = '198.41.128.7';
const protections = [
  { name: 'ip-restriction', enabled: true, config: { deny: [BLOCKED], blacklistMode: true } },
  { name: 'response-transformer', enabled: true, config: { add: { headers: [{ name: 'X-Test', value: '1' }] } } },
];
const refusalPage = (url: string) => ({ name: 'custom-error-page', enabled: true, config: { error_403: url } });
const SHOWN = ['custom-error-page changes error_pages 403', 'response-transformer changes response_fields X-Test'];
const NOT_SHOWN = ['custom-error-page not_reached  ', 'response-transformer not_reached  '];

/** What the trace says of a blocked visitor's page. */
async function pageSteps(id: string, version: 'live' | 'draft' | number) {
  const body = { url: '/', client_address: BLOCKED, preview: true, version };
  const { result } = await customer.client.traceRequest({ params: { id }, body });
  expect(result.answer).toEqual({ kind: 'block', status: 403 });
  return result.steps
    .filter(({ plugin }) => plugin === 'custom-error-page' || plugin === 'response-transformer')
    .map((step) => `${step.plugin} ${step.outcome} ${step.reason} ${step.detail}`)
    .toSorted();
}
async function addProtected(...more: unknown[]): Promise<string> {
  const plugins = [...protections, ...more];
  const body = { cname: customer.cname, domain_name: uniqueName(), upstreams: upstreamsTo(), plugins, deploy: true };
  const added = await test.call('POST', 'domain/routes/', { token: customer.token, body });
  expect(added.status, JSON.stringify(added.body)).toBe(201);
  return (added.body as { result: { id: string } }).result.id;
}
const save = async (id: string, plugins: Record<string, unknown>[]) =>
  customer.client.updateRoute({
    params: { id },
    ifMatch: await revisionOf(id),
    body: { plugins: plugins as typeof protections },
  });

it('has the pages that were fetched for the live version, and for one before it', async () => {
  const path = errorPage('<h1>Blocked</h1>');
  const id = await addProtected(refusalPage(addressOf(path)));
  await test.api.platform.db.deleteFrom('plugin_resolutions').execute();
  expect(await pageSteps(id, 'live')).toEqual(SHOWN);
  await save(id, [...protections, { ...refusalPage(addressOf(path)), enabled: false }]);
  await customer.client.deployRoute({ params: { id }, ifMatch: await revisionOf(id), body: {} });
  expect(await pageSteps(id, 'live')).toEqual(['response-transformer not_reached  ']);
  expect(await pageSteps(id, 1)).toEqual(SHOWN);
  expect(timesAsked(path)).toBe(1);
});

it('has those that a deploy of the draft would fetch, each fetched once, and none anew where the setting is live', async () => {
  const [live, next] = [errorPage('live'), errorPage('next')];
  const id = await addProtected(refusalPage(addressOf(live)));
  await test.api.platform.db.deleteFrom('plugin_resolutions').execute();
  expect(await pageSteps(id, 'draft')).toEqual(SHOWN);
  expect(timesAsked(live)).toBe(1);
  await save(id, [...protections, refusalPage(addressOf(next))]);
  expect(timesAsked(next)).toBe(0);
  expect(await pageSteps(id, 'draft')).toEqual(SHOWN);
  expect(await pageSteps(id, 'draft')).toEqual(SHOWN);
  expect([timesAsked(live), timesAsked(next)]).toEqual([1, 1]);
});

it('has none that cannot be fetched, which no deploy would take', async () => {
  const id = await addProtected();
  await save(id, [...protections, refusalPage(addressOf('/nowhere'))]);
  expect(await pageSteps(id, 'draft')).toEqual(NOT_SHOWN);
});
