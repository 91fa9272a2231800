import { type Actor, type ClearKind, SHOWN_CHARACTERS_MAX, SHOWN_VALUES_MAX, TASK_NAMES_MAX } from '@cordon/contract';
import { type Selectable, sql } from 'kysely';
import type { Database, Executor } from '../../platform/database.ts';
import type { ClearParams } from './clear-values.ts';
import type {} from './tables.ts';

export type TaskRow = Selectable<Database['tasks']>;

/** What is shown of a task, which may be of thousands of domains. */
export interface ShownTask extends Pick<TaskRow, 'id' | 'kind' | 'run_at' | 'created_by'> {
  readonly clear_kind: ClearKind;
  /** How many values it clears. */
  readonly entries: number;
  /** The first of them. */
  readonly first_values: string[];
  readonly soft: boolean;
  readonly domains: number;
  /** The first of them. */
  readonly first_names: string[];
}

/** What was scheduled before there were values clears everything. */
const shownColumns = [
  ...(['id', 'kind', 'run_at', 'created_by'] as const),
  sql<ClearKind>`coalesce(params ->> 'clear_kind', 'all')`.as('clear_kind'),
  sql<number>`coalesce(jsonb_array_length(params -> 'values'), 0)`.as('entries'),
  sql<string[]>`ARRAY(SELECT left(value, ${sql.lit(SHOWN_CHARACTERS_MAX)})
    FROM jsonb_array_elements_text(coalesce(params -> 'values', '[]')) WITH ORDINALITY AS given (value, place)
    WHERE place <= ${sql.lit(SHOWN_VALUES_MAX)} ORDER BY place)`.as('first_values'),
  sql<boolean>`(params -> 'soft')::boolean`.as('soft'),
  sql<number>`cardinality(route_ids)`.as('domains'),
  sql<string[]>`names[1:${sql.lit(TASK_NAMES_MAX)}]`.as('first_names'),
] as const;

/** @param routeId Only those that this domain is one of. */
export const listTasks = (db: Executor, accountId: string, routeId?: string): Promise<ShownTask[]> => {
  const tasks = db.selectFrom('tasks').select(shownColumns).where('account_id', '=', accountId);
  return (routeId === undefined ? tasks : tasks.where(sql<boolean>`${routeId}::uuid = ANY (route_ids)`))
    .orderBy('run_at')
    .orderBy('id')
    .execute();
};

/** Until the transaction ends, no other of the account counts: two calls together must not come past a bound. */
export async function lockTasks(db: Executor, accountId: string): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtext('tasks'), hashtext(${accountId}))`.execute(db);
}

/**
 * Until the transaction ends, none of the account is scheduled (`lockTasks`): one that is being so is seen afterwards. Two that share it
 * do not wait for each other, whatever else they have locked.
 */
export async function shareTasks(db: Executor, accountId: string): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock_shared(hashtext('tasks'), hashtext(${accountId}))`.execute(db);
}

/** Those of the routes that are deleted, or about to be. */
export async function findDeleted(db: Executor, routeIds: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string }>`SELECT id FROM routes
    WHERE id = ANY (${[...routeIds]}::uuid[]) AND status IN ('deleting', 'deleted')`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

/** How many of the account wait. */
export async function countTasks(db: Executor, accountId: string): Promise<number> {
  const { count } = await db
    .selectFrom('tasks')
    .select((expression) => expression.fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return count;
}

export const insertTask = (
  db: Executor,
  actor: Actor,
  task: { readonly kind: string; readonly params: ClearParams; readonly runAt: Date },
  items: readonly { readonly routeId?: string; readonly name: string }[],
): Promise<ShownTask> =>
  db
    .insertInto('tasks')
    .values({
      account_id: actor.accountId,
      kind: task.kind,
      params: JSON.stringify(task.params),
      route_ids: items.flatMap(({ routeId }) => routeId ?? []),
      names: items.flatMap(({ routeId, name }) => (routeId === undefined ? [] : name)),
      run_at: task.runAt,
      created_by: actor.label,
      created_by_kind: actor.kind,
      created_from: actor.source?.address ?? null,
      created_with: actor.source?.userAgent ?? null,
    })
    .returning(shownColumns)
    .executeTakeFirstOrThrow();

/** Whose it is; undefined where it is not there any more. */
export const accountOf = async (db: Executor, id: string): Promise<string | undefined> =>
  (await db.selectFrom('tasks').select('account_id').where('id', '=', id).executeTakeFirst())?.account_id;

/** Takes it out; undefined where it is not there any more, or another account's. */
export const takeTask = (db: Executor, id: string, accountId?: string): Promise<TaskRow | undefined> => {
  const taken = db.deleteFrom('tasks').where('id', '=', id);
  return (accountId === undefined ? taken : taken.where('account_id', '=', accountId))
    .returningAll()
    .executeTakeFirst();
};

/** Tasks of the account that any of the domains is in; nobody else changes them until the transaction ends. */
export const lockTasksOf = async (db: Executor, accountId: string, routeIds: readonly string[]): Promise<string[]> => {
  const rows = await db
    .selectFrom('tasks')
    .select('id')
    .where('account_id', '=', accountId)
    .where(sql<boolean>`route_ids && ${[...routeIds]}::uuid[]`)
    // Each in this order: two that delete would wait for each other.
    .orderBy('id')
    .forUpdate()
    .execute();
  return rows.map(({ id }) => id);
};

/** How many tasks of the account any of the domains is in: those that have no other, and those that have. */
export async function countTasksOf(
  db: Executor,
  accountId: string,
  routeIds: readonly string[],
): Promise<{ cancelled: number; left: number }> {
  // Looked up by hash: with `&&` and `<@` thousands of domains would be compared with thousands of each task.
  const { rows } = await sql<{ cancelled: number; left: number }>`
    SELECT count(*) FILTER (WHERE leaving = domains)::int AS cancelled, count(*) FILTER (WHERE leaving < domains)::int AS "left"
    FROM (SELECT cardinality(route_ids) AS domains,
        (SELECT count(*) FROM unnest(route_ids) AS one (id) WHERE id = ANY (${[...routeIds]}::uuid[])) AS leaving
      FROM tasks WHERE account_id = ${accountId}) AS counted
    WHERE leaving > 0`.execute(db);
  return rows[0] ?? { cancelled: 0, left: 0 };
}

/** Takes out those of the tasks that have no domain but these. */
export const takeTasksOfNone = (
  db: Executor,
  ids: readonly string[],
  routeIds: readonly string[],
): Promise<TaskRow[]> =>
  db
    .deleteFrom('tasks')
    .where('id', 'in', [...ids])
    .where(sql<boolean>`route_ids <@ ${[...routeIds]}::uuid[]`)
    .returningAll()
    .execute();

/** Domains that were taken out of a task. */
export interface LeftTask extends Pick<TaskRow, 'id' | 'params' | 'run_at'> {
  /** How many they are. */
  readonly domains: number;
  /** The first of them. */
  readonly names: string[];
}

/** Takes the domains out of the tasks, with their names; answers which those were. */
export async function takeOutOfTasks(
  db: Executor,
  ids: readonly string[],
  routeIds: readonly string[],
): Promise<LeftTask[]> {
  const { rows } = await sql<LeftTask>`
    WITH parted AS (
      SELECT t.id,
        array_agg(one.route_id ORDER BY place) FILTER (WHERE NOT leaves) AS kept_ids,
        array_agg(one.name ORDER BY place) FILTER (WHERE NOT leaves) AS kept_names,
        count(*) FILTER (WHERE leaves)::int AS domains,
        (array_agg(one.name ORDER BY place) FILTER (WHERE leaves))[1:${sql.lit(TASK_NAMES_MAX)}] AS names
      FROM tasks t,
        LATERAL (SELECT route_id, name, place, route_id = ANY (${[...routeIds]}::uuid[]) AS leaves
          FROM unnest(t.route_ids, t.names) WITH ORDINALITY AS each (route_id, name, place)) AS one
      WHERE t.id = ANY (${[...ids]}::uuid[]) GROUP BY t.id)
    UPDATE tasks SET route_ids = parted.kept_ids, names = parted.kept_names FROM parted WHERE tasks.id = parted.id
    RETURNING tasks.id, tasks.params, tasks.run_at, parted.domains, parted.names`.execute(db);
  return rows;
}

/** Names one of the domains of the tasks anew. */
export async function renameInTasks(
  db: Executor,
  ids: readonly string[],
  routeId: string,
  name: string,
): Promise<void> {
  await sql`UPDATE tasks SET names[array_position(route_ids, ${routeId}::uuid)] = ${name}
    WHERE id = ANY (${[...ids]}::uuid[])`.execute(db);
}
