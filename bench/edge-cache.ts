import { cpus } from 'node:os';
import { definitions } from '@cordon/plugins/definitions';
import { freePort } from '../apps/edge/src/testing/ports.ts';
import { compare, JSON_LOG, measure, startNginx, stopNginx } from './nginx-server.ts';
import { BAN, DENY_RANGES, startBenchEdge } from './support/bench-edge.ts';

/**
 * Requests per CPU second of nginx for what the cache has: the edge with the usual plugins (bans, ip-restriction of 100 ranges, geoip,
 * request-limit, response fields) and its log against bare nginx `proxy_cache` with a log of the same fields. One worker each, the same
 * origin; interleaved rounds, medians. Arguments: sizes in kB; 1 and 100 when left out. `--never`: what can never be stored, against
 * bare `proxy_pass`. `--vary`: of answers that vary by Accept-Language, which the edge compares by what it means. Bare nginx sends from
 * the file (`sendfile`), as is best for 100 kB, where `BARE='sendfile on;'` says so.
 */
const isNever = process.argv.includes('--never');
const isVaried = process.argv.includes('--vary');
const sizes = process.argv
  .slice(2)
  .filter((word) => /^\d+$/.test(word))
  .map(Number);
const configOf = (name: string, config: object) =>
  definitions.find((definition) => definition.name === name)?.schema.parse(config) as Record<string, unknown>;

const originPort = await freePort();
const barePort = await freePort();
const cacheable = isNever
  ? 'add_header Cache-Control "private, no-store";'
  : `add_header Cache-Control max-age=86400;${isVaried ? ' add_header Vary Accept-Language;' : ''}`;
const kilobyte = 'x'.repeat(1024);
const origin = startNginx(
  'origin',
  // nginx reads no longer parameter.
  `access_log off; default_type image/png; server { listen 127.0.0.1:${originPort}; ${cacheable}
   set $one "${kilobyte}"; set $ten "${'$one'.repeat(10)}";
   location / { return 200 $one; } location /large/ { return 200 "${'$ten'.repeat(10)}"; } }`,
);
const bare = startNginx(
  'bare',
  `${JSON_LOG} upstream origin { server 127.0.0.1:${originPort}; keepalive 256; keepalive_requests 1000000000; }
   proxy_cache_path cache levels=1:2 keys_zone=bare:16m max_size=1g use_temp_path=off;
   server { listen 127.0.0.1:${barePort}; ${process.env.BARE ?? ''} location / {
     proxy_pass http://origin; proxy_http_version 1.1; proxy_set_header Connection ""; proxy_set_header Host $host;
     ${isNever ? 'proxy_buffering off;' : 'proxy_cache bare; proxy_cache_valid 200 1d;'} } }`,
);
const edge = await startBenchEdge(originPort, [
  BAN,
  DENY_RANGES,
  { name: 'geoip', config: configOf('geoip', { mode: 'Blacklist', blacklist_countries: ['AQ'] }) },
  { name: 'request-limit', config: configOf('request-limit', { maxretry: 1_000_000, findtime: 20 }) },
  { name: 'proxy-cache', config: configOf('proxy-cache', { cache_paths: ['/static', '/large'] }) },
  {
    name: 'response-transformer',
    config: { add: { headers: [{ name: 'X-Content-Type-Options', value: 'nosniff' }] } },
  },
]);

try {
  for (const size of sizes.length > 0 ? sizes : [1, 100]) {
    const path = isNever ? '/account' : size >= 100 ? '/large/a.png' : '/static/a.png';
    const result = {
      name: isNever ? 'edge-cache, never stored' : `edge-cache, ${size} kB${isVaried ? ', varied' : ''}`,
      date: new Date().toISOString(),
      machine: `${cpus().length} × ${cpus()[0]?.model}`,
      yardstick: isNever ? 'bare nginx proxy_pass, JSON log' : 'bare nginx proxy_cache, JSON log',
      ...(await compare(
        () => measure(bare.pid as number, barePort, 200, path),
        () => measure(edge.nginxPid, edge.httpPort, 200, path),
      )),
    };
    console.log(JSON.stringify(result, null, 2));
  }
} finally {
  await edge.stop();
  await stopNginx(bare, origin);
}
