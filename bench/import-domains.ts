import { cpus } from 'node:os';
import { createCustomer } from '../tests/support/customer.ts';
import { Instance } from '../tests/support/instance.ts';
import { startOrigin } from '../tests/support/origin.ts';

/**
 * `npx tsx bench/import-domains.ts [rows]`: from the call that imports a file's rows to the end of its batch, every
 * domain deployed and proved live through the node's front door. No bar: 5,000 rows must work, and the page shows them run.
 */
const rows = Number(process.argv[2] ?? 5000);

const origin = await startOrigin();
const instance = await Instance.start({
  environment: { CORDON_UPSTREAM_ALLOW: `127.0.0.1:${origin.port}`, CORDON_DEMO: '1' },
});

try {
  const { api, subscriptionCname: cname } = await createCustomer(instance, 'bench@example.com', 'vip-enterprise');
  process.stdout.write(`${cpus().length} cores, ${cpus()[0]?.model}, ${new Date().toISOString().slice(0, 10)}\n`);

  const startedAt = performance.now();
  let { result: batch } = await api.startImport({
    body: {
      cname,
      rows: Array.from({ length: rows }, (_, index) => ({
        row: index + 2,
        domain_name: `d${index}.bench.example`,
        protocol: 'http',
        upstreams: `127.0.0.1:${origin.port}`,
        status: 'running',
      })),
    },
  });
  const answeredMs = performance.now() - startedAt;
  const slowest = { ms: 0 };
  while (batch.state === 'running') {
    await new Promise((resolve) => setTimeout(resolve, 200));
    const askedAt = performance.now();
    batch = (await api.getBatch({ params: { id: batch.id } })).result;
    slowest.ms = Math.max(slowest.ms, performance.now() - askedAt);
  }
  const seconds = (performance.now() - startedAt) / 1000;
  process.stdout.write(
    `${rows} rows: answered after ${answeredMs.toFixed(0)} ms, ${batch.succeeded} live and ${batch.failed} failed after ${seconds.toFixed(1)} s ` +
      `(${(rows / seconds).toFixed(0)} a second); the API's slowest answer meanwhile ${slowest.ms.toFixed(0)} ms\n`,
  );
  process.exitCode = batch.succeeded === rows ? 0 : 1;
} finally {
  await instance.stop();
  await origin.close();
}
