import { isSame } from '@cordon/contract';
import type { PluginDefinition } from '@cordon/plugin-kit';

type Config = Readonly<Record<string, unknown>>;
type Parsed = ReturnType<PluginDefinition['schema']['safeParse']>;

/** Of configurations that were read, which are never changed in place: card, form and save look at the same thousands of entries. */
const results = new WeakMap<PluginDefinition, WeakMap<object, Parsed>>();
/** The one that was read last, as it came out: the answer to a save says the same in other objects. */
const latest = new WeakMap<PluginDefinition, { config: Config; parsed: Parsed }>();

/** Reads a configuration by its plugin's schema, each object once, and what says the same as the last one not at all. */
export function parseConfig(definition: PluginDefinition, config: Config): Parsed {
  let ofPlugin = results.get(definition);
  if (!ofPlugin) {
    ofPlugin = new WeakMap();
    results.set(definition, ofPlugin);
  }
  const known = ofPlugin.get(config);
  if (known) return known;
  const before = latest.get(definition);
  const parsed = before && isSame(before.config, config) ? before.parsed : definition.schema.safeParse(config);
  ofPlugin.set(config, parsed);
  // What came out of it is right as it is.
  const isRead = parsed.success && typeof parsed.data === 'object' && parsed.data !== null;
  if (isRead) ofPlugin.set(parsed.data as object, parsed);
  latest.set(definition, { config: isRead ? (parsed.data as Config) : config, parsed });
  return parsed;
}
