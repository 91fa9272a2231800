import { setTimeout as wait } from 'node:timers/promises';
import {
  type CacheOverview,
  type CostlyPaths,
  type CostlySort,
  DOMAIN_TRAFFIC_POINTS,
  type DomainTraffic,
  type PluginEffect,
  type TopDomains,
  type TrafficOverview,
  type TrafficRange,
} from '@cordon/contract';
import type { BusyRoute } from '@cordon/plugin-kit/server';
import type { Metric } from 'prom-client';
import type { ClickHouseClient } from '../../platform/clickhouse.ts';
import type { Db } from '../../platform/database.ts';
import { AppError, notFound } from '../../platform/errors.ts';
import { groupBy } from '../../platform/group-by.ts';
import type { Log } from '../../platform/log.ts';
import { createPromiseCache } from '../../platform/promise-cache.ts';
import {
  type Answers,
  type DomainHour,
  listErrors,
  type RouteAnswers,
  readAnswers,
  readDomainHours,
} from './answers-repository.ts';
import { createBatchCounters } from './batch-counters.ts';
import { createBatchStore, type ReportingNode } from './batch-store.ts';
import { cacheOverviewOf, cacheSummaryOf } from './cache-overview.ts';
import {
  COSTLY_ROWS_MAX,
  type DomainHits,
  readCacheRows,
  readCostlyPaths,
  readDomainHits,
} from './cache-repository.ts';
import { type Challenges, listUnmetChallenges, readChallenges, type UnmetChallenges } from './challenge-repository.ts';
import { type DomainFigures, type Figure, readDomainFigures } from './figures-repository.ts';
import { checkTables, isTableMissing } from './migration-repository.ts';
import { migrateClickHouse } from './migrations.ts';
import { type OriginTraffic, readOriginTraffic } from './origin-repository.ts';
import { isoOf, overviewOf, windowOf } from './overview.ts';
import { readOverview, readTopDomains, type TopDomainsMatch } from './overview-repository.ts';
import { readBusyRoutes } from './rate-repository.ts';
import { type RecordedRequest, readRecorded } from './recorded-repository.ts';
import * as repository from './repository.ts';
import { type LoggedRequest, listRequests, type RequestFilter } from './request-repository.ts';

export type { ReportingNode } from './batch-store.ts';
export type { Challenges } from './challenge-repository.ts';
export type { DomainFigures, Figure } from './figures-repository.ts';
export type { OriginTraffic } from './origin-repository.ts';
export type { TopDomainsMatch } from './overview-repository.ts';
export type { RecordedRequest } from './recorded-repository.ts';
export type { LoggedRequest, RequestFilter } from './request-repository.ts';

export const RETENTION_DAYS_DEFAULT = 30;
const RETRY_MS = { first: 250, most: 5_000 } as const;
/** Consoles that show the same dashboard share one reading of this age. */
const SHARED_MS = 1_000;
const SHARED_ENTRIES_MAX = 5_000;
/** Someone who turns pages reads the numbers once; of 100,000 domains they are 4 MB. */
const FIGURES_SHARED_MS = 5_000;
const FIGURES_ENTRIES_MAX = 8;

export interface TrafficOptions {
  /** Undefined: nothing is stored, and every call answers TRAFFIC_UNAVAILABLE. */
  readonly clickhouse: ClickHouseClient | undefined;
  readonly db: Db;
  readonly log: Log;
  /** Rows, and with them the roll-ups, are kept this many days (2 at least). */
  readonly retentionDays?: number | undefined;
  /** Clock in Unix milliseconds, for tests. */
  readonly now?: () => number;
  /** Age in milliseconds up to which a reading is shared; 0 in tests that write between readings. */
  readonly sharedMs?: number;
  /** How many of the newest requests to origins paths are counted from; 200,000 when left out. */
  readonly costlyRowsMax?: number;
}

export interface TrafficService {
  /** Counters of stored, repeated and dropped, to be registered where /metrics is served. */
  readonly metrics: readonly Metric[];
  /** Makes or updates the tables, again and again until ClickHouse answers. Returns at once. */
  start(): void;
  stop(): Promise<void>;
  /** For /readyz: resolves with a word when the tables answer, throws otherwise. */
  check(): Promise<string>;
  /**
   * Stores a batch of AccessLogRow lines exactly once: rows and roll-ups, whatever is retried or killed in between.
   * Resolves with the rows stored under this batch once they are on disk; the same again when it is repeated. Rows of
   * routes outside of the node's czones and lines that are no rows are dropped and counted. Throws UNAVAILABLE (send it
   * again) and PAYLOAD_TOO_LARGE (over 20,000 rows or 16 MiB).
   */
  storeAccessLog(
    node: ReportingNode,
    batch: string,
    ndjson: AsyncIterable<Uint8Array | string>,
  ): Promise<{ rows: number }>;
  /** One reading of a range. Throws NOT_FOUND for a route of another account, TRAFFIC_UNAVAILABLE while ClickHouse is down. */
  readOverview(accountId: string, range: TrafficRange, routeId?: string): Promise<TrafficOverview>;
  /**
   * Domains of which something was blocked in a range, most first; with a country, a class of status or `by`, those with
   * requests (challenged ones, or bytes) of it, most first. Throws TRAFFIC_UNAVAILABLE while ClickHouse is down.
   */
  listTopDomains(accountId: string, range: TrafficRange, match: TopDomainsMatch): Promise<TopDomains>;
  /** The last requests, newest first. Throws as readOverview does. */
  listRequests(accountId: string, filter: RequestFilter): Promise<LoggedRequest[]>;
  /**
   * The newest requests to a route that reached its plugins, of those hours, in the order of their time and some at a time. Throws
   * as readOverview does, also while it is read.
   */
  readRecorded(
    accountId: string,
    routeId: string,
    newest: { readonly hours: number; readonly limit: number },
    signal: AbortSignal,
  ): Promise<AsyncIterable<RecordedRequest[]>>;
  /** Requests that each plugin decided in the last 24 hours, most first: those of the overview of that range. Throws as it does. */
  readPluginEffects(accountId: string, routeId: string): Promise<PluginEffect[]>;
  /** What the cache did for a domain in a range. Throws as readOverview does. */
  readCacheOverview(accountId: string, range: TrafficRange, routeId: string): Promise<CacheOverview>;
  /** The paths of a domain for which its origins are asked most in a range. Throws as readOverview does. */
  listCostlyPaths(accountId: string, range: TrafficRange, routeId: string, sort: CostlySort): Promise<CostlyPaths>;
  /**
   * How the newest requests of the last minutes to each address of the route's origins went, by node. Throws as
   * readOverview does.
   */
  readOriginTraffic(accountId: string, routeId: string, minutes: number): Promise<OriginTraffic[]>;
  /**
   * The last 24 hours of domains of the account, in the order of the ids; others' are left out. Throws TRAFFIC_UNAVAILABLE while
   * ClickHouse is down.
   */
  listDomainTraffic(accountId: string, routeIds: readonly string[]): Promise<DomainTraffic[]>;
  /**
   * A number of the same hours, of every domain of the account that has one, up to 5 seconds old. Throws TRAFFIC_UNAVAILABLE while
   * ClickHouse is down.
   */
  readDomainFigures(accountId: string, figure: Figure): Promise<DomainFigures>;
  /** What visitors of a domain got in the last minutes; undefined while that cannot be told. */
  readAnswers(accountId: string, routeId: string, minutes: number): Promise<Answers | undefined>;
  /** Domains of all accounts with so many requests, so many server errors and so large a share of them; undefined likewise. */
  listErrors(
    minutes: number,
    least: { readonly requestsMin: number; readonly failedMin: number; readonly shareMin: number },
  ): Promise<RouteAnswers[] | undefined>;
  /** Challenges that a domain's visitors were shown and met in the last minutes; undefined likewise. */
  readChallenges(accountId: string, routeId: string, minutes: number): Promise<Challenges | undefined>;
  /** Domains of all accounts with so many challenges in the last minutes of which none was met; undefined likewise. */
  listUnmetChallenges(minutes: number, challengedMin: number): Promise<UnmetChallenges[] | undefined>;
  /** Domains of all accounts with so many requests a minute now that no plugin blocked; none while it cannot be told. */
  listBusyRoutes(least: number, plugin: string): Promise<BusyRoute[]>;
}

/** Start of the minute so many minutes before, in Unix seconds. */
const minuteBefore = (nowMs: number, minutes: number): number => (Math.floor(nowMs / 60_000) - minutes) * 60;

function domainTrafficOf(routeId: string, hours: readonly DomainHour[], hits: DomainHits | undefined): DomainTraffic {
  const series = Array.from({ length: DOMAIN_TRAFFIC_POINTS }, () => ({ requests: 0, blocked: 0 }));
  const sum = { requests: 0, blocked: 0, challenged: 0, passed: 0, status_5xx: 0, bytes: 0 };
  for (const { hour, requests, blocked, challenged, passed, status_5xx, bytes } of hours) {
    series[hour] = { requests, blocked };
    sum.requests += requests;
    sum.blocked += blocked;
    sum.challenged += challenged;
    sum.passed += passed;
    sum.status_5xx += status_5xx;
    sum.bytes += bytes;
  }
  return { route_id: routeId, ...sum, hit_ratio: hits?.ratio ?? null, cached: hits?.isCached ?? false, series };
}

export function createTrafficService(options: TrafficOptions): TrafficService {
  const { clickhouse, db, log, now = Date.now, sharedMs = SHARED_MS, costlyRowsMax = COSTLY_ROWS_MAX } = options;
  const retentionDays = Math.max(2, options.retentionDays ?? RETENTION_DAYS_DEFAULT);
  const counters = createBatchCounters();
  const batches = createBatchStore({ db, counters, retentionDays, now });
  const shared = createPromiseCache<unknown>({ entriesMax: SHARED_ENTRIES_MAX, ttlMs: sharedMs, now });
  const share = <Value>(key: string, load: () => Promise<Value>) => shared.get(key, load) as Promise<Value>;
  const figures = createPromiseCache<DomainFigures>({
    entriesMax: FIGURES_ENTRIES_MAX,
    ttlMs: sharedMs && FIGURES_SHARED_MS,
    now,
  });
  const stopping = new AbortController();
  let isMigrated = false;
  let migrating: Promise<void> | undefined;

  async function migrateUntilDone(): Promise<void> {
    if (!clickhouse) return;
    for (
      let pauseMs: number = RETRY_MS.first;
      !stopping.signal.aborted;
      pauseMs = Math.min(pauseMs * 2, RETRY_MS.most)
    ) {
      try {
        await migrateClickHouse(clickhouse, retentionDays);
        isMigrated = true;
        return;
      } catch (err) {
        log.warn({ err }, 'ClickHouse is not ready, trying again');
        await wait(pauseMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      }
    }
  }

  function migrate(): void {
    isMigrated = false;
    migrating ??= migrateUntilDone().finally(() => {
      migrating = undefined;
    });
  }

  /** What needs ClickHouse goes through here. Tables that are gone (a new, empty ClickHouse) are made again. */
  async function guarded<Result>(work: (store: ClickHouseClient) => Promise<Result>): Promise<Result> {
    if (!clickhouse || !isMigrated)
      throw new AppError('TRAFFIC_UNAVAILABLE', { message: 'The traffic store is not ready.' });
    try {
      return await work(clickhouse);
    } catch (error) {
      if (isTableMissing(error)) migrate();
      throw error;
    }
  }

  /** Undefined while ClickHouse is away. */
  const unlessAway = <Result>(work: (store: ClickHouseClient) => Promise<Result>): Promise<Result | undefined> =>
    guarded(work).catch((error: unknown) => {
      if (error instanceof AppError && error.code === 'TRAFFIC_UNAVAILABLE') return undefined;
      throw error;
    });

  const requireRoute = async (accountId: string, routeId: string | undefined): Promise<void> => {
    if (routeId !== undefined && !(await repository.accountHasRoute(db, accountId, routeId))) throw notFound();
  };

  const service: TrafficService = {
    metrics: counters.metrics,

    start: migrate,

    async stop() {
      stopping.abort();
      await migrating;
    },

    async check() {
      if (!clickhouse) return 'not configured';
      await guarded(checkTables);
      return 'up';
    },

    storeAccessLog: (node, batch, ndjson) =>
      guarded(async (store) => ({ rows: await batches.store(store, node, batch, ndjson) })),

    async readOverview(accountId, range, routeId) {
      await requireRoute(accountId, routeId);
      return share(`${accountId}/${routeId ?? ''}/${range}`, () =>
        guarded(async (store) => {
          const window = windowOf(range, now());
          const [rows, cacheRows] = await Promise.all([
            readOverview(store, accountId, routeId, window),
            readCacheRows(store, accountId, routeId, window),
          ]);
          const overview = overviewOf(window, rows, routeId);
          const routeIds = overview.top_domains.map((entry) => entry.route_id);
          const names = await repository.routeNames(db, accountId, routeIds);
          const named = overview.top_domains.map((entry) => ({
            ...entry,
            domain_name: names.get(entry.route_id) ?? '',
          }));
          return { ...overview, cache: cacheSummaryOf(window, cacheRows), top_domains: named };
        }),
      );
    },

    listTopDomains: (accountId, range, match) =>
      share(`${accountId}/top/${range}/${JSON.stringify(match)}`, () =>
        guarded(async (store) => {
          const rows = await readTopDomains(store, accountId, windowOf(range, now()), match);
          const routeIds = rows.map((row) => row.route_id);
          const names = await repository.routeNames(db, accountId, routeIds);
          return {
            domains: rows.map(({ domains: _all, ...row }) => ({ ...row, domain_name: names.get(row.route_id) ?? '' })),
            count: rows[0]?.domains ?? 0,
          };
        }),
      ),

    async listRequests(accountId, filter) {
      await requireRoute(accountId, filter.routeId);
      return share(`${accountId}/${JSON.stringify(filter)}`, () =>
        guarded((store) => listRequests(store, accountId, filter)),
      );
    },

    async readRecorded(accountId, routeId, { hours, limit }, signal) {
      await requireRoute(accountId, routeId);
      const since = Math.floor(now() / 1000) - hours * 3600;
      return guarded((store) => readRecorded(store, accountId, routeId, { since, limit }, signal));
    },

    async readCacheOverview(accountId, range, routeId) {
      await requireRoute(accountId, routeId);
      return share(`${accountId}/${routeId}/cache/${range}`, () =>
        guarded(async (store) => {
          const window = windowOf(range, now());
          return cacheOverviewOf(window, await readCacheRows(store, accountId, routeId, window));
        }),
      );
    },

    async listCostlyPaths(accountId, range, routeId, sort) {
      await requireRoute(accountId, routeId);
      return share(`${accountId}/${routeId}/costly/${range}/${sort}`, () =>
        guarded(async (store) => {
          const window = windowOf(range, now());
          const { start, paths } = await readCostlyPaths(store, accountId, routeId, window, sort, costlyRowsMax);
          return { from: isoOf(start), to: new Date(window.to).toISOString(), paths };
        }),
      );
    },

    readOriginTraffic: (accountId, routeId, minutes) =>
      share(`${accountId}/${routeId}/origins/${minutes}`, () =>
        guarded((store) => readOriginTraffic(store, accountId, routeId, Math.floor(now() / 1000) - minutes * 60)),
      ),

    async listDomainTraffic(accountId, askedIds) {
      // PostgreSQL takes and answers uuids in either case, and answers them in lower case.
      const routeIds = [...new Set(askedIds.map((id) => id.toLowerCase()))];
      const ids = [...(await repository.routeNames(db, accountId, routeIds)).keys()];
      const own = new Set(ids);
      const { hours, hits } = await share(`${accountId}/hours/${[...routeIds].sort().join()}`, () =>
        guarded(async (store) => {
          if (ids.length === 0) return { hours: [], hits: new Map<string, DomainHits>() };
          const [hours, hits] = await Promise.all([
            readDomainHours(store, accountId, ids, now() / 1000),
            readDomainHits(store, accountId, ids, now() / 1000),
          ]);
          return { hours, hits };
        }),
      );
      const byRoute = groupBy(hours, ({ id }) => id);
      return routeIds.filter((id) => own.has(id)).map((id) => domainTrafficOf(id, byRoute.get(id) ?? [], hits.get(id)));
    },

    readDomainFigures: (accountId, figure) =>
      figures.get(`${accountId}/${figure}`, () =>
        guarded((store) => readDomainFigures(store, accountId, figure, now() / 1000)),
      ),

    readAnswers: (accountId, routeId, minutes) =>
      unlessAway((store) => readAnswers(store, accountId, routeId, minuteBefore(now(), minutes))),

    listErrors: (minutes, least) => unlessAway((store) => listErrors(store, minuteBefore(now(), minutes), least)),

    readChallenges: (accountId, routeId, minutes) =>
      unlessAway((store) => readChallenges(store, accountId, routeId, minuteBefore(now(), minutes))),

    listUnmetChallenges: (minutes, challengedMin) =>
      unlessAway((store) => listUnmetChallenges(store, minuteBefore(now(), minutes), challengedMin)),

    listBusyRoutes: async (least, plugin) =>
      (await unlessAway((store) => readBusyRoutes(store, now() / 1000, least, plugin))) ?? [],

    readPluginEffects: async (accountId, routeId) => (await service.readOverview(accountId, '24h', routeId)).plugins,
  };
  return service;
}
