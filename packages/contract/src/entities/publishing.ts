import { z } from 'zod';
import { routeConfig, routeId, timestamp } from './routes.ts';

/** Spec section 4: actions on a domain, each shown as running, then successful. */
export const domainAction = z.enum([
  'deploy',
  'resume',
  'deactivate',
  'delete',
  'clear_cache',
  'enable_force_https',
  'disable_force_https',
]);
export type DomainAction = z.infer<typeof domainAction>;

/** Changes that take effect at once, without a version: of shadow domains, pauses, and of HTTPS. They run beside deploys. */
export const immediateAction = z.enum([
  'add_shadow',
  'remove_shadow',
  'promote_shadow',
  'pause',
  'end_pause',
  'enable_force_https',
  'disable_force_https',
  'change_hsts',
]);
export type ImmediateAction = z.infer<typeof immediateAction>;

/** Why an operation failed: no node of the czone was alive, not all living ones answered in time, or a later operation took its place. */
export const operationError = z.enum(['NO_NODE_LIVE', 'NODES_NOT_REACHED', 'REFUSED_BY_NODE', 'SUPERSEDED']);
export type OperationError = z.infer<typeof operationError>;

export const runningOperation = z.object({
  id: z.uuid(),
  action: domainAction,
  state: z.enum(['running', 'successful', 'failed']),
  started_at: timestamp,
  finished_at: timestamp.nullable(),
  error: operationError.nullable().describe('Why it failed.'),
});
export type RunningOperation = z.infer<typeof runningOperation>;

/** The same for changes that take effect at once, without a version. */
export const immediateOperation = runningOperation.extend({ action: immediateAction });
export type ImmediateOperation = z.infer<typeof immediateOperation>;

export const pause = z
  .object({
    since: timestamp,
    until: timestamp.nullable().describe('When it ends; null: when it is ended by hand.'),
    by: z.string().describe('Who paused.'),
  })
  .describe('All protection is off: traffic passes to the origin.');
export type Pause = z.infer<typeof pause>;

export const suspension = z
  .object({
    scope: z
      .enum(['domain', 'account'])
      .describe('What the provider has suspended: this domain, or its whole account.'),
    since: timestamp,
    reason: z.string().describe('Why, in the words of the provider.'),
  })
  .describe('Nothing is served: visitors get a page with status 403 that says so, and nothing can be deployed.');
export type Suspension = z.infer<typeof suspension>;

/** Who did it: a person, a personal API token, the provider's staff, or Cordon itself (`system`). */
export const actorKind = z.enum(['user', 'token', 'operator', 'system']);
export type ActorKind = z.infer<typeof actorKind>;

export const versionSummary = z.object({
  version: z.number().int(),
  created_at: timestamp,
  created_by: z.string().nullable().describe('E-mail of the user, or name of the token.'),
  created_by_kind: actorKind,
  note: z.string().describe('Why, as it was given with the deploy; never changed afterwards.'),
  rolled_back_to: z.number().int().nullable().describe('The earlier version that this one brought back.'),
  changes: z
    .number()
    .int()
    .nullable()
    .describe(
      'How many settings it changed of the version before it, counted like `pending_changes`; null for the first, and for one made before this was counted.',
    ),
  changed: z
    .array(z.string())
    .nullable()
    .describe(
      'Those settings by name: `plugins.NAME`, or a field of the domain such as `targets`; null where only their number is known.',
    ),
  live: z.boolean(),
  gone_names: z.array(z.string()).describe('Names that the domain had when this version was made, and has no more.'),
});
export type VersionSummary = z.infer<typeof versionSummary>;
export const version = versionSummary.extend({
  config: routeConfig,
  certificate_id: z.uuid().nullable().describe('Certificate that was in use then.'),
});
export type Version = z.infer<typeof version>;

/** Proof, per node, that a version is live. */
const receiptNode = z.object({
  node: z.string(),
  state: z.enum(['waiting', 'live', 'failed', 'offline']),
  version: z.number().int().nullable(),
  live_ms: z
    .number()
    .nullable()
    .describe('Milliseconds from commit to the answered probe, on the clock of the control plane.'),
  probe_status: z.number().int().nullable(),
  refusal: z
    .string()
    .nullable()
    .describe('Why the node cannot load the version, as it says itself; it serves `version` on, where it had one.'),
  at: timestamp.nullable(),
});
export const receipt = z.object({
  route_id: routeId,
  version: z.number().int(),
  action: domainAction,
  state: z.enum(['running', 'successful', 'failed']),
  committed_at: timestamp,
  nodes: z.array(receiptNode),
});
export type Receipt = z.infer<typeof receipt>;
