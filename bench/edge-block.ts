import { cpus } from 'node:os';
import { freePort } from '../apps/edge/src/testing/ports.ts';
import { testRoute } from '../apps/edge/src/testing/routes.ts';
import { startEdge } from '../apps/edge/src/testing/start-edge.ts';
import { compare, JSON_LOG, measure, startNginx, stopNginx } from './nginx-server.ts';

/**
 * Refused requests per CPU second of nginx, as in a flood: the edge (ip-restriction, the block page with its request id,
 * JSON log) against bare nginx that answers 403 with a page of about the same size. One worker each.
 */
const PAGE_BYTES = 1700;
const barePort = await freePort();
const bare = startNginx(
  'bare',
  `${JSON_LOG} server { listen 127.0.0.1:${barePort}; error_page 403 @page; location @page { internal; default_type text/html; return 403 "${'x'.repeat(PAGE_BYTES)}"; }
   location / { return 403; } }`,
);
const edge = await startEdge({
  workers: 1,
  environment: { CORDON_DEMO_SECRET: '' },
  routes: [
    testRoute({
      hosts: ['bench.test'],
      plugins: [
        {
          name: 'ip-restriction',
          config: { allow: ['192.0.2.1'], deny: [], whitelistMode: true, blacklistMode: false, allow_spiders: false },
        },
      ],
    }),
  ],
});

try {
  const result = {
    name: 'edge-block',
    date: new Date().toISOString(),
    machine: `${cpus().length} × ${cpus()[0]?.model}`,
    yardstick: 'bare nginx `return 403` with a page of the same size, JSON log on',
    ...(await compare(
      () => measure(bare.pid as number, barePort, 403),
      () => measure(edge.nginxPid, edge.httpPort, 403),
    )),
  };
  console.log(JSON.stringify(result, null, 2));
} finally {
  await edge.stop();
  await stopNginx(bare);
}
