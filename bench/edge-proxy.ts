import { cpus } from 'node:os';
import { freePort } from '../apps/edge/src/testing/ports.ts';
import { compare, JSON_LOG, measure, startBareProxy, startOrigin, stopNginx } from './nginx-server.ts';
import { BAN, DENY_RANGES, startBenchEdge } from './support/bench-edge.ts';

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
const edge = await startBenchEdge(originPort, [BAN, DENY_RANGES]);

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
