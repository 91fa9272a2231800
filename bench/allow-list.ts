import { cpus } from 'node:os';
import { createCustomer, deployDomain } from '../tests/support/customer.ts';
import { edgeRequest } from '../tests/support/edge-request.ts';
import { Instance } from '../tests/support/instance.ts';
import { startOrigin } from '../tests/support/origin.ts';

/**
 * `npx tsx bench/allow-list.ts [entries]`: from the call that adds a whole allow list to its answer, and from there until the node
 * lets the last of the addresses pass, whose range is banned; the same of one address alone, beside so many others. Bar of that: a
 * second from the call.
 */
const entries = Number(process.argv[2] ?? 100_000);
const NAME = 'www.allow-list.example';
const ALONE = '20.255.0.1';
const ALONE_MS_MAX = 1000;

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
  const visit = async (from: string) =>
    (await edgeRequest(instance.ports.edgeHttp, NAME, '/', { 'x-forwarded-for': from })).status;
  const until = async (status: number, from = last) => {
    while ((await visit(from)) !== status) await new Promise((resolve) => setTimeout(resolve, 5));
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
  const startedAt = performance.now();
  const { result } = await customer.api.allowNetworks({ body: { networks, note: 'bench' } });
  const answeredAt = performance.now();
  isAdding = false;
  await until(200);
  const liveMs = performance.now() - answeredAt;
  await others;
  const freeAfter = await readFree();
  process.stdout.write(`${((freeBefore - freeAfter) / entries).toFixed(0)} bytes of nginx's memory for each\n`);
  process.stdout.write(
    `${result.added} entries: answered after ${((answeredAt - startedAt) / 1000).toFixed(1)} s, the last one live ${liveMs.toFixed(0)} ms later; ` +
      `the API's slowest answer meanwhile ${slowest.ms.toFixed(0)} ms\n`,
  );
  await customer.api.removeAllowedNetworks({ body: { q: last } });
  const aloneAt = performance.now();
  await customer.api.allowNetworks({ body: { networks: [ALONE] } });
  await until(200, ALONE);
  const aloneMs = performance.now() - aloneAt;
  process.stdout.write(`one more: live ${aloneMs.toFixed(0)} ms after the call\n`);
  process.exitCode = result.added === entries && aloneMs <= ALONE_MS_MAX ? 0 : 1;
} finally {
  await instance.stop();
  await origin.close();
}
