import type { cachingOperations } from '@cordon/contract';
import type { Handlers } from '../../platform/mount.ts';
import type { TrafficService } from '../traffic/service.ts';
import type { ClearService } from './clear-service.ts';
import type { DevelopmentService } from './development-service.ts';
import type { PrefetchService } from './prefetch-service.ts';
import type { TaskService } from './task-service.ts';

export const createCachingHandlers = (
  clears: ClearService,
  development: DevelopmentService,
  tasks: TaskService,
  prefetches: PrefetchService,
  traffic: Pick<TrafficService, 'readCacheOverview' | 'listCostlyPaths'>,
): Handlers<typeof cachingOperations> => ({
  clearCache: async ({ actor, params, body, reply }) => ({
    clear: await clears.clear(actor, params.id, body, reply.elapsedTime),
  }),
  listCacheClears: ({ actor, params, page }) => clears.list(actor.accountId, params.id, page),
  getCacheClear: async ({ actor, params }) => ({
    clear: await clears.get(actor.accountId, params.id, params.clear_id),
  }),
  getDevelopmentMode: ({ actor, params }) => development.get(actor.accountId, params.id),
  startDevelopmentMode: ({ actor, params, body }) => development.start(actor, params.id, body.seconds),
  endDevelopmentMode: async ({ actor, params }) => ({ ended: await development.end(actor, params.id) }),
  getCacheOverview: ({ actor, params, query }) => traffic.readCacheOverview(actor.accountId, query.range, params.id),
  listCostlyPaths: ({ actor, params, query }) =>
    traffic.listCostlyPaths(actor.accountId, query.range, params.id, query.sort),
  startPrefetch: ({ actor, params, body }) => prefetches.start(actor, params.id, body),
  listPrefetches: ({ actor, params, page }) => prefetches.list(actor.accountId, params.id, page),
  getPrefetch: ({ actor, params }) => prefetches.get(actor.accountId, params.id, params.prefetch_id),
  cancelPrefetch: ({ actor, params }) => prefetches.cancel(actor, params.id, params.prefetch_id),
  getPrefetchList: ({ actor, params }) => prefetches.getList(actor.accountId, params.id),
  updatePrefetchList: ({ actor, params, body }) => prefetches.setList(actor, params.id, body),
  listTasks: async ({ actor, query }) => ({ results: await tasks.list(actor.accountId, query.route_id) }),
  runTask: ({ actor, body }) => tasks.start(actor, body),
  cancelTask: ({ actor, params }) => tasks.cancel(actor, params.id),
});
