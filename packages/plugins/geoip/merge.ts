import { PluginFault } from '@cordon/plugin-kit';
import { mergeConfig } from '@cordon/plugin-kit/merge-config';
import type { GeoipConfig } from './schema.ts';

/** Countries to countries of the same mode: the plugin has one, and another would change what the domain's own mean. */
export function merge(own: GeoipConfig, brought: GeoipConfig): GeoipConfig {
  if (own.mode !== brought.mode) throw new PluginFault('mode', 'GEOIP_MODES_DIFFER');
  return mergeConfig(own, brought) as GeoipConfig;
}
