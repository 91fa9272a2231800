import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiError, type Route } from '../../packages/contract/index.ts';
import { clickhouseRows } from '../support/clickhouse.ts';
import { type Customer, createCustomer, deployDomain } from '../support/customer.ts';
import { edgeRequest } from '../support/edge-request.ts';
import { Instance } from '../support/instance.ts';
import { startOrigin, type TestOrigin } from '../support/origin.ts';
import { startTraffic, TRAFFIC_PATH, type Traffic } from '../support/traffic.ts';
import { until } from '../support/until.ts';

/** How much of the log nginx may hold in memory: `flush=1s`, and a little for a timer that is late. */
const UNFLUSHED_MS = 1100;
/** How late this process may read what was answered before a kill. */
const READ_MS_MAX = 200;
const parts = ['api', 'postgres', 'clickhouse', 'edge'] as const;

let instance: Instance;
let origin: TestOrigin;
let customer: Customer;

beforeAll(async () => {
  origin = await startOrigin();
  instance = await Instance.start({ environment: { CORDON_UPSTREAM_ALLOW: `127.0.0.1:${origin.port}` } });
  customer = await createCustomer(instance, 'faults@example.com');
});
afterAll(async () => {
  await instance?.stop();
  await origin?.close();
});

const isFlushed = ({ at }: { at: number }) => at < Date.now() - UNFLUSHED_MS;
const isReady = async () => (await fetch(`${instance.origin}/readyz`)).ok;
const readRoute = async (id: string): Promise<Route> => (await customer.api.getRoute({ params: { id } })).result;

/** The entry of a version's deny list: no other version has it. */
const denyEntry = (step: number) => `8.${Math.floor(step / 65_536)}.${Math.floor(step / 256) % 256}.${step % 256}`;

interface Deploys {
  /** Version and deny entry of every deploy that the API has acknowledged, in order. */
  readonly acknowledged: { version: number; entry: string }[];
  stop(): Promise<void>;
}

/** Saves and deploys without pause; what fails is tried again from what the server says. */
function startDeploys(id: string): Deploys {
  const acknowledged: Deploys['acknowledged'] = [];
  let isRunning = true;
  const loop = (async () => {
    for (let step = 1; isRunning && step < 5000; step += 1) {
      const entry = denyEntry(step);
      try {
        const before = await readRoute(id);
        const { result } = await customer.api.updateRoute({
          params: { id },
          ifMatch: before.draft_revision,
          body: {
            plugins: [{ name: 'ip-restriction', enabled: true, config: { blacklistMode: true, deny: [entry] } }],
            deploy: true,
          },
        });
        if (result.version_live !== null) acknowledged.push({ version: result.version_live, entry });
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        await wait(50);
      }
    }
  })();
  return {
    acknowledged,
    async stop() {
      isRunning = false;
      await loop;
    },
  };
}

/** So that a fault is in the middle of requests and deploys, and what comes after it has begun. */
async function untilMore(traffic: Traffic, deploys?: Deploys) {
  const [answered, deployed] = [traffic.answered.length, deploys?.acknowledged.length ?? 0];
  await until('more answers', () => traffic.answered.length > answered + 100);
  if (deploys) await until('more deploys', () => deploys.acknowledged.length > deployed + 3);
}

const loggedRows = (routeId: string) =>
  clickhouseRows<{ request_id: string; path: string }>(
    instance.running.clickhouseUrl,
    `SELECT request_id, path FROM requests WHERE route_id = '${routeId}' AND path LIKE '${TRAFFIC_PATH}%'`,
  );

/** Every answered request has one row, none has two; a request without a whole answer has one or none. */
async function expectExactlyOnce(routeId: string, traffic: Traffic, mayBeLost: (at: number) => boolean = () => false) {
  const due = traffic.answered.filter((one) => !mayBeLost(one.at));
  await until(
    'all rows stored',
    async () => {
      const ids = new Set((await loggedRows(routeId)).map((row) => row.request_id));
      return due.every((one) => ids.has(one.requestId));
    },
    30_000,
  );
  const rows = await loggedRows(routeId);
  expect(new Set(rows.map((row) => row.request_id)).size).toBe(rows.length);
  const known = new Set(traffic.answered.map((one) => one.requestId));
  const unknown = rows.filter((row) => !known.has(row.request_id)).map((row) => row.path);
  expect(unknown.filter((path) => !traffic.broken.includes(path))).toEqual([]);
  expect(new Set(unknown).size).toBe(unknown.length);
  expect(traffic.answered.length).toBeGreaterThan(100);
}

async function expectDeploysKept(id: string, deploys: Deploys) {
  const last = deploys.acknowledged.at(-1);
  if (!last) throw new Error('nothing was deployed');
  const versions = deploys.acknowledged.map((one) => one.version);
  expect(new Set(versions).size).toBe(versions.length);
  for (const one of [deploys.acknowledged[0], deploys.acknowledged[Math.floor(versions.length / 2)], last]) {
    if (!one) continue;
    const { result } = await customer.api.getVersion({ params: { id, version: one.version } });
    expect(result.config.plugins[0]?.config.deny).toEqual([one.entry]);
  }
  const route = await readRoute(id);
  expect(route.version_live).toBeGreaterThanOrEqual(last.version);
  await until('receipt of the live version', async () => {
    const { result } = await customer.api.getReceipt({ params: { id } });
    return result?.version === route.version_live && result?.state === 'successful';
  });
}

/** A deploy after the fault changes what a visitor gets: the whole way is open again. */
async function expectWholeWayOpen(route: Route, host: string) {
  const before = await readRoute(route.id);
  await customer.api.updateRoute({
    params: { id: route.id },
    ifMatch: before.draft_revision,
    body: {
      plugins: [
        {
          name: 'ip-restriction',
          enabled: true,
          config: { whitelistMode: true, blacklistMode: false, allow: ['8.8.8.8'], deny: [] },
        },
      ],
      deploy: true,
    },
  });
  await until(
    'the new configuration at the edge',
    async () => (await edgeRequest(instance.ports.edgeHttp, host)).status === 403,
  );
}

describe.each(parts)('kill -9 of %s in the middle of deploys and traffic', (part) => {
  it('comes back without help; no acknowledged deploy and no row is lost or doubled', async () => {
    const host = `kill-${part}.faults.example`;
    const route = await deployDomain(instance, customer, host, origin.port);
    const traffic = startTraffic(instance.ports.edgeHttp, host);
    const deploys = startDeploys(route.id);
    await untilMore(traffic, deploys);
    const pid = instance.pid(part);
    process.kill(pid, 'SIGKILL');
    await until(`${part} started again`, () => instance.pid(part) !== pid, 30_000);
    await until('all parts ready', isReady, 30_000);
    await untilMore(traffic, deploys);
    await deploys.stop();
    await traffic.stop();
    // Not even the fault was seen by visitors: nginx goes on without any other part.
    expect(traffic.answered.every((one) => one.status === 200)).toBe(true);
    expect(traffic.broken).toEqual([]);
    await expectDeploysKept(route.id, deploys);
    await expectExactlyOnce(route.id, traffic);
    await expectWholeWayOpen(route, host);
    await customer.api.deleteRoute({ params: { id: route.id }, body: { cname: customer.subscriptionCname } });
  });
});

describe('kill -9 of nginx', () => {
  it('loses at most the second that was not flushed', async () => {
    const host = 'kill-nginx.faults.example';
    const route = await deployDomain(instance, customer, host, origin.port);
    const traffic = startTraffic(instance.ports.edgeHttp, host);
    await until('answers that are flushed', () => traffic.answered.filter(isFlushed).length > 100);
    const pid = instance.nginxPid;
    const workers = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(/\s+/).map(Number);
    const killedAt = Date.now();
    for (const one of [pid, ...workers]) process.kill(one, 'SIGKILL');
    await until('nginx answers again', async () => (await edgeRequest(instance.ports.edgeHttp, host)).status === 200);
    await untilMore(traffic);
    await traffic.stop();
    // The node that starts again lets visitors wait until it knows what it serves.
    expect(traffic.answered.every((one) => one.status === 200)).toBe(true);
    await expectExactlyOnce(route.id, traffic, (at) => at > killedAt - UNFLUSHED_MS && at < killedAt + READ_MS_MAX);
    await customer.api.deleteRoute({ params: { id: route.id }, body: { cname: customer.subscriptionCname } });
  });
});
