import type { PluginEntry, Route, RouteConfig } from '@cordon/contract';
import type { PluginDefinition, RequestRate } from '@cordon/plugin-kit';
import { firstEntry } from '@cordon/plugin-kit/schema';
import { parseConfig } from '../model/parse-config';
import { entryOf, isConfigured } from '../model/plugin-state';

interface EarlierLimit extends RequestRate {
  readonly plugin: string;
}

/** From which rate on the entry stops a client; undefined where it is off, or by no rate. */
export function rateOf(definition: PluginDefinition, { enabled, config }: PluginEntry): RequestRate | undefined {
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

/** What one press of its switch makes of a plugin that is off. */
export const entryAtPress = (route: Route, definition: PluginDefinition): PluginEntry => ({
  ...(isConfigured(route, definition) ? entryOf(route.draft, definition) : firstEntry(definition)),
  enabled: true,
});

/** The draft with each plugin on that has a rate. */
export function withRatesOn(route: Route, definitions: readonly PluginDefinition[]): RouteConfig {
  const rated = definitions.filter(({ rate }) => rate !== undefined);
  const isRated = ({ name }: PluginEntry) => rated.some((definition) => definition.name === name);
  const plugins = route.draft.plugins.filter((entry) => !isRated(entry));
  return { ...route.draft, plugins: [...plugins, ...rated.map((definition) => entryAtPress(route, definition))] };
}
