import { cpus } from 'node:os';
import { createCustomer, deployDomain } from '../tests/support/customer.ts';
import { edgeRequest } from '../tests/support/edge-request.ts';
import { Instance } from '../tests/support/instance.ts';
import { startOrigin } from '../tests/support/origin.ts';
import { quantile } from './support/deploys.ts';
import { addNode, type MoreNode, removeNode } from './support/more-nodes.ts';

/**
 * `npx tsx bench/ban-nodes.ts [bans]`: three nodes of one czone, each an agent with its nginx, two of them as an operator adds them.
 * From the call that bans a client, and from the request with which a client bans itself by sending too many, to the moment at
 * which the last node keeps it out. Bar: p99 under 1 s each.
 */
const bans = Number(process.argv[2] ?? 100);
const BAR_MS = 1000;
const NAME = 'www.bans.example';
const LIMITED = 'www.limited.example';
/** More than the other nodes are asked within the bar: they do not ban the client themselves. */
const REQUESTS_MAX = 120;
const POLL_MS = 10;

const origin = await startOrigin();
const environment = {
  CORDON_UPSTREAM_ALLOW: `127.0.0.1:${origin.port}`,
  CORDON_DEMO: '1',
  CORDON_TRUSTED_PROXIES: '127.0.0.1',
};
const instance = await Instance.start({ environment });
const nodes: MoreNode[] = [];

let last = 0;
/** No client twice. */
function nextClient(): string {
  last += 1;
  return `45.${last >> 16}.${(last >> 8) & 255}.${last & 255}`;
}
const visit = async (port: number, name: string, from: string) =>
  (await edgeRequest(port, name, '/', { 'x-forwarded-for': from })).status;

try {
  for (const name of ['second', 'third']) nodes.push(await addNode(instance, name, environment));
  const customer = await createCustomer(instance, 'bench@example.com', 'vip');
  await deployDomain(instance, customer, NAME, origin.port);
  const limited = await deployDomain(instance, customer, LIMITED, origin.port);
  await customer.api.updateRoute({
    params: { id: limited.id },
    ifMatch: limited.draft_revision,
    body: {
      deploy: true,
      plugins: [
        { name: 'request-limit', enabled: true, config: { maxretry: REQUESTS_MAX, findtime: 60, bantime: '1h' } },
      ],
    },
  });
  const ports = [instance.ports.edgeHttp, ...nodes.map(({ http }) => http)];
  const until = async (port: number, name: string, from: string, isStopped: boolean) => {
    while ((await visit(port, name, from).catch(() => 0)) !== (isStopped ? 403 : 200))
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  };
  for (const port of ports) for (const name of [NAME, LIMITED]) await until(port, name, nextClient(), false);

  /** Until all nodes keep the client out, from the moment that `ban` answers. */
  async function measure(ban: (client: string) => Promise<number>, name: string): Promise<number[]> {
    const times: number[] = [];
    for (let at = 0; at < bans; at++) {
      const client = nextClient();
      const startedAt = await ban(client);
      await Promise.all(ports.map((port) => until(port, name, client, true)));
      times.push(performance.now() - startedAt);
    }
    return times;
  }
  const byCall = await measure(async (client) => {
    const startedAt = performance.now();
    await customer.api.addBans({ body: { networks: [client], seconds: 600 } });
    return startedAt;
  }, NAME);
  const byNode = await measure(async (client) => {
    for (let at = 1; at < REQUESTS_MAX; at++) await visit(ports[1] as number, LIMITED, client);
    const startedAt = performance.now();
    await visit(ports[1] as number, LIMITED, client);
    return startedAt;
  }, LIMITED);
  process.stdout.write(
    `${cpus().length} cores, ${cpus()[0]?.model}, ${new Date().toISOString().slice(0, 10)}, ${bans} bans each on ${ports.length} nodes\n`,
  );
  for (const [what, times] of [
    ['by a call', byCall],
    ['by a node', byNode],
  ] as const) {
    const [p50, p99] = [quantile(times, 0.5), quantile(times, 0.99)];
    const isMet = p99 < BAR_MS;
    process.stdout.write(
      `${what}: p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms (bar ${BAR_MS} ms, ${isMet ? 'met' : 'MISSED'})\n`,
    );
    if (!isMet) process.exitCode = 1;
  }
} finally {
  for (const node of nodes) await removeNode(node);
  await instance.stop();
  await origin.close();
}
