import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import type { Route } from '@cordon/contract';
import pg from 'pg';
import { launchBrowser, openVisitor } from '../tests/support/browser.ts';
import { signIn } from '../tests/support/console.ts';
import { createCustomer } from '../tests/support/customer.ts';
import { Instance } from '../tests/support/instance.ts';
import { startOrigin } from '../tests/support/origin.ts';
import { until } from '../tests/support/until.ts';
import { addDomains, measureDeploys, printDeployTimes, quantile, statusOf } from './support/deploys.ts';

/**
 * `npx tsx bench/many-domains.ts [domains] [deploys]`: an account with 100,000 live domains, all of them on one node.
 * Memory for each at the edge; from the commit of a deploy to what visitors get (bar: p99 100 ms); the time until a
 * domain can be clicked in the console when its list is opened once more (bar: 1 s).
 */
const DOMAINS = Number(process.argv[2] ?? 100_000);
const DEPLOYS = Number(process.argv[3] ?? 200);
const SAMPLES = 200;
const OPENINGS = 7;

/** The rest of the domains is a copy of one that was deployed in the ordinary way, under other names. */
async function multiply(databaseUrl: string, sample: Route, count: number): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query('SET statement_timeout = 0');
    await client.query('BEGIN');
    await client.query(
      `CREATE TEMPORARY TABLE made ON COMMIT DROP AS
       SELECT gen_random_uuid() AS id, 'm' || n || '.bench.example' AS name FROM generate_series(1, $1::int) n`,
      [count],
    );
    const columns = (
      await client.query<{ name: string }>(
        `SELECT quote_ident(attname) AS name FROM pg_attribute
         WHERE attrelid = 'routes'::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''`,
      )
    ).rows.map(({ name }) => name);
    await client.query(
      `INSERT INTO routes (${columns.join(', ')}) SELECT ${columns.map((name) => `(copy).${name}`).join(', ')}
       FROM (SELECT jsonb_populate_record(r, jsonb_build_object('id', made.id, 'domain_name', made.name,
         'domain_name_unicode', made.name, 'cname', replace(made.name, '.bench.example', '.') || r.cname)) AS copy
       FROM routes r, made WHERE r.id = $1) AS copies`,
      [sample.id],
    );
    await client.query(
      `INSERT INTO names SELECT (jsonb_populate_record(n, jsonb_build_object('name', made.name, 'route_id', made.id))).*
       FROM names n, made WHERE n.route_id = $1`,
      [sample.id],
    );
    await client.query(
      `INSERT INTO edge_routes (route_id, account_id, czone, payload)
       SELECT made.id, e.account_id, e.czone,
         replace(replace(e.payload::text, e.route_id::text, made.id::text), $2, made.name)::jsonb
       FROM edge_routes e, made WHERE e.route_id = $1`,
      [sample.id, sample.domain_name],
    );
    await client.query('COMMIT');
    await client.query('VACUUM ANALYZE routes, names, edge_routes');
  } finally {
    await client.end();
  }
}

/** Bytes that processes hold alone, and their share of what they hold together. */
function bytesOf(...pids: number[]): number {
  return pids
    .map((pid) => /^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1])
    .reduce((sum, kilobytes) => sum + Number(kilobytes ?? 0) * 1024, 0);
}
const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(/\s+/).filter(Boolean).map(Number);

const origin = await startOrigin();
const instance = await Instance.start({
  environment: { CORDON_UPSTREAM_ALLOW: `127.0.0.1:${origin.port}`, CORDON_DEMO: '1' },
});
const browser = await launchBrowser();
try {
  const customer = await createCustomer(instance, 'bench@example.com', 'vip-enterprise');
  const routes = await addDomains(customer.api, customer.subscriptionCname, origin.port, SAMPLES);
  const [sample] = routes;
  if (!sample) throw new Error('nothing was added');
  const edge = instance.ports.edgeHttp;
  await until('the sample is served', async () => (await statusOf(edge, sample.domain_name)) === 200);
  const deployed = (await customer.api.getRoute({ params: { id: sample.id } })).result;

  const nginx = () => [instance.nginxPid, ...childrenOf(instance.nginxPid)];
  const before = { nginx: bytesOf(...nginx()), agent: bytesOf(instance.pid('edge')) };
  const startedAt = performance.now();
  await multiply(instance.running.databaseUrl, deployed, DOMAINS - SAMPLES);
  const committedAt = performance.now();
  const last = `m${DOMAINS - SAMPLES}.bench.example`;
  await until('the last is served', async () => (await statusOf(edge, last)) === 200, 300_000);
  process.stdout.write(
    `${cpus().length} cores, ${cpus()[0]?.model}, ${new Date().toISOString().slice(0, 10)}, ${DOMAINS} domains: written in ${((committedAt - startedAt) / 1000).toFixed(1)} s, all served ${((performance.now() - committedAt) / 1000).toFixed(1)} s later\n`,
  );
  const memory = () => ({ nginx: bytesOf(...nginx()), agent: bytesOf(instance.pid('edge')) });
  const stored = memory();
  // Each worker keeps what it was asked for ready to use.
  for (let at = 1; at <= 5000; at++) await statusOf(edge, `m${at}.bench.example`);
  const warm = memory();
  const each = (bytes: number, count: number) => `${(bytes / count / 1024).toFixed(2)} kB`;
  process.stdout.write(
    `memory for each domain: nginx ${each(stored.nginx - before.nginx, DOMAINS)}, agent ${each(stored.agent - before.agent, DOMAINS)}; for each that was asked for, besides: ${each(warm.nginx - stored.nginx, 5000)}\n`,
  );

  const times = await measureDeploys(customer.api, edge, routes, DEPLOYS);
  printDeployTimes(times);

  const { page } = await openVisitor(browser, { reducedMotion: 'no-preference' });
  await signIn(page, instance.origin, customer);
  const openings: number[] = [];
  for (let opening = 0; opening < OPENINGS; opening++) {
    const openedAt = performance.now();
    await page.goto(`${instance.origin}/?opening=${opening}#/domain/list`, { waitUntil: 'commit' });
    // A trial does everything that makes sure of a click, but the click.
    await page.locator('tbody [data-row] a').first().click({ trial: true });
    openings.push(performance.now() - openedAt);
  }
  // The first one fills the browser's cache.
  const clickable = quantile(openings.slice(1), 0.5);
  process.stdout.write(
    `first domain can be clicked after ${clickable.toFixed(0)} ms, slowest ${Math.max(...openings.slice(1)).toFixed(0)} ms\n`,
  );
  if (quantile(times.live, 0.99) > 100 || clickable > 1000) process.exitCode = 1;
} finally {
  await browser.close();
  await instance.stop();
  await origin.close();
}
