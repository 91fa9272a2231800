import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AppError } from '../../platform/errors.ts';
import { type Customer, createCustomer, type FakeNode, startFakeNode, uniqueName } from '../../testing/fixtures.ts';
import { startApi, type TestApi } from '../../testing/start-api.ts';
import { findOriginsLook, readNodes } from '../health/service.ts';
import type { OriginTraffic } from '../traffic/service.ts';
import { createOriginHealthService } from './health-service.ts';

let test: TestApi;
let customer: Customer;
let first: FakeNode;
let second: FakeNode;
beforeAll(async () => {
  test = await startApi();
  customer = await createCustomer(test, { plan: 'vip' });
  first = await startFakeNode(test);
  second = await startFakeNode(test);
  test.dns.setAddresses('origin.example.net', ['198.41.128.9', '2a00:1450::9']);
});
afterAll(async () => {
  first?.stop();
  second?.stop();
  await test?.stop();
});

const NOW = Math.floor(Date.now() / 1000);
const idOf = async ({ name }: FakeNode) =>
  (await test.api.platform.pool.query<{ id: string }>('SELECT id FROM edge_nodes WHERE name = $1', [name])).rows[0]
    ?.id as string;
const traffic = (node_id: string, address: string, more: Partial<OriginTraffic> = {}): OriginTraffic => ({
  node_id,
  address,
  requests: 10,
  answered_at: NOW - 5,
  response_ms: 41.6,
  failed_at: 0,
  failing_since: 0,
  failed_status: 0,
  failed_reason: '',
  ...more,
});
const heartbeat = (node: FakeNode, down: { route_id: string; target: string; since: number }[]) =>
  fetch(`${test.url}/api/v1/edge/heartbeat/`, {
    method: 'POST',
    headers: { authorization: `Bearer ${node.credential}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      ...{ agent_version: 'test', cursor: '', nginx: 'running', routes: 1, targets_down: down },
      ...{ log_backlog_bytes: 0, log_rows_dropped: 0 },
    }),
  });

async function liveRoute(): Promise<string> {
  const target = (host: string, backup = false) => ({ host, port: null, weight: 1, backup });
  const { result } = await customer.client.createRoute({
    body: {
      cname: customer.cname,
      domain_name: uniqueName(),
      upstreams: { protocol: 'https', targets: [target('198.41.128.7'), target('origin.example.net', true)] },
      deploy: true,
    },
  });
  return result.id;
}
const healthWith = (rows: () => OriginTraffic[]) =>
  createOriginHealthService({
    db: test.api.platform.db,
    resolver: test.dns,
    readTraffic: async () => rows(),
    findLook: findOriginsLook,
    readNodes,
  });

describe('the health of targets', () => {
  it('is told per node, by name and address, from the newest requests', async () => {
    const id = await liveRoute();
    const [one, two] = [await idOf(first), await idOf(second)];
    const health = await healthWith(() => [
      traffic(one, '198.41.128.7:443'),
      traffic(two, '198.41.128.7:443', {
        failed_at: NOW - 1,
        failing_since: NOW - 60,
        failed_status: 502,
        failed_reason: 'origin_tls_expired',
      }),
      traffic(one, '[2a00:1450::9]:443', { failed_at: NOW - 30, failed_status: 504, failing_since: 0 }),
      traffic(one, '198.41.128.200:443'),
    ]).read(customer.accountId, id);
    const states = (index: number) => new Map(health.targets[index]?.nodes.map((node) => [node.node, node] as const));
    expect(health).toMatchObject({ is_measured: true, targets: [{ backup: false }, { backup: true }] });
    expect(states(0).get(first.name)).toMatchObject({ state: 'up', response_ms: 42, requests: 10, since: null });
    // As the health of the domain: nothing is judged by one request.
    expect(states(0).get(second.name)).toMatchObject({
      state: 'failing',
      since: new Date((NOW - 60) * 1000).toISOString(),
      last_error: 'tls_expired',
    });
    // It failed once, and has answered since.
    expect(states(1).get(first.name)).toMatchObject({ state: 'up', last_error: 'timeout' });
    expect(states(1).get(second.name)).toMatchObject({ state: 'unknown', requests: 0, last_error: null });
  });

  it('counts what a node leaves out as down, but not what an absent node said last', async () => {
    const id = await liveRoute();
    await heartbeat(first, [
      { route_id: id, target: '198.41.128.7:443', since: NOW - 20 },
      { route_id: '00000000-0000-4000-8000-000000000000', target: '198.41.128.9:443', since: NOW },
    ]);
    const read = () => healthWith(() => []).read(customer.accountId, id);
    const stateOf = async (index: number) =>
      (await read()).targets[index]?.nodes.find(({ node }) => node === first.name);
    expect(await stateOf(0)).toMatchObject({ state: 'down', since: new Date((NOW - 20) * 1000).toISOString() });
    expect(await stateOf(1)).toMatchObject({ state: 'unknown' });
    await test.api.platform.pool.query(
      `UPDATE edge_nodes SET last_seen_at = now() - interval '1 minute' WHERE name = $1`,
      [first.name],
    );
    expect(await stateOf(0)).toMatchObject({ state: 'unknown', since: null });
    await heartbeat(first, []);
    expect(await stateOf(0)).toMatchObject({ state: 'unknown' });
  });

  it('says that nothing is measured while the store of requests is away', async () => {
    const id = await liveRoute();
    const away = createOriginHealthService({
      db: test.api.platform.db,
      resolver: test.dns,
      findLook: findOriginsLook,
      readNodes,
      readTraffic: async () => {
        throw new AppError('TRAFFIC_UNAVAILABLE');
      },
    });
    expect(await away.read(customer.accountId, id)).toMatchObject({ is_measured: false, targets: [{}, {}] });
    // The API of the tests has no store.
    const { result } = await customer.client.getOriginHealth({ params: { id } });
    expect(result.is_measured).toBe(false);
  });

  it('tells what the last look at the live version found of each, and nothing of another version', async () => {
    const id = await liveRoute();
    const item = (label: string, state: string, finding: string) => ({
      label,
      kind: 'https',
      state,
      finding,
      params: {},
    });
    const looks = (version: number) =>
      test.api.platform.pool.query(
        `UPDATE route_looks SET version = $2, origins_looked_at = now(), origins = $3 WHERE route_id = $1`,
        [
          id,
          version,
          JSON.stringify([
            item('198.41.128.7:443', 'error', 'certificate_refused'),
            item('origin.example.net:443', 'unknown', 'rate_limited'),
          ]),
        ],
      );
    await looks(1);
    const { result } = await customer.client.getOriginHealth({ params: { id } });
    expect(result.checked_at).not.toBeNull();
    expect(result.targets.map(({ checks }) => checks.map(({ finding }) => finding))).toEqual([
      ['certificate_refused'],
      [],
    ]);
    await looks(2);
    expect((await healthWith(() => []).read(customer.accountId, id)).targets.flatMap(({ checks }) => checks)).toEqual(
      [],
    );
  });

  it('is none before a deploy', async () => {
    const { result } = await customer.client.createRoute({
      body: {
        cname: customer.cname,
        domain_name: uniqueName(),
        upstreams: { protocol: 'http', targets: [{ host: '198.41.128.7' }] },
      },
    });
    expect((await healthWith(() => []).read(customer.accountId, result.id)).targets).toEqual([]);
  });
});
