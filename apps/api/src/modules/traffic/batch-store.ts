import type { AccessLogRow } from '@cordon/contract';
import type { ClickHouseClient } from '../../platform/clickhouse.ts';
import { createBoundedLimit, createConcurrencyLimit } from '../../platform/concurrency-limit.ts';
import type { Db } from '../../platform/database.ts';
import { AppError } from '../../platform/errors.ts';
import { BatchTooLarge, parseBatch, sortRows } from './access-log.ts';
import type { BatchCounters } from './batch-counters.ts';
import * as batchRepository from './batch-repository.ts';
import * as repository from './repository.ts';

/** The node that reports: its id scopes the ids of its batches, its czones what it may report on. */
export interface ReportingNode {
  readonly id: string;
  readonly czones: readonly string[];
}

/** The token of an attempt can be spent on a part that a crash took away; each such crash costs one more attempt. */
const ATTEMPTS_MAX = 5;
const BATCHES_AT_ONCE = 2;
const BATCHES_WAITING_MAX = 16;

export interface BatchStoreOptions {
  readonly db: Db;
  readonly counters: BatchCounters;
  readonly retentionDays: number;
  readonly now: () => number;
}

/** Stores batches of access log rows exactly once (docs/adr/0010-exactly-once-access-log.md). */
export function createBatchStore({ db, counters, retentionDays, now }: BatchStoreOptions) {
  const limited = createBoundedLimit({
    concurrency: BATCHES_AT_ONCE,
    waitingMax: BATCHES_WAITING_MAX,
    refusal: () => new AppError('UNAVAILABLE', { message: 'Too many batches at once.' }),
  });
  /** One after the other for one batch. Across processes the token does the same. */
  const perBatch = createConcurrencyLimit(1);

  async function parse(ndjson: AsyncIterable<Uint8Array | string>) {
    try {
      return await parseBatch(ndjson);
    } catch (error) {
      if (error instanceof BatchTooLarge) throw new AppError('PAYLOAD_TOO_LARGE', { cause: error });
      throw error;
    }
  }

  const ownersOf = (rows: readonly AccessLogRow[]) =>
    repository.routeOwners(db, [...new Set(rows.map((row) => row.route_id.toLowerCase()).filter((id) => id !== ''))]);

  /** Inserts one day of the batch and reads back that it is there. Answers the rows stored. */
  async function storeDay(
    clickhouse: ClickHouseClient,
    node: ReportingNode,
    batch: string,
    day: string,
    lines: readonly string[],
  ): Promise<number> {
    for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
      await batchRepository.insertRows(clickhouse, lines, `${node.id}/${batch}/${attempt}`);
      const stored = (await batchRepository.storedRows(clickhouse, node.id, batch, [day])).get(day);
      if (stored !== undefined) return stored;
      // The engine remembers the token but has not the part: it was killed between the two. A new token, then.
    }
    throw new AppError('UNAVAILABLE', { message: 'The batch could not be stored.' });
  }

  async function store(
    clickhouse: ClickHouseClient,
    node: ReportingNode,
    batch: string,
    ndjson: AsyncIterable<Uint8Array | string>,
  ): Promise<number> {
    const { rows, invalid } = await parse(ndjson);
    const owners = await ownersOf(rows);
    const { days, dropped } = sortRows(rows, {
      nodeId: node.id,
      batch,
      czones: node.czones,
      owners,
      retentionDays,
      now: now(),
    });
    const stored =
      days.size === 0
        ? new Map<string, number>()
        : await batchRepository.storedRows(clickhouse, node.id, batch, [...days.keys()]);
    const isRepeated = stored.size > 0;
    for (const [day, lines] of days) {
      if (stored.has(day)) continue;
      stored.set(day, await storeDay(clickhouse, node, batch, day, lines));
      counters.stored(lines.length);
    }
    if (isRepeated) counters.repeated();
    else {
      counters.dropped('invalid', invalid);
      counters.dropped('foreign_route', dropped.foreign_route);
      counters.dropped('outside_retention', dropped.outside_retention);
    }
    return [...stored.values()].reduce((sum, count) => sum + count, 0);
  }

  return {
    store: (
      clickhouse: ClickHouseClient,
      node: ReportingNode,
      batch: string,
      ndjson: AsyncIterable<Uint8Array | string>,
    ): Promise<number> =>
      perBatch.run(`${node.id}/${batch}`, () => limited(() => store(clickhouse, node, batch, ndjson))),
  };
}
