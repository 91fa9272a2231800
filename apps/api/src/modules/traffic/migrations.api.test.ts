import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ClickHouseClient, createClickHouse, runStatement, selectRows } from '../../platform/clickhouse.ts';
import { startTestClickHouse, type TestClickHouse } from '../../testing/clickhouse.ts';
import { appliedMigrations, applyMigration } from './migration-repository.ts';
import { migrateClickHouse } from './migrations.ts';
import { windowOf } from './overview.ts';
import { overviewQuery, readOverview } from './overview-repository.ts';

let engine: TestClickHouse;
let clickhouse: ClickHouseClient;
beforeAll(async () => {
  engine = await startTestClickHouse();
  clickhouse = createClickHouse(engine.url) as ClickHouseClient;
});
afterAll(async () => {
  await clickhouse.close();
  await engine.stop();
});

const TABLES = new URL('../../../clickhouse/0001-requests.sql', import.meta.url);
const [account, route] = [randomUUID(), randomUUID()];
const window = () => windowOf('24h', Date.now());

const addRows = (action: string, reason: string, count: number) =>
  runStatement(
    clickhouse,
    `INSERT INTO requests (time, account_id, route_id, node_id, batch, status, plugin, action, reason)
     SELECT now64(3), '${account}', '${route}', generateUUIDv4(), 'b', 200, if('${action}' = '', '', 'challenge'),
       '${action}', '${reason}' FROM numbers(${count})`,
  );

async function figures() {
  const rows = await readOverview(clickhouse, account, route, window());
  const sum = (measure: 'requests' | 'challenged' | 'passed') =>
    rows.filter(({ part }) => part === 'series').reduce((all, row) => all + row[measure], 0);
  return [sum('requests'), sum('challenged'), sum('passed')];
}

/** What a reading of the domain's last 24 hours takes from where. */
async function sources() {
  const { previousFrom, from, end, bucketSeconds } = window();
  const plan = await clickhouse.query({
    query: `EXPLAIN projections = 1 ${overviewQuery(window(), true)}`,
    query_params: { account, route, previous_from: previousFrom, from, end, bucket: bucketSeconds },
    format: 'TabSeparated',
  });
  return [...(await plan.text()).matchAll(/ReadFromMergeTree \(([\w.]+)\)/g)].map((match) => match[1]);
}

it('challenges of rows that were stored before they were a figure are counted, and soon without reading the rows', async () => {
  const [tables = ''] = readFileSync(TABLES, 'utf8').split(/;\s*$/);
  await appliedMigrations(clickhouse);
  await applyMigration(clickhouse, '0001-requests.sql', [tables]);
  await addRows('challenge', 'proof_required', 20_000);
  await addRows('', 'challenge_met', 300);
  await migrateClickHouse(clickhouse, 30);
  await addRows('challenge', 'proof_required', 7);
  expect(await figures()).toEqual([20_307, 20_007, 300]);
  await expect
    .poll(sources, { timeout: 20_000 })
    .toEqual(['route_figures_by_quarter_hour', 'route_country_by_quarter_hour']);
  expect(await figures()).toEqual([20_307, 20_007, 300]);

  // A migration that was killed half way runs again.
  await runStatement(
    clickhouse,
    `ALTER TABLE migrations DELETE WHERE name = '0002-challenges.sql' SETTINGS mutations_sync = 1`,
  );
  await migrateClickHouse(clickhouse, 30);
  const projections = await selectRows<{ name: string }>(
    clickhouse,
    `SELECT name FROM system.projections WHERE database = currentDatabase() AND table = 'requests'`,
  );
  expect(projections.map(({ name }) => name)).toEqual([
    'batches',
    'account_figures_by_quarter_hour',
    'route_figures_by_quarter_hour',
    'account_country_by_quarter_hour',
    'route_country_by_quarter_hour',
    'account_route_figures_by_minute',
    'account_cache_by_minute',
    'route_cache_by_minute',
  ]);
  expect(await figures()).toEqual([20_307, 20_007, 300]);
});
