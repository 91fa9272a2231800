import type { BatchItemError, BatchItemState, BatchState, ClearSummary, Page, RequestSource } from '@cordon/contract';
import { type Selectable, sql } from 'kysely';
import type { Database, Executor } from '../../platform/database.ts';
import type {} from './tables.ts';

/** A batch but for its parameters: they may hold lists of thousands. */
export type BatchRow = Omit<Selectable<Database['batches']>, 'params'>;
export type BatchWithParams = Selectable<Database['batches']>;
export type BatchItemRow = Selectable<Database['batch_items']>;

const columns = [
  'id',
  'account_id',
  'kind',
  'state',
  'total',
  'succeeded',
  'failed',
  'created_by',
  'created_by_kind',
  'created_from',
  'created_with',
  'created_at',
  'finished_at',
  'undone_at',
  'undoes',
  'clear',
  'scheduled_for',
  'faults',
] as const satisfies (keyof BatchRow)[];
const allColumns = sql.join(columns.map((column) => sql.ref(column)));

export interface NewItem {
  readonly routeId?: string | undefined;
  readonly name: string;
  readonly input?: object | undefined;
}

export async function insertBatch(
  db: Executor,
  row: {
    accountId: string;
    kind: string;
    params: object;
    total: number;
    by: string;
    byKind: BatchRow['created_by_kind'];
    source: RequestSource | undefined;
    undoes?: string | undefined;
    clear?: ClearSummary | undefined;
    scheduledFor?: string | undefined;
  },
): Promise<BatchRow> {
  return db
    .insertInto('batches')
    .values({
      account_id: row.accountId,
      kind: row.kind,
      params: JSON.stringify(row.params),
      total: row.total,
      created_by: row.by,
      created_by_kind: row.byKind,
      created_from: row.source?.address ?? null,
      created_with: row.source?.userAgent ?? null,
      undoes: row.undoes ?? null,
      clear: row.clear === undefined ? null : JSON.stringify(row.clear),
      scheduled_for: row.scheduledFor ?? null,
      ...(row.total === 0 ? { state: 'successful' as const, finished_at: sql<string>`clock_timestamp()` } : {}),
    })
    .returning(columns)
    .executeTakeFirstOrThrow();
}

const ITEMS_AT_ONCE = 5_000;

export async function insertItems(db: Executor, batchId: string, items: readonly NewItem[]): Promise<void> {
  for (let from = 0; from < items.length; from += ITEMS_AT_ONCE) {
    const chunk = items.slice(from, from + ITEMS_AT_ONCE);
    await sql`INSERT INTO batch_items (batch_id, position, route_id, name, input)
      SELECT ${batchId}, position, route_id, name, input::jsonb FROM unnest(
        ${chunk.map((_, index) => from + index + 1)}::int[], ${chunk.map((item) => item.routeId ?? null)}::uuid[],
        ${chunk.map((item) => item.name)}::text[],
        ${chunk.map((item) => (item.input === undefined ? null : JSON.stringify(item.input)))}::text[])
      AS item(position, route_id, name, input)`.execute(db);
  }
}

export const findBatch = (db: Executor, accountId: string, id: string): Promise<BatchRow | undefined> =>
  db.selectFrom('batches').select(columns).where('id', '=', id).where('account_id', '=', accountId).executeTakeFirst();

/** The same, which stays as it is until the transaction ends. */
export const lockBatch = (db: Executor, accountId: string, id: string): Promise<BatchRow | undefined> =>
  db
    .selectFrom('batches')
    .select(columns)
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .forUpdate()
    .executeTakeFirst();

/** A batch of any account, for the job. */
export const findAnyBatch = (db: Executor, id: string): Promise<BatchRow | undefined> =>
  db.selectFrom('batches').select(columns).where('id', '=', id).executeTakeFirst();

export const findParams = async (db: Executor, id: string): Promise<BatchWithParams['params']> =>
  (await db.selectFrom('batches').select('params').where('id', '=', id).executeTakeFirstOrThrow()).params;

export async function listBatches(
  db: Executor,
  accountId: string,
  state: BatchState | undefined,
  page: Page,
): Promise<{ rows: BatchRow[]; count: number }> {
  let query = db.selectFrom('batches').where('account_id', '=', accountId);
  if (state !== undefined) query = query.where('state', '=', state);
  const rows = await query
    .select(columns)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  const { count } = await query.select((select) => select.fn.countAll<number>().as('count')).executeTakeFirstOrThrow();
  return { rows, count };
}

/** Those that were scheduled before and have ended since: failed ones before others, of each the last first. */
export const listScheduledEnded = (
  db: Executor,
  accountId: string,
  days: number,
  maximum: number,
): Promise<BatchRow[]> =>
  db
    .selectFrom('batches')
    .select(columns)
    .where('account_id', '=', accountId)
    .where('scheduled_for', 'is not', null)
    .where('finished_at', '>', sql<string>`now() - make_interval(days => ${days})`)
    .orderBy(sql`state = 'failed'`, 'desc')
    .orderBy('finished_at', 'desc')
    .orderBy('id')
    .limit(maximum)
    .execute();

/** The first names of the items of each batch, in their order. */
export async function firstNamesOf(
  db: Executor,
  batchIds: readonly string[],
  maximum: number,
): Promise<ReadonlyMap<string, string[]>> {
  if (batchIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('batch_items')
    .select(['batch_id', 'name'])
    .where('batch_id', 'in', [...batchIds])
    .where('position', '<=', maximum)
    .orderBy('batch_id')
    .orderBy('position')
    .execute();
  const names = new Map<string, string[]>();
  for (const { batch_id: id, name } of rows) names.set(id, [...(names.get(id) ?? []), name]);
  return names;
}

/** Items of a batch that the caller has found to be the account's. */
export async function listItems(
  db: Executor,
  batchId: string,
  state: BatchItemState | undefined,
  page: Page,
): Promise<{ rows: BatchItemRow[]; count: number }> {
  let query = db.selectFrom('batch_items').where('batch_id', '=', batchId);
  if (state !== undefined) query = query.where('state', '=', state);
  const rows = await query.selectAll().orderBy('position').limit(page.limit).offset(page.offset).execute();
  const { count } = await query.select((select) => select.fn.countAll<number>().as('count')).executeTakeFirstOrThrow();
  return { rows, count };
}

/** What deploys have made live, by their operation. */
export async function deploysOf(
  db: Executor,
  operationIds: readonly string[],
): Promise<ReadonlyMap<string, { version: number; live_ms: number | null }>> {
  if (operationIds.length === 0) return new Map();
  const { rows } = await sql<{ id: string; version: number; live_ms: number | null }>`
    SELECT o.id, o.version, max(d.live_ms)::float8 AS live_ms
    FROM operations o LEFT JOIN deploy_receipts d ON d.operation_id = o.id AND d.state = 'live'
    WHERE o.id = ANY(${[...operationIds]}::uuid[]) AND o.state = 'successful' AND o.version IS NOT NULL
      AND o.action IN ('deploy', 'resume')
    GROUP BY o.id`.execute(db);
  return new Map(rows.map(({ id, ...deploy }) => [id, deploy]));
}

/** Items behind a position, for reading all of them in pieces. */
export const itemsAfter = (db: Executor, batchId: string, position: number, limit: number): Promise<BatchItemRow[]> =>
  db
    .selectFrom('batch_items')
    .selectAll()
    .where('batch_id', '=', batchId)
    .where('position', '>', position)
    .orderBy('position')
    .limit(limit)
    .execute();

/** What is to be done next. Not claimed yet: see `claimItems`. */
export const waitingItems = (db: Executor, batchId: string, limit: number): Promise<BatchItemRow[]> =>
  db
    .selectFrom('batch_items')
    .selectAll()
    .where('batch_id', '=', batchId)
    .where('state', '=', 'waiting')
    .orderBy('position')
    .limit(limit)
    .execute();

/** Those of the items that still wait and that no other transaction has, locked until the transaction ends. */
export const claimItems = async (
  db: Executor,
  batchId: string,
  positions: readonly number[],
): Promise<ReadonlySet<number>> => {
  const rows = await db
    .selectFrom('batch_items')
    .select('position')
    .where('batch_id', '=', batchId)
    .where('position', 'in', positions)
    .where('state', '=', 'waiting')
    .forUpdate()
    .skipLocked()
    .execute();
  return new Set(rows.map((row) => row.position));
};

export interface ItemOutcome {
  readonly position: number;
  readonly state: BatchItemState;
  readonly routeId: string | null;
  readonly error: BatchItemError | null;
  readonly operationId: string | null;
  readonly result: object | null;
  readonly undo: object | null;
}

/** Writes what became of claimed items, and counts those that have ended. */
export async function finishItems(db: Executor, batchId: string, outcomes: readonly ItemOutcome[]): Promise<void> {
  const json = (value: object | null) => (value === null ? null : JSON.stringify(value));
  await sql`UPDATE batch_items i SET state = done.state, route_id = coalesce(done.route_id, i.route_id),
      error = done.error::jsonb, operation_id = done.operation_id, result = done.result::jsonb,
      undo = done.undo::jsonb
    FROM unnest(${outcomes.map((one) => one.position)}::int[], ${outcomes.map((one) => one.state)}::text[],
      ${outcomes.map((one) => one.routeId)}::uuid[], ${outcomes.map((one) => json(one.error))}::text[],
      ${outcomes.map((one) => one.operationId)}::uuid[], ${outcomes.map((one) => json(one.result))}::text[],
      ${outcomes.map((one) => json(one.undo))}::text[])
      AS done(position, state, route_id, error, operation_id, result, undo)
    WHERE i.batch_id = ${batchId} AND i.position = done.position`.execute(db);
  const ended = (state: BatchItemState) => outcomes.filter((one) => one.state === state).length;
  await addToCounts(db, batchId, ended('successful'), ended('failed'));
}

async function addToCounts(db: Executor, batchId: string, succeeded: number, failed: number): Promise<void> {
  if (succeeded + failed === 0) return;
  await sql`UPDATE batches SET succeeded = succeeded + ${succeeded}, failed = failed + ${failed}
    WHERE id = ${batchId}`.execute(db);
}

/** Items whose operation has ended end with it. */
export async function settleItems(db: Executor, batchId: string): Promise<void> {
  const { rows } = await sql<{ state: 'successful' | 'failed' }>`
    WITH due AS (
      SELECT i.position, o.state, o.error FROM batch_items i JOIN operations o ON o.id = i.operation_id
      WHERE i.batch_id = ${batchId} AND i.state = 'running' AND o.state <> 'running'
      ORDER BY i.position FOR UPDATE OF i SKIP LOCKED)
    UPDATE batch_items i SET state = due.state, error = CASE WHEN due.state = 'failed' THEN jsonb_build_object(
      'code', due.error, 'message', due.error, 'fields', '{}'::jsonb, 'params', '{}'::jsonb) END
    FROM due WHERE i.batch_id = ${batchId} AND i.position = due.position RETURNING i.state`.execute(db);
  const succeeded = rows.filter((row) => row.state === 'successful').length;
  await addToCounts(db, batchId, succeeded, rows.length - succeeded);
}

/** Ends a batch whose items have all ended; undefined when they have not, or when it has ended before. */
export async function finishBatch(db: Executor, batchId: string): Promise<BatchRow | undefined> {
  const { rows } = await sql<BatchRow>`UPDATE batches
    SET state = CASE WHEN failed = 0 THEN 'successful' ELSE 'failed' END, finished_at = clock_timestamp()
    WHERE id = ${batchId} AND state = 'running' AND succeeded + failed = total RETURNING ${allColumns}`.execute(db);
  return rows[0];
}

/** Marks a batch as undone; undefined when it has been before. */
export async function markUndone(db: Executor, batchId: string): Promise<BatchRow | undefined> {
  const { rows } =
    await sql<BatchRow>`UPDATE batches SET undone_at = clock_timestamp() WHERE id = ${batchId} AND undone_at IS NULL
    RETURNING ${allColumns}`.execute(db);
  return rows[0];
}

/** Takes the mark back: nothing of it was undone. */
export async function unmarkUndone(db: Executor, batchId: string): Promise<BatchRow | undefined> {
  const { rows } =
    await sql<BatchRow>`UPDATE batches SET undone_at = NULL WHERE id = ${batchId} RETURNING ${allColumns}`.execute(db);
  return rows[0];
}

/** Counts a turn that ended in a fault of ours; answers how many did in a row. */
export async function countFault(db: Executor, batchId: string): Promise<number> {
  const { rows } = await sql<{ faults: number }>`UPDATE batches SET faults = faults + 1
    WHERE id = ${batchId} AND state = 'running' RETURNING faults`.execute(db);
  return rows[0]?.faults ?? 0;
}

export async function forgetFaults(db: Executor, batchId: string): Promise<void> {
  await sql`UPDATE batches SET faults = 0 WHERE id = ${batchId} AND faults > 0`.execute(db);
}

/** Fails what of a batch has not ended. */
export async function failOpenItems(db: Executor, batchId: string, error: BatchItemError): Promise<void> {
  const { rows } = await sql`UPDATE batch_items SET state = 'failed', error = ${JSON.stringify(error)}::jsonb
    WHERE batch_id = ${batchId} AND state IN ('waiting', 'running') RETURNING position`.execute(db);
  await addToCounts(db, batchId, 0, rows.length);
}

/**
 * Lets a batch that has ended run again, for who resumes it, with the items that failed with this error: those that had
 * begun an operation wait for it, the others to be done. Undefined where there are none, or it was resumed or undone before.
 */
export async function reopenBatch(
  db: Executor,
  batchId: string,
  error: BatchItemError['code'],
  by: { label: string; kind: BatchRow['created_by_kind']; source?: RequestSource | undefined },
): Promise<BatchRow | undefined> {
  const { rows } = await sql<BatchRow>`
    WITH batch AS (
      SELECT id FROM batches WHERE id = ${batchId} AND state = 'failed' AND undone_at IS NULL FOR UPDATE),
    open AS (
      UPDATE batch_items i SET error = NULL, state =
        CASE WHEN EXISTS (SELECT 1 FROM operations o WHERE o.id = i.operation_id) THEN 'running' ELSE 'waiting' END
      FROM batch WHERE i.batch_id = batch.id AND i.state = 'failed' AND i.error->>'code' = ${error} RETURNING i.position)
    UPDATE batches SET state = 'running', finished_at = NULL, faults = 0, failed = failed - (SELECT count(*) FROM open),
      created_by = ${by.label}, created_by_kind = ${by.kind}, created_from = ${by.source?.address ?? null},
      created_with = ${by.source?.userAgent ?? null}
    WHERE id IN (SELECT id FROM batch) AND EXISTS (SELECT 1 FROM open) RETURNING ${allColumns}`.execute(db);
  return rows[0];
}

export const runningBatches = (db: Executor): Promise<{ id: string; account_id: string }[]> =>
  db.selectFrom('batches').select(['id', 'account_id']).where('state', '=', 'running').execute();

/** How many batches of the account run, counted one after the other. */
export async function countRunning(db: Executor, accountId: string): Promise<number> {
  await sql`SELECT pg_advisory_xact_lock(hashtext('batches'), hashtext(${accountId}))`.execute(db);
  const { count } = await db
    .selectFrom('batches')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .where('state', '=', 'running')
    .executeTakeFirstOrThrow();
  return count;
}

export async function deleteOldBatches(db: Executor, days: number): Promise<void> {
  await sql`DELETE FROM batches WHERE state <> 'running' AND finished_at < now() - make_interval(days => ${days})`.execute(
    db,
  );
}

/** `SAVEPOINT` and its ends: the effect of one item goes, the rest of the transaction stays. */
export const savepoint = (db: Executor) => sql`SAVEPOINT batch_item`.execute(db);
export const releaseSavepoint = (db: Executor) => sql`RELEASE SAVEPOINT batch_item`.execute(db);
export const rollbackToSavepoint = (db: Executor) => sql`ROLLBACK TO SAVEPOINT batch_item`.execute(db);
