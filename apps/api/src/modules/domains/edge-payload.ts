import { type EdgeRoute, type RouteConfig, UPSTREAM_PORTS } from '@cordon/contract';
import { definitions } from '@cordon/plugins/definitions';

/** Everything of a route that its nodes need to know. */
export interface EdgeRouteSource {
  readonly id: string;
  readonly account_id: string;
  readonly czone: string;
  readonly version: number;
  readonly names: readonly string[];
  readonly isVerified: boolean;
  readonly tier: 'free' | 'vip';
  readonly brand: string;
  readonly config: RouteConfig;
}

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
  const enabled = new Map(config.plugins.filter((plugin) => plugin.enabled).map((plugin) => [plugin.name, plugin]));
  return {
    id: source.id,
    account_id: source.account_id,
    czone: source.czone,
    version: source.version,
    hosts: source.names.map((name) => ({ name, verified: source.isVerified })),
    tier: source.tier,
    brand: source.brand,
    traffic_action: config.traffic_action,
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
          },
    plugins: definitions.flatMap(({ name }) => {
      const plugin = enabled.get(name);
      return plugin ? [{ name, config: plugin.config }] : [];
    }),
  };
}
