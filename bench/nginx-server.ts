import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** A bare nginx as origin and yardstick, and the measuring of one by requests per CPU second of its workers. */
const SECONDS = Number(process.env.SECONDS_PER_ROUND ?? 4);
const ROUNDS = Number(process.env.ROUNDS ?? 5);
const TICKS_PER_SECOND = 100;
const dir = mkdtempSync(join(tmpdir(), 'cordon-bench-'));

/** The fields that the edge logs too. */
export const JSON_LOG = `log_format json escape=json '{"t":$msec,"id":"$request_id","h":"$host","m":"$request_method","p":"$uri","q":"$args","s":"$scheme","v":"$server_protocol","c":$status,"o":$bytes_sent,"i":$request_length,"d":$request_time,"a":"$remote_addr","ua":"$http_user_agent","rf":"$http_referer","ut":"$upstream_addr","us":"$upstream_status","ud":"$upstream_response_time"}';
     access_log access.ndjson json buffer=64k flush=1s;`;

/** Starts nginx with one worker; `config` goes into its http block. */
export function startNginx(name: string, config: string): ChildProcess {
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

/** An origin that answers 1 KB. */
export const startOrigin = (port: number): ChildProcess =>
  startNginx(
    'origin',
    `access_log off; server { listen 127.0.0.1:${port}; location / { return 200 "${'x'.repeat(1024)}"; } }`,
  );

/** The yardstick: `proxy_pass` to that origin, with what the edge tells it of a visitor; `log` goes before it. */
export const startBareProxy = (port: number, originPort: number, log: string): ChildProcess =>
  startNginx(
    'bare',
    `${log} upstream origin { server 127.0.0.1:${originPort}; keepalive 256; keepalive_requests 1000000000; }
   server { listen 127.0.0.1:${port}; location / {
     proxy_pass http://origin; proxy_http_version 1.1; proxy_set_header Connection ""; proxy_set_header Host $host;
     proxy_set_header X-Forwarded-For $remote_addr; proxy_set_header X-Forwarded-Proto $scheme;
     proxy_buffering off; proxy_request_buffering off; } }`,
  );

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

export interface Round {
  readonly perCpuSecond: number;
  readonly perSecond: number;
}

/** One round of browser-like requests over 32 kept connections; every answer must have this status. */
export async function measure(master: number, port: number, status = 200, path = '/some/path'): Promise<Round> {
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
      `http://127.0.0.1:${port}${path}`,
    ],
    { encoding: 'utf8' },
  );
  const requests = Number(/(\d+) requests in/.exec(output)?.[1]);
  if (/Non-2xx/.test(output) !== status >= 400) throw new Error(output);
  const ticks = workerTicks(master) - before;
  await delay(200);
  return { perCpuSecond: requests / (ticks / TICKS_PER_SECOND), perSecond: requests / SECONDS };
}

const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** Interleaved rounds, after one of each that does not count: medians, and the median of the rounds' ratios. */
export async function compare(measureBare: () => Promise<Round>, measureEdge: () => Promise<Round>) {
  await measureBare();
  await measureEdge();
  const rounds: { bare: Round; edge: Round }[] = [];
  for (let at = 0; at < ROUNDS; at++) rounds.push({ bare: await measureBare(), edge: await measureEdge() });
  const figure = (pick: (round: { bare: Round; edge: Round }) => number) => median(rounds.map(pick));
  return {
    bare_requests_per_cpu_second: Math.round(figure(({ bare }) => bare.perCpuSecond)),
    edge_requests_per_cpu_second: Math.round(figure(({ edge }) => edge.perCpuSecond)),
    bare_requests_per_second: Math.round(figure(({ bare }) => bare.perSecond)),
    edge_requests_per_second: Math.round(figure(({ edge }) => edge.perSecond)),
    ratio: Math.round(figure((round) => round.edge.perCpuSecond / round.bare.perCpuSecond) * 1000) / 1000,
  };
}

/** Ends what `startNginx` started. */
export async function stopNginx(...masters: readonly ChildProcess[]): Promise<void> {
  for (const nginx of masters) {
    const over = new Promise((resolve) => nginx.once('exit', resolve));
    nginx.kill('SIGTERM');
    await over;
  }
  rmSync(dir, { recursive: true, force: true });
}
