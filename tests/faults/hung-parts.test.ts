import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Route } from '../../packages/contract/index.ts';
import { clickhouseRows } from '../support/clickhouse.ts';
import { type Customer, createCustomer, deployDomain } from '../support/customer.ts';
import { edgeRequest } from '../support/edge-request.ts';
import { Instance } from '../support/instance.ts';
import { startOrigin, type TestOrigin } from '../support/origin.ts';
import { until } from '../support/until.ts';

const host = 'hung.faults.example';
/** The bounds, with what a start takes on a busy machine. */
const PROGRAM_MS_MAX = 10_000 + 10_000;
const ENGINE_MS_MAX = 15_000 + 10_000;
const NGINX_MS_MAX = 5_000 + 10_000;

let instance: Instance;
let origin: TestOrigin;
let customer: Customer;
let route: Route;

beforeAll(async () => {
  origin = await startOrigin();
  instance = await Instance.start({ environment: { CORDON_UPSTREAM_ALLOW: `127.0.0.1:${origin.port}` } });
  customer = await createCustomer(instance, 'hung@example.com');
  route = await deployDomain(instance, customer, host, origin.port);
});
afterAll(async () => {
  await instance?.stop();
  await origin?.close();
});

const childrenOf = (pid: number) =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(/\s+/).map(Number);
/** The parts that do not work, by `/readyz` of the API. */
const partsDown = async () => {
  const answer = await fetch(`${instance.origin}/readyz`);
  const { parts } = (await answer.json()) as { parts: { name: string; ok: boolean }[] };
  return parts.filter(({ ok }) => !ok).map(({ name }) => name);
};
/** What does not work of the node, by `/readyz` of its agent. */
const nodeFaults = async () => {
  const answer = await fetch(`http://127.0.0.1:${instance.running.ports.agent}/readyz`);
  const { parts } = (await answer.json()) as { parts: { isReady: boolean; detail: string }[] };
  return parts.filter(({ isReady }) => !isReady).map(({ detail }) => detail);
};
/** Each of these was said while one of them was still there. */
async function expectSaid(words: readonly string[], read: () => Promise<string[]>): Promise<void> {
  const said = new Set<string>();
  await until(`${words.join(', ')} in /readyz`, async () => {
    for (const one of await read().catch(() => [])) said.add(one);
    return words.every((word) => [...said].some((one) => one.includes(word)));
  });
}
const stop = (pid: number | undefined) => {
  if (!pid) throw new Error('there is no such process');
  process.kill(pid, 'SIGSTOP');
  return pid;
};
const timesSaid = (sentence: string) => instance.output.split(sentence).length - 1;
const agentLog = () => readFileSync(`${instance.dataDirectory}/log/edge.log`, 'utf8');

/** From a change to what a visitor gets and the row of his request. */
async function expectWholeWayOpen(deny: string) {
  const before = (await customer.api.getRoute({ params: { id: route.id } })).result;
  await customer.api.updateRoute({
    params: { id: route.id },
    ifMatch: before.draft_revision,
    body: {
      plugins: [{ name: 'ip-restriction', enabled: true, config: { blacklistMode: true, deny: [deny] } }],
      deploy: true,
    },
  });
  await until('receipt', async () => {
    const { result } = await customer.api.getReceipt({ params: { id: route.id } });
    return result?.state === 'successful' && result.version > (before.version_live ?? 0);
  });
  const answer = await edgeRequest(instance.ports.edgeHttp, host);
  expect(answer.status).toBe(200);
  await until('its row', async () => {
    const rows = await clickhouseRows(
      instance.running.clickhouseUrl,
      `SELECT 1 FROM requests WHERE request_id = '${answer.headers['x-request-id']}'`,
    );
    return rows.length === 1;
  });
}

describe('parts that hang are ended and started again, each once', () => {
  it('PostgreSQL, ClickHouse, PowerDNS and a worker of nginx, reported by /readyz', async () => {
    const program = instance.pid('dns');
    const pdns = stop(childrenOf(program)[0]);
    const worker = stop(childrenOf(instance.nginxPid)[0]);
    const clickhouse = stop(instance.pid('clickhouse'));
    // Its processes go on serving the connections that are open.
    const postgres = stop(instance.pid('postgres'));
    await Promise.all([
      expectSaid(['postgresql-connections', 'clickhouse', 'dns'], partsDown),
      expectSaid([`worker ${worker} does not answer`], nodeFaults),
    ]);
    await until('another PowerDNS', () => !childrenOf(program).includes(pdns), NGINX_MS_MAX);
    await until('another worker', () => !childrenOf(instance.nginxPid).includes(worker), NGINX_MS_MAX);
    await until('another ClickHouse', () => instance.pid('clickhouse') !== clickhouse, ENGINE_MS_MAX);
    await until('another PostgreSQL', () => instance.pid('postgres') !== postgres, ENGINE_MS_MAX);
    await until('ready', async () => (await partsDown()).length === 0, 30_000);
    expect(timesSaid('[clickhouse] has not answered for 15 s; ending it')).toBe(1);
    expect(timesSaid('[postgres] has not answered for 15 s; ending it')).toBe(1);
    expect(agentLog()).toContain(`"workers of nginx hang and are ended","pids":[${worker}]`);
    expect(instance.pid('dns')).toBe(program);
    await expectWholeWayOpen('8.8.8.1');
  });

  it('the API, the agent and the program of the name server, the agent reported by /readyz', async () => {
    // The API's own silence is what its address answers.
    const agent = stop(instance.pid('edge'));
    await expectSaid(['edge'], partsDown);
    const before = [
      ['edge', agent],
      ...(['api', 'dns'] as const).map((part) => [part, stop(instance.pid(part))] as const),
    ] as const;
    expect((await edgeRequest(instance.ports.edgeHttp, host)).status).toBe(200);
    for (const [part, pid] of before) await until(`another ${part}`, () => instance.pid(part) !== pid, PROGRAM_MS_MAX);
    await until('ready', async () => (await partsDown()).length === 0, 30_000);
    for (const [part] of before) expect(timesSaid(`[${part}] has not answered for 10 s; ending it`)).toBe(1);
    await expectWholeWayOpen('8.8.8.2');
    expect(timesSaid('ending it')).toBe(5);
    expect(readdirSync(`${instance.dataDirectory}/run`).sort()).toEqual(
      ['api', 'clickhouse', 'dns', 'edge', 'postgres'].map((part) => `${part}.pid`),
    );
  });
});
