import { randomUUID } from 'node:crypto';
import { cpus } from 'node:os';
import type { TrafficRange } from '@cordon/contract';
import {
  COSTLY_ROWS_MAX,
  cacheQuery,
  costlyQuery,
  costlyStartQuery,
} from '../apps/api/src/modules/traffic/cache-repository.ts';
import { windowOf } from '../apps/api/src/modules/traffic/overview.ts';
import { overviewQuery } from '../apps/api/src/modules/traffic/overview-repository.ts';
import { requestsQuery, startQuery } from '../apps/api/src/modules/traffic/request-repository.ts';
import { createTrafficService } from '../apps/api/src/modules/traffic/service.ts';
import { createClickHouse } from '../apps/api/src/platform/clickhouse.ts';
import { createDatabase, createPool, migrate } from '../apps/api/src/platform/database.ts';
import { createLog } from '../apps/api/src/platform/log.ts';
import { startTestClickHouse } from '../apps/api/src/testing/clickhouse.ts';
import { startTestPostgres } from '../apps/api/src/testing/postgres.ts';

/**
 * `npx tsx bench/logs-dashboards.ts [millions of rows]`: how fast batches are stored, and how fast dashboards are read
 * from the roll-ups; the yardstick is the same statement over the rows themselves, in the same run.
 */
const millions = Number(process.argv[2] ?? 40);
const DAYS = 14;
const ROUNDS = 21;
const BATCHES = 20;
const BATCH_ROWS = 20_000;
/** 40 % of all rows are one account's, over 200 domains; the rest is spread over 500 accounts of 3. */
const heavyAccount = '00000000-0000-4000-8000-000000000001';
const heavyRoute = '00000000-0000-4000-8000-000000010007';

const log = createLog('silent');
const [engine, postgres] = await Promise.all([startTestClickHouse(), startTestPostgres()]);
await migrate(postgres.url, log);
const pool = createPool(postgres.url, log, 5);
const db = createDatabase(pool);
const clickhouse = createClickHouse(engine.url);
if (!clickhouse) throw new Error('no ClickHouse');
const traffic = createTrafficService({ clickhouse, db, log, sharedMs: 0 });
traffic.start();
while (!(await traffic.check().catch(() => undefined))) await new Promise((resolve) => setTimeout(resolve, 50));

const quantile = (values: number[], share: number) =>
  ([...values].sort((a, b) => a - b)[Math.floor((values.length - 1) * share)] ?? 0).toFixed(1);

async function timed(work: () => Promise<unknown>, rounds = ROUNDS): Promise<{ p50: string; p95: string }> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const start = performance.now();
    await work();
    times.push(performance.now() - start);
  }
  return { p50: quantile(times, 0.5), p95: quantile(times, 0.95) };
}

const uuidOf = (number: string) => `toUUID(concat('00000000-0000-4000-8000-', leftPad(toString(${number}), 12, '0')))`;

async function fill(): Promise<void> {
  const slices = DAYS * 2;
  const rows = Math.round((millions * 1e6) / slices);
  for (let slice = 0; slice < slices; slice += 1) {
    await clickhouse?.command({
      query: `
        INSERT INTO requests (time, account_id, route_id, node_id, batch, request_id, host, method, path, scheme, protocol, status,
          bytes_sent, bytes_received, duration_ms, client_address, country, user_agent, upstream_address, upstream_status,
          upstream_ms, cache, cache_reason, plugin, action, reason, version)
        SELECT fromUnixTimestamp64Milli(toUnixTimestamp64Milli(now64(3)) - toInt64(${slice} * 43200000 + rand64(1) % 43200000), 'UTC'),
          ${uuidOf('a')}, ${uuidOf('a * 10000 + r')}, ${uuidOf('9')}, concat('fill-', toString(${slice}), '-', toString(intDiv(number, 20000))),
          lower(hex(MD5(toString(rand64(5))))), concat('d', toString(r), '.example'), 'GET', concat('/page/', toString(rand(6) % 10000)),
          'https', 'HTTP/2.0', [200, 200, 200, 200, 200, 304, 301, 404, 403, 502][1 + k], rand(8) % 50000, 300, rand(9) % 500,
          concat('198.51.100.', toString(rand(10) % 256)),
          ['US', 'DE', 'CN', 'FR', 'GB', 'BR', 'IN', 'JP', 'RU', 'NL', 'IT', 'ES', 'SE', 'PL', 'KR'][1 + rand(12) % 15], 'Mozilla/5.0',
          if(c = 'hit', '', '192.0.2.1:443'), if(c = 'hit', 0, 200), if(c = 'hit', 0, rand(15) % 300), c,
          if(c = 'bypass', 'path', if(c = 'miss', ['', 'private', 'no_store'][1 + rand(17) % 3], '')),
          if(k = 8, ['waf', 'request-limit', 'ip-restriction', 'geoip'][1 + rand(13) % 4], ''), if(k = 8, 'block', ''),
          if(k = 8, ['a', 'b', 'c'][1 + rand(14) % 3], ''), 3
        FROM (SELECT number, rand(7) % 10 AS k, ['hit', 'hit', 'hit', 'miss', 'bypass', ''][1 + rand(16) % 6] AS c, if(rand(2) % 10 < 4, 1, 2 + rand(3) % 500) AS a, if(a = 1, rand(4) % 200, rand(4) % 3) AS r
              FROM numbers(${rows}))`,
      clickhouse_settings: { max_insert_threads: '1' },
    });
  }
}

async function storing(): Promise<{ p50: string; p95: string; rate: number; repeated: string }> {
  const account = (await db.insertInto('accounts').values({ name: 'bench' }).returning('id').executeTakeFirstOrThrow())
    .id;
  const subscription = await db
    .insertInto('subscriptions')
    .values({ account_id: account, czone: 'free01', plan: 'free', cname: 'bench.edge.cordon.test' })
    .returning('id')
    .executeTakeFirstOrThrow();
  const routes: string[] = [];
  for (let index = 0; index < 50; index += 1) {
    const values = {
      account_id: account,
      subscription_id: subscription.id,
      czone: 'free01',
      domain_name: `b${index}.example`,
      domain_name_unicode: `b${index}.example`,
      cname: `b${index}.bench.edge.cordon.test`,
      status: 'running' as const,
      draft: '{}',
      draft_revision: 1,
    };
    routes.push((await db.insertInto('routes').values(values).returning('id').executeTakeFirstOrThrow()).id);
  }
  const node = { id: randomUUID(), czones: ['free01'] };
  const bodies = Array.from({ length: BATCHES }, () =>
    Array.from({ length: BATCH_ROWS }, (_, index) =>
      JSON.stringify({
        time: Date.now() / 1000,
        request_id: randomUUID().replaceAll('-', ''),
        route_id: routes[index % 50],
        account_id: account,
        host: `b${index % 50}.example`,
        method: 'GET',
        path: `/page/${index % 1000}`,
        query: '',
        scheme: 'https',
        protocol: 'HTTP/2.0',
        status: index % 10 ? 200 : 404,
        bytes_sent: index,
        bytes_received: 300,
        duration_ms: 1.5,
        client_address: '198.51.100.7',
        country: index % 2 ? 'DE' : 'US',
        user_agent: 'Mozilla/5.0',
        referer: '',
        upstream_address: '192.0.2.1:443',
        upstream_status: 200,
        upstream_ms: 1.25,
        cache: '',
        plugin: '',
        action: '',
        reason: '',
        rule: '',
        version: 3,
      }),
    ).join('\n'),
  );
  async function* bodyOf(text: string) {
    for (let from = 0; from < text.length; from += 65_536) yield Buffer.from(text.slice(from, from + 65_536));
  }
  let index = 0;
  const start = performance.now();
  const times = await timed(() => traffic.storeAccessLog(node, `b${index}`, bodyOf(bodies[index++] ?? '')), BATCHES);
  const rate = Math.round((BATCHES * BATCH_ROWS) / ((performance.now() - start) / 1000));
  const repeated = await timed(() => traffic.storeAccessLog(node, 'b0', bodyOf(bodies[0] ?? '')), 5);
  return { ...times, rate, repeated: repeated.p50 };
}

async function reading(): Promise<void> {
  const read = async (query: string, parameters: Record<string, unknown>, fromRows: boolean) => {
    const result = await clickhouse?.query({
      query,
      query_params: parameters,
      format: 'JSONEachRow',
      clickhouse_settings: { optimize_use_projections: fromRows ? 0 : 1 },
    });
    await result?.json();
  };
  console.log('| dashboard | p50 ms | p95 ms | over the rows, p50 ms |\n| --- | --- | --- | --- |');
  for (const range of ['15m', '1h', '24h', '7d'] as TrafficRange[]) {
    for (const route of [undefined, heavyRoute]) {
      const window = windowOf(range, Date.now());
      const parameters = {
        account: heavyAccount,
        route,
        previous_from: window.previousFrom,
        from: window.from,
        end: window.end,
        bucket: window.bucketSeconds,
      };
      const query = overviewQuery(window, route !== undefined);
      await read(query, parameters, false);
      const rollups = await timed(() => read(query, parameters, false));
      const rows = await timed(() => read(query, parameters, true), 5);
      console.log(
        `| ${range}, ${route ? 'one domain' : '200 domains'} | ${rollups.p50} | ${rollups.p95} | ${rows.p50} |`,
      );
    }
  }
  for (const range of ['15m', '1h', '24h', '7d'] as TrafficRange[]) {
    const window = windowOf(range, Date.now());
    const parameters = {
      account: heavyAccount,
      route: heavyRoute,
      previous_from: window.previousFrom,
      from: window.from,
      end: window.end,
      bucket: window.bucketSeconds,
      most: COSTLY_ROWS_MAX,
    };
    for (const hasRoute of [false, true]) {
      const query = cacheQuery(window, hasRoute);
      await read(query, parameters, false);
      const rollups = await timed(() => read(query, parameters, false));
      const rows = await timed(() => read(query, parameters, true), 5);
      const whose = hasRoute ? 'one domain' : '200 domains';
      console.log(`| cache of ${whose}, ${range} | ${rollups.p50} | ${rollups.p95} | ${rows.p50} |`);
    }
    const paths = await timed(async () => {
      await read(costlyStartQuery, parameters, false);
      await read(costlyQuery('bytes'), { ...parameters, start: window.from }, true);
    });
    console.log(`| its costly paths, ${range} | ${paths.p50} | ${paths.p95} | |`);
  }
  for (const action of ['all', 'block'] as const) {
    const filter = { action, limit: 100 };
    const parameters = { account: heavyAccount, limit: 100, start: Math.floor(Date.now() / 1000) - 1800 };
    const times = await timed(async () => {
      await read(startQuery(filter), parameters, false);
      await read(requestsQuery(filter), parameters, false);
    });
    console.log(`| last 100, ${action} | ${times.p50} | ${times.p95} | |`);
  }
}

try {
  console.log(
    `${new Date().toISOString().slice(0, 10)}, ${cpus().length} × ${cpus()[0]?.model.trim()}, Node ${process.version}`,
  );
  const began = performance.now();
  await fill();
  console.log(
    `${millions} million rows over ${DAYS} days, 40 % of one account; filled in ${Math.round((performance.now() - began) / 1000)} s`,
  );
  const stored = await storing();
  console.log(
    `storing ${BATCH_ROWS} rows a batch: p50 ${stored.p50} ms, p95 ${stored.p95} ms, ${stored.rate} rows/s acknowledged; a repeat ${stored.repeated} ms`,
  );
  await reading();
} finally {
  await traffic.stop();
  await clickhouse.close();
  await db.destroy();
  await postgres.stop();
  await engine.stop();
}
