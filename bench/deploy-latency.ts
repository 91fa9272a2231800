import { Agent, request } from 'node:http';
import { cpus } from 'node:os';
import type { Route } from '@cordon/contract';
import { Instance } from '../tests/support/instance.ts';
import { startOrigin } from '../tests/support/origin.ts';

/**
 * `npx tsx bench/deploy-latency.ts [domains] [deploys]`: from the commit of a deploy to the first request that meets
 * the new behaviour, and to the receipt, with many domains loaded. Bars: p99 under 100 ms, receipt under 1 s.
 */
const domains = Number(process.argv[2] ?? 1000);
const deploys = Number(process.argv[3] ?? 300);
const PARALLEL = 8;

const origin = await startOrigin();
const instance = await Instance.start({
  environment: { CORDON_UPSTREAM_ALLOW: `127.0.0.1:${origin.port}`, CORDON_DEMO: '1' },
});
const agent = new Agent({ keepAlive: true });

function statusOf(host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const req = request(
      { host: '127.0.0.1', port: instance.ports.edgeHttp, path: '/', headers: { host }, agent },
      (res) => {
        res.resume();
        res.on('end', () => resolve(res.statusCode ?? 0));
      },
    );
    req.on('error', reject);
    req.end();
  });
}

const quantile = (values: readonly number[], share: number): string =>
  ([...values].sort((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? 0).toFixed(1);

try {
  await instance.operator(
    ...[
      'account',
      'create',
      '--email',
      'bench@example.com',
      '--generate',
      '--plan',
      'vip-enterprise',
      '--reason',
      'bench',
    ],
  );
  const token = (
    await instance.operator('token', '--account', 'bench@example.com', '--ttl', '60m', '--reason', 'bench')
  )
    .split(/\s+/)
    .at(-1);
  const api = instance.client(token ?? '');
  const { results } = await api.listSubscriptions();
  const cname = results.find((one) => one.tier === 'vip')?.cname ?? '';
  const upstreams = { protocol: 'http' as const, targets: [{ host: '127.0.0.1', port: origin.port }] };
  const routes: Route[] = [];
  let next = 0;
  const started = performance.now();
  const create = async () => {
    while (next < domains) {
      const name = `d${next++}.bench.example`;
      routes.push((await api.createRoute({ body: { cname, domain_name: name, upstreams, deploy: true } })).result);
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, create));
  process.stdout.write(
    `${domains} domains added and deployed in ${((performance.now() - started) / 1000).toFixed(1)} s\n`,
  );

  // An allow list without the caller's address refuses it; without the plugin it passes.
  const live: number[] = [];
  const receipts: number[] = [];
  for (let step = 0; step < deploys; step += 1) {
    const route = routes[(step * 7919) % routes.length];
    if (!route) continue;
    const before = (await api.getRoute({ params: { id: route.id } })).result;
    const isRefused = before.draft.plugins.some((plugin) => plugin.enabled);
    const expected = isRefused ? 200 : 403;
    while ((await statusOf(route.domain_name)) === expected) await new Promise((resolve) => setTimeout(resolve, 5));
    const { result: saved } = await api.updateRoute({
      params: { id: route.id },
      ifMatch: before.draft_revision,
      body: {
        plugins: [{ name: 'ip-restriction', enabled: !isRefused, config: { whitelistMode: true, allow: ['8.8.8.8'] } }],
        deploy: true,
      },
    });
    while ((await statusOf(route.domain_name)) !== expected);
    const seenAt = Date.now();
    let receipt = (await api.getReceipt({ params: { id: route.id } })).result;
    while (receipt?.state !== 'successful' || receipt.version !== saved.version_live) {
      await new Promise((resolve) => setTimeout(resolve, 5));
      receipt = (await api.getReceipt({ params: { id: route.id } })).result;
    }
    live.push(Math.max(0, seenAt - Date.parse(receipt.committed_at)));
    receipts.push(Math.max(...receipt.nodes.map((node) => node.live_ms ?? Number.POSITIVE_INFINITY)));
  }
  process.stdout.write(
    `${cpus().length} cores, ${cpus()[0]?.model}, ${new Date().toISOString().slice(0, 10)}, ${deploys} deploys among ${domains} domains\n`,
  );
  for (const [what, values] of [
    ['commit to new behaviour', live],
    ['commit to receipt', receipts],
  ] as const) {
    process.stdout.write(
      `${what}: p50 ${quantile(values, 0.5)} ms, p99 ${quantile(values, 0.99)} ms, max ${quantile(values, 1)} ms\n`,
    );
  }
} finally {
  agent.destroy();
  await instance.stop();
  await origin.close();
}
