import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ClickHouseClient } from '../../platform/clickhouse.ts';
import * as repository from './migration-repository.ts';

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
export async function migrateClickHouse(clickhouse: ClickHouseClient, retentionDays: number): Promise<void> {
  const applied = await repository.appliedMigrations(clickhouse);
  const folder = migrationsFolder();
  for (const file of readdirSync(folder)
    .filter((name) => /^\d{4}-[a-z0-9-]+\.sql$/.test(name))
    .sort()) {
    if (applied.has(file)) continue;
    await repository.applyMigration(clickhouse, file, statementsOf(readFileSync(join(folder, file), 'utf8')));
  }
  await repository.setRetention(clickhouse, retentionDays);
}
