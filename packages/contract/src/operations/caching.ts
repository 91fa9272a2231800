import { z } from 'zod';
import { TASK_CLEARS_MAX } from '../cache-targets.ts';
import { cacheOverview, costlyPaths, costlySort } from '../entities/cache-figures.ts';
import {
  cacheClear,
  checkClearValues,
  clearRequest,
  DEVELOPMENT_SECONDS,
  developmentMode,
  task,
  taskKind,
} from '../entities/caching.ts';
import {
  prefetch,
  prefetchList,
  prefetchListRequest,
  prefetchRequest,
  prefetchSummary,
} from '../entities/prefetches.ts';
import { routeId } from '../entities/routes.ts';
import { trafficRange } from '../entities/traffic.ts';
import { clearKind } from '../enumerations.ts';
import { defineOperations, done, listOf, pageQuery, resultOf } from '../operation.ts';
import { rates } from '../rates.ts';
import { bulkDigest, routeSelection } from './domains.ts';

const path = 'domain/routes/{id}/clear-cache/';
const developmentPath = 'domain/routes/{id}/development-mode/';
const base = { auth: 'user', roles: ['user'] } as const;
const clearResult = z.object({ success: z.literal(true), clear: cacheClear });
/** 500 URLs of a kilobyte. */
const CLEAR_BODY_BYTES_MAX = 512 * 1024;
const TASK_DOMAINS_MAX = 1000;
const prefetches = 'domain/routes/{id}/prefetch/';
const prefetchParams = z.object({ id: routeId, prefetch_id: z.uuid().describe('Id of a prefetch.') });

/** What the edge stores of domains: its figures, clearing it at once, and tasks for later (spec section 4). */
export const cachingOperations = defineOperations({
  clearCache: {
    ...base,
    method: 'POST',
    path,
    summary:
      'Clear the cache of a domain on all nodes; answers when all live nodes have, after 2 s at most: the others go on',
    scope: 'domains:write',
    narrowScope: 'cache:clear',
    rate: rates.cacheClears,
    itemRate: { field: 'values', rate: rates.cacheClearValues },
    params: z.object({ id: routeId }),
    bodyBytesMax: CLEAR_BODY_BYTES_MAX,
    body: clearRequest,
    ok: clearResult,
  },
  listCacheClears: {
    ...base,
    method: 'GET',
    path,
    summary: "Clears of a domain's cache, the newest first; kept for 30 days",
    scope: 'domains:read',
    narrowScope: 'cache:clear',
    rate: 'none',
    params: z.object({ id: routeId }),
    query: pageQuery,
    ok: listOf(cacheClear),
  },
  getCacheClear: {
    ...base,
    method: 'GET',
    path: `${path}{clear_id}/`,
    summary: 'How far a clear is on each node',
    scope: 'domains:read',
    narrowScope: 'cache:clear',
    rate: 'none',
    params: z.object({ id: routeId, clear_id: z.uuid() }),
    ok: clearResult,
  },
  getDevelopmentMode: {
    ...base,
    method: 'GET',
    path: developmentPath,
    summary: 'Whether a domain is in development mode, and until when: all of its requests pass by the cache meanwhile',
    scope: 'domains:read',
    rate: 'none',
    params: z.object({ id: routeId }),
    ok: resultOf(developmentMode),
  },
  startDevelopmentMode: {
    ...base,
    method: 'PUT',
    path: developmentPath,
    summary:
      'Have all requests of a domain pass by the cache for a while, on all nodes within a second; again to change how long. What is stored stays, and serves afterwards',
    scope: 'domains:write',
    rate: rates.domainWrites,
    params: z.object({ id: routeId }),
    body: z
      .strictObject({
        seconds: z
          .number()
          .int()
          .min(DEVELOPMENT_SECONDS.min)
          .max(DEVELOPMENT_SECONDS.max)
          .default(DEVELOPMENT_SECONDS.default)
          .describe('From now on: 10 minutes to 24 hours.'),
      })
      .meta({ examples: [{ seconds: DEVELOPMENT_SECONDS.default }] }),
    ok: resultOf(developmentMode),
  },
  endDevelopmentMode: {
    ...base,
    method: 'DELETE',
    path: developmentPath,
    summary: 'End the development mode of a domain at once: what is stored serves again',
    scope: 'domains:write',
    rate: rates.domainWrites,
    params: z.object({ id: routeId }),
    ok: resultOf(z.object({ ended: z.boolean().describe('False: it was not on.') })),
  },
  getCacheOverview: {
    ...base,
    method: 'GET',
    path: 'domain/routes/{id}/cache/overview/',
    summary: 'What became of requests in the cache of a domain, its hit ratio and the bytes that it saved, in a range',
    scope: 'traffic:read',
    rate: 'none',
    params: z.object({ id: routeId }),
    query: z.strictObject({ range: trafficRange.default('24h') }),
    ok: resultOf(cacheOverview),
  },
  listCostlyPaths: {
    ...base,
    method: 'GET',
    path: 'domain/routes/{id}/cache/costly-paths/',
    summary:
      'The 20 paths for which the origins of a domain are asked most, and why they are not served from the cache',
    scope: 'traffic:read',
    rate: 'none',
    params: z.object({ id: routeId }),
    query: z.strictObject({ range: trafficRange.default('24h'), sort: costlySort.default('bytes') }),
    ok: resultOf(costlyPaths),
  },
  startPrefetch: {
    ...base,
    method: 'POST',
    path: prefetches,
    summary: 'Have all live nodes fetch URLs of a domain into their caches; answers at once, and goes on by itself',
    scope: 'domains:write',
    narrowScope: 'cache:prefetch',
    once: true,
    rate: rates.prefetches,
    params: z.object({ id: routeId }),
    bodyBytesMax: CLEAR_BODY_BYTES_MAX,
    body: prefetchRequest,
    ok: resultOf(prefetch),
    status: 202,
  },
  listPrefetches: {
    ...base,
    method: 'GET',
    path: prefetches,
    summary: 'Prefetches of a domain, the newest first; kept for 30 days',
    scope: 'domains:read',
    narrowScope: 'cache:prefetch',
    rate: 'none',
    params: z.object({ id: routeId }),
    query: pageQuery,
    ok: listOf(prefetchSummary),
  },
  getPrefetch: {
    ...base,
    method: 'GET',
    path: `${prefetches}{prefetch_id}/`,
    summary: 'How far a prefetch is on each node, and what was not kept',
    scope: 'domains:read',
    narrowScope: 'cache:prefetch',
    rate: 'none',
    params: prefetchParams,
    ok: resultOf(prefetch),
  },
  cancelPrefetch: {
    ...base,
    method: 'DELETE',
    path: `${prefetches}{prefetch_id}/`,
    summary: 'Cancel a prefetch: nodes finish what they are asking for; one that is over stays as it is',
    scope: 'domains:write',
    narrowScope: 'cache:prefetch',
    rate: rates.prefetches,
    params: prefetchParams,
    ok: resultOf(prefetch),
  },
  getPrefetchList: {
    ...base,
    method: 'GET',
    path: 'domain/routes/{id}/prefetch-list/',
    summary: 'The URLs of a domain that are fetched into the caches of nodes after each deploy',
    scope: 'domains:read',
    rate: 'none',
    params: z.object({ id: routeId }),
    ok: resultOf(prefetchList),
  },
  updatePrefetchList: {
    ...base,
    method: 'PUT',
    path: 'domain/routes/{id}/prefetch-list/',
    summary: 'Set these URLs, all at once, and whether they are fetched after each deploy',
    scope: 'domains:write',
    rate: rates.prefetches,
    params: z.object({ id: routeId }),
    bodyBytesMax: CLEAR_BODY_BYTES_MAX,
    body: prefetchListRequest,
    ok: resultOf(prefetchList),
  },
  listTasks: {
    ...base,
    method: 'GET',
    path: 'domain/run/tasks/',
    summary:
      'Tasks that are scheduled, the next one first, that run, and scheduled ones that have ended within 7 days (50 of them, failed ones first); of one domain those that are scheduled',
    scope: 'domains:read',
    narrowScope: 'cache:clear',
    rate: 'none',
    query: z.strictObject({ route_id: routeId.optional().describe('Id of a domain: only tasks that it is one of.') }),
    ok: z.object({ success: z.literal(true), results: z.array(task) }),
  },
  runTask: {
    ...base,
    method: 'POST',
    path: 'domain/run/tasks/',
    summary: 'Do something to many domains: now, as a batch, or at a time',
    scope: 'domains:write',
    narrowScope: 'cache:clear',
    filterScope: 'domains:read',
    once: true,
    rate: rates.bulkStarts,
    itemRate: { field: 'values', rate: rates.cacheClearValues },
    bodyBytesMax: CLEAR_BODY_BYTES_MAX,
    body: z
      .strictObject({
        kind: taskKind,
        route_ids: z.array(routeId).min(1).max(TASK_DOMAINS_MAX).optional().describe('Ids of domains.'),
        selection: routeSelection
          .optional()
          .describe('Or by name or filter, as they are at the call; exactly one of the two.'),
        digest: bulkDigest,
        at: z.iso.datetime({ offset: true }).optional().describe('At most 30 days ahead; now where it is left out.'),
        clear_kind: clearKind.default('all'),
        values: clearRequest.shape.values.describe(
          `As of a clear of one domain, where it is one. Of several, URLs and prefixes are paths, which hold on each. Each counts once for each domain: at most ${TASK_CLEARS_MAX} together.`,
        ),
        soft: clearRequest.shape.soft,
      })
      .refine(({ route_ids, selection }) => (route_ids === undefined) !== (selection === undefined), {
        path: ['selection'],
        error: 'SELECTION_REQUIRED',
      })
      .superRefine(({ clear_kind, values }, ctx) => checkClearValues(clear_kind, values, ctx)),
    ok: resultOf(task),
    status: 202,
  },
  cancelTask: {
    ...base,
    method: 'DELETE',
    path: 'domain/run/tasks/{id}/',
    summary: 'Cancel a task that has not begun; once it runs it is not found',
    scope: 'domains:write',
    narrowScope: 'cache:clear',
    once: true,
    // Beside what is started: all that wait can be cancelled at once.
    rate: rates.domainWrites,
    params: z.object({ id: z.uuid().describe('Id of a task.') }),
    ok: done,
  },
});
