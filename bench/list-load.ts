import { fork } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { cpus, loadavg } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { createApi } from '../apps/api/src/app.ts';
import { createAccountService } from '../apps/api/src/modules/accounts/service.ts';
import { createSubscriptionService } from '../apps/api/src/modules/subscriptions/service.ts';
import { createClickHouse } from '../apps/api/src/platform/clickhouse.ts';
import { createLog } from '../apps/api/src/platform/log.ts';
import { newCredential, sha256, TOKEN_PREFIX } from '../apps/api/src/platform/secrets.ts';
import { parseEnvironment } from '../apps/api/src/settings/env.ts';
import { startTestClickHouse } from '../apps/api/src/testing/clickhouse.ts';
import { startTestPostgres } from '../apps/api/src/testing/postgres.ts';

/**
 * `npx tsx bench/list-load.ts [seconds]`: an account with 100,000 domains in groups, two subscriptions and every status, beside
 * a neighbour of the same size. Pages, filters and searches as people ask for them, 50 a second offered whether or not
 * the ones before are answered; times count from when each was due. Bar: p95 under 50 ms for each kind. Then the order by
 * the last 24 hours' numbers, one request after another, while all of its domains have some (bar 250 ms), and the numbers of a page of 100;
 * that alone with 0 seconds.
 */
const SECONDS = Number(process.argv[2] ?? 20);
const DOMAINS = Number(process.env.BENCH_DOMAINS ?? 100_000);
const PER_SECOND = 50;
const BAR_MS = 50;
/** An order by numbers: how often they are read anew, of which time, and how long such a request may take and hold the event loop. */
const BY_NUMBERS = { rounds: 8, keptMs: 5_000, barMs: 250, heldMs: 50 };
const SECRET_KEY = randomBytes(32).toString('base64');

const WORDS = ['shop', 'blog', 'mail', 'static', 'login', 'news', 'media', 'cloud', 'game', 'bank'];

async function fill(databaseUrl: string) {
  const env = parseEnvironment({ DATABASE_URL: databaseUrl, CORDON_SECRET_KEY: SECRET_KEY });
  const api = await createApi({ env, log: createLog('silent') });
  const { db, pool } = api.platform;
  const accounts = createAccountService(env, db);
  const subscriptions = createSubscriptionService(env, db);
  const made = [];
  for (const name of ['bench', 'neighbour']) {
    const { accountId, subscriptionId } = await accounts.createAccount({
      email: `${name}-${randomUUID()}@cordon.test`,
      plan: 'vip-enterprise',
    });
    const second = await subscriptions.add(accountId, 'vip');
    const client = await pool.connect();
    await client.query('SET statement_timeout = 0');
    await client.query(`INSERT INTO groups (account_id, name) SELECT $1, 'Group ' || n FROM generate_series(1, 20) n`, [
      accountId,
    ]);
    await client.query(
      `INSERT INTO routes (account_id, subscription_id, czone, domain_name, domain_name_unicode, cname, status, draft, draft_revision,
         upstream_summary, remarks, created_at, last_deployed, group_id, version_live, ownership_state)
       SELECT $1, CASE WHEN n % 10 = 0 THEN $3::uuid ELSE $2::uuid END, 'vip01', name, name,
         $4 || n || '.' || (SELECT cname FROM subscriptions WHERE id = CASE WHEN n % 10 = 0 THEN $3::uuid ELSE $2::uuid END),
         CASE WHEN n % 50 = 0 THEN 'deleting' WHEN n % 3 = 0 THEN 'deactivated' ELSE 'running' END,
         '{"traffic_action":"upstream","upstreams":{"protocol":"http","targets":[{"host":"8.8.4.4","port":null,"weight":1,"backup":false}]},"plugins":[]}',
         1, 'http://8.8.4.4', 'customer number ' || n, now() - n * interval '1 second',
         CASE WHEN n % 3 = 0 THEN NULL ELSE now() - n * interval '3 seconds' END,
         (SELECT id FROM groups WHERE account_id = $1 AND name = 'Group ' || (n % 20 + 1)),
         CASE WHEN n % 10 = 1 THEN 1 END, CASE WHEN n % 100 = 1 THEN 'pending' ELSE 'verified' END
       FROM (SELECT n, ($5::text[])[n % 10 + 1] || lpad(((n * 7919::bigint) % 1000003)::text, 7, '0') || '.' || $4 || '-example.com' AS name
         FROM generate_series(1, $6::int) n) AS made`,
      [accountId, subscriptionId, second, name, WORDS, DOMAINS],
    );
    await client.query(
      `INSERT INTO names (name, account_id, route_id, subscription_id, kind)
       SELECT domain_name, account_id, id, subscription_id, 'main' FROM routes WHERE account_id = $1`,
      [accountId],
    );
    client.release();
    made.push({ accountId, second });
  }
  await pool.query('VACUUM ANALYZE routes');
  await pool.query('VACUUM ANALYZE route_texts');
  await pool.query('VACUUM ANALYZE names');
  const [bench] = made;
  if (!bench) throw new Error('nothing was made');
  const token = newCredential(TOKEN_PREFIX);
  await db
    .insertInto('api_tokens')
    .values({
      account_id: bench.accountId,
      name: 'bench',
      token_hash: sha256(token),
      last_four: token.slice(-4),
      scopes: ['domains:read', 'traffic:read'],
      expires_at: new Date(Date.now() + 3_600_000),
      issued_by: 'operator',
    })
    .execute();
  const groups = (
    await pool.query<{ id: string }>('SELECT id FROM groups WHERE account_id = $1 AND NOT is_default', [
      bench.accountId,
    ])
  ).rows.map(({ id }) => id);
  const { cname } = await subscriptions.get(bench.accountId, { id: bench.second });
  const { rows: subscribed } = await pool.query<{ cname: string }>(
    'SELECT cname FROM subscriptions WHERE account_id = $1 ORDER BY id = $2',
    [bench.accountId, bench.second],
  );
  const cnameOf = (index: number) => `bench${index}.${subscribed[Number(index % 10 === 0)]?.cname}`;
  await api.stop();
  return { token, groups, cname, cnameOf, accountId: bench.accountId };
}

type Filled = Awaited<ReturnType<typeof fill>>;
let seed = 1;
/** The same questions in each run. */
const random = (below: number) => {
  seed = (seed * 48_271) % 2_147_483_647;
  return seed % below;
};
const pick = <T>(options: readonly T[]): T => options[random(options.length)] as T;
const aName = () => `${pick(WORDS)}${String((random(DOMAINS) * 7919) % 1_000_003).padStart(7, '0')}`;

/** Questions by kind, in the order that the console asks for. Deep pages, rare and common words, one letter more with each key. */
const kinds: Record<string, (filled: Filled) => Record<string, string>> = {
  'list, first pages': () => ({ sort: 'health', page: String(1 + random(10)) }),
  'list, any page': () => ({ sort: 'health', page: String(1 + random(DOMAINS / 10)) }),
  'list, by name': () => ({ sort: 'domain_name', page: String(1 + random(DOMAINS / 10)) }),
  'list, other order': () => ({ sort: pick(['-domain_name', 'last_deployed', '-last_deployed', '-created_at']) }),
  'filter, needs attention': () => ({ health: 'attention', page: String(1 + random(20)) }),
  'filter, status': () => ({
    sort: 'health',
    status: pick(['running', 'deactivated', 'deleting']),
    page: String(1 + random(20)),
  }),
  'filter, group': ({ groups }) => ({ sort: 'health', group: pick(groups), page: String(1 + random(20)) }),
  'filter, group and status': ({ groups }) => ({
    sort: 'health',
    group: pick(groups),
    status: pick(['running', 'deleting']),
  }),
  'filter, subscription': ({ cname }) => ({ sort: 'health', cname, page: String(1 + random(20)) }),
  'filter, status, by deploy': () => ({ status: 'deactivated', sort: '-last_deployed' }),
  'filter, group, by creation': ({ groups }) => ({ group: pick(groups), sort: '-created_at' }),
  'search, a name': () => ({ sort: 'health', q: aName() }),
  'search, while typing': () => ({ sort: 'health', q: aName().slice(0, 4 + random(6)) }),
  'search, remark': () => ({ sort: 'health', q: `number ${random(DOMAINS)}` }),
  'search, common word': () => ({ sort: 'health', q: pick(['example', 'customer', '.com', ...WORDS]) }),
  'search, common word, by name': () => ({ q: pick(['example', 'customer', '.com', ...WORDS]) }),
  'search, a CNAME': ({ cnameOf }) => ({ sort: 'health', q: cnameOf(1 + random(DOMAINS)) }),
  'search, a CNAME while typing': ({ cnameOf }) => ({
    sort: 'health',
    q: cnameOf(1 + random(DOMAINS)).slice(0, 12 + random(10)),
  }),
  "search, a subscription's CNAME": ({ cname }) => ({ sort: 'health', q: cname }),
  'search in a group': ({ groups }) => ({ sort: 'health', q: pick(WORDS), group: pick(groups) }),
  'exactly one name': () => ({ sort: 'health', domain_name: `${aName()}.bench-example.com` }),
};

/** Of which some read numbers that are known for some seconds, and others read them anew. */
const byNumbers: Record<string, (filled: Filled) => Record<string, string>> = {
  'yardstick: by name': () => ({ sort: 'domain_name', page: String(1 + random(DOMAINS / 10)) }),
  'by requests, read anew': () => ({ sort: '-requests' }),
  'by requests, any page': () => ({ sort: '-requests', page: String(1 + random(DOMAINS / 10)) }),
  'by requests, fewest first': () => ({ sort: 'requests', page: String(1 + random(DOMAINS / 10)) }),
  'by requests, in a group': ({ groups }) => ({ sort: '-requests', group: pick(groups) }),
  'by requests, common word': () => ({ sort: '-requests', q: pick(WORDS) }),
  'by health, any page': () => ({ sort: 'health', page: String(1 + random(DOMAINS / 10)) }),
  'by health, common word': () => ({ sort: 'health', q: pick(WORDS) }),
  'by health, word of all': () => ({ sort: 'health', q: pick(['example', 'customer', '.com']) }),
  'by health, any page of it': () => ({
    sort: 'health',
    q: pick(['example', 'customer', '.com']),
    page: String(1 + random(DOMAINS / 10)),
  }),
  'by name, any page of it': () => ({
    q: pick(['example', 'customer', '.com']),
    page: String(1 + random(DOMAINS / 10)),
  }),
  'by requests, needs attention': () => ({ sort: '-requests', health: 'attention' }),
  'by blocked, read anew': () => ({ sort: '-blocked' }),
  'by blocked, any page': () => ({ sort: '-blocked', page: String(1 + random(DOMAINS / 10)) }),
  'by hit ratio, read anew': () => ({ sort: 'hit_ratio' }),
  'by hit ratio, any page': () => ({ sort: '-hit_ratio', page: String(1 + random(DOMAINS / 10)) }),
};

/** As many requests as domains have hours with some: of each every hour, few of many and many of few, a tenth blocked, half from the cache of nine in ten. */
async function fillTraffic(url: string, accountId: string, databaseUrl: string) {
  const clickhouse = createClickHouse(url);
  if (!clickhouse) throw new Error('no ClickHouse');
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ id: string }>('SELECT id FROM routes WHERE account_id = $1', [accountId]);
  await client.end();
  await clickhouse.command({ query: 'CREATE TABLE bench_routes (place UInt32, id UUID) ENGINE = Memory' });
  await clickhouse.insert({
    table: 'bench_routes',
    values: rows.map(({ id }, place) => ({ place, id })),
    format: 'JSONEachRow',
  });
  for (let hour = 0; hour < 24; hour += 1)
    await clickhouse.command({
      query: `INSERT INTO requests (time, account_id, route_id, node_id, batch, request_id, host, method, path, scheme, protocol, status,
          bytes_sent, bytes_received, duration_ms, client_address, country, user_agent, plugin, action, reason, version, cache)
        SELECT fromUnixTimestamp64Milli(toUnixTimestamp64Milli(now64(3)) - toInt64(${hour} * 3600000 + rand64(1) % 3600000), 'UTC'),
          '${accountId}', id, '${randomUUID()}', 'b', '', 'd', 'GET', '/', 'https', 'HTTP/2.0', if(k = 8, 403, 200), 1000, 300, 5,
          '198.51.100.7', 'DE', 'Mozilla/5.0', if(k = 8, 'waf', ''), if(k = 8, 'block', ''), if(k = 8, 'a', ''), 3,
          if(k = 8 OR place % 10 = 0, '', if(k < 5, 'hit', 'miss'))
        FROM (SELECT id, place, rand(7) % 10 AS k FROM bench_routes ARRAY JOIN range(1 + toUInt32(200 / (1 + place % 1000))))`,
      clickhouse_settings: { max_insert_threads: '1' },
    });
  const numberOf = async (query: string) => {
    const [row] = await (await clickhouse.query({ query, format: 'JSONEachRow' })).json<{ number: number }>();
    return row?.number ?? 0;
  };
  while ((await numberOf('SELECT toUInt32(count()) AS number FROM system.merges')) > 0) await wait(500);
  const count = await numberOf('SELECT toUInt32(count()) AS number FROM requests');
  await clickhouse.close();
  return count;
}

const get = (url: string, { token }: Filled, path: string, query: URLSearchParams) =>
  fetch(`${url}/api/v1/${path}?${query}`, { headers: { authorization: `Bearer ${token}` } });

/** For how long the numbers of another 100 domains are read. */
async function timeNumbers(url: string, filled: Filled): Promise<number> {
  const page = new URLSearchParams({ perpage: '100', page: String(1 + random(DOMAINS / 100)) });
  const { results } = (await (await get(url, filled, 'domain/routes/', page)).json()) as { results: { id: string }[] };
  const from = performance.now();
  const ids = new URLSearchParams({ route_ids: results.map(({ id }) => id).join() });
  const { result } = (await (await get(url, filled, 'stats/domains/', ids)).json()) as { result: unknown[] };
  if (result.length !== 100) throw new Error(`the numbers of ${result.length} domains`);
  return performance.now() - from;
}

async function ask(url: string, filled: Filled, kind: string): Promise<{ count: number }> {
  const query = new URLSearchParams((kinds[kind] ?? byNumbers[kind])?.(filled));
  const response = await get(url, filled, 'domain/routes/', query);
  const body = (await response.json()) as { success: boolean; count: number; results: unknown[] };
  if (!response.ok || (body.count > 0 && body.results.length === 0 && !query.has('page')))
    throw new Error(`${query}: ${response.status} ${JSON.stringify(body).slice(0, 300)}`);
  return body;
}

const [postgres, engine] = await Promise.all([startTestPostgres(), startTestClickHouse()]);
let server: ReturnType<typeof fork> | undefined;
try {
  const admin = new pg.Client({ connectionString: postgres.url });
  await admin.connect();
  await admin.query('CREATE DATABASE bench');
  await admin.end();
  const databaseUrl = postgres.url.replace(/\/postgres$/, '/bench');
  const filled = await fill(databaseUrl);
  process.stderr.write(`filled after ${Math.round(performance.now() / 1000)} s\n`);
  server = fork(fileURLToPath(new URL('./list-api-server.ts', import.meta.url)), ['ours', filled.accountId], {
    env: {
      ...process.env,
      DATABASE_URL: databaseUrl,
      CLICKHOUSE_URL: engine.url,
      CORDON_SECRET_KEY: SECRET_KEY,
      NODE_ENV: 'production',
    },
  });
  const child = server;
  const { url } = await new Promise<{ url: string }>((resolve, reject) => {
    child.once('message', (message) => resolve(message as { url: string }));
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}`)));
  });
  const names = Object.keys(kinds);
  for (let round = 0; round < 8; round += 1) for (const kind of names) await ask(url, filled, kind);

  const times = new Map<string, number[]>(names.map((kind) => [kind, []]));
  const startedAt = performance.now() + 200;
  const open: Promise<void>[] = [];
  for (let index = 0; index < SECONDS * PER_SECOND; index += 1) {
    const due = startedAt + (index * 1000) / PER_SECOND;
    const kind = names[index % names.length] as string;
    open.push(
      (async () => {
        await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())));
        await ask(url, filled, kind);
        times.get(kind)?.push(performance.now() - due);
      })(),
    );
  }
  await Promise.all(open);
  const at = (values: readonly number[], share: number) =>
    [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.ceil(values.length * share) - 1)] ?? Number.NaN;
  process.stdout.write(
    `${cpus().length} x ${cpus()[0]?.model.trim()}, load ${loadavg()[0]?.toFixed(1)}, Node ${process.version}, ` +
      `${new Date().toISOString().slice(0, 10)}, ${DOMAINS} domains, ${PER_SECOND} requests/s offered for ${SECONDS} s\n`,
  );
  let isHeld = true;
  for (const [kind, values] of [...times, ['all', [...times.values()].flat()] as const]) {
    if (values.length === 0) continue;
    const p95 = at(values, 0.95);
    if (p95 > BAR_MS) isHeld = false;
    process.stdout.write(
      `${kind.padEnd(28)} p50 ${at(values, 0.5).toFixed(1).padStart(7)} ms   p95 ${p95.toFixed(1).padStart(7)} ms   max ${at(values, 1).toFixed(1).padStart(7)} ms\n`,
    );
  }
  process.stdout.write(`bar: p95 ${BAR_MS} ms for each: ${isHeld ? 'held' : 'missed'}\n`);

  // The server has made the tables.
  const requests = await fillTraffic(engine.url, filled.accountId, databaseUrl);
  const heldMs = async () => {
    child.send({});
    return ((await once(child, 'message'))[0] as { heldMs: number }).heldMs;
  };
  const numbered = new Map<string, number[]>(Object.keys(byNumbers).map((kind) => [kind, []]));
  const ofPages: number[] = [];
  for (const kind of numbered.keys()) await ask(url, filled, kind);
  await heldMs();
  for (let round = 0; round < BY_NUMBERS.rounds; round += 1) {
    await wait(BY_NUMBERS.keptMs + 100);
    for (const [kind, taken] of numbered) {
      const from = performance.now();
      await ask(url, filled, kind);
      taken.push(performance.now() - from);
    }
    ofPages.push(await timeNumbers(url, filled), await timeNumbers(url, filled));
  }
  const held = await heldMs();
  process.stdout.write(`${requests} requests of the last 24 hours, one list after another\n`);
  for (const [kind, values] of [...numbered, ['the numbers of a page', ofPages] as const]) {
    if (at(values, 0.5) > BY_NUMBERS.barMs) isHeld = false;
    process.stdout.write(
      `${kind.padEnd(28)} p50 ${at(values, 0.5).toFixed(1).padStart(7)} ms   max ${at(values, 1).toFixed(1).padStart(7)} ms\n`,
    );
  }
  if (held > BY_NUMBERS.heldMs) isHeld = false;
  process.stdout.write(
    `event loop held at most ${held.toFixed(1)} ms; bars: p50 ${BY_NUMBERS.barMs} ms, held ${BY_NUMBERS.heldMs} ms\n`,
  );
  process.exitCode = isHeld ? 0 : 1;
} finally {
  server?.kill();
  await engine.stop();
  await postgres.stop();
}
