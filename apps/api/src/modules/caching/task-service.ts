import {
  type Actor,
  type Batch,
  type RouteSelection,
  TASK_DAYS_MAX,
  TASK_NAMES_MAX,
  TASKS_MAX,
  type Task,
} from '@cordon/contract';
import { auditedBy, insertAudit } from '../../platform/audit.ts';
import { type Db, type Executor, runInTransaction } from '../../platform/database.ts';
import { AppError, fieldErrors, notFound } from '../../platform/errors.ts';
import { addJob } from '../../platform/queue.ts';
import type { BatchService } from '../batches/service.ts';
import type { BulkService, SelectionReader } from '../domains/service.ts';
import { hasRoute } from './clear-repository.ts';
import * as repository from './task-repository.ts';

export interface TaskRequest {
  readonly kind: Task['kind'];
  readonly route_ids?: readonly string[] | undefined;
  readonly selection?: RouteSelection | undefined;
  /** Undefined: now. */
  readonly at?: string | undefined;
  readonly soft: boolean;
  /** Of the preview of the selection that was confirmed. */
  readonly digest?: string | undefined;
}

/** What is done to many domains, now as a batch, or at a time (spec section 4, `task_scheduled`). */
export interface TaskService {
  /** Those that wait for their time, the next first, before those that run; of one domain those that wait. Throws NOT_FOUND for another account's. */
  list(accountId: string, routeId?: string): Promise<Task[]>;
  /**
   * Throws TASK_TIME_PAST and TASK_TIME_FAR at `at`, TASKS_FULL, CACHE_CLEAR_NEEDS_PLAN for free domains only, NOT_FOUND for an id that is
   * none of the account's, and what a batch over the selection would throw. What is selected is so now, whenever it runs: a domain that
   * is none of the account's by then fails in the batch, one that has come since is not cleared.
   */
  start(actor: Actor, request: TaskRequest): Promise<Task>;
  /** Throws NOT_FOUND for one that has begun. */
  cancel(actor: Actor, taskId: string): Promise<void>;
  /** Job: begins the batch of a task; nothing where it was cancelled. */
  run(taskId: string): Promise<void>;
}

const BATCH_KINDS = { 'clear cache': 'clear_cache' } as const satisfies Record<Task['kind'], string>;
const DAY_MS = 86_400_000;
const RUNNING_SHOWN = { limit: 100, offset: 0 };

const toTask = (row: repository.ShownTask): Task => ({
  id: row.id,
  kind: row.kind as Task['kind'],
  state: 'task_scheduled',
  soft: row.params.soft,
  domains: row.domains,
  first_domain: row.first_names[0] ?? null,
  domain_names: row.first_names,
  at: row.run_at,
  created_by: row.created_by,
  batch_id: null,
});

const ofBatch = (kind: Task['kind'], batch: Batch, soft: boolean, names: readonly string[]): Task => ({
  id: batch.id,
  kind,
  state: 'running',
  soft,
  domains: batch.total,
  first_domain: names[0] ?? null,
  domain_names: names.slice(0, TASK_NAMES_MAX),
  at: batch.created_at,
  created_by: batch.created_by,
  batch_id: batch.id,
});

function readTime(text: string): Date {
  const at = new Date(text);
  if (at.getTime() <= Date.now()) throw fieldErrors({ at: 'TASK_TIME_PAST' });
  if (at.getTime() > Date.now() + TASK_DAYS_MAX * DAY_MS)
    throw fieldErrors({ at: 'TASK_TIME_FAR' }, { at: { days: TASK_DAYS_MAX } });
  return at;
}

/** What tasks are made of: those of now become batches, by what bulk actions plan. */
export interface TaskParts {
  readonly db: Db;
  readonly batches: BatchService;
  readonly bulk: BulkService;
  readonly selections: SelectionReader;
}

/** Tasks that wait for their time are jobs; those of now are batches. */
export function createTaskService({ db, batches, bulk, selections }: TaskParts): TaskService {
  const audit = (
    executor: Executor,
    actor: Actor,
    action: 'task.schedule' | 'task.cancel',
    row: Pick<repository.ShownTask, 'id' | 'params' | 'domains' | 'run_at'>,
  ) =>
    insertAudit(
      executor,
      auditedBy(actor, {
        action,
        subject: `task ${row.id}`,
        details: { cleared: 'all', soft: row.params.soft, domains: row.domains, at: row.run_at },
      }),
    );

  async function schedule(actor: Actor, kind: Task['kind'], soft: boolean, at: Date, items: Items): Promise<Task> {
    return runInTransaction(db, async (executor) => {
      if ((await repository.countTasks(executor, actor.accountId)) >= TASKS_MAX) throw new AppError('TASKS_FULL');
      const row = await repository.insertTask(executor, actor, { kind, soft, runAt: at }, items);
      await addJob(executor, 'run-task', { task_id: row.id }, { key: `run-task/${row.id}`, runAt: at });
      await audit(executor, actor, 'task.schedule', row);
      return toTask(row);
    });
  }

  return {
    async list(accountId, routeId) {
      if (routeId !== undefined && !(await hasRoute(db, accountId, routeId))) throw notFound();
      const scheduled = (await repository.listTasks(db, accountId, routeId)).map(toTask);
      if (routeId !== undefined) return scheduled;
      const { results } = await batches.list(accountId, 'running', RUNNING_SHOWN);
      const running = results.filter(({ kind }) => kind === BATCH_KINDS['clear cache']);
      return [...scheduled, ...running.map((batch) => ofBatch('clear cache', batch, false, []))];
    },
    async start(actor, { kind, route_ids: routeIds, selection, at, soft, digest }) {
      const runAt = at === undefined ? undefined : readTime(at);
      const request = {
        action: BATCH_KINDS[kind],
        selection: routeIds ? { routeIds } : await selections.selectionOf(actor.accountId, selection ?? {}),
        cname: undefined,
        group_id: undefined,
        digest,
      };
      const items = await bulk.plan(actor, request);
      // Names of none would be nothing to wait for.
      if (runAt && items.every(({ routeId: id }) => id === undefined))
        throw fieldErrors({ selection: 'SELECTION_EMPTY' });
      if (runAt) return schedule(actor, kind, soft, runAt, items);
      const batch = await bulk.start(actor, { ...request, soft, note: '' });
      return ofBatch(
        kind,
        batch,
        soft,
        items.map(({ name }) => name),
      );
    },
    cancel: (actor, taskId) =>
      runInTransaction(db, async (executor) => {
        const row = await repository.takeTask(executor, taskId, actor.accountId);
        if (!row) throw notFound();
        await audit(executor, actor, 'task.cancel', { ...row, domains: row.route_ids.length });
      }),
    run: (taskId) =>
      runInTransaction(db, async (executor) => {
        const row = await repository.takeTask(executor, taskId);
        if (!row) return;
        const actor: Actor = {
          accountId: row.account_id,
          kind: row.created_by_kind,
          label: row.created_by,
          source: row.created_from === null ? undefined : { address: row.created_from, userAgent: row.created_with },
        };
        await batches.start(executor, actor, {
          kind: BATCH_KINDS[row.kind as Task['kind']],
          params: { soft: row.params.soft },
          items: row.route_ids.map((routeId, place) => ({ routeId, name: row.names[place] ?? '' })),
        });
      }),
  };
}
type Items = Awaited<ReturnType<BulkService['plan']>>;
