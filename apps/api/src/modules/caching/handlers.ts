import type { cachingOperations } from '@cordon/contract';
import type { Handlers } from '../../platform/mount.ts';
import type { TrafficService } from '../traffic/service.ts';
import type { ClearService } from './clear-service.ts';
import type { DevelopmentService } from './development-service.ts';
import type { TaskService } from './task-service.ts';

export const createCachingHandlers = (
  clears: ClearService,
  development: DevelopmentService,
  tasks: TaskService,
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
  listTasks: async ({ actor, query }) => ({ results: await tasks.list(actor.accountId, query.route_id) }),
  runTask: ({ actor, body }) => tasks.start(actor, body),
  cancelTask: ({ actor, params }) => tasks.cancel(actor, params.id),
});
