import { z } from 'zod';
import { batch } from '../entities/batches.ts';
import { routeFilter } from '../entities/domains.ts';
import { defineOperations, resultOf } from '../operation.ts';
import { namedOrFiltered } from './rules.ts';

/** What can be done to many domains at once. */
export const bulkAction = z.enum(['deploy', 'deactivate', 'delete', 'move_group']);
export type BulkAction = z.infer<typeof bulkAction>;

/**
 * Which domains: by name, bounded by the specification's 1800 characters (section 5), or all that match a filter, which
 * is not bounded.
 */
const routeSelection = z
  .strictObject({
    names: namedOrFiltered.names.optional(),
    filter: routeFilter.optional().describe('All that match; an empty filter is every domain.'),
  })
  .refine(({ names, filter }) => (names === undefined) !== (filter === undefined), { error: 'SELECTION_REQUIRED' })
  .describe('Exactly one of the two.');
export type RouteSelection = z.input<typeof routeSelection>;

export const bulkOperations = defineOperations({
  bulkRoutes: {
    method: 'POST',
    path: 'domain/routes/bulk/',
    summary: 'Do one thing to many domains; answers the batch that does it',
    auth: 'user',
    roles: ['user'],
    scope: 'domains:write',
    body: z
      .strictObject({
        action: bulkAction,
        selection: routeSelection,
        cname: z.string().min(1).max(255).optional().describe('Only domains of this subscription; others fail.'),
        group_id: z.uuid().optional().describe('Where `move_group` moves them.'),
        note: z.string().max(500).default('').describe('Why, for whoever reads the history. Of `deploy`.'),
      })
      .refine(({ action, group_id }) => action !== 'move_group' || group_id !== undefined, {
        path: ['group_id'],
        error: 'REQUIRED',
      }),
    ok: resultOf(batch),
    status: 202,
  },
  exportRoutes: {
    method: 'GET',
    path: 'domain/routes/export/',
    summary: 'The list of domains as CSV, by name, all pages of it',
    auth: 'user',
    roles: ['user'],
    scope: 'domains:read',
    query: routeFilter,
    streams: 'text/csv',
    ok: z.string(),
  },
});
