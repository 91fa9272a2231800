import type { Operations } from '@cordon/contract';
import type { Handlers } from '../../platform/mount.ts';
import type { TrafficService } from './service.ts';

type TrafficOperations = Pick<Operations, 'getTrafficOverview' | 'listRecentRequests' | 'getPluginEffects'>;

export const trafficHandlers = (traffic: TrafficService): Handlers<TrafficOperations> => ({
  getTrafficOverview: async ({ principal, query }) => ({
    success: true,
    result: await traffic.readOverview(principal.account_id, query.range, query.route_id),
  }),
  listRecentRequests: async ({ principal, query }) => ({
    success: true,
    result: await traffic.listRequests(principal.account_id, {
      routeId: query.route_id,
      requestId: query.request_id,
      action: query.action,
      limit: query.limit,
    }),
  }),
  getPluginEffects: async ({ principal, query }) => ({
    success: true,
    result: await traffic.readPluginEffects(principal.account_id, query.route_id),
  }),
});
