import type { trafficOperations } from '@cordon/contract';
import type { Handlers } from '../../platform/mount.ts';
import type { TrafficService } from './service.ts';

export const createTrafficHandlers = (traffic: TrafficService): Handlers<typeof trafficOperations> => ({
  getTrafficOverview: ({ actor, query }) => traffic.readOverview(actor.accountId, query.range, query.route_id),
  listDomainTraffic: ({ actor, query }) => traffic.listDomainTraffic(actor.accountId, query.route_ids),
  listTopDomains: ({ actor, query: { range, ...match } }) => traffic.listTopDomains(actor.accountId, range, match),
  listRecentRequests: ({ actor, query }) =>
    traffic.listRequests(actor.accountId, {
      routeId: query.route_id,
      requestId: query.request_id,
      action: query.action,
      country: query.country,
      plugin: query.plugin,
      reason: query.reason,
      status: query.status,
      limit: query.limit,
    }),
  getPluginEffects: ({ actor, query }) => traffic.readPluginEffects(actor.accountId, query.route_id),
});
