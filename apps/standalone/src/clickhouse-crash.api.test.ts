import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ClickHouseClient } from '@clickhouse/client';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ClickHouseProcess } from './testing/clickhouse-process.ts';

const ROWS_PER_BATCH = 500;
const rowsOfBatch = (batch: number) => Array.from({ length: ROWS_PER_BATCH }, (_, n) => ({ batch, n }));

const insertBatch = (client: ClickHouseClient, batch: number, attempt: number) =>
  client.insert({
    table: 'raw',
    values: rowsOfBatch(batch),
    format: 'JSONEachRow',
    clickhouse_settings: { insert_deduplicate: 1, insert_deduplication_token: `batch-${batch}-${attempt}` },
  });

async function storedRows(client: ClickHouseClient): Promise<Map<number, number>> {
  const stored = await client.query({
    query: 'SELECT batch, toUInt32(count()) AS rows FROM raw GROUP BY batch',
    format: 'JSONEachRow',
  });
  return new Map((await stored.json<{ batch: number; rows: number }>()).map(({ batch, rows }) => [batch, rows]));
}

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
  await schema.close();

  const acknowledged = new Set<number>();
  let next = 0;
  for (let round = 0; round < 4; round += 1) {
    const client = server.client();
    const sendUntilKilled = async () => {
      for (;;) {
        const batch = next++;
        try {
          await insertBatch(client, batch, 0);
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
  const afterKills = await storedRows(client);
  expect([...acknowledged].filter((batch) => afterKills.get(batch) !== ROWS_PER_BATCH)).toEqual([]);

  // What the API does (ADR 0010): a token that was written without its rows, by a kill between the two, takes the next one.
  const batches = Array.from({ length: next }, (_, batch) => batch);
  for (const batch of batches) await insertBatch(client, batch, 0);
  const stored = await storedRows(client);
  for (const batch of batches.filter((one) => !stored.has(one))) await insertBatch(client, batch, 1);
  const whole = new Map(batches.map((batch) => [batch, ROWS_PER_BATCH]));
  expect(await storedRows(client)).toEqual(whole);
  await client.close();
}, 120_000);

it('refuses a directory that a living process has open, and takes over that of a dead one', async () => {
  server = await ClickHouseProcess.start(directory);
  await expect(ClickHouseProcess.start(directory)).rejects.toThrow(/is in use by process/);
  await server.end('SIGKILL');
  server = await ClickHouseProcess.start(directory);
  expect((await server.client().ping()).success).toBe(true);
});
