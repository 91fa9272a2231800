import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ClickHouseProcess } from './testing/clickhouse-process.ts';

const ROWS_PER_BATCH = 500;
const exactlyOnce = { insert_deduplicate: 1, deduplicate_blocks_in_dependent_materialized_views: 1 } as const;

let directory: string;
let server: ClickHouseProcess | undefined;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'cordon-clickhouse-crash-'));
});

afterEach(async () => {
  await server?.end('SIGKILL');
  rmSync(directory, { recursive: true, force: true });
});

it('loses no acknowledged row and counts none twice when it is killed while batches arrive and are sent again', async () => {
  server = await ClickHouseProcess.start(directory);
  const schema = server.client();
  await schema.command({
    query: `CREATE TABLE raw (batch UInt32, n UInt32) ENGINE MergeTree ORDER BY (batch, n)
            SETTINGS non_replicated_deduplication_window = 10000`,
  });
  await schema.command({
    query: `CREATE TABLE rolled (batch UInt32, requests UInt64) ENGINE SummingMergeTree ORDER BY batch
            SETTINGS non_replicated_deduplication_window = 10000`,
  });
  await schema.command({
    query: 'CREATE MATERIALIZED VIEW to_rolled TO rolled AS SELECT batch, count() AS requests FROM raw GROUP BY batch',
  });
  await schema.close();

  const acknowledged = new Set<number>();
  let next = 0;
  for (let round = 0; round < 4; round += 1) {
    const client = server.client();
    const sendUntilKilled = async () => {
      for (;;) {
        const batch = next++;
        const values = Array.from({ length: ROWS_PER_BATCH }, (_, n) => ({ batch, n }));
        const settings = { ...exactlyOnce, insert_deduplication_token: `batch-${batch}` };
        try {
          await client.insert({ table: 'raw', values, format: 'JSONEachRow', clickhouse_settings: settings });
        } catch {
          return;
        }
        acknowledged.add(batch);
      }
    };
    const goal = acknowledged.size + 30;
    const senders = Promise.all([sendUntilKilled(), sendUntilKilled(), sendUntilKilled()]);
    while (acknowledged.size < goal) await new Promise((resolve) => setImmediate(resolve));
    await server.end('SIGKILL');
    await senders;
    await client.close();
    server = await ClickHouseProcess.start(directory);
  }

  const client = server.client();
  const stored = await client.query({
    query: 'SELECT batch, toUInt32(count()) AS rows FROM raw GROUP BY batch',
    format: 'JSONEachRow',
  });
  const rowsOf = new Map(
    (await stored.json<{ batch: number; rows: number }>()).map(({ batch, rows }) => [batch, rows]),
  );
  expect([...acknowledged].filter((batch) => rowsOf.get(batch) !== ROWS_PER_BATCH)).toEqual([]);

  // What an agent does: every batch that got no answer is sent again under its token, and to be sure all others too.
  const again = Array.from({ length: next }, (_, batch) => batch).values();
  const resend = async () => {
    for (const batch of again) {
      const values = Array.from({ length: ROWS_PER_BATCH }, (_, n) => ({ batch, n }));
      const settings = { ...exactlyOnce, insert_deduplication_token: `batch-${batch}` };
      await client.insert({ table: 'raw', values, format: 'JSONEachRow', clickhouse_settings: settings });
    }
  };
  await Promise.all([resend(), resend(), resend(), resend()]);
  const wrong = await client.query({
    query: `SELECT batch, raw, requests FROM
              (SELECT batch, toUInt32(count()) AS raw FROM raw GROUP BY batch) AS a
              FULL JOIN (SELECT batch, toUInt32(sum(requests)) AS requests FROM rolled GROUP BY batch) AS b USING batch
            WHERE raw != ${ROWS_PER_BATCH} OR requests != ${ROWS_PER_BATCH}`,
    format: 'JSONEachRow',
  });
  expect(await wrong.json()).toEqual([]);
  await client.close();
}, 120_000);

it('refuses a directory that a living process has open, and takes over that of a dead one', async () => {
  server = await ClickHouseProcess.start(directory);
  await expect(ClickHouseProcess.start(directory)).rejects.toThrow(/is in use by process/);
  await server.end('SIGKILL');
  server = await ClickHouseProcess.start(directory);
  expect((await server.client().ping()).success).toBe(true);
});
