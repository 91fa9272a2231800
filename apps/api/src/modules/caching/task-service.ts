import {
  type Actor,
  type Batch,
  type ClearRequest,
  type ClearSummary,
  type RouteSelection,
  rates,
  TASK_CLEARS_MAX,
  TASK_DAYS_MAX,
  TASK_NAMES_MAX,
  TASK_RESULT_DAYS,
  TASK_RESULTS_MAX,
  TASKS_MAX,
  type Task,
} from '@cordon/contract';
import type pg from 'pg';
import { systemActor } from '../../platform/actor.ts';
import { type Db, type Executor, runInTransaction } from '../../platform/database.ts';
import { AppError, fieldErrors, notFound } from '../../platform/errors.ts';
import { addJob } from '../../platform/queue.ts';
import type { RateLimits } from '../../platform/rate-limit.ts';
import type { BatchService } from '../batches/service.ts';
import type { BulkService, SelectionReader } from '../domains/service.ts';
import { findCleared, hasRoute, namesOf } from './clear-repository.ts';
import { type ClearParams, clearOf, hasHosts, readClear } from './clear-values.ts';
import { auditedTaskOf, auditTask } from './task-audit.ts';
import * as repository from './task-repository.ts';

export interface TaskRequest {
  readonly kind: Task['kind'];
  readonly route_ids?: readonly string[] | undefined;
  readonly selection?: RouteSelection | undefined;
  /** Undefined: now. */
  readonly at?: string | undefined;
  readonly clear_kind: ClearRequest['kind'];
  readonly values: ClearRequest['values'];
  readonly soft: boolean;
  /** Of the preview of the selection that was confirmed. */
  readonly digest?: string | undefined;
}

/** What is done to many domains, now as a batch, or at a time (spec section 4, `task_scheduled`). */
export interface TaskService {
  /** Those that wait for their time, the next first, those that run, and results of scheduled ones, the last first; of one domain those that wait. Throws NOT_FOUND for another account's. */
  list(accountId: string, routeId?: string): Promise<Task[]>;
  /**
   * Throws TASK_TIME_PAST and TASK_TIME_FAR at `at`, TASKS_FULL, CACHE_CLEAR_NEEDS_PLAN for free domains only, NOT_FOUND for an id that is
   * none of the account's, and what a batch over the selection would throw. Of one domain its values are refused as a clear of it refuses
   * them; of several CACHE_URL_FOREIGN at `values.<n>` for URLs and prefixes with a name. TOO_MANY at `values` where these times the domains come to
   * more than 5,000, at `selection` where one does; TOO_MANY_REQUESTS where the account has cleared too many values.
   * What is selected is so now, whenever it runs: one that has come since is not cleared, one that was deleted has left (`leaveTasks`),
   * and one that has lost the name of a URL fails in the batch.
   */
  start(actor: Actor, request: TaskRequest): Promise<Task>;
  /** Throws NOT_FOUND for one that has begun. */
  cancel(actor: Actor, taskId: string): Promise<void>;
  /** Job: begins the batch of a task, as soon as there is room for it; nothing where it was cancelled. */
  run(taskId: string): Promise<void>;
}

const BATCH_KINDS = { 'clear cache': 'clear_cache' } as const satisfies Record<Task['kind'], string>;
const DAY_MS = 86_400_000;
/** Where too many batches of the account run, a task whose time has come looks again after this. */
const NO_ROOM_MS = 3_000;
const RUNNING_SHOWN = { limit: 100, offset: 0 };

const toTask = (row: repository.ShownTask): Task => ({
  id: row.id,
  kind: row.kind as Task['kind'],
  state: 'task_scheduled',
  clear_kind: row.clear_kind,
  values: row.first_values,
  entries: row.entries,
  soft: row.soft,
  domains: row.domains,
  first_domain: row.first_names[0] ?? null,
  domain_names: row.first_names,
  at: row.run_at,
  failed: 0,
  created_by: row.created_by,
  batch_id: null,
});

/** What was begun before batches said what they clear cleared everything. */
const EVERYTHING: ClearSummary = { kind: 'all', values: [], entries: 0, soft: false };

function ofBatch(batch: Batch, names: readonly string[] = []): Task {
  const { kind, ...clear } = batch.clear ?? EVERYTHING;
  return {
    id: batch.id,
    kind: 'clear cache',
    state: batch.state,
    clear_kind: kind,
    ...clear,
    domains: batch.total,
    first_domain: names[0] ?? null,
    domain_names: names.slice(0, TASK_NAMES_MAX),
    at: batch.created_at,
    failed: batch.failed,
    created_by: batch.created_by,
    batch_id: batch.id,
  };
}

const addRun = (executor: Executor, taskId: string, runAt: Date): Promise<void> =>
  addJob(executor, 'run-task', { task_id: taskId }, { key: `run-task/${taskId}`, runAt });

function readTime(text: string): Date {
  const at = new Date(text);
  if (at.getTime() <= Date.now()) throw fieldErrors({ at: 'TASK_TIME_PAST' });
  if (at.getTime() > Date.now() + TASK_DAYS_MAX * DAY_MS)
    throw fieldErrors({ at: 'TASK_TIME_FAR' }, { at: { days: TASK_DAYS_MAX } });
  return at;
}

/** Each value is cleared once for each domain. */
function requireFew(domains: number, values: number): void {
  if (values === 0) return;
  if (domains > TASK_CLEARS_MAX)
    throw fieldErrors({ selection: 'TOO_MANY' }, { selection: { maximum: TASK_CLEARS_MAX } });
  const maximum = Math.floor(TASK_CLEARS_MAX / domains);
  if (values > maximum) throw fieldErrors({ values: 'TOO_MANY' }, { values: { maximum } });
}

/** What tasks are made of: those of now become batches, of what bulk actions plan. */
export interface TaskParts {
  readonly db: Db;
  readonly pool: pg.Pool;
  readonly rates: RateLimits;
  readonly batches: BatchService;
  readonly bulk: BulkService;
  readonly selections: SelectionReader;
}

/** Tasks that wait for their time are jobs; those of now are batches. */
export function createTaskService({ db, pool, rates: limits, batches, bulk, selections }: TaskParts): TaskService {
  const valuesRate = limits.of(rates.cacheClearValues);

  /** Each value once. Throws what a clear of the one domain would throw, and of several for what has a name. */
  async function distinctValues(actor: Actor, clear: ClearRequest, items: Items): Promise<string[]> {
    const [first] = items;
    const valuesOf = readClear(clear);
    if (!hasHosts(clear.kind) || items.length > 1 || first?.routeId === undefined) return valuesOf().shown;
    const route = await findCleared({ db, pool }, actor.accountId, first.routeId, true);
    if (!route) throw notFound();
    return valuesOf(namesOf(route)).shown;
  }

  /** The call has taken its values from the rate once. */
  async function takeOfOthers({ kind, accountId }: Actor, count: number): Promise<void> {
    if (kind !== 'operator' && count > 0) await valuesRate.require(accountId, count);
  }

  async function requireRoom(executor: Executor, accountId: string): Promise<void> {
    if ((await repository.countTasks(executor, accountId)) >= TASKS_MAX) throw new AppError('TASKS_FULL');
  }

  async function schedule(
    actor: Actor,
    kind: Task['kind'],
    params: ClearParams,
    at: Date,
    planned: Items,
  ): Promise<Task> {
    return runInTransaction(db, async (executor) => {
      await repository.lockTasks(executor, actor.accountId);
      await requireRoom(executor, actor.accountId);
      // Deleted before they were planned, or since: no deletion would have them leave any more. The names of none come to nothing, too.
      const deleted = await repository.findDeleted(
        executor,
        planned.flatMap(({ routeId }) => routeId ?? []),
      );
      const items = planned.filter(({ routeId }) => routeId !== undefined && !deleted.has(routeId));
      if (items.length === 0) throw fieldErrors({ selection: 'SELECTION_EMPTY' });
      const row = await repository.insertTask(executor, actor, { kind, params, runAt: at }, items);
      await addRun(executor, row.id, at);
      const names = items.map(({ name }) => name);
      const routeId = items.length === 1 ? items[0]?.routeId : undefined;
      const audited = { clear: clearOf(params), domains: names.length, names, routeId, at: row.run_at };
      await auditTask(executor, actor, 'task.schedule', row.id, audited);
      return toTask(row);
    });
  }

  const begin = (executor: Executor, actor: Actor, kind: Task['kind'], params: ClearParams, items: Items) =>
    batches.start(executor, actor, { kind: BATCH_KINDS[kind], params: { ...params }, items });

  return {
    async list(accountId, routeId) {
      if (routeId !== undefined && !(await hasRoute(db, accountId, routeId))) throw notFound();
      const scheduled = (await repository.listTasks(db, accountId, routeId)).map(toTask);
      if (routeId !== undefined) return scheduled;
      const { results } = await batches.list(accountId, 'running', RUNNING_SHOWN);
      const ended = await batches.listScheduledEnded(accountId, TASK_RESULT_DAYS, TASK_RESULTS_MAX);
      // One that has ended meanwhile is among both.
      const endedIds = new Set(ended.map(({ id }) => id));
      const running = results.filter(({ id, kind }) => kind === BATCH_KINDS['clear cache'] && !endedIds.has(id));
      const begun = [...running, ...ended];
      const names = await batches.firstNamesOf(
        begun.map(({ id }) => id),
        TASK_NAMES_MAX,
      );
      return [...scheduled, ...begun.map((batch) => ofBatch(batch, names.get(batch.id)))];
    },
    async start(actor, { kind, route_ids: routeIds, selection, at, clear_kind, values: given, soft, digest }) {
      const runAt = at === undefined ? undefined : readTime(at);
      const items = await bulk.plan(actor, {
        action: BATCH_KINDS[kind],
        selection: routeIds ? { routeIds } : await selections.selectionOf(actor.accountId, selection ?? {}),
        cname: undefined,
        group_id: undefined,
        digest,
      });
      // Names of none would be nothing to wait for.
      if (runAt && items.every(({ routeId: id }) => id === undefined))
        throw fieldErrors({ selection: 'SELECTION_EMPTY' });
      requireFew(items.length, given.length);
      const values = await distinctValues(actor, { kind: clear_kind, values: given, soft }, items);
      // What is refused takes nothing.
      if (runAt) await requireRoom(db, actor.accountId);
      await takeOfOthers(actor, given.length * (items.length - 1));
      const params: ClearParams = { clear_kind, values, soft };
      if (runAt) return schedule(actor, kind, params, runAt, items);
      const batch = await runInTransaction(db, (executor) => begin(executor, actor, kind, params, items));
      return ofBatch(
        batch,
        items.map(({ name }) => name),
      );
    },
    cancel: (actor, taskId) =>
      runInTransaction(db, async (executor) => {
        const row = await repository.takeTask(executor, taskId, actor.accountId);
        if (!row) throw notFound();
        await auditTask(executor, actor, 'task.cancel', row.id, auditedTaskOf(row));
      }),
    run: (taskId) =>
      runInTransaction(db, async (executor) => {
        const accountId = await repository.accountOf(executor, taskId);
        if (accountId === undefined) return;
        if (!(await batches.hasRoom(executor, accountId)))
          return addRun(executor, taskId, new Date(Date.now() + NO_ROOM_MS));
        const row = await repository.takeTask(executor, taskId);
        if (!row) return;
        const actor: Actor = {
          accountId: row.account_id,
          kind: row.created_by_kind,
          label: row.created_by,
          source: row.created_from === null ? undefined : { address: row.created_from, userAgent: row.created_with },
        };
        const items = row.route_ids.map((routeId, place) => ({ routeId, name: row.names[place] ?? '' }));
        const params: ClearParams = {
          ...row.params,
          task: { id: row.id, at: row.run_at, ...(items.length === 1 && { route_id: items[0]?.routeId }) },
        };
        await begin(executor, actor, row.kind as Task['kind'], params, items);
        await auditTask(executor, systemActor(row.account_id), 'task.run', row.id, auditedTaskOf(row));
      }),
  };
}
type Items = Awaited<ReturnType<BulkService['plan']>>;
