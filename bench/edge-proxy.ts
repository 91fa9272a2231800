import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../apps/edge/src/testing/ports.ts';
import { testRoute, testTarget, testUpstream } from '../apps/edge/src/testing/routes.ts';
import { startEdge } from '../apps/edge/src/testing/start-edge.ts';

/**
 * Requests per CPU second of nginx: the edge (routes, ip-restriction of 100 ranges, JSON log, all header rules) against
 * bare nginx with `proxy_pass`. One worker each, kept connections on both sides, the same origin, 1 KB answers;
 * interleaved rounds, medians. `--no-log` leaves the access log out of the yardstick.
 */
const ROUNDS = Number(process.env.ROUNDS ?? 5);
const SECONDS = Number(process.env.SECONDS_PER_ROUND ?? 4);
const TICKS_PER_SECOND = 100;
const dir = mkdtempSync(join(tmpdir(), 'cordon-bench-'));

function startNginx(name: string, config: string): ChildProcess {
  const folder = join(dir, name);
  for (const part of ['', 'body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'])
    mkdirSync(join(folder, part), { recursive: true });
  const file = join(folder, 'nginx.conf');
  const temp = [
    'client_body_temp_path body',
    'proxy_temp_path proxy',
    'fastcgi_temp_path fastcgi',
    'uwsgi_temp_path uwsgi',
    'scgi_temp_path scgi',
  ];
  writeFileSync(
    file,
    `daemon off; worker_processes 1; pid ${folder}/nginx.pid; error_log ${folder}/error.log warn;
    ${process.getuid?.() === 0 ? 'user root;' : ''}
    events { worker_connections 4096; }
    http { ${temp.map((line) => `${line};`).join(' ')} server_tokens off; keepalive_requests 1000000000; ${config} }`,
  );
  return spawn('/usr/sbin/nginx', ['-p', folder, '-c', file, '-e', join(folder, 'error.log')], { stdio: 'inherit' });
}

/** CPU ticks of the workers of an nginx master, user and system. */
function workerTicks(master: number): number {
  const workers = readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      return readFileSync(`/proc/${name}/stat`, 'utf8').split(') ')[1]?.split(' ')[1] === String(master);
    } catch {
      return false;
    }
  });
  return workers.reduce((sum, pid) => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return sum + Number(fields[11]) + Number(fields[12]);
  }, 0);
}

interface Round {
  readonly perCpuSecond: number;
  readonly perSecond: number;
}

async function measure(master: number, port: number): Promise<Round> {
  const before = workerTicks(master);
  const output = execFileSync(
    'wrk',
    [
      '-t1',
      '-c32',
      `-d${SECONDS}s`,
      '-H',
      'Host: bench.test',
      '-H',
      'User-Agent: Mozilla/5.0 (X11; Linux x86_64) bench',
      '-H',
      'Accept: text/html',
      '-H',
      'Accept-Language: en',
      '-H',
      'Accept-Encoding: gzip',
      '-H',
      'Cookie: a=b',
      `http://127.0.0.1:${port}/some/path`,
    ],
    { encoding: 'utf8' },
  );
  const requests = Number(/(\d+) requests in/.exec(output)?.[1]);
  if (/Non-2xx/.test(output)) throw new Error(output);
  const ticks = workerTicks(master) - before;
  await delay(200);
  return { perCpuSecond: requests / (ticks / TICKS_PER_SECOND), perSecond: requests / SECONDS };
}

const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

const originPort = await freePort();
const barePort = await freePort();
const origin = startNginx(
  'origin',
  `access_log off; server { listen 127.0.0.1:${originPort}; location / { return 200 "${'x'.repeat(1024)}"; } }`,
);
const log = process.argv.includes('--no-log')
  ? 'access_log off;'
  : `log_format json escape=json '{"t":$msec,"id":"$request_id","h":"$host","m":"$request_method","p":"$uri","q":"$args","s":"$scheme","v":"$server_protocol","c":$status,"o":$bytes_sent,"i":$request_length,"d":$request_time,"a":"$remote_addr","ua":"$http_user_agent","rf":"$http_referer","ut":"$upstream_addr","us":"$upstream_status","ud":"$upstream_response_time"}';
     access_log access.ndjson json buffer=64k flush=1s;`;
const bare = startNginx(
  'bare',
  `${log} upstream origin { server 127.0.0.1:${originPort}; keepalive 256; keepalive_requests 1000000000; }
   server { listen 127.0.0.1:${barePort}; location / {
     proxy_pass http://origin; proxy_http_version 1.1; proxy_set_header Connection ""; proxy_set_header Host $host;
     proxy_set_header X-Forwarded-For $remote_addr; proxy_set_header X-Forwarded-Proto $scheme;
     proxy_buffering off; proxy_request_buffering off; } }`,
);
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
        {
          name: 'ip-restriction',
          config: { allow: [], deny: ranges, whitelistMode: false, blacklistMode: true, allow_spiders: false },
        },
      ],
    }),
  ],
});

try {
  await measure(bare.pid as number, barePort);
  await measure(edge.nginxPid, edge.httpPort);
  const rounds: { bare: Round; edge: Round }[] = [];
  for (let at = 0; at < ROUNDS; at++)
    rounds.push({
      bare: await measure(bare.pid as number, barePort),
      edge: await measure(edge.nginxPid, edge.httpPort),
    });
  const figure = (pick: (round: { bare: Round; edge: Round }) => number) => median(rounds.map(pick));
  const result = {
    name: 'edge-proxy',
    date: new Date().toISOString(),
    machine: `${cpus().length} × ${cpus()[0]?.model}`,
    yardstick: `bare nginx proxy_pass, JSON log ${process.argv.includes('--no-log') ? 'off' : 'on'}`,
    bare_requests_per_cpu_second: Math.round(figure(({ bare: round }) => round.perCpuSecond)),
    edge_requests_per_cpu_second: Math.round(figure(({ edge: round }) => round.perCpuSecond)),
    bare_requests_per_second: Math.round(figure(({ bare: round }) => round.perSecond)),
    edge_requests_per_second: Math.round(figure(({ edge: round }) => round.perSecond)),
    ratio: Math.round(figure((round) => round.edge.perCpuSecond / round.bare.perCpuSecond) * 1000) / 1000,
  };
  console.log(JSON.stringify(result, null, 2));
} finally {
  await edge.stop();
  for (const nginx of [bare, origin]) {
    const over = new Promise((resolve) => nginx.once('exit', resolve));
    nginx.kill('SIGTERM');
    await over;
  }
  rmSync(dir, { recursive: true, force: true });
}
