import { z } from 'zod';
import {
  ORIGIN_CONNECTIONS_MAX,
  TLS_CA_CHARACTERS_MAX,
  UPSTREAM_PORTS,
  UPSTREAM_TARGETS_MAX,
  UPSTREAM_WEIGHT_MAX,
} from '../constants.ts';
import {
  domainAction,
  domainStatus,
  immediateAction,
  operationError,
  tlsVerification,
  trafficAction,
  type UpstreamProtocol,
  upstreamProtocol,
} from '../enumerations.ts';
import { parseUpstreamHost } from '../target-host.ts';

export const routeId = z.uuid().describe('Id of a domain (the specification\'s "domain route").');
export const timestamp = z.iso.datetime().describe('UTC, ISO 8601.');
export const revision = z.number().int().min(0).describe('Rises with each change; sent back in If-Match.');

export const upstreamTarget = z.strictObject({
  host: z
    .string()
    .max(255)
    .transform((text, ctx) => {
      const result = parseUpstreamHost(text);
      if (result.ok) return result.host;
      ctx.addIssue({ code: 'custom', message: result.code });
      return z.NEVER;
    })
    .describe('IPv4 or IPv6 address, or a name.'),
  port: z
    .number()
    .int()
    .min(1, 'PORT_RANGE')
    .max(65535, 'PORT_RANGE')
    .nullable()
    .default(null)
    .describe('Null takes the default of the protocol: 80 or 443.'),
  weight: z
    .number()
    .int()
    .min(1)
    .max(UPSTREAM_WEIGHT_MAX)
    .default(1)
    .describe('Share of requests relative to the other targets.'),
  backup: z.boolean().default(false).describe('Used only while no other target is healthy.'),
});
export type UpstreamTarget = z.infer<typeof upstreamTarget>;

const upstreamFields = {
  protocol: upstreamProtocol.describe('How the edge talks to the origin; `http_https` follows the visitor.'),
  targets: z.array(upstreamTarget).max(UPSTREAM_TARGETS_MAX).describe('Where requests are sent.'),
};
const connectionLimit = z
  .number('ORIGIN_LIMIT_RANGE')
  .int('ORIGIN_LIMIT_RANGE')
  .min(0, 'ORIGIN_LIMIT_RANGE')
  .max(ORIGIN_CONNECTIONS_MAX, 'ORIGIN_LIMIT_RANGE')
  .describe('Requests that each node has open at the origin at a time; 0 means unlimited. What is beyond gets 503.');
const tlsCa = z
  .string()
  .max(TLS_CA_CHARACTERS_MAX)
  .nullable()
  .describe('Certificates that `custom` trusts, as PEM. Kept while another verification is chosen.');

function checkTargets(
  value: { protocol: UpstreamProtocol; targets: readonly UpstreamTarget[] },
  ctx: z.core.$RefinementCtx,
): void {
  const seen = new Set<string>();
  value.targets.forEach((target, index) => {
    if (value.protocol === 'http_https' && target.port !== null)
      ctx.addIssue({ code: 'custom', path: ['targets', index, 'port'], message: 'PORT_FORBIDDEN' });
    const port = target.port ?? (value.protocol === 'http_https' ? 0 : UPSTREAM_PORTS[value.protocol]);
    const key = `${target.host} ${port}`;
    if (seen.has(key))
      ctx.addIssue({ code: 'custom', path: ['targets', index, 'host'], message: 'UPSTREAM_DUPLICATE' });
    seen.add(key);
  });
  if (value.targets.length > 0 && value.targets.every((target) => target.backup))
    ctx.addIssue({ code: 'custom', path: ['targets'], message: 'UPSTREAM_ONLY_BACKUP' });
}

/** Spec section 5, "Upstreams". Names and special addresses are judged by the API, which knows plan and resolver. */
export const upstreams = z
  .strictObject({
    ...upstreamFields,
    connection_limit: connectionLimit.default(0),
    tls_verification: tlsVerification.default('strict'),
    tls_ca: tlsCa.default(null),
  })
  .superRefine(checkTargets);
export type Upstreams = z.infer<typeof upstreams>;

/** The same as it is sent: what is left out stays as it is (`strict` and no limit for a new domain). */
export const upstreamsChange = z
  .strictObject({
    ...upstreamFields,
    connection_limit: connectionLimit.optional(),
    tls_verification: tlsVerification.optional(),
    tls_ca: tlsCa.optional(),
  })
  .superRefine(checkTargets);
export type UpstreamsChange = z.infer<typeof upstreamsChange>;

export const pluginEntry = z.strictObject({
  name: z.string().min(1).max(64).describe('Name of the plugin.'),
  enabled: z.boolean().describe('A switched-off plugin keeps its configuration.'),
  config: z.record(z.string().max(64), z.unknown()).describe('Checked by the schema of the plugin.'),
});
export type PluginEntry = z.infer<typeof pluginEntry>;

/** What a version freezes and a draft edits. */
export const routeConfig = z.strictObject({
  traffic_action: trafficAction,
  upstreams,
  plugins: z.array(pluginEntry).max(32),
});
export type RouteConfig = z.infer<typeof routeConfig>;

const pointRecord = z.object({ type: z.enum(['CNAME', 'A', 'AAAA']), name: z.string(), value: z.array(z.string()) });

export const ownership = z.object({
  state: z.enum(['pending', 'verified']).describe('Whether the name is proved to point here.'),
  method: z.enum(['cname', 'address_and_txt', 'demo', 'operator']).nullable(),
  checked_at: timestamp.nullable(),
  seen: z.array(z.string().max(255)).max(20).describe('What the last look at DNS found.'),
  record: pointRecord.describe('The one record to set.'),
  record_ipv6: pointRecord
    .nullable()
    .describe('The AAAA record to set beside it: at an apex, where no CNAME tells the addresses, with IPv6 on.'),
  txt: z
    .object({ name: z.string(), value: z.string() })
    .describe('TXT proof: needed at an apex, and against a squatter.'),
  taken_elsewhere: z.boolean().describe('Another account holds the name; TXT proof moves it here.'),
});
export type Ownership = z.infer<typeof ownership>;

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
    until: timestamp.nullable().describe('When it ends by itself; null: when somebody ends it.'),
    by: z.string().describe('Who paused.'),
  })
  .describe('All protection is off: traffic passes to the origin.');
export type Pause = z.infer<typeof pause>;

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
  pending_changes: z.number().int().describe('Settings of the draft that differ from the live version.'),
  traffic_action: trafficAction,
  upstream_summary: z.string().describe('First targets, for the eye.'),
  ownership_state: z.enum(['pending', 'verified']),
  group_id: z.uuid().nullable(),
  remarks: z.string(),
  operation: runningOperation.nullable(),
  is_paused: z.boolean().describe('Whether all protection is off for the moment.'),
  created_at: timestamp,
  updated_at: timestamp,
});
export type RouteSummary = z.infer<typeof routeSummary>;

/** Who did it: a person, a personal API token, the provider's staff, or Cordon by itself. */
export const actorKind = z.enum(['user', 'token', 'operator', 'system']);
export type ActorKind = z.infer<typeof actorKind>;

export const versionSummary = z.object({
  version: z.number().int(),
  created_at: timestamp,
  created_by: z.string().nullable().describe('E-mail of the user, or name of the token.'),
  created_by_kind: actorKind,
  note: z.string().describe('Why, as it was given with the deploy; never changed afterwards.'),
  rolled_back_to: z.number().int().nullable().describe('The earlier version that this one brought back.'),
  live: z.boolean(),
  gone_names: z.array(z.string()).describe('Names that the domain had when this version was made, and has no more.'),
});
export type VersionSummary = z.infer<typeof versionSummary>;
export const version = versionSummary.extend({
  config: routeConfig,
  certificate_id: z.uuid().nullable().describe('Certificate that was in use then.'),
});
export type Version = z.infer<typeof version>;

/** One domain with its draft. Spec section 3, "Domain route". */
export const route = routeSummary.extend({
  shadow_domains: z.array(z.string()).describe('Alias names, served like the main one.'),
  immediate_operation: immediateOperation
    .nullable()
    .describe('The newest change that took effect without a version: of aliases, or a pause.'),
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

/** Proof, per node, that a version is live. */
export const receiptNode = z.object({
  node: z.string(),
  state: z.enum(['waiting', 'live', 'failed', 'offline']),
  version: z.number().int().nullable(),
  live_ms: z
    .number()
    .nullable()
    .describe('Milliseconds from commit to the answered probe, on the clock of the control plane.'),
  probe_status: z.number().int().nullable(),
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

/** An alias of a domain. Spec section 3, "shadow domains". */
export const shadowDomain = z.object({
  name: z.string(),
  name_unicode: z.string().describe('As people read it.'),
  ownership,
  created_at: timestamp,
});
export type ShadowDomain = z.infer<typeof shadowDomain>;
