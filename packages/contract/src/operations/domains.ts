import { z } from 'zod';
import { domainName } from '../domain-name.ts';
import { batch } from '../entities/batches.ts';
import {
  bulkPreview,
  namedOrFiltered,
  route,
  routeFilter,
  routeSort,
  routeSummary,
  savedRoute,
  TRAFFIC_SORTS,
} from '../entities/domains.ts';
import { pluginEntry, routeId, upstreamsChange } from '../entities/routes.ts';
import { trafficAction, wildcardLevels } from '../enumerations.ts';
import { CONFIG_BODY_BYTES_MAX, defineOperations, listOf, pageQuery, resultOf } from '../operation.ts';
import { rates } from '../rates.ts';
import { text } from '../text.ts';

const idParams = z.object({ id: routeId });
const subscriptionCname = text(255).min(1).describe('Which subscription; a mismatch is 404.');
const note = text(500, { seen: true }).default('').describe('Why, for the history.');

/** What can be done to many domains at once. */
const bulkAction = z.enum(['deploy', 'resume', 'deactivate', 'delete', 'move_group', 'clear_cache']);
export type BulkAction = z.infer<typeof bulkAction>;

/**
 * Which domains: by name, bounded by the specification's 1800 characters (section 5), or all that match a filter, which
 * is not bounded.
 */
export const routeSelection = z
  .strictObject({
    names: namedOrFiltered.names.optional(),
    filter: routeFilter.optional().describe('All that match; an empty filter is every domain.'),
  })
  .refine(({ names, filter }) => (names === undefined) !== (filter === undefined), { error: 'SELECTION_REQUIRED' })
  .describe('Exactly one of the two.');
export type RouteSelection = z.input<typeof routeSelection>;

/** Holds what is confirmed to what was shown. */
export const bulkDigest = text(64)
  .optional()
  .describe('Of the preview: refused as `selection: SELECTION_CHANGED` where that would be another one now.');

/** What is done to which domains. */
const bulkTask = {
  action: bulkAction,
  selection: routeSelection,
  cname: text(255).min(1).optional().describe('Only domains of this subscription; others fail.'),
  group_id: z
    .uuid()
    .optional()
    .describe('Where `move_group` moves them; a preview without it has where each of them is, none of them left out.'),
};
const needsGroup = ({ action, group_id }: { action: BulkAction; group_id?: string | undefined }) =>
  action !== 'move_group' || group_id !== undefined;
const groupMissing = { path: ['group_id'], error: 'REQUIRED' };

export const domainOperations = defineOperations({
  listRoutes: {
    method: 'GET',
    path: 'domain/routes/',
    summary: 'List domains',
    auth: 'user',
    roles: ['user'],
    scope: 'domains:read',
    // The order tells who has more of them.
    scopeByQuery: { field: 'sort', values: TRAFFIC_SORTS, scope: 'traffic:read' },
    rate: 'none',
    query: pageQuery.extend({ ...routeFilter.shape, sort: routeSort.optional() }),
    ok: listOf(routeSummary),
  },
  createRoute: {
    method: 'POST',
    path: 'domain/routes/',
    summary: 'Add a domain; nothing is live until it is deployed',
    auth: 'user',
    roles: ['user'],
    scope: 'domains:write',
    once: true,
    rate: rates.domainWrites,
    bodyBytesMax: CONFIG_BODY_BYTES_MAX,
    body: z
      .strictObject({
        cname: subscriptionCname,
        domain_name: domainName,
        traffic_action: trafficAction.default('upstream'),
        wildcard_levels: wildcardLevels.optional(),
        upstreams: upstreamsChange.optional().describe('Left out only where visitors are redirected.'),
        plugins: z.array(pluginEntry).max(32).default([]),
        remarks: text(1000, { seen: true }).default(''),
        deploy: z.boolean().default(false).describe('Also deploy version 1.'),
        note: note.describe('Why, for the history. Of version 1, so of `deploy` only.'),
      })
      .refine(({ upstreams, traffic_action }) => upstreams !== undefined || traffic_action === 'redirect', {
        path: ['upstreams'],
        error: 'REQUIRED',
        // Reported together with what else is missing.
        when: ({ value }) => typeof value === 'object' && value !== null,
      }),
    ok: resultOf(route),
    status: 201,
  },
  getRoute: {
    method: 'GET',
    path: 'domain/routes/{id}/',
    summary: 'One domain with its draft and what is live',
    auth: 'user',
    roles: ['user'],
    scope: 'domains:read',
    rate: 'none',
    params: idParams,
    ok: resultOf(route),
  },
  updateRoute: {
    method: 'PATCH',
    path: 'domain/routes/{id}/',
    summary: 'Change the draft, and deploy it if asked',
    auth: 'user',
    roles: ['user'],
    scope: 'domains:write',
    rate: rates.domainWrites,
    params: idParams,
    ifMatch: true,
    bodyBytesMax: CONFIG_BODY_BYTES_MAX,
    body: z.strictObject({
      traffic_action: trafficAction.optional(),
      wildcard_levels: wildcardLevels.optional(),
      upstreams: upstreamsChange.optional(),
      plugins: z
        .array(pluginEntry)
        .max(32)
        .optional()
        .describe('Given plugins replace those of the same name; others stay.'),
      remarks: text(1000, { seen: true }).optional(),
      deploy: z.boolean().default(false),
      note,
    }),
    ok: resultOf(route),
    okMinimal: resultOf(savedRoute),
  },
  deleteRoute: {
    method: 'DELETE',
    path: 'domain/routes/{id}/',
    summary: 'Take a domain off the edge and delete it; tasks that are scheduled go on without it',
    auth: 'user',
    roles: ['user'],
    scope: 'domains:write',
    once: true,
    rate: rates.domainWrites,
    params: idParams,
    body: z.strictObject({
      cname: subscriptionCname,
      confirm: text(253).optional().describe('The name typed again; checked when given.'),
    }),
    ok: resultOf(routeSummary),
    status: 202,
  },
  bulkRoutes: {
    method: 'POST',
    path: 'domain/routes/bulk/',
    summary: 'Do one thing to many domains; what has nothing to do is left out. Answers the batch that does it',
    auth: 'user',
    roles: ['user'],
    scope: 'domains:write',
    once: true,
    rate: rates.bulkStarts,
    body: z
      .strictObject({
        ...bulkTask,
        note: note.describe('Why, for the history. Of `deploy`.'),
        soft: z
          .boolean()
          .default(false)
          .describe(
            'Of `clear_cache`, which clears everything here (parts: `domain/run/tasks/`): what is stored serves while it is asked for anew.',
          ),
        digest: bulkDigest,
      })
      .refine(needsGroup, groupMissing),
    ok: resultOf(batch),
    status: 202,
  },
  previewBulk: {
    method: 'POST',
    path: 'domain/routes/bulk/preview/',
    summary: 'What doing one thing to many domains would do to each; changes nothing',
    auth: 'user',
    roles: ['user'],
    scope: 'domains:read',
    rate: rates.bulkPreviews,
    body: z.strictObject(bulkTask),
    ok: resultOf(bulkPreview),
  },
  exportRoutes: {
    method: 'GET',
    path: 'domain/routes/export/',
    summary: 'The list of domains as CSV, by name, all pages of it',
    auth: 'user',
    roles: ['user'],
    scope: 'domains:read',
    rate: rates.exports,
    query: routeFilter,
    streams: 'text/csv',
    ok: z.string(),
  },
});
