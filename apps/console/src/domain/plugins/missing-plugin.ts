import type { RouteConfig } from '@cordon/contract';
import type { PluginDefinition } from '@cordon/plugin-kit';
import { BANS_FEED } from '@cordon/plugin-kit/feeds';
import { definitions } from '@cordon/plugins/definitions';
import { entryOf } from '../model/plugin-state';

/** The plugin that one which is switched on needs, and which is switched off: bans are kept by a plugin of their own. */
export function missingPlugin(config: RouteConfig, definition: PluginDefinition): PluginDefinition | undefined {
  if (!definition.isBanning || !entryOf(config, definition).enabled) return undefined;
  return definitions.find((one) => one.feeds?.includes(BANS_FEED) && !entryOf(config, one).enabled);
}
