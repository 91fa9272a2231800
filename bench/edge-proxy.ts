import { cpus } from 'node:os';
import { freePort } from '../apps/edge/src/testing/ports.ts';
import { testRoute, testTarget, testUpstream } from '../apps/edge/src/testing/routes.ts';
import { startEdge } from '../apps/edge/src/testing/start-edge.ts';
import { compare, JSON_LOG, measure, startBareProxy, startOrigin, stopNginx } from './nginx-server.ts';

/**
 * Requests per CPU second of nginx: the edge (routes, ip-restriction of 100 ranges, JSON log, all header rules) against
 * bare nginx with `proxy_pass`. One worker each, kept connections on both sides, the same origin, 1 KB answers;
 * interleaved rounds, medians. `--no-log` leaves the access log out of the yardstick.
 */
const originPort = await freePort();
const barePort = await freePort();
const origin = startOrigin(originPort);
const log = process.argv.includes('--no-log') ? 'access_log off;' : JSON_LOG;
const bare = startBareProxy(barePort, originPort, log);
const ranges = Array.from({ length: 100 }, (_, at) => `${20 + at}.${at}.0.0/16`);
const edge = await startEdge({
  workers: 1,
  environment: { CORDON_DEMO_SECRET: '' },
  routes: [
    testRoute({
      hosts: ['bench.test'],
      // Timeouts as the control plane writes them.
      upstream: testUpstream([testTarget(originPort)], {
        connect_timeout_ms: 5000,
        send_timeout_ms: 60_000,
        read_timeout_ms: 60_000,
      }),
      plugins: [
        // Always on: the control plane adds it to every route.
        { name: 'ban', config: { default_timeout: 3600 } },
        {
          name: 'ip-restriction',
          config: { allow: [], deny: ranges, whitelistMode: false, blacklistMode: true, allow_spiders: false },
        },
      ],
    }),
  ],
});

try {
  const result = {
    name: 'edge-proxy',
    date: new Date().toISOString(),
    machine: `${cpus().length} × ${cpus()[0]?.model}`,
    yardstick: `bare nginx proxy_pass, JSON log ${process.argv.includes('--no-log') ? 'off' : 'on'}`,
    ...(await compare(
      () => measure(bare.pid as number, barePort),
      () => measure(edge.nginxPid, edge.httpPort),
    )),
  };
  console.log(JSON.stringify(result, null, 2));
} finally {
  await edge.stop();
  await stopNginx(bare, origin);
}
