import { cpus } from 'node:os';
import { createCustomer, deployDomain } from '../tests/support/customer.ts';
import { edgeRequest } from '../tests/support/edge-request.ts';
import { Instance } from '../tests/support/instance.ts';
import { startOrigin } from '../tests/support/origin.ts';

/**
 * `npx tsx bench/allow-list.ts [entries]`: from the call that adds a whole allow list to its answer, and from there until the node
 * lets the last of the addresses pass, whose range is banned; from calls by which another account bans clients meanwhile, until the
 * node keeps them out; and the same of one address alone, beside so many others. Bars: a second each, of the list from its answer.
 */
const entries = Number(process.argv[2] ?? 100_000);
const NAME = 'www.allow-list.example';
const ALONE = '20.255.0.1';
const OTHER = 'www.other.example';
const BAR_MS = 1000;

const origin = await startOrigin();
const instance = await Instance.start({
  environment: {
    CORDON_UPSTREAM_ALLOW: `127.0.0.1:${origin.port}`,
    CORDON_DEMO: '1',
    CORDON_TRUSTED_PROXIES: '127.0.0.1',
  },
});
const networks = Array.from({ length: entries }, (_, at) => `20.${at >> 16}.${(at >> 8) & 255}.${at & 255}`);
const last = networks.at(-1) ?? '';

try {
  const customer = await createCustomer(instance, 'bench@example.com', 'vip');
  await deployDomain(instance, customer, NAME, origin.port);
  const other = await createCustomer(instance, 'other@example.com', 'vip');
  await deployDomain(instance, other, OTHER, origin.port);
  const visit = async (from: string, name: string) =>
    (await edgeRequest(instance.ports.edgeHttp, name, '/', { 'x-forwarded-for': from })).status;
  const until = async (status: number, from = last, name = NAME) => {
    while ((await visit(from, name)) !== status) await new Promise((resolve) => setTimeout(resolve, 5));
  };
  await customer.api.addBans({ body: { networks: ['20.0.0.0/8'], seconds: null } });
  await until(403);
  process.stdout.write(`${cpus().length} cores, ${cpus()[0]?.model}, ${new Date().toISOString().slice(0, 10)}\n`);

  const readFree = async () => {
    const metrics = await (await fetch(`http://127.0.0.1:${instance.running.ports.agent}/metrics`)).text();
    return Number(/feeds_memory_free_bytes (\d+)/.exec(metrics)?.[1]);
  };
  const freeBefore = await readFree();
  const slowest = { ms: 0 };
  let isAdding = true;
  const others = (async () => {
    while (isAdding) {
      const askedAt = performance.now();
      await customer.api.listAllowedNetworks({ query: { perpage: 1 } });
      slowest.ms = Math.max(slowest.ms, performance.now() - askedAt);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  })();
  const bans = { count: 0, slowestMs: 0 };
  let isLive = false;
  const bansOfOther = (async () => {
    while (!isLive) {
      const bannedAt = performance.now();
      const client = `45.0.0.${bans.count++}`;
      await other.api.addBans({ body: { networks: [client], seconds: null } });
      await until(403, client, OTHER);
      bans.slowestMs = Math.max(bans.slowestMs, performance.now() - bannedAt);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  })();
  const startedAt = performance.now();
  const { result } = await customer.api.allowNetworks({ body: { networks, note: 'bench' } });
  const answeredAt = performance.now();
  isAdding = false;
  await until(200);
  const liveMs = performance.now() - answeredAt;
  isLive = true;
  await others;
  await bansOfOther;
  const freeAfter = await readFree();
  process.stdout.write(`${((freeBefore - freeAfter) / entries).toFixed(0)} bytes of nginx's memory for each\n`);
  process.stdout.write(
    `${result.added} entries: answered after ${((answeredAt - startedAt) / 1000).toFixed(1)} s, the last one live ${liveMs.toFixed(0)} ms later; ` +
      `the API's slowest answer meanwhile ${slowest.ms.toFixed(0)} ms\n`,
  );
  process.stdout.write(
    `${bans.count} bans of another account meanwhile: the slowest live ${bans.slowestMs.toFixed(0)} ms after the call\n`,
  );
  await customer.api.removeAllowedNetworks({ body: { q: last } });
  const aloneAt = performance.now();
  await customer.api.allowNetworks({ body: { networks: [ALONE] } });
  await until(200, ALONE);
  const aloneMs = performance.now() - aloneAt;
  process.stdout.write(`one more: live ${aloneMs.toFixed(0)} ms after the call\n`);
  process.exitCode = result.added === entries && Math.max(aloneMs, liveMs, bans.slowestMs) <= BAR_MS ? 0 : 1;
} finally {
  await instance.stop();
  await origin.close();
}
