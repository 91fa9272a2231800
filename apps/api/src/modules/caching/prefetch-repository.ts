import type { EdgePrefetch, EdgePrefetchReport, Page, PrefetchList, PrefetchNode, RouteConfig } from '@cordon/contract';
import { type Selectable, sql } from 'kysely';
import type { Database, Executor } from '../../platform/database.ts';
import { isNodeLive } from '../edge-nodes/service.ts';
import {
  type CachedRoute,
  cachedRouteColumns,
  cachedRoutes,
  countOfRoute,
  namesOfCached,
  wildcardLevels,
} from './cached-route-repository.ts';
import type {} from './tables.ts';

/** A domain that is to be prefetched. */
export interface PrefetchedRoute extends CachedRoute {
  readonly force_https: boolean;
  readonly plugins: RouteConfig['plugins'] | null;
  readonly wildcard_levels: 'one' | 'all' | null;
  /** Main name first. */
  readonly names: string[] | null;
}

/** Deleted ones left out. @param accountId Undefined: of any account, for jobs. */
export async function findPrefetched(
  db: Executor,
  routeId: string,
  accountId?: string,
): Promise<PrefetchedRoute | undefined> {
  const { rows } = await sql<PrefetchedRoute>`
    SELECT ${cachedRouteColumns}, ${wildcardLevels}, r.force_https, r.live -> 'plugins' AS plugins, ${namesOfCached} AS names
    FROM ${cachedRoutes} AND r.id = ${routeId}
      AND (${accountId ?? null}::uuid IS NULL OR r.account_id = ${accountId ?? null}::uuid)`.execute(db);
  return rows[0];
}

/** How many of the account run, counted under its lock: two calls together must not come past the bound. */
export async function countRunning(db: Executor, accountId: string): Promise<number> {
  await sql`SELECT pg_advisory_xact_lock(hashtext('prefetches'), hashtext(${accountId}))`.execute(db);
  const { count } = await db
    .selectFrom('prefetches')
    .select((expression) => expression.fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .where('ended_at', 'is', null)
    .executeTakeFirstOrThrow();
  return count;
}

export interface NewPrefetch {
  readonly account_id: string;
  readonly route_id: string;
  readonly czone: string;
  readonly shown: string[];
  readonly urls: EdgePrefetch['urls'];
  readonly hosts: string[];
  readonly devices: string[];
  readonly languages: string[];
  readonly refresh: boolean;
  readonly visits: number;
  readonly left_out: number;
  readonly version: number | null;
  readonly created_by: string;
}

/** Stores it for the nodes of the czone, and tells those that are live. Answers its id. */
export async function insertPrefetch(db: Executor, { urls, ...values }: NewPrefetch): Promise<string> {
  const { id, czone } = await db
    .insertInto('prefetches')
    .values({ ...values, urls: JSON.stringify(urls) })
    .returning(['id', 'czone'])
    .executeTakeFirstOrThrow();
  await sql`WITH added AS (
      INSERT INTO prefetch_nodes (prefetch_id, node_id, state, ended_at)
      SELECT ${id}, n.id, CASE WHEN n.is_live THEN 'waiting' ELSE 'silent' END, CASE WHEN NOT n.is_live THEN now() END
      FROM (SELECT n.id, ${isNodeLive('n')} AS is_live FROM edge_nodes n
        WHERE n.revoked_at IS NULL AND ${czone} = ANY(n.czones)) n
      RETURNING node_id, state)
    SELECT pg_notify('prefetches', node_id::text) FROM added WHERE state = 'waiting'`.execute(db);
  await endThoseThatAreOver(db, [id]);
  return id;
}

/** Of these, those that no node works on. */
async function endThoseThatAreOver(db: Executor, ids: readonly string[]): Promise<void> {
  await sql`UPDATE prefetches p SET ended_at = now() WHERE p.id = ANY(${[...ids]}::uuid[]) AND p.ended_at IS NULL
    AND NOT EXISTS (SELECT 1 FROM prefetch_nodes n WHERE n.prefetch_id = p.id AND n.ended_at IS NULL)`.execute(db);
}

export interface PrefetchRow {
  readonly id: string;
  readonly shown: string[];
  readonly url_count: number;
  readonly refresh: boolean;
  readonly visits: number;
  readonly left_out: number;
  readonly version: number | null;
  readonly created_by: string;
  readonly created_at: string;
  readonly cancelled_at: string | null;
  readonly ended_at: string | null;
  readonly nodes: PrefetchNode[];
}

const columns = (
  shown: ReturnType<typeof sql>,
) => sql`p.id, ${shown} AS shown, cardinality(p.shown) AS url_count, p.refresh, p.visits, p.left_out,
  p.version, p.created_by, p.created_at, p.cancelled_at, p.ended_at,
  (SELECT coalesce(json_agg(json_build_object('name', n.name, 'state', t.state, 'kept', t.kept, 'fresh', t.fresh,
      'unkept', t.unkept, 'failed', t.failed) ORDER BY n.name), '[]')
    FROM prefetch_nodes t JOIN edge_nodes n ON n.id = t.node_id WHERE t.prefetch_id = p.id) AS nodes`;

interface ProblemsOfNode {
  readonly node: string;
  readonly problems: NonNullable<EdgePrefetchReport['problems']>;
}

export async function findPrefetch(
  db: Executor,
  accountId: string,
  routeId: string,
  id: string,
): Promise<(PrefetchRow & { readonly problems: ProblemsOfNode[] }) | undefined> {
  const { rows } = await sql<PrefetchRow & { problems: ProblemsOfNode[] }>`SELECT ${columns(sql`p.shown`)},
      (SELECT coalesce(json_agg(json_build_object('node', n.name, 'problems', t.problems) ORDER BY n.name), '[]')
        FROM prefetch_nodes t JOIN edge_nodes n ON n.id = t.node_id
        WHERE t.prefetch_id = p.id AND t.problems <> '[]') AS problems
    FROM prefetches p WHERE p.id = ${id} AND p.route_id = ${routeId} AND p.account_id = ${accountId}`.execute(db);
  return rows[0];
}

const FIRST_URLS = 3;

export async function listPrefetches(
  db: Executor,
  accountId: string,
  routeId: string,
  { limit, offset }: Page,
): Promise<{ rows: PrefetchRow[]; count: number }> {
  const { rows } = await sql<PrefetchRow>`SELECT ${columns(sql`p.shown[1:${sql.lit(FIRST_URLS)}]`)}
    FROM prefetches p WHERE p.route_id = ${routeId} AND p.account_id = ${accountId}
    ORDER BY p.created_at DESC, p.id LIMIT ${limit} OFFSET ${offset}`.execute(db);
  return { rows, count: await countOfRoute(db, 'prefetches', accountId, routeId) };
}

/** Those of a domain that run because of deploys, and how many URLs each has. */
export const findRunningOfDeploys = (db: Executor, routeId: string): Promise<{ id: string; entries: number }[]> =>
  db
    .selectFrom('prefetches')
    .select(['id', sql<number>`cardinality(shown)`.as('entries')])
    .where('route_id', '=', routeId)
    .where('version', 'is not', null)
    .where('ended_at', 'is', null)
    .execute();

/** Ends one that runs, on all nodes; false where it is over. */
export async function cancelPrefetch(db: Executor, id: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('prefetches')
    .set({ cancelled_at: sql<string>`now()`, ended_at: sql<string>`now()` })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  await sql`WITH ended AS (
      UPDATE prefetch_nodes SET state = 'cancelled', ended_at = now()
      WHERE prefetch_id = ${id} AND ended_at IS NULL RETURNING node_id, sent_at)
    SELECT pg_notify('prefetches', node_id::text) FROM ended WHERE sent_at IS NOT NULL`.execute(db);
  return true;
}

export type SentPrefetch = Pick<
  EdgePrefetch,
  'id' | 'route_id' | 'refresh' | 'hosts' | 'devices' | 'languages' | 'urls'
>;

/** One that the node was not sent yet; it is sent each once. */
export async function takePrefetch(db: Executor, nodeId: string): Promise<SentPrefetch | undefined> {
  const { rows } = await sql<SentPrefetch>`
    WITH next AS (
      SELECT prefetch_id FROM prefetch_nodes WHERE node_id = ${nodeId} AND sent_at IS NULL AND state = 'waiting'
      LIMIT 1 FOR UPDATE SKIP LOCKED),
    sent AS (
      UPDATE prefetch_nodes n SET sent_at = now() FROM next
      WHERE n.prefetch_id = next.prefetch_id AND n.node_id = ${nodeId} RETURNING n.prefetch_id)
    SELECT p.id, p.route_id, p.refresh, p.hosts, p.devices, p.languages, p.urls
    FROM sent JOIN prefetches p ON p.id = sent.prefetch_id`.execute(db);
  return rows[0];
}

/** Those that the node is to go on with no more; it is told of each once. */
export async function takeEnds(db: Executor, nodeId: string): Promise<string[]> {
  const { rows } = await sql<{ prefetch_id: string }>`
    UPDATE prefetch_nodes SET end_sent_at = now()
    WHERE node_id = ${nodeId} AND sent_at IS NOT NULL AND end_sent_at IS NULL AND state IN ('cancelled', 'silent', 'timed_out')
    RETURNING prefetch_id`.execute(db);
  return rows.map((row) => row.prefetch_id);
}

/** How far a node is. What has ended for it, or was never its, stays as it is. */
export async function putReports(db: Executor, nodeId: string, reports: readonly EdgePrefetchReport[]): Promise<void> {
  const { rows } = await sql<{ prefetch_id: string }>`
    UPDATE prefetch_nodes n SET state = told.state, kept = told.kept, fresh = told.fresh, unkept = told.unkept, failed = told.failed,
      problems = coalesce(told.problems, n.problems), heard_at = now(), ended_at = CASE WHEN told.state <> 'running' THEN now() END
    FROM jsonb_to_recordset(${JSON.stringify(reports)}::jsonb)
      AS told (id uuid, state text, kept int, fresh int, unkept int, failed int, problems jsonb)
    WHERE n.prefetch_id = told.id AND n.node_id = ${nodeId} AND n.sent_at IS NOT NULL AND n.ended_at IS NULL
    RETURNING n.prefetch_id`.execute(db);
  if (rows.length > 0)
    await endThoseThatAreOver(
      db,
      rows.map((row) => row.prefetch_id),
    );
}

/** Writes nodes off that have said nothing for so long, or are not done by then. False: it is over. */
export async function judgeNodes(
  db: Executor,
  id: string,
  { silentSeconds, allSeconds }: { readonly silentSeconds: number; readonly allSeconds: number },
): Promise<boolean> {
  await sql`WITH late AS (
      UPDATE prefetch_nodes n SET ended_at = now(), state =
        CASE WHEN p.created_at < now() - make_interval(secs => ${allSeconds}) THEN 'timed_out' ELSE 'silent' END
      FROM prefetches p WHERE p.id = ${id} AND n.prefetch_id = p.id AND n.ended_at IS NULL
        AND (p.created_at < now() - make_interval(secs => ${allSeconds})
          OR coalesce(n.heard_at, n.sent_at, p.created_at) < now() - make_interval(secs => ${silentSeconds}))
      RETURNING n.node_id, n.sent_at)
    SELECT pg_notify('prefetches', node_id::text) FROM late WHERE sent_at IS NOT NULL`.execute(db);
  await endThoseThatAreOver(db, [id]);
  const row = await db.selectFrom('prefetches').select('ended_at').where('id', '=', id).executeTakeFirst();
  return row !== undefined && row.ended_at === null;
}

export async function forgetPrefetches(db: Executor, days: number): Promise<void> {
  await sql`DELETE FROM prefetches WHERE created_at < now() - make_interval(days => ${days})`.execute(db);
}

export type PrefetchListRow = Selectable<Database['prefetch_lists']>;

export const findList = (db: Executor, routeId: string): Promise<PrefetchListRow | undefined> =>
  db.selectFrom('prefetch_lists').selectAll().where('route_id', '=', routeId).executeTakeFirst();

export async function putList(
  db: Executor,
  list: Pick<PrefetchListRow, 'route_id' | 'account_id' | 'urls' | 'after_deploy' | 'updated_by'>,
): Promise<PrefetchListRow> {
  return db
    .insertInto('prefetch_lists')
    .values(list)
    .onConflict((conflict) =>
      conflict.column('route_id').doUpdateSet({
        urls: list.urls,
        after_deploy: list.after_deploy,
        updated_by: list.updated_by,
        updated_at: sql<string>`now()`,
        skipped: null,
      }),
    )
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Why a list was not fetched after a deploy; null: it was. */
export async function noteSkipped(
  db: Executor,
  routeId: string,
  why: Omit<NonNullable<PrefetchList['skipped']>, 'at'> | null,
): Promise<void> {
  const skipped = why === null ? null : JSON.stringify({ ...why, at: new Date().toISOString() });
  await db.updateTable('prefetch_lists').set({ skipped }).where('route_id', '=', routeId).execute();
}

/** Has the lists of these domains fetched that are to be after a deploy: by a job, in the caller's transaction. */
export async function addDeployJobs(
  db: Executor,
  deployed: readonly { readonly routeId: string; readonly version: number }[],
): Promise<void> {
  if (deployed.length === 0) return;
  await sql`SELECT graphile_worker.add_job('prefetch-after-deploy',
      json_build_object('route_id', l.route_id, 'version', given.version, 'tries', 0),
      job_key => 'prefetch-after-deploy/' || l.route_id)
    FROM unnest(${deployed.map((one) => one.routeId)}::uuid[], ${deployed.map((one) => one.version)}::int[])
      AS given (route_id, version)
    JOIN prefetch_lists l ON l.route_id = given.route_id AND l.after_deploy AND cardinality(l.urls) > 0`.execute(db);
}
