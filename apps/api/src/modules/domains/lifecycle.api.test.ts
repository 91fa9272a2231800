import { describe, expect, it, onTestFinished } from 'vitest';
import { startEdgeApi } from '../../testing/edge-api.ts';
import { createCustomer, createDomain, eventually, uniqueName, upstreamsTo } from '../../testing/fixtures.ts';

const { test, node } = await startEdgeApi();
const customer = await createCustomer(test, { plan: 'vip' });

const settled = (id: string) =>
  eventually(async () => {
    const { result } = await customer.client.getRoute({ params: { id } });
    return result.operation?.state !== 'running' ? result : undefined;
  });

describe('the life of a domain', () => {
  it('is added, deployed, changed, deactivated, resumed and deleted', async () => {
    const added = await createDomain(customer);
    expect(added).toMatchObject({
      status: 'deactivated',
      last_deployed: null,
      version_live: null,
      draft_revision: 1,
      ownership: { state: 'pending' },
    });
    expect(node.routes.has(added.id)).toBe(false);

    const { result: deploying } = await customer.client.deployRoute({
      params: { id: added.id },
      ifMatch: 1,
      body: { note: 'first' },
    });
    expect(deploying).toMatchObject({ status: 'running', version_live: 1, pending_changes: 0 });
    const deployed = await settled(added.id);
    expect(deployed.operation).toMatchObject({ action: 'deploy', state: 'successful', error: null });
    expect(node.routes.get(added.id)).toMatchObject({
      version: 1,
      hosts: [{ name: added.domain_name, verified: false }],
      tier: 'vip',
    });

    const { result: receipt } = await customer.client.getReceipt({ params: { id: added.id } });
    expect(receipt).toMatchObject({
      version: 1,
      state: 'successful',
      nodes: [{ state: 'live', version: 1, probe_status: 200 }],
    });
    expect(receipt?.nodes[0]?.live_ms).toBeLessThan(1_000);

    const { result: drafted } = await customer.client.updateRoute({
      params: { id: added.id },
      ifMatch: 1,
      body: { upstreams: upstreamsTo('9.9.9.9', 8080), note: '' },
    });
    expect(drafted).toMatchObject({ draft_revision: 2, pending_changes: 1, version_live: 1 });
    expect(drafted.live?.upstreams.targets[0]?.host).not.toBe('9.9.9.9');
    expect(node.routes.get(added.id)?.version).toBe(1);

    await customer.client.updateRoute({
      params: { id: added.id },
      ifMatch: 2,
      body: { remarks: 'shop', deploy: true, note: 'second' },
    });
    await settled(added.id);
    expect(node.routes.get(added.id)).toMatchObject({
      version: 2,
      upstream: { targets: [{ host: '9.9.9.9', port: 8080 }] },
    });
    const { results: versions } = await customer.client.listVersions({ params: { id: added.id } });
    expect(versions.map(({ version, note, live }) => ({ version, note, live }))).toEqual([
      { version: 2, note: 'second', live: true },
      { version: 1, note: 'first', live: false },
    ]);

    await customer.client.deactivateRoute({ params: { id: added.id } });
    expect(await settled(added.id)).toMatchObject({
      status: 'deactivated',
      operation: { action: 'deactivate', state: 'successful' },
    });
    // Known to nodes still, so that visitors are told.
    expect(node.routes.get(added.id)).toMatchObject({ off: 'deactivated', upstream: null, plugins: [] });

    await customer.client.resumeRoute({ params: { id: added.id } });
    expect(await settled(added.id)).toMatchObject({
      status: 'running',
      version_live: 2,
      operation: { action: 'resume', state: 'successful' },
    });
    expect(node.routes.get(added.id)?.version).toBe(2);

    const { result: deleting } = await customer.client.deleteRoute({
      params: { id: added.id },
      body: { cname: customer.cname, confirm: added.domain_name },
    });
    expect(deleting.status).toBe('deleting');
    await eventually(
      async () => (await test.call('GET', `domain/routes/${added.id}/`, { token: customer.token })).status === 404,
    );
    expect(node.routes.has(added.id)).toBe(false);
    const again = await createDomain(customer, added.domain_name);
    expect(again.cname).not.toBe(added.cname);
  });

  it('ends also where a node has learned of it by a snapshot, which has no revision of what is gone', async () => {
    const added = await createDomain(customer);
    await customer.client.deployRoute({ params: { id: added.id }, ifMatch: 1, body: {} });
    await settled(added.id);
    const { probe } = node;
    onTestFinished(() => {
      node.probe = probe;
    });
    node.probe = (change) => (change.route_id === added.id ? undefined : probe(change));
    const gone = { route_id: added.id, revision: 0, version: null, applied_ms: 1, probe: null };
    const tell = () => test.call('POST', 'edge/receipts/', { token: node.credential, body: { receipts: [gone] } });
    expect((await tell()).status).toBe(200);
    const status = async () => (await test.call('GET', `domain/routes/${added.id}/`, { token: customer.token })).status;
    expect(await status()).toBe(200);
    await customer.client.deleteRoute({
      params: { id: added.id },
      body: { cname: customer.cname, confirm: added.domain_name },
    });
    await eventually(() => !node.routes.has(added.id));
    expect(await status()).toBe(200);
    await tell();
    await eventually(async () => (await status()) === 404);
  });

  it('fails with the reason where a node cannot load it, and is live where it can after all', async () => {
    const added = await createDomain(customer);
    const deploy = (revision: number) =>
      customer.client.deployRoute({ params: { id: added.id }, ifMatch: revision, body: {} });
    await deploy(1);
    await settled(added.id);
    await customer.client.updateRoute({
      params: { id: added.id },
      ifMatch: 1,
      body: { upstreams: upstreamsTo('9.9.9.9') },
    });
    node.refusal = ({ route_id }) => (route_id === added.id ? 'geoip: no list of countries' : undefined);
    onTestFinished(() => {
      node.refusal = () => undefined;
    });
    await deploy(2);
    const failed = await settled(added.id);
    expect(failed.operation).toMatchObject({ state: 'failed', error: 'REFUSED_BY_NODE' });
    const receiptOf = async () => (await customer.client.getReceipt({ params: { id: added.id } })).result;
    expect(await receiptOf()).toMatchObject({
      version: 2,
      state: 'failed',
      nodes: [{ state: 'failed', version: 1, probe_status: null, refusal: 'geoip: no list of countries' }],
    });
    node.refusal = () => undefined;
    await deploy(2);
    expect((await settled(added.id)).operation).toMatchObject({ state: 'successful', error: null });
    expect(await receiptOf()).toMatchObject({ state: 'successful', nodes: [{ state: 'live', refusal: null }] });
  });

  it('adds and deploys in one call', async () => {
    const { result } = await customer.client.createRoute({
      body: {
        cname: customer.cname,
        domain_name: uniqueName(),
        upstreams: upstreamsTo(),
        deploy: true,
        note: 'moved here from elsewhere',
      },
    });
    expect(await settled(result.id)).toMatchObject({
      version_live: 1,
      live_version: { note: 'moved here from elsewhere' },
      operation: { state: 'successful' },
    });
  });

  it('is not successful while a live node serves something else', async () => {
    const probe = node.probe;
    node.probe = () => ({ ok: false, status: 502, version: null });
    try {
      const route = await createDomain(customer);
      await customer.client.deployRoute({ params: { id: route.id }, ifMatch: 1, body: {} });
      await eventually(
        async () =>
          (await customer.client.getReceipt({ params: { id: route.id } })).result?.nodes[0]?.state === 'failed',
      );
      const { result } = await customer.client.getRoute({ params: { id: route.id } });
      expect(result.operation?.state).toBe('running');
    } finally {
      node.probe = probe;
    }
  });
});
