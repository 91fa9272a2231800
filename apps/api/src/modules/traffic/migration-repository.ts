import { type ClickHouseClient, runStatement, selectRows } from '../../platform/clickhouse.ts';
import { AppError } from '../../platform/errors.ts';

/** The files that this ClickHouse has seen. Makes their table if it is not there. */
export async function appliedMigrations(clickhouse: ClickHouseClient): Promise<Set<string>> {
  await runStatement(
    clickhouse,
    `CREATE TABLE IF NOT EXISTS migrations (name String, applied_at DateTime DEFAULT now())
     ENGINE = MergeTree ORDER BY name SETTINGS fsync_after_insert = 1`,
  );
  const rows = await selectRows<{ name: string }>(clickhouse, 'SELECT DISTINCT name FROM migrations');
  return new Set(rows.map((row) => row.name));
}

/** @param file Name of one of our files, `0001-requests.sql`. */
export async function applyMigration(
  clickhouse: ClickHouseClient,
  file: string,
  statements: readonly string[],
): Promise<void> {
  for (const statement of statements) await runStatement(clickhouse, statement);
  await runStatement(clickhouse, `INSERT INTO migrations (name) VALUES ('${file}')`);
}

/** Sets how long rows of requests are kept, unless it is so. */
export async function setRetention(clickhouse: ClickHouseClient, days: number): Promise<void> {
  const rows = await selectRows<{ engine_full: string }>(
    clickhouse,
    `SELECT engine_full FROM system.tables WHERE database = currentDatabase() AND name = 'requests'`,
  );
  if (rows[0]?.engine_full.includes(`toIntervalDay(${days})`)) return;
  await runStatement(clickhouse, `ALTER TABLE requests MODIFY TTL quarter_hour + toIntervalDay(${days})`);
}

const UNKNOWN_TABLE = '60';

/** Whether a call failed because a table is not there: this ClickHouse is a new, empty one. */
export const isTableMissing = (error: unknown): boolean =>
  error instanceof AppError && (error.cause as { code?: unknown } | undefined)?.code === UNKNOWN_TABLE;

/** Resolves when the tables answer. */
export async function checkTables(clickhouse: ClickHouseClient): Promise<void> {
  await selectRows(clickhouse, 'SELECT 1 FROM requests LIMIT 0', {}, { max_execution_time: 2 });
}
