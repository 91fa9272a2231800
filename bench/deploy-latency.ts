import { cpus } from 'node:os';
import { createCustomer } from '../tests/support/customer.ts';
import { Instance } from '../tests/support/instance.ts';
import { startOrigin } from '../tests/support/origin.ts';
import { addDomains, measureDeploys, printDeployTimes, quantile } from './support/deploys.ts';

/**
 * `npx tsx bench/deploy-latency.ts [domains] [deploys]`: from the commit of a deploy to the first request that meets
 * the new behaviour, and to the receipt, with many domains loaded. Bars: p99 under 100 ms, receipt under 1 s.
 */
const domains = Number(process.argv[2] ?? 1000);
const deploys = Number(process.argv[3] ?? 300);

const origin = await startOrigin();
const instance = await Instance.start({
  environment: { CORDON_UPSTREAM_ALLOW: `127.0.0.1:${origin.port}`, CORDON_DEMO: '1' },
});
try {
  const { api, subscriptionCname } = await createCustomer(instance, 'bench@example.com', 'vip-enterprise');
  const startedAt = performance.now();
  const routes = await addDomains(api, subscriptionCname, origin.port, domains);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  process.stdout.write(`${domains} domains added and deployed in ${seconds} s\n`);
  const times = await measureDeploys(api, instance.ports.edgeHttp, routes, deploys);
  process.stdout.write(
    `${cpus().length} cores, ${cpus()[0]?.model}, ${new Date().toISOString().slice(0, 10)}, ${deploys} deploys among ${domains} domains\n`,
  );
  printDeployTimes(times);
  if (quantile(times.live, 0.99) > 100 || quantile(times.receipts, 0.99) > 1000) process.exitCode = 1;
} finally {
  await instance.stop();
  await origin.close();
}
