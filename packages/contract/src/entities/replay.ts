import { z } from 'zod';
import { text } from '../text.ts';
import { pluginEntry, timestamp } from './routes.ts';

/** Recorded requests that a replay looks at, at most. */
export const REPLAY_REQUESTS_MAX = 10_000;
/** How far back it looks. */
export const REPLAY_HOURS = 24;
/** Rules that a replay counts one by one, and of how many of them it names requests. */
export const REPLAY_RULES_MAX = 200;
export const REPLAY_SAMPLED_RULES_MAX = 20;
export const REPLAY_SAMPLES_MAX = 5;

const requests = z
  .number()
  .int()
  .min(1)
  .max(REPLAY_REQUESTS_MAX)
  .default(REPLAY_REQUESTS_MAX)
  .describe('How many requests, the newest.');

export const replayInput = z.strictObject({
  plugin: pluginEntry.describe("Settings in place of the plugin's in the draft; switched off, it has no say."),
  requests,
});

const brought = z.union([
  z.strictObject({ rule_id: z.uuid() }),
  z.strictObject({ route_id: z.uuid(), plugins: z.array(text(64).min(1)).min(1).max(32) }),
]);

export const draftReplayInput = z.strictObject({
  requests,
  brought: brought
    .optional()
    .describe(
      "Plugins of a rule, or of another domain's draft, that are brought to the draft first, as by `applyRule` and `copyPlugins`; nothing is saved.",
    ),
});

/** What plugins may know of a request, and the log does not have. */
export const replayUnseen = [
  'header_fields',
  'cookies',
  'redacted_arguments',
  'crawlers',
  'bans',
  'autonomous_systems',
  'other_plugins',
] as const;
const unseen = z.enum(replayUnseen);

/** What a condition may ask for that the log lacks. */
const missingField = z.object({
  field: z.enum(['header', 'cookie', 'argument', 'query', 'asn']),
  name: z.string().describe('Of the header field, cookie or argument; else empty.'),
});
export type MissingField = z.infer<typeof missingField>;
export const REPLAY_MISSING_FIELDS_MAX = 20;

const verdictKind = z.enum(['block', 'challenge', 'log', 'allow', 'redirect']);
export type ReplayVerdict = z.infer<typeof verdictKind>;

const sample = z.object({
  request_id: z.string(),
  method: z.string(),
  path: z.string().describe('Its first 300 characters.'),
  client_address: z.string(),
  country: z.string(),
});

const replayRule = z.object({
  rule: z.string().describe('The entry or rule that decided; empty where it was the lack of one.'),
  reason: z.string().describe("One of the plugin's reasons."),
  verdict: verdictKind,
  requests: z.number().int(),
  samples: z.array(sample).max(REPLAY_SAMPLES_MAX).describe('The first few; of the first 20 rules only.'),
});

const unknownRule = z.object({
  rule: z.string().describe('Its name.'),
  verdict: verdictKind.describe('What it does where it holds.'),
  requests: z.number().int().describe('Of how many it cannot be said whether it holds.'),
  fields: z.array(missingField).max(REPLAY_MISSING_FIELDS_MAX).describe('What the log lacks of them.'),
});

const outcome = z.enum(['block', 'challenge', 'redirect', 'pass']);
export type ReplayOutcome = z.infer<typeof outcome>;

const replayChange = z.object({
  before: outcome.describe('What becomes of the requests by what is live.'),
  before_plugin: z.string().describe('Whose verdict that is; empty where what is live lets pass.'),
  after: outcome.describe('What would become of them by the draft.'),
  plugin: z
    .string()
    .describe('Whose verdict makes the difference: of the draft, or of what is live where the draft lets pass.'),
  reason: z.string(),
  rule: z.string().describe('The entry or rule that decides; empty where it is the lack of one.'),
  requests: z.number().int(),
  samples: z.array(sample).max(REPLAY_SAMPLES_MAX).describe('The first few; of the first 20 changes only.'),
});

/** What a draft would do otherwise than what is live to the requests that a domain really had: both are run over them. */
export const draftReplay = z.object({
  requests: z.number().int().describe('Requests that were looked at; 0: nothing was recorded.'),
  is_complete: z.boolean().describe('False: the time was not enough for the others, which are newer.'),
  newly_blocked: z.number().int(),
  newly_challenged: z.number().int().describe('Asked to prove themselves; whether they would, the log cannot say.'),
  newly_passed: z.number().int().describe('Neither blocked, challenged nor redirected any more.'),
  unknown: z
    .number()
    .int()
    .describe('Of which the log lacks what would tell whether the draft does otherwise; they are in no other count.'),
  unknown_rules: z
    .array(unknownRule.extend({ plugin: z.string() }))
    .max(REPLAY_RULES_MAX)
    .describe('Rules that make them so, live ones that are gone from the draft among them; most first.'),
  changes: z.array(replayChange).max(REPLAY_RULES_MAX).describe('By verdicts, plugins, reason and rule, most first.'),
  unseen: z.array(unseen).describe('As of a replay of one plugin.'),
});
export type DraftReplay = z.infer<typeof draftReplay>;

/** What one plugin, with settings that are only a draft, would have done to the requests that a domain really had. */
export const replay = z.object({
  plugin: z.string(),
  requests: z.number().int().describe('Requests that were looked at; 0: nothing was recorded.'),
  is_complete: z.boolean().describe('False: the time was not enough for the others, which are newer.'),
  from: timestamp.nullable().describe('Of the oldest of them.'),
  to: timestamp.nullable().describe('Of the newest of them.'),
  verdicts: z.object({
    block: z.number().int(),
    challenge: z.number().int().describe('Asked to prove themselves; whether they would, the log cannot say.'),
    log: z.number().int(),
    allow: z.number().int(),
    redirect: z.number().int(),
    pass: z.number().int().describe('Nothing to say.'),
    unknown: z.number().int().describe('The log lacks what would tell (`unknown_rules`).'),
  }),
  newly_blocked: z.number().int().describe('Of the blocked: those that were not when they were recorded.'),
  blocked_elsewhere: z
    .number()
    .int()
    .describe(
      'Of the blocked: those that another plugin had blocked when they were recorded, by no ban that this one gave.',
    ),
  newly_passed: z
    .number()
    .int()
    .describe(
      'Blocked by this plugin or a ban that it gave when they were recorded, and neither blocked nor challenged any more.',
    ),
  rules: z
    .array(replayRule)
    .max(REPLAY_RULES_MAX)
    .describe('By rule and reason, most first; taken that those of `unknown_rules` do not hold.'),
  unknown_rules: z
    .array(unknownRule)
    .max(REPLAY_RULES_MAX)
    .describe('Rules of which it cannot be said for some requests whether they hold, most first.'),
  unseen: z
    .array(unseen)
    .describe(
      'What the log does not have, or a replay of one plugin does not ask: header fields but User-Agent and Referer, cookies, values of arguments that are kept out of the log, proved search engines, bans, networks of addresses, the verdicts of other plugins. Conditions on these may come out otherwise.',
    ),
});
export type Replay = z.infer<typeof replay>;
