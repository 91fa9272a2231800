import { Readable } from 'node:stream';
import { type ClickHouseClient, ClickHouseError, type ClickHouseSettings } from '@clickhouse/client';
import type { Db } from '../../platform/database.ts';
import { AppError } from '../../platform/errors.ts';
import { ROW_COLUMNS, type RouteOwner } from './access-log.ts';

/** Bounds of one reading. A dashboard takes milliseconds; what takes seconds is stopped, not waited for. */
const READ_SETTINGS: ClickHouseSettings = {
  max_execution_time: 10,
  max_memory_usage: String(1024 * 1024 * 1024),
  max_result_rows: '100000',
  // All parts of one statement see the same parts of the table, whichever projection each reads.
  enable_shared_storage_snapshot_in_query: 1,
};

/** One INSERT makes one block, hence one part: stored whole or not at all. Answered when it is on disk. */
const WRITE_SETTINGS: ClickHouseSettings = {
  async_insert: 0,
  insert_deduplicate: 1,
  input_format_parallel_parsing: 0,
  max_insert_block_size: '1048576',
  max_execution_time: 50,
  max_memory_usage: String(2 * 1024 * 1024 * 1024),
};

/** Codes of ClickHouse that say "not now": timeouts, too many queries, memory, read-only, shutting down, no table yet. */
const PASSING_CODES = new Set([
  '60',
  '81',
  '159',
  '160',
  '202',
  '203',
  '209',
  '210',
  '236',
  '241',
  '242',
  '252',
  '394',
  '425',
]);

/** Transient errors become UNAVAILABLE, so that callers retry; any other error is returned as it is and answers 500. */
function translate(error: unknown): unknown {
  if (error instanceof AppError) return error;
  if (error instanceof ClickHouseError && !PASSING_CODES.has(error.code)) return error;
  return new AppError('UNAVAILABLE', { message: 'The traffic store does not answer; try again later.', cause: error });
}

export interface TrafficRepositoryOptions {
  readonly clickhouse: ClickHouseClient;
  readonly db: Db;
}

/** Everything the traffic module reads and writes in ClickHouse and PostgreSQL. */
export function createTrafficRepository({ clickhouse, db }: TrafficRepositoryOptions) {
  async function guarded<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      throw translate(error);
    }
  }

  /** Rows of a SELECT without FORMAT. */
  const read = <Row>(
    query: string,
    parameters: Record<string, unknown>,
    settings: ClickHouseSettings = {},
  ): Promise<Row[]> =>
    guarded(async () => {
      const result = await clickhouse.query({
        query,
        query_params: parameters,
        format: 'JSONEachRow',
        clickhouse_settings: { ...READ_SETTINGS, output_format_json_quote_64bit_integers: 0, ...settings },
      });
      return result.json<Row>();
    });

  return {
    read,

    command: (query: string): Promise<void> =>
      guarded(async () => {
        await clickhouse.command({ query, clickhouse_settings: { alter_sync: '1' } });
      }),

    /** Rows of a batch that are stored, by UTC day. */
    async storedRows(nodeId: string, batch: string, days: readonly string[]): Promise<Map<string, number>> {
      const rows = await read<{ day: string; stored: number }>(
        `SELECT toString(toDate(quarter_hour)) AS day, count() AS stored FROM requests
         WHERE node_id = {node:UUID} AND batch = {batch:String} AND toDate(quarter_hour) IN {days:Array(Date)}
         GROUP BY node_id, batch, toDate(quarter_hour)`,
        { node: nodeId, batch, days: [...days] },
      );
      return new Map(rows.map((row) => [row.day, row.stored]));
    },

    /** Inserts one day of a batch as one part. Of two inserts with one token that run at once only one takes effect. */
    insertRows: (lines: readonly string[], token: string): Promise<void> =>
      guarded(async () => {
        const { stream } = await clickhouse.exec({
          query: `INSERT INTO requests (${ROW_COLUMNS.join(', ')}) FORMAT JSONCompactEachRow`,
          values: Readable.from([Buffer.from(lines.join('\n'))]),
          clickhouse_settings: { ...WRITE_SETTINGS, insert_deduplication_token: token },
        });
        for await (const _ of stream);
      }),

    /** Accounts and czones of routes, deleted ones too: their last rows arrive after them. */
    async routeOwners(routeIds: readonly string[]): Promise<Map<string, RouteOwner>> {
      if (routeIds.length === 0) return new Map();
      const rows = await db
        .selectFrom('routes')
        .select(['id', 'account_id', 'czone'])
        .where('id', 'in', [...routeIds])
        .execute();
      return new Map(rows.map(({ id, account_id, czone }) => [id, { account_id, czone }]));
    },

    async accountHasRoute(accountId: string, routeId: string): Promise<boolean> {
      const row = await db
        .selectFrom('routes')
        .select('id')
        .where('account_id', '=', accountId)
        .where('id', '=', routeId)
        .where('status', '<>', 'deleted')
        .executeTakeFirst();
      return row !== undefined;
    },

    async routeNames(accountId: string, routeIds: readonly string[]): Promise<Map<string, string>> {
      if (routeIds.length === 0) return new Map();
      const rows = await db
        .selectFrom('routes')
        .select(['id', 'domain_name'])
        .where('account_id', '=', accountId)
        .where('id', 'in', [...routeIds])
        .execute();
      return new Map(rows.map(({ id, domain_name }) => [id, domain_name]));
    },
  };
}

export type TrafficRepository = ReturnType<typeof createTrafficRepository>;
