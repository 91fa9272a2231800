import type { PluginException, StoppedRequest } from '@cordon/plugin-kit';
import type { GeoipConfig } from './schema.ts';

/** One address of a country that is kept out. */
export const exceptions = (config: GeoipConfig, { address, rule }: StoppedRequest): PluginException[] =>
  config.whitelist_ips.includes(address)
    ? []
    : [
        {
          message: 'exceptions.address',
          params: { address, country: rule },
          config: { ...config, whitelist_ips: [...config.whitelist_ips, address] },
        },
      ];
