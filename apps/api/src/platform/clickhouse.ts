import { Readable } from 'node:stream';
import {
  type ClickHouseClient,
  ClickHouseError,
  type ClickHouseSettings,
  createClient,
  type Row as RowOf,
} from '@clickhouse/client';
import { type ClickHouseHealth, createClickHouseHealth } from './clickhouse-health.ts';
import { AppError } from './errors.ts';

export type { ClickHouseClient } from '@clickhouse/client';

/** Bounds of one reading. A dashboard takes milliseconds; what takes seconds is stopped, not waited for. */
const READ_SETTINGS: ClickHouseSettings = {
  max_execution_time: 10,
  max_memory_usage: String(1024 * 1024 * 1024),
  max_result_rows: '100000',
  // All parts of one statement see the same parts of the table, whichever projection each reads.
  enable_shared_storage_snapshot_in_query: 1,
};

/** A ClickHouse that hangs does not stop its own queries: this is what a reading waits at most, above its own bound. */
const READ_WAIT_MS = 15_000;

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

const healths = new WeakMap<ClickHouseClient, ClickHouseHealth>();

/** Client of CLICKHOUSE_URL (user and password in it); undefined where none is set. */
export function createClickHouse(clickhouseUrl: string | undefined): ClickHouseClient | undefined {
  if (clickhouseUrl === undefined) return undefined;
  const clickhouse = createClient({
    url: clickhouseUrl,
    application: 'cordon-api',
    request_timeout: 60_000,
    max_open_connections: 10,
    keep_alive: { enabled: true, idle_socket_ttl: 2_000 },
    log: { level: 127 },
  });
  const pingUrl = new URL('/ping', clickhouseUrl);
  // fetch() refuses them; a ping needs none.
  pingUrl.username = '';
  pingUrl.password = '';
  // Not by the client: readings that hang hold all of its connections.
  const health = createClickHouseHealth(async (signal) => {
    await (await fetch(pingUrl, { signal })).body?.cancel();
  });
  healths.set(clickhouse, health);
  const close = clickhouse.close.bind(clickhouse);
  clickhouse.close = () => {
    health.close();
    return close();
  };
  return clickhouse;
}

/** Transient errors become TRAFFIC_UNAVAILABLE, so that callers retry; any other error is returned as it is and answers 500. */
function translate(error: unknown): unknown {
  if (error instanceof AppError) return error;
  if (error instanceof ClickHouseError && !PASSING_CODES.has(error.code)) return error;
  return new AppError('TRAFFIC_UNAVAILABLE', { cause: error });
}

async function guarded<Result>(work: () => Promise<Result>, clickhouse?: ClickHouseClient): Promise<Result> {
  try {
    if (clickhouse) healths.get(clickhouse)?.requireAnswering();
    return await work();
  } catch (error) {
    throw translate(error);
  }
}

/** A reading, which ends as it fails where ClickHouse is found to hang. */
function startReading(clickhouse: ClickHouseClient, signal?: AbortSignal) {
  const watched = healths.get(clickhouse)?.watch();
  const signals = [AbortSignal.timeout(READ_WAIT_MS), signal, watched?.signal].filter((one) => one !== undefined);
  return { signal: AbortSignal.any(signals), end: () => watched?.end() };
}

/** Rows of a SELECT without FORMAT. Throws TRAFFIC_UNAVAILABLE while ClickHouse does not answer; at once where it is known to hang. */
export const selectRows = <Row>(
  clickhouse: ClickHouseClient,
  query: string,
  parameters: Record<string, unknown> = {},
  settings: ClickHouseSettings = {},
): Promise<Row[]> =>
  guarded(async () => {
    const { signal, end } = startReading(clickhouse);
    try {
      const result = await clickhouse.query({
        query,
        query_params: parameters,
        format: 'JSONEachRow',
        abort_signal: signal,
        clickhouse_settings: { ...READ_SETTINGS, output_format_json_quote_64bit_integers: 0, ...settings },
      });
      return await result.json<Row>();
    } finally {
      end();
    }
  }, clickhouse);

/**
 * Rows of a SELECT without FORMAT, some at a time as they come: for more than can be parsed at once without holding the event
 * loop. Throws as selectRows does, at its start and while it is read; ends ClickHouse's work when it is left.
 */
export async function streamRows<Row>(
  clickhouse: ClickHouseClient,
  query: string,
  parameters: Record<string, unknown>,
  signal: AbortSignal,
): Promise<AsyncIterable<Row[]>> {
  const stream = await guarded(async () => {
    const reading = startReading(clickhouse, signal);
    try {
      const result = await clickhouse.query({
        query,
        query_params: parameters,
        format: 'JSONEachRow',
        abort_signal: reading.signal,
        clickhouse_settings: { ...READ_SETTINGS, output_format_json_quote_64bit_integers: 0 },
      });
      return result.stream<Row>();
    } finally {
      // From its first byte on it is as fast as it is read.
      reading.end();
    }
  }, clickhouse);
  async function* read(): AsyncGenerator<Row[]> {
    const chunks = stream[Symbol.asyncIterator]();
    try {
      for (;;) {
        const { done, value } = await guarded(() => chunks.next());
        if (done) return;
        yield (value as RowOf<Row>[]).map((row) => row.json());
      }
    } finally {
      stream.destroy();
    }
  }
  return read();
}

/** Runs a statement without rows, to its end. Throws as selectRows does. */
export const runStatement = (clickhouse: ClickHouseClient, statement: string): Promise<void> =>
  guarded(async () => {
    await clickhouse.command({ query: statement, clickhouse_settings: { alter_sync: '1' } });
  }, clickhouse);

/**
 * Inserts lines of JSONCompactEachRow as one part. Of two inserts with one token that run at once only one takes effect.
 * Throws as selectRows does.
 */
export const insertLines = (
  clickhouse: ClickHouseClient,
  into: { readonly table: string; readonly columns: readonly string[]; readonly token: string },
  lines: readonly string[],
): Promise<void> =>
  guarded(async () => {
    const { stream } = await clickhouse.exec({
      query: `INSERT INTO ${into.table} (${into.columns.join(', ')}) FORMAT JSONCompactEachRow`,
      values: Readable.from([Buffer.from(lines.join('\n'))]),
      clickhouse_settings: { ...WRITE_SETTINGS, insert_deduplication_token: into.token },
    });
    for await (const _ of stream);
  }, clickhouse);
