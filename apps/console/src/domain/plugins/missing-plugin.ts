import type { RouteConfig } from '@cordon/contract';
import type { PluginDefinition } from '@cordon/plugin-kit';
import { BANS_FEED } from '@cordon/plugin-kit/feeds';
import { feedsOf } from '@cordon/plugins/areas';
import { pluginDefaults } from '../changes/plugin-defaults';
import { entryOf } from '../model/plugin-state';

/** Name of the plugin that one which is switched on needs, and which is switched off: bans are kept by a plugin of their own. */
export function missingPlugin(config: RouteConfig, definition: PluginDefinition): string | undefined {
  if (!definition.isBanning || !entryOf(config, definition).enabled) return undefined;
  const isOn = (name: string) =>
    (config.plugins.find((plugin) => plugin.name === name) ?? pluginDefaults(name)).enabled;
  return Object.keys(feedsOf).find((name) => feedsOf[name]?.includes(BANS_FEED) && !isOn(name));
}
