import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Customer, createCustomer, deployDomain } from '../support/customer.ts';
import { edgeRequest } from '../support/edge-request.ts';
import { hold } from '../support/hold.ts';
import { Instance } from '../support/instance.ts';
import { startOrigin, type TestOrigin } from '../support/origin.ts';
import { until } from '../support/until.ts';

const host = 'island.faults.example';
let instance: Instance;
let origin: TestOrigin;
let letGo = () => {};
let customer: Customer;

beforeAll(async () => {
  origin = await startOrigin();
  instance = await Instance.start({ environment: { CORDON_UPSTREAM_ALLOW: `127.0.0.1:${origin.port}` } });
  customer = await createCustomer(instance, 'island@example.com');
  const route = await deployDomain(instance, customer, host, origin.port);
  await customer.api.updateRoute({
    params: { id: route.id },
    ifMatch: route.draft_revision,
    body: {
      plugins: [{ name: 'ip-restriction', enabled: true, config: { blacklistMode: true, deny: ['8.8.8.8'] } }],
      deploy: true,
    },
  });
  await until(
    'deployed',
    async () => (await customer.api.getReceipt({ params: { id: route.id } })).result?.state === 'successful',
  );
});
afterAll(async () => {
  letGo();
  await instance?.stop();
  await origin?.close();
});

describe('with the control plane stopped', () => {
  it('the edge serves all it knew, also after its own restart', async () => {
    letGo = hold(() => [instance.pid('api'), instance.pid('postgres'), instance.pid('clickhouse')]);
    expect((await edgeRequest(instance.ports.edgeHttp, host)).status).toBe(200);

    const agent = instance.pid('edge');
    const nginx = instance.nginxPid;
    process.kill(agent, 'SIGKILL');
    process.kill(nginx, 'SIGKILL');
    await until('another agent', () => instance.pid('edge') !== agent, 30_000);
    await until('another nginx', () => instance.nginxPid !== nginx, 30_000);
    await until(
      'served from the snapshot on disk',
      async () => (await edgeRequest(instance.ports.edgeHttp, host)).status === 200,
    );

    const seenBefore = origin.seen.length;
    const answer = await edgeRequest(instance.ports.edgeHttp, host, '/still-here');
    expect(answer.body).toContain('/still-here');
    expect(origin.seen.length).toBe(seenBefore + 1);
  });

  it('takes up again where it was when the control plane is back', async () => {
    letGo();
    await until('ready', async () => (await fetch(`${instance.origin}/readyz`)).ok, 30_000);
    const { results } = await customer.api.listRoutes({ query: { domain_name: host } });
    const id = results[0]?.id ?? '';
    const route = (await customer.api.getRoute({ params: { id } })).result;
    await customer.api.updateRoute({
      params: { id },
      ifMatch: route.draft_revision,
      body: {
        plugins: [
          { name: 'ip-restriction', enabled: true, config: { blacklistMode: true, deny: ['127.0.0.0/8', '8.8.8.8'] } },
        ],
        deploy: true,
      },
    });
    // Loopback is no address a visitor comes from, so that entry is ignored: the change is proved by its receipt.
    await until('receipt', async () => {
      const { result } = await customer.api.getReceipt({ params: { id } });
      return result?.state === 'successful' && result.version > (route.version_live ?? 0);
    });
  });
});
