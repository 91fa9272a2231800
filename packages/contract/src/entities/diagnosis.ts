import { z } from 'zod';
import { routeId, timestamp } from './domain.ts';

/** What one look found: `unknown` when it could not be told (no answer in time, a limit reached). */
export const checkState = z.enum(['ok', 'warning', 'error', 'unknown']);
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
] as const;
export const diagnosisCheck = z.enum(diagnosisChecks);
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
    'no_record',
    'points_elsewhere',
    'proof_missing',
    'proved_but_no_record',
    'proved_but_elsewhere',
    'demo',
  ],
  propagation: ['everywhere', 'partly', 'nowhere', 'no_answer', 'demo'],
  certificate: ['default_certificate', 'valid', 'expires_soon', 'expired', 'not_trusted', 'no_handshake'],
  nodes: ['all_live', 'some_live', 'none_live', 'no_node'],
  deploy: ['live', 'running', 'not_everywhere', 'failed', 'never_deployed', 'left_edge'],
  access: ['lets_in', 'blocks_you', 'lets_only_you_in', 'blocks_some', 'blocks_everybody', 'redirects'],
  upstream: ['all_answer', 'some_fail', 'none_answers', 'not_needed', 'none'],
} as const satisfies Record<DiagnosisCheck, readonly string[]>;

/** What was found about one part of a line: a name, a resolver, a node, a target, a plugin. */
export const diagnosisItemFindings = [
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
export const diagnosisItemFinding = z.enum(diagnosisItemFindings);
export type DiagnosisItemFinding = z.infer<typeof diagnosisItemFinding>;

/** What to do about a line (spec section 8, "Operation messages"). */
export const diagnosisAdvices = [
  'add_cname',
  'add_address',
  'add_txt',
  'wait_for_dns',
  'configure_ssl',
  'renew_ssl',
  'upgrade_plan',
  'renew_plan',
  'deploy',
  'resume',
  'end_pause',
  'wait',
  'retry',
  'change_upstreams',
  'change_protocol',
  'fix_origin_certificate',
  'check_origin',
  'change_access',
  'contact_support',
] as const;
export const diagnosisAdvice = z.enum(diagnosisAdvices);
export type DiagnosisAdvice = z.infer<typeof diagnosisAdvice>;

const params = z
  .record(z.string().max(32), z.union([z.string().max(2048), z.number()]))
  .describe('Values for the words: names, addresses, counts, milliseconds.');

export const diagnosisItem = z.object({
  label: z.string().max(300).describe('Which one: a name, resolver, node, target or plugin.'),
  kind: z.string().max(32).describe('`resolver`, `authoritative`, `you`, `sample`; empty where all are of one kind.'),
  state: checkState,
  finding: diagnosisItemFinding,
  params,
});
export type DiagnosisItem = z.infer<typeof diagnosisItem>;

export const diagnosisLine = z.object({
  check: diagnosisCheck,
  state: checkState,
  finding: z
    .string()
    .max(32)
    .describe(
      `What was found. ${diagnosisChecks.map((check) => `${check}: ${diagnosisFindings[check].join(', ')}`).join('; ')}; any: timed_out, failed.`,
    ),
  params,
  advice: diagnosisAdvice.nullable().describe('What to do; null when there is nothing to do.'),
  items: z.array(diagnosisItem).max(100),
  took_ms: z.number(),
});
export type DiagnosisLine = z.infer<typeof diagnosisLine>;

export const diagnosis = z.object({
  route_id: routeId,
  checked_at: timestamp,
  took_ms: z.number(),
  state: checkState.describe('The worst of the lines; `unknown` counts as better than `warning`.'),
  checks: z.array(diagnosisLine).describe('One for each check, always in the same order.'),
});
export type Diagnosis = z.infer<typeof diagnosis>;
