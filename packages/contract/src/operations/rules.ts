import { z } from 'zod';
import { domainName } from '../domain-name.ts';
import { batch } from '../entities/batches.ts';
import { namedOrFiltered } from '../entities/domains.ts';
import { routeId } from '../entities/routes.ts';
import {
  pluginPreview,
  rule,
  ruleDescription,
  ruleDomain,
  ruleId,
  ruleLists,
  ruleName,
  rulePlugins,
  ruleSummary,
} from '../entities/rules.ts';
import { CONFIG_BODY_BYTES_MAX, defineOperations, done, listOf, pageQuery, resultOf } from '../operation.ts';
import { rates } from '../rates.ts';
import { text } from '../text.ts';

const idParams = z.object({ id: ruleId });
const deploy = z.boolean().default(false).describe('Also deploy, where a domain is running; others get it as a draft.');
const note = text(500, { seen: true }).default('').describe('Why, for the history of the domains.');
const subscriptionCname = text(255).min(1).describe('Which subscription; a mismatch is 404.');

const ruleSelection = z
  .strictObject({
    names: namedOrFiltered.names.optional(),
    filter: namedOrFiltered.filter.optional(),
    applied: z
      .enum(['all', 'differing'])
      .optional()
      .describe('Domains the rule was applied to, or those of them that differ from it now.'),
  })
  .refine((selection) => Object.values(selection).filter((part) => part !== undefined).length === 1, {
    error: 'SELECTION_REQUIRED',
  })
  .describe('Exactly one of the three; only domains of the subscription.');
export type RuleSelection = z.infer<typeof ruleSelection>;

/** Domains that one call may add by cloning. */
export const CLONES_MAX = 100;

const routeParams = z.object({ id: routeId });
const copiedPlugins = z
  .array(text(64).min(1))
  .min(1)
  .max(32)
  .describe("Plugins of the domain's draft, by name. What they are set to elsewhere is replaced.");

const copySelection = z
  .strictObject({ names: namedOrFiltered.names.optional(), filter: namedOrFiltered.filter.optional() })
  .refine(({ names, filter }) => (names === undefined) !== (filter === undefined), { error: 'SELECTION_REQUIRED' })
  .describe('One of the two; domains of the same subscription. The domain itself is left out.');

/** Rules ("configuration templates" in the console), and bringing what is set on one domain to others. */
export const ruleOperations = defineOperations({
  listRules: {
    method: 'GET',
    path: 'domain/rules/',
    summary: 'Rules, by name: sets of plugins that are applied to many domains',
    auth: 'user',
    roles: ['user'],
    scope: 'domains:read',
    rate: 'none',
    query: pageQuery.extend({
      q: text(100).optional().describe('Part of a name or description.'),
      cname: subscriptionCname.optional(),
    }),
    ok: listOf(ruleSummary),
  },
  createRule: {
    method: 'POST',
    path: 'domain/rules/',
    summary: 'Add a rule, from scratch or from a domain',
    auth: 'user',
    roles: ['user'],
    scope: 'domains:write',
    once: true,
    rate: rates.ruleWrites,
    bodyBytesMax: CONFIG_BODY_BYTES_MAX,
    body: z
      .strictObject({
        cname: subscriptionCname,
        name: ruleName,
        description: ruleDescription.default(''),
        lists: ruleLists.default('replace'),
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
    summary: 'One rule',
    auth: 'user',
    roles: ['user'],
    scope: 'domains:read',
    rate: 'none',
    params: idParams,
    ok: resultOf(rule),
  },
  updateRule: {
    method: 'PATCH',
    path: 'domain/rules/{id}/',
    summary: 'Change a rule; domains stay as they are until it is applied again',
    auth: 'user',
    roles: ['user'],
    scope: 'domains:write',
    rate: rates.ruleWrites,
    params: idParams,
    ifMatch: true,
    bodyBytesMax: CONFIG_BODY_BYTES_MAX,
    body: z.strictObject({
      name: ruleName.optional(),
      description: ruleDescription.optional(),
      lists: ruleLists.optional(),
      plugins: rulePlugins.optional(),
    }),
    ok: resultOf(rule),
  },
  deleteRule: {
    method: 'DELETE',
    path: 'domain/rules/{id}/',
    summary: 'Delete a rule; domains it was applied to stay as they are',
    auth: 'user',
    roles: ['user'],
    scope: 'domains:write',
    once: true,
    rate: rates.ruleWrites,
    params: idParams,
    body: z.strictObject({ cname: subscriptionCname }),
    ok: done,
  },
  listRuleDomains: {
    method: 'GET',
    path: 'domain/rules/{id}/domains/',
    summary: 'Where a rule was applied, and what differs since',
    auth: 'user',
    roles: ['user'],
    scope: 'domains:read',
    rate: 'none',
    params: idParams,
    query: pageQuery.extend({ q: text(253).optional().describe('Part of a name or remark.') }),
    ok: listOf(ruleDomain),
  },
  previewRule: {
    method: 'POST',
    path: 'domain/rules/{id}/preview/',
    summary: 'What applying a rule would change on each domain of a selection; changes nothing',
    auth: 'user',
    roles: ['user'],
    scope: 'domains:read',
    rate: rates.rulePreviews,
    params: idParams,
    query: pageQuery,
    body: z.strictObject({ selection: ruleSelection }),
    ok: listOf(pluginPreview),
  },
  applyRule: {
    method: 'POST',
    path: 'domain/rules/{id}/apply/',
    summary: 'Apply a rule, as it was at this revision, to a selection of domains, as one batch',
    auth: 'user',
    roles: ['user'],
    scope: 'domains:write',
    rate: rates.ruleWrites,
    params: idParams,
    ifMatch: true,
    body: z.strictObject({ selection: ruleSelection, deploy, note }),
    ok: resultOf(batch),
    status: 202,
  },
  previewCopy: {
    method: 'POST',
    path: 'domain/routes/{id}/copy/preview/',
    summary: 'What copying plugins of a domain would change on each domain of a selection; changes nothing',
    auth: 'user',
    roles: ['user'],
    scope: 'domains:read',
    rate: rates.copyPreviews,
    params: routeParams,
    query: pageQuery,
    body: z.strictObject({ plugins: copiedPlugins, selection: copySelection }),
    ok: listOf(pluginPreview),
  },
  copyPlugins: {
    method: 'POST',
    path: 'domain/routes/{id}/copy/',
    summary:
      "Copy plugins, as they are in this revision of the domain's draft, to a selection of domains, as one batch",
    auth: 'user',
    roles: ['user'],
    scope: 'domains:write',
    rate: rates.copyWrites,
    params: routeParams,
    ifMatch: true,
    body: z.strictObject({ plugins: copiedPlugins, selection: copySelection, deploy, note }),
    ok: resultOf(batch),
    status: 202,
  },
  cloneRoute: {
    method: 'POST',
    path: 'domain/routes/{id}/clone/',
    summary: "Add domains with the configuration of this one's draft, as one batch",
    auth: 'user',
    roles: ['user'],
    scope: 'domains:write',
    once: true,
    rate: rates.copyWrites,
    params: routeParams,
    body: z.strictObject({
      domain_names: z
        .array(domainName)
        .min(1)
        .max(CLONES_MAX)
        .superRefine((names, ctx) => {
          names.forEach((name, index) => {
            if (names.indexOf(name) < index)
              ctx.addIssue({ code: 'custom', path: [index], message: 'DUPLICATE_ENTRY' });
          });
        })
        .describe('Names of the new domains. Each gets an exclusive CNAME of its own and proves itself.'),
      cname: text(255).min(1).optional().describe("Subscription of the new domains; the domain's own unless given."),
      remarks: text(1000, { seen: true }).default(''),
      deploy: z.boolean().default(false).describe('Also deploy version 1 of each.'),
    }),
    ok: resultOf(batch),
    status: 202,
  },
});
