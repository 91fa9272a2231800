import {
  type Actor,
  type EdgePrefetchReport,
  type Page,
  PREFETCHES_MAX,
  type Prefetch,
  type PrefetchList,
  type PrefetchListRequest,
  type PrefetchRequest,
  type PrefetchSummary,
} from '@cordon/contract';
import { systemActor } from '../../platform/actor.ts';
import { auditedBy, insertAudit } from '../../platform/audit.ts';
import { type Db, type Executor, runInTransaction } from '../../platform/database.ts';
import { AppError, notFound } from '../../platform/errors.ts';
import { addJob } from '../../platform/queue.ts';
import { stateForbids } from '../routes/service.ts';
import { type PrefetchPlan, partsOf, planPrefetch, variantsOf } from './prefetch-plan.ts';
import * as repository from './prefetch-repository.ts';
import { requireCacheable } from './require-cacheable.ts';

const DAYS_KEPT = 30;
const LOOK_MS = 10_000;
/** Nodes report every 10 s at least, and are done by themselves after half an hour. */
const SILENT_SECONDS = 30;
const ALL_SECONDS = 31 * 60;
/** A list whose account has too many others running waits for them, for an hour at most. */
const RETRY_MS = 60_000;
const TRIES_MAX = 60;

/** What a job knows of a deploy. */
export interface DeployedList {
  readonly route_id: string;
  readonly version: number;
  readonly tries: number;
}

/** URLs that nodes fetch into their caches before visitors ask. Another account's is NOT_FOUND everywhere. */
export interface PrefetchService {
  /**
   * Has the live nodes of the domain's czone fetch URLs. Throws PREFETCH_NEEDS_PLAN in a free subscription, DOMAIN_NOT_DEPLOYED,
   * PREFETCH_NOT_CACHED where the live version keeps nothing, DOMAIN_STATE_FORBIDS, PREFETCHES_FULL, a code at `urls.<n>` for a URL of
   * another name, and PREFETCH_TOO_MANY at `urls`.
   */
  start(actor: Actor, routeId: string, request: PrefetchRequest): Promise<Prefetch>;
  list(accountId: string, routeId: string, page: Page): Promise<{ results: PrefetchSummary[]; count: number }>;
  get(accountId: string, routeId: string, id: string): Promise<Prefetch>;
  /** One that is over stays as it is. */
  cancel(actor: Actor, routeId: string, id: string): Promise<Prefetch>;
  getList(accountId: string, routeId: string): Promise<PrefetchList>;
  /** What a deploy will bring is not judged: the list may be there before the first one. */
  setList(actor: Actor, routeId: string, request: PrefetchListRequest): Promise<PrefetchList>;
  /** Job: fetches the list of a domain whose version has reached its nodes, in place of a former deploy's that still runs. */
  startAfterDeploy(deployed: DeployedList): Promise<void>;
  /** What the stream of a node carries next: the events of one prefetch, or ends of others; empty: nothing. */
  takeEvents(nodeId: string): Promise<string[]>;
  record(nodeId: string, reports: readonly EdgePrefetchReport[]): Promise<void>;
  /** Job: writes off the nodes that are silent. */
  look(id: string): Promise<void>;
  /** Job: forgets what is older than 30 days. */
  forgetOld(): Promise<void>;
}

const namesOf = ({ names, wildcard_levels, force_https }: repository.PrefetchedRoute) => ({
  forcesHttps: force_https,
  names: names ?? [],
  wildcardLevels: wildcard_levels ?? undefined,
});

/** What it means for the live version. */
function planOf(route: repository.PrefetchedRoute, urls: readonly string[], leavesOut = false): PrefetchPlan {
  requireCacheable(route, 'PREFETCH_NEEDS_PLAN');
  if (route.version_live === null) throw new AppError('DOMAIN_NOT_DEPLOYED');
  if (route.status === 'deactivated') throw stateForbids(route.status);
  const variants = variantsOf(route.plugins ?? []);
  if (!variants) throw new AppError('PREFETCH_NOT_CACHED');
  return planPrefetch(urls, namesOf(route), variants, leavesOut);
}

const toSummary = ({ shown, cancelled_at, version, ...row }: repository.PrefetchRow): PrefetchSummary => ({
  id: row.id,
  state: row.ended_at === null ? 'running' : cancelled_at === null ? 'done' : 'cancelled',
  first_urls: shown.slice(0, 3),
  url_count: row.url_count,
  refresh: row.refresh,
  cause: version === null ? 'call' : 'deploy',
  version,
  created_at: row.created_at,
  created_by: row.created_by,
  ended_at: row.ended_at,
  visits: row.visits,
  left_out: row.left_out,
  nodes: row.nodes,
});

const toList = (row: repository.PrefetchListRow | undefined): PrefetchList => ({
  urls: row?.urls ?? [],
  after_deploy: row?.after_deploy ?? false,
  updated_at: row?.updated_at ?? null,
  updated_by: row?.updated_by ?? null,
  skipped: row?.skipped ?? null,
});

const event = (data: object): string => `event: prefetch\ndata: ${JSON.stringify(data)}\n\n`;

/** Has the list of each of these domains fetched, where it is to be after a deploy. */
export const prefetchAfterDeploys = repository.addDeployJobs;

/** Nodes read what is to be fetched of the rows that are written here; a job looks at what becomes of each. */
export function createPrefetchService({ db }: { readonly db: Db }): PrefetchService {
  async function find(executor: Executor, routeId: string, accountId?: string): Promise<repository.PrefetchedRoute> {
    const route = await repository.findPrefetched(executor, routeId, accountId);
    if (!route) throw notFound();
    return route;
  }

  async function read(executor: Executor, accountId: string, routeId: string, id: string): Promise<Prefetch> {
    const row = await repository.findPrefetch(executor, accountId, routeId, id);
    if (!row) throw notFound();
    const problems = row.problems.flatMap(({ node, problems: ofNode }) => ofNode.map((one) => ({ node, ...one })));
    return { ...toSummary(row), urls: row.shown, problems };
  }

  const audit = (
    executor: Executor,
    actor: Actor,
    action: 'route.prefetch' | 'route.prefetch_cancel' | 'route.prefetch_list',
    route: Pick<repository.PrefetchedRoute, 'id' | 'domain_name'>,
    details: object,
  ) =>
    insertAudit(
      executor,
      auditedBy(actor, {
        action,
        subject: `route ${route.id}`,
        details: { domain_name: route.domain_name, ...details },
      }),
    );

  async function store(
    executor: Executor,
    route: repository.PrefetchedRoute,
    { shown, urls, hosts, devices, languages, leftOut, visits }: PrefetchPlan,
    how: { readonly refresh: boolean; readonly version: number | null; readonly created_by: string },
  ): Promise<string> {
    const { account_id, id: route_id, czone } = route;
    const id = await repository.insertPrefetch(executor, {
      ...{ account_id, route_id, czone, shown, urls, hosts, visits, left_out: leftOut, ...how },
      ...{ devices: [...devices], languages: [...languages] },
    });
    await lookLater(executor, id);
    return id;
  }

  const lookLater = (executor: Executor, id: string) =>
    addJob(
      executor,
      'look-at-prefetch',
      { prefetch_id: id },
      { key: `look-at-prefetch/${id}`, runAt: new Date(Date.now() + LOOK_MS) },
    );

  return {
    async start(actor, routeId, { urls, refresh }) {
      const route = await find(db, routeId, actor.accountId);
      const plan = planOf(route, urls);
      return runInTransaction(db, async (executor) => {
        if ((await repository.countRunning(executor, actor.accountId)) >= PREFETCHES_MAX)
          throw new AppError('PREFETCHES_FULL');
        const id = await store(executor, route, plan, { refresh, version: null, created_by: actor.label });
        await audit(executor, actor, 'route.prefetch', route, { entries: plan.shown.length, refresh });
        return read(executor, actor.accountId, routeId, id);
      });
    },
    async list(accountId, routeId, page) {
      await find(db, routeId, accountId);
      const { rows, count } = await repository.listPrefetches(db, accountId, routeId, page);
      return { results: rows.map(toSummary), count };
    },
    get: (accountId, routeId, id) => read(db, accountId, routeId, id),
    cancel: (actor, routeId, id) =>
      runInTransaction(db, async (executor) => {
        const { url_count: entries } = await read(executor, actor.accountId, routeId, id);
        const route = await find(executor, routeId, actor.accountId);
        if (await repository.cancelPrefetch(executor, id))
          await audit(executor, actor, 'route.prefetch_cancel', route, { entries });
        return read(executor, actor.accountId, routeId, id);
      }),
    async getList(accountId, routeId) {
      await find(db, routeId, accountId);
      return toList(await repository.findList(db, routeId));
    },
    async setList(actor, routeId, { urls, after_deploy: afterDeploy }) {
      const route = await find(db, routeId, actor.accountId);
      requireCacheable(route, 'PREFETCH_NEEDS_PLAN');
      const variants = variantsOf(route.plugins ?? []) ?? { devices: [], languages: [] };
      const { shown } = planPrefetch(urls, namesOf(route), variants);
      return runInTransaction(db, async (executor) => {
        const row = await repository.putList(executor, {
          ...{ route_id: route.id, account_id: route.account_id, updated_by: actor.label },
          ...{ urls: shown, after_deploy: afterDeploy },
        });
        await audit(executor, actor, 'route.prefetch_list', route, {
          entries: shown.length,
          after_deploy: afterDeploy,
        });
        return toList(row);
      });
    },
    startAfterDeploy: (deployed) =>
      runInTransaction(db, async (executor) => {
        const { route_id: routeId, version, tries } = deployed;
        const route = await repository.findPrefetched(executor, routeId);
        const list = await repository.findList(executor, routeId);
        // Of a later deploy there is a job of its own.
        if (!route || !list?.after_deploy || list.urls.length === 0 || route.version_live !== version) return;
        const skip = (code: string, params: Record<string, string | number> = {}) =>
          repository.noteSkipped(executor, routeId, { code, params, version });
        let plan: PrefetchPlan;
        try {
          plan = planOf(route, list.urls, true);
        } catch (error) {
          if (!(error instanceof AppError)) throw error;
          return skip(Object.values(error.fields)[0] ?? error.code, Object.values(error.params)[0]);
        }
        for (const { id, entries } of await repository.findRunningOfDeploys(executor, routeId))
          if (await repository.cancelPrefetch(executor, id))
            await audit(executor, systemActor(route.account_id), 'route.prefetch_cancel', route, {
              entries,
              cause: 'deployed_again',
            });
        if ((await repository.countRunning(executor, route.account_id)) >= PREFETCHES_MAX) {
          if (tries >= TRIES_MAX) return skip('PREFETCHES_FULL');
          const later = { key: `prefetch-after-deploy/${routeId}`, runAt: new Date(Date.now() + RETRY_MS) };
          return addJob(executor, 'prefetch-after-deploy', { ...deployed, tries: tries + 1 }, later);
        }
        await repository.noteSkipped(executor, routeId, null);
        await store(executor, route, plan, { refresh: false, version, created_by: list.updated_by });
      }),
    async takeEvents(nodeId) {
      const ends = await repository.takeEnds(db, nodeId);
      if (ends.length > 0) return ends.map((id) => event({ id, ended: true }));
      const sent = await repository.takePrefetch(db, nodeId);
      if (!sent) return [];
      const parts = partsOf(sent.urls);
      return parts.map((urls, part) => event({ ...sent, part, parts: parts.length, urls }));
    },
    record: (nodeId, reports) => repository.putReports(db, nodeId, reports),
    look: (id) =>
      runInTransaction(db, async (executor) => {
        const isRunning = await repository.judgeNodes(executor, id, {
          silentSeconds: SILENT_SECONDS,
          allSeconds: ALL_SECONDS,
        });
        if (isRunning) await lookLater(executor, id);
      }),
    forgetOld: () => repository.forgetPrefetches(db, DAYS_KEPT),
  };
}
