import type { RouteConfig } from '@cordon/contract';

/**
 * Bytes of one configuration as it is stored with each version and sent to each node. On the free plan one list of
 * 10,000 IPv4 ranges fits, on the others two of IPv6.
 */
const BYTES_MAX = { free: 256 * 1024, vip: 1024 * 1024 } as const;

/** Index of the plugin whose configuration is the largest, when the whole is too large for the plan. */
export function findOversized(config: RouteConfig, tier: keyof typeof BYTES_MAX): number | undefined {
  if (Buffer.byteLength(JSON.stringify(config)) <= BYTES_MAX[tier]) return undefined;
  const sizes = config.plugins.map((plugin) => JSON.stringify(plugin.config).length);
  return sizes.indexOf(Math.max(...sizes));
}
