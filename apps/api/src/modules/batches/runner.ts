import { setTimeout as wait } from 'node:timers/promises';
import type { BatchItemError } from '@cordon/contract';
import { forEachConcurrently } from '../../platform/concurrency-limit.ts';
import { type Db, type Executor, isDatabaseUnreachable, runInTransaction } from '../../platform/database.ts';
import { AppError } from '../../platform/errors.ts';
import type { Log } from '../../platform/log.ts';
import type { AccountService } from '../accounts/service.ts';
import * as repository from './repository.ts';
import {
  addBatchJob,
  type BatchContext,
  type BatchKind,
  type BatchOutcome,
  type BatchService,
  type BatchWork,
  FAULTS_MAX,
} from './service.ts';

/** A worker is given back after this long, so that batches and other jobs take turns. */
const SLICE_MS = 3_000;
/** How long it stays for operations to end once all items are done; then it looks once a second. */
const STAY_MS = 2_000;
const POLL_MS = 150;
const ANNOUNCE_MS = 250;
const ITEMS_AT_ONCE = 100;
/** Transactions of kinds that do one item each. */
const CONCURRENCY = 4;
/** Preparations that wait for the network. */
const PREPARATIONS = 25;
/** How often an item is prepared once more because its domain was changed meanwhile. */
const STALE_TRIES = 3;
/** Pause before a retry after a rate limit, in which the account's token bucket refills. */
const RATE_WAIT_MS = 500;

type Prepared =
  | { readonly item: BatchWork; readonly prepared: unknown }
  | { readonly item: BatchWork; error: AppError };

const toItemError = (error: AppError): BatchItemError => ({
  code: Object.keys(error.fields).length > 0 ? null : error.code,
  message: error.message,
  fields: error.fields,
  params: error.params,
});

/** What became of an item, as its row has it. */
function toOutcome(position: number, outcome: BatchOutcome | AppError): repository.ItemOutcome {
  const nothing = { position, routeId: null, error: null, operationId: null, result: null, undo: null };
  if (outcome instanceof AppError) return { ...nothing, state: 'failed', error: toItemError(outcome) };
  return {
    ...nothing,
    state: outcome.operationId === undefined ? 'successful' : 'running',
    routeId: outcome.routeId ?? null,
    operationId: outcome.operationId ?? null,
    result: outcome.result ?? null,
    undo: outcome.undo ?? null,
  };
}

/**
 * The job of a batch. Each item's effect and its change of state are one transaction that holds the item's row: a
 * process that is killed leaves it done or not done, and a second runner passes over what the first has.
 */
export function createBatchRunner(parts: { db: Db; log: Log; accounts: AccountService; batches: BatchService }) {
  const { db, log, accounts, batches } = parts;
  const staleTries = new Map<string, number>();

  /**
   * Whether an item waits for another turn instead of failing. Who starts a batch names what is to be done, not a
   * revision: STALE_REVISION says that the preparation is out of date, and it is done again for the domain as it is now.
   * One that is changed each time fails in the end. TOO_MANY_REQUESTS is the account's rate of names that DNS is asked for.
   */
  function isToWait(batch: repository.BatchWithParams, item: BatchWork, outcome: BatchOutcome | AppError): boolean {
    if (outcome instanceof AppError && outcome.code === 'TOO_MANY_REQUESTS') return true;
    const key = `${batch.id} ${item.position}`;
    const tries = (staleTries.get(key) ?? 0) + 1;
    const isStale = outcome instanceof AppError && outcome.code === 'STALE_REVISION' && tries <= STALE_TRIES;
    if (isStale) staleTries.set(key, tries);
    else staleTries.delete(key);
    return isStale;
  }

  /** An AppError is the item's; anything else is a fault of ours, which must not stop the others. Without a database nothing goes on. */
  function toAppError(error: unknown, batch: repository.BatchWithParams, item: BatchWork): AppError {
    if (error instanceof AppError) return error;
    if (isDatabaseUnreachable(error)) throw error;
    log.error({ err: error, batch: batch.id, kind: batch.kind, position: item.position }, 'an item of a batch failed');
    return new AppError('INTERNAL');
  }

  /** All at once, or one by one where that fails, which tells whose fault it is. */
  async function prepareTogether(
    batch: repository.BatchWithParams,
    prepareMany: NonNullable<BatchKind['prepareMany']>,
    items: readonly BatchWork[],
  ): Promise<Prepared[]> {
    try {
      const results = await prepareMany(contextOf(batch), items);
      return items.map((item, index) => {
        const one = results[index];
        return one instanceof AppError ? { item, error: one } : { item, prepared: one };
      });
    } catch (error) {
      const [only, ...more] = items;
      if (only && more.length === 0) return [{ item: only, error: toAppError(error, batch, only) }];
      if (isDatabaseUnreachable(error)) throw error;
      const alone: Prepared[] = [];
      for (const item of items) alone.push(...(await prepareTogether(batch, prepareMany, [item])));
      return alone;
    }
  }

  async function prepare(
    batch: repository.BatchWithParams,
    { prepare: prepareOne, prepareMany }: BatchKind,
    items: readonly BatchWork[],
  ): Promise<Prepared[]> {
    if (prepareMany) return prepareTogether(batch, prepareMany, items);
    if (!prepareOne) return items.map((item) => ({ item, prepared: undefined }));
    const prepared = new Map<number, Prepared>();
    await forEachConcurrently(items, PREPARATIONS, async (item) => {
      try {
        prepared.set(item.position, { item, prepared: await prepareOne(contextOf(batch), item) });
      } catch (error) {
        prepared.set(item.position, { item, error: toAppError(error, batch, item) });
      }
    });
    return items.flatMap((item) => prepared.get(item.position) ?? []);
  }

  const contextOf = (batch: repository.BatchWithParams): Omit<BatchContext, 'executor'> => ({
    batchId: batch.id,
    actor: {
      accountId: batch.account_id,
      kind: batch.created_by_kind,
      label: batch.created_by,
      source: batch.created_from === null ? undefined : { address: batch.created_from, userAgent: batch.created_with },
    },
    params: batch.params,
  });

  /** All at once, or one by one where that fails for a fault of ours: only those that have it fail by it. */
  async function runAll(
    context: BatchContext,
    batch: repository.BatchWithParams,
    kind: BatchKind,
    ready: readonly Extract<Prepared, { prepared: unknown }>[],
  ): Promise<(BatchOutcome | AppError)[]> {
    await repository.savepoint(context.executor);
    try {
      const outcomes = ready.length === 0 ? [] : await kind.runMany?.(context, ready);
      if (outcomes?.length !== ready.length) throw new Error(`${kind.name} left an item out`);
      await repository.releaseSavepoint(context.executor);
      return outcomes;
    } catch (error) {
      if ((error as { code?: string } | null)?.code === '40P01' || isDatabaseUnreachable(error)) throw error;
      await repository.rollbackToSavepoint(context.executor);
      const outcomes: (BatchOutcome | AppError)[] = [];
      for (const one of ready) outcomes.push(await runOne(context, batch, kind, one));
      return outcomes;
    }
  }

  async function runOne(context: BatchContext, batch: repository.BatchWithParams, kind: BatchKind, one: Prepared) {
    if ('error' in one) return one.error;
    await repository.savepoint(context.executor);
    try {
      const outcome = await kind.run(context, one.item, one.prepared);
      await repository.releaseSavepoint(context.executor);
      return outcome;
    } catch (error) {
      // A deadlock, or a lost connection, undoes the whole transaction: this then throws, and it is tried again.
      if ((error as { code?: string } | null)?.code === '40P01') throw error;
      await repository.rollbackToSavepoint(context.executor);
      return toAppError(error, batch, one.item);
    }
  }

  /** Does those of the items that no other runner has claimed, and writes them down, in one transaction; answers how many. */
  async function process(
    batch: repository.BatchWithParams,
    kind: BatchKind,
    works: readonly Prepared[],
  ): Promise<number> {
    return runInTransaction(db, async (executor: Executor) => {
      const claimed = await repository.claimItems(
        executor,
        batch.id,
        works.map(({ item }) => item.position),
      );
      const mine = works.filter(({ item }) => claimed.has(item.position));
      if (mine.length === 0) return 0;
      const context = { ...contextOf(batch), executor };
      const account = await accounts.holdAccount(batch.account_id, executor);
      const outcomes: repository.ItemOutcome[] = [];
      const settleItem = (item: BatchWork, outcome: BatchOutcome | AppError) => {
        if (!isToWait(batch, item, outcome)) outcomes.push(toOutcome(item.position, outcome));
      };
      if (!account || account.suspended_at !== null) {
        for (const { item } of mine) settleItem(item, new AppError('ACCOUNT_SUSPENDED'));
      } else if (kind.runMany) {
        const ready = mine.flatMap((one) => ('error' in one ? [] : [one]));
        const done = await runAll(context, batch, kind, ready);
        ready.forEach(({ item }, index) => {
          settleItem(item, done[index] as BatchOutcome | AppError);
        });
        for (const one of mine) if ('error' in one) settleItem(one.item, one.error);
      } else {
        for (const one of mine) settleItem(one.item, await runOne(context, batch, kind, one));
      }
      await repository.finishItems(executor, batch.id, outcomes);
      return outcomes.length;
    });
  }

  /** Does a piece of what waits; false when nothing waits. */
  async function advance(batch: repository.BatchWithParams, kind: BatchKind): Promise<boolean> {
    const rows = await repository.waitingItems(db, batch.id, ITEMS_AT_ONCE);
    if (rows.length === 0) return false;
    const items = rows.map(({ position, route_id, name, input }) => ({ position, routeId: route_id, name, input }));
    const works = await prepare(batch, kind, items);
    let done = 0;
    if (kind.runMany) done = await process(batch, kind, works);
    else
      await forEachConcurrently(works, CONCURRENCY, async (one) => {
        done += await process(batch, kind, [one]);
      });
    const isRateSpent = works.some((one) => 'error' in one && one.error.code === 'TOO_MANY_REQUESTS');
    // All of them are another runner's: it will be done with them soon.
    if (done === 0 || isRateSpent) await wait(isRateSpent ? RATE_WAIT_MS : POLL_MS);
    return true;
  }

  async function announceIfChanged(batchId: string, announced: string): Promise<string> {
    const row = await repository.findAnyBatch(db, batchId);
    const now = row ? `${row.succeeded}/${row.failed}` : announced;
    if (row && now !== announced && row.state === 'running')
      await runInTransaction(db, (trx) => batches.announce(trx, row));
    return now;
  }

  const settle = async (batchId: string): Promise<boolean> => {
    await runInTransaction(db, (trx) => repository.settleItems(trx, batchId));
    return runInTransaction(db, (trx) => finish(trx, batchId));
  };

  /** Ends a batch whose items have all ended. What it was to undo, and did not at all, can be undone again. */
  async function finish(executor: Executor, batchId: string): Promise<boolean> {
    const finished = await repository.finishBatch(executor, batchId);
    if (!finished) return false;
    const { undoes, succeeded } = finished;
    const onEnd = batches.onEndOf(finished.kind);
    if (onEnd) await onEnd(executor, { ...finished, params: await repository.findParams(executor, batchId) });
    const notUndone = undoes !== null && succeeded === 0 ? await repository.unmarkUndone(executor, undoes) : undefined;
    await batches.announce(executor, finished);
    if (notUndone) await batches.announce(executor, notUndone);
    return true;
  }

  /** Fails what is open of a batch that cannot go on, and ends it. */
  const giveUp = (batchId: string): Promise<boolean> =>
    runInTransaction(db, async (trx) => {
      await repository.settleItems(trx, batchId);
      await repository.failOpenItems(trx, batchId, toItemError(new AppError('BATCH_STOPPED')));
      return finish(trx, batchId);
    });

  /** Goes on with a batch for a while, and asks for another turn unless it has ended. */
  async function takeTurn(batch: repository.BatchWithParams): Promise<void> {
    const batchId = batch.id;
    const kind = batches.kindOf(batch.kind);
    const startedAt = Date.now();
    let announced = `${batch.succeeded}/${batch.failed}`;
    let announcedAt = startedAt;
    let doneAt: number | undefined;
    for (;;) {
      const isWaiting = await advance(batch, kind);
      if (await settle(batchId)) return;
      if (Date.now() - announcedAt >= ANNOUNCE_MS) {
        announced = await announceIfChanged(batchId, announced);
        announcedAt = Date.now();
      }
      if (!isWaiting) doneAt ??= Date.now();
      const isOver = doneAt === undefined ? Date.now() - startedAt > SLICE_MS : Date.now() - doneAt > STAY_MS;
      if (isOver) break;
      if (!isWaiting) await wait(POLL_MS);
    }
    await announceIfChanged(batchId, announced);
    await repository.forgetFaults(db, batchId);
    await addBatchJob(db, batch, doneAt === undefined ? undefined : new Date(Date.now() + 500));
  }

  return {
    /**
     * Job: goes on with a batch for a while, and asks for another turn unless it has ended. One whose turns fail again and
     * again by a fault of ours ends, and what is open of it fails. A database that is away is no fault of the batch.
     */
    async runBatch(batchId: string): Promise<void> {
      const batch = await repository.findAnyBatch(db, batchId);
      if (batch?.state !== 'running') return;
      try {
        await takeTurn({ ...batch, params: await repository.findParams(db, batchId) });
      } catch (error) {
        if (isDatabaseUnreachable(error)) throw error;
        if ((await repository.countFault(db, batchId)) < FAULTS_MAX) throw error;
        log.error({ err: error, batch: batchId, kind: batch.kind }, 'a batch was given up');
        await giveUp(batchId);
      }
    },
  };
}
