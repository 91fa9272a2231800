import { z } from 'zod';
import { ACCESS_LOG_ENTRIES, PAGE_SIZE_MAX } from '../constants.ts';
import { routeId } from '../entities/routes.ts';
import {
  domainTraffic,
  loggedRequest,
  pluginEffect,
  statusClass,
  topDomains,
  trafficOverview,
  trafficRange,
} from '../entities/traffic.ts';
import { defineOperations, resultOf } from '../operation.ts';
import { text } from '../text.ts';

/** UUIDs with a comma each. */
const ROUTE_IDS_CHARACTERS_MAX = 37 * PAGE_SIZE_MAX;

const filter = {
  route_id: z.uuid().optional().describe('Only this domain; all domains of the account when left out.'),
};

/** No index holds countries, reasons and statuses together: one of them is asked for. */
const matches = {
  country: text(2).optional().describe('Only requests from this country; empty for those of an unknown one.'),
  plugin: text(64)
    .optional()
    .describe('With `reason`: only what this plugin decided for it; empty for the edge itself. Not with `country`.'),
  reason: text(64).optional().describe('With `plugin`.'),
  status: statusClass.optional().describe('Only requests answered so. Not with `country` or `plugin`.'),
};
interface Matches {
  readonly country?: string | undefined;
  readonly plugin?: string | undefined;
  readonly reason?: string | undefined;
  readonly status?: string | undefined;
  readonly by?: string | undefined;
}
const isOneMatch = ({ country, plugin, reason, status, by }: Matches) =>
  (plugin === undefined) === (reason === undefined) &&
  [country, plugin, status, by === 'challenged' && plugin !== undefined ? undefined : by].filter(
    (one) => one !== undefined,
  ).length <= 1;

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
  listDomainTraffic: {
    method: 'GET',
    path: 'stats/domains/',
    summary: 'The last 24 hours of some domains, each with a point per hour',
    auth: 'user',
    roles: ['user'],
    scope: 'traffic:read',
    rate: 'none',
    query: z.strictObject({
      route_ids: text(ROUTE_IDS_CHARACTERS_MAX)
        .min(1)
        .transform((ids) => ids.split(','))
        .pipe(z.array(routeId).max(PAGE_SIZE_MAX))
        .describe('Ids of domains, separated by commas; at most 100. Ids that are not yours are left out.'),
    }),
    ok: resultOf(z.array(domainTraffic).describe('In the order of `route_ids`; a domain without requests has zeros.')),
  },
  listTopDomains: {
    method: 'GET',
    path: 'stats/top/',
    summary: 'The 100 domains with most blocked requests, requests or bytes in a range',
    auth: 'user',
    roles: ['user'],
    scope: 'traffic:read',
    rate: 'none',
    query: z
      .strictObject({
        range: trafficRange.default('15m'),
        ...matches,
        by: z
          .enum(['requests', 'bytes', 'challenged'])
          .optional()
          .describe(
            'What the domains are ordered by instead of blocked requests. Not with another condition, but that `challenged` may have a `plugin` and `reason`.',
          ),
      })
      .refine(isOneMatch, { error: 'INVALID', path: ['plugin'] }),
    ok: resultOf(topDomains),
  },
  listRecentRequests: {
    method: 'GET',
    path: 'stats/requests/',
    summary: 'The last requests, newest first',
    auth: 'user',
    roles: ['user'],
    scope: 'traffic:read',
    rate: 'none',
    query: z
      .strictObject({
        ...filter,
        ...matches,
        action: z
          .enum(['block', 'challenge', 'all'])
          .default('all')
          .describe('`challenge`: without those that only had to wait, unless `plugin` asks for them.'),
        limit: z.coerce.number().int().min(1).max(ACCESS_LOG_ENTRIES).default(ACCESS_LOG_ENTRIES),
        request_id: text(64).optional(),
      })
      .refine(isOneMatch, { error: 'INVALID', path: ['plugin'] })
      // No roll-up holds both.
      .refine(({ action, status }) => action === 'all' || status === undefined, { error: 'INVALID', path: ['status'] }),
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
    ok: resultOf(z.array(pluginEffect)),
  },
});
