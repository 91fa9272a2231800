import { z } from 'zod';
import { ACCESS_LOG_ENTRIES } from '../constants.ts';
import { loggedRequest, trafficOverview, trafficRange } from '../entities/traffic.ts';
import { defineOperations, resultOf } from '../operation.ts';
import { text } from '../text.ts';

const filter = {
  route_id: z.uuid().optional().describe('Only this domain; all domains of the account when left out.'),
};

export const trafficOperations = defineOperations({
  getTrafficOverview: {
    method: 'GET',
    path: 'stats/overview/',
    summary: 'Requests, bytes, status classes, blocks, countries and top domains of a range',
    auth: 'user',
    roles: ['user'],
    scope: 'traffic:read',
    rate: 'none',
    query: z.strictObject({ range: trafficRange.default('15m'), ...filter }),
    ok: resultOf(trafficOverview),
  },
  listRecentRequests: {
    method: 'GET',
    path: 'stats/requests/',
    summary: 'The last requests, newest first',
    auth: 'user',
    roles: ['user'],
    scope: 'traffic:read',
    rate: 'none',
    query: z.strictObject({
      ...filter,
      action: z.enum(['block', 'all']).default('all'),
      limit: z.coerce.number().int().min(1).max(ACCESS_LOG_ENTRIES).default(ACCESS_LOG_ENTRIES),
      request_id: text(64).optional(),
    }),
    ok: resultOf(z.array(loggedRequest)),
  },
  getPluginEffects: {
    method: 'GET',
    path: 'stats/plugins/',
    summary: 'How many requests each plugin decided in the last 24 hours',
    auth: 'user',
    roles: ['user'],
    scope: 'traffic:read',
    rate: 'none',
    query: z.strictObject({ route_id: z.uuid() }),
    ok: resultOf(z.array(z.object({ plugin: z.string(), requests: z.number().int() }))),
  },
});
