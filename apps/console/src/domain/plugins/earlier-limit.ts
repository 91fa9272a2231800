import type { PluginEntry, RouteConfig } from '@cordon/contract';
import type { PluginDefinition, RequestRate } from '@cordon/plugin-kit';
import { parseConfig } from '../model/parse-config';
import { entryOf } from '../model/plugin-state';

interface EarlierLimit extends RequestRate {
  readonly plugin: string;
}

function rateOf(definition: PluginDefinition, { enabled, config }: PluginEntry): RequestRate | undefined {
  const parsed = parseConfig(definition, config);
  return enabled && parsed.success ? definition.rate?.(parsed.data) : undefined;
}

/** The plugin that stops every client before the entry's rate is reached, so that the entry does nothing. */
export function earlierLimit(
  config: RouteConfig,
  definition: PluginDefinition,
  entry: PluginEntry,
  definitions: readonly PluginDefinition[],
): EarlierLimit | undefined {
  const own = definition.rate && rateOf(definition, entry);
  if (!own) return undefined;
  for (const other of definitions) {
    if (other.phase !== definition.phase || other.order >= definition.order || !other.rate) continue;
    const rate = rateOf(other, entryOf(config, other));
    // Whoever sends so many within so short a time has sent these within a time that is as long or longer.
    if (rate && !rate.isPartial && rate.requests <= own.requests && rate.seconds >= own.seconds)
      return { ...rate, plugin: other.name };
  }
  return undefined;
}
