import { z } from 'zod';
import { text } from '../text.ts';
import { routeId, timestamp } from './routes.ts';

/** What one look found: `unknown` when it could not be found out (no answer in time, a limit reached). */
const checkState = z.enum(['ok', 'warning', 'error', 'unknown']);
export type CheckState = z.infer<typeof checkState>;

/** The lines of a diagnosis, in the order of a visitor's way: may it be served, does it come here, what happens to it. */
export const diagnosisChecks = [
  'service',
  'quota',
  'ownership',
  'propagation',
  'certificate',
  'nodes',
  'deploy',
  'access',
  'upstream',
  'traffic',
] as const;
const diagnosisCheck = z.enum(diagnosisChecks);
export type DiagnosisCheck = z.infer<typeof diagnosisCheck>;

/** What was found, by line. A line that was not done in time or failed on our side gives `timed_out` or `failed`. */
export const diagnosisFindings = {
  service: [
    'running',
    'never_deployed',
    'deactivated',
    'deleting',
    'route_suspended',
    'subscription_expired',
    'paused',
    'paused_until',
    'subscription_suspended',
  ],
  quota: ['within', 'nearly_reached', 'reached', 'exceeded'],
  ownership: [
    'no_answer',
    'points_here',
    'address_missing',
    'alias_elsewhere',
    'no_record',
    'points_elsewhere',
    'proof_missing',
    'proved_but_no_record',
    'proved_but_elsewhere',
    'demo',
  ],
  propagation: ['everywhere', 'partly', 'nowhere', 'no_answer', 'demo'],
  certificate: ['default_certificate', 'demo', 'valid', 'expires_soon', 'expired', 'not_trusted', 'no_handshake'],
  nodes: ['all_live', 'some_live', 'none_live', 'no_node'],
  deploy: [
    'live',
    'running',
    'not_everywhere',
    'failed',
    'never_deployed',
    'left_edge',
    'suspended',
    'settings_refused',
    'recaptcha_missing',
  ],
  access: ['lets_in', 'blocks_you', 'lets_only_you_in', 'blocks_some', 'blocks_everybody', 'redirects', 'off'],
  upstream: ['all_answer', 'some_fail', 'none_answers', 'not_needed', 'not_asked', 'none', 'unused'],
  traffic: ['served', 'quiet', 'too_few', 'server_errors', 'challenges_unmet', 'not_measured'],
} as const satisfies Record<DiagnosisCheck, readonly string[]>;

/** What was found about one part of a line: a name, a resolver, a node, a target, a plugin. */
const diagnosisItemFindings = [
  'points_here',
  'address_missing',
  'no_record',
  'points_elsewhere',
  'proof_missing',
  'no_answer',
  'live',
  'waiting',
  'offline',
  'failed',
  'nginx_down',
  'answers',
  'server_error',
  'wrong_protocol',
  'certificate_refused',
  'unreachable',
  'unresolved',
  'forbidden',
  'rate_limited',
  'seen_down',
  'lets_in',
  'blocks',
  'redirects',
] as const;
const diagnosisItemFinding = z.enum(diagnosisItemFindings);

/** What to do about a line (spec section 8, "Operation messages"). */
const diagnosisAdvices = [
  'add_cname',
  'add_address',
  'add_txt',
  'wait_for_dns',
  'configure_ssl',
  'renew_ssl',
  'upgrade_plan',
  'renew_plan',
  'deploy',
  'correct_settings',
  'resume',
  'end_pause',
  'wait',
  'retry',
  'change_upstreams',
  'change_protocol',
  'fix_origin_certificate',
  'check_origin',
  'change_access',
  'check_challenge',
  'contact_support',
] as const;
const diagnosisAdvice = z.enum(diagnosisAdvices);
export type DiagnosisAdvice = z.infer<typeof diagnosisAdvice>;

/** How many domains that need fixing are named at once. */
const HEALTH_WORST_MAX = 20;

const params = z
  .record(text(32), z.union([text(2048), z.number()]))
  .describe('Values for the words: names, addresses, counts, milliseconds.');

export const diagnosisItem = z.object({
  label: text(300).describe('Which one: a name, resolver, node, target or plugin.'),
  kind: text(32).describe('`resolver`, `authoritative`, `you`, `sample`; empty where all are of one kind.'),
  state: checkState,
  finding: diagnosisItemFinding,
  params,
});
export type DiagnosisItem = z.infer<typeof diagnosisItem>;

const found = {
  check: diagnosisCheck,
  state: checkState,
  finding: text(32).describe(
    `What was found. ${diagnosisChecks.map((check) => `${check}: ${diagnosisFindings[check].join(', ')}`).join('; ')}; any: timed_out, failed.`,
  ),
  params,
  advice: diagnosisAdvice.nullable().describe('What to do; null when there is nothing to do.'),
};

/**
 * What visitors of a domain meet: `error`, they are not served; `warning`, some are not, or it will not last; `off`, its
 * owner does not want it served (never deployed, deactivated, being deleted).
 */
export const healthStates = ['error', 'warning', 'off', 'ok'] as const;
const healthState = z.enum(healthStates);
export type HealthState = z.infer<typeof healthState>;

const healthFinding = z.object({
  ...found,
  since: timestamp.nullable().describe('Since when it is known; null where nobody noted it.'),
});
export type HealthFinding = z.infer<typeof healthFinding>;

/** The one judgement of a domain, the same in list, overview, dashboard, palette and diagnosis. */
export const health = z.object({
  state: healthState,
  findings: z
    .array(healthFinding)
    .max(diagnosisChecks.length)
    .describe('What is not well, worst first; of a domain that is off, the reason. Empty: all is well.'),
  looked_at: timestamp
    .nullable()
    .describe('When its name, certificate and origins were looked at last; the rest is of now. Null: not yet.'),
});
export type Health = z.infer<typeof health>;

/** How many domains of an account are in which state, and the worst of them. */
export const accountHealth = z.object({
  counts: z.object({ error: z.number().int(), warning: z.number().int(), off: z.number().int(), ok: z.number().int() }),
  worst: z
    .array(z.object({ route_id: routeId, domain_name: z.string(), domain_name_unicode: z.string(), health }))
    .max(HEALTH_WORST_MAX)
    .describe('Domains with an error or a warning, worst first, then the longest; at most 20.'),
});
export type AccountHealth = z.infer<typeof accountHealth>;

const diagnosisLine = z.object({
  ...found,
  items: z.array(diagnosisItem).max(100),
  took_ms: z.number(),
});
export type DiagnosisLine = z.infer<typeof diagnosisLine>;

export const diagnosis = z.object({
  route_id: routeId,
  checked_at: timestamp,
  took_ms: z.number(),
  health: health.describe('Judged by the lines below, as the list and the overview judge what was found last.'),
  checks: z.array(diagnosisLine).describe('One for each check, always in the same order.'),
});
export type Diagnosis = z.infer<typeof diagnosis>;

/** RFC 9110 5.6.2. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** More than the edge takes: what is too long is to be traced, too. */
const TRACED_TEXT_MAX = 20_000;

/** A request to be traced: what a visitor would send, and what the edge would know about the visitor. */
export const tracedRequest = z.strictObject({
  method: text(32).min(1).regex(TOKEN, 'INVALID').default('GET'),
  url: text(TRACED_TEXT_MAX, { trim: true, exact: true })
    .min(1)
    .describe('Absolute http or https address, or a path of the domain. Nothing of it is decoded or resolved.'),
  headers: z
    .array(
      z.strictObject({
        name: text(256).min(1).regex(TOKEN, 'INVALID'),
        value: text(TRACED_TEXT_MAX, { exact: true }).regex(/^[^\r\n]*$/, 'INVALID'),
      }),
    )
    .max(250)
    .default([])
    .describe('A Host here goes before that of `url`.'),
  client_address: text(45).optional().describe("The visitor's; your own when left out."),
  country: text(2)
    .regex(/^([A-Z]{2})?$/, 'INVALID')
    .optional()
    .describe('ISO 3166-1 alpha-2; empty: unknown. Left out: as the database has it.'),
  asn: z
    .number()
    .int()
    .min(0)
    .max(4_294_967_295)
    .optional()
    .describe('Number of the autonomous system of the address; 0: unknown. Left out: as the database has it.'),
  crawler: text(64)
    .default('')
    .describe('Name of the search engine that the visitor is taken to be proved as; empty: none.'),
  preview: z.boolean().default(false).describe('As with a valid preview header: the name need not point here yet.'),
  version: z
    .union([z.enum(['live', 'draft']), z.number().int().min(1).max(1_000_000)])
    .default('live')
    .describe('Which configuration judges it.'),
});

export const traceStep = z.object({
  step: z.enum(['request', 'host', 'ownership', 'loop', 'https', 'plugin', 'upstream', 'origin_limit', 'origin_tls']),
  plugin: z.string().describe("Name of the plugin of a plugin's step; empty otherwise."),
  outcome: z.enum(['pass', 'changes', 'log', 'allow', 'skipped', 'block', 'challenge', 'redirect', 'not_reached']),
  status: z.number().int().nullable().describe('Of the answer, where this step gives it.'),
  reason: z
    .string()
    .describe(
      "One of the plugin's reasons, or of the edge's own; `other_domain`: another domain of yours has the name.",
    ),
  rule: z.string().describe('The entry or rule that matched; of `request`, the field that comes twice.'),
  location: z.string().describe('Where a redirect leads.'),
  detail: z
    .string()
    .describe(
      'The name that matched; why the request itself is refused (`request`); the Host that a plugin sets; `origin_limit`: requests that may be open at the origin at a time, per node, empty for any number; `origin_tls`: `strict`, `custom` or `off`, empty without TLS.',
    ),
  fields: z
    .array(z.object({ name: z.string(), value: z.string().nullable() }))
    .optional()
    .describe(
      'Header fields that a plugin sets, towards the origin or the visitor. Null: not shown, as of Authorization and cookies.',
    ),
  signature_taken: z
    .boolean()
    .optional()
    .describe('The request has a signature that the access log left out (`REDACTED`): the plugin took it for good.'),
  matched: z
    .array(z.record(text(64), z.unknown()))
    .optional()
    .describe("The parts of the plugin's configuration that matched, such as the conditions of a custom rule."),
});
export type TraceStepRow = z.infer<typeof traceStep>;

const tracedUpstream = z.object({
  protocol: z.enum(['http', 'https']),
  host_header: z.string().describe('Sent as Host and, over TLS, as server name.'),
  tries: z.number().int(),
  targets: z.array(
    z.object({
      host: z.string(),
      port: z.number().int(),
      share: z.number().describe('Of the requests while every target is healthy, 0 to 1.'),
      backup: z.boolean(),
      addresses: z.array(z.string()).describe('What a name resolves to now.'),
      refusal: z.enum(['forbidden', 'unresolved', 'rate_limited']).nullable(),
    }),
  ),
});

export const trace = z.object({
  version: z.number().int().nullable().describe('Null: the draft.'),
  request: z.object({
    method: z.string(),
    scheme: z.enum(['http', 'https']),
    host: z.string(),
    path: z.string(),
    query: z.string(),
    client_address: z.string(),
    country: z.string().describe('Empty: unknown.'),
    asn: z.number().int(),
  }),
  steps: z.array(traceStep).describe('In the order of the edge.'),
  answer: z.object({
    kind: z.enum(['origin', 'block', 'challenge', 'redirect']),
    status: z.number().int().nullable().describe("Null: the origin's."),
  }),
  upstream: tracedUpstream.nullable(),
  sent: z
    .array(z.object({ name: z.string(), value: z.string(), by: z.enum(['visitor', 'edge']) }))
    .describe(
      'Header fields that the origin gets. `{request id}` stands for 32 hex digits, `{origin key}` for the secret of the origin lock, `{secret}` for what a plugin puts into Authorization or Cookie.',
    ),
  dropped: z
    .array(z.object({ name: z.string(), why: z.enum(['internal', 'forwarding', 'hop', 'replaced', 'invalid']) }))
    .describe("Header fields of the visitor's that the origin does not get."),
});
export type Trace = z.infer<typeof trace>;
