import { isSame, type PluginEntry, type RouteConfig } from '@cordon/contract';
import { type PluginDefinition, PROTECTION_LEVELS, type ProtectionLevel } from '@cordon/plugin-kit';
import { defaultEntry } from '@cordon/plugin-kit/schema';
import { parseConfig } from '../model/parse-config';
import { entryOf } from '../model/plugin-state';
import { earlierLimit, rateOf } from './earlier-limit';

/** What a level makes of a plugin, and what the plugin is now. */
export interface LevelChange {
  readonly definition: PluginDefinition;
  readonly before: PluginEntry;
  readonly after: PluginEntry;
  /** Whether clients may send more than now, in a burst as well as on the whole, before they are stopped. */
  readonly isLooser: boolean;
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
    if (after === undefined || isSame(before, after)) return [];
    const now = rateOf(definition, before);
    const next = rateOf(definition, after);
    const isLooser =
      now !== undefined &&
      next !== undefined &&
      next.requests >= now.requests &&
      next.requests / next.seconds > now.requests / now.seconds &&
      // What has no effect cannot be loosened.
      !earlierLimit(config, definition, before, definitions);
    return [{ definition, before, after, isLooser }];
  });
}

/** The level that a configuration is at; undefined where it is at none. */
export const levelOf = (config: RouteConfig, definitions: readonly PluginDefinition[]): ProtectionLevel | undefined =>
  PROTECTION_LEVELS.find((level) => changesAt(level, config, definitions).length === 0);
