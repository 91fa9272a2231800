import { isSame, type PluginEntry, type RouteConfig } from '@cordon/contract';
import { type PluginDefinition, PROTECTION_LEVELS, type ProtectionLevel } from '@cordon/plugin-kit';
import { defaultEntry } from '@cordon/plugin-kit/schema';
import { parseConfig } from '../model/parse-config';
import { entryOf } from '../model/plugin-state';
import { rateOf } from './earlier-limit';

/** What a level makes of a plugin, and what the plugin is now. */
export interface LevelChange {
  readonly definition: PluginDefinition;
  readonly before: PluginEntry;
  readonly after: PluginEntry;
}

/** What a level makes of a plugin's entry; of settings that cannot be used, of its defaults. Undefined where levels leave it alone. */
export function entryAt(
  definition: PluginDefinition,
  level: ProtectionLevel,
  entry: PluginEntry,
): PluginEntry | undefined {
  if (!definition.atLevel) return undefined;
  const parsed = parseConfig(definition, entry.config);
  const { enabled, config } = definition.atLevel(level, {
    enabled: entry.enabled,
    config: parsed.success ? parsed.data : defaultEntry(definition).config,
  });
  return { name: definition.name, enabled, config: config as PluginEntry['config'] };
}

/** What a level would change in a configuration. */
export function changesAt(
  level: ProtectionLevel,
  config: RouteConfig,
  definitions: readonly PluginDefinition[],
): LevelChange[] {
  return definitions.flatMap((definition) => {
    const before = entryOf(config, definition);
    const after = entryAt(definition, level, before);
    return after === undefined || isSame(before, after) ? [] : [{ definition, before, after }];
  });
}

/** The rate from which on the plugin stops clients now, where a level replaces it by a higher one. */
export function loosenedRate({ definition, before, after }: LevelChange) {
  const now = rateOf(definition, before);
  const next = rateOf(definition, after);
  return now && next && next.requests / next.seconds > now.requests / now.seconds ? now : undefined;
}

/** The level that a configuration is at; undefined where it is at none. */
export const levelOf = (config: RouteConfig, definitions: readonly PluginDefinition[]): ProtectionLevel | undefined =>
  PROTECTION_LEVELS.find((level) => changesAt(level, config, definitions).length === 0);
