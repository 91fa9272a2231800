import type {
  Actor,
  Batch,
  BatchItem,
  BatchItemState,
  BatchProgress,
  BatchState,
  ClearSummary,
  Page,
} from '@cordon/contract';
import { type Db, type Executor, runInTransaction } from '../../platform/database.ts';
import { AppError, notFound } from '../../platform/errors.ts';
import { publishEvent } from '../../platform/events.ts';
import { addJob } from '../../platform/queue.ts';
import { unicodeName } from '../../platform/unicode-name.ts';
import * as repository from './repository.ts';

/** What a kind gets of the batch that an item belongs to. */
export interface BatchContext {
  /** The transaction that also writes what became of the item; nothing may be done outside of it. */
  readonly executor: Executor;
  readonly batchId: string;
  readonly actor: Actor;
  readonly params: Readonly<Record<string, unknown>>;
}

export interface BatchWork {
  /** Place in the batch; the first is 1. */
  readonly position: number;
  readonly routeId: string | null;
  readonly name: string;
  readonly input: unknown;
}

/** What became of an item. With an operation it counts as successful once that has ended. */
export interface BatchOutcome {
  /** Of a domain that the item has made. */
  readonly routeId?: string;
  readonly operationId?: string;
  /** Shown with the item, and a column of the CSV. */
  readonly result?: Record<string, unknown>;
  /** How it left the domain: for its undo, and to tell what was changed later. Shown to no user. */
  readonly undo?: object;
}

/** An item of a batch whose domain it has changed. */
export interface DoneItem {
  readonly routeId: string;
  readonly input: unknown;
  readonly operationId: string | null;
  readonly result: Readonly<Record<string, unknown>>;
  /** What was noted for its undo. */
  readonly undo: Readonly<Record<string, unknown>>;
}

/** An undo leaves out what is as before; what is neither was changed since, and fails in it. */
export type Standing = 'as_left' | 'as_before';

/** By domain, how each stands that is still there. */
export function standingsOf<Row extends { readonly id: string }>(
  rows: readonly Row[],
  items: readonly DoneItem[],
  standingOf: (row: Row, item: DoneItem) => Standing | undefined,
): ReadonlyMap<string, Standing> {
  const byId = new Map(items.map((item) => [item.routeId, item]));
  return new Map(
    rows.flatMap((row) => {
      const item = byId.get(row.id);
      const standing = item && standingOf(row, item);
      return standing ? [[row.id, standing] as const] : [];
    }),
  );
}

/** Result of an item whose domain was as asked when its turn came: nothing was done, and there is nothing to undo. */
export const UNCHANGED = { unchanged: true } as const;

/** What undoes items that were successful. */
export interface BatchUndo {
  readonly kind: string;
  /** Input of the item that undoes one: with what the batch left of the domain, as what was changed since is not undone. */
  inputOf(item: DoneItem, params: Readonly<Record<string, unknown>>): object;
  /** How those among an account's domains are that are still as the batch left them, or as before it already. */
  findStandings(
    executor: Executor,
    accountId: string,
    items: readonly DoneItem[],
    params: Readonly<Record<string, unknown>>,
  ): Promise<ReadonlyMap<string, Standing>>;
}

/**
 * Something that can be done to many domains. Throw AppError to fail one item; its effects are undone. With
 * STALE_REVISION, the domain was changed since it was prepared, and TOO_MANY_REQUESTS it gets another turn, prepared anew.
 */
export interface BatchKind<Prepared = unknown> {
  readonly name: string;
  /** Whether its items are rows of a file, whose numbers are then the first column of the CSV. */
  readonly hasRows?: boolean;
  /** Absent: nothing does. */
  readonly undo?: BatchUndo;
  /** What is shown of a batch beside its kind, by what it is started with; absent: nothing. */
  describe?(params: Readonly<Record<string, unknown>>): BatchDescription;
  /** Before the transaction, for what asks the network. May run more than once; AppError fails the item. */
  prepare?(context: Omit<BatchContext, 'executor'>, item: BatchWork): Promise<Prepared>;
  /** The same for many at once, in the items' order. */
  prepareMany?(context: Omit<BatchContext, 'executor'>, items: readonly BatchWork[]): Promise<(Prepared | AppError)[]>;
  /** Does one item inside the transaction. May run more than once, of which one counts. */
  run(context: BatchContext, item: BatchWork, prepared: Prepared): Promise<BatchOutcome>;
  /** In the transaction in which a batch ends. */
  onEnd?(executor: Executor, batch: repository.BatchWithParams): Promise<void>;
  /** Does many at once, for kinds where each alone would be slow. Answers in the items' order; must not throw AppError. */
  runMany?(
    context: BatchContext,
    items: readonly { readonly item: BatchWork; readonly prepared: Prepared }[],
  ): Promise<(BatchOutcome | AppError)[]>;
}

/** See `batch` of the contract. */
export interface BatchDescription {
  readonly clear: ClearSummary;
  /** Undefined: it begins with its call. */
  readonly scheduledFor?: string | undefined;
}

export interface NewBatch {
  readonly kind: string;
  readonly params: Record<string, unknown>;
  readonly items: readonly {
    readonly routeId?: string;
    readonly name: string;
    readonly input?: object;
  }[];
}

export interface BatchService {
  register<Prepared>(kind: BatchKind<Prepared>): void;
  /** Starts a batch in the caller's transaction. Throws TOO_MANY_REQUESTS when too many of the account's still run. */
  start(executor: Executor, actor: Actor, batch: NewBatch): Promise<Batch>;
  /** Whether another one of the account may be started in this transaction. */
  hasRoom(executor: Executor, accountId: string): Promise<boolean>;
  /** Announces to open consoles how far a batch is. Call it last in the transaction. */
  announce(executor: Executor, row: repository.BatchRow): Promise<void>;
  /**
   * Starts the batch that undoes what was successful. Throws NOT_FOUND for another account's, OPERATION_RUNNING until it
   * has ended, BATCH_NOT_UNDOABLE where nothing was done that can be undone, BATCH_ALREADY_UNDONE the second time and where
   * all domains are as before already. A domain that was changed since fails in it with CHANGED_SINCE; where all fail, it
   * can be undone again.
   */
  undo(actor: Actor, batchId: string): Promise<Batch>;
  /**
   * Goes on with a batch that was given up, with what of it failed with BATCH_STOPPED. Throws NOT_FOUND for another
   * account's, OPERATION_RUNNING while it runs, BATCH_ALREADY_UNDONE once it, or what it undoes, was undone,
   * BATCH_NOT_RESUMABLE where it was not given up, TOO_MANY_REQUESTS when too many of the account's still run.
   */
  resume(actor: Actor, batchId: string): Promise<Batch>;
  /** Throws NOT_FOUND for another account's. */
  get(accountId: string, batchId: string): Promise<Batch>;
  list(accountId: string, state: BatchState | undefined, page: Page): Promise<{ results: Batch[]; count: number }>;
  listItems(
    accountId: string,
    batchId: string,
    state: BatchItemState | undefined,
    page: Page,
  ): Promise<{ results: BatchItem[]; count: number }>;
  /** All items in order, in pieces. Call `get` before, for the account. */
  readItems(batchId: string): AsyncIterable<BatchItem[]>;
  /** Those that were scheduled for a time and have ended within so many days: failed ones before others, of each the last first. */
  listScheduledEnded(accountId: string, days: number, maximum: number): Promise<Batch[]>;
  /** The first names of the items of batches, by their ids. Call what answers the batches before, for the account. */
  firstNamesOf(batchIds: readonly string[], maximum: number): Promise<ReadonlyMap<string, readonly string[]>>;
  kindOf(name: string): BatchKind;
  /** What a kind does when a batch ends; undefined also for one that is no longer registered. */
  onEndOf(kind: string): BatchKind['onEnd'];
  /** Whether items of the kind are rows of a file; false for a kind that is no longer registered. */
  hasRows(kind: string): boolean;
}

/** Turns in a row that fail before a batch is given up: the queue waits longer after each, a minute at most. */
export const FAULTS_MAX = 8;
const RUNNING_PER_ACCOUNT_MAX = 20;
const PIECE = 1_000;
const DAYS_KEPT = 30;

type Deploys = Awaited<ReturnType<typeof repository.deploysOf>>;

const toItem = (row: repository.BatchItemRow, deploys: Deploys): BatchItem => ({
  position: row.position,
  route_id: row.route_id,
  name: row.name,
  name_unicode: unicodeName(row.name),
  row: (row.input as { row?: number } | null)?.row ?? null,
  state: row.state,
  error: row.error,
  operation_id: row.operation_id,
  // An operation ends before its item does: what runs in the counts of the batch is not live here yet.
  deployed: (row.state === 'successful' && deploys.get(row.operation_id ?? '')) || null,
  result: row.result,
});

async function toItems(db: Db, rows: readonly repository.BatchItemRow[]): Promise<BatchItem[]> {
  const deploys = await repository.deploysOf(
    db,
    rows.flatMap(({ operation_id: id }) => id ?? []),
  );
  return rows.map((row) => toItem(row, deploys));
}

/** The batch's job, once: a second one that waits replaces the first. */
export const addBatchJob = (
  executor: Executor,
  batch: { id: string; account_id: string },
  runAt?: Date,
): Promise<void> =>
  addJob(
    executor,
    'run-batch',
    { batch_id: batch.id },
    { key: `batch:${batch.id}`, line: `batches:${batch.account_id}`, ...(runAt ? { runAt } : {}) },
  );

/** Adds the job of every batch that still runs: should one have been given up, its batch goes on. */
export async function resumeBatches(db: Db): Promise<void> {
  for (const batch of await repository.runningBatches(db)) await addBatchJob(db, batch);
}

export const purgeBatches = (db: Db): Promise<void> => repository.deleteOldBatches(db, DAYS_KEPT);

export function createBatchService(db: Db): BatchService {
  const kinds = new Map<string, BatchKind>();

  async function find(accountId: string, batchId: string): Promise<repository.BatchRow> {
    const row = await repository.findBatch(db, accountId, batchId);
    if (!row) throw notFound();
    return row;
  }

  function kindOf(name: string): BatchKind {
    const kind = kinds.get(name);
    if (!kind) throw new Error(`nothing does batches of kind ${name}`);
    return kind;
  }

  /** The count of faults stays where it was when a batch was given up. */
  const isResumable = (row: repository.BatchRow): boolean =>
    row.state === 'failed' && row.faults >= FAULTS_MAX && row.undone_at === null && kinds.has(row.kind);

  const doneItems = (rows: readonly repository.BatchItemRow[]) =>
    rows.flatMap(({ state, name, route_id: routeId, input, operation_id: operationId, result, undo }) =>
      state === 'successful' && routeId !== null && !result?.unchanged
        ? [{ routeId, name, input, operationId, result: result ?? {}, undo: undo ?? {} }]
        : [],
    );

  /** Whether an undo would do anything to the domains as they are now. */
  async function isUndoable(executor: Executor, row: repository.BatchRow): Promise<boolean> {
    const undo = kinds.get(row.kind)?.undo;
    if (!undo || row.undone_at !== null) return false;
    if (row.state === 'running') return true;
    if (row.succeeded === 0) return false;
    const params = await repository.findParams(executor, row.id);
    for await (const rows of readRows(executor, row.id)) {
      const standings = await undo.findStandings(executor, row.account_id, doneItems(rows), params);
      if ([...standings.values()].includes('as_left')) return true;
    }
    return false;
  }

  const toProgress = async (executor: Executor, row: repository.BatchRow): Promise<BatchProgress> => ({
    id: row.id,
    kind: row.kind,
    state: row.state,
    total: row.total,
    succeeded: row.succeeded,
    failed: row.failed,
    is_undoable: await isUndoable(executor, row),
    is_resumable: isResumable(row),
  });

  const toBatch = async (executor: Executor, row: repository.BatchRow): Promise<Batch> => ({
    ...(await toProgress(executor, row)),
    created_by: row.created_by,
    created_at: row.created_at,
    finished_at: row.finished_at,
    undoes: row.undoes,
    clear: row.clear,
    scheduled_for: row.scheduled_for,
  });

  const announce: BatchService['announce'] = async (executor, row) =>
    publishEvent(executor, row.account_id, { slot: 'domain', id: row.id, batch: await toProgress(executor, row) });

  async function* readRows(executor: Executor, batchId: string): AsyncGenerator<repository.BatchItemRow[]> {
    for (let after = 0; ; ) {
      const rows = await repository.itemsAfter(executor, batchId, after, PIECE);
      if (rows.length === 0) return;
      yield rows;
      after = rows.at(-1)?.position ?? after;
    }
  }

  async function* readItems(batchId: string): AsyncGenerator<BatchItem[]> {
    for await (const rows of readRows(db, batchId)) yield await toItems(db, rows);
  }

  const hasRoom: BatchService['hasRoom'] = async (executor, accountId) =>
    (await repository.countRunning(executor, accountId)) < RUNNING_PER_ACCOUNT_MAX;

  async function requireRoom(executor: Executor, accountId: string): Promise<void> {
    if (!(await hasRoom(executor, accountId))) throw new AppError('TOO_MANY_REQUESTS');
  }

  async function start(
    executor: Executor,
    actor: Actor,
    { kind, params, items }: NewBatch,
    undoes?: string,
  ): Promise<Batch> {
    const { describe } = kindOf(kind);
    await requireRoom(executor, actor.accountId);
    const row = await repository.insertBatch(executor, {
      accountId: actor.accountId,
      kind,
      params,
      total: items.length,
      by: actor.label,
      byKind: actor.kind,
      source: actor.source,
      undoes,
      ...describe?.(params),
    });
    await repository.insertItems(executor, row.id, items);
    if (items.length > 0) await addBatchJob(executor, row);
    await announce(executor, row);
    return toBatch(executor, row);
  }

  /** It is undone, resumed or neither: whoever asks at the same time waits for the other. */
  async function lock(executor: Executor, accountId: string, batchId: string): Promise<repository.BatchRow> {
    const row = await repository.lockBatch(executor, accountId, batchId);
    if (!row) throw notFound();
    return row;
  }

  function requireEnded(batch: repository.BatchRow): void {
    if (batch.state === 'running') throw new AppError('OPERATION_RUNNING');
    if (batch.undone_at !== null) throw new AppError('BATCH_ALREADY_UNDONE');
  }

  function requireUndoable(batch: repository.BatchRow): void {
    requireEnded(batch);
    if (!kinds.get(batch.kind)?.undo || batch.succeeded === 0) throw new AppError('BATCH_NOT_UNDOABLE');
  }

  function requireResumable(batch: repository.BatchRow): void {
    requireEnded(batch);
    if (!isResumable(batch)) throw new AppError('BATCH_NOT_RESUMABLE');
  }

  return {
    kindOf,
    onEndOf: (kind) => kinds.get(kind)?.onEnd,
    hasRows: (kind) => kinds.get(kind)?.hasRows ?? false,
    register(kind) {
      if (kinds.has(kind.name)) throw new Error(`two kinds of batches are named ${kind.name}`);
      kinds.set(kind.name, kind as BatchKind);
    },
    start: (executor, actor, batch) => start(executor, actor, batch),
    hasRoom,
    announce,
    async undo(actor, batchId) {
      const batch = await find(actor.accountId, batchId);
      requireUndoable(batch);
      const undo = kinds.get(batch.kind)?.undo as BatchUndo;
      const params = await repository.findParams(db, batchId);
      const items: NewBatch['items'][number][] = [];
      for await (const rows of readRows(db, batchId)) {
        const done = doneItems(rows);
        const standings = await undo.findStandings(db, actor.accountId, done, params);
        for (const item of done)
          if (standings.get(item.routeId) !== 'as_before')
            items.push({ routeId: item.routeId, name: item.name, input: undo.inputOf(item, params) });
      }
      if (items.length === 0) throw new AppError('BATCH_ALREADY_UNDONE');
      return runInTransaction(db, async (executor) => {
        const locked = await lock(executor, actor.accountId, batchId);
        requireUndoable(locked);
        // It was resumed meanwhile, and has ended: what it did then was not read.
        if (locked.succeeded !== batch.succeeded) throw new AppError('OPERATION_RUNNING');
        const undone = await repository.markUndone(executor, batchId);
        if (!undone) throw new AppError('BATCH_ALREADY_UNDONE');
        const started = await start(executor, actor, { kind: undo.kind, params: {}, items }, batchId);
        await announce(executor, undone);
        return started;
      });
    },
    resume: (actor, batchId) =>
      runInTransaction(db, async (executor) => {
        const batch = await lock(executor, actor.accountId, batchId);
        requireResumable(batch);
        // In the order in which an undo of that one takes locks.
        if (batch.undoes !== null) await repository.lockBatch(executor, actor.accountId, batch.undoes);
        await requireRoom(executor, actor.accountId);
        const row = await repository.reopenBatch(executor, batchId, 'BATCH_STOPPED', actor);
        if (!row) throw new AppError('BATCH_NOT_RESUMABLE');
        // What undid nothing gave back what it was to undo.
        const undone =
          row.undoes !== null && row.succeeded === 0 ? await repository.markUndone(executor, row.undoes) : undefined;
        if (row.undoes !== null && row.succeeded === 0 && !undone) throw new AppError('BATCH_ALREADY_UNDONE');
        await addBatchJob(executor, row);
        await announce(executor, row);
        if (undone) await announce(executor, undone);
        return toBatch(executor, row);
      }),
    get: async (accountId, batchId) => toBatch(db, await find(accountId, batchId)),
    async list(accountId, state, page) {
      const { rows, count } = await repository.listBatches(db, accountId, state, page);
      return { results: await Promise.all(rows.map((row) => toBatch(db, row))), count };
    },
    async listItems(accountId, batchId, state, page) {
      await find(accountId, batchId);
      const { rows, count } = await repository.listItems(db, batchId, state, page);
      return { results: await toItems(db, rows), count };
    },
    readItems,
    async listScheduledEnded(accountId, days, maximum) {
      const rows = await repository.listScheduledEnded(db, accountId, days, maximum);
      return Promise.all(rows.map((row) => toBatch(db, row)));
    },
    firstNamesOf: (batchIds, maximum) => repository.firstNamesOf(db, batchIds, maximum),
  };
}
