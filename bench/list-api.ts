import { fork } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { createApi } from '../apps/api/src/app.ts';
import { createAccountService } from '../apps/api/src/modules/accounts/service.ts';
import { createLog } from '../apps/api/src/platform/log.ts';
import { newCredential, sha256, TOKEN_PREFIX } from '../apps/api/src/platform/secrets.ts';
import { parseEnvironment } from '../apps/api/src/settings/env.ts';
import { startTestPostgres } from '../apps/api/src/testing/postgres.ts';

/**
 * `tsx bench/list-api.ts`: processor time of a page of the domain list, ours against bare fastify and pg that
 * run the same page by one prepared statement and check nothing, on one account with 100,000 domains. Each server is a
 * process of its own and counts its own processor time; rounds alternate, so that both meet the same machine. Bar: 1.5.
 */
const DOMAINS = Number(process.env.BENCH_DOMAINS ?? 100_000);
/** Both processes open what the first one sealed. */
const SECRET_KEY = randomBytes(32).toString('base64');
const REQUESTS = Number(process.env.BENCH_REQUESTS ?? 1_500);
const ROUNDS = 7;
const CONCURRENCY = 8;
const BAR = 1.5;

interface Round {
  readonly cpuMicroseconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

async function fill(databaseUrl: string): Promise<{ accountId: string; token: string }> {
  const env = parseEnvironment({ DATABASE_URL: databaseUrl, CORDON_SECRET_KEY: SECRET_KEY });
  const api = await createApi({ env, log: createLog('silent') });
  const { db, pool } = api.platform;
  const { accountId, subscriptionId } = await createAccountService(env, db).createAccount({
    email: `bench-${randomUUID()}@cordon.test`,
    plan: 'vip-enterprise',
  });
  await pool.query('SET statement_timeout = 0');
  await pool.query(
    `INSERT INTO routes (account_id, subscription_id, czone, domain_name, domain_name_unicode, cname, status, draft, draft_revision, upstream_summary, remarks, created_at, last_deployed)
     SELECT $1, $2, 'vip01', name, name, 'c' || n || '.bench.edge.cordon.test', 'running',
       '{"traffic_action":"upstream","upstreams":{"protocol":"http","targets":[{"host":"8.8.4.4","port":null,"weight":1,"backup":false}]},"plugins":[]}',
       1, 'http://8.8.4.4', 'customer number ' || n, now() - n * interval '1 second', now() - n * interval '3 seconds'
     FROM (SELECT n, 'd' || lpad(((n * 7919) % 1000003)::text, 7, '0') || '.example.com' AS name FROM generate_series(1, $3) n) AS made`,
    [accountId, subscriptionId, DOMAINS],
  );
  await pool.query('VACUUM ANALYZE routes');
  const token = newCredential(TOKEN_PREFIX);
  await db
    .insertInto('api_tokens')
    .values({
      account_id: accountId,
      name: 'bench',
      token_hash: sha256(token),
      last_four: token.slice(-4),
      scopes: ['domains:read'],
      expires_at: new Date(Date.now() + 3_600_000),
      issued_by: 'operator',
    })
    .execute();
  await api.stop();
  return { accountId, token };
}

/** A server in a process of its own: `ours` or `bare`. */
async function startServer(kind: 'ours' | 'bare', databaseUrl: string, accountId: string) {
  const child = fork(fileURLToPath(new URL('./list-api-server.ts', import.meta.url)), [kind, accountId], {
    env: { ...process.env, DATABASE_URL: databaseUrl, CORDON_SECRET_KEY: SECRET_KEY, NODE_ENV: 'production' },
    execArgv: [
      ...process.execArgv,
      ...(process.env.BENCH_PROFILE ? ['--cpu-prof', `--cpu-prof-dir=${process.env.BENCH_PROFILE}/${kind}`] : []),
    ],
  });
  const next = <T>() =>
    new Promise<T>((resolve, reject) => {
      child.once('message', (message) => resolve(message as T));
      child.once('exit', (code) => reject(new Error(`the server ended with ${code}`)));
    });
  const { url } = await next<{ url: string }>();
  return {
    url,
    async cpu(): Promise<number> {
      const answer = next<{ cpu: number }>();
      child.send('cpu');
      return (await answer).cpu;
    },
    stop: () => child.kill(),
  };
}

async function load(url: string, token: string, requests: number): Promise<number[]> {
  const times: number[] = [];
  let left = requests;
  await Promise.all(
    Array.from({ length: CONCURRENCY }, async () => {
      while (left-- > 0) {
        const page = 1 + (left % 50);
        const startedAt = performance.now();
        const response = await fetch(`${url}/api/v1/domain/routes/?page=${page}&perpage=10`, {
          headers: { authorization: `Bearer ${token}` },
        });
        const body = (await response.json()) as { results: unknown[]; count: number };
        times.push(performance.now() - startedAt);
        if (body.results.length !== 10 || body.count !== DOMAINS)
          throw new Error(`unexpected answer ${response.status}: ${JSON.stringify(body).slice(0, 300)}`);
      }
    }),
  );
  return times.sort((a, b) => a - b);
}

async function measure(server: Awaited<ReturnType<typeof startServer>>, token: string): Promise<Round> {
  const before = await server.cpu();
  const times = await load(server.url, token, REQUESTS);
  const cpuMicroseconds = ((await server.cpu()) - before) / REQUESTS;
  const at = (share: number) => times[Math.floor(times.length * share)] ?? Number.NaN;
  return { cpuMicroseconds, p50Ms: at(0.5), p99Ms: at(0.99) };
}

const middle = (values: number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

const postgres = await startTestPostgres();
const stops: (() => unknown)[] = [];
try {
  const admin = new pg.Client({ connectionString: postgres.url });
  await admin.connect();
  await admin.query('CREATE DATABASE bench');
  await admin.end();
  const databaseUrl = postgres.url.replace(/\/postgres$/, '/bench');
  const { accountId, token } = await fill(databaseUrl);
  process.stderr.write(`filled after ${Math.round(performance.now() / 1000)} s\n`);
  const servers = {
    ours: await startServer('ours', databaseUrl, accountId),
    bare: await startServer('bare', databaseUrl, accountId),
  };
  stops.push(servers.ours.stop, servers.bare.stop);
  for (const server of Object.values(servers)) await load(server.url, token, REQUESTS);
  const rounds = { ours: [] as Round[], bare: [] as Round[] };
  for (let round = 0; round < ROUNDS; round++) {
    process.stderr.write(`round ${round + 1} after ${Math.round(performance.now() / 1000)} s\n`);
    rounds.bare.push(await measure(servers.bare, token));
    rounds.ours.push(await measure(servers.ours, token));
  }
  const cpu = {
    ours: middle(rounds.ours.map((round) => round.cpuMicroseconds)),
    bare: middle(rounds.bare.map((round) => round.cpuMicroseconds)),
  };
  const ratio = cpu.ours / cpu.bare;
  const result = {
    bench: 'list-api',
    date: new Date().toISOString(),
    machine: `${cpus().length} x ${cpus()[0]?.model.trim()}, Node ${process.version}`,
    domains: DOMAINS,
    cpu_us_per_request: { ours: Math.round(cpu.ours), bare: Math.round(cpu.bare) },
    p50_ms: {
      ours: middle(rounds.ours.map((round) => round.p50Ms)),
      bare: middle(rounds.bare.map((round) => round.p50Ms)),
    },
    p99_ms: {
      ours: middle(rounds.ours.map((round) => round.p99Ms)),
      bare: middle(rounds.bare.map((round) => round.p99Ms)),
    },
    ratio: Number(ratio.toFixed(2)),
    bar: BAR,
    passed: ratio <= BAR,
  };
  process.stdout.write(`${JSON.stringify(result, null, 2)}\n`);
  process.exitCode = result.passed ? 0 : 1;
} finally {
  for (const stop of stops) stop();
  await postgres.stop();
}
