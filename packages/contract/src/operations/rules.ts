import { z } from 'zod';
import { DOMAIN_NAME_CHARACTERS_MAX, DOMAIN_SELECTION_CHARACTERS_MAX } from '../constants.ts';
import { batch } from '../entities/batches.ts';
import { routeFilter } from '../entities/domains.ts';
import { routeId } from '../entities/routes.ts';
import {
  pluginPreview,
  rule,
  ruleDescription,
  ruleDomain,
  ruleId,
  ruleName,
  rulePlugins,
  ruleSummary,
} from '../entities/rules.ts';
import { defineOperations, done, listOf, pageQuery, resultOf } from '../operation.ts';

const idParams = z.object({ id: ruleId });
export const deploy = z
  .boolean()
  .default(false)
  .describe('Also deploy, where a domain is running; others get it as a draft.');
export const note = z.string().max(500).default('').describe('Why, for whoever reads the history of the domains.');
const subscriptionCname = z.string().min(1).max(255).describe('Which subscription; a mismatch is 404.');

/** Names, bounded together by 1800 characters (spec section 5), or all that match a filter, which is not bounded. */
export const namedOrFiltered = {
  names: z
    .array(z.string().min(1).max(DOMAIN_NAME_CHARACTERS_MAX))
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

const ruleSelection = z
  .strictObject({
    names: namedOrFiltered.names.optional(),
    filter: namedOrFiltered.filter.optional(),
    applied: z
      .enum(['all', 'differing'])
      .optional()
      .describe('Domains the template was applied to, or those of them that differ from it now.'),
  })
  .refine((selection) => Object.values(selection).filter((part) => part !== undefined).length === 1, {
    error: 'SELECTION_REQUIRED',
  })
  .describe('Exactly one of the three; only domains of the subscription.');
export type RuleSelection = z.infer<typeof ruleSelection>;

export const ruleOperations = defineOperations({
  listRules: {
    method: 'GET',
    path: 'domain/rules/',
    summary: 'Configuration templates, by name',
    auth: 'user',
    roles: ['user'],
    scope: 'domains:read',
    query: pageQuery.extend({
      q: z.string().max(100).optional().describe('Part of a name or description.'),
      cname: subscriptionCname.optional(),
    }),
    ok: listOf(ruleSummary),
  },
  createRule: {
    method: 'POST',
    path: 'domain/rules/',
    summary: 'Add a configuration template, from scratch or from a domain',
    auth: 'user',
    roles: ['user'],
    scope: 'domains:write',
    body: z
      .strictObject({
        cname: subscriptionCname,
        name: ruleName,
        description: ruleDescription.default(''),
        plugins: rulePlugins.optional(),
        from_route: routeId.optional().describe("Takes the plugins of this domain's draft instead."),
      })
      .refine(({ plugins, from_route }) => (plugins === undefined) !== (from_route === undefined), {
        path: ['plugins'],
        error: 'REQUIRED',
        when: ({ value }) => typeof value === 'object' && value !== null,
      }),
    ok: resultOf(rule),
    status: 201,
  },
  getRule: {
    method: 'GET',
    path: 'domain/rules/{id}/',
    summary: 'One configuration template',
    auth: 'user',
    roles: ['user'],
    scope: 'domains:read',
    params: idParams,
    ok: resultOf(rule),
  },
  updateRule: {
    method: 'PATCH',
    path: 'domain/rules/{id}/',
    summary: 'Change a configuration template; domains stay as they are until it is applied again',
    auth: 'user',
    roles: ['user'],
    scope: 'domains:write',
    params: idParams,
    ifMatch: true,
    body: z.strictObject({
      name: ruleName.optional(),
      description: ruleDescription.optional(),
      plugins: rulePlugins.optional(),
    }),
    ok: resultOf(rule),
  },
  deleteRule: {
    method: 'DELETE',
    path: 'domain/rules/{id}/',
    summary: 'Delete a configuration template; domains it was applied to stay as they are',
    auth: 'user',
    roles: ['user'],
    scope: 'domains:write',
    params: idParams,
    body: z.strictObject({ cname: subscriptionCname }),
    ok: done,
  },
  listRuleDomains: {
    method: 'GET',
    path: 'domain/rules/{id}/domains/',
    summary: 'Where a template was applied, and what differs since',
    auth: 'user',
    roles: ['user'],
    scope: 'domains:read',
    params: idParams,
    query: pageQuery.extend({ q: z.string().max(253).optional().describe('Part of a name or remark.') }),
    ok: listOf(ruleDomain),
  },
  previewRule: {
    method: 'POST',
    path: 'domain/rules/{id}/preview/',
    summary: 'What applying a template would change on each domain of a selection; changes nothing',
    auth: 'user',
    roles: ['user'],
    scope: 'domains:read',
    params: idParams,
    query: pageQuery,
    body: z.strictObject({ selection: ruleSelection }),
    ok: listOf(pluginPreview),
  },
  applyRule: {
    method: 'POST',
    path: 'domain/rules/{id}/apply/',
    summary: 'Apply a template, as it was at this revision, to a selection of domains, as one batch',
    auth: 'user',
    roles: ['user'],
    scope: 'domains:write',
    params: idParams,
    ifMatch: true,
    body: z.strictObject({ selection: ruleSelection, deploy, note }),
    ok: resultOf(batch),
    status: 202,
  },
});
