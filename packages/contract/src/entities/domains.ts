import { z } from 'zod';
import { DOMAIN_NAME_CHARACTERS_MAX, DOMAIN_SELECTION_CHARACTERS_MAX } from '../constants.ts';
import { domainStatus, trafficAction } from '../enumerations.ts';
import { text } from '../text.ts';
import { diagnosisFindings, health } from './diagnosis.ts';
import { ownership } from './names.ts';
import { immediateOperation, pause, runningOperation, suspension, versionSummary } from './publishing.ts';
import { pluginEntry, revision, routeConfig, routeId, timestamp } from './routes.ts';

/** What narrows the list of domains down; the same for the list, its CSV file and a selection of all that match. */
export const routeFilter = z.strictObject({
  q: text(253)
    .optional()
    .describe(
      'Part of a name, shadow domain, remark, upstream target or CNAME. A dot at its end is the end of a label (`site1.`) or of a whole name.',
    ),
  health: z
    .enum(['attention', 'off'])
    .optional()
    .describe('Only domains whose health has an error or a warning, or that are off.'),
  changes: z
    .enum(['pending'])
    .optional()
    .describe('Only domains with changes that are not live yet, or never deployed.'),
  batch: z.uuid().optional().describe('Only domains that this batch has changed; with `changes`, not live since.'),
  domain_name: text(253).optional().describe('Exactly this name.'),
  status: domainStatus.exclude(['deleted']).optional(),
  cname: text(255).min(1).optional().describe('Domains of this subscription.'),
  group: z.uuid().optional().describe('Domains of this group.'),
  without: routeId.optional().describe('All but this domain.'),
});
export type RouteFilter = z.input<typeof routeFilter>;

/** Orders of the list by numbers of visitors' requests. */
export const TRAFFIC_SORTS = ['requests', '-requests', 'blocked', '-blocked', 'hit_ratio', '-hit_ratio'] as const;
export const routeSort = z
  .enum([
    'domain_name',
    '-domain_name',
    'last_deployed',
    '-last_deployed',
    'created_at',
    '-created_at',
    ...TRAFFIC_SORTS,
    'health',
  ])
  .describe(
    'Names in the order of what people read; a minus turns it round. `health`: errors, warnings, all others, each by name. `requests`, `blocked`: of the last 24 hours as `stats/domains/` counts them, up to 5 seconds old; the same number, and none, by name. `hit_ratio`: of the same hours, the same ratio by name; domains that have none come last in both directions. `TRAFFIC_UNAVAILABLE` while the traffic store does not answer, for each of these. Default: `health` for those that need attention, else `domain_name`.',
  );
export type RouteSort = z.infer<typeof routeSort>;

/** Row of the domain list. */
export const routeSummary = z.object({
  id: routeId,
  domain_name: z.string(),
  domain_name_unicode: z.string().describe('As people read it.'),
  cname: z.string().describe('The exclusive CNAME that the name points at.'),
  subscription_cname: z.string(),
  status: domainStatus,
  last_deployed: timestamp.nullable(),
  version_live: z.number().int().nullable(),
  pending_changes: z
    .number()
    .int()
    .describe('Settings of the draft that differ from the live version; all of one plugin are one.'),
  traffic_action: trafficAction,
  upstream_summary: z.string().describe('First targets, for the eye.'),
  ownership_state: z.enum(['pending', 'verified']),
  group_id: z.uuid().nullable(),
  remarks: z.string(),
  operation: runningOperation.nullable(),
  suspension: suspension.nullable().describe('Null while it is not suspended; whatever `status` says otherwise.'),
  is_paused: z.boolean().describe('Whether all protection is off for the moment.'),
  development_ends_at: timestamp.nullable().describe('When its development mode ends; null while it is off.'),
  certificate_expires_at: timestamp.nullable().describe('Of the certificate that visitors are shown; null: none yet.'),
  certificate_finding: z
    .enum(diagnosisFindings.certificate)
    .nullable()
    .describe('What is known of that certificate, as a diagnosis says it; null while the domain is not served.'),
  health,
  created_at: timestamp,
  updated_at: timestamp,
});
export type RouteSummary = z.infer<typeof routeSummary>;

/** One domain with its draft. Spec section 3, "Domain route". */
export const route = routeSummary.extend({
  shadow_domains: z.array(z.string()).describe('Served like the main one.'),
  immediate_operation: immediateOperation
    .nullable()
    .describe('The newest change that took effect without a version: of shadow domains, or a pause.'),
  paused: pause.nullable(),
  draft: routeConfig,
  draft_revision: revision,
  draft_updated_at: timestamp,
  draft_updated_by: z.string().nullable().describe('E-mail of who changed the draft last.'),
  live: routeConfig.nullable().describe('Configuration of the live version.'),
  live_version: versionSummary.nullable().describe('Who deployed the live version, when and why.'),
  ownership,
  ssl_config: z.object({ certificate_id: z.uuid().nullable(), force_https: z.boolean() }),
  auto_generate_cert: z.boolean(),
  ipv6: z.boolean().describe('Whether the names of the subscription answer AAAA.'),
});
export type Route = z.infer<typeof route>;

/** A saved domain without what the caller knows. */
export const savedRoute = route.extend({
  draft: routeConfig.extend({
    plugins: z.array(
      pluginEntry.extend({
        config: pluginEntry.shape.config
          .optional()
          .describe('Left out: as it was sent, or, of a plugin that was not, as in the revision that was changed.'),
      }),
    ),
  }),
  live: route.shape.live.optional().describe('Left out: as it is for everybody who knows `version_live`.'),
});
export type SavedRoute = z.infer<typeof savedRoute>;

/**
 * What happens to one domain of many. `deploy`: its draft becomes the next version. `nothing`: it is as asked already,
 * and left out. From `suspended` on it fails.
 */
export const bulkEffect = z.enum([
  'deploy',
  'resume',
  'deactivate',
  'delete',
  'move_group',
  'clear_cache',
  'suspended',
  'deleting',
  'other_subscription',
  'not_found',
  'needs_plan',
  'nothing',
]);
export type BulkEffect = z.infer<typeof bulkEffect>;

/** Domains named in the preview of a bulk action; the rest is counted. */
export const BULK_PREVIEW_NAMED_MAX = 100;

const bulkPreviewItem = z.object({
  route_id: routeId.nullable().describe('Null where there is no such domain.'),
  name: z.string(),
  effect: bulkEffect,
  status: domainStatus.nullable().describe('What it is now; null where there is no such domain.'),
  pending_changes: z.number().int(),
  version_live: z.number().int().nullable(),
  group_id: z.uuid().nullable().describe('Where it is now.'),
  changed_since: z.boolean().describe('After the `batch` of the filter.'),
});
export type BulkPreviewItem = z.infer<typeof bulkPreviewItem>;

export const bulkPreview = z.object({
  total: z.number().int().describe('Domains of the selection.'),
  included: z.number().int().describe('Those that a batch would have: all but `nothing`.'),
  counts: z.array(z.object({ effect: bulkEffect, count: z.number().int() })).describe('Effects that occur.'),
  changed_since: z.number().int(),
  tasks: z
    .object({
      cancelled: z.number().int().describe('Those that have no other domain.'),
      left: z.number().int().describe('Those that run without these domains.'),
    })
    .describe('Scheduled tasks that a deletion of the domains changes; none of another action.'),
  items: z
    .array(bulkPreviewItem)
    .max(BULK_PREVIEW_NAMED_MAX)
    .describe('The first 100: what fails, then what is done, then what is left out.'),
  digest: z
    .string()
    .describe('Of the domains that a batch would have, and their drafts: a start that names it takes no others.'),
});
export type BulkPreview = z.infer<typeof bulkPreview>;

/** Names, bounded together by 1800 characters (spec section 5), or all that match a filter, which is not bounded. */
export const namedOrFiltered = {
  names: z
    .array(text(DOMAIN_NAME_CHARACTERS_MAX).min(1))
    .min(1)
    .max(DOMAIN_SELECTION_CHARACTERS_MAX)
    .superRefine((names, ctx) => {
      const characters = names.reduce((sum, name) => sum + name.length, 0);
      if (characters > DOMAIN_SELECTION_CHARACTERS_MAX)
        ctx.addIssue({
          code: 'custom',
          message: 'SELECTION_TOO_LONG',
          params: { maximum: DOMAIN_SELECTION_CHARACTERS_MAX, characters },
        });
    })
    .describe('Main names, together at most 1800 characters.'),
  filter: routeFilter.describe('All domains of the subscription that match; empty for all.'),
};
