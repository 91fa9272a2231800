import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Customer, createCustomer } from '../support/customer.ts';
import { Instance } from '../support/instance.ts';
import { startOrigin, type TestOrigin } from '../support/origin.ts';
import { until } from '../support/until.ts';

const DOMAINS = 300;
const PARALLEL = 8;
let instance: Instance;
let origin: TestOrigin;
let customer: Customer;

beforeAll(async () => {
  origin = await startOrigin();
  instance = await Instance.start({
    environment: { CORDON_UPSTREAM_ALLOW: `127.0.0.1:${origin.port}`, CORDON_DEMO: '1' },
  });
  customer = await createCustomer(instance, 'bulk-killed@example.com', 'vip-enterprise');
});
afterAll(async () => {
  await instance?.stop();
  await origin?.close();
});

it('an API that is killed in the middle of a bulk deploy deploys each domain once', async () => {
  const { api, subscriptionCname: cname } = customer;
  const upstreams = { protocol: 'http' as const, targets: [{ host: '127.0.0.1', port: origin.port }] };
  let next = 0;
  const create = async () => {
    while (next < DOMAINS) {
      const body = { cname, domain_name: `d${next++}.bulk-killed.example`, upstreams };
      await api.createRoute({ body });
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, create));
  const { result: batch } = await api.bulkRoutes({ body: { action: 'deploy', selection: { filter: {} } } });
  const waiting = async () =>
    (await api.listBatchItems({ params: { id: batch.id }, query: { state: 'waiting', perpage: 1 } })).count;
  let left = DOMAINS;
  await until('some are deployed', async () => {
    left = await waiting();
    return left < DOMAINS;
  });
  process.kill(instance.pid('api'), 'SIGKILL');
  // It was in the middle, or this test says nothing.
  expect(left).toBeGreaterThan(0);
  await until(
    'the batch ends',
    async () => {
      try {
        return (await api.getBatch({ params: { id: batch.id } })).result.state !== 'running';
      } catch {
        return false;
      }
    },
    60_000,
  );
  expect((await api.getBatch({ params: { id: batch.id } })).result).toMatchObject({
    state: 'successful',
    succeeded: DOMAINS,
    failed: 0,
  });
  const versions = new Map<string, number | null>();
  for (let page = 1; page <= DOMAINS / 100; page += 1) {
    const { results } = await api.listRoutes({ query: { page, perpage: 100 } });
    for (const route of results) versions.set(route.domain_name, route.version_live);
  }
  expect(versions.size).toBe(DOMAINS);
  expect([...versions.values()].filter((version) => version !== 1)).toEqual([]);
});
