import { Resolver } from 'node:dns/promises';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Customer, createCustomer } from '../support/customer.ts';
import { hold } from '../support/hold.ts';
import { Instance } from '../support/instance.ts';
import { slowdown } from '../support/slowness.ts';
import { until } from '../support/until.ts';

const OTHER = '192.0.2.53';
const LOCAL = '127.0.0.1';
/** The promise: a dead node is out of the answers within, and a living one back within. */
const NODE_MS_MAX = 10_000;
const COPY_MS_MAX = 2_000;
/** How old the copy may be, at this number of domains. */
const COPY_AGE_MS = 5_000;
let instance: Instance;
let customer: Customer;
let resolver: Resolver;
let beats: NodeJS.Timeout;

beforeAll(async () => {
  instance = await Instance.start();
  customer = await createCustomer(instance, 'names@example.com', 'vip');
  resolver = new Resolver({ timeout: 400, tries: 1 });
  resolver.setServers([`127.0.0.1:${instance.ports.dns}`]);
  // A second node of the czones, of which only the heartbeats exist.
  const made = ['node', 'add', '--name', 'other', '--czones', 'free01,free02,vip01,vip02', '--address', OTHER];
  const credential = (await instance.operator(...made, '--reason', 'test')).split(/\s+/).at(-1) ?? '';
  const beat = () =>
    fetch(`${instance.origin}/api/v1/edge/heartbeat/`, {
      method: 'POST',
      headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        agent_version: 'test',
        cursor: '0',
        nginx: 'running',
        routes: 0,
        targets_down: [],
        log_backlog_bytes: 0,
        log_rows_dropped: 0,
      }),
    }).catch(() => undefined);
  beats = setInterval(() => void beat(), 1000);
  await beat();
});
afterAll(async () => {
  clearInterval(beats);
  await instance?.stop();
});

let added = 0;
async function addDomain(): Promise<string> {
  added += 1;
  const { result } = await customer.api.createRoute({
    body: {
      cname: customer.subscriptionCname,
      domain_name: `n${added}.names.example`,
      upstreams: { protocol: 'http', targets: [{ host: '8.8.4.4' }] },
    },
  });
  return result.cname;
}

const addresses = async (name: string): Promise<string> =>
  (await resolver.resolve4(name).catch(() => [])).sort().join();
const answers = (name: string, expected: string, timeoutMs: number) =>
  until(`${name} answers ${expected}`, async () => (await addresses(name)) === expected, timeoutMs);
const nginxProcesses = (master: number): number[] => [
  master,
  ...readFileSync(`/proc/${master}/task/${master}/children`, 'utf8').trim().split(/\s+/).map(Number),
];
/** The name server's own copy of all records. */
function zoneFiles(): string[] {
  const folder = join(instance.dataDirectory, 'dns/copy');
  const files = readdirSync(folder).filter((file) => file.endsWith('.zone'));
  return files.map((file) => readFileSync(join(folder, file), 'utf8'));
}
const BOTH = [LOCAL, OTHER].join();

describe('a new domain', () => {
  it('has an exclusive CNAME that answers within a second', async () => {
    await answers(await addDomain(), BOTH, 10_000);
    const name = await addDomain();
    const addedAt = performance.now();
    await answers(name, BOTH, 5_000);
    expect((performance.now() - addedAt) / slowdown()).toBeLessThan(1_000);
  });
});

describe('a node', () => {
  it.each([
    ['whose agent is silent', () => [instance.pid('edge')]],
    ['whose nginx does not answer', () => nginxProcesses(instance.nginxPid)],
  ])('%s is out of the answers within 10 s, and back within 10 s', async (_, pids) => {
    const name = await addDomain();
    await answers(name, BOTH, 10_000);
    const letGo = hold(pids);
    try {
      await answers(name, OTHER, NODE_MS_MAX);
    } finally {
      letGo();
    }
    await answers(name, BOTH, NODE_MS_MAX);
  });
});

describe('PostgreSQL', () => {
  it('stopped: every name goes on answering within two seconds, and new ones are there when it is back', async () => {
    const names: string[] = [];
    for (let count = 0; count < 30; count += 1) names.push(await addDomain());
    const last = names.at(-1) ?? '';
    await until(
      'the copy has the last name',
      () => zoneFiles().some((text) => text.includes(`${last}. `)),
      COPY_AGE_MS,
    );
    const supervisor = instance.pid('main');
    // Otherwise it would have the database back at once.
    process.kill(supervisor, 'SIGSTOP');
    try {
      process.kill(instance.pid('postgres'), 'SIGKILL');
      const goneAt = performance.now();
      const failedAt: number[] = [];
      // Asked here for the first time, each once: no cache answers for the database.
      for (const name of names) {
        if ((await addresses(name)) !== BOTH) failedAt.push(performance.now() - goneAt);
        await wait(150);
      }
      expect(performance.now() - goneAt).toBeGreaterThan(2 * COPY_MS_MAX);
      expect(failedAt.filter((ms) => ms > COPY_MS_MAX)).toEqual([]);
    } finally {
      process.kill(supervisor, 'SIGCONT');
    }
    const name = await until('a domain can be added', addDomain, 60_000);
    await answers(name, BOTH, 20_000);
  });
});

describe('kill -9 of the name server', () => {
  it('is started again automatically', async () => {
    const name = await addDomain();
    await answers(name, BOTH, 10_000);
    const pid = instance.pid('dns');
    process.kill(pid, 'SIGKILL');
    await until('started again', () => instance.pid('dns') !== pid, 20_000);
    await answers(name, BOTH, 10_000);
  });
});
