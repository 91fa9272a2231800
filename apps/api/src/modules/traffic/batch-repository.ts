import { type ClickHouseClient, insertLines, selectRows } from '../../platform/clickhouse.ts';
import { ROW_COLUMNS } from './access-log.ts';

/** Rows of a batch that are stored, by UTC day. */
export async function storedRows(
  clickhouse: ClickHouseClient,
  nodeId: string,
  batch: string,
  days: readonly string[],
): Promise<Map<string, number>> {
  const rows = await selectRows<{ day: string; stored: number }>(
    clickhouse,
    `SELECT toString(toDate(quarter_hour)) AS day, count() AS stored FROM requests
     WHERE node_id = {node:UUID} AND batch = {batch:String} AND toDate(quarter_hour) IN {days:Array(Date)}
     GROUP BY node_id, batch, toDate(quarter_hour)`,
    { node: nodeId, batch, days: [...days] },
  );
  return new Map(rows.map((row) => [row.day, row.stored]));
}

/** Inserts one day of a batch as one part. Of two inserts with one token that run at once only one takes effect. */
export const insertRows = (clickhouse: ClickHouseClient, lines: readonly string[], token: string): Promise<void> =>
  insertLines(clickhouse, { table: 'requests', columns: ROW_COLUMNS, token }, lines);
