import { Agent, request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { Client, Route } from '@cordon/contract';

const agent = new Agent({ keepAlive: true });

/** What a visitor of a host is answered with by the edge. */
export function statusOf(port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const req = request({ host: '127.0.0.1', port, path: '/', headers: { host }, agent }, (res) => {
      res.resume();
      res.on('end', () => resolve(res.statusCode ?? 0));
    });
    req.on('error', reject);
    req.end();
  });
}

export const quantile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? 0;

/** Milliseconds since the commit of each deploy: to the first request under it, and to its receipt. */
export interface DeployTimes {
  readonly live: readonly number[];
  readonly receipts: readonly number[];
}

/** Deploys again and again, each time another of the domains, which then refuses the caller or lets it pass. */
export async function measureDeploys(
  api: Client,
  port: number,
  routes: readonly Route[],
  deploys: number,
): Promise<DeployTimes> {
  const live: number[] = [];
  const receipts: number[] = [];
  for (let step = 0; step < deploys; step += 1) {
    const route = routes[(step * 7919) % routes.length];
    if (!route) continue;
    const before = (await api.getRoute({ params: { id: route.id } })).result;
    // An allow list without the caller's address refuses it; without the plugin it passes.
    const isRefused = before.draft.plugins.some((plugin) => plugin.enabled);
    const expected = isRefused ? 200 : 403;
    while ((await statusOf(port, route.domain_name)) === expected) await wait(5);
    const { result: saved } = await api.updateRoute({
      params: { id: route.id },
      ifMatch: before.draft_revision,
      body: {
        plugins: [{ name: 'ip-restriction', enabled: !isRefused, config: { whitelistMode: true, allow: ['8.8.8.8'] } }],
        deploy: true,
      },
    });
    while ((await statusOf(port, route.domain_name)) !== expected);
    const seenAt = Date.now();
    let receipt = (await api.getReceipt({ params: { id: route.id } })).result;
    while (receipt?.state !== 'successful' || receipt.version !== saved.version_live) {
      await wait(5);
      receipt = (await api.getReceipt({ params: { id: route.id } })).result;
    }
    live.push(Math.max(0, seenAt - Date.parse(receipt.committed_at)));
    receipts.push(Math.max(...receipt.nodes.map((node) => node.live_ms ?? Number.POSITIVE_INFINITY)));
  }
  return { live, receipts };
}

/** Adds and deploys domains, some at once. */
export async function addDomains(api: Client, cname: string, originPort: number, count: number): Promise<Route[]> {
  const upstreams = { protocol: 'http' as const, targets: [{ host: '127.0.0.1', port: originPort }] };
  const routes: Route[] = [];
  let next = 0;
  const create = async () => {
    while (next < count) {
      const name = `d${next++}.bench.example`;
      routes.push((await api.createRoute({ body: { cname, domain_name: name, upstreams, deploy: true } })).result);
    }
  };
  await Promise.all(Array.from({ length: 8 }, create));
  return routes;
}

export function printDeployTimes({ live, receipts }: DeployTimes): void {
  for (const [what, values] of [
    ['commit to new behaviour', live],
    ['commit to receipt', receipts],
  ] as const) {
    const [p50, p99, max] = [0.5, 0.99, 1].map((share) => quantile(values, share).toFixed(1));
    process.stdout.write(`${what}: p50 ${p50} ms, p99 ${p99} ms, max ${max} ms\n`);
  }
}
