import { execFile } from 'node:child_process';
import { Resolver } from 'node:dns/promises';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { copyConfig } from '../apps/standalone/src/name-server/pdns-config.ts';
import { PdnsProcess } from '../apps/standalone/src/name-server/pdns-process.ts';
import { findAccount } from '../apps/standalone/src/process/system-account.ts';
import { createCustomer } from '../tests/support/customer.ts';
import { freePorts } from '../tests/support/free-ports.ts';
import { Instance } from '../tests/support/instance.ts';
import { until } from '../tests/support/until.ts';

/**
 * `npx tsx bench/dns.ts [domains] [seconds]`: queries per second of the name server as it is started, from the views,
 * against the same PowerDNS with the same settings on zone files. Names asked by few and by many, and how soon a new
 * domain answers. Bars: a new domain under 1 s; three quarters of the yardstick for names that are asked often.
 */
const domains = Number(process.argv[2] ?? 100_000);
const seconds = Number(process.argv[3] ?? 10);
const OFTEN = 1_000;
const ADDED = 100;
const ZONE = 'edge.cordon.test';
const run = promisify(execFile);

const quantile = (values: readonly number[], share: number): string =>
  ([...values].sort((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? 0).toFixed(1);
const say = (line: string) => process.stdout.write(`${line}\n`);

async function addDomains(url: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(
      `INSERT INTO routes (account_id, subscription_id, czone, domain_name, domain_name_unicode, cname, status, draft)
       SELECT account_id, id, czone, 'b' || n || '.example.com', 'b' || n || '.example.com',
         substr(md5(n::text), 1, 16) || '.' || cname, 'running', '{}'
       FROM subscriptions, generate_series(1, $1::int) AS n WHERE plan = 'vip-enterprise'`,
      [domains],
    );
    await client.query('ANALYZE');
    const { rows } = await client.query<{ cname: string }>('SELECT cname FROM routes ORDER BY md5(cname)');
    return rows.map((row) => row.cname);
  } finally {
    await client.end();
  }
}

async function measure(port: number, queries: string): Promise<{ perSecond: number; lost: number; ms: number }> {
  const { stdout } = await run(
    'dnsperf',
    ['-s', '127.0.0.1', '-p', String(port), '-d', queries, '-l', String(seconds), '-c', '20', '-q', '200'],
    { maxBuffer: 16 * 1024 * 1024 },
  );
  const figure = (pattern: RegExp) => Number(pattern.exec(stdout)?.[1] ?? Number.NaN);
  if (figure(/NOERROR \d+ \(([\d.]+)%\)/) < 99.9) throw new Error(`not every name was answered:\n${stdout}`);
  return {
    perSecond: figure(/Queries per second:\s+([\d.]+)/),
    lost: figure(/Queries lost:\s+(\d+)/),
    ms: figure(/Average Latency \(s\):\s+([\d.]+)/) * 1000,
  };
}

const instance = await Instance.start();
const directory = await mkdtemp(join(tmpdir(), 'cordon-bench-dns-'));
let yardstick: PdnsProcess | undefined;
try {
  const { api } = await createCustomer(instance, 'bench@example.com', 'vip-enterprise');
  const copy = join(instance.dataDirectory, 'dns/copy', `${ZONE}.zone`);
  const addedAt = performance.now();
  const names = await addDomains(instance.running.databaseUrl);
  const insertedAt = performance.now();
  const last = names.at(-1) ?? '';
  await until('the copy', () => existsSync(copy) && readFileSync(copy, 'latin1').includes(last), 120_000);
  say(
    `${cpus().length} cores, ${cpus()[0]?.model}, ${new Date().toISOString().slice(0, 10)}, ${domains} domains added in ${((insertedAt - addedAt) / 1000).toFixed(1)} s, in the copy ${((performance.now() - insertedAt) / 1000).toFixed(1)} s later`,
  );

  const [port = 0] = await freePorts(1);
  const account = process.getuid?.() === 0 ? (findAccount('pdns') ?? findAccount('nobody')) : undefined;
  const startedAt = performance.now();
  const namedConf = join(instance.dataDirectory, 'dns/copy/named.conf');
  const options = {
    program: '/usr/sbin/pdns_server',
    directory,
    bind: '127.0.0.1',
    port,
    account,
    output: 'ignore',
  } as const;
  yardstick = await PdnsProcess.start('copy', ZONE, options, (place) => copyConfig(place, namedConf));
  say(`PowerDNS answers from the copy ${((performance.now() - startedAt) / 1000).toFixed(1)} s after its start`);

  for (const [what, asked] of [
    [`${OFTEN} names`, names.slice(0, OFTEN)],
    [`${names.length} names`, names],
  ] as const) {
    const queries = join(directory, 'queries');
    await writeFile(queries, asked.map((name) => `${name} A\n`).join(''));
    const views = await measure(instance.ports.dns, queries);
    const files = await measure(port, queries);
    say(
      `${what}: ${views.perSecond.toFixed(0)} q/s from the views (${views.ms.toFixed(1)} ms, ${views.lost} lost), ${files.perSecond.toFixed(0)} q/s from zone files (${files.ms.toFixed(1)} ms, ${files.lost} lost), ratio ${(views.perSecond / files.perSecond).toFixed(2)}`,
    );
  }

  const resolver = new Resolver({ timeout: 1000, tries: 1 });
  resolver.setServers([`127.0.0.1:${instance.ports.dns}`]);
  const cname = (await api.listSubscriptions()).results.find((one) => one.tier === 'vip')?.cname ?? '';
  const waits: number[] = [];
  for (let count = 0; count < ADDED; count += 1) {
    const upstreams = { protocol: 'http' as const, targets: [{ host: '8.8.4.4' }] };
    const { result } = await api.createRoute({ body: { cname, domain_name: `n${count}.bench.example`, upstreams } });
    const committedAt = performance.now();
    await until('the new name', async () => (await resolver.resolve4(result.cname).catch(() => [])).length > 0);
    waits.push(performance.now() - committedAt);
  }
  say(
    `answer of the API to the first answer by DNS, ${ADDED} domains: p50 ${quantile(waits, 0.5)} ms, p99 ${quantile(waits, 0.99)} ms`,
  );
} finally {
  await yardstick?.stop();
  await instance.stop();
  await rm(directory, { recursive: true, force: true });
}
