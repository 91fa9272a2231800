import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TrafficRepository } from './repository.ts';

/** The folder of ClickHouse's migrations, from the sources as well as from the bundle. */
function migrationsFolder(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  for (;;) {
    for (const candidate of [join(folder, 'clickhouse'), join(folder, 'apps/api/clickhouse')]) {
      try {
        if (readdirSync(candidate).some((file) => /^\d{4}-.*\.sql$/.test(file))) return candidate;
      } catch {
        // Not here: look one folder up.
      }
    }
    if (dirname(folder) === folder) throw new Error('the folder of ClickHouse migrations was not found');
    folder = dirname(folder);
  }
}

/** Statements of a file: each ends with a semicolon at the end of a line. */
const statementsOf = (sql: string): string[] =>
  sql
    .split(/;[ \t]*(?:\n|$)/)
    .map((statement) => statement.trim())
    .filter((statement) => statement.replaceAll(/^--.*$/gm, '').trim() !== '');

/**
 * Runs the numbered files that this ClickHouse has not seen, and sets how long rows are kept. ClickHouse has no
 * transaction around tables: every statement must bear being run twice (`IF NOT EXISTS`), for one that was killed half
 * way and for two processes that start together. Forward only.
 */
export async function migrateClickHouse(repository: TrafficRepository, retentionDays: number): Promise<void> {
  await repository.command(
    `CREATE TABLE IF NOT EXISTS migrations (name String, applied_at DateTime DEFAULT now())
     ENGINE = MergeTree ORDER BY name SETTINGS fsync_after_insert = 1`,
  );
  const rows = await repository.read<{ name: string }>('SELECT DISTINCT name FROM migrations', {});
  const applied = new Set(rows.map((row) => row.name));
  const folder = migrationsFolder();
  for (const file of readdirSync(folder)
    .filter((name) => /^\d{4}-[a-z0-9-]+\.sql$/.test(name))
    .sort()) {
    if (applied.has(file)) continue;
    for (const statement of statementsOf(readFileSync(join(folder, file), 'utf8'))) await repository.command(statement);
    await repository.command(`INSERT INTO migrations (name) VALUES ('${file}')`);
  }
  await keepFor(repository, retentionDays);
}

async function keepFor(repository: TrafficRepository, days: number): Promise<void> {
  const rows = await repository.read<{ engine_full: string }>(
    `SELECT engine_full FROM system.tables WHERE database = currentDatabase() AND name = 'requests'`,
    {},
  );
  if (rows[0]?.engine_full.includes(`toIntervalDay(${days})`)) return;
  await repository.command(`ALTER TABLE requests MODIFY TTL quarter_hour + toIntervalDay(${days})`);
}
