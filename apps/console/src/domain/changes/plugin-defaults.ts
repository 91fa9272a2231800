import type { PluginDefaults } from '@cordon/contract';
import { defaults } from '@cordon/plugins/defaults';

/** What a plugin starts with, so that switching it on names only what was chosen. */
export const pluginDefaults = (plugin: string): PluginDefaults => defaults[plugin] ?? { enabled: false, config: {} };
