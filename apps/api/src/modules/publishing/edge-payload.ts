import {
  type DeploymentFeature,
  type EdgeRoute,
  type Hsts,
  hstsValue,
  type PlanTier,
  type RouteConfig,
  UPSTREAM_PORTS,
} from '@cordon/contract';
import { isRoutingPhase } from '@cordon/plugin-kit';
import { materialise } from '@cordon/plugin-kit/schema';
import { isSecretHandle } from '@cordon/plugin-kit/secret-handle';
import { definitions } from '@cordon/plugins/definitions';

/** Everything of a route that its nodes need to know. */
export interface EdgeRouteSource {
  readonly id: string;
  readonly account_id: string;
  readonly czone: string;
  readonly version: number;
  /** The main name first. */
  readonly names: readonly { readonly name: string; readonly isVerified: boolean }[];
  /** While paused nothing but the traffic action stands between the visitor and the origin. */
  readonly isPaused: boolean;
  readonly tier: PlanTier;
  readonly brand: string;
  readonly config: RouteConfig;
  /** What plugins fetched for this configuration, by plugin. */
  readonly resolved?: Readonly<Record<string, unknown>> | undefined;
  /** Secrets of the configuration by handle, sealed for the czone. */
  readonly secrets?: ReadonlyMap<string, string> | undefined;
  /** Undefined while the domain has no origin lock. */
  readonly originKeySeed?: string | undefined;
  readonly https?: { readonly force: boolean; readonly hsts: Hsts | null } | undefined;
}

/** What nodes are told of HTTPS; nothing where there is nothing to do. */
const toEdgeHttps = ({ force, hsts }: NonNullable<EdgeRouteSource['https']>): Pick<EdgeRoute, 'https'> =>
  force || hsts ? { https: { force, ...(hsts ? { hsts: hstsValue(hsts) } : {}) } } : {};

/** How the edge treats origins; one setting for all until routes have their own. */
const UPSTREAM_DEFAULTS = {
  connect_timeout_ms: 5_000,
  send_timeout_ms: 60_000,
  read_timeout_ms: 60_000,
  fail_timeout_ms: 10_000,
  max_fails: 3,
} as const;
const TRIES_MAX = 3;

/** The materialised route: the edge adds no default and derives nothing. */
export function toEdgeRoute(source: EdgeRouteSource): EdgeRoute {
  const { config } = source;
  const { protocol } = config.upstreams;
  // Targets that a domain had before it redirected are kept for its owner, not used.
  const targets = config.traffic_action === 'redirect' ? [] : config.upstreams.targets;
  return {
    id: source.id,
    account_id: source.account_id,
    czone: source.czone,
    version: source.version,
    hosts: source.names.map(({ name, isVerified }) => ({ name, verified: isVerified })),
    tier: source.tier,
    brand: source.brand,
    traffic_action: config.traffic_action,
    wildcard_levels: config.wildcard_levels ?? 'one',
    upstream:
      targets.length === 0
        ? null
        : {
            protocol,
            targets: targets.map((target) => ({
              host: target.host,
              port: target.port ?? (protocol === 'http_https' ? null : UPSTREAM_PORTS[protocol]),
              weight: target.weight,
              backup: target.backup,
            })),
            tries: Math.min(TRIES_MAX, targets.length),
            ...UPSTREAM_DEFAULTS,
            connection_limit: config.upstreams.connection_limit,
            tls_verification: config.upstreams.tls_verification,
            ...(config.upstreams.tls_verification === 'custom' && config.upstreams.tls_ca !== null
              ? { tls_ca: config.upstreams.tls_ca }
              : {}),
          },
    ...(source.originKeySeed === undefined ? {} : { origin_key_seed: source.originKeySeed }),
    ...(source.https ? toEdgeHttps(source.https) : {}),
    plugins: edgePlugins(config, source),
  };
}

/**
 * What nodes run of a configuration, by today's schemas: it may have been stored before a field or a plugin that is
 * always on existed. What a schema refuses stays as it was deployed.
 */
export function edgePlugins(
  config: RouteConfig,
  { isPaused, resolved, secrets }: Pick<EdgeRouteSource, 'isPaused' | 'resolved' | 'secrets'>,
): EdgeRoute['plugins'] {
  const entries = new Map(config.plugins.map((plugin) => [plugin.name, plugin]));
  return definitions.flatMap(({ name, phase, schema, isAlwaysOn = false, secrets: secretFields = [] }) => {
    const entry = entries.get(name) ?? { enabled: isAlwaysOn, config: {} };
    if (!entry.enabled || (isPaused && !isRoutingPhase(phase))) return [];
    const fetched = resolved?.[name];
    const config = materialise(schema, entry.config);
    const handles = secretFields.flatMap((field) => {
      const handle = config[field];
      return typeof handle === 'string' && isSecretHandle(handle) ? [[field, secrets?.get(handle) ?? '']] : [];
    });
    return [
      {
        name,
        config,
        ...(fetched === undefined ? {} : { resolved: fetched }),
        ...(handles.length === 0 ? {} : { secrets: Object.fromEntries(handles) }),
      },
    ];
  });
}

/** Names of enabled plugins whose stored configuration today's schema refuses. */
export const refusedPlugins = (config: RouteConfig): string[] =>
  definitions
    .filter(({ name, schema }) =>
      config.plugins.some((entry) => entry.name === name && entry.enabled && !schema.safeParse(entry.config).success),
    )
    .map(({ name }) => name);

/** Name of an enabled plugin that needs what the deployment does not offer: the version was made while it did. */
export const findPluginInNeed = (config: RouteConfig, features: readonly DeploymentFeature[]): string | undefined =>
  definitions.find(({ name, schema, needs }) => {
    const entry = needs && config.plugins.find((plugin) => plugin.name === name && plugin.enabled);
    const parsed = entry && schema.safeParse(entry.config);
    return parsed?.success && needs?.(parsed.data).some(({ feature }) => !features.includes(feature));
  })?.name;
