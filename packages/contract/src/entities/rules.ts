import { z } from 'zod';
import { domainStatus, trafficAction } from '../enumerations.ts';
import { text } from '../text.ts';
import { type PluginEntry, pluginEntry, revision, routeId, timestamp } from './routes.ts';

/** Rules of one account. */
export const RULES_MAX = 500;
/** Domains that a page of the list of rules compares with them, at most. */
export const RULE_LIST_COMPARED_MAX = 1_000;

export const ruleId = z.uuid().describe('Id of a rule.');
export const ruleName = text(100, { seen: 'line' }).min(1).describe('Used once in a subscription.');
export const ruleDescription = text(1000, { seen: true }).describe('What it is for.');
/** Plugins that a rule or a copy sets; domains keep all others as they are. */
export const rulePlugins = z
  .array(pluginEntry)
  .min(1)
  .max(32)
  .superRefine((plugins, ctx) => {
    const seen = new Set<string>();
    plugins.forEach(({ name }, index) => {
      if (seen.has(name)) ctx.addIssue({ code: 'custom', path: [index, 'name'], message: 'DUPLICATE_ENTRY' });
      seen.add(name);
    });
  })
  .describe(
    'What the rule sets; a domain keeps its other plugins as they are. One that is off, with an empty `config`, is only switched off: a domain keeps what it has configured.',
  );

/** Whether an entry of a rule only switches its plugin off: a domain keeps what it has configured. */
export const onlySwitchesOff = ({ enabled, config }: Pick<PluginEntry, 'enabled' | 'config'>): boolean =>
  !enabled && Object.keys(config).length === 0;

export const ruleLists = z
  .enum(['replace', 'merge'])
  .describe(
    "What becomes of a domain's lists of addresses, countries and paths: `replace` sets those of the rule in their place, `merge` adds the rule's entries to them.",
  );
export type RuleLists = z.infer<typeof ruleLists>;

/** Row of the list of rules. Spec section 3, "Rule"; the console says "Templates". */
export const ruleSummary = z.object({
  id: ruleId,
  name: ruleName,
  description: ruleDescription,
  subscription_cname: z.string(),
  revision,
  lists: ruleLists,
  plugin_names: z.array(z.string()).describe('Plugins that it sets, as they are ordered in it.'),
  switched_off: z.array(z.string()).describe('Those of `plugin_names` that it switches off.'),
  domains: z.number().int().describe('Domains that it was applied to.'),
  differing: z
    .number()
    .int()
    .nullable()
    .describe(
      `Domains it was applied to whose draft is no longer as the rule says; with \`merge\` that lacks entries of it. Null in a list: not counted, since the rules of its page were applied to more than ${RULE_LIST_COMPARED_MAX} domains.`,
    ),
  created_at: timestamp,
  updated_at: timestamp,
  updated_by: z.string().nullable().describe('E-mail of who changed it last.'),
});
export type RuleSummary = z.infer<typeof ruleSummary>;

export const rule = ruleSummary.extend({
  plugins: z.array(pluginEntry),
  differing: z.number().int(),
});
export type Rule = z.infer<typeof rule>;

/** How a domain stands to a rule that was applied to it. */
const ruleDomainState = z
  .enum(['same', 'drifted', 'rule_changed'])
  .describe(
    '`same`: the draft is as the rule says. `drifted`: the domain was changed since. `rule_changed`: only the rule was.',
  );
export type RuleDomainState = z.infer<typeof ruleDomainState>;

export const ruleDomain = z.object({
  route_id: routeId,
  domain_name: z.string(),
  domain_name_unicode: z.string(),
  status: domainStatus,
  applied_revision: revision.describe('Revision of the rule that was applied last.'),
  applied_at: timestamp,
  applied_by: z.string().nullable(),
  state: ruleDomainState,
  drifted: z.array(z.string()).describe('Plugins of the rule that were changed on the domain since.'),
  differing: z.array(z.string()).describe('Plugins in which the draft differs from the rule as it is now.'),
  is_live: z.boolean().describe('Whether visitors get what the draft says about these plugins.'),
});
export type RuleDomain = z.infer<typeof ruleDomain>;

/** The part of a configuration that plugins brought from elsewhere can change. */
export const pluginPart = z.object({ traffic_action: trafficAction, plugins: z.array(pluginEntry) });
export type PluginPart = z.infer<typeof pluginPart>;

const pluginListCounts = z.object({
  plugin: z.string(),
  path: z.string().describe("Of the list in the plugin's configuration."),
  before: z.number().int(),
  after: z.number().int(),
  added: z.number().int(),
  removed: z.number().int(),
});
export type PluginListCounts = z.infer<typeof pluginListCounts>;

/** What bringing plugins to one domain would do. */
export const pluginPreview = z.object({
  route_id: routeId,
  domain_name: z.string(),
  domain_name_unicode: z.string(),
  status: domainStatus,
  before: pluginPart.describe("The draft's, with every default written out."),
  after: pluginPart.describe('The same afterwards; equal to `before` where nothing changes or the change is refused.'),
  lists: z
    .array(pluginListCounts)
    .describe(
      'Entries of the lists that are too long to be shown whole. `before` has the first entries of them that go, `after` the first that come; where none do, both have the first entries from where they differ.',
    ),
  changed: z.array(z.string()).describe('Plugins that change, and `traffic_action`.'),
  error: z
    .object({
      code: z.string().nullable(),
      message: z.string(),
      fields: z.record(z.string(), z.string()),
      params: z.record(z.string(), z.record(z.string(), z.union([z.string(), z.number()]))),
    })
    .nullable()
    .describe(
      'Why it would be refused, as an edit of this domain alone would be. What plugins fetch is asked for by a deploy, not here.',
    ),
  deploys: z.boolean().describe('Whether a deploy would bring it to visitors: only running domains are deployed.'),
  is_live: z.boolean().describe('Whether visitors have it all already: a deploy would change nothing.'),
  also_deploys: z.number().int().describe('Settings that wait in the draft and would be deployed with it.'),
});
export type PluginPreview = z.infer<typeof pluginPreview>;
