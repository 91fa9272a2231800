import { z } from 'zod';
import {
  ORIGIN_CONNECTIONS_MAX,
  TLS_CA_CHARACTERS_MAX,
  UPSTREAM_PORTS,
  UPSTREAM_TARGETS_MAX,
  UPSTREAM_WEIGHT_MAX,
} from '../constants.ts';
import {
  tlsVerification,
  trafficAction,
  type UpstreamProtocol,
  upstreamProtocol,
  wildcardLevels,
} from '../enumerations.ts';
import { parseUpstreamHost } from '../target-host.ts';
import { text } from '../text.ts';

export const routeId = z.uuid().describe('Id of a domain (the specification\'s "domain route").');
export const timestamp = z.iso.datetime().describe('UTC, ISO 8601.');
export const revision = z.number().int().min(0).describe('Rises with each change; sent back in If-Match.');

const upstreamTarget = z.strictObject({
  host: text(255)
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
  .describe(
    'Requests that each node has open at the origin at a time; 0 means unlimited. As many more wait for up to 5 s; all others get 503.',
  );
const tlsCa = text(TLS_CA_CHARACTERS_MAX)
  .nullable()
  .describe('CA certificates that `custom` verifies origins by, as PEM. Kept while another verification is chosen.');

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
  name: text(64).min(1).describe('Name of the plugin.'),
  enabled: z.boolean().describe('A switched-off plugin keeps its configuration.'),
  config: z.record(text(64), z.unknown()).describe('Checked by the schema of the plugin.'),
});
export type PluginEntry = z.infer<typeof pluginEntry>;

/** What a version freezes and a draft edits. */
export const routeConfig = z.strictObject({
  traffic_action: trafficAction,
  wildcard_levels: wildcardLevels.optional().describe('What wildcards among its names answer for. Left out: one.'),
  upstreams,
  plugins: z.array(pluginEntry).max(32),
});
export type RouteConfig = z.infer<typeof routeConfig>;
